// How many shards a hot key needs, and how many partitions its shards need, as far as it can be told from the
// demand on one key. A rule of thumb for the advice of findings; it does not try the answer out, which is
// what a run with other variants is for.
import { PARTITION_WRITE_UNITS, TABLE_QUOTA_UNITS } from '../dynamodb/limits.ts';
import { placementOdds } from './placement-odds.ts';

/** Demand on one logical key, on the resource where it is hot. */
export interface KeyDemand {
  /** Operations per second, consumed and rejected. */
  readonly operationsPerSecond: number;
  readonly unitsPerOperation: number;
  /** Of one partition: 1,000 WCU/s or 3,000 RCU/s. */
  readonly ceilingUnits: number;
}

/** Share of a partition's ceiling that a shard should use at most. */
export const TARGET_UTILIZATION = 0.7;

/** Share of placements in which the shards should fit their partitions. */
const WANTED_PLACEMENT_ODDS = 0.95;

/** Nobody reads 200 keys to answer one question; AWS's own example of random suffixes goes as far. */
export const MOST_SHARDS = 200;

/** A whole table's or index's partitions at the default quota: 40,000 ÷ 1,000. */
const MOST_PARTITIONS = TABLE_QUOTA_UNITS / PARTITION_WRITE_UNITS;

/**
 * Smallest N with w × (m + √(2 m ln N)) ≤ u × ceiling, where m = λ ÷ N operations per second and shard, λ the
 * operations per second on the key, w the units of one operation, u the target utilisation. The root is the
 * random imbalance of one second over N shards.
 * @returns null above 200 shards, or where one operation alone is dearer than the ceiling
 */
export function shardsByCeiling(demand: KeyDemand): number | null {
  if (demand.unitsPerOperation > demand.ceilingUnits) return null;
  return smallest(1, MOST_SHARDS, (count) => {
    return busiestUnits(demand, count, 1) <= TARGET_UTILIZATION * demand.ceilingUnits;
  });
}

/**
 * The same with placement: smallest N that satisfies `shardsByCeiling` and, hashed onto the partitions there
 * are, leaves every partition below its ceiling in 95 % of placements.
 * @returns null where no N up to 200 does: then the partitions are too few
 */
export function shardsOnPartitions(demand: KeyDemand, partitionCount: number): number | null {
  const fewest = shardsByCeiling(demand);
  if (fewest === null) return null;
  return smallest(fewest, MOST_SHARDS, (count) => {
    return oddsOfFitting(demand, count, partitionCount) >= WANTED_PLACEMENT_ODDS;
  });
}

/** Numbers of partitions tried when a resource is to be warmed, up to what the default quota allows. */
const WARMED_PARTITIONS = [10, 20, 30, MOST_PARTITIONS] as const;

/**
 * Times the shards needed by the ceiling alone: beyond that more partitions, paid once, are better than more
 * shards, which each reader asks each time.
 */
const MOST_SHARDS_PER_NEEDED = 4;

/** Shards and the partitions that they need to lie on. */
export interface ShardPlan {
  readonly shards: number;
  readonly partitions: number;
}

/**
 * Where the partitions there are carry the demand with no number of shards: the fewest partitions of 10,
 * 20, 30 and 40 that do with a number of shards which readers can bear, else 40.
 * @returns null where 40 partitions, the default quota of a table or index, do not suffice either
 */
export function shardsOnWarmedPartitions(demand: KeyDemand): ShardPlan | null {
  const bearable = MOST_SHARDS_PER_NEEDED * (shardsByCeiling(demand) ?? 0);
  let plan: ShardPlan | null = null;
  for (const partitions of WARMED_PARTITIONS) {
    const shards = shardsOnPartitions(demand, partitions);
    if (shards === null) continue;
    plan = { shards, partitions };
    if (shards <= bearable) return plan;
  }
  return plan;
}

/**
 * Share of placements in which `shardCount` shards on `partitionCount` partitions leave every partition below
 * its ceiling.
 */
export function oddsOfFitting(demand: KeyDemand, shardCount: number, partitionCount: number): number {
  const fitting = shardsPerPartition(demand, shardCount);
  return placementOdds(shardCount, partitionCount, fitting)[partitionCount - 1] ?? 0;
}

/**
 * Smallest number of partitions on which `shardCount` shards fit in 95 % of placements and that the whole
 * demand uses to 70 % at most.
 * @returns null above 40 partitions, which the default quota of a table or index does not warm
 */
export function partitionsNeeded(demand: KeyDemand, shardCount: number): number | null {
  const units = demand.operationsPerSecond * demand.unitsPerOperation;
  const fewest = Math.max(1, Math.ceil(units / (TARGET_UTILIZATION * demand.ceilingUnits)));
  const odds = placementOdds(shardCount, MOST_PARTITIONS, shardsPerPartition(demand, shardCount));
  return smallest(fewest, MOST_PARTITIONS, (count) => (odds[count - 1] ?? 0) >= WANTED_PLACEMENT_ODDS);
}

/** Shards of equal demand that one partition can hold below its ceiling, jitter included. */
function shardsPerPartition(demand: KeyDemand, shardCount: number): number {
  let held = 0;
  while (held < shardCount && busiestUnits(demand, shardCount, held + 1) <= demand.ceilingUnits) held++;
  return held;
}

/** Units in a bad second of `held` shards out of `shardCount` together. */
function busiestUnits(demand: KeyDemand, shardCount: number, held: number): number {
  const mean = (demand.operationsPerSecond / shardCount) * held;
  return demand.unitsPerOperation * (mean + Math.sqrt(2 * mean * Math.log(shardCount)));
}

function smallest(from: number, until: number, suffices: (count: number) => boolean): number | null {
  for (let count = from; count <= until; count++) if (suffices(count)) return count;
  return null;
}
