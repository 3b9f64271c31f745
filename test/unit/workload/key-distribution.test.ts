// Aim: keys are drawn with the probabilities that were asked for, with one draw each.
// Method: 200,000 draws at fixed seeds against exact probabilities by chi-square; bounds and edges by hand.
import { describe, expect, test } from 'vitest';
import { CounterRandom, type Random, streamKey } from '../../../src/prng.ts';
import {
  type Distribution,
  hotspot,
  hottestShare,
  latest,
  pickIndex,
  sequential,
  uniform,
  zipfian,
} from '../../../src/workload/key-distribution.ts';
import { chiSquare } from '../../support/goodness-of-fit.ts';

const DRAWS = 200_000;

function drawsOf(distribution: Distribution | undefined, count: number, seed = 1): number[] {
  const random = new CounterRandom(streamKey(seed, 'keys'));
  const seen = new Array<number>(count).fill(0);
  for (let sequence = 0; sequence < DRAWS; sequence++)
    (seen[pickIndex(distribution, random.seek(sequence), count)] as number)++;
  return seen;
}

function zipfShares(exponent: number, count: number): number[] {
  const weights = Array.from({ length: count }, (_, index) => (index + 1) ** -exponent);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

function hotspotShares(share: number, hot: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) =>
    index < hot ? share / hot : (1 - share) / (count - hot),
  );
}

describe('draws follow the exact probabilities', () => {
  test.each([
    { name: 'absent means uniform', distribution: undefined, shares: zipfShares(0, 100) },
    { name: 'uniform', distribution: uniform(), shares: zipfShares(0, 1_000) },
    { name: 'zipfian 0.99 over 10', distribution: zipfian(), shares: zipfShares(0.99, 10) },
    { name: 'zipfian 0.99 over 5,000', distribution: zipfian(), shares: zipfShares(0.99, 5_000) },
    { name: 'zipfian 0.5 over 1,000', distribution: zipfian(0.5), shares: zipfShares(0.5, 1_000) },
    { name: 'zipfian 1 over 1,000', distribution: zipfian(1), shares: zipfShares(1, 1_000) },
    { name: 'zipfian 1.5 over 1,000', distribution: zipfian(1.5), shares: zipfShares(1.5, 1_000) },
    { name: 'zipfian 3 over 50', distribution: zipfian(3), shares: zipfShares(3, 50) },
    { name: 'zipfian 0 is uniform', distribution: zipfian(0), shares: zipfShares(0, 64) },
    {
      name: 'latest is zipfian from the end',
      distribution: latest(1.2),
      shares: zipfShares(1.2, 300).reverse(),
    },
    {
      name: '80 % on 10 %',
      distribution: hotspot({ share: 0.8, of: 0.1 }),
      shares: hotspotShares(0.8, 10, 100),
    },
    {
      name: '50 % on one of 7',
      distribution: hotspot({ share: 0.5, of: 0.01 }),
      shares: hotspotShares(0.5, 1, 7),
    },
    {
      name: 'all on a quarter',
      distribution: hotspot({ share: 1, of: 0.25 }),
      shares: hotspotShares(1, 5, 20),
    },
    { name: 'hotspot of all keys', distribution: hotspot({ share: 0.3, of: 1 }), shares: zipfShares(0, 20) },
  ])('$name', ({ distribution, shares }) => {
    for (const seed of [1, 2]) {
      const seen = drawsOf(distribution, shares.length, seed);
      const { statistic, limit } = chiSquare(
        seen,
        shares.map((share) => share * DRAWS),
      );
      expect(statistic).toBeLessThan(limit);
    }
  });

  test('two million keys: the hottest has its share and the rest is reached', () => {
    const random = new CounterRandom(streamKey(3, 'keys'));
    const count = 2_000_000;
    let hottest = 0;
    let upperHalf = 0;
    for (let sequence = 0; sequence < DRAWS; sequence++) {
      const index = pickIndex(zipfian(), random.seek(sequence), count);
      if (index === 0) hottest++;
      if (index >= count / 2) upperHalf++;
    }
    const share = hottestShare(zipfian(), count);
    expect(Math.abs(hottest - share * DRAWS)).toBeLessThan(4 * Math.sqrt(share * DRAWS));
    const upperShare = zipfShares(0.99, count)
      .slice(count / 2)
      .reduce((sum, part) => sum + part, 0);
    expect(Math.abs(upperHalf - upperShare * DRAWS)).toBeLessThan(4 * Math.sqrt(upperShare * DRAWS));
  });
});

