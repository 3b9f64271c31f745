// Aim: figures in sentences read well and never lie by rounding. Method: a row per border.
import { expect, test } from 'vitest';
import {
  countOf,
  formatLatency,
  formatNumber,
  formatPercent,
  formatUsd,
  joinNames,
} from '../../../src/analysis/wording.ts';

test.each([
  [0, '0'],
  [3_000, '3,000'],
  [1_234_567.8, '1,234,568'],
  [999.96, '1,000'],
  [99.94, '99.9'],
  [12.34, '12.3'],
  [1.005, '1'],
  [0.1254, '0.125'],
  [-3_000, '-3,000'],
])('the number %d reads %s', (value, text) => {
  expect(formatNumber(value)).toBe(text);
});

test.each([
  [0, '0 %'],
  [0.000001, '<0.01 %'],
  [0.0012, '0.12 %'],
  [0.6667, '66.7 %'],
  [0.9995, '99.95 %'],
  [0.99999, '>99.99 %'],
  [1, '100 %'],
  [1.25, '125 %'],
])('the ratio %d reads %s', (ratio, text) => {
  expect(formatPercent(ratio)).toBe(text);
});

test.each([
  [850, '850 µs'],
  [12_340, '12.3 ms'],
  [1_250_000, '1.25 s'],
])('%d µs read %s', (us, text) => {
  expect(formatLatency(us)).toBe(text);
});

test.each([
  [0, '0.00 USD'],
  [0.0625, '0.0625 USD'],
  [1.275, '1.27 USD'],
  [10_184.3, '10,184 USD'],
])('%d USD read %s', (usd, text) => {
  expect(formatUsd(usd)).toBe(text);
});

test.each([
  [['a'], 'a'],
  [['a', 'b'], 'a and b'],
  [['a', 'b', 'c'], 'a, b and c'],
  [['n=1, how=x', 'n=2, how=x'], 'n=1, how=x and n=2, how=x'],
  [['n=1, how=x', 'n=2, how=x', 'n=2, how=y'], 'n=1, how=x; n=2, how=x; and n=2, how=y'],
])('%j are joined to %s', (names, text) => {
  expect(joinNames(names)).toBe(text);
});

test('one is singular', () => {
  expect([countOf(1, 'shard'), countOf(10, 'shard')]).toEqual(['1 shard', '10 shards']);
});
