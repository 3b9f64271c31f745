// The demand that placements share out: few heavy keys by second, and a cold tail that spreads evenly
// wherever keys fall.
import type { DemandSeries } from '../capacity/resource-observation.ts';

/** A key whose place matters. */
export interface PlacedKey {
  readonly text: string;
  readonly unitsPerSecond: Float64Array;
  readonly meanUnits: number;
  /** Whether a split may cut the key's own items in two. */
  readonly isDivisible: boolean;
}

/** The demand on one resource, taken apart for placing it anew: heavy keys one by one, all others as a tail. */
export interface PlacedDemand {
  readonly keys: readonly PlacedKey[];
  /** Everything else, by second. */
  readonly tailPerSecond: Float64Array;
  readonly tailMeanUnits: number;
  readonly totalUnits: number;
  readonly seconds: number;
}

/**
 * A key that never asks for more than this share of a partition's ceiling in a second belongs to the tail.
 */
const MATTERS_FROM_RATIO = 0.01;

/**
 * Divides observed demand into keys whose place matters and the tail.
 * @param ceilingUnits  units per second that one partition serves
 */
export function placedDemand(series: DemandSeries, ceilingUnits: number): PlacedDemand {
  const seconds = series.totalUnitsPerSecond.length;
  const tailPerSecond = Float64Array.from(series.totalUnitsPerSecond);
  const totalUnits = sum(tailPerSecond);
  const keys: PlacedKey[] = [];
  for (const { key, unitsPerSecond, isDivisible = false } of series.heavyKeys) {
    if (!unitsPerSecond.some((units) => units > MATTERS_FROM_RATIO * ceilingUnits)) continue;
    const units = Float64Array.from(unitsPerSecond);
    // A key's demand may be laid on seconds a little differently from the total's, hence the floor at zero.
    for (let second = 0; second < seconds; second++)
      tailPerSecond[second] = Math.max(0, at(tailPerSecond, second) - at(units, second));
    keys.push({ text: key, unitsPerSecond: units, meanUnits: sum(units) / seconds, isDivisible });
  }
  const tailMeanUnits = seconds === 0 ? 0 : sum(tailPerSecond) / seconds;
  return { keys, tailPerSecond, tailMeanUnits, totalUnits, seconds };
}

/** One partition of a placement: the keys on it, or parts of them, and its share of the tail. */
export interface PlacedPartition {
  readonly keys: readonly KeyShare[];
  /** Part of the hash range, 0–1. */
  readonly tailRatio: number;
}

/** A key's demand from one share of it up to another; 0 to 1: all. */
interface KeyShare {
  readonly key: PlacedKey;
  readonly fromShare: number;
  readonly untilShare: number;
}

/** The demand on one partition by second, written to `into`. */
export function addUp(demand: PlacedDemand, partition: PlacedPartition, into: Float64Array): void {
  for (let second = 0; second < demand.seconds; second++)
    into[second] = at(demand.tailPerSecond, second) * partition.tailRatio;
  for (const { key, fromShare, untilShare } of partition.keys) {
    const share = untilShare - fromShare;
    for (let second = 0; second < demand.seconds; second++)
      into[second] = at(into, second) + share * at(key.unitsPerSecond, second);
  }
}

/** Units per second over the whole window on one partition. */
export function meanUnits(demand: PlacedDemand, partition: PlacedPartition): number {
  return partition.keys.reduce(
    (units, { key, fromShare, untilShare }) => units + (untilShare - fromShare) * key.meanUnits,
    demand.tailMeanUnits * partition.tailRatio,
  );
}

function at(values: Float64Array, index: number): number {
  return values[index] ?? 0;
}

function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0);
}
