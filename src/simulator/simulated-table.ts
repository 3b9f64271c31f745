// One simulated table: its items, its indexes and the throughput of each. Holds state; what a request does to
// it is decided in write-plan.ts, read-pages.ts and the files of api/.
import type { CapacityModel } from '../capacity/capacity-model.ts';
import type { KeyState } from '../capacity/key-state.ts';
import type { PlacementSalt } from '../capacity/placement.ts';
import { ResourceThroughput } from '../capacity/resource-throughput.ts';
import { validationError } from '../dynamodb/api-error.ts';
import type { ConsumedCapacity } from '../dynamodb/consumed-capacity.ts';
import {
  type ArnPlace,
  type Billing,
  type GlobalIndexSpec,
  indexArn,
  type KeySchema,
  resourceName,
  type Start,
  type TableSpec,
  tableArn,
} from '../dynamodb/table-spec.ts';
import type { Expirations } from './expirations.ts';
import { ChargedWrites } from './charged-writes.ts';
import { type IndexShape, indexShape } from './index-entries.ts';
import type { IndexLag } from './index-lag.ts';
import { CollectionSizes } from './collection-sizes.ts';
import { ItemSizes } from './item-sizes.ts';
import { ItemStore } from './item-store.ts';

/**
 * What a read reads and a write changes: the table itself or one index, with the throughput that pays for it.
 */
export interface EntrySource {
  readonly store: ItemStore;
  readonly throughput: ResourceThroughput;
}

/** An index with its entries. A local index spends the table's throughput. */
export interface TableIndex extends IndexShape, EntrySource {
  readonly isGlobal: boolean;
}

export interface TableSettings {
  readonly model: CapacityModel;
  readonly salt: PlacementSalt;
  readonly place: ArnPlace;
  /** Bytes that the table will hold before load; decides the count of partitions where it is beyond 10 GB. */
  readonly initialBytes: number;
  /** When the table is made. */
  readonly createdAtUs: number;
  /** Present where global indexes follow late. */
  readonly indexLag?: IndexLag | undefined;
  /** Whether any request will look at an item. */
  readonly keepsItems: boolean;
  /** Largest item collection where there are local indexes. */
  readonly itemCollectionBytes: number;
}

/** What decides the throughput of a table or a global index. */
interface Bought {
  readonly billing: Billing;
  readonly start: Start;
  readonly keys: KeySchema;
}

export class SimulatedTable implements EntrySource {
  /** Without items where only their sizes are kept. */
  readonly store: ItemStore;
  readonly throughput: ResourceThroughput;
  readonly #settings: TableSettings;
  #spec: TableSpec;
  #indexes: readonly TableIndex[];
  #chargedWrites: ChargedWrites;
  /** Puts that replaced an item, since the table was made or counts were cleared. */
  replacedPuts = 0;
  /** Bytes of the largest item ever stored. */
  largestItemBytes = 0;
  /** Only where there are local indexes: no other table limits its item collections. */
  readonly collectionSizes: CollectionSizes | undefined;
  /** The attribute that tells when an item expires, and who is to know of items that have it. */
  timeToLive: string | undefined = undefined;
  expirations: Expirations | undefined = undefined;
  /**
   * Keys and sizes of items in place of the items, where nobody looks at these. Indexes need them, to find the entries
   * of an item that is replaced; and so does expiry.
   */
  readonly sizes: ItemSizes | undefined;
  /** What one write without index charges consumed, by write units: the same value for all such writes. */
  readonly #plainWrites: (readonly ConsumedCapacity[])[] = [];

  constructor(spec: TableSpec, settings: TableSettings) {
    this.#spec = spec;
    this.#settings = settings;
    const keepsItems =
      settings.keepsItems ||
      spec.globalIndexes.length + spec.localIndexes.length > 0 ||
      spec.timeToLive !== undefined;
    this.sizes = keepsItems ? undefined : new ItemSizes();
    this.store = new ItemStore(settings.salt);
    this.throughput = this.#newThroughput(spec, settings.createdAtUs);
    this.collectionSizes =
      spec.localIndexes.length === 0 ? undefined : new CollectionSizes(settings.itemCollectionBytes);
    this.#indexes = [
      ...spec.globalIndexes.map((index) => this.#newGlobalIndex(index, settings.createdAtUs)),
      ...spec.localIndexes.map((index) => ({
        ...indexShape(index, spec.keys),
        isGlobal: false,
        store: new ItemStore(settings.salt),
        throughput: this.throughput,
      })),
    ];
    this.#chargedWrites = new ChargedWrites(spec.tableName, this.#indexes);
  }

