// A table made to fit a width: heads are broken over lines, texts that yield are wrapped or cut a little,
// then groups get lines of their own, then columns that can be spared are left out, and only then are texts
// cut short.
import type { Cell, Column, TableSection } from './section.ts';
import { endOfWidth, startOfWidth, textWidth } from './text-width.ts';
import { wrapText } from './wrap-text.ts';

export interface FittedTable {
  /** A head may have several lines. */
  readonly columns: readonly Column[];
  /** In the order of the table's rows; a cell may have several lines. */
  readonly rows: readonly (readonly Cell[])[];
  /** Per row: the cells of the line that stands above it, where the row begins a group. */
  readonly groupLines: readonly (readonly Cell[] | null)[];
  /** Heads of columns left out for want of room. */
  readonly leftOut: readonly string[];
}

/** Between two columns. */
const GAP = 2;

/** How far rows below a group's line are set in. */
const INDENT = '  ';

type LeastWidths = Readonly<Record<'wrap' | 'cut', number>>;

/** Widths down to which texts yield before the table takes another shape, and at the very least. */
const comfortable: LeastWidths = { wrap: 32, cut: 24 };
const tight: LeastWidths = { wrap: 18, cut: 12 };

interface Shape {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
  readonly groupLines: readonly (readonly Cell[] | null)[];
  readonly leftOut: readonly string[];
}

/** The table in the first shape that fits; where none does, the last one, as narrow as it gets. */
export function fitTable(section: TableSection, width: number): FittedTable {
  const [whole, ...others] = shapesOf(section);
  const last = others.at(-1) ?? whole;
  if (fits(whole, comfortable, width)) return narrowed(whole, width);
  return narrowed(others.find((shape) => fits(shape, tight, width)) ?? last, width);
}

function fits(shape: Shape, least: LeastWidths, width: number): boolean {
  return (
    totalWidth(shape.columns.map((column, at) => leastWidth(column, widestText(shape, at), least))) <= width
  );
}

/** The table as it is, with its groups' names on lines of their own, and so with ever fewer columns. */
function shapesOf(section: TableSection): [Shape, ...Shape[]] {
  const whole: Shape = {
    columns: section.columns,
    rows: section.rows,
    groupLines: section.rows.map(() => null),
    leftOut: [],
  };
  const shapes: [Shape, ...Shape[]] = section.isGrouped ? [whole, splitGroups(section)] : [whole];
  const spare = section.columns
    .filter((column) => column.spareRank !== undefined)
    .toSorted((a, b) => (a.spareRank ?? 0) - (b.spareRank ?? 0));
  for (const column of spare) shapes.push(withoutColumn(shapes.at(-1) as Shape, column.head));
  return shapes;
}

function splitGroups({ columns, rows }: TableSection): Shape {
  const ofGroup = columns.map((column, at) => at === 0 || column.isOfGroup === true);
  const kept = <T>(values: readonly T[]): T[] => values.filter((_, at) => ofGroup[at] !== true);
  return {
    columns: kept(columns),
    rows: rows.map((row) =>
      kept(row).map((cell, at) => (at === 0 ? { ...cell, text: `${INDENT}${cell.text}` } : cell)),
    ),
    groupLines: rows.map((row) => (row[0]?.text === '' ? null : row.filter((_, at) => ofGroup[at]))),
    leftOut: [],
  };
}

function withoutColumn(shape: Shape, head: string): Shape {
  const at = shape.columns.findIndex((column) => column.head === head);
  const without = <T>(values: readonly T[]): T[] => values.filter((_, index) => index !== at);
  return {
    ...shape,
    columns: without(shape.columns),
    rows: shape.rows.map(without),
    leftOut: [...shape.leftOut, head],
  };
}

/** Heads and texts made narrower until the table fits, the widest column first. */
function narrowed(shape: Shape, width: number): FittedTable {
  const { columns } = shape;
  const texts = columns.map((_, at) => widestText(shape, at));
  const widths = columns.map(({ head }, at) => Math.max(textWidth(head), texts[at] as number));
  const narrowTo = (leasts: readonly number[]): void => {
    for (let excess = totalWidth(widths) - width; excess > 0; excess--) {
      const at = widestAbove(widths, leasts);
      if (at === -1) return;
      widths[at] = (widths[at] as number) - 1;
    }
  };
  // Heads first, then texts that yield, and as a last resort any text.
  narrowTo(columns.map((column, at) => Math.max(longestWord(column.head), texts[at] as number)));
  narrowTo(columns.map((column, at) => leastWidth(column, texts[at] as number, comfortable)));
  narrowTo(columns.map((column, at) => leastWidth(column, texts[at] as number, tight)));
  narrowTo(columns.map((column, at) => leastWidth(anyCut(column), texts[at] as number, tight)));
  return {
    ...shape,
    columns: columns.map((column, at) => ({
      ...column,
      head: wrapText(column.head, widths[at] as number).join('\n'),
    })),
    rows: shape.rows.map((row) =>
      row.map((cell, at) => yielded(cell, columns[at] as Column, widths[at] as number)),
    ),
  };
}

function anyCut(column: Column): Column {
  return column.align === 'left' ? { yields: 'cut', ...column } : column;
}

function yielded(cell: Cell, { yields }: Column, width: number): Cell {
  if (textWidth(cell.text) <= width) return cell;
  return {
    ...cell,
    text: yields === 'wrap' ? wrapText(cell.text, width).join('\n') : cutMiddle(cell.text, width),
  };
}

function widestAbove(widths: readonly number[], leasts: readonly number[]): number {
  let widest = -1;
  widths.forEach((width, at) => {
    if (width > (leasts[at] as number) && width > (widths[widest] ?? 0)) widest = at;
  });
  return widest;
}

function leastWidth({ head, yields }: Column, text: number, least: LeastWidths): number {
  return Math.max(longestWord(head), yields === undefined ? text : Math.min(text, least[yields]));
}

function longestWord(head: string): number {
  return Math.max(...wrapText(head, 1).map(textWidth));
}

/** Of the longest text in a column, without its head. */
function widestText({ rows }: Shape, at: number): number {
  return Math.max(0, ...rows.map((row) => textWidth(row[at]?.text ?? '')));
}

function totalWidth(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0) + GAP * (widths.length - 1);
}

/** Both ends of a key or name tell it apart, so the middle goes. */
function cutMiddle(text: string, width: number): string {
  const head = Math.ceil((width - 1) / 2);
  return `${startOfWidth(text, head)}…${endOfWidth(text, width - 1 - head)}`;
}
