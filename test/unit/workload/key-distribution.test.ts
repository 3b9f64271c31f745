// Aim: keys are drawn with the probabilities that were asked for, with one draw each.
// Method: 200,000 draws at fixed seeds against exact probabilities by chi-square; bounds and edges by hand.
import { describe, expect, test } from 'vitest';
import { DynoLoadError } from '../../../src/errors.ts';
import { CounterRandom, type Random, streamKey } from '../../../src/prng.ts';
import {
  type Distribution,
  exponential,
  gaussian,
  hotspot,
  latest,
  observed,
  sequential,
  uniform,
  weighted,
  zipfian,
} from '../../../src/workload/distribution.ts';
import { hottestShare, pickIndex } from '../../../src/workload/key-distribution.ts';
import { OperationRandom } from '../../../src/workload/operation-random.ts';
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

/** Shares of a density over 0…1, by Simpson's rule with 200 pieces for each key. */
function densityShares(density: (x: number) => number, count: number): number[] {
  const weights = Array.from({ length: count }, (_, index) => {
    let sum = 0;
    for (let piece = 0; piece <= 200; piece++) {
      const factor = piece === 0 || piece === 200 ? 1 : piece % 2 === 1 ? 4 : 2;
      sum += factor * density((index + piece / 200) / count);
    }
    return sum;
  });
  const total = weights.reduce((all, weight) => all + weight, 0);
  return weights.map((weight) => weight / total);
}

function bell(mean: number, deviation: number) {
  return (x: number) => Math.exp(-((x - mean) ** 2) / (2 * deviation ** 2));
}