  get spec(): TableSpec {
    return this.#spec;
  }

  get itemCount(): number {
    return this.sizes?.count ?? this.store.entryCount;
  }

  /** Global ones first. */
  get indexes(): readonly TableIndex[] {
    return this.#indexes;
  }

  /**
   * Makes the table what another specification of the same name and key says: throughput, and global indexes
   * that come or go. Local indexes never change.
   * @returns the indexes that are new, still empty
   */
  reshape(spec: TableSpec, atUs: number): readonly TableIndex[] {
    const before = this.#indexes;
    const added: TableIndex[] = [];
    const globalIndexes = spec.globalIndexes.map((index) => {
      const known = before.find(({ name }) => name === index.name);
      if (known !== undefined) {
        known.throughput.setBilling(index.billing, index.start, atUs);
        return known;
      }
      const fresh = this.#newGlobalIndex(index, atUs);
      added.push(fresh);
      return fresh;
    });
    this.throughput.setBilling(spec.billing, spec.start, atUs);
    this.#spec = spec;
    this.#indexes = [...globalIndexes, ...before.filter(({ isGlobal }) => !isGlobal)];
    this.#chargedWrites = new ChargedWrites(spec.tableName, this.#indexes);
    return added;
  }

  /** Undefined where global indexes follow their table at once. */
  get indexLag(): IndexLag | undefined {
    return this.#settings.indexLag;
  }

  /**
   * The index of this name.
   * @throws ApiError ValidationException where there is none
   */
  index(name: string): TableIndex {
    const found = this.indexes.find((index) => index.name === name);
    if (found === undefined) throw validationError(`The table does not have the specified index: ${name}`);
    return found;
  }

  #newGlobalIndex(index: GlobalIndexSpec, createdAtUs: number): TableIndex {
    return {
      ...indexShape(index, this.#spec.keys),
      isGlobal: true,
      store: new ItemStore(this.#settings.salt),
      throughput: this.#newThroughput(index, createdAtUs, index.name),
    };
  }

  #newThroughput(
    { billing, start, keys }: Bought,
    createdAtUs: number,
    indexName?: string,
  ): ResourceThroughput {
    const { place, initialBytes, model, salt } = this.#settings;
    const { tableName } = this.#spec;
    return new ResourceThroughput({
      name: resourceName(tableName, indexName),
      arn: indexName === undefined ? tableArn(tableName, place) : indexArn(tableName, indexName, place),
      resource: indexName === undefined ? 'Table' : 'Index',
      billing,
      start,
      initialBytes,
      model,
      salt,
      createdAtUs,
      // A local index keeps each collection of its table on one partition.
      mayCutCollections:
        keys.sort !== undefined && (indexName !== undefined || this.#spec.localIndexes.length === 0),
    });
  }

  /** What writes consumed that indexes were charged for. */
  get chargedWrites(): ChargedWrites {
    return this.#chargedWrites;
  }

  /** What a write consumed that no index was charged for. */
  plainWrite(writeUnits: number): readonly ConsumedCapacity[] {
    const known = this.#plainWrites[writeUnits];
    if (known !== undefined) return known;
    const consumed = [{ tableName: this.spec.tableName, table: { readUnits: 0, writeUnits } }];
    this.#plainWrites[writeUnits] = consumed;
    return consumed;
  }
}

/**
 * The throughput state of a partition key, by the collection where there is one: no look-up in a second map.
 */
export function keyStateOf({ store, throughput }: EntrySource, partition: string): KeyState {
  const collection = store.collection(partition);
  if (collection === undefined) return throughput.keyState(partition);
  collection.keyState ??= throughput.keyState(partition);
  return collection.keyState;
}
