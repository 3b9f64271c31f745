// Aim: every figure comes with an interval, and says so when the samples cannot give one.
// Method: textbook samples; intervals checked against their printed or hand-computed ends.
import { describe, expect, test } from 'vitest';
import { momentsOf } from '../../../src/stats/confidence.ts';
import {
  estimateMean,
  estimateProportion,
  estimateQuantile,
  exactEstimate,
} from '../../../src/stats/estimate.ts';
import { LatencyHistogram } from '../../../src/stats/histogram.ts';

const latency = { unit: 'us', orientation: 'lower' } as const;
const ratio = { unit: 'ratio', orientation: 'lower' } as const;

test('a counted value is its own interval', () => {
  expect(exactEstimate(5, 100, ratio)).toEqual({ value: 5, lo: 5, hi: 5, n: 100, ...ratio });
});

describe('estimateMean', () => {
  test('five samples by Student’s t', () => {
    // 1 … 5: mean 3, deviation √2.5; t(4) = 2.776445; reach = 2.776445 × √2.5 ÷ √5 = 1.963243
    const estimate = estimateMean(momentsOf([1, 2, 3, 4, 5]), latency);
    expect(estimate?.value).toBe(3);
    expect(estimate?.lo).toBeCloseTo(3 - 1.963_243, 5);
    expect(estimate?.hi).toBeCloseTo(3 + 1.963_243, 5);
    expect(estimate).not.toHaveProperty('isOpen');
  });

  test('a single sample gives a value and no bounds', () => {
    expect(estimateMean(momentsOf([7]), latency)).toEqual({ ...exactEstimate(7, 1, latency), isOpen: true });
  });

  test('no samples give no estimate', () => {
    expect(estimateMean(momentsOf([]), latency)).toBeUndefined();
  });
});

describe('estimateProportion', () => {
  test.each([
    // z² = 3.841459; 0 of 100: hi = z² ÷ (100 + z²)
    { name: 'none of 100', hits: 0, n: 100, lo: 0, hi: 0.036_995 },
    { name: 'all of 100', hits: 100, n: 100, lo: 0.963_005, hi: 1 },
    { name: '10 of 100', hits: 10, n: 100, lo: 0.055_229, hi: 0.174_366 },
    { name: 'half of 10', hits: 5, n: 10, lo: 0.236_593, hi: 0.763_407 },
  ])('$name', ({ hits, n, lo, hi }) => {
    const estimate = estimateProportion(hits, n, ratio);
    expect(estimate?.value).toBe(hits / n);
    expect(estimate?.lo).toBeCloseTo(lo, 5);
    expect(estimate?.hi).toBeCloseTo(hi, 5);
  });

  test('0 of 0 gives no estimate', () => {
    expect(estimateProportion(0, 0, ratio)).toBeUndefined();
  });
});

describe('estimateQuantile', () => {
  function histogramUpTo(count: number): LatencyHistogram {
    const histogram = new LatencyHistogram();
    for (let us = 1; us <= count; us++) histogram.record(us);
    return histogram;
  }

  test('the median of 1 … 10 lies between the 2nd and the 9th', () => {
    expect(estimateQuantile(histogramUpTo(10), 0.5, latency)).toEqual({
      ...{ value: 5, lo: 2, hi: 9, n: 10 },
      ...latency,
    });
  });

  test('p99 of 100 is open: the true one may lie above all that was seen', () => {
    const estimate = estimateQuantile(histogramUpTo(100), 0.99, latency);
    expect(estimate).toMatchObject({ value: 99, hi: 100, isOpen: true });
  });

  test('nothing recorded gives no estimate', () => {
    expect(estimateQuantile(new LatencyHistogram(), 0.5, latency)).toBeUndefined();
  });
});
