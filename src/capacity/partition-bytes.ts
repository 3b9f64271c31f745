// What the partitions of one table or index hold, and where one that holds too much is cut. Bytes are known by key
// where requests have named the key, and in sum otherwise.
import type { KeyList } from './key-list.ts';
import type { KeyState } from './key-state.ts';
import { hashShare, type Partition } from './partition.ts';
import { type Border, cutOf, type WeightedKey } from './split-rule.ts';

interface PartitionBytesParts {
  readonly keys: KeyList;
  /** A partition that holds more is cut. */
  readonly mostBytes: number;
  /** The partition that serves a key now. */
  readonly partitionOf: (key: KeyState) => Partition;
}

/** Bytes by partition, as splits for size look at them. */
export class PartitionBytes {
  /** Bytes that were there before load, or came under keys that no request has named: spread evenly. */
  unplaced = 0;
  readonly #parts: PartitionBytesParts;

  constructor(parts: PartitionBytesParts) {
    this.#parts = parts;
  }

  /**
   * Where a partition that holds too much is cut. One collection that is larger than a partition is left whole: of
   * its bytes by sort key nothing is known.
   * @returns undefined where it holds no more than it may, or no cut helps
   */
  cut(partition: Partition): Border | undefined {
    const { keys, mostBytes, partitionOf } = this.#parts;
    const unplaced = this.unplaced * hashShare(partition);
    if (partition.sizeBytes + unplaced <= mostBytes) return undefined;
    const weighted: WeightedKey[] = [];
    let listed = 0;
    for (const key of keys.listed) {
      if (key.sizeBytes <= 0 || key.sorts?.isCut === true || partitionOf(key) !== partition) continue;
      weighted.push({ position: key.position, weight: key.sizeBytes, sortCut: undefined });
      listed += key.sizeBytes;
    }
    weighted.sort((a, b) => a.position - b.position);
    const tail = Math.max(0, partition.sizeBytes + unplaced - listed);
    return cutOf(partition.interval, weighted, tail);
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
