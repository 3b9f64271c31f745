// How often each of a number of keys is taken, as scenario files say it. Picking keys is key-distribution.ts.
import { DynoLoadError } from '../errors.ts';
import { type Duration, parseDuration } from '../units.ts';
import { decayFor } from './exponential-keys.ts';

/** How often each key is taken; a plain value, as written in scenario files. */
export type Distribution =
  /** All keys alike. */
  | { readonly distribution: 'uniform' }
  /** Key i (from 0) in proportion to 1 ÷ (i + 1)^exponent. */
  | { readonly distribution: 'zipfian'; readonly exponent: number }
  /**
   * The share `share` of the draws go, evenly, to the first `of` of the keys; the rest, evenly, to the
   * others. Both 0…1. With `moveEveryUs` the hot keys are the next ones after each such span of load time.
   */
  | {
      readonly distribution: 'hotspot';
      readonly share: number;
      readonly of: number;
      readonly moveEveryUs?: number;
    }
  /** Zipfian counted from the newest (last) key. */
  | { readonly distribution: 'latest'; readonly exponent: number }
  /** One after another by the operation's sequence, from the start again after the last. */
  | { readonly distribution: 'sequential' }
  /** A bell over the keys in their order; mean and deviation as shares of the count of keys. */
  | { readonly distribution: 'gaussian'; readonly mean: number; readonly deviation: number }
  /** Key i of n by the integral of e^(−decay·x) from i ÷ n to (i + 1) ÷ n. */
  | { readonly distribution: 'exponential'; readonly decay: number }
  /** Keys in parts, one after another; each part takes draws in proportion to its weight, evenly over its keys. */
  | { readonly distribution: 'weighted'; readonly parts: readonly WeightedPart[] };

/** Some keys and how much of the load they take together. */
export interface WeightedPart {
  /** In proportion to the weights of all parts; ≥ 0. */
  readonly weight: number;
  /** Keys in the part, 1 unless given; `rest` (last part only): all that are left. */
  readonly count?: number | 'rest';
}

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

/** What `hotspot` takes. */
export interface HotspotOptions {
  /** Of the draws, 0…1. */
  readonly share: number;
  /** Of the keys, above 0 and at most 1. */
  readonly of: number;
  /** Load time after which the next keys become hot; they stay where absent. */
  readonly moveEvery?: Duration;
}

/**
 * Part of the keys takes a share of the draws: `{ share: 0.8, of: 0.1 }` sends 80 % of the draws to the first
 * 10 % of the keys. With `moveEvery: '30s'` the next 10 % become hot after every 30 s of load, from the first
 * again after the last.
 * @throws DynoLoadError SCENARIO_INVALID
 */
export function hotspot({ share, of, moveEvery }: HotspotOptions): Distribution {
  const moveEveryUs = moveEvery === undefined ? undefined : parseDuration(moveEvery);
  if (!(share >= 0 && share <= 1 && of > 0 && of <= 1))
    throw new DynoLoadError('SCENARIO_INVALID', {
      what: `hotspot({ share: ${share}, of: ${of} })`,
      why: 'share is a ratio 0…1 of the draws, and of a ratio above 0 and at most 1 of the keys',
      fix: 'write for example hotspot({ share: 0.8, of: 0.1 }) for 80 % of the draws on 10 % of the keys',
    });
  if (moveEvery !== undefined && !(moveEveryUs !== undefined && moveEveryUs > 0))
    throw new DynoLoadError('SCENARIO_INVALID', {
      what: `hotspot({ moveEvery: '${moveEvery}' })`,
      why: 'it is the time for which keys stay hot, a number above zero directly followed by ms, s, m or h',
      fix: "write for example moveEvery: '30s'",
    });
  return { distribution: 'hotspot', share, of, ...(moveEveryUs === undefined ? {} : { moveEveryUs }) };
}

/**
 * A bell over the keys in their order: hottest at `mean`, with `deviation` as its width, both as shares of the
 * count of keys. `gaussian()` has its middle at half of the keys, and two thirds of the draws within 15 % of
 * the keys to either side. What would fall outside of the keys is left out.
 * @param options.mean  0…1
 * @param options.deviation  0.0001…10
 * @throws DynoLoadError SCENARIO_INVALID
 */
