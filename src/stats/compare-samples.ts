// Two samples of one quantity, before and after: how large is the change, how sure is it, and is it worth a
// word? The caller says what it knows (exact counts, or noisy repeats in pairs) and gets a judgement that may
// be *inconclusive*, with what would settle it. Knows nothing of metrics or runs.
//
// The rule for noisy samples: a change counts only if the test finds it (Wilcoxon's signed rank, adjusted by
// Holm over all that is judged together) AND its 95 % interval (bootstrap over pairs) lies wholly beyond the
// least effect worth a word. It is *the same* only if the interval lies wholly within that effect. All
// between is inconclusive: a large p-value says that little was measured, not that nothing changed.
import { CounterRandom, type StreamKey } from '../prng.ts';
import { momentsOf, normalQuantile } from './confidence.ts';
import type { Orientation } from './estimate.ts';
import { fewestPairs, hodgesLehmann, leastPValue, signedRank, walshAverages } from './signed-rank.ts';

/** `changed`: a quantity of which neither more nor less is better. */
export type Change = 'same' | 'better' | 'worse' | 'changed' | 'inconclusive';

/** Equal places are pairs: repeat k before and repeat k after. */
export interface PairedSamples {
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/** `relative`: after ÷ before − 1, for positive quantities; `absolute`: after − before, for shares near zero. */
export type EffectScale = 'relative' | 'absolute';

/** The change from before to after, with the interval in which it lies with 95 % confidence. */
export interface Effect {
  readonly scale: EffectScale;
  readonly value: number;
  readonly lo: number;
  readonly hi: number;
  /** Pairs. */
  readonly n: number;
  /** Two-sided, of this quantity alone; see `adjustByHolm`. */
  readonly pValue: number;
  /** Standard deviation of a single pair's change, on the same scale. */
  readonly noise: number;
}

/** What counts as a change. */
export interface EffectRule {
  readonly orientation: Orientation;
  /** Least change worth a word, on the effect's scale, for example 0.05. */
  readonly minimumEffect: number;
  /** How many quantities are judged together; for the count of repeats that would be needed. */
  readonly familySize: number;
}

/** What may be said of the difference of two samples. */
export interface Judgement {
  readonly change: Change;
  /** One sentence part, for example `4 pairs; 6 are the fewest that can tell`. */
  readonly reason: string;
  /** Pairs that would settle an inconclusive one, by the noise seen; null: settled, or no count would help. */
  readonly pairsNeeded: number | null;
}

/** Doubt allowed to all judged together: one false alarm in 20 comparisons of equal things, at the most. */
export const SIGNIFICANCE = 0.05;
const CONFIDENCE = 0.95;
const RESAMPLES = 2_000;

/** Fewer pairs cannot give a p-value of 0.05, whatever they say; nor can their interval be believed. */
const FEWEST_PAIRS = fewestPairs(SIGNIFICANCE);

/** Nobody repeats a run more often. */
const MOST_PAIRS_NEEDED = 1_000;

/** The chance to find a change that is there, for the count of pairs needed. */
const WANTED_POWER = 0.8;

/**
 * Compares counts of two deterministic runs: any difference beyond the tolerance is one.
 * @param toleranceRatio  of the larger of the two; 0: they must be equal
 */
export function compareExact(
  before: number,
  after: number,
  { orientation, toleranceRatio = 0 }: { orientation: Orientation; toleranceRatio?: number },
): Change {
  const difference = after - before;
  if (Math.abs(difference) <= toleranceRatio * Math.max(Math.abs(before), Math.abs(after))) return 'same';
  return direction(difference, orientation);
}

/** The middle of samples, or halfway between the two in the middle; null without any. */
export function medianOf(samples: readonly number[]): number | null {
  const sorted = [...samples].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  return lower === undefined || upper === undefined ? null : (lower + upper) / 2;
}

/**
 * Measures the change between paired samples.
 * @param stream  random numbers for the bootstrap; equal streams give equal intervals
 * @returns undefined without a pair; relative turns into absolute where a value is not positive
 */
export function measureEffect(
  samples: PairedSamples,
  wantedScale: EffectScale,
  stream: StreamKey,
): Effect | undefined {
  const { before, after } = samples;
  const n = Math.min(before.length, after.length);
  if (n === 0) return undefined;
  const arePositive = [...before, ...after].every((value) => value > 0);
  const scale = wantedScale === 'relative' && arePositive ? 'relative' : 'absolute';
  const measure = scale === 'relative' ? Math.log : (value: number) => value;
  const changes = before.slice(0, n).map((value, pair) => measure(after[pair] ?? 0) - measure(value));
  const walsh = walshAverages(changes);
  const middle = hodgesLehmann(walsh, new Uint32Array(n).fill(1));
  const [lo, hi] = bootstrapInterval(n, (copies) => hodgesLehmann(walsh, copies), stream);
  const back = scale === 'relative' ? Math.expm1 : (value: number) => value;
  return {
    scale,
    value: back(middle),
    lo: back(lo),
    hi: back(hi),
    n,
    pValue: signedRank(changes).pValue,
    noise: back(momentsOf(changes).standardDeviation),
  };
}

/**
 * The interval in which a statistic of `n` values lies in 95 % of resamples with replacement.
 * @param statistic  of a resample, told by how often each value is in it
 */
export function bootstrapInterval(
  n: number,
  statistic: (copies: Uint32Array) => number,
  stream: StreamKey,
): readonly [lo: number, hi: number] {
  const random = new CounterRandom(stream);
  const results = new Float64Array(RESAMPLES);
  const copies = new Uint32Array(n);
  for (let resample = 0; resample < RESAMPLES; resample++) {
    random.seek(resample);
    copies.fill(0);
    for (let draw = 0; draw < n; draw++) (copies[random.int(n)] as number)++;
    results[resample] = statistic(copies);
  }
  results.sort();
  const tail = Math.floor(((1 - CONFIDENCE) / 2) * RESAMPLES);
  return [results[tail] as number, results[RESAMPLES - 1 - tail] as number];
}

/**
 * p-values for quantities that are judged together: each as if only it had been looked at before, now as one
 * of many.
 * @returns in the order given
 * @see S. Holm, "A Simple Sequentially Rejective Multiple Test Procedure", Scandinavian Journal of Statistics
 *   6 (1979)
 */
export function adjustByHolm(pValues: readonly number[]): number[] {
  const order = pValues.map((_, index) => index).sort((a, b) => (pValues[a] ?? 1) - (pValues[b] ?? 1));
  const adjusted = pValues.map(() => 1);
  let highest = 0;
  order.forEach((index, place) => {
    highest = Math.max(highest, Math.min(1, (pValues[index] ?? 1) * (pValues.length - place)));
    adjusted[index] = highest;
  });
  return adjusted;
}

/** Whether before and after are equal in every pair. */
export function isUnchanged(effect: Pick<Effect, 'value' | 'noise'>): boolean {
  return effect.value === 0 && effect.noise === 0;
}

/** How a change stands to a limit in one direction: surely beyond, surely not, or it cannot be told. */
export type Standing = 'beyond' | 'within' | 'unclear';

/**
 * @param limit  on the effect's scale; `'above'`: beyond means more than it, `'below'`: less
 * @param adjustedPValue  see `adjustByHolm`
 */
export function standingOf(
  effect: Effect,
  adjustedPValue: number,
  { side, limit }: { readonly side: 'above' | 'below'; readonly limit: number },
): Standing {
  if (isUnchanged(effect)) return (side === 'above' ? limit < 0 : limit > 0) ? 'beyond' : 'within';
  const isBeyond = side === 'above' ? effect.lo > limit : effect.hi < limit;
  if (isBeyond && adjustedPValue <= SIGNIFICANCE) return 'beyond';
  const isWithin = side === 'above' ? effect.hi <= limit : effect.lo >= limit;
  return isWithin && effect.n >= FEWEST_PAIRS ? 'within' : 'unclear';
}

/** Judges a measured change by the rule at the head of this file. */
export function judgeEffect(effect: Effect, adjustedPValue: number, rule: EffectRule): Judgement {
  const settled = (change: Change, reason: string): Judgement => ({ change, reason, pairsNeeded: null });
  if (isUnchanged(effect)) return settled('same', 'equal in every pair');
  const { minimumEffect, orientation } = rule;
  const above = standingOf(effect, adjustedPValue, { side: 'above', limit: minimumEffect });
  const below = standingOf(effect, adjustedPValue, { side: 'below', limit: -minimumEffect });
  if (above === 'beyond')
    return settled(direction(1, orientation), 'the interval lies above the least effect');
  if (below === 'beyond')
    return settled(direction(-1, orientation), 'the interval lies below the least effect');
  if (above === 'within' && below === 'within')
    return settled('same', 'the interval lies within the least effect');
  return { change: 'inconclusive', ...whyUnclear(effect, adjustedPValue, rule) };
}

function whyUnclear(effect: Effect, adjustedPValue: number, rule: EffectRule): Omit<Judgement, 'change'> {
  const fewest = Math.max(FEWEST_PAIRS, fewestPairs(SIGNIFICANCE / Math.max(1, rule.familySize)));
  const pairsNeeded = neededPairs(effect, rule, fewest);
  if (effect.n === 1) return { reason: 'one repeat does not show how much repeats differ', pairsNeeded };
  if (effect.n < FEWEST_PAIRS || leastPValue(effect.n) * rule.familySize > SIGNIFICANCE)
    return { reason: `${effect.n} repeats are too few to tell`, pairsNeeded };
  const isSure = adjustedPValue <= SIGNIFICANCE;
  const reason = isSure
    ? 'there is a change, and the interval does not show whether it is worth a word'
    : 'the interval reaches beyond the least effect, and the change may be chance';
  return { reason, pairsNeeded };
}

/**
 * Pairs with which the interval would be narrow enough for the distance between the change seen and the
 * nearer border of the least effect: ((z + z') · noise ÷ distance)², at least what the test needs.
 * @returns null where the noise is not known, or a thousand would not do
 */
function neededPairs(effect: Effect, rule: EffectRule, fewest: number): number | null {
  if (effect.n < 2) return fewest;
  const inUnits = effect.scale === 'relative' ? Math.log1p : (value: number) => value;
  const distance = Math.abs(Math.abs(inUnits(effect.value)) - inUnits(rule.minimumEffect));
  const doubt = SIGNIFICANCE / Math.max(1, rule.familySize);
  const reach = normalQuantile(1 - doubt) + normalQuantile(2 * WANTED_POWER - 1);
  const pairs = Math.ceil(((reach * inUnits(effect.noise)) / distance) ** 2);
  return pairs <= MOST_PAIRS_NEEDED ? Math.max(fewest, effect.n + 1, pairs) : null;
}

function direction(difference: number, orientation: Orientation): Change {
  if (orientation === 'neutral') return 'changed';
  return difference > 0 === (orientation === 'higher') ? 'better' : 'worse';
}
