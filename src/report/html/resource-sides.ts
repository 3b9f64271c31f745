// Reads and writes of a table or index by one name: which of the two matters more there, and keys and
// partitions seen from it.
import { servedSeconds } from '../../analysis/partition-life.ts';
import type { ResourceResult } from '../../analysis/run-result.ts';

export type Side = 'read' | 'write';
export type KeyRow = ResourceResult['keys'][number];
export type PartitionRow = NonNullable<ResourceResult['partitions']>[number];

/**
 * A write unit is a thousandth of a partition, a read unit a three-thousandth; the side that asks for more of
 * it counts.
 */
const READ_UNITS_PER_WRITE_UNIT = 3;

/** The side that asked for more of what partitions can give. */
export function mainSide(resource: ResourceResult): Side {
  const write = resource.writeUnits + resource.throttledWriteUnits;
  const read = resource.readUnits + resource.throttledReadUnits;
  return write * READ_UNITS_PER_WRITE_UNIT >= read ? 'write' : 'read';
}

/** Share of all that was asked on that side, 0–1. */
export function shareOn(key: KeyRow, side: Side): number {
  return side === 'write' ? key.writeShare : key.readShare;
}

/** Units taken of the ceiling of that side, 0–1. */
export function utilizationOn(partition: PartitionRow, side: Side): number {
  return side === 'write' ? partition.writeUtilization : partition.readUtilization;
}

/**
 * Units per second asked of a partition and refused, as a part of its ceiling; 0 where the ceiling cannot be
 * told.
 */
export function refusedOn(partition: PartitionRow, side: Side, measuredSeconds: number): number {
  const taken = side === 'write' ? partition.writeUnitsPerSecond : partition.readUnitsPerSecond;
  const refused = side === 'write' ? partition.throttledWriteUnits : partition.throttledReadUnits;
  const utilization = utilizationOn(partition, side);
  const seconds = servedSeconds(partition, measuredSeconds);
  if (taken === 0 || utilization === 0 || seconds <= 0) return 0;
  return refused / seconds / (taken / utilization);
}
