// The partitions of one table or index as they change while load goes on: which of them are hot, which split
// is under way, and when new traffic peaks add more. All of it is looked at once per window of heat, by the
// first request after it; between windows a request costs a comparison.
import { US_PER_SECOND } from '../units.ts';
import { HotKeys } from './hot-keys.ts';
import type { KeyList } from './key-list.ts';
import type { KeyState } from './key-state.ts';
import type { Partition, PartitionSettings, PartitionSide } from './partition.ts';
import { PartitionBytes } from './partition-bytes.ts';
import { evenCuts, PartitionMap } from './partition-map.ts';
import {
  type PartitionsRecord,
  recordPartitions,
  restoredCollections,
  restoredPartitions,
} from './partitions-record.ts';
import type { ResourceSide } from './resource-side.ts';
import type { Border } from './split-rule.ts';
import { TrafficPeaks } from './traffic-peaks.ts';

export interface LivePartitionsSettings extends PartitionSettings {
  readonly count: number;
  readonly createdAtUs: number;
  readonly keys: KeyList;
  readonly read: ResourceSide;
  readonly write: ResourceSide;
  /** Whether a collection may be cut inside: there is a sort key, and no local index. */
  readonly mayCutCollections: boolean;
}

/** A change that was decided and takes time. */
type DueChange =
  | { readonly kind: 'split'; readonly dueUs: number; readonly partition: Partition }
  | { readonly kind: 'growth'; readonly dueUs: number; readonly count: number };

/**
 * Partitions that are split for heat, for size and for new peaks on demand, and never merged.
 *
 * A partition that used more than `splitThresholdRatio` of its ceiling in each window of
 * `splitDetectionSeconds` is split `splitDelaySeconds` later; one that holds more than `partitionBytes` is split at
 * the end of a window. What new peaks call for (traffic-peaks.ts) is there `growthDelaySeconds` later.
 * @see "Burst and adaptive capacity", https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/burst-adaptive-capacity.html, read 2026-11-30
 */
export class LivePartitions {
  /** The next moment at which `advance` has something to do. */
  nextUs: number;
  readonly #settings: LivePartitionsSettings;
  readonly #windowUs: number;
  #map: PartitionMap;
  readonly #ended: Partition[] = [];
  #nextId: number;
  #windowEndUs: number;
  #due: DueChange[] = [];
  readonly #peaks: TrafficPeaks;
  readonly #hotKeys: HotKeys;
  readonly #bytes: PartitionBytes;

