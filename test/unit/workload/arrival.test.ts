// Aim: arrivals come when the rate says, to the microsecond and to the count, over shapes, stages and
// factors. Method: schedules short enough to write out; counts per stage over an hour; for Poisson, tests of
// fit at fixed seeds.
import { describe, expect, test } from 'vitest';
import { CounterRandom, streamKey } from '../../../src/prng.ts';
import {
  createArrivals,
  highestPerSecond,
  plannedCount,
  type RateShape,
  type Spacing,
  type StageSpan,
  scaleShape,
} from '../../../src/workload/arrival.ts';
import { kolmogorovDistance } from '../../support/goodness-of-fit.ts';

const SECOND = 1_000_000;

interface StageInput {
  seconds: number;
  isMeasured?: boolean;
  rateFactor?: number;
}

/** Stages one after another; measured and at the full rate unless said otherwise. */
function stagesOf(...inputs: readonly StageInput[]): StageSpan[] {
  let startUs = 0;
  return inputs.map(({ seconds, isMeasured = true, rateFactor = 1 }) => {
    const stage = { startUs, endUs: startUs + seconds * SECOND, isMeasured, rateFactor };
    startUs = stage.endUs;
    return stage;
  });
}

function arrivalsOf(shape: RateShape, stages: readonly StageSpan[], spacing: Spacing = 'even', seed = 1) {
  return createArrivals({ shape, spacing, stages, random: new CounterRandom(streamKey(seed, 'arrivals')) });
}

function timesOf(shape: RateShape, stages: readonly StageSpan[]): number[] {
  const arrivals = arrivalsOf(shape, stages);
  const times: number[] = [];
  while (arrivals.next()) times.push(arrivals.atUs);
  return times;
}

function countsOf(
  shape: RateShape,
  stages: readonly StageSpan[],
  spacing: Spacing = 'even',
  seed = 1,
): number[] {
  const arrivals = arrivalsOf(shape, stages, spacing, seed);
  const counts = stages.map(() => 0);
  while (arrivals.next()) (counts[arrivals.stageIndex] as number)++;
  return counts;
}

const constant = (perSecond: number): RateShape => ({ kind: 'constant', perSecond });
const ramp = (fromPerSecond: number, toPerSecond: number): RateShape => ({
  kind: 'ramp',
  fromPerSecond,
  toPerSecond,
});
const steps = (...levels: readonly (readonly [perSecond: number, seconds: number])[]): RateShape => ({
  kind: 'steps',
  steps: levels.map(([perSecond, seconds]) => ({ perSecond, durationUs: seconds * SECOND })),
});

const bursts = (perSecond: number, onSeconds: number, offSeconds: number, basePerSecond = 0): RateShape => ({
  kind: 'bursts',
  perSecond,
  basePerSecond,
  onUs: onSeconds * SECOND,
  offUs: offSeconds * SECOND,
});
const sine = (meanPerSecond: number, amplitudePerSecond: number, seconds: number): RateShape => ({
  kind: 'sine',
  meanPerSecond,
  amplitudePerSecond,
  periodUs: seconds * SECOND,
});
const trace = (...perSecond: readonly number[]): RateShape => ({ kind: 'trace', perSecond });
const moments = (atUs: readonly number[], perMoment = 1): RateShape => ({ kind: 'moments', atUs, perMoment });

