// The items of a table, or the entries of one of its indexes, as DynamoDB keeps them: collections by
// partition key, each in sort-key order. Knows keys and sizes; what an entry stands for, and what touching it
// costs, is decided elsewhere.
import type { KeyState } from '../capacity/key-state.ts';
import { keyPosition, type PlacementSalt } from '../capacity/placement.ts';
import type { AttributeMap } from '../dynamodb/attribute-value.ts';
import { ChunkedList } from './chunked-list.ts';

/**
 * One stored item or index entry. An index entry points at the table's entry and shares its item: nothing is
 * copied.
 */
export class StoredEntry {
  readonly partition: string;
  /** The sort key's sort text; empty where the key schema has none. */
  readonly sort: string;
  /** The entry in the table; a table's entry points at itself. */
  readonly base: StoredEntry;
  /** The item of a table's entry; readers of an index go to `base.item`. */
  item: AttributeMap;
  /** Bytes of what the entry holds: of the projected attributes in an index. */
  sizeBytes: number;

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

/** Order within a collection: by sort key; index entries with equal index keys by the table's key. */
function compareEntries(left: StoredEntry, right: StoredEntry): number {
  if (left.sort !== right.sort) return left.sort < right.sort ? -1 : 1;
  const leftBase = left.base;
  const rightBase = right.base;
  if (leftBase === rightBase) return 0;
  // Entries of a table point at themselves: with equal sort keys in one collection they are the same key.
  if (leftBase.partition !== rightBase.partition) return leftBase.partition < rightBase.partition ? -1 : 1;
  if (leftBase.sort !== rightBase.sort) return leftBase.sort < rightBase.sort ? -1 : 1;
  return 0;
}

class EntryList extends ChunkedList<StoredEntry> {
  protected override order(left: StoredEntry, right: StoredEntry): number {
    return compareEntries(left, right);
  }
}

/** Bounds of a read in a collection, as sort texts; an absent bound is open. */
export interface SortBounds {
  readonly low?: string;
  readonly isLowExcluded?: boolean;
  readonly high?: string;
  readonly isHighExcluded?: boolean;
}

/**
 * All entries of one partition key. Most collections of most tables hold one entry, which is kept without a
 * list.
 */
export class ItemCollection {
  readonly partition: string;
  /**
   * The key's throughput, once a request has touched it; kept here so that later requests need no look-up.
   */
  keyState: KeyState | undefined = undefined;
  /** Place in the order of scans; negative until a scan asks for it. */
  position = -1;
  #only: StoredEntry | undefined = undefined;
  #list: EntryList | undefined = undefined;

  constructor(partition: string) {
    this.partition = partition;
  }