describe('pickIndex', () => {
  const distributions = [
    undefined,
    uniform(),
    zipfian(),
    zipfian(4),
    latest(),
    sequential(),
    hotspot({ share: 0.9, of: 0.5 }),
    hotspot({ share: 0, of: 0.5 }),
  ];

  test.each(distributions)('%o uses one draw, whatever the count', (distribution) => {
    const nextDraw = (count: number) => {
      const random = new CounterRandom(streamKey(9, 'keys')).seek(5);
      pickIndex(distribution, random, count);
      return random.float();
    };
    const untouched = new CounterRandom(streamKey(9, 'keys')).seek(5);
    untouched.float();
    const second = untouched.float();
    for (const count of [1, 2, 1_000]) expect(nextDraw(count)).toBe(second);
  });

  test.each(distributions)('%o stays inside its keys at the ends of a draw', (distribution) => {
    for (const draw of [0, Number.EPSILON, 0.5, 0.899_999_999_999_999_9, 0.9, 1 - 2 ** -53])
      for (const count of [1, 2, 3, 1_000_003]) {
        const index = pickIndex(distribution, randomOf(draw), count, 17);
        expect(Number.isInteger(index) && index >= 0 && index < count).toBe(true);
      }
  });

  test('sequential goes by the sequence and starts again', () => {
    const random = new CounterRandom(streamKey(1, 'keys'));
    const picked = [0, 1, 2, 3, 4].map((sequence) => pickIndex(sequential(), random.seek(sequence), 3));
    expect(picked).toEqual([0, 1, 2, 0, 1]);
    expect(pickIndex(sequential(), random, 3, 8)).toBe(2);
  });

  test('sequential without a sequence is our bug', () => {
    expect(() => pickIndex(sequential(), randomOf(0), 3)).toThrow('sequential() is picked with');
  });
});

/** Random numbers that always give the same one. */
function randomOf(draw: number): Random {
  const never = () => {
    throw new Error('only float() is drawn');
  };
  return { float: () => draw, int: never, pick: never, uuid: never, id: never };
}

describe('hottestShare', () => {
  test.each([
    { name: 'uniform', distribution: uniform(), count: 50, share: 1 / 50 },
    { name: 'absent', distribution: undefined, count: 50, share: 1 / 50 },
    { name: 'sequential', distribution: sequential(), count: 4, share: 1 / 4 },
    { name: 'zipfian over few', distribution: zipfian(1), count: 3, share: 1 / (1 + 1 / 2 + 1 / 3) },
    { name: 'zipfian over many', distribution: zipfian(), count: 50_000, share: zipfShares(0.99, 50_000)[0] },
    {
      name: 'zipfian 2.5 over many',
      distribution: zipfian(2.5),
      count: 9_999,
      share: zipfShares(2.5, 9_999)[0],
    },
    { name: 'latest', distribution: latest(0.7), count: 20_000, share: zipfShares(0.7, 20_000)[0] },
    { name: 'a hot tenth', distribution: hotspot({ share: 0.8, of: 0.1 }), count: 1_000, share: 0.008 },
    { name: 'a cold spot', distribution: hotspot({ share: 0.1, of: 0.5 }), count: 10, share: 0.18 },
    { name: '7 of 100 keys', distribution: hotspot({ share: 0.7, of: 0.07 }), count: 100, share: 0.1 },
  ])('$name', ({ distribution, count, share }) => {
    expect(hottestShare(distribution, count)).toBeCloseTo(share as number, 10);
  });
});

test('distributions are plain values', () => {
  expect(zipfian()).toEqual({ distribution: 'zipfian', exponent: 0.99 });
  expect(hotspot({ share: 0.8, of: 0.1 })).toEqual({ distribution: 'hotspot', share: 0.8, of: 0.1 });
});

test.each([
  { name: 'a negative exponent', make: () => zipfian(-1) },
  { name: 'an exponent that is no number', make: () => latest(Number.NaN) },
  { name: 'a share in percent', make: () => hotspot({ share: 80, of: 0.1 }) },
  { name: 'a hotspot of no keys', make: () => hotspot({ share: 0.8, of: 0 }) },
])('$name is refused', ({ make }) => {
  expect(make).toThrow('SCENARIO_INVALID');
});
