// A number with its spread. No figure of a run is reported without one; what a figure means is the metric's
// business.
import { normalQuantile, quantileRanks, studentQuantile } from './confidence.ts';
import { type LatencyHistogram, type Moments, rankOf } from './histogram.ts';

/** Which direction is better. */
export type Orientation = 'lower' | 'higher' | 'neutral';

/** What does not come from the samples. */
export interface About {
  /** For example `'us'`, `'ratio'`, `'perSecond'`. */
  readonly unit: string;
  readonly orientation: Orientation;
}

/** A value and the interval `lo … hi` in which the true value lies with 95 % confidence, from `n` samples. */
export interface Estimate extends About {
  readonly value: number;
  readonly lo: number;
  readonly hi: number;
  readonly n: number;
  /**
   * The samples are too few to bound the value: `lo` and `hi` are then the least and the most that was seen.
   */
  readonly isOpen?: true;
}

const CONFIDENCE = 0.95;

/** A value that is counted, not sampled: its interval is the value itself. */
export function exactEstimate(value: number, n: number, about: About): Estimate {
  return { value, lo: value, hi: value, n, unit: about.unit, orientation: about.orientation };
}

/**
 * A mean with Student's interval (the normal one for large samples).
 * Holds for independent samples: for successive latencies of one run, which depend on each other, it is too
 * narrow.
 * @returns undefined without samples; open with a single one
 */
export function estimateMean(sample: Moments, about: About): Estimate | undefined {
  if (sample.n === 0) return undefined;
  if (sample.n === 1) return { ...exactEstimate(sample.mean, 1, about), isOpen: true };
  const reach = (studentQuantile(CONFIDENCE, sample.n - 1) * sample.standardDeviation) / Math.sqrt(sample.n);
  return {
    ...exactEstimate(sample.mean, sample.n, about),
    lo: sample.mean - reach,
    hi: sample.mean + reach,
  };
}

/**
 * A proportion with Wilson's score interval, which stays inside 0…1 and says something even at 0 of n (0 of
 * 100: up to 3.7 %).
 * @returns undefined for 0 of 0
 */
export function estimateProportion(hits: number, n: number, about: About): Estimate | undefined {
  if (n === 0) return undefined;
  const share = hits / n;
  const z2 = normalQuantile(CONFIDENCE) ** 2;
  const middle = (share + z2 / (2 * n)) / (1 + z2 / n);
  const reach = Math.sqrt((z2 * share * (1 - share)) / n + (z2 * z2) / (4 * n * n)) / (1 + z2 / n);
  return {
    ...exactEstimate(share, n, about),
    lo: hits === 0 ? 0 : middle - reach,
    hi: hits === n ? 1 : middle + reach,
  };
}

/**
 * A quantile of latencies (µs) between two order statistics whose ranks follow from the binomial
 * distribution: no shape is assumed.
 * @param quantile  0…1
 * @returns undefined without samples; open where they are too few, for example below 368 for p99
 */
export function estimateQuantile(
  histogram: LatencyHistogram,
  quantile: number,
  about: About,
): Estimate | undefined {
  const n = histogram.count;
  if (n === 0) return undefined;
  const { lower, upper } = quantileRanks(quantile, n, CONFIDENCE);
  const estimate = {
    ...exactEstimate(histogram.valueAtRank(rankOf(quantile, n)), n, about),
    lo: histogram.valueAtRank(lower),
    hi: upper > n ? histogram.maxUs : histogram.valueAtRank(upper),
  };
  return lower < 1 || upper > n ? { ...estimate, isOpen: true } : estimate;
}
