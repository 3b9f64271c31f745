// Aim: a series sums by second, fills gaps with zeros, and stops to grow at its bound.
import { expect, test } from 'vitest';
import { MAX_SERIES_SECONDS, SecondSeries } from '../../../src/capacity/second-series.ts';

test('units of one second are added up and seconds without any are zero', () => {
  const series = new SecondSeries();
  series.add(0, 1);
  series.add(3, 2);
  series.add(3, 0.5);
  expect(series.toArray(5)).toEqual([1, 0, 0, 2.5, 0]);
  expect(series.total).toBe(3.5);
});

test('a shorter reading is cut', () => {
  const series = new SecondSeries();
  for (let second = 0; second < 100; second++) series.add(second, second);
  expect(series.toArray(3)).toEqual([0, 1, 2]);
});

test('seconds beyond the bound are left out', () => {
  const series = new SecondSeries();
  series.add(MAX_SERIES_SECONDS - 1, 7);
  series.add(MAX_SERIES_SECONDS, 9);
  expect(series.total).toBe(7);
  expect(series.toArray(MAX_SERIES_SECONDS + 10)).toHaveLength(MAX_SERIES_SECONDS);
});
