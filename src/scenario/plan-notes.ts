// What a reader should know of the loads that were planned before believing their figures.
import { highestPerSecond, plannedCount } from '../workload/arrival.ts';
import type { PlannedLoad, PlannedStage, PlannedWorkload } from './run-plan.ts';

const NEVER_DUE = 'at this rate no operation is due in the measured stages: raise the rate, or lengthen them';

/** A note on a load that never has an operation in the measured stages; under concurrency there is always one. */
export function idleNotes(load: PlannedLoad, stages: readonly PlannedStage[]): readonly string[] {
  return isEverDue(load, stages) ? [] : [NEVER_DUE];
}

function isEverDue(load: PlannedLoad, stages: readonly PlannedStage[]): boolean {
  if (load.kind === 'closed') return true;
  return stages.some(({ isMeasured, index }) => isMeasured && plannedCount(load.shape, stages, index) > 0);
}

/**
 * What one process sends through the AWS SDK without falling behind, operations per second, by our own measure
 * (src/README.md): above it, much of a latency is the client's.
 */
const SDK_OPERATIONS_PER_SECOND = 1_000;

/** Notes on all `custom` workloads where together they ask for more than the SDK can send. */
export function noteSdkRate(
  workloads: readonly PlannedWorkload[],
  stages: readonly PlannedStage[],
): readonly PlannedWorkload[] {
  const custom = workloads.filter(({ kind }) => kind === 'custom');
  const perSecond = custom.reduce(
    (sum, { load }) => sum + (load.kind === 'open' ? highestPerSecond(load.shape, stages) : 0),
    0,
  );
  if (perSecond <= SDK_OPERATIONS_PER_SECOND) return workloads;
  const note =
    `custom operations are planned at up to ${Math.round(perSecond)}/s; the AWS SDK sends about ` +
    `${SDK_OPERATIONS_PER_SECOND}/s in one process, and beyond that the response times are its own`;
  return workloads.map((one) => (one.kind === 'custom' ? { ...one, notes: [...one.notes, note] } : one));
}
