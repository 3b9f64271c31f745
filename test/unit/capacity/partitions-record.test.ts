// Aim: partitions that were recorded are there again: borders, also inside collections, bytes, growth; and go on from
// there. Method: tables that load has split, recorded as JSON text and taken up by a new table of the same settings.
import { describe, expect, test } from 'vitest';
import type { KeyState } from '../../../src/capacity/key-state.ts';
import type { PartitionsRecord } from '../../../src/capacity/partitions-record.ts';
import { placementSalt } from '../../../src/capacity/placement.ts';
import type { ResourceSettings } from '../../../src/capacity/resource-settings.ts';
import type { ResourceThroughput } from '../../../src/capacity/resource-throughput.ts';
import { US_PER_SECOND } from '../../../src/units.ts';
import { attempt, buildThroughput, keysOf, modelWith, warmFor } from '../../support/throughput.ts';

const GB = 1024 ** 3;
const provisioned = { mode: 'provisioned', readUnits: 1, writeUnits: 4_000 } as const;
const cut: Partial<ResourceSettings> = {
  billing: provisioned,
  model: modelWith({ bankStart: 'full', splitDelaySeconds: 0, splitDetectionSeconds: 20 }),
  mayCutCollections: true,
};
const anywhere = (index: number) => String((index * 7_919) % 10_007).padStart(5, '0');

/** Ten writes of 100 units a second on one key; returns those refused. */
function heat(table: ResourceThroughput, key: KeyState, fromSecond: number, untilSecond: number): number {
  let refused = 0;
  for (let index = fromSecond * 12; index < untilSecond * 12; index++) {
    const state = key.asked(anywhere(index));
    if (attempt(table, state, 'Write', 100, Math.floor((index * US_PER_SECOND) / 12)) !== 0) refused++;
  }
  return refused;
}

/** A new table with what another one's record says, as it comes out of a file. */
function takenUp(
  record: PartitionsRecord,
  settings: Partial<ResourceSettings>,
  bytes = 0,
): ResourceThroughput {
  const table = buildThroughput(settings);
  table.addBytes(undefined, bytes);
  table.restorePartitions(JSON.parse(JSON.stringify(record)) as PartitionsRecord, 0);
  return table;
}

const intervals = (table: ResourceThroughput) => table.partitions.map(({ interval }) => interval);

describe('a table whose hot collection was cut', () => {
  const table = buildThroughput(cut);
  const hot = table.keyState('S:hot');
  heat(table, hot, 0, 60);
  table.addBytes(hot.at('00000'), 2 * GB);
  table.addBytes(hot.at('09999'), 3 * GB);
  table.addBytes(table.keyState('S:other'), GB);
  table.addBytes(undefined, GB);
  const record = table.recordPartitions();

  test('has a border inside it', () => {
    expect(record.borders.some(({ sort }) => sort !== '')).toBe(true);
    expect(record.collections.find(({ key }) => key === 'S:hot')?.parts.length).toBeGreaterThan(1);
  });

  test('is there again border by border, with the bytes of each', () => {
    const again = takenUp(record, cut, 7 * GB);
    expect(intervals(again)).toEqual(intervals(table));
    expect(again.recordPartitions()).toEqual(record);
    expect(again.partitions.map(({ sizeBytes }) => sizeBytes)).toEqual(record.bytes);
  });

  test('places keys and parts of the collection where they were', () => {
    const again = takenUp(record, cut);
    const placeOf = (one: ResourceThroughput, key: KeyState) => {
      one.spendWrite(key, 1, 100 * US_PER_SECOND);
      return one.partitions.indexOf(key.partition);
    };
    for (const sort of ['00000', '05003', '09999'])
      expect(placeOf(again, again.keyState('S:hot').at(sort))).toBe(placeOf(table, hot.at(sort)));
    for (const text of ['S:other', 'S:a', 'S:b', 'S:c'])
      expect(placeOf(again, again.keyState(text))).toBe(placeOf(table, table.keyState(text)));
  });

  test('serves the collection at once as it did, and cuts its parts again when they are hot', () => {
    const again = takenUp(record, cut);
    const key = again.keyState('S:hot');
    // The tokens of new partitions last a moment; then each part has its own ceiling.
    expect(heat(again, key, 10, 30)).toBe(0);
    const before = again.partitionCount;
    for (let index = 0; index < 60 * 12; index++)
      attempt(again, key.asked(anywhere(index * 3)), 'Write', 300, 30 * US_PER_SECOND + index * 83_000);
    expect(again.partitionCount).toBeGreaterThan(before);
  });

  test('shares out bytes when a partition taken up is split', () => {
    const again = takenUp(record, { ...cut, model: modelWith({ partitionBytes: 2 * GB }) }, 7 * GB);
    again.advance(100 * US_PER_SECOND);
    const held = again.partitions.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    expect(held / GB).toBeCloseTo(6);
    expect(again.partitionCount).toBeGreaterThan(record.bytes.length);
  });

  test('keeps its collection together under another seed, where other keys fall elsewhere', () => {
    const again = takenUp(record, { ...cut, salt: placementSalt(2) });
    expect(intervals(again)).toEqual(intervals(table));
    expect(again.keyState('S:hot').position).toBe(hot.position);
  });
});

