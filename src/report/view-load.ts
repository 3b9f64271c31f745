// What was offered and how it was answered: load and response times, what throttled, what else went wrong.
import { readableResource } from '../analysis/resource-name.ts';
import type { RunResult, StageTotals, VariantResult, WorkloadResult } from '../analysis/run-result.ts';
import { mainThrottles, type ThrottleShare } from '../analysis/throttles.ts';
import { MISSING, millisecondsCell, numberCell, percentCell } from './number-format.ts';
import { type Cell, cell, left, right, type TableSection } from './section.ts';
import { variantCell } from './variant-cell.ts';

/** One row per variant and workload: load, outcome, response times, and validity beside them. */
export function loadTable({ variants, target }: RunResult): TableSection {
  const isWallClock = target.time === 'wall-clock';
  const hasOthers = variants.some((variant) =>
    variant.workloads.some(({ measured }) => otherCount(measured) > 0),
  );
  const rows = variants.flatMap((variant) =>
    variant.workloads.map((workload, index) => [
      variantCell(variant, index),
      cell(workload.name),
      cell(plannedText(workload)),
      cell(numberCell(workload.metrics.achievedPerSecond)),
      throttledCell(workload, target),
      ...(hasOthers ? [otherCell(workload)] : []),
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
      'Load and response time (from due to end, successful operations' +
      `${isWallClock ? '; late: from due to sent, p99' : ''})`,
    columns: [
      left('variant'),
      left('workload'),
      right('planned/s', { yields: 'wrap' }),
      right('achieved/s'),
      right('throttled'),
      ...(hasOthers ? [right('other')] : []),
      right('p50 ms'),
      right('p99 ms'),
      right('p99.9 ms', { spareRank: 1 }),
      ...(isWallClock ? [right('late ms', { spareRank: 2 })] : []),
      left('validity', { isOfGroup: true }),
    ],
    rows,
  };
}

/**
 * One row per variant, throttled workload and reason that has more than 5 % of its throttles, with the
 * resource. Null where nothing was throttled.
 */
export function throttledTable({ variants }: RunResult): TableSection | null {
  const throttled = variants.flatMap((variant) =>
    variant.workloads
      .filter(({ measured }) => measured.throttledRequests > 0)
      .flatMap((workload) => reasonsOf(workload).map((reason) => ({ variant, workload, reason })))
      .map((row, index) => ({ ...row, index })),
  );
  if (throttled.length === 0) return null;
  const isMixed = throttled.some(({ reason }) => reason !== null && reason.shareRatio < 1);
  return {
    kind: 'table',
    isGrouped: true,
    title: `Throttled by (${isMixed ? 'reasons above 5 %, ' : ''}as DynamoDB names ${isMixed ? 'them' : 'it'})`,
    columns: [
      left('variant'),
      left('workload'),
      right('of requests'),
      left('reason', { yields: 'cut' }),
      left('on'),
      ...(isMixed ? [right('its share')] : []),
    ],
    rows: throttled.map(({ variant, workload: { name, measured }, index, reason }) => [
      variantCell(variant, index),
      cell(name),
      cell(percentCell(ratio(measured.throttledRequests, measured.requests)), 'bad'),
      cell(reason?.reason ?? MISSING),
      cell(reason === null ? MISSING : readableResource(reason.resource, variant.tables)),
      ...(isMixed ? [cell(reason === null ? MISSING : percentCell(reason.shareRatio))] : []),
    ]),
  };
}

/** At least one entry: null where the server gave no reason. */
function reasonsOf({ measured }: WorkloadResult): readonly (ThrottleShare | null)[] {
  const reasons = mainThrottles(measured);
  return reasons.length === 0 ? [null] : reasons;
}

/** Outcomes that are neither success nor throttle, as they are called in print. */
const otherOutcomes = {
  partial: 'partly unprocessed',
  conditionFailed: 'condition not met',
  conflict: 'conflict',
  failed: 'failed',
  timedOut: 'timed out',
  dropped: 'dropped',
  skipped: 'skipped',
} as const;

type OtherOutcome = keyof typeof otherOutcomes;

// The keys of an object literal are what its type says; Object.keys widens them to string.
const otherKinds = Object.keys(otherOutcomes) as OtherOutcome[];

/**
 * One row per variant, workload and outcome that is neither success nor throttle; null where there is none.
 */
export function otherOutcomesTable({ variants }: RunResult): TableSection | null {
  const hasErrors = variants.some((variant) => variant.workloads.some(({ errors }) => errors.length > 0));
  const rows = variants.flatMap((variant) =>
    variant.workloads
      .flatMap((workload) =>
        otherKinds
          .filter((kind) => workload.measured.outcomes[kind] > 0)
          .map((kind) => ({ workload, kind, count: workload.measured.outcomes[kind] })),
      )
      .map(({ workload, kind, count }, index) => [
        variantCell(variant, index),
        cell(workload.name),
        cell(outcomeText(workload, kind)),
        cell(numberCell(count)),
        cell(percentCell(ratio(count, workload.measured.planned)), 'doubtful'),
        ...(hasErrors ? [cell(kind === 'failed' ? commonError(workload) : '')] : []),
      ]),
  );
  if (rows.length === 0) return null;
  return {
    kind: 'table',
    isGrouped: true,
    title: 'Other outcomes (neither success nor throttle)',
    columns: [
      left('variant'),
      left('workload'),
      left('outcome'),
      right('operations'),
      right('of planned'),
      ...(hasErrors ? [left('most frequent error', { yields: 'wrap' })] : []),
    ],
    rows,
  };
}

function outcomeText({ policy }: WorkloadResult, kind: OtherOutcome): string {
  return `${otherOutcomes[kind]}${policy.expect.includes(kind) ? ' (expected)' : ''}`;
}

function commonError({ errors }: WorkloadResult): string {
  const most = errors.toSorted((a, b) => b.count - a.count)[0];
  if (most === undefined) return '';
  const message = most.messages[0]?.message ?? '';
  return message === '' || message === most.code ? most.code : `${most.code}: ${message}`;
}

function plannedText({ load, metrics }: WorkloadResult): string {
  return load.kind === 'closed' ? load.text : numberCell(metrics.plannedPerSecond);
}

function latenessOf({ load, measured }: WorkloadResult): number | null {
  return load.kind === 'closed' ? null : (measured.lateness?.p99Us ?? null);
}

/** None throttled means nothing on a target that does not throttle. */
function throttledCell({ metrics }: WorkloadResult, { capabilities }: RunResult['target']): Cell {
  const throttledRatio = metrics.throttledRatio ?? null;
  if (throttledRatio === 0 && capabilities.enforcesThroughput === 'no') return cell(MISSING);
  return cell(percentCell(throttledRatio), (throttledRatio ?? 0) > 0 ? 'bad' : 'plain');
}

function otherCell({ measured }: WorkloadResult): Cell {
  const count = otherCount(measured);
  return cell(percentCell(ratio(count, measured.planned)), count > 0 ? 'doubtful' : 'plain');
}

function otherCount({ outcomes }: StageTotals): number {
  return otherKinds.reduce((sum, kind) => sum + outcomes[kind], 0);
}

function validityCell({ status, validity }: VariantResult): Cell {
  if (status === 'notRun') return cell('not run', 'quiet');
  const tones = { valid: 'good', suspect: 'doubtful', invalid: 'bad' } as const;
  return cell(validity.status, tones[validity.status]);
}

function ratio(part: number, whole: number): number | null {
  return whole > 0 ? part / whole : null;
}
