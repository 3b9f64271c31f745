// The keys behind hot partitions: what has been asked of each since its partition began to be hot, and where a cut
// would share that out. When a partition is hot and when it splits is decided in live-partitions.ts.
import { US_PER_SECOND } from '../units.ts';
import type { CapacityModel } from './capacity-model.ts';
import type { KeyList } from './key-list.ts';
import { HEAT_PER_WRITE_UNIT, type KeyState, startOf } from './key-state.ts';
import type { Partition } from './partition.ts';
import { SortKeys } from './sort-keys.ts';
import { type Border, compareBorders, cutOf, type WeightedKey } from './split-rule.ts';

interface HotKeysParts {
  readonly model: CapacityModel;
  readonly keys: KeyList;
  /** Whether a collection may be cut inside: there is a sort key, and no local index. */
  readonly mayCutCollections: boolean;
  /** The partition that serves a key now. */
  readonly partitionOf: (key: KeyState) => Partition;
}

/** The heavy keys of one table or index, as splits for heat look at them. */
export class HotKeys {
  readonly #parts: HotKeysParts;
  /** Heat of keys when their partitions began to be hot. */
  readonly #heatBefore = new Map<KeyState, number>();

  constructor(parts: HotKeysParts) {
    this.#parts = parts;
  }

  /**
   * At the end of a window: keeps what keys had been asked for before, and begins to sample sort keys of the
   * hottest.
   */
  follow(endUs: number): void {
    for (const whole of this.#parts.keys.heavy) {
      whole.sorts?.warmWhole();
      for (const key of whole.sorts?.states ?? [whole]) {
        const { hotSinceUs } = this.#parts.partitionOf(key);
        if (hotSinceUs === undefined) this.#heatBefore.set(key, key.heat);
        else if (this.#parts.mayCutCollections && this.#isTooHot(key, endUs - hotSinceUs))
          whole.sorts ??= new SortKeys(whole);
      }
    }
  }

  /**
   * Where a hot partition is cut. A collection that lies on both sides of it is divided at once.
   * @returns undefined where no cut helps
   */
  cut(partition: Partition, atUs: number): Border | undefined {
    const { monotonicRatio } = this.#parts.model;
    const sinceUs = atUs - (partition.hotSinceUs ?? atUs);
    const keys = this.#on(partition);
    const weighted = keys.map(
      ({ key, whole }): WeightedKey => ({
        position: key.position,
        weight: this.#heatSince(key),
        sortCut: this.#isTooHot(key, sinceUs) ? whole.sorts?.cutOf(key, monotonicRatio) : undefined,
      }),
    );
    const hot = weighted.reduce((sum, { weight }) => sum + weight, 0);
    const tail = Math.max(0, partition.heat - partition.heatBefore - hot);
    const border = cutOf(partition.interval, weighted, tail);
    if (border === undefined) return undefined;
    const divided = keys.find(({ key }) => border.sort !== '' && key.position === border.position);
    if (divided !== undefined) this.divide(divided.whole, divided.key, border.sort);
    return border;
  }

  /** Divides a collection, or a part of it, at a sort text; each half begins anew with what it is asked for. */
  divide(whole: KeyState, part: KeyState, sort: string): void {
    for (const half of whole.sorts?.divide(part, sort) ?? []) this.#heatBefore.set(half, half.heat);
  }

  /** The hot keys on a partition, or the parts of them that it holds, in order. */
  #on(partition: Partition): readonly { readonly key: KeyState; readonly whole: KeyState }[] {
    return this.#parts.keys.heavy
      .flatMap((whole) => (whole.sorts?.states ?? [whole]).map((key) => ({ key, whole })))
      .filter(({ key }) => this.#parts.partitionOf(key) === partition)
      .sort((a, b) => compareBorders(startOf(a.key), startOf(b.key)));
  }

  /** Whether a key alone would keep a partition hot. */
  #isTooHot(key: KeyState, sinceUs: number): boolean {
    const { partitionReadUnits, partitionWriteUnits, splitThresholdRatio } = this.#parts.model;
    const ceiling = Math.min(partitionReadUnits, partitionWriteUnits * HEAT_PER_WRITE_UNIT);
    const heat = this.#heatSince(key);
    return heat > (splitThresholdRatio * ceiling * sinceUs) / US_PER_SECOND;
  }

  #heatSince(key: KeyState): number {
    return key.heat - (this.#heatBefore.get(key) ?? 0);
  }
}
