// What the service itself says of a run: its counts beside ours, and the keys that Contributor Insights names.
// Nothing where it was not asked.
import { formatNumber, formatPercent } from '../analysis/wording.ts';
import type { InsightContributor, InsightRule } from '../analysis/records/contributor-insights.ts';
import type { ReconciliationRow } from '../analysis/records/reconciliation.ts';
import { readableResource } from '../analysis/resource-name.ts';
import type { RunResult, VariantResult } from '../analysis/run-result.ts';
import { type Cell, cell, type TableSection, type Tone } from './section.ts';

/** Contributor Insights counts 3 × write units + read units; a partition gives 1,000 and 3,000 a second. */
const PARTITION_VALUE_PER_MINUTE = 180_000;

/** Keys listed of each rule, and the share of all that the rule names below which a key is none of the hottest. */
const KEYS_LISTED = 3;
const LEAST_SHARE = 0.0001;

/** Counts of CloudWatch beside those of dyno-load, with the reading of each difference. */
export function reconciliationTable({ variants }: RunResult): TableSection | null {
  const rows = variants.flatMap((variant) => {
    const { reconciliation } = variant;
    if (reconciliation === undefined) return [];
    return reconciliation.rows.map((row, index) => [
      cell(index === 0 ? nameOf(variant) : '', 'strong'),
      cell(resourceText(row, variant)),
      cell(row.metric),
      cell(formatNumber(row.client)),
      cell(row.service === null ? 'no data' : formatNumber(row.service)),
      cell(row.measured === null ? '' : measuredText(row.measured), 'quiet'),
      readingOf(row, reconciliation.isExact),
    ]);
  });
  if (rows.length === 0) return null;
  return {
    kind: 'table',
    title: 'What CloudWatch counted, beside what dyno-load counted (whole variant; units, events, requests)',
    isGrouped: true,
    columns: [
      { head: 'variant', align: 'left' },
      { head: 'of', align: 'left' },
      { head: 'metric', align: 'left' },
      { head: 'dyno-load', align: 'right' },
      { head: 'CloudWatch', align: 'right' },
      { head: 'measured stages, ours ≈ theirs', align: 'right', spareRank: 1 },
      { head: 'reading', align: 'left', yields: 'wrap' },
    ],
    rows,
  };
}

const toneOf = {
  agrees: 'good',
  explained: 'plain',
  unexplained: 'bad',
  incomplete: 'doubtful',
} as const satisfies Record<ReconciliationRow['status'], Tone>;

function readingOf({ status, because, difference }: ReconciliationRow, isExact: boolean): Cell {
  if (status === 'agrees')
    return cell(isExact ? 'agrees' : 'agrees (table or data not ours alone)', toneOf[status]);
  const sign = difference > 0 ? '+' : '−';
  return cell(`${sign}${formatNumber(Math.abs(difference))}, ${status}: ${because}`, toneOf[status]);
}

function measuredText({ client, service }: NonNullable<ReconciliationRow['measured']>): string {
  return `${formatNumber(client)} ≈ ${formatNumber(service)}`;
}

function resourceText({ resource, operation }: ReconciliationRow, { tables }: VariantResult): string {
  const name = readableResource(resource, tables);
  return operation === null ? name : `${name}, ${operation}`;
}

/** The hottest keys by Contributor Insights, and what dyno-load itself knows of each. */
export function contributorInsightsTable({ variants }: RunResult): TableSection | null {
  const rows = variants.flatMap((variant) => {
    const rules = variant.contributorInsights?.rules.filter(({ by }) => by === 'partitionKey') ?? [];
    const listed = rules.flatMap((rule) =>
      hottest(rule).map((one) => [
        cell(readableResource(resourceOf(rule), variant.tables)),
        cell(rule.counts),
        cell(one.keys.join(' '), 'strong'),
        cell(totalText(one, rule)),
        cell(rule.counts === 'accessed' ? partitionShare(one) : ''),
        cell(ownCount(rule, one, variant)),
      ]),
    );
    return listed.map((row, index) => [cell(index === 0 ? nameOf(variant) : '', 'strong'), ...row]);
  });
  if (rows.length === 0) return null;
  return {
    kind: 'table',
    title:
      'Hottest keys by Contributor Insights (accessed: 3 × write + read units; throttled: throttled requests)',
    isGrouped: true,
    columns: [
      { head: 'variant', align: 'left' },
      { head: 'of', align: 'left' },
      { head: 'counts', align: 'left' },
      { head: 'key', align: 'left' },
      { head: 'total', align: 'right' },
      { head: 'of a partition, highest minute', align: 'right' },
      { head: 'by our own count', align: 'left' },
    ],
    rows,
  };
}

function hottest({ contributors }: InsightRule): readonly InsightContributor[] {
  const sum = contributors.reduce((before, { total }) => before + total, 0);
  return contributors.filter(({ total }) => total >= LEAST_SHARE * sum).slice(0, KEYS_LISTED);
}

/** Each minute lists its hottest keys only, so that the total of a key that was not always among them is a bound. */
function totalText({ total, minutes }: InsightContributor, { contributors }: InsightRule): string {
  const listed = new Set(contributors.flatMap((one) => one.minutes.map(({ at }) => at)));
  return `${minutes.length < listed.size ? 'at least ' : ''}${formatNumber(total)}`;
}

/** A bound: exact for a key that is only read or only written. */
function partitionShare({ highestMinute }: InsightContributor): string {
  return formatPercent(highestMinute / PARTITION_VALUE_PER_MINUTE);
}

function ownCount(rule: InsightRule, { keys }: InsightContributor, { resources }: VariantResult): string {
  const known = resources.find(({ resource }) => resource === resourceOf(rule));
  const row = known?.keys.find(({ key }) => key === keys[0]);
  if (row === undefined) return known === undefined ? 'not counted' : 'not among our hottest';
  return rule.counts === 'accessed'
    ? `${formatNumber(row.requests)} requests while measured`
    : `${formatNumber(row.throttledRequests)} throttled while measured`;
}

function resourceOf({ tableName, indexName }: InsightRule): string {
  return indexName === null ? tableName : `${tableName}/${indexName}`;
}

function nameOf({ name, repeat }: VariantResult): string {
  return repeat === undefined ? name : `${name}, repeat ${repeat + 1}`;
}
