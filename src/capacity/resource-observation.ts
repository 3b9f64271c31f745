// What is known of a table or index after a run: values only, read by findings, reports and the placing of
// keys anew.
import type { Billing } from '../dynamodb/table-spec.ts';
import type { ThrottlingLimit } from '../dynamodb/throttling-reason.ts';

/**
 * Reads or writes of a whole table or index in the measured window. A request counts once for each key it
 * touches here: a transaction on two keys, or an index key that moves, counts twice.
 */
export interface SideTotals {
  /** Requests admitted here. */
  readonly requests: number;
  readonly units: number;
  /** Requests that a limit of this resource refused. */
  readonly throttledRequests: number;
  /** Units those would have cost. */
  readonly throttledUnits: number;
  /** Requests refused because of another resource they touch, and not counted above. */
  readonly refusedElsewhere: number;
  /** Throttled requests by limit; a request that fails by two limits counts under both. */
  readonly throttledByLimit: Readonly<Record<ThrottlingLimit, number>>;
  /** Units spent in each second of the window, at most 1,800 seconds. */
  readonly unitsPerSecond: readonly number[];
}

/**
 * Reads or writes of one partition. Units are shares of its ceiling: where eventual reads have a higher one,
 * they count less.
 */
export interface PartitionUse {
  readonly units: number;
  readonly throttledUnits: number;
  /** The most units of one second. */
  readonly peakUnitsPerSecond: number;
  readonly ceilingUnits: number;
  /** Units per second while it served ÷ ceiling; 1 is a partition that can take no more. */
  readonly utilizationRatio: number;
}

/** One partition, from its making to its split or the end of the window. */
export interface PartitionObservation {
  readonly id: number;
  /** Part of the hash range, 0–1; at any moment all that serve make 1. */
  readonly hashRangeRatio: number;
  /** The part of the measured window in which it served, in seconds of that window. */
  readonly fromSecond: number;
  readonly untilSecond: number;
  /** Whether it still serves at the end of the window; others have taken the place of those that do not. */
  readonly isServing: boolean;
  readonly read: PartitionUse;
  readonly write: PartitionUse;
}

/** What one side, reads or writes, asked of one key in the measured window; units in all. */
export interface KeyUseObservation {
  readonly requests: number;
  readonly units: number;
  readonly throttledRequests: number;
  readonly throttledUnits: number;
  /** Units spent and refused ÷ those of the whole resource; 0–1. */
  readonly demandRatio: number;
}

/** One of the keys that were asked for most. */
export interface KeyObservation {
  readonly key: string;
  readonly partitionId: number;
  readonly read: KeyUseObservation;
  readonly write: KeyUseObservation;
  /** Share of the resource's whole demand, a write unit counting as three read units; 0–1. */
  readonly demandRatio: number;
}

/** What was asked of one key in each second of the measured window, units spent and refused together. */
export interface HeavyKeyDemand {
  readonly key: string;
  readonly unitsPerSecond: readonly number[];
  /** Present where a split may cut the key's own items in two, or already has. */
  readonly isDivisible?: boolean;
}

/** What was asked of a resource in each second, spent or refused, as shares of a partition's ceiling. */
export interface DemandSeries {
  readonly totalUnitsPerSecond: readonly number[];
  /** The hottest keys, at most 256; the rest of the total is the cold tail. */
  readonly heavyKeys: readonly HeavyKeyDemand[];
}

/** All that is known of one table or index over the measured window. */
export interface ResourceObservation {
  readonly name: string;
  readonly arn: string;
  readonly resource: 'Table' | 'Index';
  readonly billing: Billing;
  /** Length of the measured window as far as it was reached. */
  readonly windowSeconds: number;
  readonly read: SideTotals;
  readonly write: SideTotals;
  /** All that served in the window, in the order in which they came to be. */
  readonly partitions: readonly PartitionObservation[];
  /** The hottest keys by demand, hottest first. */
  readonly topKeys: readonly KeyObservation[];
  /** Distinct keys; an upper bound where not exact. */
  readonly distinctKeys: number;
  /**
   * False where there were too many keys to list each: then cold keys are missing from `topKeys`, totals are
   * still exact.
   */
  readonly isExact: boolean;
  readonly readDemand: DemandSeries;
  readonly writeDemand: DemandSeries;
}
