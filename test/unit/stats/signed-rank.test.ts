// Aim: the test and the estimate give the values of the books. Method: published examples, small samples counted
// out by hand, and the exact distribution against its normal limit.
import { describe, expect, test } from 'vitest';
import {
  fewestPairs,
  hodgesLehmann,
  leastPValue,
  signedRank,
  walshAverages,
} from '../../../src/stats/signed-rank.ts';

describe('signedRank', () => {
  test('finds in Darwin’s fifteen pairs of plants what the books say: 24 against 96, p = 0.0413', () => {
    const heights = [6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75];
    const { positiveRanks, n, pValue } = signedRank(heights);
    expect(positiveRanks).toBe(96);
    expect(n).toBe(15);
    expect(pValue).toBe(0.041259765625);
  });

  test.each([
    // Of 2^n equally likely signs, those with a sum of ranks at most as small, twice.
    ['three of one sign', [1, 2, 3], 2 / 8],
    ['six of one sign', [1, 2, 3, 4, 5, 6], 2 / 64],
    ['the smallest of four against the rest', [-1, 2, 3, 4], (2 * 2) / 16],
    ['as many ranks on both sides', [1, -2, -3, 4], 1],
    ['ties, which share their rank: 1.5, 1.5 and 3', [1, -1, 2], (2 * 3) / 8],
    ['no difference at all', [0, 0, 0], 1],
    ['zeros, which do not count', [0, 1, 2, 3, 0], 2 / 8],
  ])('%s', (_, differences, pValue) => {
    expect(signedRank(differences).pValue).toBeCloseTo(pValue, 12);
  });

  test('many pairs: 1.96 standard deviations above the mean sum of ranks are p = 0.05', () => {
    const n = 200;
    // Mean n (n + 1) ÷ 4 = 10,050; standard deviation √(n (n + 1) (2n + 1) ÷ 24) = 819.5.
    let left = Math.round(10_050 + 1.96 * 819.5);
    const differences = Array.from({ length: n }, (_, index) => n - index).map((rank) => {
      if (rank > left) return -rank;
      left -= rank;
      return rank;
    });
    expect(signedRank(differences).pValue).toBeCloseTo(0.05, 3);
  });
});

test.each([
  [0.05, 6],
  [0.05 / 10, 9],
  [0.01, 8],
])('below p = %d the test needs %i pairs at the least', (significance, pairs) => {
  expect(fewestPairs(significance)).toBe(pairs);
  expect(leastPValue(pairs)).toBeLessThanOrEqual(significance);
  expect(leastPValue(pairs - 1)).toBeGreaterThan(significance);
});

describe('hodgesLehmann', () => {
  const once = (values: readonly number[]) =>
    hodgesLehmann(walshAverages(values), new Uint32Array(values.length).fill(1));

  test.each([
    ['one value', [7], 7],
    ['two values: 1, 2 and 3', [1, 3], 2],
    ['three: 1, 1.5, 2.5, 2, 3, 4 in order, the middle of 2 and 2.5', [1, 2, 4], 2.25],
    ['one wild value of five moves it little', [1, 1, 1, 1, 1_000], 1],
  ])('%s', (_, values, middle) => {
    expect(once(values)).toBe(middle);
  });

  test('a resample told by its copies is the sample that it stands for', () => {
    const values = [5, 1, 4, 9];
    expect(hodgesLehmann(walshAverages(values), [2, 0, 3, 1])).toBe(once([5, 5, 4, 4, 4, 9]));
  });
});
