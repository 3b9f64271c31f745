// How many shards a key needs, by arithmetic alone. What placement adds to that is placement-outlook.ts.
import { PARTITION_READ_UNITS, PARTITION_WRITE_UNITS } from '../dynamodb/limits.ts';

export interface ShardDemand {
  /** Peak writes per second to the logical key: the peak of a second, not the mean of a minute. */
  readonly writesPerSecond: number;
  /** Write units of one write on the resource that is sharded (twice as many on a table in a transaction). */
  readonly unitsPerWrite: number;
  /** Peak read units per second on the same key; default 0. */
  readonly readUnitsPerSecond?: number;
  /** Share of a partition's ceiling that a shard may use, 0–1; default 0.7. */
  readonly targetUtilization?: number;
  /** Share of the hottest shard relative to an even split; 1 is even, which is the default. */
  readonly hottestShare?: number;
}

const DEFAULT_TARGET_UTILIZATION = 0.7;
/**
 * No key is worth more shards than the table quota has partitions many times over; a search beyond it is a
 * mistake in the input.
 */
const MAX_SHARDS = 100_000;

/**
 * The smallest number of shards N for which the hottest shard stays below its target.
 *
 * Writes: w × (m + √(2 m ln N)) ≤ ceiling × u, with m = λ h / N writes per second on the hottest shard, λ
 * writes per second, w write units per write, h the hottest shard's share relative to an even split, u target
 * utilization. The root is the random imbalance of shards within a second. Reads: N ≥ ρ h / (ceiling × u), ρ
 * read units per second. The larger of both.
 *
 * Shards are not partitions: also see that enough partitions are there (`requiredWarmWriteUnits`). A single
 * item above a partition's ceiling is helped by no number of shards.
 * @returns whole number ≥ 1; undefined where no number below 100,000 is enough
 */
export function requiredShards(demand: ShardDemand): number | undefined {
  const { writesPerSecond, unitsPerWrite, readUnitsPerSecond = 0, hottestShare = 1 } = demand;
  const utilization = demand.targetUtilization ?? DEFAULT_TARGET_UTILIZATION;
  const forReads = Math.max(
    1,
    Math.ceil((readUnitsPerSecond * hottestShare) / (PARTITION_READ_UNITS * utilization)),
  );
  for (let shards = forReads; shards <= MAX_SHARDS; shards++) {
    const mean = (writesPerSecond * hottestShare) / shards;
    const busiestSecond = mean + Math.sqrt(2 * mean * Math.log(shards));
    if (unitsPerWrite * busiestSecond <= PARTITION_WRITE_UNITS * utilization) return shards;
  }
  return undefined;
}

/**
 * Warm write units per second with which enough partitions are there from the first second: all writes at
 * target utilization.
 */
export function requiredWarmWriteUnits(demand: ShardDemand): number {
  const utilization = demand.targetUtilization ?? DEFAULT_TARGET_UTILIZATION;
  return Math.ceil((demand.writesPerSecond * demand.unitsPerWrite) / utilization);
}