describe('growth', () => {
  /** A new on-demand table that served a peak of 3,000 writes a second. */
  function grown(untilSecond: number) {
    const table = buildThroughput({ model: modelWith({ placement: 'even' }) });
    const keys = keysOf(table, 4);
    for (let index = 0; index < 61 * 30; index++)
      attempt(table, keys[index % 4] as KeyState, 'Write', 100, Math.floor((index * US_PER_SECOND) / 30));
    table.advance(untilSecond * US_PER_SECOND);
    return table;
  }

  test.each([
    ['that is there stays', 400],
    ['that was decided and not there yet is there at once', 61],
  ])('%s', (_, untilSecond) => {
    const again = takenUp(grown(untilSecond).recordPartitions(), {});
    expect(again.partitionCount).toBe(6);
    expect(again.recordPartitions().growsTo).toBe(6);
  });

  test('counts as the previous peak: the same one again adds nothing', () => {
    const again = takenUp(grown(400).recordPartitions(), { model: modelWith({ placement: 'even' }) });
    const keys = keysOf(again, 6);
    for (let index = 0; index < 61 * 30; index++)
      attempt(again, keys[index % 6] as KeyState, 'Write', 100, Math.floor((index * US_PER_SECOND) / 30));
    again.advance(400 * US_PER_SECOND);
    expect(again.partitionCount).toBe(6);
  });
});

test('a table that is made for more partitions than were recorded has as many as it is made for', () => {
  const record = buildThroughput().recordPartitions();
  expect(takenUp(record, { start: warmFor(9) }).partitionCount).toBe(9);
});

test('a key that holds much is known by its bytes again, so that a cut falls beside it', () => {
  const settings = { ...cut, mayCutCollections: false };
  const table = buildThroughput({ ...settings, billing: { ...provisioned, writeUnits: 1 } });
  table.addBytes(table.keyState('S:much'), 9 * GB);
  table.addBytes(table.keyState('S:little'), 0.05 * GB);
  const record = table.recordPartitions();
  expect(record.collections.map(({ key }) => key)).toEqual(['S:much']);
  const again = takenUp(record, { ...settings, billing: { ...provisioned, writeUnits: 1 } }, 9.05 * GB);
  again.addBytes(again.keyState('S:more'), 1.5 * GB);
  again.advance(20 * US_PER_SECOND);
  expect(Math.max(...again.partitions.map(({ sizeBytes }) => sizeBytes / GB))).toBeLessThan(9.1);
  expect(again.partitionCount).toBe(2);
});
