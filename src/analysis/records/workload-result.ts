// One workload in the record of a run: its load and policy, what became of its operations by stage and by second,
// its errors and its slowest operations.
import * as z from 'zod';
import { stageTotals } from './stage-totals.ts';
import { throttleSeries } from './throttle-series.ts';

const count = z.int().nonnegative();
const amount = z.number().nonnegative();
const microseconds = z.number();

/** One column per quantity, one row per window of `windowSeconds`. */
const series = z.strictObject({
  windowSeconds: z.int().positive(),
  planned: z.array(count),
  started: z.array(count),
  ok: z.array(count),
  throttled: z.array(count),
  otherOutcomes: z.array(count),
  dropped: z.array(count),
  readUnits: z.array(amount),
  writeUnits: z.array(amount),
  /** Slowest response of an ok operation due in the window; 0 where there was none. */
  maxResponseUs: z.array(microseconds),
  /** Of each window, the most throttled operations in one of its seconds. */
  worstSecondThrottled: z.array(count),
});

const errorSample = z.strictObject({
  code: z.string(),
  count,
  /** The first five. */
  messages: z.array(z.strictObject({ message: z.string(), requestId: z.string().nullable() })),
});

const slowOperation = z.strictObject({
  sequence: count,
  dueUs: microseconds,
  responseUs: microseconds,
  serviceUs: microseconds,
  outcome: z.string(),
});

/** One workload of a variant. */
export const workloadResult = z.strictObject({
  name: z.string(),
  kind: z.string(),
  isWrite: z.boolean(),
  load: z.strictObject({
    kind: z.enum(['open', 'closed']),
    /** As a reader would say it, for example `3,000/s` or `8 at once`. */
    text: z.string(),
    concurrency: z.int().nullable(),
  }),
  policy: z.strictObject({
    maxInFlight: count,
    timeoutUs: microseconds,
    /** `none`, `sdk`, `sdk-before-2026`, or the user's own figures in words. */
    retry: z.string(),
    expect: z.array(z.string()),
  }),
  notes: z.array(z.string()),
  stages: z.array(z.strictObject({ name: z.string(), totals: stageTotals })),
  /** All measured stages together. */
  measured: stageTotals,
  /** Value by metric name, over the measured stages; null: too few samples or no such events. */
  metrics: z.record(z.string(), z.number().nullable()),
  /** Steps of a flow by label: requests and units, over the measured stages. */
  steps: z.array(
    z.strictObject({ label: z.string(), requests: count, readUnits: amount, writeUnits: amount }),
  ),
  series,
  /** Absent in records of before, and where nothing was throttled. */
  throttleSeries: throttleSeries.optional(),
  errors: z.array(errorSample),
  slowest: z.array(slowOperation),
});
