// What the partitions of one table or index hold, and where one that holds too much is cut. Bytes are known by key
// where requests have named the key, and in sum otherwise.
import type { KeyList } from './key-list.ts';
import { type KeyState, startOf } from './key-state.ts';
import { hashShare, type Partition } from './partition.ts';
import { SortKeys } from './sort-keys.ts';
import { type Border, compareBorders, cutOf, type WeightedKey } from './split-rule.ts';

interface PartitionBytesParts {
  readonly keys: KeyList;
  /** A partition that holds more is cut. */
  readonly mostBytes: number;
  /** Whether a collection may be cut inside: there is a sort key, and no local index. */
  readonly mayCutCollections: boolean;
  /** The partition that serves a key now. */
  readonly partitionOf: (key: KeyState) => Partition;
  /** Divides a collection, or a part of it, at a sort text. */
  readonly divide: (whole: KeyState, part: KeyState, sort: string) => void;
}

/** From this share of a partition on, the sort keys of a collection are sampled. */
const LARGE_RATIO = 0.5;
/** A partition that is full must give way even where traffic moves along the sort key. */
const WHATEVER_TRAFFIC = Number.POSITIVE_INFINITY;

/** Bytes by partition, as splits for size look at them. */
export class PartitionBytes {
  /** Bytes that were there before load, or came under keys that no request has named: spread evenly. */
  unplaced = 0;
  readonly #parts: PartitionBytesParts;

  constructor(parts: PartitionBytesParts) {
    this.#parts = parts;
  }

  /**
   * At the end of a window: begins to sample sort keys of large collections. Those are among the keys with most
   * demand, as load has put them there.
   */
  follow(): void {
    const { keys, mostBytes, mayCutCollections } = this.#parts;
    if (!mayCutCollections) return;
    for (const key of keys.heavy)
      if (key.sorts === undefined && key.sizeBytes > LARGE_RATIO * mostBytes) key.sorts = new SortKeys(key);
  }

  /**
   * Where a partition that holds too much is cut: where its bytes halve. One collection that alone is more
   * than a partition may hold is cut inside, where the sort keys asked for halve, as of its bytes by sort key
   * nothing is known; it is then divided at once.
   * @returns undefined where it holds no more than it may, or no cut helps
   * @see "Partitions and data distribution in DynamoDB",
   *   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.Partitions.html, read
   *   2026-11-30
   */
  cut(partition: Partition): Border | undefined {
    const { mostBytes, divide } = this.#parts;
    const unplaced = this.unplaced * hashShare(partition);
    if (partition.sizeBytes + unplaced <= mostBytes) return undefined;
    const states = this.#on(partition);
    const listed = states.reduce((sum, { key }) => sum + key.sizeBytes, 0);
    const weighted = states.map(
      ({ key, whole }): WeightedKey => ({
        position: key.position,
        weight: key.sizeBytes,
        sortCut: key.sizeBytes > mostBytes ? whole.sorts?.cutOf(key, WHATEVER_TRAFFIC) : undefined,
      }),
    );
    const tail = Math.max(0, partition.sizeBytes + unplaced - listed);
    const border = cutOf(partition.interval, weighted, tail);
    const divided = states.find(({ key }) => border?.sort && key.position === border.position);
    if (border !== undefined && divided !== undefined) divide(divided.whole, divided.key, border.sort);
    return border;
  }

  /** Keys with bytes on a partition, or the parts of them that it holds, in order. */
  #on(partition: Partition): readonly { readonly key: KeyState; readonly whole: KeyState }[] {
    const { keys, partitionOf } = this.#parts;
    const found: { readonly key: KeyState; readonly whole: KeyState }[] = [];
    for (const whole of keys.listed)
      for (const key of whole.sorts?.states ?? [whole])
        if (key.sizeBytes > 0 && partitionOf(key) === partition) found.push({ key, whole });
    return found.sort((a, b) => compareBorders(startOf(a.key), startOf(b.key)));
  }

  /** Shares out what a partition held: bytes of keys that are known go with them, the rest by width. */
  share(partition: Partition, parts: readonly Partition[]): void {
    if (partition.sizeBytes === 0) return;
    const { keys, partitionOf } = this.#parts;
    let listed = 0;
    for (const whole of keys.listed)
      for (const key of whole.sorts?.states ?? [whole]) {
        if (key.sizeBytes === 0 || key.partition !== partition) continue;
        partitionOf(key).sizeBytes += key.sizeBytes;
        listed += key.sizeBytes;
      }
    const width = parts.reduce((sum, part) => sum + hashShare(part), 0);
    for (const part of parts)
      part.sizeBytes += width === 0 ? 0 : (partition.sizeBytes - listed) * (hashShare(part) / width);
  }
}
