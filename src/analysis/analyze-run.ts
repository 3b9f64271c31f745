// What was measured → the whole record: metrics, validity, goals, findings, verdict. The one call between the
// engine and a report; pure and cheap, so it is made anew after each variant.
import type { Goal } from '../scenario/goal.ts';
import { type Prices, usEast1Prices } from './cost.ts';
import { findFindings, findShadowFindings } from './findings.ts';
import { judgeGoals, sawThrottles } from './judge-goals.ts';
import { mergeRepeats } from './merge-repeats.ts';
import { computeMetrics, secondsOfRates } from './metrics.ts';
import { reconcile } from './reconcile.ts';
import type { RunResult, VariantResult, WorkloadResult } from './run-result.ts';
import { judgeValidity } from './validity.ts';
import { judgeRun, type VerdictOptions } from './verdict.ts';

/** A variant as the engine leaves it: goals as planned, workloads without metrics. */
export type MeasuredVariant = Omit<VariantResult, 'workloads' | 'goals' | 'validity'> & {
  readonly workloads: readonly Omit<WorkloadResult, 'metrics'>[];
  readonly goals: readonly Goal[];
};

export type MeasuredRun = Omit<RunResult, 'prices' | 'variants' | 'verdict' | 'findings'> & {
  readonly variants: readonly MeasuredVariant[];
};

export interface AnalysisOptions extends VerdictOptions {
  readonly prices?: Prices;
  /** Throttling goals that the target cannot measure are judged by the shadow. */
  readonly gateOnShadow?: boolean;
}

/** The complete record of a run, from what was measured of it so far. */
export function analyzeRun(run: MeasuredRun, options: AnalysisOptions): RunResult {
  const wereThrottlesSeen = run.variants.some((variant) => sawThrottles(variant.workloads));
  const variants = run.variants.map((variant) =>
    analyzeVariant(variant, run, { ...options, wereThrottlesSeen }),
  );
  const merged = mergeRepeats(variants, options.prices);
  return {
    ...run,
    prices: { ...(options.prices ?? usEast1Prices) },
    variants,
    verdict: judgeRun(merged, { gate: options.gate, isPartial: run.status === 'interrupted' }),
    findings: [...findFindings(merged), ...findShadowFindings(merged)],
  };
}

/**
 * One variant with its metrics, goals and validity, for those who want it before the run is over.
 * @param options  `wereThrottlesSeen`: in another variant of the run; its own throttles count in any case
 */
export function analyzeVariant(
  variant: MeasuredVariant,
  run: Pick<RunResult, 'target' | 'scenario'>,
  options: Omit<AnalysisOptions, 'gate'> & { readonly wereThrottlesSeen?: boolean } = {},
): VariantResult {
  const workloads = variant.workloads.map((workload) => ({
    ...workload,
    metrics: computeMetrics(workload, secondsOfRates(variant), options.prices ?? usEast1Prices),
  }));
  const evidence = {
    enforcesThroughput: run.target.capabilities.enforcesThroughput,
    wereThrottlesSeen: options.wereThrottlesSeen === true || sawThrottles(workloads),
  };
  const measured = { ...variant, workloads };
  const reconciliation = reconcile(measured);
  return {
    ...measured,
    ...(reconciliation === undefined ? {} : { reconciliation }),
    goals: judgeGoals(variant.goals, workloads, evidence, options.gateOnShadow ? variant.shadow : undefined),
    validity: judgeValidity({ variant: measured, target: run.target, stages: run.scenario.stages }),
  };
}