describe('even arrivals', () => {
  test.each([
    {
      name: '4/s for a second start at 0 and are a quarter second apart',
      shape: constant(4),
      stages: stagesOf({ seconds: 1 }),
      times: [0, 250_000, 500_000, 750_000],
    },
    {
      name: '3/s are rounded down to whole µs without drifting',
      shape: constant(3),
      stages: stagesOf({ seconds: 2 }),
      times: [0, 333_333, 666_666, 1_000_000, 1_333_333, 1_666_666],
    },
    {
      // expected count 2t²: the k-th arrival at √(k ÷ 2)
      name: 'a ramp from 0 to 8/s over 2 s',
      shape: ramp(0, 8),
      stages: stagesOf({ seconds: 2 }),
      times: [0, 707_106, 1_000_000, 1_224_744, 1_414_213, 1_581_138, 1_732_050, 1_870_828],
    },
    {
      // expected count 4t − t²: the k-th arrival at 2 − √(4 − k)
      name: 'a ramp down to nothing',
      shape: ramp(4, 0),
      stages: stagesOf({ seconds: 2 }),
      times: [0, 267_949, 585_786, 1_000_000],
    },
    {
      name: 'a silent step is skipped and the next arrival opens the step after it',
      shape: steps([2, 1], [0, 1], [2, 1]),
      stages: stagesOf({ seconds: 3 }),
      times: [0, 500_000, 2_000_000, 2_500_000],
    },
    {
      // half an arrival is left over from the first step: it takes 1 ÷ 8 s of the second
      name: 'a fraction of an arrival carries over to the next step',
      shape: steps([1, 1.5], [4, 1]),
      stages: stagesOf({ seconds: 2.5 }),
      times: [0, 1_000_000, 1_625_000, 1_875_000, 2_125_000, 2_375_000],
    },
    {
      name: 'the last step holds to the end of the measured time',
      shape: steps([1, 1], [2, 1]),
      stages: stagesOf({ seconds: 3 }),
      times: [0, 1_000_000, 1_500_000, 2_000_000, 2_500_000],
    },
    {
      name: 'steps that outlast the measured time are cut off',
      shape: steps([1, 1], [2, 100]),
      stages: stagesOf({ seconds: 2 }),
      times: [0, 1_000_000, 1_500_000],
    },
    {
      // 12 × 0.1 is 1.2000000000000002, which puts the seventh a billionth of a µs before 5 s.
      name: 'a time that is whole but for rounding is whole',
      shape: constant(12),
      stages: stagesOf({ seconds: 6, rateFactor: 0.1 }),
      times: [0, 833_333, 1_666_666, 2_500_000, 3_333_333, 4_166_666, 5_000_000, 5_833_333],
    },
    {
      name: 'bursts of 2/s, one second in three',
      shape: bursts(2, 1, 2),
      stages: stagesOf({ seconds: 5 }),
      times: [0, 500_000, 3_000_000, 3_500_000],
    },
    {
      name: 'bursts over a base rate',
      shape: bursts(2, 1, 2, 0.5),
      stages: stagesOf({ seconds: 4 }),
      times: [0, 500_000, 1_000_000, 3_000_000, 3_500_000],
    },
    {
      // expected count 2t + (4 ÷ π)(1 − cos(πt ÷ 2)), found by bisection to 12 digits
      name: 'a wave between 0 and 4/s',
      shape: sine(2, 2, 4),
      stages: stagesOf({ seconds: 4 }),
      times: [0, 386_331, 674_704, 931_624, 1_182_943, 1_449_959, 1_768_418, 2_293_007],
    },
    {
      name: 'a trace of rates, silent after its end',
      shape: trace(2, 0, 1),
      stages: stagesOf({ seconds: 6 }),
      times: [0, 500_000, 2_000_000],
    },
    {
      name: 'timestamps are kept to the µs, several at one moment too',
      shape: moments([17, 400_001, 400_001, 2_999_999]),
      stages: stagesOf({ seconds: 3 }),
      times: [17, 400_001, 400_001, 2_999_999],
    },
    {
      name: 'timestamps beyond the measured time are not due',
      shape: moments([5, 1_000_000]),
      stages: stagesOf({ seconds: 1 }),
      times: [5],
    },
    {
      name: 'timestamps at double rate come twice',
      shape: moments([5, 700_000]),
      stages: stagesOf({ seconds: 1, rateFactor: 2 }),
      times: [5, 5, 700_000, 700_000],
    },
    {
      name: 'timestamps at half rate: every other one comes',
      shape: moments([5, 10, 15, 20], 0.5),
      stages: stagesOf({ seconds: 1 }),
      times: [5, 15],
    },
    { name: 'no rate, no arrivals', shape: constant(0), stages: stagesOf({ seconds: 5 }), times: [] },
    { name: 'no stages, no arrivals', shape: constant(5), stages: [], times: [] },
  ])('$name', ({ shape, stages, times }) => {
    expect(timesOf(shape, stages)).toEqual(times);
  });

  test('sequence and stage are told with each arrival', () => {
    const arrivals = arrivalsOf(constant(1), stagesOf({ seconds: 2 }, { seconds: 1 }));
    const seen: [number, number, number][] = [];
    while (arrivals.next()) seen.push([arrivals.sequence, arrivals.stageIndex, arrivals.atUs]);
    expect(seen).toEqual([
      [0, 0, 0],
      [1, 0, 1_000_000],
      [2, 1, 2_000_000],
    ]);
  });

  test('after the end there is no more', () => {
    const arrivals = arrivalsOf(constant(1), stagesOf({ seconds: 1 }));
    expect([arrivals.next(), arrivals.next(), arrivals.next()]).toEqual([true, false, false]);
  });
});

