// Why a variant was ended before its time: a condition of the scenario held.
import * as z from 'zod';

/** The condition, and what it saw. */
export const abortRecord = z.strictObject({
  /** As written, for example `placeOrder.throttledRatio > 50%`; after `validity invalid` the reason follows. */
  condition: z.string(),
  /** Of the last ten seconds, in the metric's unit; null where the condition is no metric. */
  value: z.number().nullable(),
  /** µs since the start of the variant's load. */
  atUs: z.number().nonnegative(),
});

export type AbortRecord = z.infer<typeof abortRecord>;
