// Did dyno-load itself, or its machine, stand between the load and the table? The rules of validity on
// lateness, the event loop, garbage collection, connections and what the machine took away, each with the
// advice that fits its cause. Wall clock only.
import { LatencyHistogram } from '../stats/histogram.ts';
import { MS_PER_SECOND, US_PER_MS } from '../units.ts';
import type { GeneratorHealth, WorkloadResult } from './run-result.ts';
import { share } from './share.ts';
import { type Reason, reason, type ValidityInput } from './validity-reason.ts';
import { formatLatency, formatNumber, formatPercent } from './wording.ts';

/**
 * Lateness (sent minus due) from which an operation counts as late, and the 99th percentile of it that makes figures
 * invalid. Below LATENESS_HARMLESS_RATIO of the median service time lateness does not matter, whatever its size: then
 * it hardly moves a response time.
 */
const LATE_US = 10_000;
const LATENESS_INVALID_US = 100_000;
const LATENESS_HARMLESS_RATIO = 0.25;

/**
 * Share of late operations that makes figures suspect. A 99th percentile is decided by the slowest 1 %: where half of
 * that is our own delay, what is reported as p99 is at best the p99.5 of the table.
 */
const LATE_OPERATIONS_RATIO = 0.005;

/**
 * Above this share of one core the generator itself may be what was measured; not where operations are sent on time
 * all the same, since from 3,000 operations a second the clock looks at the time without a pause.
 */
const BUSY_CORE_RATIO = 0.9;
const ON_TIME_US = 1_000;

/** Event-loop delay (p99) that adds to latencies what a reader would notice. */
const EVENT_LOOP_DELAY_MS = 50;

/** Share of the time in pauses for garbage collection above which one operation in ten or more waits for it. */
const COLLECTION_RATIO = 0.1;

/**
 * Wait for a connection (p90) that counts, where it is also LATENESS_HARMLESS_RATIO of the median attempt.
 * One attempt in ten, and not one in a hundred: a target that stalls for a moment makes some wait, and that
 * is its doing.
 */
const CONNECTION_WAIT_US = 10_000;

/** Stolen time: one slice in twenty goes to somebody else, for milliseconds at a time. */
const STOLEN_RATIO = 0.05;

/**
 * Periods in which the CPU limit was spent: as many as decide a 99th percentile, since all that is due then
 * waits.
 */
const LIMITED_RATIO = 0.01;

/** A clock that is allowed less than this share of what it was at the start is held down by heat or power. */
const FREQUENCY_RATIO = 0.9;

/** What advice follows from, as far as it is known. */
type KnownHealth = Pick<
  GeneratorHealth,
  'machine' | 'workers' | 'garbageCollection' | 'eventLoopDelayMaxMs'
> &
  Partial<Pick<GeneratorHealth, 'eventLoopDelayP99Ms'>>;

/** Operations of one workload that were not sent when they were due. */
export function judgeLateness(
  { name, load, measured: { lateness, service } }: Pick<WorkloadResult, 'name' | 'load' | 'measured'>,
  health: KnownHealth,
): Reason[] {
  if (load.kind !== 'open' || lateness === null || lateness.count === 0) return [];
  const harmlessUs = LATENESS_HARMLESS_RATIO * (service.ok?.p50Us ?? 0);
  const lateUs = Math.max(LATE_US, harmlessUs);
  if (lateness.p99Us > lateUs) {
    const status = lateness.p99Us > LATENESS_INVALID_US ? 'invalid' : 'suspect';
    const isBlock = isOneBlock(lateness.p99Us, health);
    const text =
      `1 % of ${name}'s operations were sent ${formatLatency(lateness.p99Us)} late or more, ` +
      `and that is our delay${isBlock ? longestBlock(health) : ''}`;
    return [reason(status, 'generator-late', text, isBlock ? adviceAfterBlock(health) : adviceFor(health))];
  }
  if (lateness.maxUs <= lateUs) return [];
  const lateRatio = share(LatencyHistogram.fromRecord(lateness).countAbove(lateUs), lateness.count);
  if (lateRatio <= LATE_OPERATIONS_RATIO) return [];
  const isBlock = (health.eventLoopDelayMaxMs ?? 0) * US_PER_MS > LATE_US;
  const text =
    `${formatPercent(lateRatio)} of ${name}'s operations were sent more than ${formatLatency(lateUs)} late ` +
    `(${formatPercent(LATE_OPERATIONS_RATIO)} may be)${isBlock ? longestBlock(health) : ''}`;
  return [
    reason('suspect', 'generator-stalled', text, isBlock ? adviceAfterBlock(health) : adviceFor(health)),
  ];
}

