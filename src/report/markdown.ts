// A view as GitHub-flavoured Markdown: for comments on pull requests and step summaries. Every text that comes
// from a scenario, a key or a server stands as text: it makes no markup, link, mention or reference.
import type { Cell, ListSection, Section, TableSection, Tone } from './section.ts';
import type { ReportView } from './view.ts';
import { visibleText } from './visible-text.ts';

/**
 * Most characters of a document. GitHub takes 65,536 in a comment; the rest is for what a user puts around it.
 */
const MOST_CHARACTERS = 60_000;

/** The whole view under a heading; what would not fit in a comment is left out and said. */
export function renderMarkdown(view: ReportView, title: string): string {
  const head = [
    `## ${escapeMarkdown(title)}`,
    `${escapeMarkdown(view.origin)}<br>${escapeMarkdown(view.question)}`,
    escapeMarkdown(view.setting),
  ];
  const sections = view.sections.map(renderSection);
  const notes = view.footnotes.map((note) => `<sub>${escapeMarkdown(note)}</sub>`);
  const kept: string[] = [...head];
  let size = head.join('').length;
  for (const part of [...sections, notes.join('<br>\n')]) {
    if (part === '') continue;
    if (size + part.length > MOST_CHARACTERS) {
      kept.push('*The rest is too long for a comment: see the whole report.*');
      break;
    }
    kept.push(part);
    size += part.length;
  }
  return `${kept.join('\n\n')}\n`;
}

/**
 * Text that reads as it is in GitHub-flavoured Markdown, in a paragraph as in a table cell. An empty comment
 * parts what GitHub would make a mention, a reference or a link of.
 * @see "GitHub Flavored Markdown Spec", https://github.github.com/gfm/, read 2026-11-30
 */
export function escapeMarkdown(text: string): string {
  return visibleText(text.trim())
    .replaceAll(/[\\`*_{}[\]|~]/g, String.raw`\$&`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('$', '<span>$</span>')
    .replaceAll('@', '@<!-- -->')
    .replaceAll(/#(?=\d)/g, '#<!-- -->')
    .replaceAll(/\bGH-(?=\d)/gi, '$&<!-- -->')
    .replaceAll('://', ':<!-- -->//')
    .replaceAll(/\bwww\./gi, '$&<!-- -->')
    .replace(/^(?=[-+](?:\s|$)|[-=]{2}|#)/, '\\')
    .replace(/^(\d+)([.)])(?=\s|$)/, String.raw`$1\$2`);
}

function renderSection(section: Section): string {
  return section.kind === 'table' ? renderTable(section) : renderList(section);
}

function renderTable({ title, columns, rows, isGrouped }: TableSection): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  let group = '';
  const body = rows.map((row) =>
    line(
      row.map((cell, index) => {
        // A table of Markdown has no merged cells, and tools that sort it need the name in each row.
        if (isGrouped && index === 0) group = cell.text === '' ? group : cell.text;
        const text = isGrouped && index === 0 ? group : cell.text;
        return toned({ ...cell, text });
      }),
    ),
  );
  return [
    `### ${escapeMarkdown(title)}`,
    '',
    line(columns.map((column) => escapeMarkdown(column.head))),
    line(columns.map((column) => (column.align === 'right' ? '--:' : ':--'))),
    ...body,
  ].join('\n');
}

function renderList({ title, entries }: ListSection): string {
  const lines = entries.flatMap(({ head, lines: below }) => [
    `- ${toned(head)}`,
    ...below.map(({ label, text }) => `  - ${escapeMarkdown(label)}: ${escapeMarkdown(text)}`),
  ]);
  return [`### ${escapeMarkdown(title)}`, '', ...lines].join('\n');
}

const isStrong: Readonly<Record<Tone, boolean>> = {
  plain: false,
  good: false,
  doubtful: false,
  quiet: false,
  bad: true,
  strong: true,
};

function toned({ text, tone }: Cell): string {
  const escaped = escapeMarkdown(text);
  return isStrong[tone] && escaped !== '' ? `**${escaped}**` : escaped;
}
