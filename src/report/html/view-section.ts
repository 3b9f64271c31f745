// Tables and lists of the common report view as HTML. What they say is decided in ../view-*.ts.
import type { Cell, ListSection, TableSection } from '../section.ts';
import { html, type Markup } from './markup.ts';
import { figures, prose } from './prose.ts';

/** A table in a box of its own, which scrolls where the table is wider than the page. */
export function renderTable({ title, columns, rows, isGrouped }: TableSection): Markup {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${title}">
<table>
<caption><span>${title}</span></caption>
<thead><tr>${columns.map(({ head, align }) => html`<th scope="col" class="${align}">${head}</th>`)}</tr></thead>
<tbody>
${rows.map(
  (row) => html`<tr${isGrouped && row[0]?.text !== '' ? html` class="group"` : null}>${row.map((one, at) =>
    at === 0 && isGrouped
      ? html`<th scope="row" class="left">${toned(one)}</th>`
      : html`<td class="${columns[at]?.align ?? 'left'}">${toned(one)}</td>`,
  )}</tr>
`,
)}</tbody>
</table>
</div>
`;
}

/** Entries with labelled lines. */
export function renderList({ entries }: ListSection): Markup {
  return html`${entries.map(
    ({ head, lines }) => html`<article class="entry ${head.tone}">
<h3>${head.text}</h3>
${renderLines(lines)}</article>
`,
  )}`;
}

/** Labels and what they say, as a list of terms. */
export function renderLines(lines: readonly { readonly label: string; readonly text: string }[]): Markup {
  return html`<dl class="lines">
${lines.map(
  ({ label, text }, at) => html`<dt>${lines[at - 1]?.label === label ? '' : label}</dt><dd>${prose(text)}</dd>
`,
)}</dl>
`;
}

function toned({ text, tone }: Cell): Markup {
  return tone === 'plain' ? figures(text) : html`<span class="${tone}">${figures(text)}</span>`;
}
