// Aim: quantiles and ranks are those of the tables. Method: printed values of the normal and Student's
// distribution; ranks found by adding binomial probabilities in full.
import { describe, expect, test } from 'vitest';
import { momentsOf, normalQuantile, quantileRanks, studentQuantile } from '../../../src/stats/confidence.ts';

test.each([
  { confidence: 0.5, z: 0.674_489_750_196 },
  { confidence: 0.95, z: 1.959_963_984_54 },
  { confidence: 0.99, z: 2.575_829_303_549 },
  { confidence: 0.999, z: 3.290_526_731_492 },
])('$confidence of a normal distribution lies within $z deviations', ({ confidence, z }) => {
  expect(normalQuantile(confidence)).toBeCloseTo(z, 9);
});

test.each([
  { confidence: 0.95, degrees: 1, t: 12.706_205 },
  { confidence: 0.95, degrees: 2, t: 4.302_653 },
  { confidence: 0.95, degrees: 5, t: 2.570_582 },
  { confidence: 0.95, degrees: 10, t: 2.228_139 },
  { confidence: 0.99, degrees: 30, t: 2.749_996 },
  { confidence: 0.95, degrees: 100, t: 1.983_972 },
  { confidence: 0.95, degrees: 1_000, t: 1.962_339 },
])('t for $confidence and $degrees degrees of freedom is $t', ({ confidence, degrees, t }) => {
  expect(studentQuantile(confidence, degrees)).toBeCloseTo(t, 5);
});

test.each([
  { samples: [], moments: { n: 0, mean: 0, standardDeviation: 0 } },
  { samples: [4], moments: { n: 1, mean: 4, standardDeviation: 0 } },
  // deviations −3, −1, 4: √(26 ÷ 2)
  { samples: [1, 3, 8], moments: { n: 3, mean: 4, standardDeviation: Math.sqrt(13) } },
])('moments of $samples', ({ samples, moments }) => {
  expect(momentsOf(samples)).toEqual(moments);
});

describe('quantileRanks', () => {
  test.each([
    // Sign test of 10: P(X ≤ 1) = 11/1024 = 1.1 %, P(X ≤ 2) = 5.5 %: ranks 2 and 9.
    { name: 'the median of 10', quantile: 0.5, n: 10, ranks: { lower: 2, upper: 9 } },
    // 0.99^367 = 2.50011 %, 0.99^368 = 2.475 %: from 368 samples on the largest bounds p99.
    { name: 'p99 of 367 has no upper bound', quantile: 0.99, n: 367, ranks: { upper: 368 } },
    { name: 'p99 of 368 is bounded by the largest', quantile: 0.99, n: 368, ranks: { upper: 368 } },
    { name: 'p50 of 3 is not bounded at all', quantile: 0.5, n: 3, ranks: { lower: 0, upper: 4 } },
  ])('$name', ({ quantile, n, ranks }) => {
    expect(quantileRanks(quantile, n, 0.95)).toMatchObject(ranks);
  });

  test.each([
    { quantile: 0.5, n: 399 },
    { quantile: 0.5, n: 401 },
    { quantile: 0.9, n: 1_200 },
    { quantile: 0.99, n: 5_000 },
    { quantile: 0.99, n: 20_000 },
  ])('ranks for quantile $quantile of $n cover 95 % and little more', ({ quantile, n }) => {
    const { lower, upper } = quantileRanks(quantile, n, 0.95);
    const covered = binomialBetween(quantile, n, lower, upper - 1);
    expect(covered).toBeGreaterThan(0.949);
    expect(covered).toBeLessThan(0.966);
  });
});

/** P(from ≤ X ≤ to) for X binomial (n, share), by logarithms of factorials. */
function binomialBetween(share: number, n: number, from: number, to: number): number {
  const logFactorials = [0];
  for (let value = 1; value <= n; value++)
    logFactorials.push((logFactorials[value - 1] as number) + Math.log(value));
  let sum = 0;
  for (let hits = Math.max(0, from); hits <= Math.min(n, to); hits++) {
    const logWays =
      (logFactorials[n] as number) - (logFactorials[hits] as number) - (logFactorials[n - hits] as number);
    sum += Math.exp(logWays + hits * Math.log(share) + (n - hits) * Math.log(1 - share));
  }
  return sum;
}
