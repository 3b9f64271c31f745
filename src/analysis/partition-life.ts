// Partitions come and go within a run: which of those in a record serve at its end, and for how long each did.
import type { PartitionResult } from './records/resource.ts';

/** Those that serve at the end of the measured stages. */
export function servingAtEnd(partitions: readonly PartitionResult[]): readonly PartitionResult[] {
  return partitions.filter(({ served }) => served?.isSplit !== true);
}

/** How many served when the measured stages began. */
export function countAtStart(partitions: readonly PartitionResult[]): number {
  return partitions.filter(({ served }) => served === undefined || served.fromSecond === 0).length;
}

/** The seconds of the measured stages in which a partition served. */
export function servedSeconds({ served }: PartitionResult, measuredSeconds: number): number {
  return served === undefined ? measuredSeconds : served.untilSecond - served.fromSecond;
}
