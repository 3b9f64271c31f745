// Aim: the number of partitions at the start, and the owner of each position.
// Method: rows with the arithmetic beside them; borders tried from both sides.
import { describe, expect, test } from 'vitest';
import { capacityModels } from '../../../src/capacity/capacity-model.ts';
import { PartitionMap, startingPartitionCount } from '../../../src/capacity/partition-map.ts';
import { HASH_RANGE } from '../../../src/capacity/placement.ts';
import { newStart, onDemand } from '../../support/throughput.ts';

const GB = 1024 ** 3;
const warm = (warmReadUnits: number, warmWriteUnits: number) =>
  ({ kind: 'warm', warmReadUnits, warmWriteUnits }) as const;
const provisioned = (readUnits: number, writeUnits: number) =>
  ({ mode: 'provisioned', readUnits, writeUnits }) as const;

test.each([
  { name: 'a new on-demand table has 4', billing: onDemand, start: newStart, gigabytes: 0, count: 4 },
  {
    name: '20,000 warm writes make 20',
    billing: onDemand,
    start: warm(12_000, 20_000),
    gigabytes: 0,
    count: 20,
  },
  {
    name: '90,000 warm reads make 30',
    billing: onDemand,
    start: warm(90_000, 4_000),
    gigabytes: 0,
    count: 30,
  },
  {
    name: 'a warm table is never colder than a new one',
    billing: onDemand,
    start: warm(0, 1_000),
    gigabytes: 0,
    count: 4,
  },
  { name: '45 GB make 5', billing: onDemand, start: newStart, gigabytes: 45, count: 5 },
  { name: 'exactly 50 GB make 5', billing: onDemand, start: newStart, gigabytes: 50, count: 5 },
  {
    name: 'a small provisioned table has 1',
    billing: provisioned(5, 5),
    start: newStart,
    gigabytes: 0,
    count: 1,
  },
  {
    name: '3,001 provisioned writes make 4',
    billing: provisioned(5, 3_001),
    start: newStart,
    gigabytes: 0,
    count: 4,
  },
  {
    name: '7,000 provisioned reads make 3',
    billing: provisioned(7_000, 5),
    start: newStart,
    gigabytes: 0,
    count: 3,
  },
  {
    name: 'warm throughput counts where provisioned too',
    billing: provisioned(5, 5),
    start: warm(0, 8_000),
    gigabytes: 0,
    count: 8,
  },
])('$name', ({ billing, start, gigabytes, count }) => {
  const size = { billing, start, initialBytes: gigabytes * GB };
  expect(startingPartitionCount(size, capacityModels.default)).toBe(count);
});

describe.each([1, 3, 4, 7, 20])('a map of %i partitions', (count) => {
  const map = PartitionMap.even(count, { model: capacityModels.default, backlogSeconds: 0 });

  test('covers the hash range without gap or overlap', () => {
    const intervals = map.partitions.map((partition) => partition.interval);
    expect(intervals[0]?.from.position).toBe(0);
    expect(intervals.at(-1)?.until.position).toBe(HASH_RANGE);
    for (let index = 1; index < count; index++)
      expect(intervals[index]?.from).toEqual(intervals[index - 1]?.until);
  });

  test('finds the owner of the first and the last position of each partition', () => {
    for (const { id, interval } of map.partitions) {
      expect(map.partitionAt(interval.from.position).id).toBe(id);
      expect(map.partitionAt(interval.until.position - 1).id).toBe(id);
    }
  });
});