describe('stages', () => {
  test.each([
    {
      name: 'a warm-up before a ramp holds its first rate',
      shape: ramp(10, 30),
      stages: stagesOf({ seconds: 5, isMeasured: false }, { seconds: 10 }),
      counts: [50, 200],
    },
    {
      name: 'a ramp spans all measured stages together',
      // 10 → 20 → 30 per second: 15 and 25 on average
      shape: ramp(10, 30),
      stages: stagesOf({ seconds: 10 }, { seconds: 10 }),
      counts: [150, 250],
    },
    {
      name: 'a pause between measured stages holds the rate that was reached',
      shape: ramp(0, 20),
      stages: stagesOf({ seconds: 10 }, { seconds: 10, isMeasured: false }, { seconds: 10 }),
      counts: [50, 100, 150],
    },
    {
      name: 'steps run on through stages',
      shape: steps([10, 3], [20, 100]),
      stages: stagesOf({ seconds: 2 }, { seconds: 2 }),
      counts: [20, 30],
    },
    {
      name: 'factors scale a stage, and 0 silences it',
      shape: constant(3_000),
      stages: stagesOf({ seconds: 10, rateFactor: 0.1 }, { seconds: 1, rateFactor: 0 }, { seconds: 1 }),
      counts: [3_000, 0, 3_000],
    },
    {
      // 3 × 0.1 × 10 is 3.0000000000000004 in floating point.
      name: 'a count that is whole but for rounding is whole',
      shape: constant(3),
      stages: stagesOf({ seconds: 10, rateFactor: 0.1 }, { seconds: 1 }),
      counts: [3, 3],
    },
    {
      name: 'a warm-up before a wave has its mean, and whole periods have it as well',
      shape: sine(100, 80, 10),
      stages: stagesOf({ seconds: 5, isMeasured: false }, { seconds: 20 }),
      counts: [500, 2_000],
    },
    {
      // The rising half has 2 × 80 × 10 ÷ 2π = 254.65 more than its mean of 500, the falling one as many fewer.
      name: 'half a period of a wave by its exact integral',
      shape: sine(100, 80, 10),
      stages: stagesOf({ seconds: 5 }, { seconds: 5 }),
      counts: [755, 245],
    },
    {
      name: 'a warm-up before bursts has the rate of a burst, and bursts run on through stages',
      shape: bursts(100, 2, 3, 10),
      stages: stagesOf({ seconds: 1, isMeasured: false }, { seconds: 4 }, { seconds: 4 }),
      counts: [100, 220, 220],
    },
    {
      name: 'a warm-up before timestamps has as many a second as their first second',
      shape: moments([1, 2, 3, 1_500_000]),
      stages: stagesOf({ seconds: 4, isMeasured: false }, { seconds: 2 }),
      counts: [12, 4],
    },
    {
      name: 'a day of waves',
      shape: sine(10, 10, 3_600),
      stages: stagesOf({ seconds: 86_400 }),
      counts: [864_000],
    },
    {
      name: 'an hour of 3,000/s after a warm-up of a third of it',
      shape: constant(3_000),
      stages: stagesOf({ seconds: 10, isMeasured: false, rateFactor: 1 / 3 }, { seconds: 3_600 }),
      counts: [10_000, 10_800_000],
    },
  ])('$name', ({ shape, stages, counts }) => {
    expect(countsOf(shape, stages)).toEqual(counts);
    expect(stages.map((_, stageIndex) => plannedCount(shape, stages, stageIndex))).toEqual(counts);
  });
});