/** 95 % of e^(−kx) lie on the first tenth where e^(−k ÷ 10) is 5 %: k = 10·ln 20, but for e^−k ≈ 1e-13. */
const DECAY_95_OF_10 = 10 * Math.log(20);

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
    { name: 'a bell over 100', distribution: gaussian(), shares: densityShares(bell(0.5, 0.15), 100) },
    {
      name: 'a narrow bell at the end, cut off',
      distribution: gaussian({ mean: 1, deviation: 0.02 }),
      shares: densityShares(bell(1, 0.02), 50),
    },
    {
      name: 'a wide bell over few keys',
      distribution: gaussian({ mean: 0.2, deviation: 2 }),
      shares: densityShares(bell(0.2, 2), 3),
    },
    {
      name: 'exponential, 95 % on a tenth',
      distribution: exponential(),
      shares: densityShares((x) => Math.exp(-DECAY_95_OF_10 * x), 200),
    },
    {
      name: 'exponential that does not decay',
      distribution: exponential({ share: 0.1, of: 0.1 }),
      shares: zipfShares(0, 30),
    },
    {
      name: 'weights 3 to 1, the second spread over nine',
      distribution: weighted([{ weight: 3 }, { weight: 1, count: 9 }]),
      shares: [0.75, ...new Array<number>(9).fill(0.25 / 9), 0, 0],
    },
    {
      name: 'parts of weight zero, and a rest',
      distribution: weighted([
        { weight: 0, count: 2 },
        { weight: 2 },
        { weight: 0 },
        { weight: 6, count: 'rest' },
      ]),
      shares: [0, 0, 0.25, 0, ...new Array<number>(12).fill(0.75 / 12)],
    },
    {
      name: 'more parts than keys: those that are there share as before',
      distribution: weighted([{ weight: 1 }, { weight: 4, count: 4 }, { weight: 7 }]),
      shares: [1 / 3, 1 / 3, 1 / 3],
    },
    {
      name: 'only keys without weight: all alike',
      distribution: weighted([{ weight: 0, count: 5 }, { weight: 1 }]),
      shares: zipfShares(0, 4),
    },
    {
      name: 'observed shares, the rest even',
      distribution: observed([0.3, 0.2, 0.1]),
      shares: [0.3, 0.2, 0.1, ...new Array<number>(40).fill(0.01)],
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
    hotspot({ share: 0.9, of: 0.3, moveEvery: '1s' }),
    gaussian(),
    gaussian({ mean: 0, deviation: 0.0001 }),
    exponential(),
    exponential({ share: 0.9999, of: 0.0001 }),
    weighted([{ weight: 0.1 }, { weight: 0.2, count: 2 }, { weight: 0, count: 'rest' }]),
    observed([0.1, 0.7]),
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

describe('a hotspot that moves', () => {
  const moving = hotspot({ share: 0.8, of: 0.25, moveEvery: '10s' });

  test.each([
    { atSeconds: 0, first: 0 },
    { atSeconds: 9.999_999, first: 0 },
    { atSeconds: 10, first: 5 },
    { atSeconds: 35, first: 15 },
    { atSeconds: 40, first: 0 },
  ])('is on five of twenty keys from key $first after $atSeconds s', ({ atSeconds, first }) => {
    const random = new OperationRandom(streamKey(1, 'keys'));
    random.dueUs = atSeconds * 1_000_000;
    const seen = new Array<number>(20).fill(0);
    for (let sequence = 0; sequence < DRAWS; sequence++)
      (seen[pickIndex(moving, random.seek(sequence), 20)] as number)++;
    const shares = seen.map((_, key) => (key >= first && key < first + 5 ? 0.16 : 0.2 / 15));
    const { statistic, limit } = chiSquare(
      seen,
      shares.map((share) => share * DRAWS),
    );
    expect(statistic).toBeLessThan(limit);
  });

  test('goes around the end of the keys', () => {
    const random = new OperationRandom(streamKey(1, 'keys'));
    random.dueUs = 30_000_000;
    const all = hotspot({ share: 1, of: 0.3, moveEvery: '10s' });
    const seen = new Set<number>();
    for (let sequence = 0; sequence < 1_000; sequence++) seen.add(pickIndex(all, random.seek(sequence), 10));
    expect([...seen].toSorted((a, b) => a - b)).toEqual([0, 1, 9]);
  });

  test('stands still before load', () => {
    expect(pickIndex(moving, randomOf(0), 20)).toBe(0);
  });
});

// A file in plain JavaScript may hold it.
test.each<[unknown, string]>([
  [
    { distribution: 'zipf' },
    'the distribution "zipf": there is none of that name; there are uniform, zipfian',
  ],
  ['zipf', 'the distribution "zipf": there is none of that name'],
  ['gaussian', 'the distribution "gaussian": a name alone is none'],
  [3, 'the distribution 3: there is none of that name'],
])('the distribution %j is refused, with those that there are', (unknown, message) => {
  const thrown = thrownBy(() => pickIndex(unknown as Distribution, randomOf(0), 5));
  expect(thrown.code).toBe('SCENARIO_INVALID');
  expect(`${thrown.what}: ${thrown.why}`).toContain(message);
});

function thrownBy(action: () => unknown): DynoLoadError {
  try {
    action();
  } catch (error) {
    if (error instanceof DynoLoadError) return error;
  }
  throw new Error('nothing was refused');
}

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
    { name: 'a bell', distribution: gaussian(), count: 101, share: densityShares(bell(0.5, 0.15), 101)[50] },
    {
      name: 'a bell whose middle is cut off',
      distribution: gaussian({ mean: 1, deviation: 0.1 }),
      count: 40,
      share: densityShares(bell(1, 0.1), 40)[39],
    },
    {
      name: 'a bell between two keys',
      distribution: gaussian({ mean: 0.39 }),
      count: 10,
      share: densityShares(bell(0.39, 0.15), 10)[3],
    },
    {
      name: 'exponential',
      distribution: exponential(),
      count: 200,
      share: densityShares((x) => Math.exp(-DECAY_95_OF_10 * x), 200)[0],
    },
    {
      name: 'weights',
      distribution: weighted([{ weight: 3 }, { weight: 5, count: 2 }]),
      count: 9,
      share: 0.375,
    },
    { name: 'weights of none', distribution: weighted([{ weight: 0 }, { weight: 1 }]), count: 1, share: 1 },
    { name: 'observed', distribution: observed([0.1, 0.2]), count: 3, share: 0.7 },
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
  {
    name: 'a hotspot that moves all the time',
    make: () => hotspot({ share: 0.8, of: 0.1, moveEvery: '0s' }),
  },
  { name: 'a bell in percent', make: () => gaussian({ mean: 50, deviation: 15 }) },
  { name: 'a bell without width', make: () => gaussian({ deviation: 0 }) },
  { name: 'less load on the first keys than their number', make: () => exponential({ share: 0.1, of: 0.5 }) },
  { name: 'all load on a part, exponentially', make: () => exponential({ share: 1, of: 0.5 }) },
  { name: 'no weights', make: () => weighted([]) },
  { name: 'weights of zero', make: () => weighted([{ weight: 0 }]) },
  { name: 'a negative weight', make: () => weighted([{ weight: -1 }, { weight: 2 }]) },
  { name: 'half a key', make: () => weighted([{ weight: 1, count: 0.5 }]) },
  {
    name: 'a rest that is not last',
    make: () => weighted([{ weight: 1, count: 'rest' }, { weight: 1 }]),
  },
  { name: 'observed counts in the place of shares', make: () => observed([120, 80]) },
  { name: 'no observed shares', make: () => observed([]) },
  { name: 'a share that is no number', make: () => observed([Number.NaN]) },
])('$name is refused', ({ make }) => {
  expect(make).toThrow('SCENARIO_INVALID');
});
