// The parts of which a report is made: tables and lists of toned texts. What they say is decided in the
// view-* files, how they look in a format.

/** How a text is to be taken; a terminal may colour it. */
export type Tone = 'plain' | 'good' | 'doubtful' | 'bad' | 'quiet' | 'strong';

export interface Cell {
  readonly text: string;
  readonly tone: Tone;
}

/** Heads carry the units. */
export interface Column {
  readonly head: string;
  readonly align: 'left' | 'right';
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

export function cell(text: string, tone: Tone = 'plain'): Cell {
  return { text, tone };
}
