// Aim: the throughput model gives the figures that are known from AWS's own examples or follow from them by
// arithmetic. Method: load at exact moments over minutes of virtual time, straight against the model.
import { describe, expect, test } from 'vitest';
import { HASH_RANGE, keyPosition, placementSalt } from '../../src/capacity/placement.ts';
import { buildThroughput, keysOf, modelWith, offer, warmFor } from '../support/throughput.ts';

describe('a single key on a warm table', () => {
  test('gets 985–1,015 of 1,500 writes a second over a minute, the rest is key-range throttled', () => {
    const table = buildThroughput({ start: warmFor(20) });
    const { accepted, refused } = offer(table, { keys: keysOf(table, 1), ratePerSec: 1_500, seconds: 60 });
    expect(accepted / 60).toBeGreaterThanOrEqual(985);
    expect(accepted / 60).toBeLessThanOrEqual(1_015);
    expect(table.observe().write.throttledByLimit).toEqual({
      Account: 0,
      MaxOnDemand: 0,
      Provisioned: 0,
      KeyRange: refused,
    });
    expect(table.reasons(8, 'Write')[0]?.reason).toBe('TableWriteKeyRangeThroughputExceeded');
  });

  test('gets 3,000 of 4,000 strong reads a second', () => {
    const table = buildThroughput({ start: warmFor(20) });
    const load = { keys: keysOf(table, 1), ratePerSec: 4_000, seconds: 60, operation: 'Read' } as const;
    expect(Math.abs(offer(table, load).accepted / 60 - 3_000)).toBeLessThanOrEqual(30);
  });
});

test('a single key gets 4,500 eventually consistent read units a second in the preset optimistic', () => {
  const table = buildThroughput({ start: warmFor(20), model: modelWith({ eventualReadFactor: 1.5 }) });
  const load = { keys: keysOf(table, 1), ratePerSec: 6_000, seconds: 60, operation: 'Read' } as const;
  expect(Math.abs(offer(table, { ...load, isEventual: true }).accepted / 60 - 4_500)).toBeLessThanOrEqual(45);
});

describe('60 provisioned write units hit by 3,600 writes in one second', () => {
  const billing = { mode: 'provisioned', readUnits: 60, writeUnits: 60 } as const;

  test('are mostly throttled although the minute averages 60 a second', () => {
    const table = buildThroughput({ billing });
    const { accepted } = offer(table, { keys: keysOf(table, 100), ratePerSec: 3_600, seconds: 1 });
    // One second in the bank, one that flows in.
    expect(accepted).toBe(120);
    expect(table.observe().write.throttledByLimit).toMatchObject({ Provisioned: 3_480, KeyRange: 0 });
  });

  test('with a full bank pass the table and fail on its one partition', () => {
    const table = buildThroughput({ billing, model: modelWith({ bankStart: 'full' }) });
    const { refused } = offer(table, { keys: keysOf(table, 100), ratePerSec: 3_600, seconds: 1 });
    // 500 saved and 1,000 that flow in.
    expect(refused).toBe(2_100);
    expect(table.observe().write.throttledByLimit).toMatchObject({ Provisioned: 0, KeyRange: 2_100 });
  });
});

describe('1,000 provisioned write units at 1,300 writes a second, spread over 4 partitions', () => {
  const billing = { mode: 'provisioned', readUnits: 1_000, writeUnits: 1_000 } as const;
  const tableWith = (bankStart: 'spent' | 'full') =>
    buildThroughput({ billing, start: warmFor(4), model: modelWith({ bankStart, placement: 'even' }) });

  test('lose 23 % with the bank spent, as soon as its last second is gone', () => {
    const table = tableWith('spent');
    table.markMeasured(4_000_000, 60_000_000);
    offer(table, { keys: keysOf(table, 40), ratePerSec: 1_300, seconds: 60 });
    const { requests, throttledRequests } = table.observe().write;
    expect(throttledRequests / (requests + throttledRequests)).toBeCloseTo(300 / 1_300, 3);
  });

  test('lose nothing for 1,000 s with the bank full, and 23 % after', () => {
    const table = tableWith('full');
    table.markMeasured(1_001_000_000, 1_100_000_000);
    const { accepted } = offer(table, { keys: keysOf(table, 40), ratePerSec: 1_300, seconds: 1_100 });
    const { requests, throttledRequests } = table.observe().write;
    expect(throttledRequests / (requests + throttledRequests)).toBeCloseTo(300 / 1_300, 3);
    // 300,000 in the bank drain by 300 a second: full for 1,000 s, then 1,000 a second.
    expect(Math.abs(accepted - (1_000 * 1_300 + 100 * 1_000))).toBeLessThanOrEqual(1);
  });
});

