// What CloudWatch said of one variant, in the record of a run: raw minutes and what follows from them, and beside
// it what dyno-load itself counted by operation. The window reaches from the idle minute before load to the one
// after it, so its sums are of this load alone where the table is its own.
import * as z from 'zod';

const count = z.int().nonnegative();

/** One metric of a table, a global index or an operation, by minute. */
export const metricSeries = z.strictObject({
  metric: z.string(),
  statistic: z.enum(['Sum', 'SampleCount', 'Average', 'p50', 'p99']),
  tableName: z.string(),
  indexName: z.string().nullable(),
  operation: z.string().nullable(),
  /** Raw, one per minute of the window; null where CloudWatch holds no data point. */
  minutes: z.array(z.number().nullable()),
  /** Of the whole window; null where the statistic does not add up. */
  total: z.number().nullable(),
  /** Of the measured minutes alone: a sum, or the mean of the minutes where the statistic does not add up. */
  measured: z.number().nullable(),
  /** The highest minute ÷ 60: the mean rate of that minute, which hides what happens within it. */
  highestPerSecond: z.number().nullable(),
});

/** Requests that dyno-load sent for one operation to one table, and how they ended. */
export const operationCount = z.strictObject({
  tableName: z.string(),
  operation: z.string(),
  sent: count,
  ok: count,
  /** Refused as a whole. */
  throttled: count,
  /** Batches of which some items came back. */
  partial: count,
  conditionFailed: count,
  conflict: count,
  /** Answered with another error. */
  refused: count,
  /** No answer came: timeout, lost connection, or still on its way when the run ended. */
  unanswered: count,
});

export const cloudWatchRecord = z.strictObject({
  /** Start of the first minute and end of the last, ISO, on the service's clock. */
  from: z.string(),
  until: z.string(),
  /** The measured minutes. */
  measuredFrom: z.string(),
  measuredUntil: z.string(),
  pulls: count,
  /** Whether the data no longer changed and held at least what dyno-load saw. */
  isSettled: z.boolean(),
  series: z.array(metricSeries),
  requests: z.array(operationCount),
  /** Whether the table was there before the run, so that others may use it too. */
  isTableShared: z.boolean(),
  notes: z.array(z.string()),
});

export type MetricSeries = z.infer<typeof metricSeries>;
export type OperationCount = z.infer<typeof operationCount>;
export type CloudWatchRecord = z.infer<typeof cloudWatchRecord>;
