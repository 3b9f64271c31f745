// How many requests a plan will have under way at once where the target is quick: so many connections are
// worth opening before load.
import type { RunPlan } from '../scenario/run-plan.ts';
import { US_PER_SECOND } from '../units.ts';
import { highestPerSecond } from '../workload/arrival.ts';

/** Twice what DynamoDB's single-digit milliseconds ask for; a slower target makes the pool grow as it goes. */
const ASSUMED_SERVICE_US = 20_000;

/** At least one for each workload, at most what each may have in flight. */
export function plannedInFlight({ workloads, stages }: Pick<RunPlan, 'workloads' | 'stages'>): number {
  let sum = 0;
  for (const { load, policy } of workloads) {
    const wanted =
      load.kind === 'closed'
        ? load.concurrency
        : Math.ceil((highestPerSecond(load.shape, stages) * ASSUMED_SERVICE_US) / US_PER_SECOND);
    sum += Math.max(1, Math.min(wanted, policy.maxInFlight));
  }
  return sum;
}
