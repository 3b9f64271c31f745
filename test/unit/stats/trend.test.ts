// Aim: a stage that settled is steady, one that did not is transient, and noise alone is not a trend.
// Method: hand-made series, and 2,000 seeded noisy ones to hold the rates of false alarms and of misses.
import { describe, expect, test } from 'vitest';
import { CounterRandom, streamKey } from '../../../src/prng.ts';
import { judgeTrend } from '../../../src/stats/trend.ts';

const repeat = (count: number, rate: (second: number) => number) =>
  Array.from({ length: count }, (_, second) => rate(second));

test.each([
  { name: 'a constant rate is steady', rates: repeat(60, () => 3_000), kind: 'steady' },
  { name: 'no rate at all is steady', rates: repeat(60, () => 0), kind: 'steady' },
  { name: 'alternating rates are steady', rates: repeat(60, (s) => 2 + (s % 2)), kind: 'steady' },
  { name: 'a drift of 4 % is too small to matter', rates: repeat(60, (s) => 1_000 + s), kind: 'steady' },
  {
    name: 'one stalled second is not a trend',
    rates: repeat(60, (s) => (s === 55 ? 0 : 1_000)),
    kind: 'steady',
  },
  {
    name: 'a slow wave is steady',
    rates: repeat(90, (s) => 500 + 200 * Math.sin((2 * Math.PI * s) / 10)),
    kind: 'steady',
  },
  { name: 'a ramp is transient', rates: repeat(60, (s) => 100 + 10 * s), kind: 'transient' },
  { name: 'a falling ramp is transient', rates: repeat(60, (s) => 1_000 - 10 * s), kind: 'transient' },
  {
    name: 'burst that runs out half-way is transient',
    rates: repeat(60, (s) => (s < 30 ? 3_000 : 1_000)),
    kind: 'transient',
  },
  {
    name: 'throttles that begin in the last third are transient',
    rates: repeat(60, (s) => (s < 40 ? 0 : 200)),
    kind: 'transient',
  },
  {
    name: 'a step in nine seconds is transient',
    rates: [10, 10, 10, 10, 20, 20, 20, 20, 20],
    kind: 'transient',
  },
  { name: 'eight seconds are too few to tell', rates: repeat(8, (s) => s), kind: 'unknown' },
])('$name', ({ rates, kind }) => {
  expect(judgeTrend(rates).kind).toBe(kind);
});

test('the means of both thirds are told', () => {
  expect(judgeTrend([1, 1, 1, 5, 5, 5, 9, 9, 9])).toMatchObject({ firstThird: 1, lastThird: 9 });
});

describe('under noise', () => {
  const random = new CounterRandom(streamKey(7, 'trend'));

  /** A nearly normal number: the sum of twelve uniform ones, less six. */
  function normal(): number {
    let sum = -6;
    for (let draw = 0; draw < 12; draw++) sum += random.float();
    return sum;
  }

  /** How many of 2,000 series of `seconds` with this mean and scatter are called transient. */
  function alarms(seconds: number, mean: (second: number) => number, scatter: number): number {
    let count = 0;
    for (let series = 0; series < 2_000; series++) {
      random.seek(series);
      const rates = repeat(seconds, (second) => mean(second) + scatter * normal());
      if (judgeTrend(rates).kind === 'transient') count++;
    }
    return count;
  }

  test.each([
    { seconds: 9, scatter: 300 },
    { seconds: 30, scatter: 300 },
    { seconds: 120, scatter: 800 },
  ])('$seconds steady seconds raise less than 1 % false alarms', ({ seconds, scatter }) => {
    expect(alarms(seconds, () => 1_000, scatter)).toBeLessThan(20);
  });

  test('a rise by half is found in at least 99 % of noisy minutes', () => {
    expect(alarms(60, (second) => 1_000 + (500 * second) / 60, 150)).toBeGreaterThan(1_980);
  });
});
