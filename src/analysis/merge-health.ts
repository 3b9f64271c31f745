// The health of the generator over several repeats. Claims nothing better than what was seen: what cannot be
// merged exactly is told of the worst repeat.
import { assert } from '../errors.ts';
import type { LatencySummary } from '../stats/histogram.ts';
import type { GarbageCollection, MachineHealth } from './records/machine-health.ts';
import type { WorkerHealth } from './records/worker-health.ts';
import type { AttemptTimesResult, GeneratorHealth } from './run-result.ts';
import { sumOf } from './sum-of.ts';

/** Times are summed, delays the worst of all. */
export function mergeHealth(all: readonly GeneratorHealth[]): GeneratorHealth {
  const cpuSeconds = sumOf(all, (one) => one.cpuSeconds);
  const planned = sumOf(all, (one) => one.operationsPerCpuSecond * one.cpuSeconds);
  return {
    wallSeconds: sumOf(all, (one) => one.wallSeconds),
    cpuSeconds,
    operationsPerCpuSecond: cpuSeconds > 0 ? planned / cpuSeconds : 0,
    latenessP50Us: worst(all, (one) => one.latenessP50Us),
    latenessP99Us: worst(all, (one) => one.latenessP99Us),
    latenessMaxUs: worst(all, (one) => one.latenessMaxUs),
    eventLoopDelayP99Ms: worst(all, (one) => one.eventLoopDelayP99Ms),
    ...mergeLongestDelay(all),
    eventLoopUtilization: worst(all, (one) => one.eventLoopUtilization),
    connectionsOpened: sumKnown(all, (one) => one.connectionsOpened),
    resentRequests: sumKnown(all, (one) => one.resentRequests),
    ...mergeCollections(all.flatMap(({ garbageCollection }) => garbageCollection ?? [])),
    ...mergeMachine(all.flatMap(({ machine }) => machine ?? [])),
    ...mergeWorkers(all.flatMap(({ workers }) => (workers === undefined ? [] : [workers]))),
    ...mergeAttemptTimes(all.flatMap(({ attemptTimes }) => attemptTimes ?? [])),
  };
}

function mergeLongestDelay(all: readonly GeneratorHealth[]): Pick<GeneratorHealth, 'eventLoopDelayMaxMs'> {
  const known = all.filter(({ eventLoopDelayMaxMs }) => eventLoopDelayMaxMs !== undefined);
  if (known.length === 0) return {};
  return { eventLoopDelayMaxMs: worst(known, (one) => one.eventLoopDelayMaxMs ?? null) };
}

function mergeCollections(all: readonly GarbageCollection[]): Pick<GeneratorHealth, 'garbageCollection'> {
  if (all.length === 0) return {};
  return {
    garbageCollection: {
      collections: sumOf(all, (one) => one.collections),
      seconds: sumOf(all, (one) => one.seconds),
      longestMs: Math.max(...all.map((one) => one.longestMs)),
    },
  };
}

/** The worst of each, as for delays; the machine is the same. */
function mergeMachine(all: readonly MachineHealth[]): Pick<GeneratorHealth, 'machine'> {
  const [first] = all;
  if (first === undefined) return {};
  const clocks = all.flatMap(({ frequencyLimitRatio }) => frequencyLimitRatio ?? []);
  return {
    machine: {
      ...first,
      busyRatio: worst(all, (one) => one.busyRatio),
      stolenRatio: worst(all, (one) => one.stolenRatio),
      limitedRatio: worst(all, (one) => one.limitedRatio),
      thermalThrottles: sumKnown(all, (one) => one.thermalThrottles),
      frequencyLimitRatio: clocks.length === 0 ? null : Math.min(...clocks),
    },
  };
}

/** By number of the worker: the same threads make all repeats. */
function mergeWorkers(all: readonly (readonly WorkerHealth[])[]): Pick<GeneratorHealth, 'workers'> {
  const [first] = all;
  if (first === undefined) return {};
  return {
    workers: first.map((_, index) => {
      const one = all.flatMap((workers) => workers[index] ?? []);
      return {
        isLost: one.some(({ isLost }) => isLost),
        eventLoopDelayP99Ms: worst(one, (worker) => worker.eventLoopDelayP99Ms),
        eventLoopUtilization: worst(one, (worker) => worker.eventLoopUtilization),
      };
    }),
  };
}

function mergeAttemptTimes(all: readonly AttemptTimesResult[]): Pick<GeneratorHealth, 'attemptTimes'> {
  if (all.length === 0) return {};
  const merge = (part: keyof AttemptTimesResult) => worstSummary(all.map((one) => one[part]));
  return {
    attemptTimes: {
      queue: merge('queue'),
      connect: merge('connect'),
      tls: merge('tls'),
      firstByte: merge('firstByte'),
      total: merge('total'),
    },
  };
}

/** Without the counts behind them, quantiles cannot be merged: the worst of each is a bound. */
function worstSummary(all: readonly LatencySummary[]): LatencySummary {
  const counted = all.filter((one) => one.count > 0);
  const first = counted[0] ?? all[0];
  assert(first !== undefined, 'there is something to merge');
  const count = sumOf(counted, (one) => one.count);
  const most = (pick: (one: LatencySummary) => number) => Math.max(...[first, ...counted].map(pick));
  return {
    count,
    minUs: Math.min(...[first, ...counted].map((one) => one.minUs)),
    meanUs: count === 0 ? 0 : sumOf(counted, (one) => one.meanUs * one.count) / count,
    p50Us: most((one) => one.p50Us),
    p90Us: most((one) => one.p90Us),
    p99Us: most((one) => one.p99Us),
    p99_9Us: most((one) => one.p99_9Us),
    maxUs: most((one) => one.maxUs),
  };
}

function worst<T>(all: readonly T[], pick: (one: T) => number | null): number | null {
  const known = all.map(pick).filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}

function sumKnown<T>(all: readonly T[], pick: (one: T) => number | null): number | null {
  const known = all.map(pick).filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}
