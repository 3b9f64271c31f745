// The parts of which a report is made: tables and lists of toned texts. What they say is decided in the
// view-* files, how they look in a format.

/** How a text is to be taken; a terminal may colour it. */
export type Tone = 'plain' | 'good' | 'doubtful' | 'bad' | 'quiet' | 'strong';

export interface Cell {
  readonly text: string;
  readonly tone: Tone;
}

/** Heads carry the units. What else is said of a column helps formats of a fixed width. */
export interface Column {
  readonly head: string;
  readonly align: 'left' | 'right';
  /** Where room is short: break its texts over lines, or cut them in the middle. Neither unless given. */
  readonly yields?: 'wrap' | 'cut';
  /** May be left out where room is short, the lowest first. */
  readonly spareRank?: number;
  /** Its text is of the group, the same in all of a group's rows. */
  readonly isOfGroup?: boolean;
}

export interface TableSection {
  readonly kind: 'table';
  readonly title: string;
  /** The first column names a group of rows, in its first row only. */
  readonly isGrouped: boolean;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
}

/** A list of entries, each with a head line and labelled or plain lines below it. */
export interface ListSection {
  readonly kind: 'list';
  readonly title: string;
  readonly entries: readonly ListEntry[];
}

export interface ListEntry {
  readonly head: Cell;
  readonly lines: readonly { readonly label: string; readonly text: string }[];
}

export type Section = TableSection | ListSection;

/** A cell, in the plain tone unless another is given. */
export function cell(text: string, tone: Tone = 'plain'): Cell {
  return { text, tone };
}

/** A column of texts. */
export function left(head: string, more: Omit<Column, 'head' | 'align'> = {}): Column {
  return { head, align: 'left', ...more };
}

/** A column of figures. */
export function right(head: string, more: Omit<Column, 'head' | 'align'> = {}): Column {
  return { head, align: 'right', ...more };
}
