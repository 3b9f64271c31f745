// The items of a table, or the entries of one of its indexes, as DynamoDB keeps them: collections by
// partition key, and their order for scans. Knows keys and sizes; what an entry stands for, and what touching
// it costs, is decided elsewhere.
import { keyPosition, type PlacementSalt } from '../capacity/placement.ts';
import { ChunkedList } from './chunked-list.ts';
import { ItemCollection } from './item-collection.ts';
import type { StoredEntry } from './stored-entry.ts';

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
    entry.partition = collection.partition; // One text for all entries of the key, not one for each.
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
