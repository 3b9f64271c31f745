// Was the load the one that was asked for, and was it the table that answered? The rules of validity on what
// became of the operations of one workload. What the generator and its machine did is judged in
// validity-generator.ts.
import type { RunResult, WorkloadResult } from './run-result.ts';
import { MOST_DROPPED_RATIO, signsOfSaturation } from './saturation.ts';
import { judgeLateness } from './validity-generator.ts';
import { share } from './share.ts';
import { type Reason, reason, type ValidityInput } from './validity-reason.ts';
import { formatLatency, formatNumber, formatPercent } from './wording.ts';

/** Achieved ÷ planned operations below which figures are suspect, and invalid. */
const ACHIEVED_SUSPECT_RATIO = 0.99;
const ACHIEVED_INVALID_RATIO = 0.95;

/**
 * Failed or unanswered ÷ started operations above which figures are suspect, and invalid: then errors were measured,
 * not the table.
 */
const FAILED_SUSPECT_RATIO = 0.05;
const FAILED_INVALID_RATIO = 0.5;

/** Skipped ÷ planned operations above which the load was not the one that was asked for. */
const MOST_SKIPPED_RATIO = 0.5;

/** Fewer planned operations say nothing of a span. */
const FEWEST_IN_SPAN = 100;

/**
 * What makes a few seconds of one workload invalid, whatever comes after; undefined: nothing that can be seen of so
 * few. Held against what ended then, so that what is still under way counts for nothing.
 */
export function invalidSpan(workload: Judged, time: RunResult['target']['time']): Reason | undefined {
  if (workload.measured.planned < FEWEST_IN_SPAN) return undefined;
  const isWallClock = time === 'wall-clock';
  const signs = isWallClock ? signsOfSaturation({ ...workload, series: NO_SERIES }, []) : [];
  const reasons = [
    ...(signs.length > 0 ? [saturated(workload.name, signs, false)] : judgeDropped(workload, isWallClock)),
    ...(isWallClock ? judgeLateness(workload, {}) : []),
    ...judgeFailed(workload, signs.length > 0),
    ...judgeSkipped(workload),
  ];
  return reasons.find(({ status }) => status === 'invalid');
}

/** What rules on operations need of a workload. */
type Judged = Pick<WorkloadResult, 'name' | 'load' | 'measured' | 'policy' | 'errors'>;

/** Whether response times grow is seen over a stage, not over seconds. */
const NO_SERIES: WorkloadResult['series'] = {
  windowSeconds: 1,
  planned: [],
  started: [],
  ok: [],
  throttled: [],
  otherOutcomes: [],
  dropped: [],
  readUnits: [],
  writeUnits: [],
  maxResponseUs: [],
  worstSecondThrottled: [],
};

/** Rules on one workload. */
export function judgeWorkload(
  workload: WorkloadResult,
  { target, stages, variant }: ValidityInput,
): Reason[] {
  const isWallClock = target.time === 'wall-clock';
  const heldUpMs = variant.generatorHealth.eventLoopDelayP99Ms ?? 0;
  const signs = isWallClock ? signsOfSaturation(workload, stages, heldUpMs) : [];
  const nothing = signs.length > 0 ? [] : judgeNothingDone(workload);
  if (nothing.length > 0) return nothing;
  return [
    ...(signs.length > 0
      ? [saturated(workload.name, signs, target.capabilities.enforcesThroughput === 'no')]
      : judgeDropped(workload, isWallClock)),
    ...(isWallClock ? judgeLateness(workload, variant.generatorHealth) : []),
    ...(variant.status === 'complete' ? judgeAchieved(workload) : []),
    ...judgeFailed(workload, signs.length > 0),
    ...judgeSkipped(workload),
  ];
}

function saturated(name: string, signs: readonly string[], isUnbounded: boolean): Reason {
  const saysNothing = isUnbounded ? '; what a local emulator can take says nothing about DynamoDB' : '';
  return reason(
    'invalid',
    'target-saturated',
    `the target is saturated by ${name}: ${signs.join('; ')}`,
    `lower the rate (--rate-factor) or give the server more capacity${saysNothing}`,
  );
}

