// Latencies in the record of a run, µs.
import * as z from 'zod';

const count = z.int().nonnegative();
const microseconds = z.number();

/**
 * Latency counts of one outcome; `encoded` is the HdrHistogram V2 compressed form in base64, which other
 * HdrHistogram tools read.
 */
export const histogram = z.strictObject({
  count,
  minUs: microseconds,
  meanUs: microseconds,
  p50Us: microseconds,
  p90Us: microseconds,
  p99Us: microseconds,
  p99_9Us: microseconds,
  maxUs: microseconds,
  encoded: z.string(),
});

/** The same without the counts behind it: where only quantiles are told, and nothing is merged exactly. */
export const latencySummary = histogram.omit({ encoded: true });
