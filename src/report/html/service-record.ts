// What the service itself said of the run: CloudWatch beside our own counts and metric by metric, and the
// keys of Contributor Insights. Repeats stand apart here, since each had its own minutes. Nothing where it
// was not asked.
import { readableResource } from '../../analysis/resource-name.ts';
import type { RunResult, VariantResult } from '../../analysis/run-result.ts';
import { countOf, formatNumber } from '../../analysis/wording.ts';
import { MISSING } from '../number-format.ts';
import { type Cell, cell, left, right, type TableSection } from '../section.ts';
import { contributorInsightsTable, reconciliationTable } from '../view-service.ts';
import { html, type Markup } from './markup.ts';
import { prose } from './prose.ts';
import { renderTable } from './view-section.ts';

/** The reconciliation, then all metrics that were pulled; null where CloudWatch was not asked. */
export function renderCloudWatch(record: RunResult): Markup | null {
  const tables = [reconciliationTable(record), metricsTable(record)].filter((table) => table !== null);
  if (tables.length === 0) return null;
  const notes = record.variants.flatMap(({ name, cloudWatch }) =>
    cloudWatch === undefined
      ? []
      : [
          `${name}: ${cloudWatch.from} to ${cloudWatch.until}, measured from ${cloudWatch.measuredFrom} to ` +
            `${cloudWatch.measuredUntil}; ${countOf(cloudWatch.pulls, 'pull')}` +
            (cloudWatch.isSettled ? '' : '; the data had not all come in'),
          ...cloudWatch.notes,
        ],
  );
  return html`${tables.map(renderTable)}${renderNotes(notes)}`;
}

/** The keys that Contributor Insights names; null where it was not asked. */
export function renderContributorInsights(record: RunResult): Markup | null {
  const table = contributorInsightsTable(record);
  if (table === null) return null;
  const notes = record.variants.flatMap(({ contributorInsights }) => contributorInsights?.notes ?? []);
  return html`${renderTable(table)}${renderNotes(notes)}`;
}

function metricsTable({ variants }: RunResult): TableSection | null {
  const rows = variants.flatMap((variant) =>
    (variant.cloudWatch?.series ?? []).map((series, index) => [
      cell(index === 0 ? nameOf(variant) : '', 'strong'),
      cell(placeOf(series, variant)),
      cell(`${series.metric}, ${series.statistic}`),
      known(series.total),
      known(series.measured),
      known(series.highestPerSecond),
      cell(series.minutes.map((value) => (value === null ? MISSING : formatNumber(value))).join(' · ')),
    ]),
  );
  if (rows.length === 0) return null;
  return {
    kind: 'table',
    title: 'Metrics as CloudWatch holds them, by minute',
    isGrouped: true,
    columns: [
      left('variant'),
      left('of'),
      left('metric'),
      right('whole window'),
      right('measured minutes'),
      right('highest minute, per second'),
      left('minutes'),
    ],
    rows,
  };
}

function placeOf(
  series: { tableName: string; indexName: string | null; operation: string | null },
  { tables }: VariantResult,
): string {
  const { tableName, indexName, operation } = series;
  const name = readableResource(indexName === null ? tableName : `${tableName}/${indexName}`, tables);
  return operation === null ? name : `${name}, ${operation}`;
}

function nameOf({ name, repeat }: VariantResult): string {
  return repeat === undefined ? name : `${name}, repeat ${repeat + 1}`;
}

function known(value: number | null): Cell {
  return cell(value === null ? MISSING : formatNumber(value));
}

function renderNotes(notes: readonly string[]): Markup {
  return html`<ul class="footnotes">${[...new Set(notes)].map(
    (note) => html`<li>${prose(note)}</li>
`,
  )}</ul>
`;
}
