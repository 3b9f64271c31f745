// Whether a variant's answer hangs on where its keys happened to fall: its demand placed anew, judged by its
// throttling goals.
import type { PlacementResult, WorkloadResult } from '../analysis/run-result.ts';
import type { CapacityModel } from '../capacity/capacity-model.ts';
import type { ResourceObservation } from '../capacity/resource-observation.ts';
import type { ThrottledOperation } from '../capacity/throttling.ts';
import { parseThrottlingReason } from '../dynamodb/throttling-reason.ts';
import type { RunPlan } from '../scenario/run-plan.ts';
import { type PlacementOutlook, placementOutlook } from './placement-outlook.ts';

/** What counts as met where no workload that uses a table or index has a throttling goal. */
const USUAL_GOAL_RATIO = 0.001;

export interface VariantToPlace {
  readonly plan: Pick<RunPlan, 'goals' | 'seed' | 'stages'>;
  readonly observations: readonly ResourceObservation[];
  readonly model: CapacityModel;
  /** What each workload spent and where it was throttled tells which tables and indexes it uses. */
  readonly workloads: readonly Pick<WorkloadResult, 'name' | 'measured'>[];
}

type JudgedOutlook = PlacementOutlook & { readonly goalThrottledRatio: number };

/**
 * The outlook over placements of the table and side (reads or writes) that is least likely to meet the goals
 * of the workloads that use it.
 * @returns null where nothing was asked of the tables
 */
export function placementOfVariant(variant: VariantToPlace): PlacementResult | null {
  const { plan, model } = variant;
  const isWarm = plan.stages[0]?.isMeasured === false;
  const outlooks: JudgedOutlook[] = [];
  for (const resources of byTable(variant.observations)) {
    for (const operation of ['Write', 'Read'] as const) {
      const asked = resources.filter((one) => wasAsked(one, operation));
      if (asked.length === 0) continue;
      // A write touches the table and its indexes; reads touch one resource each.
      const groups = operation === 'Write' ? [asked] : asked.map((one) => [one]);
      for (const group of groups) {
        const goalThrottledRatio = goalOf(variant, group, operation);
        const input = { observations: group, operation, model, goalThrottledRatio, seed: plan.seed, isWarm };
        outlooks.push({ ...placementOutlook(input), goalThrottledRatio });
      }
    }
  }
  return outlooks.length === 0 ? null : worstOf(outlooks);
}

/** The strictest throttling goal of the workloads that use these on this side. */
function goalOf(
  { plan, workloads }: VariantToPlace,
  group: readonly ResourceObservation[],
  operation: ThrottledOperation,
): number {
  const resources = new Set(group.map(({ name }) => name));
  const users = new Set(
    workloads.filter((one) => usesAny(one, resources, operation)).map(({ name }) => name),
  );
  const limits = plan.goals
    .filter(({ metric, comparator }) => metric === 'throttledRatio' && comparator.startsWith('<'))
    .filter(({ workload }) => users.has(workload))
    .map(({ limit }) => limit);
  return limits.length === 0 ? USUAL_GOAL_RATIO : Math.min(...limits);
}

function usesAny(
  { measured }: VariantToPlace['workloads'][number],
  resources: ReadonlySet<string>,
  operation: ThrottledOperation,
): boolean {
  const unitsOn = (rows: WorkloadResult['measured']['units']) =>
    rows.some(
      (row) => resources.has(row.resource) && (operation === 'Read' ? row.readUnits : row.writeUnits) > 0,
    );
  return (
    unitsOn(measured.units) ||
    unitsOn(measured.estimatedUnits) ||
    measured.throttles.some(
      ({ reason, resource }) =>
        resources.has(resource) && parseThrottlingReason(reason).operation === operation,
    )
  );
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
function worstOf(outlooks: readonly JudgedOutlook[]): PlacementResult {
  const worst = outlooks.reduce((a, b) => (isWorse(b, a) ? b : a));
  return {
    placements: worst.placements,
    goalThrottledRatio: worst.goalThrottledRatio,
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
