// Can the figures of a variant be believed? Judges the generator (late, starved, too slow) and the experiment
// (saturated target, unsettled stage, interrupted), each by a rule with a named bound. `suspect` figures may
// be used with the doubt in mind, `invalid` ones may not.
import { US_PER_SECOND } from '../units.ts';
import type { RunResult, Validity, VariantResult, WorkloadResult } from './run-result.ts';
import { MOST_DROPPED_RATIO, signsOfSaturation } from './saturation.ts';
import { findTransients } from './transient.ts';
import { formatLatency, formatNumber, formatPercent } from './wording.ts';

export interface ValidityInput {
  readonly variant: Pick<
    VariantResult,
    'status' | 'abort' | 'measuredSeconds' | 'workloads' | 'generatorHealth' | 'isCarriedOver'
  >;
  readonly target: Pick<RunResult['target'], 'kind' | 'time' | 'capabilities'>;
  readonly stages: RunResult['scenario']['stages'];
}

/**
 * Lateness (sent minus due, p99) that makes figures suspect, and that makes them invalid. Below
 * LATENESS_HARMLESS_RATIO of the median service time lateness does not matter, whatever its size: then it
 * hardly moves a response time.
 */
const LATENESS_SUSPECT_US = 10_000;
const LATENESS_INVALID_US = 100_000;
const LATENESS_HARMLESS_RATIO = 0.25;

/** Achieved ÷ planned operations below which figures are suspect, and invalid. */
const ACHIEVED_SUSPECT_RATIO = 0.99;
const ACHIEVED_INVALID_RATIO = 0.95;

/**
 * Failed ÷ started operations above which figures are suspect, and invalid: then errors were measured, not
 * the table.
 */
const FAILED_SUSPECT_RATIO = 0.05;
const FAILED_INVALID_RATIO = 0.5;

/** Above this share of one core the generator itself may be what was measured. */
const BUSY_CORE_RATIO = 0.9;

/** Event-loop delay (p99) that adds to latencies what a reader would notice. */
const EVENT_LOOP_DELAY_SUSPECT_MS = 50;

/** Skipped ÷ planned operations above which the load was not the one that was asked for. */
const MOST_SKIPPED_RATIO = 0.5;

type Reason = Validity['reasons'][number];

/**
 * Judges one variant. In virtual time nothing of the machine matters: operations are sent when due and only
 * rules on the experiment apply, so that equal seeds give equal judgements.
 */
export function judgeValidity(input: ValidityInput): Validity {
  const reasons = [...judgeCompletion(input.variant)];
  if (reasons.every((reason) => reason.status !== 'invalid')) {
    for (const workload of input.variant.workloads) reasons.push(...judgeWorkload(workload, input));
    reasons.push(...judgeTransients(input), ...judgeCarryOver(input.variant));
    if (input.target.time === 'wall-clock') reasons.push(...judgeGenerator(input.variant.generatorHealth));
  }
  reasons.sort((a, b) => Number(b.status === 'invalid') - Number(a.status === 'invalid'));
  return { status: reasons[0]?.status ?? 'valid', reasons };
}

function judgeCompletion({ status, abort, measuredSeconds }: ValidityInput['variant']): Reason[] {
  if (status === 'notRun') {
    return [reason('invalid', 'not-run', 'the variant did not run', 'run it to the end')];
  }
  if (measuredSeconds <= 0) {
    const advice = 'let the run reach its measured stages, or shorten the warm-up';
    return [reason('invalid', 'nothing-measured', 'no measured stage was reached', advice)];
  }
  if (status === 'complete') return [];
  if (abort !== undefined) {
    const text =
      `ended ${formatNumber(abort.atUs / US_PER_SECOND)} s after the start of load, as the scenario asks: ` +
      `${abort.condition} held over 10 s`;
    return [reason('suspect', 'aborted', text, 'lower the load, or loosen the condition under abort')];
  }
  const text = `interrupted after ${formatNumber(measuredSeconds)} s of the measured stages`;
  return [reason('suspect', 'interrupted', text, 'run it to the end before you rely on it')];
}

function judgeWorkload(workload: WorkloadResult, { target, stages, variant }: ValidityInput): Reason[] {
  const isWallClock = target.time === 'wall-clock';
  const signs = isWallClock ? signsOfSaturation(workload, stages) : [];
  const nothing = signs.length > 0 ? [] : judgeNothingDone(workload);
  if (nothing.length > 0) return nothing;
  return [
    ...(signs.length > 0 ? [saturated(workload.name, signs, target)] : judgeDropped(workload, isWallClock)),
    ...(isWallClock ? judgeLateness(workload) : []),
    ...(variant.status === 'complete' ? judgeAchieved(workload) : []),
    ...judgeFailed(workload),
    ...judgeSkipped(workload),
  ];
}

