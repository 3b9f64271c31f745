// Aim: points by minute keep what statistics need, for as long as they should, and percentiles are within 1.6
// %. Method: values by hand, and latencies of a known distribution.
import { describe, expect, test } from 'vitest';
import { LatencyBuckets } from '../../../../src/simulator/metrics/latency-buckets.ts';
import {
  mergePoints,
  MinuteSeries,
  PERCENTILE_MINUTES,
  quantileOf,
  RETENTION_MINUTES,
} from '../../../../src/simulator/metrics/minute-series.ts';

describe('a series', () => {
  test('keeps sum, count and extremes of each minute', () => {
    const series = new MinuteSeries();
    for (const value of [3, 1, 2]) series.add(7, value);
    series.add(8, 5);
    expect(series.between(0, 100)).toEqual([
      { minute: 7, point: { sum: 6, count: 3, min: 1, max: 3 } },
      { minute: 8, point: { sum: 5, count: 1, min: 5, max: 5 } },
    ]);
  });

  test('takes a late value for an earlier minute, and gives points in order', () => {
    const series = new MinuteSeries();
    for (const minute of [8, 7, 8]) series.add(minute, 1);
    expect(series.between(7, 9).map(({ minute, point }) => [minute, point.sum])).toEqual([
      [7, 1],
      [8, 2],
    ]);
  });

  test('keeps 15 days', () => {
    const series = new MinuteSeries();
    for (let minute = 0; minute < RETENTION_MINUTES + 10; minute++) series.add(minute, 1);
    expect(series.between(0, Infinity)).toHaveLength(RETENTION_MINUTES + 1);
    expect(series.firstMinute).toBe(9);
  });

  test('keeps percentiles of a day, and of older minutes the rest', () => {
    const series = new MinuteSeries();
    for (let minute = 0; minute <= PERCENTILE_MINUTES + 100; minute++)
      for (const us of [1_000, 2_000]) series.addLatency(minute, us);
    const quantileAt = (minute: number) => quantileOf(series.at(minute) ?? mergePoints([]), 1);
    expect(quantileAt(200)).toBe(2);
    expect(quantileAt(10)).toBeUndefined();
    expect(series.at(10)).toMatchObject({ sum: 3, count: 2 });
  });
});

describe('percentiles', () => {
  test.each([0.5, 0.9, 0.99, 0.999])('are within 1.6 %% of the true ones: %d', (quantile) => {
    const buckets = new LatencyBuckets();
    // Every µs from 1 to 200,000 once: the quantile is its own value.
    for (let us = 200_000; us >= 1; us--) buckets.record(us);
    const truth = quantile * 200_000;
    const found = buckets.quantile(quantile);
    expect(found).toBeGreaterThanOrEqual(truth);
    expect(found / truth).toBeLessThan(1.016);
  });

  test('of parts added up are those of the whole', () => {
    const [left, right, whole] = [new LatencyBuckets(), new LatencyBuckets(), new LatencyBuckets()];
    for (let us = 0; us < 5_000_000; us += 997) {
      (us % 2 === 0 ? left : right).record(us);
      whole.record(us);
    }
    left.addAll(right);
    for (const quantile of [0, 0.1, 0.5, 0.99, 1])
      expect(left.quantile(quantile)).toBe(whole.quantile(quantile));
  });

  test('do not pass the extremes', () => {
    const series = new MinuteSeries();
    for (const us of [10_001, 10_002]) series.addLatency(0, us);
    const point = mergePoints(series.between(0, 1).map((each) => each.point));
    expect(quantileOf(point, 1)).toBe(10.002);
    expect(quantileOf(point, 0)).toBe(10.001);
  });

  test('of other metrics are known only where all values are equal', () => {
    expect(quantileOf({ sum: 4, count: 2, min: 2, max: 2 }, 0.99)).toBe(2);
    expect(quantileOf({ sum: 4, count: 2, min: 1, max: 3 }, 0.99)).toBeUndefined();
  });

  test('take latencies beyond an hour as very long ones', () => {
    const buckets = new LatencyBuckets();
    buckets.record(1e12);
    expect(buckets.quantile(0.5)).toBeGreaterThan(4e9);
  });
});
