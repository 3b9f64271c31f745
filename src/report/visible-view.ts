// The one place where a view's texts are made safe to look at, whichever part of a run they come from: every
// format gets them so.
import type { Cell, ListEntry, Section } from './section.ts';
import type { ReportView } from './view.ts';
import { visibleText } from './visible-text.ts';

/** The view with what cannot be seen in its texts written out, each text on one line. */
export function visibleView(view: ReportView): ReportView {
  return {
    origin: visibleText(view.origin),
    question: visibleText(view.question),
    setting: visibleText(view.setting),
    sections: view.sections.map(visibleSection),
    footnotes: view.footnotes.map(visibleText),
  };
}

function visibleSection(section: Section): Section {
  const title = visibleText(section.title);
  if (section.kind === 'list') return { ...section, title, entries: section.entries.map(visibleEntry) };
  return {
    ...section,
    title,
    columns: section.columns.map((column) => ({ ...column, head: visibleText(column.head) })),
    rows: section.rows.map((row) => row.map(visibleCell)),
  };
}

function visibleEntry({ head, lines }: ListEntry): ListEntry {
  return {
    head: visibleCell(head),
    lines: lines.map(({ label, text }) => ({ label: visibleText(label), text: visibleText(text) })),
  };
}

function visibleCell(cell: Cell): Cell {
  return { ...cell, text: visibleText(cell.text) };
}
