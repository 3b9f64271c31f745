// The arithmetic of merging repeats: counts and units are summed, histograms added up, shares weighted by
// their demand. Which repeats are merged is decided in merge-repeats.ts.
import { assert } from '../errors.ts';
import { LatencyHistogram, type LatencySummary } from '../stats/histogram.ts';
import { groupBy } from './group-by.ts';
import type { GarbageCollection, MachineHealth } from './records/machine-health.ts';
import { mergeRetries } from './records/retries.ts';
import type { WorkerHealth } from './records/worker-health.ts';
import type {
  AttemptTimesResult,
  GeneratorHealth,
  HistogramResult,
  ResourceResult,
  StageTotals,
  WorkloadResult,
} from './run-result.ts';

const KEYS_KEPT = 25;
const MESSAGES_KEPT = 5;

/**
 * Sums totals.
 * @param options.keepHistograms  false: the result has counts only, which is a thousand times quicker
 */
export function mergeTotals(
  totals: readonly StageTotals[],
  { keepHistograms }: { readonly keepHistograms: boolean },
): StageTotals {
  const sum = (pick: (one: StageTotals) => number): number => totals.reduce((all, one) => all + pick(one), 0);
  const first = totals[0] as StageTotals;
  const outcomes = { ...first.outcomes };
  for (const kind of Object.keys(outcomes) as (keyof typeof outcomes)[])
    outcomes[kind] = sum((one) => one.outcomes[kind]);
  const isEndKnown = totals.every((one) => one.okWithinStage !== undefined);
  const retries = mergeRetries(totals.map((one) => one.retries));
  return {
    planned: sum((one) => one.planned),
    started: sum((one) => one.started),
    finished: sum((one) => one.finished),
    outcomes,
    ...(isEndKnown ? { okWithinStage: sum((one) => one.okWithinStage ?? 0) } : {}),
    throttles: mergeThrottles(totals),
    requests: sum((one) => one.requests),
    throttledRequests: sum((one) => one.throttledRequests),
    itemsReturned: sum((one) => one.itemsReturned),
    itemsScanned: sum((one) => one.itemsScanned),
    itemsSent: sum((one) => one.itemsSent),
    itemsUnprocessed: sum((one) => one.itemsUnprocessed),
    units: mergeUnits(totals.map((one) => one.units)),
    estimatedUnits: mergeUnits(totals.map((one) => one.estimatedUnits)),
    response: keepHistograms ? mergeByOutcome(totals.map((one) => one.response)) : {},
    service: keepHistograms ? mergeByOutcome(totals.map((one) => one.service)) : {},
    lateness: keepHistograms ? mergeHistograms(totals.map((one) => one.lateness)) : null,
    ...(retries === undefined ? {} : { retries }),
  };
}

/** Requests and units of each step of a flow. */
export function mergeSteps(lists: readonly WorkloadResult['steps'][]): WorkloadResult['steps'] {
  return [...groupBy(lists.flat(), (step) => step.label)].map(([label, same]) => ({
    label,
    requests: sumOf(same, (step) => step.requests),
    readUnits: sumOf(same, (step) => step.readUnits),
    writeUnits: sumOf(same, (step) => step.writeUnits),
  }));
}

/** Errors by code, with the first messages of all. */
export function mergeErrors(lists: readonly WorkloadResult['errors'][]): WorkloadResult['errors'] {
  return [...groupBy(lists.flat(), (error) => error.code)].map(([code, same]) => ({
    code,
    count: sumOf(same, (error) => error.count),
    messages: same.flatMap((error) => error.messages).slice(0, MESSAGES_KEPT),
  }));
}

/** Demand on tables and indexes; a key's share is weighted by the demand of the repeat it was seen in. */
export function mergeResources(lists: readonly (readonly ResourceResult[])[]): ResourceResult[] {
  return [...groupBy(lists.flat(), (resource) => resource.resource).values()].map((same) => {
    const first = same[0] as ResourceResult;
    return {
      ...first,
      readUnits: sumOf(same, (one) => one.readUnits),
      writeUnits: sumOf(same, (one) => one.writeUnits),
      throttledReadUnits: sumOf(same, (one) => one.throttledReadUnits),
      throttledWriteUnits: sumOf(same, (one) => one.throttledWriteUnits),
      distinctKeys: Math.max(...same.map((one) => one.distinctKeys)),
      isExact: same.every((one) => one.isExact),
      keys: mergeKeys(same),
      // Each repeat has tables, and so partitions, of its own.
      partitions: same.length === 1 ? first.partitions : null,
    };
  });
}

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

