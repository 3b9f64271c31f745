// Is a run of a size that can end? Absurd figures (a rate of 10^12, a stage of a million hours) are told before
// anything starts; within these bounds a run may still take long. Whether it fits into memory is run-memory.ts.
import { US_PER_SECOND } from '../units.ts';
import { plannedCount, type RateShape } from '../workload/arrival.ts';
import type { IssueList } from './issues.ts';
import type { PlannedStage, PlannedWorkload, RunPlan } from './run-plan.ts';

/** Hours of load of one variant; five weeks. */
const MOST_HOURS = 1_000;
const US_PER_HOUR = 3_600 * US_PER_SECOND;

/** Operations of all variants, and items preloaded into one: half an hour of computing and more. */
const MOST_OPERATIONS = 500_000_000;

/** Bursts or waves of one workload; each takes a little arithmetic while a run is planned. */
const MOST_PERIODS = 1_000_000;

/** Stages that end within five weeks. */
export function checkStageSize(stages: readonly PlannedStage[], issues: IssueList): void {
  const endUs = stages.at(-1)?.endUs ?? 0;
  if (endUs <= MOST_HOURS * US_PER_HOUR) return;
  tooLarge(issues, {
    at: 'stages',
    is: `last ${count(endUs / US_PER_HOUR)} hours together`,
    why: `a variant has at most ${count(MOST_HOURS)} hours of load`,
    fix: 'shorten the stages; also with --duration',
  });
}

/** Whether a shape has few enough bursts or waves to be planned; where not, that is noted. */
export function isPlannable(
  shape: RateShape,
  { stages, at, issues }: { stages: readonly PlannedStage[]; at: string; issues: IssueList },
): boolean {
  const periodUs =
    shape.kind === 'bursts' ? shape.onUs + shape.offUs : shape.kind === 'sine' ? shape.periodUs : Infinity;
  const periods = (stages.at(-1)?.endUs ?? 0) / periodUs;
  if (periods <= MOST_PERIODS) return true;
  tooLarge(issues, {
    at,
    is: `repeats ${count(periods)} times`,
    why: `a rate has at most ${count(MOST_PERIODS)} bursts or waves`,
    fix: 'use a longer period, or a constant rate',
  });
  return false;
}

/** Operations due in all variants; those of workloads under concurrency follow from the answers and are left out. */
export function plannedOperations(plans: readonly RunPlan[]): number {
  return plans
    .flatMap(({ workloads, stages }) => workloads.map((workload) => operationsOf(workload, stages)))
    .reduce((sum, operations) => sum + operations, 0);
}

/** Those of one workload. */
export function operationsOf({ load }: PlannedWorkload, stages: readonly PlannedStage[]): number {
  if (load.kind === 'closed') return 0;
  return stages.reduce((sum, { index }) => sum + plannedCount(load.shape, stages, index), 0);
}

/** What all variants plan together, and what each puts in place before. */
export function checkRunSize(plans: readonly RunPlan[], issues: IssueList): void {
  const operations = plannedOperations(plans);
  for (const plan of plans) {
    issues.enterVariant(plan.variant.name);
    checkPreloads(plan, issues);
    issues.enterVariant(undefined);
  }
  if (operations > MOST_OPERATIONS)
    tooLarge(issues, {
      at: '',
      is: `plans ${count(operations)} operations over ${count(plans.length)} ${plans.length === 1 ? 'variant' : 'variants'}`,
      why: `a run has at most ${count(MOST_OPERATIONS)} of them`,
      fix: 'lower rates, stages, --duration or --rate-factor, or run fewer variants with --set',
    });
}

function checkPreloads({ preloads }: RunPlan, issues: IssueList): void {
  const items = preloads.reduce((sum, preload) => sum + preload.count, 0);
  if (items <= MOST_OPERATIONS) return;
  tooLarge(issues, {
    at: 'data',
    is: `preloads ${count(items)} items`,
    why: `a variant has at most ${count(MOST_OPERATIONS)} items put in place`,
    fix: 'lower count; what a partition does depends on its load and not on how many items lie there',
  });
}

function tooLarge(
  issues: IssueList,
  issue: { readonly at: string; readonly is: string; readonly why: string; readonly fix: string },
): void {
  issues.add({ ...issue, code: 'RUN_TOO_LARGE' });
}

function count(value: number): string {
  return Math.ceil(value).toLocaleString('en-US');
}
