// The health of several workers as one: what holds up operations is told of the worst worker, since each is a
// thread of its own; CPU is that of the process already; connections and their times add up.
import type { WorkerHealth } from '../analysis/records/worker-health.ts';
import type { AttemptTimesResult } from '../analysis/run-result.ts';
import type { HealthReadings } from '../engine/generator-health.ts';
import type { ConnectionKnowledge } from '../engine/load-run.ts';
import { LatencyHistogram, type LatencySummary } from '../stats/histogram.ts';
import type { WorkerEnd } from './messages.ts';

/**
 * Readings of the process with those of its workers.
 * @param process  taken by the main thread: its own event loop makes no load and is left out
 * @param ends  by worker; undefined for one that was lost
 */
export function mergeReadings(
  process: HealthReadings,
  ends: readonly (WorkerEnd | undefined)[],
): HealthReadings & { readonly workers: WorkerHealth[] } {
  const readings = ends.filter((end) => end !== undefined).map((end) => end.readings);
  const collections = readings
    .map(({ garbageCollection }) => garbageCollection)
    .filter((one) => one !== undefined)
    .sort((a, b) => b.seconds - a.seconds)[0];
  return {
    ...process,
    eventLoopDelayP99Ms: worst(readings.map((one) => one.eventLoopDelayP99Ms)),
    eventLoopDelayMaxMs: worst(readings.map((one) => one.eventLoopDelayMaxMs)),
    eventLoopUtilization: worst(readings.map((one) => one.eventLoopUtilization)),
    ...(collections === undefined ? {} : { garbageCollection: collections }),
    workers: ends.map((end) => ({
      isLost: end === undefined,
      eventLoopDelayP99Ms: end?.readings.eventLoopDelayP99Ms ?? null,
      eventLoopUtilization: end?.readings.eventLoopUtilization ?? null,
    })),
  };
}

function worst(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}

/** All connections together. */
export function mergeConnections(ends: readonly WorkerEnd[]): ConnectionKnowledge {
  const connections = ends.map((end) => end.connections);
  const summary = (name: keyof AttemptTimesResult): LatencySummary => {
    const histogram = new LatencyHistogram();
    for (const { times } of connections) if (times[name] !== undefined) histogram.addSpan(times[name]);
    return histogram.summarize();
  };
  return {
    connectionsOpened: connections.reduce((sum, { opened }) => sum + opened, 0),
    resentRequests: connections.reduce((sum, { resent }) => sum + resent, 0),
    attemptTimes: {
      queue: summary('queue'),
      connect: summary('connect'),
      tls: summary('tls'),
      firstByte: summary('firstByte'),
      total: summary('total'),
    },
  };
}
