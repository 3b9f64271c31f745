// Zipfian ranks by chance, and the sum that tells their probabilities.
import { mix32 } from '../prng.ts';

// Rejection-inversion after W. Hörmann and G. Derflinger ("Rejection-inversion to generate variates from
// monotone discrete distributions", 1996): exact for any exponent and count, without a table. A table would
// be a little faster, but pools change their count at every operation. A rejected draw (about one in eight)
// is followed by one derived from it, so that the operation's own draws are used once.

/** What the method needs to know of an exponent and a count. */
interface ZipfPlan {
  count: number;
  /** The ends of the area from which a draw is taken. */
  readonly low: number;
  high: number;
  /** A rank this close above its point needs no further test; saves most of the arithmetic. */
  readonly closeEnough: number;
}

const zipfPlans = new Map<number, ZipfPlan>();
const MOST_PLANS = 256;

/** Rank 1 … count with probability in proportion to rank^−exponent. */
export function zipfRank(exponent: number, count: number, draw: number): number {
  const { low, high, closeEnough } = zipfPlan(exponent, count);
  for (let uniformDraw = draw; ; uniformDraw = derive(uniformDraw)) {
    const area = high + uniformDraw * (low - high);
    const point = inverseArea(area, exponent);
    const rank = Math.min(count, Math.max(1, Math.round(point)));
    if (rank - point <= closeEnough) return rank;
    if (area >= areaUpTo(rank + 0.5, exponent) - rank ** -exponent) return rank;
  }
}

/** The plan of an exponent, brought to this count: all that changes with the count is one end of the area. */
function zipfPlan(exponent: number, count: number): ZipfPlan {
  let plan = zipfPlans.get(exponent);
  if (plan === undefined) {
    const low = areaUpTo(1.5, exponent) - 1;
    const closeEnough = 2 - inverseArea(areaUpTo(2.5, exponent) - 2 ** -exponent, exponent);
    plan = { count: 0, low, high: 0, closeEnough };
    if (zipfPlans.size >= MOST_PLANS) zipfPlans.clear();
    zipfPlans.set(exponent, plan);
  }
  if (plan.count !== count) {
    plan.count = count;
    plan.high = areaUpTo(count + 0.5, exponent);
  }
  return plan;
}

/** ∫ x^−exponent dx from 1 to `x`. */
function areaUpTo(x: number, exponent: number): number {
  const power = 1 - exponent;
  return power === 0 ? Math.log(x) : Math.expm1(power * Math.log(x)) / power;
}

function inverseArea(area: number, exponent: number): number {
  const power = 1 - exponent;
  return power === 0 ? Math.exp(area) : Math.exp(Math.log1p(Math.max(-1, area * power)) / power);
}

/** A number in [0, 1) that follows from another and looks independent of it. */
function derive(draw: number): number {
  const scaled = draw * 0x1_0000_0000;
  const high = mix32(scaled >>> 0);
  const low = mix32(high ^ mix32(((scaled % 1) * 0x20_0000) >>> 0));
  return ((mix32(high + low) >>> 5) * 67_108_864 + (low >>> 6)) / 9_007_199_254_740_992;
}

const SUMMED_EXACTLY = 1_000;

/**
 * 1 + 2^−s + … + count^−s: the first thousand terms one by one, the rest by Euler and Maclaurin's formula
 * (error below 1e-12).
 */
export function harmonic(exponent: number, count: number): number {
  const exactCount = Math.min(count, SUMMED_EXACTLY);
  let sum = 0;
  for (let rank = 1; rank <= exactCount; rank++) sum += rank ** -exponent;
  if (count === exactCount) return sum;
  const from = exactCount;
  const area = areaUpTo(count, exponent) - areaUpTo(from, exponent);
  const ends = (count ** -exponent - from ** -exponent) / 2;
  const slopes = (-exponent * (count ** (-exponent - 1) - from ** (-exponent - 1))) / 12;
  return sum + area + ends + slopes;
}
