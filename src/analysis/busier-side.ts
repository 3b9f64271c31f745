// Which side of a table or index a reader should look at first: its reads or its writes.
import { PARTITION_READ_UNITS, PARTITION_WRITE_UNITS } from '../dynamodb/limits.ts';
import type { ResourceResult } from './run-result.ts';

/**
 * The side that throttles more, else the side that is nearer to its ceiling. Units alone would mislead,
 * since a partition gives three times as many for reads.
 */
export function busierSide(
  resource: Pick<ResourceResult, 'readUnits' | 'writeUnits' | 'throttledReadUnits' | 'throttledWriteUnits'>,
): 'read' | 'write' {
  const { readUnits, writeUnits, throttledReadUnits, throttledWriteUnits } = resource;
  const isThrottled = throttledReadUnits + throttledWriteUnits > 0;
  const [reads, writes] = isThrottled ? [throttledReadUnits, throttledWriteUnits] : [readUnits, writeUnits];
  return writes / PARTITION_WRITE_UNITS >= reads / PARTITION_READ_UNITS ? 'write' : 'read';
}
