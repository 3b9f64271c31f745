// Goals against metrics, for one variant. Whether the whole run passes is decided in verdict.ts.
import type { Goal } from '../scenario/goal.ts';
import { findMetric } from '../scenario/metric.ts';
import type { ShadowResult } from './records/shadow.ts';
import type { GoalResult, RunResult, WorkloadResult } from './run-result.ts';
import { shadowValue } from './shadow.ts';

/** What is known of the target's throttling. */
export interface ThrottlingEvidence {
  readonly enforcesThroughput: RunResult['target']['capabilities']['enforcesThroughput'];
  /** A throttle was seen somewhere in the run: then the target does enforce, whatever it says of itself. */
  readonly wereThrottlesSeen: boolean;
}

/**
 * The result of each goal in one variant. A goal on a missing metric, or on a workload that the variant
 * lacks, is `missing` and counts as missed. A throttling goal on a target that does not throttle is
 * `notMeasurableHere` and counts as neither, unless a shadow is given to judge it by.
 */
export function judgeGoals(
  goals: readonly Goal[],
  workloads: readonly Pick<WorkloadResult, 'name' | 'metrics'>[],
  evidence: ThrottlingEvidence,
  shadow?: ShadowResult,
): GoalResult[] {
  return goals.map((goal) => {
    const { text, workload, metric, limit } = goal;
    const facts = { text, workload, metric, limit };
    if (!isMeasurable(goal, evidence)) {
      const modelled = shadowValue(goal, shadow);
      if (modelled === undefined) return { ...facts, status: 'notMeasurableHere', value: null };
      return {
        ...facts,
        status: isMet(modelled, goal) ? 'met' : 'missed',
        value: modelled,
        isModelled: true,
      };
    }
    const value = workloads.find((one) => one.name === workload)?.metrics[metric] ?? null;
    if (value === null) return { ...facts, status: 'missing', value };
    return { ...facts, status: isMet(value, goal) ? 'met' : 'missed', value };
  });
}

/** Whether any attempt of these workloads was throttled, in measured stages or before. */
export function sawThrottles(workloads: readonly Pick<WorkloadResult, 'stages' | 'measured'>[]): boolean {
  return workloads.some((workload) =>
    [workload.measured, ...workload.stages.map((stage) => stage.totals)].some(
      (totals) => totals.throttledRequests > 0,
    ),
  );
}

function isMeasurable(goal: Goal, evidence: ThrottlingEvidence): boolean {
  if (findMetric(goal.metric)?.needsEnforcedThroughput !== true) return true;
  return evidence.enforcesThroughput === 'yes' || evidence.wereThrottlesSeen;
}

/** Whether a value meets a goal; both in the metric's unit. */
export function isMet(value: number, { comparator, limit }: Pick<Goal, 'comparator' | 'limit'>): boolean {
  switch (comparator) {
    case '<':
      return value < limit;
    case '<=':
      return value <= limit;
    case '>':
      return value > limit;
    case '>=':
      return value >= limit;
  }
}