/** Whether one block explains so much lateness, in a loop that is hardly held up otherwise. */
function isOneBlock(lateUs: number, { eventLoopDelayMaxMs, eventLoopDelayP99Ms }: KnownHealth): boolean {
  const longestUs = (eventLoopDelayMaxMs ?? 0) * US_PER_MS;
  return longestUs >= lateUs && (eventLoopDelayP99Ms ?? longestUs) * US_PER_MS < LATE_US;
}

function longestBlock({ eventLoopDelayMaxMs }: KnownHealth): string {
  if (!eventLoopDelayMaxMs) return '';
  return `: dyno-load’s event loop stood still for up to ${formatNumber(eventLoopDelayMaxMs)} ms`;
}

/** Rules on the generator as a whole. */
export function judgeGenerator(variant: ValidityInput['variant']): Reason[] {
  const health = variant.generatorHealth;
  return [
    ...judgeWorkers(health),
    ...judgeProcessor(variant),
    ...judgeEventLoop(variant),
    ...judgeCollections(health),
    ...judgeConnections(health),
    ...judgeMachine(health),
  ];
}

function judgeWorkers({ workers = [] }: GeneratorHealth): Reason[] {
  const lost = workers.filter(({ isLost }) => isLost).length;
  if (lost === 0) return [];
  const text =
    `${formatNumber(lost)} of ${formatNumber(workers.length)} worker threads were lost under load, and with them ` +
    'what they did last';
  return [reason('invalid', 'worker-lost', text, 'see what ended them, or run with --workers 1')];
}

function judgeProcessor({ generatorHealth: health, workloads }: ValidityInput['variant']): Reason[] {
  // Workers make the load, a thread each; the CPU is that of the process.
  const threads = Math.max(1, health.workers?.length ?? 1);
  const busyRatio = share(health.cpuSeconds, health.wallSeconds) / threads;
  const isOnTime = workloads.every(
    ({ load, measured: { lateness } }) =>
      load.kind === 'open' && lateness !== null && lateness.p99Us <= ON_TIME_US,
  );
  if (busyRatio <= BUSY_CORE_RATIO || isOnTime) return [];
  const core = threads === 1 ? 'one core' : `a core for each of its ${formatNumber(threads)} workers`;
  const text = `dyno-load used ${formatPercent(busyRatio)} of ${core}, so it may itself be the bottleneck`;
  return [reason('suspect', 'generator-busy', text, adviceFor(health))];
}

function judgeEventLoop({
  generatorHealth: health,
  workloads,
  measuredSeconds,
}: ValidityInput['variant']): Reason[] {
  const delayMs = health.eventLoopDelayP99Ms ?? 0;
  if (delayMs > EVENT_LOOP_DELAY_MS) {
    const text =
      `dyno-load’s event loop was held up by ${formatNumber(delayMs)} ms or more in 1 % ` +
      `of cases, which lengthens latencies`;
    return [reason('suspect', 'event-loop-delayed', text, adviceFor(health))];
  }
  // A closed loop has no moment at which an operation is due: what a block delays shows in no lateness.
  const longestMs = health.eventLoopDelayMaxMs ?? 0;
  const mostMs = Math.max(EVENT_LOOP_DELAY_MS, LATE_OPERATIONS_RATIO * measuredSeconds * MS_PER_SECOND);
  if (longestMs <= mostMs || workloads.every(({ load }) => load.kind === 'open')) return [];
  const text =
    `dyno-load’s event loop stood still for ${formatNumber(longestMs)} ms, ` +
    `${formatPercent(longestMs / MS_PER_SECOND / measuredSeconds)} of the measured time ` +
    `(${formatPercent(LATE_OPERATIONS_RATIO)} may be)`;
  return [reason('suspect', 'event-loop-blocked', text, adviceAfterBlock(health))];
}

