// One partition: a part of the hash range with its own read and write ceiling, and what was spent and refused
// on it. Reads and writes never share tokens. When it is split is decided in live-partitions.ts.
import type { CapacityModel } from './capacity-model.ts';
import { HASH_RANGE } from './placement.ts';
import type { Border, Interval } from './split-rule.ts';
import { TokenBucket } from './token-bucket.ts';

/**
 * The read or the write side of a partition. Units here are shares of the ceiling: an eventual read may count
 * for less.
 */
export class PartitionSide {
  readonly bucket: TokenBucket;
  /** Units per second that the partition serves. */
  readonly ceilingUnits: number;
  units = 0;
  throttledUnits = 0;
  #peakUnits = 0;
  #second = -1;
  #secondUnits = 0;

  /** Units spent in the present window of heat. */
  windowUnits = 0;

  constructor(ceilingUnits: number, start: SideStart) {
    const { burstSeconds, startUnits, startAtUs } = start;
    this.ceilingUnits = ceilingUnits;
    this.bucket = new TokenBucket({
      ratePerSec: ceilingUnits,
      capacity: ceilingUnits * burstSeconds,
      startUnits,
      startAtUs,
    });
  }

  /** Records units spent in a second of the measured window; seconds come in order. */
  record(units: number, second: number): void {
    this.units += units;
    if (second === this.#second) {
      this.#secondUnits += units;
    } else {
      this.#second = second;
      this.#secondUnits = units;
    }
    if (this.#secondUnits > this.#peakUnits) this.#peakUnits = this.#secondUnits;
  }

  /** The most units spent in one second of the measured window. */
  get peakUnits(): number {
    return this.#peakUnits;
  }
}

interface SideStart {
  /** Seconds of its ceiling that can be saved up. */
  readonly burstSeconds: number;
  readonly startUnits: number;
  readonly startAtUs: number;
}

/** How the partitions of one table or index come into being. */
export interface PartitionSettings {
  readonly model: CapacityModel;
  /** Seconds of their write ceiling that partitions may fall behind: 0 but for an index with a backlog. */
  readonly backlogSeconds: number;
}

/** Serves its part of the hash range until others take its place. */
export class Partition {
  readonly id: number;
  readonly interval: Interval;
  readonly bornAtUs: number;
  readonly read: PartitionSide;
  readonly write: PartitionSide;
  /** When others took its place; Infinity: not yet. */
  endedAtUs = Number.POSITIVE_INFINITY;
  /** Demand since it was born, in read units, a write unit counting as three; refused requests too. */
  heat = 0;
  /** The same when it began to be hot. */
  heatBefore = 0;
  /** Since when it has been hot without a break; undefined: it is not. */
  hotSinceUs: number | undefined = undefined;
  /** Whether a split for heat is under way. */
  isSplitting = false;
  /** Bytes that load has put here, less those it took away; what was there before load is known in sum only. */
  sizeBytes = 0;

  private constructor(
    id: number,
    interval: Interval,
    bornAtUs: number,
    sides: { readonly read: PartitionSide; readonly write: PartitionSide },
  ) {
    this.id = id;
    this.interval = interval;
    this.bornAtUs = bornAtUs;
    this.read = sides.read;
    this.write = sides.write;
  }

  /** A partition as a table starts with: part of a second is saved up. */
  static fresh(id: number, interval: Interval, settings: PartitionSettings, atUs: number): Partition {
    const { model, backlogSeconds } = settings;
    const startOf = (ceiling: number, backlog: number): SideStart => ({
      burstSeconds: model.partitionBurstSeconds + backlog,
      startUnits: ceiling * (model.partitionStartSeconds + backlog),
      startAtUs: atUs,
    });
    return new Partition(id, interval, atUs, sidesOf(settings, startOf, backlogSeconds));
  }

  /**
   * Parts of a partition that is split at a moment. Each has its own ceiling from then on; what the whole had
   * saved up, or owes, is shared out, so that a split mints nothing.
   * @param nextId  the first of their ids
   */
  splitAt(
    borders: readonly Border[],
    settings: PartitionSettings,
    { atUs, nextId }: { readonly atUs: number; readonly nextId: number },
  ): readonly Partition[] {
    const { read, write, interval } = this;
    const ends = [interval.from, ...borders, interval.until];
    const count = ends.length - 1;
    const { partitionBurstSeconds } = settings.model;
    this.endedAtUs = atUs;
    return Array.from({ length: count }, (_, index) => {
      const part = { from: ends[index] as Border, until: ends[index + 1] as Border };
      const held = { read: read.bucket.unitsAt(atUs) / count, write: write.bucket.unitsAt(atUs) / count };
      const start = { startAtUs: atUs, burstSeconds: partitionBurstSeconds };
      return new Partition(nextId + index, part, atUs, {
        read: new PartitionSide(read.ceilingUnits, { ...start, startUnits: held.read }),
        write: new PartitionSide(write.ceilingUnits, {
          ...start,
          burstSeconds: partitionBurstSeconds + settings.backlogSeconds,
          startUnits: held.write,
        }),
      });
    });
  }
}

/** How much of the hash range a partition has, 0–1. */
export function hashShare({ interval }: Partition): number {
  return (interval.until.position - interval.from.position) / HASH_RANGE;
}

function sidesOf(
  { model }: PartitionSettings,
  startOf: (ceilingUnits: number, backlogSeconds: number) => SideStart,
  backlogSeconds: number,
): { readonly read: PartitionSide; readonly write: PartitionSide } {
  const { partitionReadUnits, partitionWriteUnits } = model;
  return {
    read: new PartitionSide(partitionReadUnits, startOf(partitionReadUnits, 0)),
    write: new PartitionSide(partitionWriteUnits, startOf(partitionWriteUnits, backlogSeconds)),
  };
}
