// Was the target asked for more than it can answer? An open load on a saturated server measures the length of
// its queue, not the server. Throttling is no saturation: a throttled operation is answered, and quickly.
import { US_PER_MS } from '../units.ts';
import type { RunResult, WorkloadResult } from './run-result.ts';
import { measuredWindows, type StageWindows } from './stage-windows.ts';
import { formatLatency, formatNumber, formatPercent } from './wording.ts';

/** Share of planned operations that may find no slot, or time out, before it counts. */
export const MOST_DROPPED_RATIO = 0.001;

/** Least growth of the response time from the first to the last third of a stage that counts as a queue. */
const LEAST_QUEUE_GROWTH_US = 100_000;

/** An event loop that is held up for less counts for nothing: any busy machine does it. */
const LEAST_HELD_UP_MS = 50;

type Loaded = Pick<WorkloadResult, 'name' | 'load' | 'measured' | 'policy' | 'series'>;

/**
 * What shows that the target is saturated, one sentence part each; empty where nothing does. Only for open
 * loops on a wall clock.
 *
 * Three signs: operations found no free slot, operations timed out, or response times grew over a stage.
 * Growth is taken between the worst window of the first third and the best window of the last third, so that
 * a single stall (garbage collection, compaction) is no growth. It is ours, not the target's, where lateness
 * explains half of the response time or more. So are slots that are taken while answers lie unread.
 * @param heldUpMs  p99 of the delay of our event loop; 0 where it is not known
 */
export function signsOfSaturation(
  workload: Loaded,
  stages: RunResult['scenario']['stages'],
  heldUpMs = 0,
): string[] {
  if (workload.load.kind !== 'open' || isLatenessOurs(workload)) return [];
  const { measured, policy } = workload;
  const signs: string[] = [];
  if (exceeds(measured.outcomes.dropped, measured.planned) && !areSlotsOurs(workload, stages, heldUpMs)) {
    signs.push(
      `${formatPercent(measured.outcomes.dropped / measured.planned)} of the operations found none of ` +
        `${formatNumber(policy.maxInFlight)} slots free and were dropped`,
    );
  }
  if (exceeds(measured.outcomes.timedOut, measured.started)) {
    const share = formatPercent(measured.outcomes.timedOut / measured.started);
    signs.push(`${share} of the operations had no answer within ${formatLatency(policy.timeoutUs)}`);
  }
  const growth = measuredWindows(workload.series, stages)
    .map((windows) => queueGrowth(workload.series.maxResponseUs, windows))
    .find((found) => found !== null);
  if (growth) {
    signs.push(
      `the slowest response of a window grew from ${formatLatency(growth.fromUs)} or less to ` +
        `${formatLatency(growth.toUs)} or more`,
    );
  }
  return signs;
}

/**
 * Slots run out once operations take so long that all of them are taken, at the mean planned rate. Where our event
 * loop is held up for half of that, operations may hold their slots because nobody reads the answer.
 */
function areSlotsOurs(
  { measured, policy }: Loaded,
  stages: RunResult['scenario']['stages'],
  heldUpMs: number,
): boolean {
  if (heldUpMs < LEAST_HELD_UP_MS) return false;
  const measuredUs = stages.reduce((sum, stage) => sum + (stage.isMeasured ? stage.durationUs : 0), 0);
  const fullAfterUs = Math.min(policy.timeoutUs, (policy.maxInFlight * measuredUs) / measured.planned);
  return heldUpMs * US_PER_MS > fullAfterUs / 2;
}

function exceeds(part: number, whole: number): boolean {
  return whole > 0 && part / whole > MOST_DROPPED_RATIO;
}

/**
 * Our own lateness makes up half of the median response or more: then response times say nothing of the
 * target.
 */
function isLatenessOurs({ measured }: Loaded): boolean {
  const response = measured.response.ok;
  if (measured.lateness === null || response === undefined) return false;
  return measured.lateness.p50Us > response.p50Us / 2;
}

function queueGrowth(
  maxResponseUs: readonly number[],
  { from, until }: StageWindows,
): { fromUs: number; toUs: number } | null {
  const values = maxResponseUs.slice(from, until).filter((us) => us > 0);
  const third = Math.ceil(values.length / 3);
  if (values.length < 3) return null;
  const fromUs = Math.max(...values.slice(0, third));
  const toUs = Math.min(...values.slice(-third));
  return toUs - fromUs >= LEAST_QUEUE_GROWTH_US ? { fromUs, toUs } : null;
}
