// Aim: a bucket refills by the microsecond, admits while it holds anything, and pays off what went below
// zero. Method: rows of calls with the sum beside them.
import { expect, test } from 'vitest';
import { TokenBucket } from '../../../src/capacity/token-bucket.ts';

const bucketOf = (ratePerSec: number, capacity: number, startUnits: number) =>
  new TokenBucket({ ratePerSec, capacity, startUnits });

test.each([
  { name: 'starts with what it is given', start: 500, atUs: 0, units: 500 },
  { name: 'gains a millionth of its rate in a microsecond', start: 0, atUs: 1, units: 0.001 },
  { name: 'gains its rate in a second', start: 0, atUs: 1_000_000, units: 1_000 },
  { name: 'never holds more than its capacity', start: 500, atUs: 3_600_000_000, units: 1_000 },
  { name: 'cuts a start above its capacity', start: 5_000, atUs: 0, units: 1_000 },
])('a bucket of 1,000 units per second $name', ({ start, atUs, units }) => {
  expect(bucketOf(1_000, 1_000, start).unitsAt(atUs)).toBe(units);
});

test('an operation dearer than the bucket runs, and the bucket is closed until it is paid off', () => {
  const bucket = bucketOf(5, 5, 5);
  expect(bucket.hasTokens(0)).toBe(true);
  bucket.spend(10, 0);
  // 5 − 10 = −5 units; at 5 units a second it stands at zero after one second, and zero admits nothing.
  expect(bucket.unitsAt(0)).toBe(-5);
  expect(bucket.hasTokens(1_000_000)).toBe(false);
  expect(bucket.hasTokens(1_000_001)).toBe(true);
});

test('halves of units are exact over a million spends', () => {
  const bucket = bucketOf(0, 1_000_000, 1_000_000);
  for (let count = 0; count < 1_000_000; count++) bucket.spend(0.5, 0);
  expect(bucket.unitsAt(0)).toBe(500_000);
});

test('a moment in the past neither adds nor takes', () => {
  const bucket = bucketOf(1_000, 1_000, 0);
  expect(bucket.unitsAt(500_000)).toBe(500);
  expect(bucket.unitsAt(100_000)).toBe(500);
  expect(bucket.unitsAt(600_000)).toBe(600);
});
