// The partitions of one table or index over the hash range: how many there are at the start, and which one
// owns a position. A map is never changed: partitions that split make a new map of a higher epoch, and cached
// look-ups see that theirs is old.
import type { Billing, Start } from '../dynamodb/table-spec.ts';
import type { CapacityModel } from './capacity-model.ts';
import { Partition, type PartitionSettings } from './partition.ts';
import { HASH_RANGE } from './placement.ts';

/** Partitions of one table or index that are simulated at most; AWS publishes no such figure. */
export const MAX_PARTITIONS = 100_000;

/** What decides how many partitions a table or index starts with. */
export interface StartingSize {
  readonly billing: Billing;
  readonly start: Start;
  /** Bytes in the table or index before load. */
  readonly initialBytes: number;
}

/**
 * Partitions of a table or index at the start.
 *
 * max(⌈write units/s ÷ 1,000⌉, ⌈read units/s ÷ 3,000⌉, ⌈bytes ÷ 10 GB⌉, floor): units are the warm throughput
 * and, where provisioned, the provisioned units; the floor is 4 on demand, because no on-demand table is ever
 * colder than a new one, and 1 where provisioned.
 * @see "On-demand capacity mode",
 *   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html, read
 *   2026-11-30
 */
export function startingPartitionCount(size: StartingSize, model: CapacityModel): number {
  const { billing, start } = size;
  const isWarm = start.kind === 'warm';
  const isProvisioned = billing.mode === 'provisioned';
  const writeUnits = Math.max(isWarm ? start.warmWriteUnits : 0, isProvisioned ? billing.writeUnits : 0);
  const readUnits = Math.max(isWarm ? start.warmReadUnits : 0, isProvisioned ? billing.readUnits : 0);
  return Math.max(
    isProvisioned ? 1 : model.newTablePartitions,
    Math.ceil(writeUnits / model.partitionWriteUnits),
    Math.ceil(readUnits / model.partitionReadUnits),
    Math.ceil(size.initialBytes / model.partitionBytes),
  );
}

/** Partitions in the order of their intervals, which cover the hash range without gap or overlap. */
export class PartitionMap {
  readonly partitions: readonly Partition[];
  /** Rises with every change of the partitions. */
  readonly epoch: number;

  constructor(partitions: readonly Partition[], epoch: number) {
    this.partitions = partitions;
    this.epoch = epoch;
  }

  /** Partitions of equal width, as a table has them when it is made. */
  static even(count: number, settings: PartitionSettings, startAtUs = 0): PartitionMap {
    const border = (index: number) => ({ position: Math.ceil((index / count) * HASH_RANGE), sort: '' });
    const partitions = Array.from({ length: count }, (_, index) =>
      Partition.fresh(index, { from: border(index), until: border(index + 1) }, settings, startAtUs),
    );
    return new PartitionMap(partitions, 0);
  }

  /** The same with others in the place of one partition. */
  replacing(partition: Partition, others: readonly Partition[]): PartitionMap {
    const partitions = this.partitions.flatMap((one) => (one === partition ? others : [one]));
    return new PartitionMap(partitions, this.epoch + 1);
  }

  /** The partition that owns a key, or the part of its collection that begins at `sort`; by binary search. */
  partitionAt(position: number, sort = ''): Partition {
    const { partitions } = this;
    let low = 0;
    let high = partitions.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      const { until } = (partitions[middle] as Partition).interval;
      if (position < until.position || (position === until.position && sort < until.sort)) high = middle;
      else low = middle + 1;
    }
    return partitions[low] as Partition;
  }
}

/**
 * Into how many parts of equal width each partition is cut so that there are `count` in all, the widest
 * giving first.
 */
export function evenCuts(partitions: readonly Partition[], count: number): readonly number[] {
  const widths = partitions.map(({ interval }) => interval.until.position - interval.from.position);
  const parts = partitions.map(() => 1);
  const partWidth = (index: number) => (widths[index] as number) / (parts[index] as number);
  for (let have = partitions.length; have < count; have++) {
    let widest = 0;
    for (let index = 1; index < parts.length; index++)
      if (partWidth(index) > partWidth(widest)) widest = index;
    if (partWidth(widest) < 2) break;
    parts[widest] = (parts[widest] as number) + 1;
  }
  return parts;
}
