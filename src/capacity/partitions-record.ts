// The partitions of one table or index as plain data: where they are cut, what they hold, and how many on-demand
// traffic calls for. What lasts for minutes is not in it: tokens, heat, and splits that are under way.
import type { KeyList } from './key-list.ts';
import { KeyState } from './key-state.ts';
import { Partition, type PartitionSettings } from './partition.ts';
import { HASH_RANGE } from './placement.ts';
import { type CollectionPart, SortKeys } from './sort-keys.ts';
import type { Border } from './split-rule.ts';

/** Partitions that can be had again; strict JSON. */
export interface PartitionsRecord {
  /** Where one ends and the next begins, in order. */
  readonly borders: readonly Border[];
  /** Bytes on each, as far as load put them under keys that it named. */
  readonly bytes: readonly number[];
  /** Collections that are cut inside, and others that hold much. */
  readonly collections: readonly CollectionRecord[];
  /** Partitions that the highest peak so far calls for; growth that was decided and is not there yet counts. */
  readonly growsTo: number;
}

/** One collection with its place in the hash range, which depends on the seed. */
export interface CollectionRecord {
  readonly key: string;
  readonly position: number;
  /** In order; a collection that is not cut is one part. */
  readonly parts: readonly CollectionPart[];
}

/** Share of a partition from which a collection matters for where the partition is cut. */
const MUCH_RATIO = 0.01;

/** The record of partitions, in the order of the hash range. */
export function recordPartitions(
  partitions: readonly Partition[],
  keys: KeyList,
  { mostBytes, growsTo }: { readonly mostBytes: number; readonly growsTo: number },
): PartitionsRecord {
  const much = MUCH_RATIO * mostBytes;
  const collections: CollectionRecord[] = [];
  // There may be many keys; those that are cut are among the heavy ones.
  const holdsMuch = partitions.some(({ sizeBytes }) => sizeBytes > much);
  for (const { text, position, sizeBytes, sorts } of holdsMuch ? keys.listed : keys.heavy) {
    if (sorts?.isCut !== true && sizeBytes <= much) continue;
    const states = sorts?.isCut === true ? sorts.states : [{ fromSort: '', sizeBytes }];
    const parts = states.map((state) => ({ fromSort: state.fromSort, sizeBytes: state.sizeBytes }));
    collections.push({ key: text, position, parts });
  }
  return {
    borders: partitions.slice(1).map(({ interval }) => interval.from),
    bytes: partitions.map(({ sizeBytes }) => sizeBytes),
    collections,
    growsTo,
  };
}

/** The partitions of a record, as full of tokens as those of a new table. */
export function restoredPartitions(
  { borders, bytes }: PartitionsRecord,
  settings: PartitionSettings,
  atUs: number,
): readonly Partition[] {
  const ends: readonly Border[] = [{ position: 0, sort: '' }, ...borders, { position: HASH_RANGE, sort: '' }];
  return bytes.map((sizeBytes, id) => {
    // There is one border less than partitions, and two ends.
    const interval = { from: ends[id] as Border, until: ends[id + 1] as Border };
    const partition = Partition.fresh(id, interval, settings, atUs);
    partition.sizeBytes = sizeBytes;
    return partition;
  });
}

/**
 * The keys of recorded collections where they lay, with the bytes that they held.
 * @param partition  any; each state looks for its own at its first request
 */
export function restoredCollections(
  { collections }: PartitionsRecord,
  partition: Partition,
): readonly KeyState[] {
  return collections.map(({ key: text, position, parts }) => {
    const key = new KeyState(text, position, partition, NO_EPOCH);
    if (parts.length > 1) {
      key.sorts = new SortKeys(key);
      key.sorts.restore(parts);
    } else {
      key.sizeBytes = parts[0]?.sizeBytes ?? 0;
    }
    return key;
  });
}

/** Of no map of partitions. */
const NO_EPOCH = -1;
