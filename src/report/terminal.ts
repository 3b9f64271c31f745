// The report for a terminal: the view drawn with cli-table3 within a width, coloured only when told so.
import Table from 'cli-table3';
import type { RunResult } from '../analysis/run-result.ts';
import { type FittedTable, fitTable } from './fit-table.ts';
import type { Cell, ListEntry, ListSection, Section, TableSection, Tone } from './section.ts';
import { type ReportView, viewRun } from './view.ts';
import { visibleText } from './visible-text.ts';
import { wrapText } from './wrap-text.ts';

export interface TerminalOptions {
  /** Columns of the terminal; 100 to 120 suit the report best. Absent where there is no terminal: 110. */
  readonly width?: number;
  readonly useColor: boolean;
  /** Where the record lies, as a user would type it, or why it does not. */
  readonly record?: string;
}

const DEFAULT_WIDTH = 110;

/** Narrower than this, tables overflow rather than be cut beyond recognition. */
const LEAST_WIDTH = 80;

/** Sentences wider than this are hard to read. */
const MOST_TEXT_WIDTH = 116;

const INDENT = '  ';

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

/** The whole report; ends with a newline. Columns that found no room are named at the end. */
export function renderTerminal(result: RunResult, options: TerminalOptions): string {
  return renderViewInTerminal(viewRun(result), options);
}

/** Any view, as `renderTerminal` does. */
export function renderViewInTerminal(view: ReportView, options: TerminalOptions): string {
  const width = Math.max(LEAST_WIDTH, options.width ?? DEFAULT_WIDTH);
  const paint: Paint = options.useColor ? paintSgr : (text) => text;
  const leftOut = new Set<string>();
  const renderSection = (section: Section): string[] => {
    if (section.kind === 'list') return renderList(section, width, paint);
    const fitted = fitTable(section, width - INDENT.length);
    for (const head of fitted.leftOut) leftOut.add(head);
    return renderTable(section, fitted, width, paint);
  };
  const sections = view.sections.flatMap((section) => ['', ...renderSection(section)]);
  const lines = [
    ...renderHead(view, width, paint),
    ...sections,
    ...renderFoot([...view.footnotes, ...roomNote(leftOut)], options.record, width, paint),
  ];
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

function roomNote(leftOut: ReadonlySet<string>): string[] {
  if (leftOut.size === 0) return [];
  return [
    `Left out for want of room: ${[...leftOut].join(', ')}. A wider terminal shows them, run.json has them.`,
  ];
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
  footnotes: readonly string[],
  record: string | undefined,
  width: number,
  paint: Paint,
): string[] {
  const notes = footnotes.flatMap((note) => renderNote(note, Math.min(width, MOST_TEXT_WIDTH)));
  const end = record === undefined ? [] : ['', `Record: ${visibleText(record)}`];
  return [...(notes.length > 0 ? [''] : []), ...notes.map((line) => paint(line, 'quiet')), ...end];
}

/**
 * A note that explains a sign hangs from it; others are set in from their second line on, to be told apart.
 */
function renderNote(note: string, width: number): string[] {
  const sign = /^\S {2}/.exec(note)?.[0];
  if (sign !== undefined) return wrapText(note.slice(sign.length), width, sign);
  return wrapText(note, width - INDENT.length).map((line, at) => (at === 0 ? line : `${INDENT}${line}`));
}

function renderTable({ title }: TableSection, fitted: FittedTable, width: number, paint: Paint): string[] {
  const { columns, rows, groupLines } = fitted;
  const table = new Table({
    colAligns: columns.map((column) => column.align),
    chars: borderless,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  table.push(
    columns.map(({ head }) => ({
      content: paintLines({ text: head, tone: 'quiet' }, paint),
      vAlign: 'bottom',
    })),
  );
  rows.forEach((row, index) => {
    const group = groupLines[index];
    if (group) {
      const content = group.map((cell) => paint(cell.text, cell.tone)).join('  ');
      table.push([{ colSpan: columns.length, content, hAlign: 'left' }]);
    }
    table.push(row.map((cell) => paintLines(cell, paint)));
  });
  return [
    ...wrapText(title, Math.min(width, MOST_TEXT_WIDTH)).map((line) => paint(line, 'strong')),
    ...table
      .toString()
      .split('\n')
      .map((line) => `${INDENT}${line}`),
  ];
}

/** Each line by itself, so that no colour runs on into the next column. */
function paintLines({ text, tone }: Cell, paint: Paint): string {
  return text
    .split('\n')
    .map((line) => paint(line, tone))
    .join('\n');
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
