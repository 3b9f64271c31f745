// The partitions of one table or index as they change while load goes on: which of them are hot, which split
// is under way, and when new traffic peaks add more. All of it is looked at once per window of heat, by the
// first request after it; between windows a request costs a comparison.
import type { Billing } from '../dynamodb/table-spec.ts';
import { US_PER_SECOND } from '../units.ts';
import type { KeyList } from './key-list.ts';
import { HEAT_PER_WRITE_UNIT, type KeyState } from './key-state.ts';
import type { Partition, PartitionSettings, PartitionSide } from './partition.ts';
import { evenCuts, PartitionMap } from './partition-map.ts';
import { HASH_RANGE } from './placement.ts';
import type { ResourceSide } from './resource-side.ts';
import { SortKeys } from './sort-keys.ts';
import { type Border, compareBorders, cutOf, type WeightedKey } from './split-rule.ts';

const PEAK_SECONDS = 60;

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
 * `splitDetectionSeconds` is split `splitDelaySeconds` later. On demand, units consumed in a whole minute at
 * `peak` a second call for ⌈2 × peak ÷ ceiling⌉ partitions `growthDelaySeconds` later.
 * @see "Burst and adaptive capacity", https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/burst-adaptive-capacity.html, read 2026-11-30
 * @see "On-demand capacity mode", https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html, read 2026-11-30
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
  #minuteEndUs: number;
  #due: DueChange[] = [];
  #grownTo = 0;
  /** Heat of hot keys when their partitions began to be hot. */
  readonly #heatBefore = new Map<KeyState, number>();
  /** Bytes that were there before load, or came under keys that no request has named: spread evenly. */
  #unplacedBytes = 0;

  constructor(settings: LivePartitionsSettings) {
    const { model, count, createdAtUs } = settings;
    this.#settings = settings;
    this.#windowUs = Math.max(1, Math.round(model.heatWindowSeconds)) * US_PER_SECOND;
    this.#map = PartitionMap.even(count, settings, createdAtUs);
    this.#nextId = count;
    this.#windowEndUs = createdAtUs + this.#windowUs;
    this.#minuteEndUs = createdAtUs + PEAK_SECONDS * US_PER_SECOND;
    this.nextUs = Math.min(this.#windowEndUs, this.#minuteEndUs);
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
      this.#unplacedBytes += bytes;
      return;
    }
    key.sizeBytes += bytes;
    this.of(key).sizeBytes += bytes;
  }

  /** Does what has become due by a moment. */
  advance(atUs: number): void {
    this.#carryOut(atUs);
    if (atUs >= this.#windowEndUs) this.#closeWindow(atUs);
    if (atUs >= this.#minuteEndUs) this.#closeMinute(atUs);
    this.#carryOut(atUs);
    this.nextUs = Math.min(this.#windowEndUs, this.#minuteEndUs, ...this.#due.map(({ dueUs }) => dueUs));
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
    if (this.#settings.model.splitsForHeat) this.#followHotKeys(endUs);
    for (const partition of this.#map.partitions) this.#splitForSize(partition, endUs);
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

  /** Keeps what hot keys had been asked for before, and begins to look at the sort keys of the hottest. */
  #followHotKeys(endUs: number): void {
    for (const whole of this.#settings.keys.heavy) {
      whole.sorts?.warmWhole();
      for (const key of whole.sorts?.states ?? [whole]) {
        const { hotSinceUs } = this.of(key);
        if (hotSinceUs === undefined) this.#heatBefore.set(key, key.heat);
        else if (this.#settings.mayCutCollections && this.#isTooHot(key, endUs - hotSinceUs))
          whole.sorts ??= new SortKeys(whole);
      }
    }
  }

  /** Whether a key alone would keep a partition hot. */
  #isTooHot(key: KeyState, sinceUs: number): boolean {
    const { partitionReadUnits, partitionWriteUnits, splitThresholdRatio } = this.#settings.model;
    const ceiling = Math.min(partitionReadUnits, partitionWriteUnits * HEAT_PER_WRITE_UNIT);
    const heat = this.#heatSince(key);
    return heat > (splitThresholdRatio * ceiling * sinceUs) / US_PER_SECOND;
  }

  #heatSince(key: KeyState): number {
    return key.heat - (this.#heatBefore.get(key) ?? 0);
  }

  #splitForHeat(partition: Partition, atUs: number): void {
    // Growth may have taken its place meanwhile.
    if (partition.endedAtUs <= atUs) return;
    const { model } = this.#settings;
    const sinceUs = atUs - (partition.hotSinceUs ?? atUs);
    const keys = this.#hotKeysOn(partition);
    const weighted = keys.map(
      ({ key, whole }): WeightedKey => ({
        position: key.position,
        weight: this.#heatSince(key),
        sortCut: this.#isTooHot(key, sinceUs) ? whole.sorts?.cutOf(key, model.monotonicRatio) : undefined,
      }),
    );
    const hot = weighted.reduce((sum, { weight }) => sum + weight, 0);
    const tail = Math.max(0, partition.heat - partition.heatBefore - hot);
    const border = cutOf(partition.interval, weighted, tail);
    partition.isSplitting = false;
    partition.hotSinceUs = undefined;
    if (border === undefined) return;
    const cut = keys.find(({ key }) => border.sort !== '' && key.position === border.position);
    if (cut !== undefined)
      for (const half of cut.whole.sorts?.divide(cut.key, border.sort) ?? [])
        this.#heatBefore.set(half, half.heat);
    this.#replace(partition, [border], atUs);
  }

  /** The hot keys on a partition, or the parts of them that it holds, in order. */
  #hotKeysOn(partition: Partition): readonly { readonly key: KeyState; readonly whole: KeyState }[] {
    return this.#settings.keys.heavy
      .flatMap((whole) => (whole.sorts?.states ?? [whole]).map((key) => ({ key, whole })))
      .filter(({ key }) => this.of(key) === partition)
      .sort((a, b) => compareBorders(startOf(a.key), startOf(b.key)));
  }

  /** One collection that is larger than a partition is left whole: of its bytes by sort key nothing is known. */
  #splitForSize(partition: Partition, atUs: number): void {
    const { model, keys } = this.#settings;
    const unplaced = this.#unplacedBytes * hashShare(partition);
    if (partition.sizeBytes + unplaced <= model.partitionBytes) return;
    const weighted: WeightedKey[] = [];
    let listed = 0;
    for (const key of keys.listed) {
      if (key.sizeBytes <= 0 || key.sorts?.isCut === true || this.of(key) !== partition) continue;
      weighted.push({ position: key.position, weight: key.sizeBytes, sortCut: undefined });
      listed += key.sizeBytes;
    }
    weighted.sort((a, b) => a.position - b.position);
    const tail = Math.max(0, partition.sizeBytes + unplaced - listed);
    const border = cutOf(partition.interval, weighted, tail);
    if (border !== undefined) this.#replace(partition, [border], atUs);
  }

  #closeMinute(atUs: number): void {
    const { read, write, model } = this.#settings;
    const endUs = this.#minuteEndUs;
    const minuteUs = PEAK_SECONDS * US_PER_SECOND;
    this.#minuteEndUs = endUs + (Math.floor((atUs - endUs) / minuteUs) + 1) * minuteUs;
    const partitionsFor = (side: ResourceSide, ceilingUnits: number) =>
      Math.ceil((2 * side.minuteUnits) / PEAK_SECONDS / ceilingUnits);
    const count = Math.max(
      partitionsFor(read, model.partitionReadUnits),
      partitionsFor(write, model.partitionWriteUnits),
    );
    const isOnDemand = read.billingMode === ('on-demand' satisfies Billing['mode']);
    read.minuteUnits = 0;
    write.minuteUnits = 0;
    // Past half of what the partitions serve, twice the peak is more than they do.
    if (!model.growsOnDemand || !isOnDemand) return;
    if (count <= Math.max(this.#grownTo, this.#map.partitions.length)) return;
    this.#grownTo = count;
    this.#due.push({ kind: 'growth', dueUs: endUs + model.growthDelaySeconds * US_PER_SECOND, count });
  }

  #replace(partition: Partition, borders: readonly Border[], atUs: number): void {
    const parts = partition.splitAt(borders, this.#settings, { atUs, nextId: this.#nextId });
    this.#nextId += parts.length;
    this.#ended.push(partition);
    this.#map = this.#map.replacing(partition, parts);
    this.#shareBytes(partition, parts);
  }

  /** Bytes of keys that are known go with them, the rest by width. */
  #shareBytes(partition: Partition, parts: readonly Partition[]): void {
    if (partition.sizeBytes === 0) return;
    let listed = 0;
    for (const whole of this.#settings.keys.listed)
      for (const key of whole.sorts?.states ?? [whole]) {
        if (key.sizeBytes === 0 || key.partition !== partition) continue;
        this.of(key).sizeBytes += key.sizeBytes;
        listed += key.sizeBytes;
      }
    const width = parts.reduce((sum, part) => sum + hashShare(part), 0);
    for (const part of parts)
      part.sizeBytes += width === 0 ? 0 : (partition.sizeBytes - listed) * (hashShare(part) / width);
  }
}

function startOf({ position, fromSort }: KeyState): Border {
  return { position, sort: fromSort };
}

/** Part of the hash range, 0–1. */
export function hashShare({ interval }: Partition): number {
  return (interval.until.position - interval.from.position) / HASH_RANGE;
}
