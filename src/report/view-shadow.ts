// What the capacity model would have refused of a live load, on a target that does not throttle: modelled,
// and kept apart from what was measured.
import { readableResource } from '../analysis/resource-name.ts';
import type { ResourceResult, RunResult, VariantResult } from '../analysis/run-result.ts';
import { mainThrottles, type ThrottleShare } from '../analysis/throttles.ts';
import { formatNumber, formatPercent } from '../analysis/wording.ts';
import { MISSING } from './number-format.ts';
import { type Cell, cell, left, right, type TableSection } from './section.ts';
import { variantCell } from './variant-cell.ts';

type Shadow = NonNullable<VariantResult['shadow']>;
type WorkloadShadow = Shadow['workloads'][number];

/** One row per variant and workload: the share that the model would have throttled, why (each
 * main reason), where, and what is hottest there. */
export function shadowTable({ variants }: RunResult): TableSection | null {
  const shadowed = variants.filter((variant) => variant.shadow !== undefined);
  const preset = shadowed[0]?.shadow?.preset;
  if (preset === undefined) return null;
  return {
    kind: 'table',
    isGrouped: true,
    title:
      'Would have been throttled, modelled: the same requests by the capacity model ' +
      `(what AWS does not publish by preset ${preset}); not measured`,
    columns: [
      left('variant'),
      left('workload'),
      right('operations', { spareRank: 1 }),
      right('throttled'),
      left('reason', { yields: 'cut' }),
      left('on'),
      left('hottest key', { yields: 'cut' }),
      right('hottest partition'),
    ],
    rows: shadowed.flatMap((variant) =>
      (variant.shadow?.workloads ?? [])
        .flatMap((workload) => reasonsOf(workload).map((reason) => ({ workload, reason })))
        .map(({ workload, reason }, index) => [
          variantCell(variant, index),
          ...workloadCells(variant, workload, reason),
        ]),
    ),
  };
}

/** At least one entry: null where nothing would have been throttled. */
function reasonsOf(workload: WorkloadShadow): readonly (ThrottleShare | null)[] {
  const reasons = mainThrottles(workload);
  return reasons.length === 0 ? [null] : reasons;
}

function workloadCells(
  variant: VariantResult,
  { name, operations, throttledOperations }: WorkloadShadow,
  reason: ThrottleShare | null,
): Cell[] {
  const resource = variant.shadow?.resources.find((one) => one.resource === reason?.resource);
  // Reasons are named Table or Index, Read or Write, and the limit: `IndexWriteKeyRangeThroughputExceeded`.
  const isRead = /^(?:Table|Index)Read/.test(reason?.reason ?? '');
  return [
    cell(name),
    cell(formatNumber(operations)),
    cell(
      operations === 0 ? MISSING : formatPercent(throttledOperations / operations),
      throttledOperations > 0 ? 'bad' : 'plain',
    ),
    cell(reason?.reason ?? MISSING),
    cell(reason === null ? MISSING : readableResource(reason.resource, variant.tables)),
    cell(resource === undefined ? MISSING : hottestKey(resource, isRead)),
    cell(resource === undefined ? MISSING : hottestPartition(resource, isRead)),
  ];
}

/** By demand on the side that was refused, for example `STATUS#PENDING, 100 % of W`. */
function hottestKey({ keys, isExact }: ResourceResult, isRead: boolean): string {
  const shareOf = (key: ResourceResult['keys'][number]) => (isRead ? key.readShare : key.writeShare);
  const hottest = keys.toSorted((a, b) => shareOf(b) - shareOf(a))[0];
  if (hottest === undefined || shareOf(hottest) === 0) return MISSING;
  return `${hottest.key}, ${isExact ? '' : '≈'}${formatPercent(shareOf(hottest))} of ${isRead ? 'R' : 'W'}`;
}

/** By use of its ceiling on that side, with how many there are, for example `100 % of W, 1 of 4`. */
function hottestPartition({ partitions }: ResourceResult, isRead: boolean): string {
  if (partitions === null || partitions.length === 0) return MISSING;
  const uses = partitions.map((one) => (isRead ? one.readUtilization : one.writeUtilization));
  return `${formatPercent(Math.max(...uses))} of ${isRead ? 'R' : 'W'}, 1 of ${formatNumber(partitions.length)}`;
}