function mergeThrottles(totals: readonly StageTotals[]): StageTotals['throttles'] {
  const all = totals.flatMap((one) => one.throttles);
  return [...groupBy(all, ({ reason, resource }) => `${reason} ${resource}`).values()]
    .map((same) => ({
      reason: same[0]?.reason ?? '',
      resource: same[0]?.resource ?? '',
      count: sumOf(same, (one) => one.count),
    }))
    .sort((a, b) => b.count - a.count || (a.reason + a.resource < b.reason + b.resource ? -1 : 1));
}

function mergeUnits(lists: readonly StageTotals['units'][]): StageTotals['units'] {
  return [...groupBy(lists.flat(), (row) => row.resource)].map(([resource, same]) => ({
    resource,
    readUnits: sumOf(same, (row) => row.readUnits),
    writeUnits: sumOf(same, (row) => row.writeUnits),
  }));
}

type ByOutcome = StageTotals['response'];

function mergeByOutcome(all: readonly ByOutcome[]): ByOutcome {
  const merged: ByOutcome = {};
  for (const kind of new Set(all.flatMap((one) => Object.keys(one) as (keyof ByOutcome)[]))) {
    const histogram = mergeHistograms(all.map((one) => one[kind] ?? null));
    if (histogram !== null) merged[kind] = histogram;
  }
  return merged;
}

function mergeHistograms(histograms: readonly (HistogramResult | null)[]): HistogramResult | null {
  const known = histograms.filter((histogram) => histogram !== null);
  if (known.length < 2) return known[0] ?? null;
  const merged = new LatencyHistogram();
  for (const one of known) merged.add(decoded(one));
  return merged.toRecord();
}

/**
 * Decoding takes a millisecond, and a run of many repeats is analysed anew after each: what was decoded is kept
 * as long as the record it came from.
 */
const alreadyDecoded = new WeakMap<HistogramResult, LatencyHistogram>();

function decoded(record: HistogramResult): LatencyHistogram {
  const known = alreadyDecoded.get(record);
  if (known !== undefined) return known;
  const histogram = LatencyHistogram.fromRecord(record);
  alreadyDecoded.set(record, histogram);
  return histogram;
}

function mergeKeys(same: readonly ResourceResult[]): ResourceResult['keys'] {
  const reads = sumOf(same, readDemand);
  const writes = sumOf(same, writeDemand);
  const rows = same.flatMap((resource) => resource.keys.map((key) => ({ key, resource })));
  return [...groupBy(rows, (row) => row.key.key)]
    .map(([key, seen]) => ({
      key,
      requests: sumOf(seen, (row) => row.key.requests),
      readUnits: sumOf(seen, (row) => row.key.readUnits),
      writeUnits: sumOf(seen, (row) => row.key.writeUnits),
      throttledRequests: sumOf(seen, (row) => row.key.throttledRequests),
      readShare: share(
        sumOf(seen, (row) => row.key.readShare * readDemand(row.resource)),
        reads,
      ),
      writeShare: share(
        sumOf(seen, (row) => row.key.writeShare * writeDemand(row.resource)),
        writes,
      ),
    }))
    .sort((a, b) => Math.max(b.readShare, b.writeShare) - Math.max(a.readShare, a.writeShare))
    .slice(0, KEYS_KEPT);
}

function readDemand(resource: ResourceResult): number {
  return resource.readUnits + resource.throttledReadUnits;
}

function writeDemand(resource: ResourceResult): number {
  return resource.writeUnits + resource.throttledWriteUnits;
}

function worst<T>(all: readonly T[], pick: (one: T) => number | null): number | null {
  const known = all.map(pick).filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}

function sumKnown<T>(all: readonly T[], pick: (one: T) => number | null): number | null {
  const known = all.map(pick).filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}

function sumOf<T>(all: readonly T[], pick: (one: T) => number): number {
  return all.reduce((sum, one) => sum + pick(one), 0);
}

function share(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0;
}
