// Is a run of a size that can end? Absurd figures (a rate of 10^12, a stage of a million hours) are told before
// anything starts; within these bounds a run may still take long.
import { US_PER_SECOND } from '../units.ts';
import { plannedCount, type RateShape } from '../workload/arrival.ts';
import type { IssueList } from './issues.ts';
import type { PlannedPreload, PlannedStage, PlannedWorkload, RunPlan } from './run-plan.ts';

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

function operationsOf({ load }: PlannedWorkload, stages: readonly PlannedStage[]): number {
  if (load.kind === 'closed') return 0;
  return stages.reduce((sum, { index }) => sum + plannedCount(load.shape, stages, index), 0);
}

/** What all variants plan together, and what each puts in place before. */
export function checkRunSize(
  plans: readonly RunPlan[],
  issues: IssueList,
  memoryBytes = Number.POSITIVE_INFINITY,
): void {
  const operations = plannedOperations(plans);
  for (const plan of plans) {
    issues.enterVariant(plan.variant.name);
    checkPreloads(plan, issues, memoryBytes);
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

function checkPreloads(plan: RunPlan, issues: IssueList, memoryBytes: number): void {
  const { preloads } = plan;
  const items = preloads.reduce((sum, preload) => sum + preload.count, 0);
  const neededBytes = preloads.reduce((sum, preload) => sum + storedBytes(preload, plan), 0);
  if (items > MOST_OPERATIONS)
    tooLarge(issues, {
      at: 'data',
      is: `preloads ${count(items)} items`,
      why: `a variant has at most ${count(MOST_OPERATIONS)} items put in place`,
      fix: 'lower count; what a partition does depends on its load and not on how many items lie there',
    });
  else if (neededBytes > memoryBytes)
    tooLarge(issues, {
      at: 'data',
      is: `preloads ${count(items)} items, which take about ${gigabytes(neededBytes)} GB of memory`,
      why: `the simulated table keeps them in memory, and this process may use ${gigabytes(memoryBytes)} GB`,
      fix: `lower count, use filler(…) for long texts, or set NODE_OPTIONS=--max-old-space-size=${Math.ceil((neededBytes * 1.25) / 2 ** 20)}`,
    });
}

/**
 * Heap of the simulated store beside the texts of an item, and for its entry in each index. Measured with a
 * million small items: 500 bytes an item without indexes, 650 with one, texts of 100 bytes included.
 */
const BYTES_PER_ITEM = 400;
const BYTES_PER_ENTRY = 150;

/** By the first item; fillers are counted and not kept. */
function storedBytes({ count: items, tableName, itemAt }: PlannedPreload, plan: RunPlan): number {
  const table = plan.tables.find((one) => one.tableName === tableName);
  const indexes = table ? table.globalIndexes.length + table.localIndexes.length : 0;
  let textBytes = 0;
  try {
    if (items > 0) textBytes = JSON.stringify(itemAt(0)).length;
  } catch {
    // An item that cannot be made is told by the checks before load, with its place.
  }
  return items * (BYTES_PER_ITEM + indexes * BYTES_PER_ENTRY + textBytes);
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

function gigabytes(bytes: number): string {
  return (bytes / 2 ** 30).toFixed(1);
}
