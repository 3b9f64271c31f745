// What is known of one partition-key value on one table or index: its place, its cached partition, what was
// asked of it.
import type { Partition } from './partition.ts';
import { SecondSeries } from './second-series.ts';
import type { SortKeys } from './sort-keys.ts';
import type { Border } from './split-rule.ts';

/** A write unit weighs three read units in a key's heat, as a partition serves three times as many reads. */
export const HEAT_PER_WRITE_UNIT = 3;

/** The reads or the writes of one key in the measured window. */
export class KeyUse {
  requests = 0;
  units = 0;
  throttledRequests = 0;
  throttledUnits = 0;
  /**
   * Units spent or refused in each second, as shares of a partition's ceiling; present while the key is a
   * heavy one.
   */
  demand: SecondSeries | undefined;
  /** The same while the key was not (yet) a heavy one: known in sum only. */
  unplacedUnits = 0;

  constructor(isHeavy: boolean) {
    this.demand = isHeavy ? new SecondSeries() : undefined;
  }

  /** Records a request that ran: its units, and their share of the partition's ceiling. */
  recordSpent(units: number, share: number, second: number): void {
    this.requests++;
    this.units += units;
    this.#recordDemand(share, second);
  }

  /** Records a request that was refused, by this resource unless `mask` is 0. */
  recordRefused(mask: number, units: number, second: number): void {
    if (mask !== 0) {
      this.throttledRequests++;
      this.throttledUnits += units;
    }
    this.#recordDemand(units, second);
  }

  /** Starts to keep demand by second. */
  watch(): void {
    this.demand ??= new SecondSeries();
  }

  /** Stops to keep demand by second; the sum stays. */
  unwatch(): void {
    this.unplacedUnits += this.demand?.total ?? 0;
    this.demand = undefined;
  }

  #recordDemand(share: number, second: number): void {
    if (this.demand === undefined) this.unplacedUnits += share;
    else this.demand.add(second, share);
  }
}

/** Held by whoever holds the item collection, so that a request finds its partition without a look-up. */
export class KeyState {
  readonly text: string;
  /** Where the key lies in the hash range. */
  readonly position: number;
  /** The partition that owned the key at `epoch`. */
  partition: Partition;
  epoch: number;
  /** Absent until the first request of its kind: most keys see only one kind, and there may be many keys. */
  read: KeyUse | undefined = undefined;
  write: KeyUse | undefined = undefined;
  /** Demand since time 0 in read units, a write unit counting as three, warm-up included. */
  heat = 0;
  /** Requests since time 0, refused ones too. */
  requests = 0;
  /** The count of requests at which the key is next compared with the heavy ones. */
  compareAtRequest = 0;
  isHeavy = false;
  /** False once the key was dropped from the list of keys because it was among the coldest of too many. */
  isListed = true;
  /** Bytes that load has added under this key, less those it took away. */
  sizeBytes = 0;
  /** The sort text at which this state begins: '' but for the later parts of a collection that was cut. */
  fromSort = '';
  /** Present while the key is so hot that its partition may be cut inside its collection, and ever after. */
  sorts: SortKeys | undefined = undefined;

  constructor(text: string, position: number, partition: Partition, epoch: number) {
    this.text = text;
    this.position = position;
    this.partition = partition;
    this.epoch = epoch;
  }

  /** The state that a request for one sort key concerns: this one, or a part of a collection that was cut. */
  asked(sort: string): KeyState {
    return this.sorts === undefined ? this : this.sorts.asked(sort);
  }

  /** As `asked`, where nothing is asked of a sort key: for bytes, and for pages that find nothing. */
  at(sort: string): KeyState {
    return this.sorts === undefined ? this : this.sorts.at(sort);
  }

  useOf(operation: 'Read' | 'Write'): KeyUse {
    if (operation === 'Read') {
      this.read ??= new KeyUse(this.isHeavy);
      return this.read;
    }
    this.write ??= new KeyUse(this.isHeavy);
    return this.write;
  }
}

/** Where a key's collection begins, or a part of it. */
export function startOf({ position, fromSort }: KeyState): Border {
  return { position, sort: fromSort };
}
