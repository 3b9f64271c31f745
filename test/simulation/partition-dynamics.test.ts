// Aim: partitions split for heat and for size and grow with new peaks when the rules say so, and not before;
// nothing is lost, minted or merged on the way. Method: exact rates over minutes of virtual time, straight
// against the throughput model; moments follow from its constants: hot for 180 s, split 300 s later.
import { describe, expect, test } from 'vitest';
import { capacityModels } from '../../src/capacity/capacity-model.ts';
import type { KeyState } from '../../src/capacity/key-state.ts';
import type { ResourceThroughput } from '../../src/capacity/resource-throughput.ts';
import { US_PER_SECOND } from '../../src/units.ts';
import { attempt, buildThroughput, keysOf, modelWith, warmFor } from '../support/throughput.ts';

interface Offer {
  readonly keys: readonly KeyState[];
  /** Requests a second, each of `units`. */
  readonly ratePerSec: number;
  readonly fromSecond?: number;
  readonly untilSecond: number;
  readonly units?: number;
  readonly operation?: 'Read' | 'Write';
  /** The sort key of a request; default: none is named. */
  readonly sortOf?: (index: number) => string;
}

/** Requests refused in each second, the keys taken in turn. */
function offerOver(table: ResourceThroughput, offer: Offer): number[] {
  const { keys, ratePerSec, fromSecond = 0, untilSecond, units = 1, operation = 'Write', sortOf } = offer;
  const refused = Array.from({ length: untilSecond }, () => 0);
  for (let index = 0; index < (untilSecond - fromSecond) * ratePerSec; index++) {
    const atUs = fromSecond * US_PER_SECOND + Math.floor((index * US_PER_SECOND) / ratePerSec);
    const key = keys[index % keys.length] as KeyState; // The remainder is an index of the list.
    const state = sortOf === undefined ? key : key.asked(sortOf(index));
    if (attempt(table, state, operation, units, atUs) === 0) continue;
    const second = Math.floor(atUs / US_PER_SECOND);
    refused[second] = (refused[second] ?? 0) + 1;
  }
  return refused;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** One partition that is asked for 1,200 write units a second by two keys, with no growth. */
const onePartition = {
  billing: { mode: 'provisioned', readUnits: 1, writeUnits: 1_000 } as const,
  model: modelWith({ bankStart: 'full', placement: 'even' }),
};
const units100 = { ratePerSec: 12, units: 100 };

describe('a partition above 80 % of its ceiling', () => {
  test('is split 180 s + 300 s after it became hot, and then throttles no more', () => {
    const table = buildThroughput(onePartition);
    const refused = offerOver(table, { keys: keysOf(table, 2), ...units100, untilSecond: 900 });
    expect(table.partitionCount).toBe(2);
    expect(table.observe().partitions[1]).toMatchObject({ fromSecond: 480 });
    expect(sum(refused.slice(10, 480))).toBe(2 * 470);
    // What the whole owed is shared out: the halves begin with little, and are served all the same.
    expect(sum(refused.slice(482))).toBe(0);
  });

  test('is not split in runs of less than eight minutes', () => {
    const table = buildThroughput(onePartition);
    offerOver(table, { keys: keysOf(table, 2), ...units100, untilSecond: 480 });
    expect(table.partitionCount).toBe(1);
  });

  test.each([
    { name: 'that cools down for one window begins anew', pauseAt: 100, pauseSeconds: 20, splitAt: 600 },
    { name: 'that nobody asks for a while begins anew', pauseAt: 170, pauseSeconds: 60, splitAt: 710 },
  ])('$name', ({ pauseAt, pauseSeconds, splitAt }) => {
    const table = buildThroughput(onePartition);
    const load = { keys: keysOf(table, 2), ...units100 };
    offerOver(table, { ...load, untilSecond: pauseAt });
    offerOver(table, { ...load, fromSecond: pauseAt + pauseSeconds, untilSecond: splitAt });
    expect(table.partitionCount).toBe(1);
    offerOver(table, { ...load, fromSecond: splitAt, untilSecond: splitAt + 1 });
    expect(table.partitionCount).toBe(2);
  });

  test('is one that uses more than 80 %: at 79 % it is never split', () => {
    const table = buildThroughput(onePartition);
    offerOver(table, { keys: keysOf(table, 2), ratePerSec: 79, units: 10, untilSecond: 1_200 });
    expect(table.partitionCount).toBe(1);
    offerOver(table, {
      keys: keysOf(table, 2),
      ratePerSec: 81,
      units: 10,
      fromSecond: 1_200,
      untilSecond: 1_690,
    });
    expect(table.partitionCount).toBe(2);
  });

  test('may be so by its reads', () => {
    const table = buildThroughput({
      ...onePartition,
      billing: { ...onePartition.billing, readUnits: 3_000 },
    });
    const keys = keysOf(table, 2);
    offerOver(table, { keys, ratePerSec: 25, units: 100, operation: 'Read', untilSecond: 490 });
    expect(table.partitionCount).toBe(2);
  });

  test.each([
    { preset: 'default', splitAt: 480 },
    { preset: 'optimistic', splitAt: 180 },
  ] as const)('splits after $splitAt s in the preset $preset', ({ preset, splitAt }) => {
    const table = buildThroughput({ ...onePartition, model: capacityModels[preset], start: warmFor(1) });
    const keys = keysOf(table, 2);
    offerOver(table, { keys, ...units100, untilSecond: splitAt });
    expect(table.partitionCount).toBe(1);
    offerOver(table, { keys, ...units100, fromSecond: splitAt, untilSecond: splitAt + 1 });
    expect(table.partitionCount).toBe(2);
  });

  test('is never split in the preset pessimistic', () => {
    const table = buildThroughput({ ...onePartition, model: capacityModels.pessimistic });
    offerOver(table, { keys: keysOf(table, 2), ...units100, untilSecond: 2_000 });
    expect(table.partitionCount).toBe(1);
  });

  test('waits as long as its constants say', () => {
    const model = { ...onePartition.model, splitDetectionSeconds: 30, splitDelaySeconds: 15 };
    const table = buildThroughput({ ...onePartition, model });
    offerOver(table, { keys: keysOf(table, 2), ...units100, untilSecond: 60 });
    expect(table.observe().partitions[1]).toMatchObject({ fromSecond: 45 });
  });
});

describe('the cut', () => {
  test('parts the hot key from the rest where it alone makes the partition hot', () => {
    const table = buildThroughput(onePartition);
    const [hot, ...cold] = keysOf(table, 5) as [KeyState, ...KeyState[]];
    // 900 on the hot key, 75 on each of the others.
    const keys = Array.from({ length: 16 }, (_, index) =>
      index < 12 ? hot : cold[index - 12],
    ) as KeyState[];
    offerOver(table, { keys, ratePerSec: 16, units: 75, untilSecond: 1_500 });
    const { partitions } = table.observe();
    const alone = partitions.find(({ isServing, write }) => isServing && write.utilizationRatio > 0.85);
    expect(alone?.write.utilizationRatio).toBeCloseTo(0.9, 2);
    expect(alone?.hashRangeRatio).toBeLessThan(1e-12);
  });

  test('leaves a hot key whole where nothing is known of its sort keys', () => {
    const table = buildThroughput({ ...onePartition, mayCutCollections: true });
    const refused = offerOver(table, { keys: keysOf(table, 1), ...units100, untilSecond: 1_500 });
    expect(sum(refused.slice(1_000))).toBe(2 * 500);
  });

  const scattered = (index: number) => String((index * 7_919) % 10_007).padStart(6, '0');
  const rising = (index: number) => String(index).padStart(9, '0');

  test.each([
    { name: 'goes through a collection whose traffic is scattered', may: true, sortOf: scattered, share: 0 },
    { name: 'does not where its traffic rises with the sort key', may: true, sortOf: rising, share: 1 / 6 },
    { name: 'does not on a table with a local index', may: false, sortOf: scattered, share: 1 / 6 },
    { name: 'does not through a single item', may: true, sortOf: () => 'COUNTER', share: 1 / 6 },
  ])('$name', ({ may, sortOf, share }) => {
    const table = buildThroughput({ ...onePartition, mayCutCollections: may });
    const refused = offerOver(table, { keys: keysOf(table, 1), ...units100, untilSecond: 1_500, sortOf });
    expect(sum(refused.slice(1_000)) / (500 * 12)).toBeCloseTo(share, 2);
  });

  test('goes through the same collection again where its parts are hot still', () => {
    const model = modelWith({ placement: 'even', growsOnDemand: false });
    const table = buildThroughput({ model, mayCutCollections: true });
    const load = { keys: keysOf(table, 1), ratePerSec: 24, units: 100, sortOf: scattered };
    const refused = offerOver(table, { ...load, untilSecond: 1_600 });
    // 2,400 a second: two parts of 1,200 at 480 s, four of 600 from 960 s on.
    expect(sum(refused.slice(482, 960)) / (478 * 24)).toBeCloseTo(1 / 6, 1);
    expect(sum(refused.slice(970))).toBe(0);
    const serving = table.observe().partitions.filter(({ isServing }) => isServing);
    expect(serving.filter(({ write }) => write.utilizationRatio > 0.5)).toHaveLength(4);
    // Reports are about the key, not its parts.
    expect(table.observe().topKeys).toMatchObject([{ key: 'S:STATUS#PENDING#0', demandRatio: 1 }]);
  });
});

describe('growth on demand', () => {
  /** 40 keys on 4 partitions, evenly. */
  const newTable = (constants = {}) =>
    buildThroughput({ model: modelWith({ placement: 'even', ...constants }) });

  test.each([
    { peak: 1_990, count: 4 },
    { peak: 2_010, count: 5 },
    { peak: 3_000, count: 6 },
  ])('a minute at $peak writes a second makes $count partitions of 4', ({ peak, count }) => {
    const table = newTable();
    const keys = keysOf(table, 40);
    offerOver(table, { keys, ratePerSec: peak / 10, units: 10, untilSecond: 360 });
    expect(table.partitionCount).toBe(4);
    offerOver(table, { keys, ratePerSec: peak / 10, units: 10, fromSecond: 360, untilSecond: 361 });
    expect(table.partitionCount).toBe(count);
  });

  test('reads count as writes do, by their own ceiling', () => {
    const table = newTable();
    const load = { keys: keysOf(table, 40), ratePerSec: 90, units: 100, operation: 'Read' } as const;
    offerOver(table, { ...load, untilSecond: 370 });
    // 2 × 9,000 ÷ 3,000
    expect(table.partitionCount).toBe(6);
  });

  test('the previous peak is kept: partitions are never merged', () => {
    const table = newTable();
    const keys = keysOf(table, 40);
    offerOver(table, { keys, ratePerSec: 300, units: 10, untilSecond: 61 });
    offerOver(table, { keys, ratePerSec: 1, fromSecond: 61, untilSecond: 5_000 });
    expect(table.partitionCount).toBe(6);
  });

  test('twice the peak passes at once, more throttles until there are partitions for it', () => {
    const table = newTable({ splitsForHeat: false });
    const keys = keysOf(table, 64);
    // 2,000 a second are half of what four partitions serve: they may double at once.
    offerOver(table, { keys, ratePerSec: 200, units: 10, untilSecond: 120 });
    const doubled = offerOver(table, { keys, ratePerSec: 400, units: 10, fromSecond: 120, untilSecond: 240 });
    expect(sum(doubled)).toBe(0);
    // Minutes at 4,000 make eight partitions, which carry 6,000 a second 300 s later.
    const tripled = offerOver(table, { keys, ratePerSec: 600, units: 10, fromSecond: 240, untilSecond: 700 });
    expect(sum(tripled.slice(250, 470)) / (220 * 600)).toBeGreaterThan(0.3);
    expect(sum(tripled.slice(600))).toBe(0);
  });

  test.each([
    {
      name: 'in the preset pessimistic',
      settings: { model: { ...capacityModels.pessimistic, placement: 'even' as const } },
    },
    {
      name: 'where units are provisioned',
      settings: {
        billing: { mode: 'provisioned', readUnits: 1, writeUnits: 4_000 } as const,
        model: modelWith({ placement: 'even', splitsForHeat: false }),
      },
    },
  ])('there is none $name', ({ settings }) => {
    const table = buildThroughput(settings);
    offerOver(table, { keys: keysOf(table, 40), ratePerSec: 390, units: 10, untilSecond: 1_000 });
    expect(table.partitionCount).toBe(4);
  });

  test('an index grows by itself, whatever its table does', () => {
    const index = buildThroughput({ resource: 'Index', model: modelWith({ placement: 'even' }) });
    offerOver(index, { keys: keysOf(index, 40), ratePerSec: 300, units: 10, untilSecond: 370 });
    expect(index.partitionCount).toBe(6);
  });

  test('the delay is a constant', () => {
    const table = newTable({ growthDelaySeconds: 7 });
    offerOver(table, { keys: keysOf(table, 40), ratePerSec: 300, units: 10, untilSecond: 68 });
    expect(table.observe().partitions.at(-1)).toMatchObject({ fromSecond: 67 });
  });
});

describe('provisioned units', () => {
  const provisioned = (writeUnits: number) => ({ mode: 'provisioned', readUnits: 1, writeUnits }) as const;

  test('split partitions when they are raised above any earlier level, and only then', () => {
    const table = buildThroughput({ billing: provisioned(2_000) });
    const counts = [3_500, 1_000, 3_500, 6_000].map((units, index) => {
      table.setBilling(provisioned(units), { kind: 'new' }, index * US_PER_SECOND);
      return table.partitionCount;
    });
    expect(counts).toEqual([4, 4, 4, 6]);
  });

  test.each([
    { name: '100 make the 4,000 of a new table', everProvisioned: [100], served: 4_000 },
    { name: '8,000 stay 8,000', everProvisioned: [8_000], served: 8_000 },
    { name: '10 that once were 10,000 are 10,000', everProvisioned: [10_000, 10], served: 10_000 },
  ])('switched to on demand: $name', ({ everProvisioned, served }) => {
    const model = modelWith({ placement: 'even' });
    const [first = 0, ...later] = everProvisioned;
    const table = buildThroughput({ billing: provisioned(first), model });
    for (const units of later) table.setBilling(provisioned(units), { kind: 'new' }, 0);
    table.setBilling({ mode: 'on-demand' }, { kind: 'new' }, 0);
    const keys = keysOf(table, 400);
    const refused = offerOver(table, { keys, ratePerSec: served / 10, units: 10, untilSecond: 20 });
    expect(sum(refused)).toBe(0);
    expect(table.partitionCount).toBe(served / 1_000);
  });
});

describe('size', () => {
  const GB = 1024 ** 3;

  test('a partition of more than 10 GB is split, at the middle of its bytes', () => {
    const table = buildThroughput({ ...onePartition });
    const [large, small] = keysOf(table, 2) as [KeyState, KeyState];
    table.addBytes(large, 9 * GB);
    table.addBytes(small, 0.5 * GB);
    offerOver(table, { keys: [small], ratePerSec: 1, untilSecond: 20 });
    expect(table.partitionCount).toBe(1);
    table.addBytes(small, GB);
    offerOver(table, { keys: [small], ratePerSec: 1, fromSecond: 20, untilSecond: 40 });
    expect(table.partitionCount).toBe(2);
  });

  test('what was there before load is spread evenly: 25 GB on one partition make four of it', () => {
    const table = buildThroughput({ ...onePartition });
    table.addBytes(undefined, 25 * GB);
    offerOver(table, { keys: keysOf(table, 1), ratePerSec: 1, untilSecond: 40 });
    // Halves hold 12.5 GB and are split at the next look, quarters hold 6.3.
    expect(table.partitionCount).toBe(4);
  });

  test('one collection of more than 10 GB is not cut where nothing is known of its sort keys', () => {
    const table = buildThroughput({ ...onePartition, mayCutCollections: true });
    const [only] = keysOf(table, 1) as [KeyState];
    table.addBytes(only, 30 * GB);
    offerOver(table, { keys: [only], ratePerSec: 1, untilSecond: 100 });
    // The empty parts before and behind it were cut off, once.
    expect(table.partitionCount).toBeLessThanOrEqual(3);
  });

  describe('of one collection', () => {
    /** Writes of 100 MB each, at sort keys of one collection, until it holds this many GB. */
    function filled(gigabytes: number, sortOf: (index: number) => string, mayCutCollections = true) {
      const table = buildThroughput({ ...onePartition, mayCutCollections });
      const [only] = keysOf(table, 1) as [KeyState];
      for (let index = 0; index < gigabytes * 10; index++) {
        const sort = sortOf(index);
        attempt(table, only.asked(sort), 'Write', 1, index * US_PER_SECOND);
        table.addBytes(only.at(sort), GB / 10);
      }
      return { table, only, untilSecond: gigabytes * 10 };
    }
    const anywhere = (index: number) => String((index * 7_919) % 10_007).padStart(5, '0');
    const bytesOf = (table: ResourceThroughput) => table.partitions.map(({ sizeBytes }) => sizeBytes / GB);

    test('beyond 10 GB is spread over as many partitions as hold it', () => {
      const { table } = filled(42, anywhere);
      const bytes = bytesOf(table).filter((one) => one > 0);
      expect(bytes.length).toBeGreaterThanOrEqual(5);
      expect(Math.max(...bytes)).toBeLessThanOrEqual(10.2);
      expect(sum(bytes)).toBeCloseTo(42);
    });

    test('that grows at its end is cut all the same: a full partition must give way', () => {
      const { table } = filled(42, (index) => String(index).padStart(5, '0'));
      const bytes = bytesOf(table).filter((one) => one > 0);
      expect(bytes.length).toBeGreaterThanOrEqual(5);
      expect(Math.max(...bytes)).toBeLessThanOrEqual(10.2);
    });

    test('gives its parts a ceiling each', () => {
      const { table, only, untilSecond } = filled(19, anywhere);
      expect(bytesOf(table).filter((one) => one > 0)).toHaveLength(2);
      const refused = offerOver(table, {
        keys: [only],
        ratePerSec: 90,
        units: 10,
        fromSecond: untilSecond,
        untilSecond: untilSecond + 60,
        sortOf: anywhere,
      });
      expect(sum(refused)).toBe(0);
      const [first, second] = table.partitions.filter(({ sizeBytes }) => sizeBytes > 0);
      expect((first?.write.units ?? 0) / (second?.write.units ?? 1)).toBeCloseTo(1, 0);
    });

    test('of a table with a local index stays whole', () => {
      const { table } = filled(9.9, anywhere, false);
      expect(bytesOf(table)).toHaveLength(1);
    });

    test('where one item takes all writes is not cut inside', () => {
      const { table } = filled(15, () => 'counter');
      expect(bytesOf(table).filter((one) => one > 0)).toHaveLength(1);
    });
  });
});

test('an index that may fall behind by 10 s absorbs an overload of that much and no more', () => {
  const refusedWith = (indexBacklogSeconds: number) => {
    const index = buildThroughput({
      resource: 'Index',
      start: warmFor(4),
      model: modelWith({ indexBacklogSeconds }),
    });
    return offerOver(index, { keys: keysOf(index, 1), ratePerSec: 20, units: 100, untilSecond: 30 });
  };
  // 1,000 a second too many: the half second of the start lasts half a second, ten seconds more ten more.
  expect(sum(refusedWith(10).slice(0, 10))).toBe(0);
  expect(sum(refusedWith(10).slice(11)) / (19 * 20)).toBeCloseTo(0.5, 1);
  expect(sum(refusedWith(0).slice(1)) / (29 * 20)).toBeCloseTo(0.5, 1);
});

test('whatever splits, units of partitions add up to those of the table, and at any moment all of the hash range is served', () => {
  const table = buildThroughput({ mayCutCollections: true });
  const keys = keysOf(table, 12);
  const scattered = (index: number) => String((index * 7_919) % 10_007);
  offerOver(table, { keys, ratePerSec: 500, units: 10, untilSecond: 1_500, sortOf: scattered });
  const { partitions, write, windowSeconds } = table.observe(1_500 * US_PER_SECOND);
  expect(partitions.length).toBeGreaterThan(8);
  expect(sum(partitions.map((partition) => partition.write.units))).toBe(write.units);
  expect(sum(partitions.map((partition) => partition.write.throttledUnits))).toBe(write.throttledUnits);
  const rates = partitions.map(
    ({ write: use, fromSecond, untilSecond }) =>
      use.utilizationRatio * use.ceilingUnits * (untilSecond - fromSecond),
  );
  expect(sum(rates)).toBeCloseTo(write.units, 3);
  for (let second = 0.5; second < windowSeconds; second++) {
    const serving = partitions.filter((one) => one.fromSecond <= second && second < one.untilSecond);
    expect(sum(serving.map(({ hashRangeRatio }) => hashRangeRatio))).toBeCloseTo(1, 12);
  }
});

test('a split mints nothing: what is granted around it stays below ceilings and what was saved up', () => {
  const table = buildThroughput({
    ...onePartition,
    model: modelWith({ bankStart: 'full', placement: 'even' }),
  });
  const keys = keysOf(table, 2);
  offerOver(table, { keys, ratePerSec: 300, units: 10, untilSecond: 480 });
  const refused = offerOver(table, { keys, ratePerSec: 300, units: 10, fromSecond: 480, untilSecond: 481 });
  // Two ceilings of 1,000; the one partition before had nothing left.
  const granted = 300 - sum(refused);
  expect(granted).toBeGreaterThan(100);
  expect(granted).toBeLessThanOrEqual(201);
});
