// What the load generator itself did, in the record of a run: the judge of validity reads it.
import * as z from 'zod';
import { latencySummary } from './latency.ts';
import { garbageCollection, machineHealth } from './machine-health.ts';
import { workerHealth } from './worker-health.ts';

const count = z.int().nonnegative();
const amount = z.number().nonnegative();
const microseconds = z.number();

/** Where the time of attempts went on our side, over the whole load, stages that do not count included. */
const attemptTimes = z.strictObject({
  /** From when an attempt was due to go out until it was written: waiting for a connection. */
  queue: latencySummary,
  /**
   * One for each connection, those opened before load included: until TLS began, or until it was ready where
   * there is none.
   */
  connect: latencySummary,
  /** One for each connection that speaks TLS. */
  tls: latencySummary,
  /** From written to the first byte of an answer. */
  firstByte: latencySummary,
  total: latencySummary,
});

/** Our own share of what was measured. Differs between equal runs. */
export const generatorHealth = z.strictObject({
  wallSeconds: amount,
  cpuSeconds: amount,
  /** Planned operations per CPU-second of the engine. */
  operationsPerCpuSecond: amount,
  /** Sent minus due over all workloads; null in virtual time. */
  latenessP50Us: microseconds.nullable(),
  latenessP99Us: microseconds.nullable(),
  latenessMaxUs: microseconds.nullable(),
  eventLoopDelayP99Ms: amount.nullable(),
  /** The longest that the event loop stood still. Absent in records of before. */
  eventLoopDelayMaxMs: amount.nullable().optional(),
  eventLoopUtilization: amount.nullable(),
  connectionsOpened: count.nullable(),
  resentRequests: count.nullable(),
  /** Absent where it is not known, and in records of before. */
  garbageCollection: garbageCollection.optional(),
  /** Absent in virtual time, where it is not known, and in records of before. */
  machine: machineHealth.optional(),
  /** Where worker threads made the load: each of them. The readings above are then those of the worst. */
  workers: z.array(workerHealth).optional(),
  /** Absent where no lean client sent the load, and in older records. */
  attemptTimes: attemptTimes.optional(),
});
