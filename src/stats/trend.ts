// Whether a stage was steady: the first third of its seconds against the last. Says nothing of why; validity
// and findings do.
//
// The rule: means of the two thirds differ by more than noise explains AND by at least 5 % of the larger one.
// Noise is taken from the differences between neighbouring seconds (J. von Neumann, 1941), the largest left
// out, because they show the scatter of one second without the trend that is looked for: a ramp leaves them
// almost as they were, a step is the one left out, and a stalled second, which makes two large ones, raises
// them as it lowers its third's mean.
import { studentQuantile } from './confidence.ts';

/** What was found. Rates are per second. */
export interface Trend {
  /** `unknown`: fewer than nine seconds. */
  readonly kind: 'steady' | 'transient' | 'unknown';
  readonly firstThird: number;
  readonly lastThird: number;
  /** The difference of the thirds that noise alone exceeds once in a thousand series. */
  readonly noise: number;
}

const FEWEST_SECONDS = 9;
const CONFIDENCE = 0.999;
const LEAST_EFFECT_RATIO = 0.05;

/**
 * Compares first and last third of a stage.
 * @param rates  one per full second, in order
 */
export function judgeTrend(rates: readonly number[]): Trend {
  const size = Math.floor(rates.length / 3);
  const firstThird = mean(rates.slice(0, size));
  const lastThird = mean(rates.slice(rates.length - size));
  if (rates.length < FEWEST_SECONDS) return { kind: 'unknown', firstThird, lastThird, noise: 0 };
  const standardError = scatterOfOne(rates) * Math.sqrt(2 / size);
  const noise = studentQuantile(CONFIDENCE, Math.floor(((rates.length - 3) * 2) / 3)) * standardError;
  const difference = Math.abs(lastThird - firstThird);
  const least = LEAST_EFFECT_RATIO * Math.max(Math.abs(firstThird), Math.abs(lastThird));
  const isTransient = difference > noise && difference > least;
  return { kind: isTransient ? 'transient' : 'steady', firstThird, lastThird, noise };
}

/** The standard deviation of one second: neighbours differ by √2 times as much. */
function scatterOfOne(rates: readonly number[]): number {
  let squares = 0;
  let largest = 0;
  for (let second = 1; second < rates.length; second++) {
    const square = ((rates[second] as number) - (rates[second - 1] as number)) ** 2;
    squares += square;
    largest = Math.max(largest, square);
  }
  return Math.sqrt((squares - largest) / (2 * (rates.length - 2)));
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
