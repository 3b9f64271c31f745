// Whether a variant's answer hangs on where its keys happened to fall: its demand placed anew, judged by its throttling goals.
import type { PlacementResult } from '../analysis/run-result.ts';
import type { CapacityModel } from '../capacity/capacity-model.ts';
import type { ResourceObservation } from '../capacity/resource-observation.ts';
import type { RunPlan } from '../scenario/run-plan.ts';
import { type PlacementOutlook, placementOutlook } from './placement-outlook.ts';

/** What counts as met where the scenario sets no throttling goal. */
const USUAL_GOAL_RATIO = 0.001;

/**
 * The outlook over placements for the tables of a variant, writes and reads together: a placement meets the goal when both do.
 * @returns null where nothing was asked of the tables
 */
export function placementOfVariant(
  plan: RunPlan,
  observations: readonly ResourceObservation[],
  model: CapacityModel,
): PlacementResult | null {
  const goalThrottledRatio = strictestGoal(plan);
  const outlooks: PlacementOutlook[] = [];
  for (const resources of byTable(observations)) {
    for (const operation of ['Write', 'Read'] as const) {
      const asked = resources.filter((one) => wasAsked(one, operation));
      if (asked.length === 0) continue;
      // A write touches the table and its indexes; reads touch one resource each.
      const groups = operation === 'Write' ? [asked] : asked.map((one) => [one]);
      for (const group of groups) {
        outlooks.push(
          placementOutlook({ observations: group, operation, model, goalThrottledRatio, seed: plan.seed }),
        );
      }
    }
  }
  return outlooks.length === 0 ? null : worstOf(outlooks, goalThrottledRatio);
}

function strictestGoal(plan: RunPlan): number {
  const limits = plan.goals.filter((goal) => goal.metric === 'throttledRatio').map((goal) => goal.limit);
  return limits.length === 0 ? USUAL_GOAL_RATIO : Math.min(...limits);
}

function byTable(observations: readonly ResourceObservation[]): ResourceObservation[][] {
  const groups = new Map<string, ResourceObservation[]>();
  for (const observation of observations) {
    const tableName = observation.name.split('/')[0] as string;
    const group = groups.get(tableName);
    if (group === undefined) groups.set(tableName, [observation]);
    else group.push(observation);
  }
  return [...groups.values()];
}

function wasAsked(observation: ResourceObservation, operation: 'Read' | 'Write'): boolean {
  const side = operation === 'Read' ? observation.read : observation.write;
  return side.requests + side.throttledRequests + side.refusedElsewhere > 0;
}

/** The group least likely to meet the goal speaks for the variant. */
function worstOf(outlooks: readonly PlacementOutlook[], goalThrottledRatio: number): PlacementResult {
  const worst = outlooks.reduce((a, b) => (isWorse(b, a) ? b : a));
  return {
    placements: worst.placements,
    goalThrottledRatio,
    shareMeetingGoalFromFirstSecond: worst.shareMeetingGoal,
    shareMeetingGoalSettled: worst.shareMeetingGoalSettled,
    throttledRatioFromFirstSecond: { ...worst.throttledRatio },
    throttledRatioSettled: { ...worst.throttledRatioSettled },
  };
}

function isWorse(a: PlacementOutlook, b: PlacementOutlook): boolean {
  if (a.shareMeetingGoal !== b.shareMeetingGoal) return a.shareMeetingGoal < b.shareMeetingGoal;
  return a.throttledRatio.median > b.throttledRatio.median;
}
