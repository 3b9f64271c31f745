// The variants in columns, everything that decides between them in rows: load and outcome of each workload,
// what each table and index took and how evenly, goals, cost and validity.
import { readableResource } from '../../analysis/resource-name.ts';
import type { ResourceResult, RunResult, VariantResult, WorkloadResult } from '../../analysis/run-result.ts';
import { mainThrottles } from '../../analysis/throttles.ts';
import { variantCostPerMillion } from '../../analysis/cost.ts';
import { formatNumber, formatPercent, formatUsd } from '../../analysis/wording.ts';
import { viewRun } from '../view.ts';
import { MISSING, millisecondsCell, numberCell, percentCell } from '../number-format.ts';
import { partitionCountText } from '../partition-count.ts';
import { html, type Markup, nothing } from './markup.ts';
import { prose } from './prose.ts';
import { shareBar } from './bars.ts';
import { mainSide, shareOn, utilizationOn } from './resource-sides.ts';
import { variantMark } from './variant-mark.ts';

/** The comparison of all variants that ran. */
export function renderSideBySide(result: RunResult): Markup {
  const variants = result.variants.filter((variant) => variant.status !== 'notRun');
  const left = result.variants.filter((variant) => variant.status === 'notRun').map((one) => one.name);
  if (variants.length === 0) return html`<p>No variant ran.</p>`;
  const best = result.verdict.recommendedVariant;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Variants side by side">
<table class="compare">
<caption><span>Measured stages only. Response time runs from the moment an operation was due to its end, over successful operations.</span></caption>
<thead><tr><td></td>${variants.map(
    ({ name, index }) =>
      html`<th scope="col" class="right${name === best ? ' best' : ''}">${variantMark(index)} ${name}${name === best ? html` <span class="tag">recommended</span>` : null}</th>`,
  )}</tr></thead>
${groupsOf(result, variants).map((group) => renderGroup(group, variants, best))}</table>
</div>
${left.length === 0 ? null : html`<p class="quiet">Not run: ${left.join(', ')}.</p>`}
${renderNotes(viewRun(result).footnotes)}`;
}

/** What the marks in the table stand for, and what the target cannot show. */
function renderNotes(notes: readonly string[]): Markup {
  if (notes.length === 0) return nothing;
  return html`<ul class="footnotes">${notes.map(
    (note) => html`<li>${prose(note)}</li>
`,
  )}</ul>
`;
}

interface Group {
  readonly title: string;
  readonly rows: readonly Row[];
}

interface Row {
  readonly head: string;
  readonly cell: (variant: VariantResult) => Markup;
}

function renderGroup(
  { title, rows }: Group,
  variants: readonly VariantResult[],
  best: string | null,
): Markup {
  return html`<tbody>
<tr class="title"><th scope="rowgroup" colspan="${variants.length + 1}"><span>${title}</span></th></tr>
${rows.map(
  ({ head, cell }) => html`<tr><th scope="row">${head}</th>${variants.map(
    (variant) => html`<td class="right${variant.name === best ? ' best' : ''}">${cell(variant)}</td>`,
  )}</tr>
`,
)}</tbody>
`;
}

function groupsOf(result: RunResult, variants: readonly VariantResult[]): Group[] {
  const workloads = [...new Set(variants.flatMap((variant) => variant.workloads.map((one) => one.name)))];
  const resources = [
    ...new Set(variants.flatMap((variant) => variant.resources.map((one) => nameOf(one, variant)))),
  ];
  return [
    { title: 'Outcome', rows: outcomeRows(variants) },
    ...workloads.map((name) => ({ title: name, rows: workloadRows(name, result, variants) })),
    ...resources.map((name) => ({
      title: name === 'table' ? 'Table' : name,
      rows: resourceRows(name, result, variants),
    })),
  ];
}

function outcomeRows(variants: readonly VariantResult[]): Row[] {
  const hasGoals = variants.some((variant) => variant.goals.length > 0);
  return [
    ...(hasGoals ? [{ head: 'goals met', cell: goalsCell }] : []),
    {
      head: 'cost per million operations, on demand',
      cell: (variant) => {
        const usd = variantCostPerMillion(variant);
        return text(usd === null ? MISSING : formatUsd(usd));
      },
    },
    { head: 'validity', cell: validityCell },
  ];
}

function goalsCell({ goals }: VariantResult): Markup {
  const met = goals.filter((goal) => goal.status === 'met').length;
  const measurable = goals.filter((goal) => goal.status !== 'notMeasurableHere').length;
  if (measurable === 0) return html`<span class="doubtful">not measurable here</span>`;
  const [mark, tone] = met === measurable ? ['✓', 'good'] : ['✗', 'bad'];
  return html`<span class="${tone}">${mark} ${met} of ${measurable}</span>`;
}

function validityCell({ status, validity }: VariantResult): Markup {
  const tones = { valid: 'good', suspect: 'doubtful', invalid: 'bad' } as const;
  const cut = status === 'interrupted' ? ', interrupted' : '';
  return html`<span class="${tones[validity.status]}">${validity.status}${cut}</span>`;
}

function workloadRows(name: string, { target }: RunResult, variants: readonly VariantResult[]): Row[] {
  const find = (variant: VariantResult) => variant.workloads.find((one) => one.name === name);
  const row = (head: string, cell: (workload: WorkloadResult, variant: VariantResult) => Markup): Row => ({
    head,
    cell: (variant) => {
      const workload = find(variant);
      return workload === undefined ? text(MISSING) : cell(workload, variant);
    },
  });
  const metric = (head: string, key: string, format: (value: number | null | undefined) => string): Row =>
    row(head, ({ metrics }) => text(format(metrics[key])));
  const any = (test: (workload: WorkloadResult) => boolean) =>
    variants.some((variant) => variant.workloads.some((one) => one.name === name && test(one)));
  const unmeasured = target.capabilities.enforcesThroughput === 'no';
  return [
    row('planned, operations/s', (workload) => text(plannedText(workload))),
    metric('achieved, operations/s', 'achievedPerSecond', numberCell),
    row('throttled, of operations', ({ metrics }) => throttledCell(metrics.throttledRatio, unmeasured)),
    ...(any(({ measured }) => measured.throttledRequests > 0) ? [row('throttled by', reasonCell)] : []),
    ...(any(({ metrics }) => (metrics.failedRatio ?? 0) > 0)
      ? [metric('failed, of operations', 'failedRatio', percentCell)]
      : []),
    ...(any(({ measured }) => measured.outcomes.dropped > 0)
      ? [row('dropped, no free slot', ({ measured }) => text(numberCell(measured.outcomes.dropped)))]
      : []),
    metric('response p50, ms', 'response.p50', millisecondsCell),
    metric('response p99, ms', 'response.p99', millisecondsCell),
    metric('response p99.9, ms', 'response.p99.9', millisecondsCell),
    ...(target.time === 'wall-clock'
      ? [
          row('lateness p99, ms', ({ load, measured }) =>
            text(load.kind === 'closed' ? MISSING : millisecondsCell(measured.lateness?.p99Us)),
          ),
        ]
      : []),
    ...(any(({ measured }) => measured.itemsReturned > 0)
      ? [
          metric('requests per operation', 'requestsPerOperation', numberCell),
          metric('read units per returned item', 'readUnitsPerReturnedItem', numberCell),
        ]
      : []),
  ];
}

function plannedText({ load, metrics }: WorkloadResult): string {
  return load.kind === 'closed' ? load.text : numberCell(metrics.plannedPerSecond);
}

/** None throttled means nothing on a target that does not throttle. */
function throttledCell(ratio: number | null | undefined, unmeasured: boolean): Markup {
  if (ratio === null || ratio === undefined || (ratio === 0 && unmeasured)) return text(MISSING);
  if (ratio === 0) return text('0 %');
  return html`<span class="bad">${formatPercent(ratio)}</span>${shareBar([{ ratio, tone: 'refused' }])}`;
}

function reasonCell({ measured }: WorkloadResult, variant: VariantResult): Markup {
  const reasons = mainThrottles(measured);
  if (reasons.length === 0) return text(MISSING);
  const lines = reasons.map(({ reason, resource, shareRatio }) => {
    const share = shareRatio < 1 ? ` (${formatPercent(shareRatio)} of throttles)` : '';
    return html`<div class="reason">${prose(reason)} on ${readableResource(resource, variant.tables)}${share}</div>`;
  });
  return html`${lines}`;
}

function resourceRows(name: string, { target }: RunResult, variants: readonly VariantResult[]): Row[] {
  const row = (head: string, cell: (resource: ResourceResult, variant: VariantResult) => Markup): Row => ({
    head,
    cell: (variant) => {
      const resource = variant.resources.find((one) => nameOf(one, variant) === name);
      return resource === undefined ? text(MISSING) : cell(resource, variant);
    },
  });
  const isUnreported = (resource: ResourceResult) =>
    resource.indexName !== null && target.capabilities.reportsIndexUnits === 'no';
  const units = (head: string, side: 'readUnits' | 'writeUnits'): Row =>
    row(head, (resource, variant) => {
      if (isUnreported(resource) || variant.measuredSeconds <= 0) return text(MISSING);
      return text(formatNumber(resource[side] / variant.measuredSeconds));
    });
  const hasPartitions = variants.some((variant) =>
    variant.resources.some((one) => nameOf(one, variant) === name && one.partitions !== null),
  );
  return [
    units('consumed, WCU/s', 'writeUnits'),
    units('consumed, RCU/s', 'readUnits'),
    row('hottest key, its share of what was asked', hottestKeyCell),
    ...(hasPartitions
      ? [
          row('hottest partition, use of its ceiling', hottestPartitionCell),
          row('partitions', (resource) => text(partitionCountText(resource))),
        ]
      : []),
  ];
}

function hottestKeyCell(resource: ResourceResult): Markup {
  const side = mainSide(resource);
  const hottest = resource.keys.toSorted((a, b) => shareOn(b, side) - shareOn(a, side))[0];
  const ratio = hottest === undefined ? 0 : shareOn(hottest, side);
  if (hottest === undefined || ratio === 0) return text(MISSING);
  const about = resource.isExact ? '' : '≈';
  return html`<code>${hottest.key}</code><br>${about}${formatPercent(ratio)} of ${side}s${shareBar([{ ratio, tone: 'taken' }])}`;
}

function hottestPartitionCell({ partitions }: ResourceResult): Markup {
  if (partitions === null || partitions.length === 0) return text(MISSING);
  const on = (side: 'read' | 'write') => Math.max(...partitions.map((one) => utilizationOn(one, side)));
  const side = on('write') >= on('read') ? 'write' : 'read';
  const ratio = on(side);
  const isFull = ratio >= 0.95;
  return html`<span class="${isFull ? 'bad' : 'plain'}">${formatPercent(ratio)} of ${side}s</span>${shareBar([{ ratio, tone: isFull ? 'refused' : 'taken' }])}`;
}

function nameOf(resource: ResourceResult, variant: VariantResult): string {
  return readableResource(resource.resource, variant.tables);
}

function text(value: string): Markup {
  return value === '' ? nothing : html`${value}`;
}
