// Aim: a change is told from noise by stated rules, and what cannot be told is said so. Method: hand-made
// samples around each border, known values for Holm, and a bootstrap against the whole list of its resamples.
import { describe, expect, test } from 'vitest';
import { streamKey } from '../../../src/prng.ts';
import {
  adjustByHolm,
  bootstrapInterval,
  compareExact,
  type Effect,
  judgeEffect,
  measureEffect,
  standingOf,
} from '../../../src/stats/compare-samples.ts';
import { hodgesLehmann, walshAverages } from '../../../src/stats/signed-rank.ts';

const stream = streamKey(1, 'test');
const rule = { orientation: 'lower', minimumEffect: 0.05, familySize: 1 } as const;

describe('compareExact', () => {
  test.each([
    ['equal is the same', 5, 5, 'lower', 0, 'same'],
    ['more of what should be low is worse', 5, 6, 'lower', 0, 'worse'],
    ['less of what should be low is better', 5, 4, 'lower', 0, 'better'],
    ['less of what should be high is worse', 5, 4, 'higher', 0, 'worse'],
    ['neither good nor bad is changed', 5, 4, 'neutral', 0, 'changed'],
    ['the last bit counts', 0.1 + 0.2, 0.3, 'lower', 0, 'better'],
    ['within the tolerance is the same', 100, 101, 'lower', 0.01, 'same'],
    ['beyond the tolerance is not', 100, 102, 'lower', 0.01, 'worse'],
  ] as const)('%s', (_, before, after, orientation, toleranceRatio, change) => {
    expect(compareExact(before, after, { orientation, toleranceRatio })).toBe(change);
  });
});

describe('measureEffect', () => {
  test('a change by the same factor in all pairs is that factor, without doubt', () => {
    const before = [10, 20, 30, 40, 50, 60];
    const effect = measureEffect({ before, after: before.map((value) => value * 1.3) }, 'relative', stream);
    expect(effect?.value).toBeCloseTo(0.3, 10);
    expect(effect?.lo).toBeCloseTo(0.3, 10);
    expect(effect?.hi).toBeCloseTo(0.3, 10);
    expect(effect).toMatchObject({ scale: 'relative', n: 6, pValue: 2 / 64 });
  });

  test('shares differ by points, also from zero', () => {
    const effect = measureEffect({ before: [0, 0], after: [0.01, 0.03] }, 'absolute', stream);
    expect(effect).toMatchObject({ scale: 'absolute', value: 0.02 });
  });

  test('what is not positive has no ratio', () => {
    expect(measureEffect({ before: [0, 1], after: [1, 1] }, 'relative', stream)?.scale).toBe('absolute');
  });

  test('there are as many pairs as the shorter side has values; without one there is no effect', () => {
    expect(measureEffect({ before: [1, 2, 3], after: [1, 2] }, 'relative', stream)?.n).toBe(2);
    expect(measureEffect({ before: [], after: [1] }, 'relative', stream)).toBeUndefined();
  });

  test('equal streams give equal intervals', () => {
    const samples = { before: [1, 2, 3, 4, 5, 6], after: [1.1, 2.5, 3, 4.4, 4.9, 7] };
    const [first, second] = [1, 1].map(() => measureEffect(samples, 'relative', streamKey(3, 'x')));
    expect(second).toEqual(first);
  });
});

test('the bootstrap agrees with the list of all resamples of four values', () => {
  const values = [1, 2, 4, 9];
  const walsh = walshAverages(values);
  const all: number[] = [];
  for (let code = 0; code < 4 ** 4; code++) {
    const copies = [0, 0, 0, 0];
    for (let draw = 0; draw < 4; draw++) (copies[Math.floor(code / 4 ** draw) % 4] as number)++;
    all.push(hodgesLehmann(walsh, copies));
  }
  all.sort((a, b) => a - b);
  const [lo, hi] = bootstrapInterval(4, (copies) => hodgesLehmann(walsh, copies), stream);
  // 2.5 % of 256 resamples are six; two thousand draws miss the border by a few resamples at the most.
  expect(lo).toBeGreaterThanOrEqual(all[2] ?? 0);
  expect(lo).toBeLessThanOrEqual(all[12] ?? 0);
  expect(hi).toBeGreaterThanOrEqual(all[243] ?? 0);
  expect(hi).toBeLessThanOrEqual(all[253] ?? 0);
});