  constructor(settings: LivePartitionsSettings) {
    const { model, count, createdAtUs, keys, mayCutCollections } = settings;
    const partitionOf = (key: KeyState) => this.of(key);
    this.#settings = settings;
    this.#hotKeys = new HotKeys({ model, keys, mayCutCollections, partitionOf });
    this.#bytes = new PartitionBytes({
      keys,
      mostBytes: model.partitionBytes,
      mayCutCollections,
      partitionOf,
      divide: (whole, part, sort) => this.#hotKeys.divide(whole, part, sort),
    });
    this.#windowUs = Math.max(1, Math.round(model.heatWindowSeconds)) * US_PER_SECOND;
    this.#map = PartitionMap.even(count, settings, createdAtUs);
    this.#nextId = count;
    this.#windowEndUs = createdAtUs + this.#windowUs;
    this.#peaks = new TrafficPeaks(settings);
    this.nextUs = Math.min(this.#windowEndUs, this.#peaks.minuteEndUs);
  }

  /** Those that serve now, in the order of the hash range. */
  get serving(): readonly Partition[] {
    return this.#map.partitions;
  }

  /** All that ever served, in the order in which they came to be. */
  get everMade(): readonly Partition[] {
    return [...this.#ended, ...this.#map.partitions].sort((a, b) => a.id - b.id);
  }

  /** The partition that serves a key now; what the key holds of it is renewed where it is old. */
  of(key: KeyState): Partition {
    const map = this.#map;
    if (key.epoch !== map.epoch) {
      key.partition = map.partitionAt(key.position, key.fromSort);
      key.epoch = map.epoch;
    }
    return key.partition;
  }

  /** The partition at a place, and the epoch for which that holds. */
  at(position: number): { readonly partition: Partition; readonly epoch: number } {
    return { partition: this.#map.partitionAt(position), epoch: this.#map.epoch };
  }

  /** Counts bytes that came (or went, below zero) under a key; undefined: under one that no request has named. */
  addBytes(key: KeyState | undefined, bytes: number): void {
    if (key === undefined) {
      this.#bytes.unplaced += bytes;
      return;
    }
    key.sizeBytes += bytes;
    this.of(key).sizeBytes += bytes;
  }

  /** Does what has become due by a moment. */
  advance(atUs: number): void {
    this.#carryOut(atUs);
    if (atUs >= this.#windowEndUs) this.#closeWindow(atUs);
    if (atUs >= this.#peaks.minuteEndUs) {
      const growth = this.#peaks.closeMinute(atUs, this.#map.partitions.length);
      if (growth !== undefined) this.#due.push({ kind: 'growth', ...growth });
    }
    this.#carryOut(atUs);
    this.nextUs = Math.min(
      this.#windowEndUs,
      this.#peaks.minuteEndUs,
      ...this.#due.map(({ dueUs }) => dueUs),
    );
  }

  /** Cuts partitions evenly until there are as many; fewer are never made of more. */
  growTo(count: number, atUs: number): void {
    const before = this.#map.partitions;
    const parts = evenCuts(before, count);
    for (const [index, partition] of before.entries()) {
      const partCount = parts[index] as number; // One for each partition.
      const { from, until } = partition.interval;
      const step = (until.position - from.position) / partCount;
      const border = (part: number): Border => ({
        position: from.position + Math.ceil(part * step),
        sort: '',
      });
      if (partCount > 1)
        this.#replace(
          partition,
          Array.from({ length: partCount - 1 }, (_, part) => border(part + 1)),
          atUs,
        );
    }
  }

  /** What can be had again of them. */
  record(): PartitionsRecord {
    const { keys, model } = this.#settings;
    const { partitions } = this.#map;
    return recordPartitions(partitions, keys, {
      mostBytes: model.partitionBytes,
      growsTo: this.#peaks.growsTo,
    });
  }

  /**
   * Takes up partitions as they were recorded, of a table that holds what it held then. Never fewer than there are, and
   * growth that had been decided is there at once.
   */
  restore(record: PartitionsRecord, atUs: number): void {
    const { partitions, epoch } = this.#map;
    const restored = restoredPartitions(record, this.#settings, atUs);
    this.#map = new PartitionMap(restored, epoch + 1);
    this.#nextId = restored.length;
    this.#peaks.growsTo = record.growsTo;
    this.#bytes.unplaced -= record.bytes.reduce((sum, bytes) => sum + bytes, 0);
    for (const key of restoredCollections(record, restored[0] as Partition)) this.#takeUp(key); // There is one at least.
    this.growTo(Math.max(partitions.length, record.growsTo), atUs);
  }

  /** Requests go to the parts of a key that is cut, so that it never becomes a heavy one by itself. */
  #takeUp(key: KeyState): void {
    const { keys } = this.#settings;
    keys.add(key);
    if (key.sorts !== undefined) keys.keepHeavy(key);
    for (const state of key.sorts?.states ?? [key]) this.of(state);
  }

  /** Whether a key's collection would be cut inside, were its partition split now. */
  wouldCutInside(key: KeyState): boolean {
    const { sorts } = key;
    if (sorts === undefined) return false;
    return sorts.isCut || sorts.cutOf(key, this.#settings.model.monotonicRatio) !== undefined;
  }

  #carryOut(atUs: number): void {
    while (this.#due.some(({ dueUs }) => dueUs <= atUs)) {
      const next = this.#due.reduce((first, one) => (one.dueUs < first.dueUs ? one : first));
      this.#due = this.#due.filter((one) => one !== next);
      if (next.kind === 'split') this.#splitForHeat(next.partition, next.dueUs);
      else this.growTo(next.count, next.dueUs);
    }
  }

  #closeWindow(atUs: number): void {
    const endUs = this.#windowEndUs;
    const missed = Math.floor((atUs - endUs) / this.#windowUs);
    this.#windowEndUs = endUs + (missed + 1) * this.#windowUs;
    for (const partition of this.#map.partitions) {
      this.#judgeHeat(partition, endUs);
      // In windows that nobody asked anything in, everything cools down that is not being split already.
      if (missed > 0 && !partition.isSplitting) partition.hotSinceUs = undefined;
      if (partition.hotSinceUs === undefined) partition.heatBefore = partition.heat;
    }
    if (this.#settings.model.splitsForHeat) this.#hotKeys.follow(endUs);
    this.#bytes.follow();
    for (const partition of this.#map.partitions) {
      const border = this.#bytes.cut(partition);
      if (border !== undefined) this.#replace(partition, [border], endUs);
    }
  }

  #judgeHeat(partition: Partition, endUs: number): void {
    const { splitThresholdRatio, splitsForHeat, splitDetectionSeconds, splitDelaySeconds } =
      this.#settings.model;
    const seconds = this.#windowUs / US_PER_SECOND;
    const isAbove = (side: PartitionSide) =>
      side.windowUnits > splitThresholdRatio * side.ceilingUnits * seconds;
    const isHot = isAbove(partition.read) || isAbove(partition.write);
    partition.read.windowUnits = 0;
    partition.write.windowUnits = 0;
    // A split that is under way goes on, and is judged by all that is asked meanwhile.
    if (!splitsForHeat || partition.isSplitting) return;
    if (!isHot) partition.hotSinceUs = undefined;
    else partition.hotSinceUs ??= Math.max(endUs - this.#windowUs, partition.bornAtUs);
    const { hotSinceUs } = partition;
    if (hotSinceUs === undefined || endUs - hotSinceUs < splitDetectionSeconds * US_PER_SECOND) return;
    partition.isSplitting = true;
    this.#due.push({ kind: 'split', dueUs: endUs + splitDelaySeconds * US_PER_SECOND, partition });
  }

  #splitForHeat(partition: Partition, atUs: number): void {
    // Growth may have taken its place meanwhile.
    if (partition.endedAtUs <= atUs) return;
    const border = this.#hotKeys.cut(partition, atUs);
    partition.isSplitting = false;
    partition.hotSinceUs = undefined;
    if (border !== undefined) this.#replace(partition, [border], atUs);
  }

  #replace(partition: Partition, borders: readonly Border[], atUs: number): void {
    const parts = partition.splitAt(borders, this.#settings, { atUs, nextId: this.#nextId });
    this.#nextId += parts.length;
    this.#ended.push(partition);
    this.#map = this.#map.replacing(partition, parts);
    this.#bytes.share(partition, parts);
  }
}
