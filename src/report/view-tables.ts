// The tables of the report: what was offered and answered, what throttled, what each table and index took,
// and how placement of keys matters.
import { readableResource } from '../analysis/resource-name.ts';
import type {
  ResourceResult,
  RunResult,
  StageTotals,
  VariantResult,
  WorkloadResult,
} from '../analysis/run-result.ts';
import { dominantThrottle } from '../analysis/throttles.ts';
import { formatNumber, formatPercent } from '../analysis/wording.ts';
import { MISSING, millisecondsCell, numberCell, percentCell } from './number-format.ts';
import { type Cell, type Column, cell, type TableSection, type Tone } from './section.ts';

const left = (head: string): Column => ({ head, align: 'left' });
const right = (head: string): Column => ({ head, align: 'right' });

/** One row per variant and workload: load, outcome, response times, and validity beside them. */
export function loadTable({ variants, target }: RunResult): TableSection {
  const isWallClock = target.time === 'wall-clock';
  const hasFailures = variants.some((variant) => variant.workloads.some(hasFailed));
  const rows = variants.flatMap((variant) =>
    variant.workloads.map((workload, index) => [
      variantCell(variant, index),
      cell(workload.name),
      cell(plannedText(workload)),
      cell(numberCell(workload.metrics.achievedPerSecond)),
      throttledCell(workload, target),
      ...(hasFailures ? [ratioCell(workload.metrics.failedRatio)] : []),
      cell(millisecondsCell(workload.metrics['response.p50'])),
      cell(millisecondsCell(workload.metrics['response.p99'])),
      cell(millisecondsCell(workload.metrics['response.p99.9'])),
      ...(isWallClock ? [cell(millisecondsCell(latenessOf(workload)))] : []),
      validityCell(variant),
    ]),
  );
  return {
    kind: 'table',
    isGrouped: true,
    title:
      `Load and response time (due to end, successful ` +
      `operations${isWallClock ? '; late: due to sent, p99' : ''})`,
    columns: [
      left('variant'),
      left('workload'),
      right('planned/s'),
      right('achieved/s'),
      right('throttled'),
      ...(hasFailures ? [right('failed')] : []),
      right('p50 ms'),
      right('p99 ms'),
      right('p99.9 ms'),
      ...(isWallClock ? [right('late ms')] : []),
      left('validity'),
    ],
    rows,
  };
}

/**
 * One row per variant and workload that was throttled: the dominant reason and the resource. Null where
 * nothing was.
 */
export function throttledTable({ variants }: RunResult): TableSection | null {
  const rows = variants.flatMap((variant) =>
    variant.workloads
      .filter(({ measured }) => measured.throttledRequests > 0)
      .map((workload, index) => {
        const most = dominantThrottle(workload.measured);
        const { throttledRequests, requests } = workload.measured;
        return [
          variantCell(variant, index),
          cell(workload.name),
          cell(percentCell(requests > 0 ? throttledRequests / requests : null), 'bad'),
          cell(most?.reason ?? MISSING),
          cell(most === null ? MISSING : readableResource(most.resource, variant.tables)),
          cell(most === null ? MISSING : percentCell(most.shareRatio)),
        ];
      }),
  );
  if (rows.length === 0) return null;
  return {
    kind: 'table',
    isGrouped: true,
    title: 'Throttled by (dominant reason, as DynamoDB names it)',
    columns: [
      left('variant'),
      left('workload'),
      right('of requests'),
      left('reason'),
      left('on'),
      right('its share'),
    ],
    rows,
  };
}

/** One row per variant and table or index: consumed units, hottest key, hottest partition. */
export function capacityTable({ variants, target }: RunResult): TableSection | null {
  const rows = variants.flatMap((variant) =>
    variant.resources.map((resource, index) => capacityRow(variant, resource, index, target)),
  );
  if (rows.length === 0) return null;
  return {
    kind: 'table',
    isGrouped: true,
    title:
      'Capacity by table and index (consumed; share of all that was asked; use of one partition’s ceiling)',
    columns: [
      left('variant'),
      left('on'),
      right('WCU/s'),
      right('RCU/s'),
      left('hottest key'),
      right('its share'),
      right('hottest partition'),
      right('partitions'),
    ],
    rows,
  };
}

/** One row per variant whose keys were placed anew. */
export function placementTable({ variants }: RunResult): TableSection | null {
  const placed = variants.flatMap((variant) =>
    variant.placement === null ? [] : [{ variant, placement: variant.placement }],
  );
  const first = placed[0];
  if (first === undefined) return null;
  const goal = formatPercent(first.placement.goalThrottledRatio);
  return {
    kind: 'table',
    isGrouped: true,
    title:
      `Placement: the same demand on ${formatNumber(first.placement.placements)} other placements ` +
      `of its keys ` +
      `(met: at most ${goal} throttled)`,
    columns: [
      left('variant'),
      right('met at once'),
      right('met settled'),
      right('throttled at once: median'),
      right('worst'),
      right('settled: median'),
      right('worst'),
    ],
    rows: placed.map(({ variant, placement }) => [
      variantCell(variant, 0),
      cell(percentCell(placement.shareMeetingGoalFromFirstSecond)),
      cell(percentCell(placement.shareMeetingGoalSettled)),
      cell(percentCell(placement.throttledRatioFromFirstSecond.median)),
      cell(percentCell(placement.throttledRatioFromFirstSecond.worst)),
      cell(percentCell(placement.throttledRatioSettled.median)),
      cell(percentCell(placement.throttledRatioSettled.worst)),
    ]),
  };
}

