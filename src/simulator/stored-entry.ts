// One item of a table or one entry of an index, as the simulated table keeps it, and the order in which
// entries of one partition key stand.
import type { AttributeMap } from '../dynamodb/attribute-value.ts';

/**
 * One stored item or index entry. An index entry points at the table's entry and shares its item: nothing is
 * copied.
 */
export class StoredEntry {
  partition: string;
  /** The sort key's sort text; empty where the key schema has none. */
  readonly sort: string;
  /** The entry in the table; a table's entry points at itself. */
  readonly base: StoredEntry;
  /** The item of a table's entry; readers of an index go to `base.item`. */
  item: AttributeMap;
  /** Bytes of what the entry holds: of the projected attributes in an index. */
  sizeBytes: number;
  /** The entry before it, while both are in the tail of their collection; see item-collection.ts. */
  previous: StoredEntry | undefined = undefined;

  constructor(
    partition: string,
    sort: string,
    item: AttributeMap,
    sizeBytes: number,
    base: StoredEntry | undefined,
  ) {
    this.partition = partition;
    this.sort = sort;
    this.item = item;
    this.sizeBytes = sizeBytes;
    this.base = base ?? this;
  }
}

/**
 * Order within a collection: by sort key; index entries with equal index keys by the table's key.
 * @returns negative, 0 or positive; 0 only for the same key
 */
export function compareEntries(left: StoredEntry, right: StoredEntry): number {
  // Most entries come last in their collection.
  if (left.sort > right.sort) return 1;
  if (left.sort < right.sort) return -1;
  const leftBase = left.base;
  const rightBase = right.base;
  if (leftBase === rightBase) return 0;
  // Entries of a table point at themselves: with equal sort keys in one collection they are the same key.
  if (leftBase.partition !== rightBase.partition) return leftBase.partition < rightBase.partition ? -1 : 1;
  if (leftBase.sort !== rightBase.sort) return leftBase.sort < rightBase.sort ? -1 : 1;
  return 0;
}