export function gaussian({ mean = 0.5, deviation = 0.15 } = {}): Distribution {
  if (!(mean >= 0 && mean <= 1 && deviation >= 0.0001 && deviation <= 10))
    throw new DynoLoadError('SCENARIO_INVALID', {
      what: `gaussian({ mean: ${mean}, deviation: ${deviation} })`,
      why: 'both are shares of the count of keys: the mean 0…1, the deviation 0.0001…10',
      fix: 'write for example gaussian({ mean: 0.5, deviation: 0.15 })',
    });
  return { distribution: 'gaussian', mean, deviation };
}

/**
 * Load that falls off exponentially from the first key: `{ share: 0.95, of: 0.1 }` sends 95 % of the draws to
 * the first 10 % of the keys, most of them to the very first.
 * @param options.share  of the draws; at least `of`, below 1
 * @param options.of  of the keys; above 0
 * @throws DynoLoadError SCENARIO_INVALID
 */
export function exponential({ share = 0.95, of = 0.1 } = {}): Distribution {
  if (!(of >= 0.0001 && of <= share && share <= 0.9999))
    throw new DynoLoadError('SCENARIO_INVALID', {
      what: `exponential({ share: ${share}, of: ${of} })`,
      why: 'share (of the draws) is at most 0.9999 and at least as much as of (of the keys), at least 0.0001',
      fix: 'write for example exponential({ share: 0.95, of: 0.1 }) for 95 % of the draws on 10 % of the keys',
    });
  return { distribution: 'exponential', decay: decayFor(share, of) };
}

/**
 * Keys in parts, from the first key on: `weighted([{ weight: 3 }, { weight: 1, count: 9 }])` sends three quarters
 * of the draws to the first key and the rest, evenly, to the nine after it; keys beyond get none, unless the
 * last part has `count: 'rest'`. Where there are fewer keys than parts name, the others share as before.
 * @throws DynoLoadError SCENARIO_INVALID
 */
export function weighted(parts: readonly WeightedPart[]): Distribution {
  const total = parts.reduce((sum, { weight }) => sum + weight, 0);
  const wrong = parts.findIndex((part, index) => !isPart(part, index === parts.length - 1));
  if (wrong >= 0 || !(total > 0 && Number.isFinite(total)))
    throw new DynoLoadError('SCENARIO_INVALID', {
      what: wrong < 0 ? `weighted(…) has a total weight of ${total}` : `weighted(…): part ${wrong} is wrong`,
      why: "weights are numbers, none negative and not all 0; a count is a whole number above 0, or 'rest' last",
      fix: "write for example weighted([{ weight: 0.3 }, { weight: 0.7, count: 'rest' }])",
    });
  return { distribution: 'weighted', parts: parts.map((part) => ({ ...part })) };
}

/**
 * Keys as hot as they were seen: `observed([0.21, 0.08])`, for example from the most accessed keys of CloudWatch
 * Contributor Insights, sends 21 % of the draws to the first key, 8 % to the second, and the rest evenly to all
 * others.
 * @param shares  of the draws, each 0…1, together at most 1
 * @throws DynoLoadError SCENARIO_INVALID
 */
export function observed(shares: readonly number[]): Distribution {
  const total = shares.reduce((sum, share) => sum + share, 0);
  if (shares.length === 0 || !shares.every((share) => share >= 0) || !(total <= 1 + 1e-9))
    throw new DynoLoadError('SCENARIO_INVALID', {
      what: `observed(…) with ${shares.length} shares that sum to ${total}`,
      why: 'each is a ratio 0…1 of all requests, and together they are at most 1',
      fix: 'divide each count by the count of all requests, those to other keys included',
    });
  const rest = Math.max(0, 1 - total);
  return weighted([...shares.map((weight) => ({ weight })), { weight: rest, count: 'rest' }]);
}

function isPart({ weight, count = 1 }: WeightedPart, isLast: boolean): boolean {
  return weight >= 0 && (count === 'rest' ? isLast : Number.isSafeInteger(count) && count > 0);
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
  if (typeof exponent === 'number' && exponent >= 0 && exponent <= 10) return exponent;
  throw new DynoLoadError('SCENARIO_INVALID', {
    what: `${name}(${exponent})`,
    why: 'the exponent is a number from 0 (all keys alike) to 10',
    fix: `write ${name}(), which takes ${USUAL_EXPONENT}, or an exponent such as 1.1`,
  });
}
