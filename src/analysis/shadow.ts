// What the shadow of a live run means: the run's variants as the model would have had them, so that the same
// findings and goals can look at them.
import type { Goal } from '../scenario/goal.ts';
import type { ShadowResult } from './records/shadow.ts';
import type { StageTotals, VariantResult, WorkloadResult } from './run-result.ts';

/**
 * A variant with the throttles and resources of its shadow in place of its own; the rest is as measured.
 * @returns undefined where the variant has no shadow
 */
export function shadowVariant(variant: VariantResult): VariantResult | undefined {
  const { shadow } = variant;
  if (shadow === undefined) return undefined;
  return {
    ...variant,
    resources: shadow.resources,
    workloads: variant.workloads.map((workload) => shadowWorkload(workload, shadow)),
  };
}

/** The throttled ratio that the model gives for a goal; undefined where it gives none. */
export function shadowValue(goal: Goal, shadow: ShadowResult | undefined): number | undefined {
  if (goal.metric !== 'throttledRatio') return undefined;
  const workload = shadow?.workloads.find((one) => one.name === goal.workload);
  return workload === undefined ? undefined : throttledRatio(workload);
}

/** Share of operations sent of which the model would have refused a request; 0 where none was sent. */
function throttledRatio({ operations, throttledOperations }: ShadowResult['workloads'][number]): number {
  return operations === 0 ? 0 : throttledOperations / operations;
}

function shadowWorkload(workload: WorkloadResult, shadow: ShadowResult): WorkloadResult {
  const seen = shadow.workloads.find((one) => one.name === workload.name);
  if (seen === undefined) return workload;
  const { outcomes } = workload.measured;
  const throttled = Math.min(seen.throttledOperations, outcomes.ok);
  const measured: StageTotals = {
    ...workload.measured,
    outcomes: { ...outcomes, ok: outcomes.ok - throttled, throttled: outcomes.throttled + throttled },
    throttles: [...seen.throttles],
    throttledRequests: seen.throttles.reduce((sum, row) => sum + row.count, 0),
  };
  return { ...workload, measured, metrics: { ...workload.metrics, throttledRatio: throttledRatio(seen) } };
}
