// The partitions of a table and of its global indexes as they outlast a database: what a snapshot keeps of them.
import type { PartitionsRecord } from '../capacity/partitions-record.ts';
import type { SimulatedTable } from './simulated-table.ts';

/** The partitions of a table, or of one of its global indexes. */
export interface NamedPartitions {
  /** Absent: the table's own. */
  readonly indexName?: string;
  readonly partitions: PartitionsRecord;
}

/** All partitions of a table; local indexes lie on the table's own. */
export function partitionsOfTable({ throughput, indexes }: SimulatedTable): readonly NamedPartitions[] {
  return [
    { partitions: throughput.recordPartitions() },
    ...indexes
      .filter(({ isGlobal }) => isGlobal)
      .map(({ name, throughput: own }) => ({ indexName: name, partitions: own.recordPartitions() })),
  ];
}

/** Takes up recorded partitions; of an index that is not there, none. */
export function restoreTablePartitions(
  { throughput, indexes }: SimulatedTable,
  named: readonly NamedPartitions[],
  atUs: number,
): void {
  for (const { indexName, partitions } of named) {
    const index = indexes.find(({ name, isGlobal }) => isGlobal && name === indexName);
    const resource = indexName === undefined ? throughput : index?.throughput;
    resource?.restorePartitions(partitions, atUs);
  }
}