test('Holm: each p-value times the number of those not yet rejected, never falling', () => {
  const adjusted = adjustByHolm([0.01, 0.04, 0.03, 0.005]);
  expect(adjusted.map((value) => Number(value.toFixed(10)))).toEqual([0.03, 0.06, 0.06, 0.02]);
  expect(adjustByHolm([0.6, 0.9])).toEqual([1, 1]);
  expect(adjustByHolm([])).toEqual([]);
});

function effectOf(given: Partial<Effect>): Effect {
  return { scale: 'relative', value: 0.1, lo: 0.08, hi: 0.12, n: 10, pValue: 0.002, noise: 0.05, ...given };
}

describe('judgeEffect', () => {
  test.each([
    ['sure and beyond the least effect is worse', {}, 0.002, 'worse'],
    ['the other way round is better', { value: -0.1, lo: -0.12, hi: -0.08 }, 0.002, 'better'],
    [
      'sure but not wholly beyond it cannot be told',
      { value: 0.06, lo: 0.04, hi: 0.08 },
      0.002,
      'inconclusive',
    ],
    ['beyond it but not sure among so many cannot be told', {}, 0.2, 'inconclusive'],
    ['wholly within it is the same, however sure', { value: 0.02, lo: 0.01, hi: 0.03 }, 0.002, 'same'],
    ['across both borders cannot be told', { value: 0, lo: -0.2, hi: 0.2 }, 0.9, 'inconclusive'],
    ['five pairs that agree are too few', { value: 0, lo: -0.01, hi: 0.01, n: 5 }, 0.5, 'inconclusive'],
    ['equal in every pair is the same, even once', { value: 0, lo: 0, hi: 0, n: 1, noise: 0 }, 1, 'same'],
    ['one pair that differs cannot be told', { lo: 0.1, hi: 0.1, n: 1, noise: 0 }, 1, 'inconclusive'],
  ])('%s', (_, given, adjusted, change) => {
    expect(judgeEffect(effectOf(given), adjusted, rule).change).toBe(change);
  });

  test('of what is neither good nor bad a sure change is just a change', () => {
    expect(judgeEffect(effectOf({}), 0.002, { ...rule, orientation: 'neutral' }).change).toBe('changed');
  });

  test('says how many pairs would do: more where noise is larger, none where nothing helps', () => {
    const needed = (noise: number, value = 0.1) =>
      judgeEffect(effectOf({ value, lo: 0, hi: 0.2, n: 6, noise }), 0.06, rule).pairsNeeded;
    // ((1.96 + 0.84) · 0.1 ÷ 0.047)² with logarithms of noise, change and least effect
    expect(needed(0.1)).toBe(33);
    expect(needed(0.02)).toBe(7);
    expect(needed(0.2)).toBeGreaterThan(needed(0.1) ?? 0);
    expect(needed(0.1, 0.0501)).toBeNull();
  });

  test('a single pair needs what the test needs, and more where more is judged together', () => {
    const one = effectOf({ n: 1, noise: 0 });
    expect(judgeEffect(one, 1, rule)).toMatchObject({
      reason: 'one repeat does not show how much repeats differ',
      pairsNeeded: 6,
    });
    expect(judgeEffect(one, 1, { ...rule, familySize: 20 }).pairsNeeded).toBe(10);
  });
});

describe('standingOf a limit', () => {
  test.each([
    ['wholly above 5 %', { side: 'above', limit: 0.05 }, 'beyond'],
    ['wholly at or below 12 %', { side: 'above', limit: 0.12 }, 'within'],
    ['across 10 %', { side: 'above', limit: 0.1 }, 'unclear'],
    ['not below −5 %', { side: 'below', limit: -0.05 }, 'within'],
    ['below 20 %', { side: 'below', limit: 0.2 }, 'beyond'],
  ] as const)('an interval from 8 to 12 %% is %s', (_, limit, standing) => {
    expect(standingOf(effectOf({}), 0.01, limit)).toBe(standing);
  });

  test('equal in every pair keeps every limit but one that asks for a change', () => {
    const unchanged = effectOf({ value: 0, lo: 0, hi: 0, noise: 0, n: 1 });
    expect(standingOf(unchanged, 1, { side: 'above', limit: 0 })).toBe('within');
    expect(standingOf(unchanged, 1, { side: 'above', limit: -0.05 })).toBe('beyond');
  });
});
