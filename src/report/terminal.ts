// The report for a terminal: the view drawn with cli-table3 within a width, coloured only when told so.
import Table from 'cli-table3';
import type { RunResult } from '../analysis/run-result.ts';
import type { Cell, ListEntry, ListSection, Section, TableSection, Tone } from './section.ts';
import { type ReportView, viewRun } from './view.ts';
import { wrapText } from './wrap-text.ts';

export interface TerminalOptions {
  /** Columns of the terminal; 100 to 120 suit the report best. Absent where there is no terminal: 110. */
  readonly width?: number;
  readonly useColor: boolean;
  /** Where run.json lies, as a user would type it. */
  readonly runFolder?: string;
}

const DEFAULT_WIDTH = 110;

/** Narrower than this, tables overflow rather than be cut beyond recognition. */
const LEAST_WIDTH = 80;

/** Sentences wider than this are hard to read. */
const MOST_TEXT_WIDTH = 116;

const INDENT = '  ';

/** Texts that may be cut with an ellipsis where a table is too wide, and how short at the least. */
const LEAST_CUT = 12;

/** SGR parameters by tone. */
const colors: Readonly<Record<Tone, string | null>> = {
  plain: null,
  good: '32',
  doubtful: '33',
  bad: '31',
  quiet: '2',
  strong: '1',
};

type Paint = (text: string, tone: Tone) => string;

/**
 * The whole report; ends with a newline. A table that is too wide gets its variants' names on lines of their
 * own, and only then are long texts cut.
 */
export function renderTerminal(result: RunResult, options: TerminalOptions): string {
  return renderViewInTerminal(viewRun(result), options);
}

/** Any view, as `renderTerminal` does. */
export function renderViewInTerminal(view: ReportView, options: TerminalOptions): string {
  const width = Math.max(LEAST_WIDTH, options.width ?? DEFAULT_WIDTH);
  const paint: Paint = options.useColor ? paintSgr : (text) => text;
  const lines = [
    ...renderHead(view, width, paint),
    ...view.sections.flatMap((section) => ['', ...renderSection(section, width, paint)]),
    ...renderFoot(view, options.runFolder, width, paint),
  ];
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

function renderHead({ origin, question, setting }: ReportView, width: number, paint: Paint): string[] {
  const textWidth = Math.min(width, MOST_TEXT_WIDTH);
  return [
    ...wrapText(origin, textWidth),
    ...wrapText(question, textWidth).map((line) => paint(line, 'strong')),
    ...wrapText(setting, textWidth).map((line) => paint(line, 'quiet')),
  ];
}

function renderFoot(
  { footnotes }: ReportView,
  runFolder: string | undefined,
  width: number,
  paint: Paint,
): string[] {
  const notes = footnotes.flatMap((note) => wrapText(note, Math.min(width, MOST_TEXT_WIDTH)));
  const record = runFolder === undefined ? [] : ['', `Record: ${runFolder.replace(/\/$/, '')}/run.json`];
  return [...(notes.length > 0 ? [''] : []), ...notes.map((line) => paint(line, 'quiet')), ...record];
}

function renderSection(section: Section, width: number, paint: Paint): string[] {
  return section.kind === 'table' ? renderTable(section, width, paint) : renderList(section, width, paint);
}

function renderTable(section: TableSection, width: number, paint: Paint): string[] {
  const isSplit = section.isGrouped && excessOf(section, width) > 0;
  const columns = isSplit ? section.columns.slice(1) : section.columns;
  const rows = isSplit ? section.rows.map(withoutGroup) : section.rows;
  const fitted = fitRows({ columns, rows }, width);
  const table = new Table({
    head: columns.map((column) => paint(column.head, 'quiet')),
    colAligns: columns.map((column) => column.align),
    chars: borderless,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  fitted.forEach((row, index) => {
    const group = section.rows[index]?.[0];
    if (isSplit && group !== undefined && group.text !== '') {
      table.push([{ colSpan: columns.length, content: paint(group.text, group.tone) }]);
    }
    table.push(row.map((cell) => paint(cell.text, cell.tone)));
  });
  const title = wrapText(section.title, width).map((line) => paint(line, 'strong'));
  return [
    ...title,
    ...table
      .toString()
      .split('\n')
      .map((line) => `${INDENT}${line}`),
  ];
}

/** The row below its group's line, set in a little. */
function withoutGroup([, first, ...rest]: readonly Cell[]): readonly Cell[] {
  return first === undefined ? [] : [{ ...first, text: `${INDENT}${first.text}` }, ...rest];
}

/** No borders: two spaces part the columns, and the heads are told by their tone. */
const borderless = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
};

/**
 * Cuts the widest left-aligned column, character by character, until the table fits or nothing more can be
 * cut.
 */
function fitRows(table: TableBody, width: number): readonly (readonly Cell[])[] {
  const widths = widthsOf(table);
  for (let excess = excessOf(table, width); excess > 0; excess--) {
    const widest = widestCuttable(table.columns, widths);
    if (widest === -1) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return table.rows.map((row) =>
    row.map((cell, index) => ({ ...cell, text: cutMiddle(cell.text, widths[index] ?? 0) })),
  );
}

type TableBody = Pick<TableSection, 'columns' | 'rows'>;

function widthsOf({ columns, rows }: TableBody): number[] {
  return columns.map((column, index) =>
    Math.max(column.head.length, ...rows.map((row) => row[index]?.text.length ?? 0)),
  );
}

/** Characters by which a table is too wide; two spaces part its columns. */
function excessOf(table: TableBody, width: number): number {
  return sum(widthsOf(table)) + 2 * (table.columns.length - 1) + INDENT.length - width;
}

function widestCuttable(columns: TableSection['columns'], widths: readonly number[]): number {
  let widest = -1;
  columns.forEach((column, index) => {
    const columnWidth = widths[index] ?? 0;
    const isCuttable = column.align === 'left' && columnWidth > Math.max(LEAST_CUT, column.head.length);
    if (isCuttable && columnWidth > (widths[widest] ?? 0)) widest = index;
  });
  return widest;
}

/** Both ends of a key or name tell it apart, so the middle goes. */
function cutMiddle(text: string, width: number): string {
  if (text.length <= width) return text;
  const head = Math.ceil((width - 1) / 2);
  return `${text.slice(0, head)}…${text.slice(text.length - (width - 1 - head))}`;
}

function renderList({ title, entries }: ListSection, width: number, paint: Paint): string[] {
  return [paint(title, 'strong'), ...entries.flatMap((entry) => renderEntry(entry, width, paint))];
}

const LABEL_WIDTH = 9;

function renderEntry({ head, lines }: ListEntry, width: number, paint: Paint): string[] {
  const textWidth = Math.min(width, MOST_TEXT_WIDTH);
  let before = '';
  const body = lines.flatMap(({ label, text }) => {
    const shown = label === before ? '' : label;
    before = label;
    return wrapText(text, textWidth, `${INDENT}${INDENT}${shown.padEnd(LABEL_WIDTH)}`);
  });
  return [...wrapText(head.text, textWidth, INDENT).map((line) => paint(line, head.tone)), ...body];
}

function paintSgr(text: string, tone: Tone): string {
  const code = colors[tone];
  return code === null || text === '' ? text : `\u001b[${code}m${text}\u001b[0m`;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
