// The arithmetic of confidence intervals: quantiles of the normal and of Student's distribution, ranks from
// the binomial one. Computed from series and solved by halving, not from fitted constants: it is called a few
// hundred times per report, not per operation.
import type { Moments } from './histogram.ts';

const HALVINGS = 60;
const EXACT_UP_TO_DEGREES = 200;
/** Above this variance the binomial distribution is taken as normal; the rank then errs by less than one. */
const EXACT_UP_TO_VARIANCE = 100;

/** Size, mean and standard deviation (divisor n − 1) of plain numbers; zeros where there are none. */
export function momentsOf(samples: readonly number[]): Moments {
  const n = samples.length;
  if (n === 0) return { n, mean: 0, standardDeviation: 0 };
  const mean = samples.reduce((sum, value) => sum + value, 0) / n;
  const squares = samples.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { n, mean, standardDeviation: n > 1 ? Math.sqrt(squares / (n - 1)) : 0 };
}

/**
 * How many standard deviations around the mean hold the share `confidence` of a normal distribution; 1.96 for
 * 0.95.
 */
export function normalQuantile(confidence: number): number {
  return solve(confidence, 9, (z) => 2 * normalAbove0(z));
}

/**
 * The same for Student's distribution with `degrees` of freedom (integer ≥ 1); 12.71 for 0.95 and 1 degree.
 */
export function studentQuantile(confidence: number, degrees: number): number {
  if (degrees <= EXACT_UP_TO_DEGREES) return solve(confidence, 1e5, (t) => studentCentralShare(t, degrees));
  const z = normalQuantile(confidence);
  return z + (z ** 3 + z) / (4 * degrees);
}

/**
 * Two ranks among sorted samples; `upper` may be `n + 1`, where there are too few samples to bound the
 * quantile from above.
 */
export interface RankInterval {
  readonly lower: number;
  readonly upper: number;
}

/**
 * The ranks between which the true quantile lies with at least the given confidence, whatever the
 * distribution of the samples. How many of `n` samples fall below the true quantile is binomial; each tail
 * gets half of the doubt. `lower` may be 0, for no bound.
 */
export function quantileRanks(quantile: number, n: number, confidence: number): RankInterval {
  const doubt = (1 - confidence) / 2;
  const variance = n * quantile * (1 - quantile);
  if (variance > EXACT_UP_TO_VARIANCE) {
    const reach = normalQuantile(confidence) * Math.sqrt(variance);
    const middle = n * quantile;
    return {
      lower: Math.max(0, Math.floor(middle - reach)),
      upper: Math.min(n + 1, Math.ceil(middle + reach) + 1),
    };
  }
  if (quantile <= 0.5) return binomialRanks(quantile, n, doubt);
  // Counted from the top, so that the probabilities summed start from a number that is not too small for
  // floating point.
  const fromTop = binomialRanks(1 - quantile, n, doubt);
  return { lower: n + 1 - fromTop.upper, upper: n + 1 - fromTop.lower };
}

/**
 * The largest `lower` with P(X < lower) ≤ doubt and the smallest `upper` with P(X ≥ upper) ≤ doubt, for X
 * binomial (n, share).
 */
function binomialRanks(share: number, n: number, doubt: number): RankInterval {
  let lower = 0;
  let probability = (1 - share) ** n;
  let below = 0;
  for (let successes = 0; successes <= n; successes++) {
    below += probability;
    if (below <= doubt) lower = successes + 1;
    if (below >= 1 - doubt) return { lower, upper: successes + 1 };
    probability *= ((n - successes) / (successes + 1)) * (share / (1 - share));
  }
  return { lower, upper: n + 1 };
}

/**
 * Normal probability between 0 and z, by the series φ(z) · (z + z³/3 + z⁵/15 + …), exact to floating point up
 * to z = 9.
 */
function normalAbove0(z: number): number {
  let term = z;
  let sum = z;
  for (let odd = 3; term > sum * Number.EPSILON; odd += 2) {
    term *= (z * z) / odd;
    sum += term;
  }
  return (sum * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI);
}

/** P(|T| ≤ t) for whole degrees of freedom, a finite sum (Abramowitz and Stegun, 26.7.3 and 26.7.4). */
function studentCentralShare(t: number, degrees: number): number {
  const angle = Math.atan(t / Math.sqrt(degrees));
  const cosine2 = Math.cos(angle) ** 2;
  const isOdd = degrees % 2 === 1;
  let term = isOdd ? Math.cos(angle) : 1;
  let sum = 0;
  for (let step = isOdd ? 3 : 2; step <= degrees; step += 2) {
    sum += term;
    term *= (cosine2 * (step - 1)) / step;
  }
  return isOdd ? (2 / Math.PI) * (angle + Math.sin(angle) * sum) : Math.sin(angle) * sum;
}

/** Where an increasing function reaches `wanted`, between 0 and `top`. */
function solve(wanted: number, top: number, shareWithin: (x: number) => number): number {
  let low = 0;
  let high = top;
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (low + high) / 2;
    if (shareWithin(middle) < wanted) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
