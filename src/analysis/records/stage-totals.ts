// What one workload did in a stage, in the record of a run: operations by outcome, requests, units, latencies.
import * as z from 'zod';
import { histogram } from './latency.ts';
import { throttleCount } from './resource.ts';
import { retries } from './retries.ts';

const count = z.int().nonnegative();
const amount = z.number().nonnegative();

const outcomeCounts = z.strictObject({
  ok: count,
  throttled: count,
  partial: count,
  conditionFailed: count,
  conflict: count,
  failed: count,
  timedOut: count,
  dropped: count,
  skipped: count,
});

const histogramsByOutcome = z.partialRecord(
  z.enum(['ok', 'throttled', 'partial', 'conditionFailed', 'conflict', 'failed', 'timedOut']),
  histogram,
);

/** Units spent on one table or index; `resource` is `tableName` or `tableName/indexName`. */
const unitsByResource = z.strictObject({ resource: z.string(), readUnits: amount, writeUnits: amount });

/** What one workload did in one stage (or in all measured stages together). */
export const stageTotals = z.strictObject({
  /** Operations due in the stage, and what became of them; an operation belongs to the stage in which it was due. */
  planned: count,
  started: count,
  finished: count,
  outcomes: outcomeCounts,
  /**
   * Operations that ended ok within the time of the stage, whichever they were due in. Absent in records of
   * before.
   */
  okWithinStage: count.optional(),
  throttles: z.array(throttleCount),
  /** Requests sent, retries and pages included; attempts that were throttled among them. */
  requests: count,
  throttledRequests: count,
  itemsReturned: count,
  itemsScanned: count,
  itemsSent: count,
  itemsUnprocessed: count,
  /** As the target reported them. */
  units: z.array(unitsByResource),
  /** Charged and not reported (failed conditions, cancelled transactions), by our own arithmetic. */
  estimatedUnits: z.array(unitsByResource),
  response: histogramsByOutcome,
  service: histogramsByOutcome,
  /** Sent minus due, of all operations started. */
  lateness: histogram.nullable(),
  /** Absent in records of before, and where nothing is sent again. */
  retries: retries.optional(),
});
