// In how many placements a goal holds, over all the resources that a request touches. The placing itself is
// re-placement.ts.
import type { CapacityModel } from '../capacity/capacity-model.ts';
import { placementSalt } from '../capacity/placement.ts';
import type { ResourceObservation, SideTotals } from '../capacity/resource-observation.ts';
import type { ThrottledOperation } from '../capacity/throttling.ts';
import { type PlacementRatios, placeAnew } from './re-placement.ts';

export interface PlacementOutlookInput {
  /**
   * Every resource that a request touches: for writes the table first and then its global indexes, for reads
   * the one read.
   */
  readonly observations: readonly ResourceObservation[];
  readonly operation: ThrottledOperation;
  readonly model: CapacityModel;
  /** The largest throttled ratio that is good enough, 0–1. */
  readonly goalThrottledRatio: number;
  readonly seed: number;
  /** Whether load ran before the measured window, so that nothing is saved up when it opens. */
  readonly isWarm?: boolean;
  /** Placements tried; default 200, of which the first is the run's own. */
  readonly placements?: number;
}

/** Quantiles over placements; 0–1 each. */
export interface RatioQuantiles {
  readonly median: number;
  readonly p90: number;
  readonly worst: number;
}

/** How often a scenario would meet its goal, over many placements of its keys. */
export interface PlacementOutlook {
  readonly placements: number;
  /** Share of placements that meet the goal from the first second, 0–1. */
  readonly shareMeetingGoal: number;
  /** The same after hot partitions were split. */
  readonly shareMeetingGoalSettled: number;
  readonly throttledRatio: RatioQuantiles;
  readonly throttledRatioSettled: RatioQuantiles;
}

const DEFAULT_PLACEMENTS = 200;

/** Closer bounds say nothing of how far refusals overlap. */
const SMALLEST_DIFFERENCE = 0.001;

/**
 * Places recorded demand over many salts and says in which share of them the goal is met. Same input, same
 * answer.
 */
export function placementOutlook(input: PlacementOutlookInput): PlacementOutlook {
  const { observations, operation, model, goalThrottledRatio, seed } = input;
  const { isWarm = false, placements = DEFAULT_PLACEMENTS } = input;
  const salts = Array.from({ length: placements }, (_, index) => placementSalt(seed, index));
  const first = observations[0];
  const requests = first === undefined ? 0 : allRequests(sideOf(first, operation));
  const measured = first === undefined ? 0 : refusedShare(sideOf(first, operation));
  const parts = observations.map((observation) => {
    const touches = allRequests(sideOf(observation, operation));
    const ratios = placeAnew({ observation, operation, model, salts, isWarm });
    return { ratios, touchesPerRequest: requests === 0 ? 1 : touches / requests };
  });
  const { fromFirstSecond, settled } = combinePlacements(parts, placements, measured);
  return {
    placements,
    shareMeetingGoal: shareAtMost(fromFirstSecond, goalThrottledRatio),
    shareMeetingGoalSettled: shareAtMost(settled, goalThrottledRatio),
    throttledRatio: quantiles(fromFirstSecond),
    throttledRatioSettled: quantiles(settled),
  };
}

export interface PlacementPart {
  readonly ratios: PlacementRatios;
  /**
   * Index entries (or items) that a request touches on this resource on average: 1 for the table itself, 2
   * for key moves.
   */
  readonly touchesPerRequest: number;
}

/**
 * The share of requests refused by any of the resources they touch, per salt.
 *
 * It lies between the largest of the shares (all refuse the same requests: what one refuses never reaches the
 * others) and 1 − Π (1 − share) (each refuses requests of its own). How far they overlap is not recorded by
 * key, so the run tells it: the first placement is its own, and must give what was measured.
 * @param measuredRatio  share of requests refused in the run; without it all refuse the same
 */
export function combinePlacements(
  parts: readonly PlacementPart[],
  placements: number,
  measuredRatio = 0,
): PlacementRatios {
  const apart = apartRatio(
    boundsOf(parts, (ratios) => ratios.fromFirstSecond[0] ?? 0),
    measuredRatio,
  );
  const combined = (pick: (ratios: PlacementRatios) => readonly number[]) =>
    Array.from({ length: placements }, (_, index) => {
      const { same, own } = boundsOf(parts, (ratios) => pick(ratios)[index] ?? 0);
      return same + apart * (own - same);
    });
  return {
    fromFirstSecond: combined((ratios) => ratios.fromFirstSecond),
    settled: combined((ratios) => ratios.settled),
  };
}

/** Shares refused in one placement where all resources refuse the same requests, and where each has its own. */
interface RefusedBounds {
  readonly same: number;
  readonly own: number;
}

function boundsOf(
  parts: readonly PlacementPart[],
  refusedBy: (ratios: PlacementRatios) => number,
): RefusedBounds {
  const passed = parts.map(({ ratios, touchesPerRequest }) =>
    passedRatio(refusedBy(ratios), touchesPerRequest),
  );
  return { same: 1 - Math.min(1, ...passed), own: 1 - passed.reduce((product, ratio) => product * ratio, 1) };
}

/** How far resources refused requests of their own in the run, from 0 (all the same) to 1. */
function apartRatio({ same, own }: RefusedBounds, measuredRatio: number): number {
  return own - same < SMALLEST_DIFFERENCE
    ? 0
    : Math.min(1, Math.max(0, (measuredRatio - same) / (own - same)));
}

function passedRatio(refusedRatio: number, touchesPerRequest: number): number {
  if (touchesPerRequest <= 1) return 1 - touchesPerRequest * refusedRatio;
  return (1 - refusedRatio) ** touchesPerRequest;
}

function sideOf(observation: ResourceObservation, operation: ThrottledOperation): SideTotals {
  return operation === 'Read' ? observation.read : observation.write;
}

function allRequests(side: SideTotals): number {
  return side.requests + side.throttledRequests + side.refusedElsewhere;
}

function refusedShare(side: SideTotals): number {
  const all = allRequests(side);
  return all === 0 ? 0 : 1 - side.requests / all;
}

function shareAtMost(ratios: readonly number[], limit: number): number {
  return ratios.length === 0 ? 0 : ratios.filter((ratio) => ratio <= limit).length / ratios.length;
}

/** By nearest rank. */
function quantiles(ratios: readonly number[]): RatioQuantiles {
  const sorted = [...ratios].sort((a, b) => a - b);
  const at = (quantile: number) => sorted[Math.max(0, Math.ceil(quantile * sorted.length) - 1)] ?? 0;
  return { median: at(0.5), p90: at(0.9), worst: at(1) };
}
