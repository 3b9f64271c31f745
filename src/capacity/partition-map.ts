// The partitions of one table or index over the hash range: how many there are at the start, and which one
// owns a position. A map is never changed: partitions that split make a new map of a higher epoch, and cached
// look-ups see that theirs is old.
import type { Billing, Start } from '../dynamodb/table-spec.ts';
import type { CapacityModel } from './capacity-model.ts';
import { Partition } from './partition.ts';
import { HASH_RANGE } from './placement.ts';

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
 * @see "On-demand capacity mode", https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html, read 2026-11-30
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

  /** Partitions of equal width, as they are at `startAtUs`. */
  static even(count: number, model: CapacityModel, startAtUs = 0, epoch = 0): PartitionMap {
    const border = (index: number) => Math.ceil((index / count) * HASH_RANGE);
    const partitions = Array.from(
      { length: count },
      (_, index) =>
        new Partition(
          index,
          { fromPosition: border(index), untilPosition: border(index + 1) },
          model,
          startAtUs,
        ),
    );
    return new PartitionMap(partitions, epoch);
  }

  /** The partition that owns a position, by binary search. */
  partitionAt(position: number): Partition {
    const { partitions } = this;
    let low = 0;
    let high = partitions.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (position < (partitions[middle] as Partition).interval.untilPosition) high = middle;
      else low = middle + 1;
    }
    return partitions[low] as Partition;
  }
}
