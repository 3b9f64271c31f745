// What can be known of a simulated table besides its answers: what it holds, where it is hot, and what happened on it.
import { HASH_RANGE } from '../capacity/placement.ts';
import type { ResourceObservation } from '../capacity/resource-observation.ts';
import type { ResourceThroughput } from '../capacity/resource-throughput.ts';
import type { EntrySource, SimulatedTable } from './simulated-table.ts';

/** What a table or an index holds. */
export interface StoreContents {
  readonly itemCount: number;
  /** Bytes of all items or entries, storage overhead excluded. */
  readonly sizeBytes: number;
  readonly partitionCount: number;
}

/** What a table and each of its indexes hold. */
export interface TableContents {
  readonly table: StoreContents;
  readonly indexes: ReadonlyMap<string, StoreContents>;
}

/** Where a table or a global index is hot. */
export interface ResourceHeat {
  /** `tableName` or `tableName/indexName`. */
  readonly name: string;
  readonly partitions: readonly {
    readonly id: number;
    /** Part of the hash range, 0–1. */
    readonly fromRatio: number;
    readonly untilRatio: number;
    /** What was asked of it, refused requests too: read units, a write unit counting as three. */
    readonly heat: number;
  }[];
}

/** What is known of a table and its indexes after a run. */
export interface TableObservation {
  readonly tableName: string;
  /**
   * The table, then its global indexes in the order of its description; local ones share the table's
   * throughput.
   */
  readonly resources: readonly ResourceObservation[];
  /** Puts that replaced an item, warm-up included. */
  readonly replacedPuts: number;
  /** Largest item ever stored, bytes. */
  readonly largestItemBytes: number;
  readonly itemCount: number;
}

/** What a table and each of its indexes hold now; every item is looked at. */
export function contentsOfTable(table: SimulatedTable): TableContents {
  const indexes = new Map(table.indexes.map((index) => [index.name, contentsOf(index)]));
  if (table.sizes === undefined) return { table: contentsOf(table), indexes };
  const { count: itemCount, totalBytes: sizeBytes } = table.sizes;
  return { table: { itemCount, sizeBytes, partitionCount: table.throughput.partitionCount }, indexes };
}

function contentsOf({ store, throughput }: EntrySource): StoreContents {
  let sizeBytes = 0;
  store.visit((entry) => {
    sizeBytes += entry.sizeBytes;
  });
  return { itemCount: store.entryCount, sizeBytes, partitionCount: throughput.partitionCount };
}

/** The partitions of a table and of its global indexes as they serve now. */
export function heatOfTable(table: SimulatedTable): readonly ResourceHeat[] {
  return throughputsOf(table).map(({ name, partitions }) => ({
    name,
    partitions: partitions.map(({ id, interval, heat }) => ({
      id,
      fromRatio: interval.from.position / HASH_RANGE,
      untilRatio: interval.until.position / HASH_RANGE,
      heat,
    })),
  }));
}

/**
 * What happened on a table in the measured window.
 * @param endUs  where load ended, if before the window's end
 */
export function observeTable(table: SimulatedTable, endUs?: number): TableObservation {
  return {
    tableName: table.spec.tableName,
    resources: throughputsOf(table).map((throughput) => throughput.observe(endUs)),
    replacedPuts: table.replacedPuts,
    largestItemBytes: table.largestItemBytes,
    itemCount: table.itemCount,
  };
}

/** The table's own throughput, then that of its global indexes; local ones share the table's. */
export function throughputsOf(table: SimulatedTable): readonly ResourceThroughput[] {
  const globalIndexes = table.indexes.filter(({ isGlobal }) => isGlobal);
  return [table.throughput, ...globalIndexes.map(({ throughput }) => throughput)];
}
