// How the work of one variant is shared out among threads. Each makes every n-th sequence of the one
// schedule, so that the operations of an open loop are the same whatever the count of threads; what bounds a
// workload as a whole is divided.
import type { PlannedWorkload, RunPlan } from '../scenario/run-plan.ts';

/** Sequences with `sequence % count === index`. */
export interface WorkShare {
  readonly index: number;
  readonly count: number;
}

/** All of it. */
export const wholeWork: WorkShare = { index: 0, count: 1 };

/** The share of a whole number of things; all shares add up to it, and differ by one at most. */
export function shareOf(total: number, { index, count }: WorkShare): number {
  return Math.floor((total + count - 1 - index) / count);
}

/**
 * The plan of one thread: its share of slots and of what may be in flight. Conditions that end a run are left
 * out, since one thread sees only its own part of what happens.
 */
export function sharePlan(plan: RunPlan, share: WorkShare): RunPlan {
  return {
    ...plan,
    abortConditions: [],
    workloads: plan.workloads.map((workload) => shareWorkload(workload, share)),
  };
}

function shareWorkload(workload: PlannedWorkload, share: WorkShare): PlannedWorkload {
  const { load, policy } = workload;
  return {
    ...workload,
    load: load.kind === 'closed' ? { ...load, concurrency: shareOf(load.concurrency, share) } : load,
    policy: { ...policy, maxInFlight: shareOf(policy.maxInFlight, share) },
  };
}
