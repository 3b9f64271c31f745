// Aim: the stated error rates hold. Method: noise with a known law, drawn from a seeded stream, thousands of
// times: equal things compared with each other raise false alarms no more often than stated, a slowdown that
// is there is found, and a verdict never depends on the order of pairs or on which side is called first.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CounterRandom, streamKey } from '../../../src/prng.ts';
import {
  adjustByHolm,
  type Change,
  type Effect,
  judgeEffect,
  measureEffect,
} from '../../../src/stats/compare-samples.ts';

/** Latencies of repeats: lognormal around `middle`, one in twenty repeats disturbed to 1.5 times as much. */
function repeats(random: CounterRandom, options: { n: number; middle: number; spread: number }): number[] {
  return Array.from({ length: options.n }, () => {
    const normal = Math.sqrt(-2 * Math.log(1 - random.float())) * Math.cos(2 * Math.PI * random.float());
    const disturbed = random.float() < 0.05 ? 1.5 : 1;
    return options.middle * Math.exp(options.spread * normal) * disturbed;
  });
}

interface Setting {
  readonly n: number;
  readonly spread: number;
  readonly factor: number;
  readonly metricCount: number;
}

/** The effects in one comparison of `metricCount` metrics. */
function effectsOf(seed: number, setting: Setting): Effect[] {
  const random = new CounterRandom(streamKey(seed, 'noise'));
  return Array.from({ length: setting.metricCount }, (_, metric) => {
    const before = repeats(random, { ...setting, middle: 10 });
    const after = repeats(random, { ...setting, middle: 10 * setting.factor });
    const effect = measureEffect({ before, after }, 'relative', streamKey(seed, `metric ${metric}`));
    if (effect === undefined) throw new Error('there are pairs');
    return effect;
  });
}

/** The verdicts on effects that are judged together. */
function judgeTogether(effects: readonly Effect[], minimumEffect: number): Change[] {
  const adjusted = adjustByHolm(effects.map((effect) => effect.pValue));
  const rule = { orientation: 'lower', minimumEffect, familySize: effects.length } as const;
  return effects.map((effect, index) => judgeEffect(effect, adjusted[index] ?? 1, rule).change);
}

const isAlarm = (change: Change): boolean => change === 'better' || change === 'worse';

describe('equal things, compared 300 times', () => {
  const comparisons = 300;

  test.each([
    { n: 10, spread: 0.1, metricCount: 1, mostAlarms: 3 },
    { n: 20, spread: 0.1, metricCount: 1, mostAlarms: 3 },
    { n: 20, spread: 0.3, metricCount: 3, mostAlarms: 26 },
  ])(
    '$n repeats of $metricCount metrics, noise $spread',
    ({ mostAlarms, ...setting }) => {
      const all = Array.from({ length: comparisons }, (_, seed) =>
        effectsOf(seed, { ...setting, factor: 1 }),
      );
      const alarms = (minimumEffect: number) =>
        all.filter((effects) => judgeTogether(effects, minimumEffect).some(isAlarm)).length;
      // 5 % of 300 are 15, with a standard deviation of 3.8: 26 are three of them above.
      expect(alarms(0)).toBeLessThanOrEqual(26);
      // Where noise is smaller than that, the least effect of 5 % makes alarms rare.
      expect(alarms(0.05)).toBeLessThanOrEqual(mostAlarms);
    },
    30_000,
  );
});

describe('a slowdown by 30 %, over 20 repeats', () => {
  test.each([0.05, 0.1, 0.15])('with noise of %d is found in nine of ten comparisons', (spread) => {
    const setting = { n: 20, spread, factor: 1.3, metricCount: 1 };
    const verdicts = Array.from(
      { length: 100 },
      (_, seed) => judgeTogether(effectsOf(seed, setting), 0.05)[0],
    );
    expect(verdicts.filter((verdict) => verdict === 'worse').length).toBeGreaterThanOrEqual(90);
    expect(verdicts).not.toContain('better');
  });
});

const pairs = fc.array(
  fc.record({ before: fc.integer({ min: 1, max: 1e6 }), after: fc.integer({ min: 1, max: 1e6 }) }),
  {
    minLength: 1,
    maxLength: 30,
  },
);

test('the interval holds the estimate, and the p-value is a probability', () => {
  fc.assert(
    fc.property(pairs, (rows) => {
      const samples = { before: rows.map((row) => row.before), after: rows.map((row) => row.after) };
      const effect = measureEffect(samples, 'relative', streamKey(1, 'x'));
      expect(effect?.lo).toBeLessThanOrEqual((effect?.value ?? 0) + 1e-9);
      expect(effect?.hi).toBeGreaterThanOrEqual((effect?.value ?? 0) - 1e-9);
      expect(effect?.pValue).toBeGreaterThan(0);
      expect(effect?.pValue).toBeLessThanOrEqual(1);
    }),
    { numRuns: 100 },
  );
});

test('before and after exchanged is the inverse change, as sure', () => {
  fc.assert(
    fc.property(pairs, (rows) => {
      const [before, after] = [rows.map((row) => row.before), rows.map((row) => row.after)];
      const there = measureEffect({ before, after }, 'relative', streamKey(1, 'x'));
      const back = measureEffect({ before: after, after: before }, 'relative', streamKey(1, 'x'));
      expect((1 + (there?.value ?? 0)) * (1 + (back?.value ?? 0))).toBeCloseTo(1, 6);
      expect(back?.pValue).toBeCloseTo(there?.pValue ?? -1, 9);
    }),
    { numRuns: 100 },
  );
});