function judgeCollections({ garbageCollection, wallSeconds }: GeneratorHealth): Reason[] {
  if (garbageCollection === undefined) return [];
  const ratio = share(garbageCollection.seconds, wallSeconds);
  if (ratio <= COLLECTION_RATIO) return [];
  const text =
    `dyno-load stood still for ${formatPercent(ratio)} of the time to collect garbage, ` +
    `for up to ${formatNumber(garbageCollection.longestMs)} ms at once`;
  const advice =
    'give Node more memory (NODE_OPTIONS=--max-old-space-size=4096), lower the rate, or make the ' +
    'scenario’s own functions create less';
  return [reason('suspect', 'garbage-collection', text, advice)];
}

function judgeConnections({ attemptTimes, connectionsOpened }: GeneratorHealth): Reason[] {
  if (attemptTimes === undefined) return [];
  const { queue, total } = attemptTimes;
  if (queue.p90Us <= Math.max(CONNECTION_WAIT_US, LATENESS_HARMLESS_RATIO * total.p50Us)) return [];
  const opened =
    connectionsOpened === null ? '' : `, of which ${formatNumber(connectionsOpened)} were opened`;
  const text =
    `one request in ten waited ${formatLatency(queue.p90Us)} or more for a free connection${opened}, ` +
    `and that wait is part of its service time`;
  const advice = 'lower the rate, share it among more threads (--workers), or bring the table nearer';
  return [reason('suspect', 'connections-awaited', text, advice)];
}

function judgeMachine({ machine }: GeneratorHealth): Reason[] {
  if (machine === undefined) return [];
  const { stolenRatio, limitedRatio, thermalThrottles, frequencyLimitRatio } = machine;
  const reasons: Reason[] = [];
  if ((stolenRatio ?? 0) > STOLEN_RATIO) {
    const text = `${formatPercent(stolenRatio ?? 0)} of the processor time went to other guests of the same host`;
    reasons.push(reason('suspect', 'processor-stolen', text, OTHER_MACHINE));
  }
  if ((limitedRatio ?? 0) > LIMITED_RATIO) {
    const text =
      `the CPU limit${limitText(machine.cpuLimitCores)} was spent in ${formatPercent(limitedRatio ?? 0)} of all ` +
      `periods, and everything stood still until the next`;
    reasons.push(reason('suspect', 'cpu-limited', text, RAISE_LIMIT));
  }
  if ((thermalThrottles ?? 0) > 0 || (frequencyLimitRatio ?? 1) < FREQUENCY_RATIO) {
    const clock =
      frequencyLimitRatio === null || frequencyLimitRatio >= FREQUENCY_RATIO
        ? `slowed down ${formatNumber(thermalThrottles ?? 0)} times because of heat`
        : `were held to ${formatPercent(frequencyLimitRatio)} of the clock that they had at the start`;
    const advice = 'let the machine cool down, plug it in, or use another one';
    reasons.push(reason('suspect', 'processor-slowed', `the processor’s cores ${clock}`, advice));
  }
  return reasons;
}

function limitText(cores: number | null): string {
  return cores === null ? '' : ` of ${formatNumber(cores)} cores`;
}

const OTHER_MACHINE = 'use another machine, with cores of its own';
const RAISE_LIMIT = 'raise the CPU limit of the container, or lower the rate';

/** What helps a generator that is short of processor time. */
function adviceFor({ machine, workers = [] }: KnownHealth): string {
  if ((machine?.limitedRatio ?? 0) > LIMITED_RATIO) return RAISE_LIMIT;
  if ((machine?.stolenRatio ?? 0) > STOLEN_RATIO) return OTHER_MACHINE;
  const busy = machine?.busyRatio ?? null;
  if (busy !== null && busy > BUSY_CORE_RATIO)
    return 'lower the rate, or use another machine: all cores of this one were busy, other programs included';
  const threads = Math.max(1, workers.length);
  const spare = Math.floor(machine?.usableCores ?? 0) - 1;
  if (spare > threads)
    return `share the load among threads (--workers ${formatNumber(Math.min(spare, 2 * threads))}), or lower the rate`;
  return 'lower the rate, or run on a machine with an idle core for dyno-load';
}

/** One long block has one cause, and more processor time would not have prevented it. */
function adviceAfterBlock({ garbageCollection, eventLoopDelayMaxMs }: KnownHealth): string {
  const isCollection = (garbageCollection?.longestMs ?? 0) > (eventLoopDelayMaxMs ?? 0) / 2;
  const cause = isCollection
    ? 'it was garbage collection: make the scenario’s own functions create less'
    : 'look for a function of the scenario that computes or waits without await, and for other programs';
  return `${cause}; or run for longer, so that one block weighs less`;
}
