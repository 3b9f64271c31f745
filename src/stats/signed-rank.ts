// Wilcoxon's signed-rank test and the estimate that belongs to it, Hodges and Lehmann's. Both ask of paired
// samples whether their differences lie around zero, without assuming a shape, and one wild pair moves
// neither far. What the differences mean is the caller's business.
import { normalQuantile } from './confidence.ts';

/**
 * Up to so many differences the null distribution is counted out; above, it is taken as normal, which is then
 * off by less than 0.001.
 */
const EXACT_UP_TO = 100;

/** Wilcoxon's statistic of paired differences, and its p value. */
export interface SignedRank {
  /** Sum of the ranks of the positive differences. */
  readonly positiveRanks: number;
  /** Differences that are not zero; only they count. */
  readonly n: number;
  /** Two-sided: how often differences that lie around zero come out at least as one-sided as these. */
  readonly pValue: number;
}

/**
 * Tests whether differences lie around zero. Ties share their mean rank, and the distribution counted out is
 * that of the ranks as they are, so the p-value is exact with ties too.
 * @see F. Wilcoxon, "Individual Comparisons by Ranking Methods", Biometrics Bulletin 1 (1945)
 */
export function signedRank(differences: readonly number[]): SignedRank {
  const nonZero = differences.filter((difference) => difference !== 0);
  const n = nonZero.length;
  if (n === 0) return { positiveRanks: 0, n, pValue: 1 };
  const ranks = doubledRanks(nonZero.map(Math.abs));
  const total = sum(ranks);
  const positive = sum(ranks.filter((_, index) => (nonZero[index] ?? 0) > 0));
  const smaller = Math.min(positive, total - positive);
  const tail = n <= EXACT_UP_TO ? exactTail(ranks, smaller) : normalTail(ranks, total, smaller);
  return { positiveRanks: positive / 2, n, pValue: Math.min(1, 2 * tail) };
}

/** The least p-value that `n` differences can give: all of one sign. */
export function leastPValue(n: number): number {
  return Math.min(1, 2 ** (1 - n));
}

/** How many differences it takes at the least before the test can give a p-value of `significance` or below. */
export function fewestPairs(significance: number): number {
  return Math.max(1, Math.ceil(1 - Math.log2(significance)));
}

/** Means of all pairs of values (each with itself too), in ascending order, with the pairs they come from. */
export interface WalshAverages {
  readonly averages: Float64Array;
  readonly first: Int32Array;
  readonly second: Int32Array;
}

/** All n · (n + 1) / 2 means of two of `values`. */
export function walshAverages(values: readonly number[]): WalshAverages {
  const pairs: { average: number; first: number; second: number }[] = [];
  values.forEach((value, first) => {
    for (let second = first; second < values.length; second++)
      pairs.push({ average: (value + (values[second] ?? 0)) / 2, first, second });
  });
  pairs.sort((a, b) => a.average - b.average);
  return {
    averages: Float64Array.from(pairs, (pair) => pair.average),
    first: Int32Array.from(pairs, (pair) => pair.first),
    second: Int32Array.from(pairs, (pair) => pair.second),
  };
}

/**
 * Hodges and Lehmann's estimate of the middle of a sample: the median of its Walsh averages.
 * @param copies  how often each value is in the sample; a resample is told by its copies alone, so that its
 *   averages need no sorting
 */
export function hodgesLehmann({ averages, first, second }: WalshAverages, copies: ArrayLike<number>): number {
  let size = 0;
  for (let index = 0; index < copies.length; index++) size += copies[index] as number;
  const pairCount = (size * (size + 1)) / 2;
  const lowerRank = Math.floor((pairCount + 1) / 2);
  const upperRank = Math.floor(pairCount / 2) + 1;
  let seen = 0;
  let lower: number | undefined;
  for (let index = 0; index < averages.length; index++) {
    const a = copies[first[index] as number] as number;
    const b = copies[second[index] as number] as number;
    seen += first[index] === second[index] ? (a * (a + 1)) / 2 : a * b;
    if (lower === undefined && seen >= lowerRank) lower = averages[index] as number;
    if (lower !== undefined && seen >= upperRank) return (lower + (averages[index] as number)) / 2;
  }
  return Number.NaN;
}

/** Twice each value's rank among all, a whole number: ties share the mean of theirs. */
function doubledRanks(values: readonly number[]): number[] {
  const order = values.map((_, index) => index).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
  const ranks = values.map(() => 0);
  for (let from = 0; from < order.length; ) {
    let until = from + 1;
    while (until < order.length && values[order[until] ?? 0] === values[order[from] ?? 0]) until++;
    for (let place = from; place < until; place++) ranks[order[place] ?? 0] = from + 1 + until;
    from = until;
  }
  return ranks;
}

/** P(sum of ranks that got a plus ≤ `limit`), each rank getting one with probability ½. */
function exactTail(ranks: readonly number[], limit: number): number {
  const probabilities = new Float64Array(limit + 1);
  probabilities[0] = 1;
  for (const rank of ranks) {
    for (let total = limit; total >= 0; total--) {
      const withPlus = total >= rank ? (probabilities[total - rank] as number) : 0;
      probabilities[total] = ((probabilities[total] as number) + withPlus) / 2;
    }
  }
  return sum([...probabilities]);
}

/** The same for many ranks: mean ½ Σ r, variance ¼ Σ r², half a step of continuity correction. */
function normalTail(ranks: readonly number[], total: number, limit: number): number {
  const deviation = Math.sqrt(sum(ranks.map((rank) => rank * rank))) / 2;
  const z = Math.max(0, (total / 2 - limit - 1) / deviation);
  return (1 - centralShare(z)) / 2;
}

/** Share of a normal distribution within ±z, by inverting the quantile. */
function centralShare(z: number): number {
  let low = 0;
  let high = 1;
  for (let step = 0; step < 50; step++) {
    const middle = (low + high) / 2;
    if (normalQuantile(middle) < z) low = middle;
    else high = middle;
  }
  return low;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