function saturated(name: string, signs: readonly string[], target: ValidityInput['target']): Reason {
  const saysNothing =
    target.capabilities.enforcesThroughput === 'no'
      ? '; what a local emulator can take says nothing about DynamoDB'
      : '';
  return reason(
    'invalid',
    'target-saturated',
    `the target is saturated by ${name}: ${signs.join('; ')}`,
    `lower the rate (--rate-factor) or give the server more capacity${saysNothing}`,
  );
}

function judgeDropped({ name, load, measured, policy }: WorkloadResult, isWallClock: boolean): Reason[] {
  const ratio = share(measured.outcomes.dropped, measured.planned);
  if (load.kind !== 'open' || ratio <= MOST_DROPPED_RATIO) return [];
  const text =
    `${formatPercent(ratio)} of ${name}'s planned operations were dropped, because ` +
    `${formatNumber(policy.maxInFlight)} were in flight (at most ` +
    `${formatPercent(MOST_DROPPED_RATIO)} may be)`;
  const advice = isWallClock ? 'lower the rate' : 'raise maxInFlight or lower the rate';
  return [reason('invalid', 'operations-dropped', text, advice)];
}

function judgeLateness({ name, load, measured }: WorkloadResult): Reason[] {
  const latenessUs = measured.lateness?.p99Us ?? 0;
  if (load.kind !== 'open' || latenessUs <= LATENESS_SUSPECT_US) return [];
  const serviceUs = measured.service.ok?.p50Us ?? 0;
  if (latenessUs <= LATENESS_HARMLESS_RATIO * serviceUs) return [];
  const status = latenessUs > LATENESS_INVALID_US ? 'invalid' : 'suspect';
  const text =
    `1 % of ${name}'s operations were sent ${formatLatency(latenessUs)} late or more, ` +
    `and that is our delay`;
  const advice = 'lower the rate, or run on a machine with an idle core for dyno-load';
  return [reason(status, 'generator-late', text, advice)];
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

function judgeFailed({ name, measured, errors }: WorkloadResult): Reason[] {
  const ratio = share(measured.outcomes.failed, measured.started);
  if (ratio <= FAILED_SUSPECT_RATIO) return [];
  const status = ratio > FAILED_INVALID_RATIO ? 'invalid' : 'suspect';
  const text = `${formatPercent(ratio)} of ${name}'s operations failed${mostCommon(errors)}`;
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

function judgeSkipped({ name, measured }: WorkloadResult): Reason[] {
  const ratio = share(measured.outcomes.skipped, measured.planned);
  if (ratio <= MOST_SKIPPED_RATIO) return [];
  const text =
    `${formatPercent(ratio)} of ${name}'s planned operations were skipped, since there ` +
    `was nothing to send`;
  const advice = 'fill its pool first: a longer warm-up, or a writer that is faster than the reader';
  return [reason('invalid', 'operations-skipped', text, advice)];
}

function judgeTransients({ variant, stages }: ValidityInput): Reason[] {
  return findTransients(variant.workloads, stages).map((found) => {
    const text =
      `${found.workload} was not steady in stage ${found.stage}: ` +
      `${formatPercent(found.firstThirdRatio)} of it was ` +
      `${found.measure} in the first third, ${formatPercent(found.lastThirdRatio)} in the last`;
    const advice = 'lengthen the warm-up or the stage until burst is spent and partitions have split';
    return reason('suspect', 'transient', text, advice);
  });
}

function judgeCarryOver({ isCarriedOver }: ValidityInput['variant']): Reason[] {
  if (isCarriedOver !== true) return [];
  const text =
    'an earlier variant wrote to the same table: its items, heat and splits were there from the start';
  return [reason('suspect', 'carry-over', text, 'give each variant a table of its own: leave --table away')];
}

function judgeGenerator(health: VariantResult['generatorHealth']): Reason[] {
  const reasons: Reason[] = [];
  const busyRatio = share(health.cpuSeconds, health.wallSeconds);
  if (busyRatio > BUSY_CORE_RATIO) {
    const text = `dyno-load used ${formatPercent(busyRatio)} of one core, so it may itself be the bottleneck`;
    reasons.push(reason('suspect', 'generator-busy', text, 'lower the rate, or run on a faster machine'));
  }
  const delayMs = health.eventLoopDelayP99Ms ?? 0;
  if (delayMs > EVENT_LOOP_DELAY_SUSPECT_MS) {
    const text =
      `dyno-load's event loop was held up by ${formatNumber(delayMs)} ms or more in 1 % ` +
      `of cases, which lengthens latencies`;
    const advice = 'close other programs, or make the scenario’s own functions cheaper';
    reasons.push(reason('suspect', 'event-loop-delayed', text, advice));
  }
  return reasons;
}

function reason(status: Reason['status'], code: string, text: string, advice: string): Reason {
  return { code, status, text, advice };
}

function share(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0;
}
