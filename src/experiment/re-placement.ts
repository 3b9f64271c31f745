// How much of a result is luck of placement: the demand recorded by key is laid on partitions again under
// many salts, and each partition serves it by second from a token bucket. Arithmetic over a record; no
// request is sent or simulated again.
import type { CapacityModel } from '../capacity/capacity-model.ts';
import { HASH_RANGE, keyPosition, type PlacementSalt } from '../capacity/placement.ts';
import type { ResourceObservation, SideTotals } from '../capacity/resource-observation.ts';
import { resourceLimits } from '../capacity/resource-side.ts';
import type { ThrottledOperation } from '../capacity/throttling.ts';
import { addUp, type PlacedDemand, type PlacedKey, placedDemand } from './placed-demand.ts';
import { hashShareOf, type LocatedKey, type Span, settle } from './settle-partition.ts';

export interface RePlacementInput {
  readonly observation: ResourceObservation;
  /** Reads and writes are placed apart, as they never share a limit. */
  readonly operation: ThrottledOperation;
  readonly model: CapacityModel;
  readonly salts: readonly PlacementSalt[];
  /** Partitions at the start; default: as many as there were in the run when its measured window began. */
  readonly partitionCount?: number;
  /** Whether load ran before, so that nothing is saved up at the start; default: no. */
  readonly isWarm?: boolean;
}

/** The share of demanded units that is refused, one entry per salt, 0–1. */
export interface PlacementRatios {
  /** On partitions as they start. */
  readonly fromFirstSecond: readonly number[];
  /**
   * After hot partitions were split, with nothing saved up; where the model has no splits, on the first
   * partitions.
   */
  readonly settled: readonly number[];
}

/**
 * Places the demand of one table or index under each salt.
 *
 * What a placement cannot change (quota, maximum on demand, provisioned units) bounds the result from below. Where no
 * partition refuses, or there is but one, every placement refuses at once what the run did.
 * Approximations: demand is even within a second, and keys that never ask for more than 1 % of a partition's
 * ceiling are spread evenly.
 */
export function placeAnew(input: RePlacementInput): PlacementRatios {
  const { observation, operation, model, salts, isWarm = false } = input;
  const ceiling = operation === 'Read' ? model.partitionReadUnits : model.partitionWriteUnits;
  const demand = placedDemand(
    operation === 'Read' ? observation.readDemand : observation.writeDemand,
    ceiling,
  );
  if (demand.totalUnits === 0) {
    const none = salts.map(() => 0);
    return { fromFirstSecond: none, settled: none };
  }
  const capacity = ceiling * model.partitionBurstSeconds;
  const startUnits = isWarm ? 0 : Math.min(capacity, ceiling * model.partitionStartSeconds);
  const starting: ServedBy = { ratePerSec: ceiling, capacity, startUnits };
  const busy: ServedBy = { ...starting, startUnits: 0 };
  const startingCount = observation.partitions.filter(({ fromSecond }) => fromSecond === 0).length;
  const partitionCount = input.partitionCount ?? startingCount;
  const floorAtStart = resourceRatio(input, demand, !isWarm);
  const floorSettled = resourceRatio(input, demand, false);
  const fromFirstSecond: number[] = [];
  const settled: number[] = [];
  for (const salt of salts) {
    const spans = place(demand.keys, salt, partitionCount);
    fromFirstSecond.push(refusedRatio(spans, demand, starting));
    const settledSpans = model.splitsForHeat
      ? spans.flatMap((span) => settle(span, demand, model.splitThresholdRatio * ceiling))
      : spans;
    settled.push(refusedRatio(settledSpans, demand, busy));
  }
  const side = operation === 'Read' ? observation.read : observation.write;
  const isOne = partitionCount === 1 && observation.partitions.length === 1;
  const isRefusedByKeyRange =
    side.throttledByLimit.KeyRange > 0 || [...fromFirstSecond, ...settled].some((ratio) => ratio > 0);
  const isAllTheSame = isOne || !isRefusedByKeyRange;
  return {
    fromFirstSecond: fromFirstSecond.map((ratio) =>
      isAllTheSame ? refusedInRun(side) : Math.max(floorAtStart, ratio),
    ),
    settled: settled.map((ratio) => Math.max(floorSettled, ratio)),
  };
}

/** What a table had saved up when the measured window began is known here alone. */
function refusedInRun({ requests, throttledRequests, refusedElsewhere }: SideTotals): number {
  const all = requests + throttledRequests + refusedElsewhere;
  return all === 0 ? 0 : throttledRequests / all;
}

/** The keys on partitions of equal width, in order of place. */
export function place(keys: readonly PlacedKey[], salt: PlacementSalt, partitionCount: number): Span[] {
  const located = keys.map(
    (key): LocatedKey => ({
      key,
      position: keyPosition(key.text, salt),
      fromShare: 0,
      untilShare: 1,
    }),
  );
  located.sort((a, b) => a.position - b.position);
  const onPartition: LocatedKey[][] = Array.from({ length: partitionCount }, () => []);
  for (const key of located) onPartition[Math.floor((key.position / HASH_RANGE) * partitionCount)]?.push(key);
  const border = (index: number) => ({
    position: Math.ceil((index / partitionCount) * HASH_RANGE),
    sort: '',
  });
  return onPartition.map((these, index) => ({
    interval: { from: border(index), until: border(index + 1) },
    keys: these,
  }));
}

interface ServedBy {
  readonly ratePerSec: number;
  readonly capacity: number;
  readonly startUnits: number;
}

function refusedRatio(spans: readonly Span[], demand: PlacedDemand, bucket: ServedBy): number {
  const perSecond = new Float64Array(demand.seconds);
  let refused = 0;
  for (const span of spans) {
    addUp(demand, { keys: span.keys, tailRatio: hashShareOf(span) }, perSecond);
    refused += refusedUnits(perSecond, bucket);
  }
  return refused / demand.totalUnits;
}

/** Units refused by a token bucket when each second's demand arrives evenly over the second. */
function refusedUnits(unitsPerSecond: Float64Array, bucket: ServedBy): number {
  let tokens = bucket.startUnits;
  let refused = 0;
  for (const units of unitsPerSecond) {
    const left = tokens + bucket.ratePerSec - units;
    if (left < 0) refused -= left;
    tokens = Math.min(bucket.capacity, Math.max(0, left));
  }
  return refused;
}

/**
 * The share refused by the limits of the whole table or index: the largest of them, whatever the placement.
 */
function resourceRatio(input: RePlacementInput, demand: PlacedDemand, isStart: boolean): number {
  const { observation, operation, model } = input;
  const perSecond = new Float64Array(demand.seconds);
  const keys = demand.keys.map((key) => ({ key, fromShare: 0, untilShare: 1 }));
  addUp(demand, { keys, tailRatio: 1 }, perSecond);
  const ratios = resourceLimits(observation.billing, operation, model).map(
    (limit) => refusedUnits(perSecond, isStart ? limit : { ...limit, startUnits: 0 }) / demand.totalUnits,
  );
  return Math.max(0, ...ratios);
}
