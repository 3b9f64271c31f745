// One table or global index in the record of a run, with its keys and partitions, over the measured stages.
import * as z from 'zod';
import { heatOverTime } from './heat.ts';

const count = z.int().nonnegative();
const amount = z.number().nonnegative();

/** Throttled attempts by reason and resource. `resource` is empty where the server named none. */
export const throttleCount = z.strictObject({ reason: z.string(), resource: z.string(), count });

const keyDemand = z.strictObject({
  key: z.string(),
  requests: count,
  readUnits: amount,
  writeUnits: amount,
  throttledRequests: count,
  /** Share of all demand (consumed and rejected) of the resource. */
  readShare: amount,
  writeShare: amount,
});

/** Rates are over the time in which the partition served. */
const partitionUse = z.strictObject({
  id: z.string(),
  readUnitsPerSecond: amount,
  writeUnitsPerSecond: amount,
  /** Consumed ÷ ceiling, over the measured stages. */
  readUtilization: amount,
  writeUtilization: amount,
  throttledReadUnits: amount,
  throttledWriteUnits: amount,
  /**
   * Seconds of the measured stages in which it served, and whether others then took its place; absent: all of
   * them.
   */
  served: z.strictObject({ fromSecond: amount, untilSecond: amount, isSplit: z.boolean() }).optional(),
});

export type PartitionResult = z.infer<typeof partitionUse>;

/** Units per second that a whole table or index is given: bought, or the maximum set on demand. */
const throughputLimit = z.strictObject({
  kind: z.enum(['provisioned', 'maximumOnDemand']),
  /** Null where that side has no such limit. */
  readUnits: amount.nullable(),
  writeUnits: amount.nullable(),
});

/** One table or global index, over the measured stages. */
export const resourceResult = z.strictObject({
  /** `tableName` or `tableName/indexName`. */
  resource: z.string(),
  tableName: z.string(),
  indexName: z.string().nullable(),
  billing: z.string(),
  /** Absent in records of before, and on demand without a maximum. */
  limit: throughputLimit.optional(),
  start: z.string(),
  readUnits: amount,
  writeUnits: amount,
  throttledReadUnits: amount,
  throttledWriteUnits: amount,
  distinctKeys: count,
  /** Whether `keys` are exact counts; otherwise an estimate by a heavy-hitter sketch. */
  isExact: z.boolean(),
  /** The hottest first, at most 25. */
  keys: z.array(keyDemand),
  /** Only where the target knows its partitions. */
  partitions: z.array(partitionUse).nullable(),
  /** Only where the target knows the demand of keys by second. */
  heat: heatOverTime.optional(),
});
