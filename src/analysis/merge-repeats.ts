// Repeats of one variant stand in the record as variants of the same name. Here they become one variant for
// those who judge and report: counts summed, histograms merged, metrics and goals taken anew. How far repeats
// lie apart is the business of comparisons and of the report's table of repeats.
import type { Comparator } from '../scenario/goal.ts';
import { type Prices, usEast1Prices } from './cost.ts';
import { groupBy } from './group-by.ts';
import { isMet } from './judge-goals.ts';
import { mergeHealth } from './merge-health.ts';
import { mergeResources } from './merge-resources.ts';
import { mergeErrors, mergeSteps, mergeTotals } from './merge-totals.ts';
import { computeMetrics, secondsOfRates } from './metrics.ts';
import type { GoalResult, Validity, VariantResult, WorkloadResult } from './run-result.ts';
import { countOf, formatNumber } from './wording.ts';

/** Slowest operations kept, as many as a single run keeps. */
const SLOWEST_KEPT = 20;

/**
 * More invalid repeats than this share spoil the variant; fewer are left out, since a stall of the machine in
 * one of twenty says nothing of the others.
 */
const MOST_LEFT_OUT_RATIO = 0.25;

/**
 * One variant for each name, in the order of the scenario. A variant that ran once stays the very object that
 * it is; of one that ran more often, `series`, `heat` and other courses over time are those of its first
 * usable repeat, and the stages keep their counts but no histograms. What ended one of them early is kept.
 * @param prices  those of the record; without them (in records of before) today's
 */
export function mergeRepeats(
  variants: readonly VariantResult[],
  prices: Prices = usEast1Prices,
): VariantResult[] {
  return repeatsByName(variants)
    .map((repeats) => (repeats.length === 1 ? (repeats[0] as VariantResult) : mergeOne(repeats, prices)))
    .sort((a, b) => a.index - b.index);
}

/** The repeats of each variant, in the order in which they ran. */
export function repeatsByName(variants: readonly VariantResult[]): VariantResult[][] {
  return [...groupBy(variants, (variant) => variant.name).values()];
}

/** Whether a repeat's figures may be used at all. */
export function isUsableRepeat({ status, validity }: VariantResult): boolean {
  return status !== 'notRun' && validity.status !== 'invalid';
}

function mergeOne(repeats: readonly VariantResult[], prices: Prices): VariantResult {
  const usable = repeats.filter(isUsableRepeat);
  const merged = usable.length > 0 ? usable : repeats;
  const first = merged[0] as VariantResult;
  const measuredSeconds = merged.reduce((sum, repeat) => sum + repeat.measuredSeconds, 0);
  const status = repeats.every((repeat) => repeat.status === 'complete') ? 'complete' : 'interrupted';
  const rateSeconds = secondsOfRates({ status, measuredSeconds });
  const workloads = first.workloads.map((workload) =>
    mergeWorkload(
      merged.flatMap((repeat) => repeat.workloads.filter((one) => one.name === workload.name)),
      rateSeconds,
      prices,
    ),
  );
  const { repeat: _, abort: __, ...shared } = first;
  const abort = repeats.find((repeat) => repeat.abort !== undefined)?.abort;
  return {
    ...shared,
    ...(abort === undefined ? {} : { abort }),
    status,
    measuredSeconds,
    resources: mergeResources(merged.map((repeat) => repeat.resources)),
    workloads,
    goals: first.goals.map((goal, index) =>
      mergeGoal(
        goal,
        merged.flatMap((repeat) => repeat.goals[index] ?? []),
        workloads,
      ),
    ),
    validity: mergeValidity(repeats, usable.length),
    generatorHealth: mergeHealth(merged.map((repeat) => repeat.generatorHealth)),
  };
}

function mergeWorkload(
  repeats: readonly WorkloadResult[],
  rateSeconds: number,
  prices: Prices,
): WorkloadResult {
  const first = repeats[0] as WorkloadResult;
  const measured = mergeTotals(
    repeats.map((repeat) => repeat.measured),
    { keepHistograms: true },
  );
  const merged = {
    ...first,
    stages: first.stages.map(({ name }) => ({
      name,
      totals: mergeTotals(
        repeats.flatMap((repeat) =>
          repeat.stages.filter((stage) => stage.name === name).map((stage) => stage.totals),
        ),
        { keepHistograms: false },
      ),
    })),
    measured,
    steps: mergeSteps(repeats.map((repeat) => repeat.steps)),
    errors: mergeErrors(repeats.map((repeat) => repeat.errors)),
    slowest: repeats
      .flatMap((repeat) => repeat.slowest)
      .sort((a, b) => b.responseUs - a.responseUs)
      .slice(0, SLOWEST_KEPT),
  };
  return { ...merged, metrics: computeMetrics(merged, rateSeconds, prices) };
}

/** The goal against the merged metric. Measurable where any repeat could measure it. */
function mergeGoal(
  goal: GoalResult,
  repeats: readonly GoalResult[],
  workloads: readonly Pick<WorkloadResult, 'name' | 'metrics'>[],
): GoalResult {
  if (repeats.every((repeat) => repeat.status === 'notMeasurableHere')) return goal;
  const value = goal.isModelled
    ? meanOf(repeats.map((repeat) => repeat.value))
    : (workloads.find((one) => one.name === goal.workload)?.metrics[goal.metric] ?? null);
  if (value === null) return { ...goal, status: 'missing', value };
  const isGoalMet = isMet(value, { comparator: comparatorOf(goal), limit: goal.limit });
  return { ...goal, status: isGoalMet ? 'met' : 'missed', value };
}

/** What a model says of each repeat has no counts to merge. */
function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** The text of a goal begins with its workload and metric; the comparator follows. */
function comparatorOf({ text, workload, metric }: GoalResult): Comparator {
  const rest = text.slice(`${workload}.${metric}`.length).trimStart();
  const comparators: readonly Comparator[] = ['<=', '>=', '<', '>'];
  return comparators.find((comparator) => rest.startsWith(comparator)) ?? '<';
}

type Reason = Validity['reasons'][number];

/** Doubts of the repeats, each once, with the number of repeats that have it. */
function mergeValidity(repeats: readonly VariantResult[], usableCount: number): Validity {
  const invalidCount = repeats.length - usableCount;
  const isSpoilt = invalidCount > MOST_LEFT_OUT_RATIO * repeats.length;
  const byCode = groupBy(
    repeats.flatMap((repeat) => repeat.validity.reasons),
    (reason) => reason.code,
  );
  const reasons = [...byCode.values()].map((same): Reason => {
    const first = same[0] as Reason;
    const status = isSpoilt && same.some((one) => one.status === 'invalid') ? 'invalid' : 'suspect';
    return {
      ...first,
      status,
      text: `${first.text} (so in ${formatNumber(same.length)} of ${countOf(repeats.length, 'repeat')})`,
    };
  });
  if (invalidCount > 0) {
    reasons.unshift({
      code: 'repeats-invalid',
      status: isSpoilt ? 'invalid' : 'suspect',
      text:
        `${formatNumber(invalidCount)} of ${countOf(repeats.length, 'repeat')} are invalid` +
        (usableCount > 0 ? ' and left out' : ''),
      advice: 'remove the cause below, and run again',
    });
  }
  reasons.sort((a, b) => Number(b.status === 'invalid') - Number(a.status === 'invalid'));
  return { status: reasons[0]?.status ?? 'valid', reasons };
}
