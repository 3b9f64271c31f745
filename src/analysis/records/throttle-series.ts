// Throttles over time by reason in the record of a run, in the windows of the workload's own series.
import * as z from 'zod';

/** Throttled requests by reason and resource, one count for each window of `series`. */
export const throttleSeries = z.array(
  z.strictObject({
    /** As on the wire; where no reason was given, the exception. */
    reason: z.string(),
    /** `tableName` or `tableName/indexName`; empty where the server named none. */
    resource: z.string(),
    counts: z.array(z.int().nonnegative()),
  }),
);

export type ThrottleSeries = z.infer<typeof throttleSeries>;