function judgeDropped({ name, load, measured, policy }: Judged, isWallClock: boolean): Reason[] {
  const ratio = share(measured.outcomes.dropped, measured.planned);
  if (load.kind !== 'open' || ratio <= MOST_DROPPED_RATIO) return [];
  const text =
    `${formatPercent(ratio)} of ${name}'s planned operations were dropped, because ` +
    `${formatNumber(policy.maxInFlight)} were in flight (at most ` +
    `${formatPercent(MOST_DROPPED_RATIO)} may be)`;
  const advice = isWallClock ? 'lower the rate' : 'raise maxInFlight or lower the rate';
  return [reason('invalid', 'operations-dropped', text, advice)];
}

/**
 * Operations that were neither sent nor accounted for otherwise: dropped and skipped ones have rules of their
 * own.
 */
function judgeAchieved({ name, load, measured }: WorkloadResult): Reason[] {
  const expected = measured.planned - measured.outcomes.dropped - measured.outcomes.skipped;
  if (load.kind !== 'open' || expected <= 0) return [];
  const ratio = Math.min(measured.started, measured.finished) / expected;
  if (ratio >= ACHIEVED_SUSPECT_RATIO) return [];
  const status = ratio < ACHIEVED_INVALID_RATIO ? 'invalid' : 'suspect';
  const text =
    `${formatPercent(ratio)} of ${name}'s planned operations were sent and answered ` +
    `(${formatPercent(ACHIEVED_SUSPECT_RATIO)} are expected; throttled ones count as answered)`;
  return [reason(status, 'load-not-achieved', text, 'lower the rate until all of it is offered')];
}

function mostCommon(errors: WorkloadResult['errors']): string {
  const common = errors.toSorted((a, b) => b.count - a.count)[0];
  const message = common?.messages[0]?.message;
  return common === undefined ? '' : `, mostly with ${common.code}${message ? `: ${message}` : ''}`;
}

/**
 * What had no answer in time counts here where it is no sign of saturation: in closed loops, in virtual time,
 * and where our own lateness explains it.
 */
function judgeFailed({ name, measured, errors, policy }: Judged, isSaturated: boolean): Reason[] {
  const { failed, timedOut } = measured.outcomes;
  const unanswered = isSaturated ? 0 : timedOut;
  const ratio = share(failed + unanswered, measured.started);
  if (ratio <= FAILED_SUSPECT_RATIO) return [];
  const status = ratio > FAILED_INVALID_RATIO ? 'invalid' : 'suspect';
  const late = `had no answer within ${formatLatency(policy.timeoutUs)}`;
  const how = unanswered === 0 ? 'failed' : failed === 0 ? late : `failed or ${late}`;
  const text = `${formatPercent(ratio)} of ${name}'s operations ${how}${mostCommon(errors)}`;
  return [reason(status, 'operations-failed', text, 'remove the cause of the errors and run again')];
}

/**
 * Nothing of a workload was answered as meant, and not because the table refused it: then no figure of the
 * variant is about the load that was asked for.
 */
function judgeNothingDone({ name, measured, errors }: WorkloadResult): Reason[] {
  const { failed, timedOut, dropped, skipped, ...answered } = measured.outcomes;
  if (Object.values(answered).some((count) => count > 0)) return [];
  const why =
    skipped > 0
      ? 'its operations were skipped, since there was nothing to send'
      : failed > 0
        ? `its operations failed${mostCommon(errors)}`
        : timedOut + dropped > 0
          ? 'its operations timed out or were dropped'
          : 'none of its operations was due or answered';
  const advice =
    skipped > 0
      ? 'fill its pool first: a longer warm-up, or a writer that is faster than the reader'
      : 'remove the cause, raise the rate or lengthen the stages, and run again';
  return [reason('invalid', 'nothing-done', `nothing of ${name} was done: ${why}`, advice)];
}

function judgeSkipped({ name, measured }: Judged): Reason[] {
  const ratio = share(measured.outcomes.skipped, measured.planned);
  if (ratio <= MOST_SKIPPED_RATIO) return [];
  const text =
    `${formatPercent(ratio)} of ${name}'s planned operations were skipped, since there ` +
    `was nothing to send`;
  const advice = 'fill its pool first: a longer warm-up, or a writer that is faster than the reader';
  return [reason('invalid', 'operations-skipped', text, advice)];
}
