// Which of `count` keys an operation takes. Every choice uses exactly one draw, so that another distribution,
// or another count of keys, shifts no later draw of the same operation.
import { assert, DynoLoadError } from '../errors.ts';
import { CounterRandom, mix32, type Random } from '../prng.ts';

/** How often each key is taken; a plain value, as written in scenario files. */
export type Distribution =
  /** All keys alike. */
  | { readonly distribution: 'uniform' }
  /** Key i (from 0) in proportion to 1 ÷ (i + 1)^exponent. */
  | { readonly distribution: 'zipfian'; readonly exponent: number }
  /**
   * The share `share` of the draws go, evenly, to the first `of` of the keys; the rest, evenly, to the
   * others. Both 0…1.
   */
  | { readonly distribution: 'hotspot'; readonly share: number; readonly of: number }
  /** Zipfian counted from the newest (last) key. */
  | { readonly distribution: 'latest'; readonly exponent: number }
  /** One after another by the operation's sequence, from the start again after the last. */
  | { readonly distribution: 'sequential' };

/** YCSB's customary exponent. */
const USUAL_EXPONENT = 0.99;

/** All keys alike. */
export function uniform(): Distribution {
  return { distribution: 'uniform' };
}

/**
 * A few keys take most: key i (from 0) in proportion to 1 ÷ (i + 1)^exponent.
 * @param exponent  0 (all alike) … 10
 * @throws DynoLoadError SCENARIO_INVALID
 */
export function zipfian(exponent = USUAL_EXPONENT): Distribution {
  return { distribution: 'zipfian', exponent: checkExponent('zipfian', exponent) };
}

/**
 * Part of the keys takes a share of the draws: `{ share: 0.8, of: 0.1 }` sends 80 % of the draws to the first
 * 10 % of the keys.
 * @throws DynoLoadError SCENARIO_INVALID where `share` is not 0…1 or `of` is not above 0 and at most 1
 */
export function hotspot({ share, of }: { share: number; of: number }): Distribution {
  if (!(share >= 0 && share <= 1 && of > 0 && of <= 1))
    throw new DynoLoadError('SCENARIO_INVALID', {
      what: `hotspot({ share: ${share}, of: ${of} })`,
      why: 'share is a ratio 0…1 of the draws, and of a ratio above 0 and at most 1 of the keys',
      fix: 'write for example hotspot({ share: 0.8, of: 0.1 }) for 80 % of the draws on 10 % of the keys',
    });
  return { distribution: 'hotspot', share, of };
}

/** Zipfian counted from the newest key. @throws DynoLoadError SCENARIO_INVALID */
export function latest(exponent = USUAL_EXPONENT): Distribution {
  return { distribution: 'latest', exponent: checkExponent('latest', exponent) };
}

/** One key after another, by the operation's sequence. */
export function sequential(): Distribution {
  return { distribution: 'sequential' };
}

function checkExponent(name: string, exponent: number): number {
  if (exponent >= 0 && exponent <= 10) return exponent;
  throw new DynoLoadError('SCENARIO_INVALID', {
    what: `${name}(${exponent})`,
    why: 'the exponent is a number from 0 (all keys alike) to 10',
    fix: `write ${name}(), which takes ${USUAL_EXPONENT}, or an exponent such as 1.1`,
  });
}

/**
 * The index of one key, 0 … count − 1, by exactly one draw from `random`.
 * @param distribution  uniform where absent
 * @param count  integer ≥ 1
 * @param sequence  for `sequential`; the place at which `random` stands where absent
 */
export function pickIndex(
  distribution: Distribution | undefined,
  random: Random,
  count: number,
  sequence?: number,
): number {
  const draw = random.float();
  if (distribution === undefined) return Math.floor(draw * count);
  switch (distribution.distribution) {
    case 'uniform':
      return Math.floor(draw * count);
    case 'zipfian':
      return zipfRank(distribution.exponent, count, draw) - 1;
    case 'latest':
      return count - zipfRank(distribution.exponent, count, draw);
    case 'hotspot':
      return pickHotspot(distribution, count, draw);
    case 'sequential':
      return (sequence ?? sequenceOf(random)) % count;
  }
}

/** The share of the draws that the hottest of `count` keys gets, 0…1. */
export function hottestShare(distribution: Distribution | undefined, count: number): number {
  switch (distribution?.distribution) {
    case 'zipfian':
    case 'latest':
      return 1 / harmonic(distribution.exponent, count);
    case 'hotspot': {
      const hot = hotKeyCount(distribution, count);
      const { share } = distribution;
      return hot === count ? 1 / count : Math.max(share / hot, (1 - share) / (count - hot));
    }
    case 'uniform':
    case 'sequential':
    case undefined:
      return 1 / count;
  }
}

function sequenceOf(random: Random): number {
  assert(random instanceof CounterRandom, 'sequential() is picked with the random numbers of an operation');
  return random.sequence;
}

type Hotspot = Extract<Distribution, { distribution: 'hotspot' }>;

function hotKeyCount({ of }: Hotspot, count: number): number {
  // 0.07 × 100 is a little above 7 in floating point.
  return Math.max(1, Math.ceil(of * count - 1e-9));
}

function pickHotspot(distribution: Hotspot, count: number, draw: number): number {
  const hot = hotKeyCount(distribution, count);
  const { share } = distribution;
  if (hot === count) return Math.floor(draw * count);
  if (draw < share) return Math.min(hot - 1, Math.floor((draw / share) * hot));
  return Math.min(count - 1, hot + Math.floor(((draw - share) / (1 - share)) * (count - hot)));
}

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
function zipfRank(exponent: number, count: number, draw: number): number {
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
function harmonic(exponent: number, count: number): number {
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
