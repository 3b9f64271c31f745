// One partition: a part of the hash range with its own read and write ceiling, and what was spent and refused
// on it. Reads and writes never share tokens. Splitting is the partition map's matter.
import type { CapacityModel } from './capacity-model.ts';
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

  constructor(ceilingUnits: number, model: CapacityModel, startAtUs: number) {
    this.ceilingUnits = ceilingUnits;
    this.bucket = new TokenBucket({
      ratePerSec: ceilingUnits,
      capacity: ceilingUnits * model.partitionBurstSeconds,
      startUnits: ceilingUnits * model.partitionStartSeconds,
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

export interface HashInterval {
  /** First position that belongs to the partition. */
  readonly fromPosition: number;
  /** First position that does not. */
  readonly untilPosition: number;
}

export class Partition {
  readonly id: number;
  readonly interval: HashInterval;
  readonly read: PartitionSide;
  readonly write: PartitionSide;

  /** @param startAtUs  when the partition comes into being; default: time 0 */
  constructor(id: number, interval: HashInterval, model: CapacityModel, startAtUs = 0) {
    this.id = id;
    this.interval = interval;
    this.read = new PartitionSide(model.partitionReadUnits, model, startAtUs);
    this.write = new PartitionSide(model.partitionWriteUnits, model, startAtUs);
  }
}