  get count(): number {
    if (this.#list !== undefined) return this.#list.count;
    return this.#only === undefined ? 0 : 1;
  }

  /** The entry that equals `probe` in key. */
  find(probe: StoredEntry): StoredEntry | undefined {
    if (this.#list !== undefined) return this.#list.find(probe);
    const only = this.#only;
    return only !== undefined && compareEntries(only, probe) === 0 ? only : undefined;
  }

  /** Adds an entry whose key is not present. */
  add(entry: StoredEntry): void {
    if (this.#list === undefined) {
      if (this.#only === undefined) {
        this.#only = entry;
        return;
      }
      this.#list = new EntryList();
      this.#list.add(this.#only);
      this.#only = undefined;
    }
    this.#list.add(entry);
  }

  /** Takes out the entry that equals `probe` in key. */
  remove(probe: StoredEntry): void {
    if (this.#list !== undefined) this.#list.remove(probe);
    else if (this.#only !== undefined && compareEntries(this.#only, probe) === 0) this.#only = undefined;
  }

  /**
   * The entries within `bounds`, one after another.
   * @param after  goes on behind this entry's place, whether or not it is still there
   */
  read(
    bounds: SortBounds | undefined,
    isForward: boolean,
    after: StoredEntry | undefined,
  ): () => StoredEntry | undefined {
    const list = this.#list;
    if (list === undefined) return this.#readOnly(bounds, isForward, after);
    const first = bounds === undefined ? 0 : list.firstPosition((entry) => !isBelow(entry, bounds));
    const end =
      bounds === undefined ? list.endPosition : list.firstPosition((entry) => isAbove(entry, bounds));
    if (isForward) {
      let position =
        after === undefined
          ? first
          : Math.max(
              first,
              list.firstPosition((entry) => compareEntries(entry, after) > 0),
            );
      return () => {
        if (position >= end) return undefined;
        const entry = list.at(position);
        position = list.after(position);
        return entry;
      };
    }
    const stop =
      after === undefined
        ? end
        : Math.min(
            end,
            list.firstPosition((entry) => compareEntries(entry, after) >= 0),
          );
    let position = stop;
    return () => {
      if (position <= first) return undefined;
      position = list.before(position);
      return list.at(position);
    };
  }

  #readOnly(
    bounds: SortBounds | undefined,
    isForward: boolean,
    after: StoredEntry | undefined,
  ): () => StoredEntry | undefined {
    let entry = this.#only;
    if (entry !== undefined && bounds !== undefined && (isBelow(entry, bounds) || isAbove(entry, bounds)))
      entry = undefined;
    if (entry !== undefined && after !== undefined) {
      const order = compareEntries(entry, after);
      if (isForward ? order <= 0 : order >= 0) entry = undefined;
    }
    return () => {
      const next = entry;
      entry = undefined;
      return next;
    };
  }
}

function isBelow(entry: StoredEntry, { low, isLowExcluded }: SortBounds): boolean {
  if (low === undefined) return false;
  return isLowExcluded === true ? entry.sort <= low : entry.sort < low;
}

function isAbove(entry: StoredEntry, { high, isHighExcluded }: SortBounds): boolean {
  if (high === undefined) return false;
  return isHighExcluded === true ? entry.sort >= high : entry.sort > high;
}

class CollectionList extends ChunkedList<ItemCollection> {
  protected override order(left: ItemCollection, right: ItemCollection): number {
    return comparePlaces(left, right);
  }
}

/** A place in the order of scans: the hash of the partition key, then the key itself. */
export interface ScanPlace {
  readonly position: number;
  readonly partition: string;
}

function comparePlaces(left: ScanPlace, right: ScanPlace): number {
  if (left.position !== right.position) return left.position - right.position;
  if (left.partition === right.partition) return 0;
  return left.partition < right.partition ? -1 : 1;
}

/** The collections of one table or index. */
export class ItemStore {
  readonly #salt: PlacementSalt;
  readonly #collections = new Map<string, ItemCollection>();
  /** Built by the first scan and kept in order from then on: tables that nobody scans pay nothing for it. */
  #scanOrder: CollectionList | undefined = undefined;
  #entryCount = 0;

  constructor(salt: PlacementSalt) {
    this.#salt = salt;
  }

  get entryCount(): number {
    return this.#entryCount;
  }

  /** Visits all entries, in no particular order; for what is done once and not per request. */
  visit(entryVisitor: (entry: StoredEntry) => void): void {
    for (const collection of this.#collections.values()) {
      const next = collection.read(undefined, true, undefined);
      for (let entry = next(); entry !== undefined; entry = next()) entryVisitor(entry);
    }
  }

  /** The collection of a partition key, if it holds anything. */
  collection(partition: string): ItemCollection | undefined {
    return this.#collections.get(partition);
  }

  /** Adds an entry whose key is not present; gives back its collection. */
  add(entry: StoredEntry, known: ItemCollection | undefined): ItemCollection {
    const collection = known ?? this.#open(entry.partition);
    collection.add(entry);
    this.#entryCount++;
    return collection;
  }

  /** Takes an entry out, and its collection where nothing is left of it. */
  remove(entry: StoredEntry): void {
    const collection = this.#collections.get(entry.partition);
    if (collection === undefined) return;
    collection.remove(entry);
    this.#entryCount--;
    if (collection.count > 0) return;
    this.#collections.delete(entry.partition);
    this.#scanOrder?.remove(collection);
  }

  /** Place of a partition key in the order of scans. */
  placeOf(partition: string): ScanPlace {
    return { partition, position: keyPosition(partition, this.#salt) };
  }

  /**
   * The collections in the order of scans, from `fromPosition` on, or from a place on (that place included).
   * @param until  the first position of the hash range that is not read
   */
  scan(from: number | ScanPlace, until: number): () => ItemCollection | undefined {
    const list = this.#orderedCollections();
    const start: ScanPlace = typeof from === 'number' ? { position: from, partition: '' } : from;
    let position = list.firstPosition((collection) => comparePlaces(collection, start) >= 0);
    return () => {
      const collection = list.at(position);
      if (collection === undefined || collection.position >= until) return undefined;
      position = list.after(position);
      return collection;
    };
  }

  #open(partition: string): ItemCollection {
    const collection = new ItemCollection(partition);
    this.#collections.set(partition, collection);
    if (this.#scanOrder !== undefined) this.#scanOrder.add(this.#placed(collection));
    return collection;
  }

  #placed(collection: ItemCollection): ItemCollection {
    collection.position = keyPosition(collection.partition, this.#salt);
    return collection;
  }

  #orderedCollections(): CollectionList {
    if (this.#scanOrder !== undefined) return this.#scanOrder;
    const collections = [...this.#collections.values()].map((collection) => this.#placed(collection));
    collections.sort(comparePlaces);
    const list = new CollectionList();
    for (const collection of collections) list.add(collection);
    this.#scanOrder = list;
    return list;
  }
}
