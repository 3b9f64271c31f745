// How many partitions a table or index has in a report.
import { countAtStart, servingAtEnd } from '../analysis/partition-life.ts';
import type { ResourceResult } from '../analysis/run-result.ts';
import { formatNumber } from '../analysis/wording.ts';
import { MISSING } from './number-format.ts';

/** `4`, or `4 → 6` where partitions were split during the measured stages. */
export function partitionCountText({ partitions }: Pick<ResourceResult, 'partitions'>): string {
  if (partitions === null) return MISSING;
  const before = countAtStart(partitions);
  const after = servingAtEnd(partitions).length;
  return before === after ? formatNumber(after) : `${formatNumber(before)} → ${formatNumber(after)}`;
}