describe('a refusal by the one partition of a provisioned table', () => {
  const refusedOf = (writeUnits: number, bankStart: 'spent' | 'full', ratePerSec = 1_300) => {
    const billing = { mode: 'provisioned', readUnits: 1, writeUnits } as const;
    const table = buildThroughput({ billing, model: modelWith({ bankStart }) });
    offer(table, { keys: keysOf(table, 10), ratePerSec, seconds: 60 });
    const { throttledByLimit, throttledRequests } = table.observe().write;
    return { ...throttledByLimit, all: throttledRequests };
  };

  test('names the provisioned units too where all of them are in use and nothing is saved up', () => {
    const refused = refusedOf(1_000, 'spent');
    expect(refused).toMatchObject({ Provisioned: refused.all, KeyRange: refused.all });
  });

  test('names the partition alone while the table lives on what it saved up', () => {
    const refused = refusedOf(1_000, 'full');
    expect(refused).toMatchObject({ Provisioned: 0, KeyRange: refused.all });
  });

  test('names the partition alone where fewer units are in use than were bought', () => {
    const billing = { mode: 'provisioned', readUnits: 1, writeUnits: 3_000 } as const;
    const table = buildThroughput({ billing, model: modelWith({ placement: 'even' }) });
    const { refused } = offer(table, { keys: keysOf(table, 1), ratePerSec: 1_300, seconds: 60 });
    expect(table.observe().write.throttledByLimit).toMatchObject({ Provisioned: 0, KeyRange: refused });
  });

  test('names the provisioned units alone where those are fewer than a partition gives', () => {
    const refused = refusedOf(600, 'spent', 900);
    expect(refused).toMatchObject({ Provisioned: refused.all, KeyRange: 0 });
  });
});

test.each([
  { idleSeconds: 300, lasts: 900 },
  { idleSeconds: 100, lasts: 300 },
])(
  '150 read units idle for $idleSeconds s then carry 200 a second for $lasts s',
  ({ idleSeconds, lasts }) => {
    const billing = { mode: 'provisioned', readUnits: 150, writeUnits: 1 } as const;
    // The bank starts empty but for the one second that every start has; it is spent first.
    const table = buildThroughput({ billing });
    const key = table.keyState('S:STATUS#PENDING#0');
    table.spendRead(key, 150, 0, false);
    let firstRefusalSecond: number | undefined;
    for (let request = 0; request < 200 * (lasts + 10) && firstRefusalSecond === undefined; request++) {
      const atUs = idleSeconds * 1_000_000 + request * 5_000;
      if (table.failingRead(key, atUs) === 0) table.spendRead(key, 1, atUs, false);
      else firstRefusalSecond = atUs / 1_000_000 - idleSeconds;
    }
    // Each second takes 50 more than flows in: 45,000 ÷ 50 = 900 s.
    expect(Math.abs((firstRefusalSecond ?? 0) - lasts)).toBeLessThanOrEqual(1);
  },
);

test('adaptive capacity: four partitions of 400 write units take 150 a second on one and 50 on the others', () => {
  const billing = { mode: 'provisioned', readUnits: 1, writeUnits: 400 } as const;
  const table = buildThroughput({ billing, start: warmFor(4), model: modelWith({ placement: 'even' }) });
  const keys = keysOf(table, 4);
  const hot = keys.slice(0, 1);
  const { refused } = offer(table, { keys: [...keys, ...hot, ...hot], ratePerSec: 300, seconds: 600 });
  expect(refused).toBe(0);
});

test('a new on-demand table takes 4,000 writes a second when they are spread evenly', () => {
  const table = buildThroughput({ model: modelWith({ placement: 'even' }) });
  expect(offer(table, { keys: keysOf(table, 40), ratePerSec: 4_000, seconds: 30 }).refused).toBe(0);
});

test('five shards on four partitions always share one', () => {
  for (let index = 0; index < 200; index++) {
    const table = buildThroughput({ salt: placementSalt(7, index) });
    const partitions = new Set(keysOf(table, 5).map((key) => key.partition));
    expect(partitions.size).toBeLessThan(5);
  }
});

describe('shards on partitions', () => {
  /** Shards on the fullest partition, over 1,000 placements of one seed. */
  const fullest = (shards: number, partitions: number): number[] =>
    Array.from({ length: 1_000 }, (_, index) => {
      const salt = placementSalt(7, index);
      const counts = Array.from({ length: partitions }, () => 0);
      for (let shard = 0; shard < shards; shard++) {
        const place = keyPosition(`S:STATUS#PENDING#${shard}`, salt) / HASH_RANGE;
        const partition = Math.floor(place * partitions);
        counts[partition] = (counts[partition] ?? 0) + 1;
      }
      return Math.max(...counts);
    });

  test.each([
    { shards: 20, partitions: 4, mean: 7.4 },
    { shards: 20, partitions: 20, mean: 3.2 },
    { shards: 64, partitions: 20, mean: 6.9 },
  ])(
    '$shards shards on $partitions partitions: the fullest holds $mean on average',
    ({ shards, partitions, mean }) => {
      const counts = fullest(shards, partitions);
      const found = counts.reduce((sum, count) => sum + count, 0) / counts.length;
      expect(Math.abs(found - mean)).toBeLessThanOrEqual(0.1);
    },
  );

  test.each([
    { partitions: 4, ratio: 0.21 },
    { partitions: 20, ratio: 0.98 },
  ])(
    '10 shards of 300 writes a second fit on $partitions partitions in $ratio of placements',
    ({ partitions, ratio }) => {
      // Three shards make 900, four make 1,200 and do not fit.
      const fitting = fullest(10, partitions).filter((count) => count <= 3).length / 1_000;
      // The standard deviation of a share over 1,000 placements is at most √(0.21 × 0.79 ÷ 1,000) = 0.013.
      expect(Math.abs(fitting - ratio)).toBeLessThanOrEqual(0.03);
    },
  );
});