function capacityRow(
  variant: VariantResult,
  resource: ResourceResult,
  index: number,
  target: RunResult['target'],
): Cell[] {
  const isWriteHeavy = askedUnits(resource, 'write') >= askedUnits(resource, 'read');
  const hottest = hottestKey(resource, isWriteHeavy);
  const about = resource.isExact ? '' : '≈';
  const isUnreported = resource.indexName !== null && target.capabilities.reportsIndexUnits === 'no';
  return [
    variantCell(variant, index),
    cell(readableResource(resource.resource, variant.tables)),
    cell(isUnreported ? MISSING : unitsText(variant, resource, 'write')),
    cell(isUnreported ? MISSING : unitsText(variant, resource, 'read')),
    cell(hottest?.key ?? MISSING),
    cell(
      hottest === null
        ? MISSING
        : `${about}${formatPercent(hottest.shareRatio)} of ${isWriteHeavy ? 'W' : 'R'}`,
    ),
    partitionCell(resource),
    cell(numberCell(resource.partitions?.length)),
  ];
}

/** Units consumed per second; marked where a part of them is estimated. */
function unitsText(variant: VariantResult, resource: ResourceResult, side: 'read' | 'write'): string {
  if (variant.measuredSeconds <= 0) return MISSING;
  const units = side === 'write' ? resource.writeUnits : resource.readUnits;
  const estimated = variant.workloads.some(({ measured }) => hasEstimate(measured, resource.resource, side));
  return `${estimated ? '≈' : ''}${formatNumber(units / variant.measuredSeconds)}`;
}

function hasEstimate({ estimatedUnits }: StageTotals, name: string, side: 'read' | 'write'): boolean {
  return estimatedUnits.some(
    (row) => row.resource === name && (side === 'write' ? row.writeUnits : row.readUnits) > 0,
  );
}

function askedUnits(resource: ResourceResult, side: 'read' | 'write'): number {
  return side === 'write'
    ? resource.writeUnits + resource.throttledWriteUnits
    : resource.readUnits + resource.throttledReadUnits;
}

function hottestKey(
  { keys }: ResourceResult,
  isWriteHeavy: boolean,
): { readonly key: string; readonly shareRatio: number } | null {
  const share = (key: ResourceResult['keys'][number]): number =>
    isWriteHeavy ? key.writeShare : key.readShare;
  const hottest = keys.toSorted((a, b) => share(b) - share(a))[0];
  return hottest === undefined || share(hottest) === 0
    ? null
    : { key: hottest.key, shareRatio: share(hottest) };
}

/** Use of the busiest partition, by whichever side is busier. */
function partitionCell({ partitions }: ResourceResult): Cell {
  if (partitions === null || partitions.length === 0) return cell(MISSING);
  const write = Math.max(...partitions.map((partition) => partition.writeUtilization));
  const read = Math.max(...partitions.map((partition) => partition.readUtilization));
  const tone: Tone = Math.max(write, read) >= 0.95 ? 'bad' : 'plain';
  return write >= read
    ? cell(`${formatPercent(write)} of W`, tone)
    : cell(`${formatPercent(read)} of R`, tone);
}

/** A variant is named once, in the first of its rows. */
function variantCell(variant: VariantResult, rowIndex: number): Cell {
  return cell(rowIndex === 0 ? variant.name : '', 'strong');
}

function plannedText({ load, metrics }: WorkloadResult): string {
  return load.kind === 'closed' ? load.text : numberCell(metrics.plannedPerSecond);
}

function latenessOf({ load, measured }: WorkloadResult): number | null {
  return load.kind === 'closed' ? null : (measured.lateness?.p99Us ?? null);
}

/** None throttled means nothing on a target that does not throttle. */
function throttledCell({ metrics }: WorkloadResult, { capabilities }: RunResult['target']): Cell {
  const ratio = metrics.throttledRatio ?? null;
  if (ratio === 0 && capabilities.enforcesThroughput === 'no') return cell(MISSING);
  return cell(percentCell(ratio), (ratio ?? 0) > 0 ? 'bad' : 'plain');
}

function ratioCell(ratio: number | null | undefined): Cell {
  return cell(percentCell(ratio), (ratio ?? 0) > 0 ? 'doubtful' : 'plain');
}

function hasFailed({ measured }: WorkloadResult): boolean {
  return measured.outcomes.failed + measured.outcomes.timedOut > 0;
}

function validityCell({ status, validity }: VariantResult): Cell {
  if (status === 'notRun') return cell('not run', 'quiet');
  const tones = { valid: 'good', suspect: 'doubtful', invalid: 'bad' } as const;
  return cell(validity.status, tones[validity.status]);
}