describe('Poisson arrivals', () => {
  const stages = stagesOf({ seconds: 5, isMeasured: false }, { seconds: 40 });

  test.each([
    { name: 'constant', shape: constant(500), expected: [2_500, 20_000] },
    { name: 'ramp', shape: ramp(100, 900), expected: [500, 20_000] },
    { name: 'steps', shape: steps([0, 10], [1_000, 10], [500, 20]), expected: [0, 20_000] },
    { name: 'bursting', shape: bursts(900, 4, 6, 100), expected: [4_500, 16_800] },
    { name: 'waving', shape: sine(500, 500, 8), expected: [2_500, 20_000] },
    { name: 'traced', shape: trace(...new Array<number>(40).fill(300)), expected: [1_500, 12_000] },
  ])('a $name rate: counts lie within four deviations at twenty seeds', ({ shape, expected }) => {
    for (let seed = 1; seed <= 20; seed++) {
      for (const [stageIndex, count] of countsOf(shape, stages, 'poisson', seed).entries()) {
        const wanted = expected[stageIndex] as number;
        expect(Math.abs(count - wanted)).toBeLessThanOrEqual(4 * Math.sqrt(wanted));
      }
    }
  });

  test.each([1, 2, 3])('gaps of a constant rate are exponential at seed %d', (seed) => {
    const arrivals = arrivalsOf(constant(1_000), stagesOf({ seconds: 20 }), 'poisson', seed);
    const gaps: number[] = [];
    // Times are rounded down to whole µs: half a µs in the middle of 1,000 keeps the distance far below the
    // limit.
    for (let before = 0; arrivals.next(); before = arrivals.atUs) gaps.push(arrivals.atUs - before);
    expect(kolmogorovDistance(gaps, (us) => 1 - Math.exp(-(us + 0.5) / 1_000))).toBeLessThan(2.7);
  });

  test.each([4, 5])('arrivals under a ramp are spread as its integral at seed %d', (seed) => {
    const arrivals = arrivalsOf(ramp(0, 2_000), stagesOf({ seconds: 20 }), 'poisson', seed);
    const times: number[] = [];
    while (arrivals.next()) times.push(arrivals.atUs / (20 * SECOND));
    expect(kolmogorovDistance(times, (share) => share ** 2)).toBeLessThan(2.7);
  });

  test.each([4, 5])('arrivals under a wave are spread as its integral at seed %d', (seed) => {
    const arrivals = arrivalsOf(sine(1_000, 1_000, 20), stagesOf({ seconds: 20 }), 'poisson', seed);
    const times: number[] = [];
    while (arrivals.next()) times.push(arrivals.atUs / (20 * SECOND));
    const spread = (share: number) => share + (1 - Math.cos(2 * Math.PI * share)) / (2 * Math.PI);
    expect(kolmogorovDistance(times, spread)).toBeLessThan(2.7);
  });

  test('counts of seconds scatter as much as their mean', () => {
    const arrivals = arrivalsOf(constant(200), stagesOf({ seconds: 400 }), 'poisson', 6);
    const counts = new Array<number>(400).fill(0);
    while (arrivals.next()) (counts[Math.floor(arrivals.atUs / SECOND)] as number)++;
    const variance = counts.reduce((sum, count) => sum + (count - 200) ** 2, 0) / 400;
    // The variance of a variance of 400 samples: ± 4 × 200 × √(2 ÷ 400)
    expect(Math.abs(variance - 200)).toBeLessThan(57);
  });

  test('one seed gives one schedule, another seed another', () => {
    const first = (seed: number) => {
      const arrivals = arrivalsOf(constant(10), stages, 'poisson', seed);
      arrivals.next();
      return arrivals.atUs;
    };
    expect(first(1)).toBe(first(1));
    expect(first(1)).not.toBe(first(2));
  });
});

test.each([
  { shape: constant(10), scaled: constant(1) },
  { shape: ramp(10, 50), scaled: ramp(1, 5) },
  { shape: steps([10, 3], [20, 4]), scaled: steps([1, 3], [2, 4]) },
  { shape: bursts(10, 1, 2, 5), scaled: bursts(1, 1, 2, 0.5) },
  { shape: sine(20, 10, 60), scaled: sine(2, 1, 60) },
  { shape: trace(10, 20), scaled: trace(1, 2) },
  { shape: moments([1, 2]), scaled: moments([1, 2], 0.1) },
])('a tenth of $shape.kind is $scaled', ({ shape, scaled }) => {
  expect(scaleShape(shape, 0.1)).toEqual(scaled);
});

test('the highest rate is that of the fastest moment of all stages', () => {
  const stages = stagesOf({ seconds: 1, isMeasured: false, rateFactor: 2 }, { seconds: 10 });
  expect(highestPerSecond(ramp(10, 15), stages)).toBe(20);
  expect(highestPerSecond(ramp(10, 30), stages)).toBe(30);
});

test.each([
  { name: 'a burst', shape: bursts(50, 1, 100, 5), highest: 50 },
  { name: 'the crest of a wave, within its stage', shape: sine(30, 20, 12), highest: 50 },
  { name: 'a wave that is still rising', shape: sine(30, 20, 120), highest: 40 },
  { name: 'the busiest second of a trace', shape: trace(4, 9, 3), highest: 9 },
  { name: 'the second with most timestamps', shape: moments([5, 1_000_000, 1_999_999]), highest: 2 },
])('the highest rate of $name', ({ shape, highest }) => {
  expect(highestPerSecond(shape, stagesOf({ seconds: 10 }))).toBeCloseTo(highest, 9);
});

test('a negative rate is our bug, since scenarios are validated before', () => {
  expect(() => arrivalsOf(constant(-1), stagesOf({ seconds: 1 }))).toThrow('rates are not negative');
});
