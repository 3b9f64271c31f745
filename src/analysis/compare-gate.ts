// Rules against a comparison: does it fail, pass, or can it not be told? A rule is missed when one row surely
// breaks it, and met only when all rows surely keep it.
import { DynoLoadError } from '../errors.ts';
import { SIGNIFICANCE, type Standing, standingOf as standingToLimit } from '../stats/compare-samples.ts';
import type { FailRule, MetricRule } from './compare-rule.ts';
import type { ComparisonRow } from './compare-row.ts';
import type { Comparison } from './compare-runs.ts';
import { mergeRepeats } from './merge-repeats.ts';
import type { RunResult, Verdict } from './run-result.ts';
import { standingOf } from './standing.ts';
import { countOf, joinNames } from './wording.ts';

/** What one rule came to. */
export interface RuleResult {
  readonly text: string;
  readonly status: 'met' | 'missed' | 'inconclusive';
  /** Rows that decide it: those that break the rule, else those that leave it open. */
  readonly rows: readonly ComparisonRow[];
  readonly reasons: readonly string[];
}

/** What all rules came to; the worst of them decides. */
export interface GateResult {
  readonly status: Verdict['status'];
  readonly rules: readonly RuleResult[];
}

const ROUNDING = 1e-9;

/** Holds a comparison against rules. Fails when one is missed; inconclusive when none is and one is open. */
export function judgeGate(comparison: Comparison, rules: readonly FailRule[]): GateResult {
  const results = rules.map((rule) => judgeRule(rule, comparison));
  const has = (status: RuleResult['status']): boolean => results.some((result) => result.status === status);
  return { status: has('missed') ? 'fail' : has('inconclusive') ? 'inconclusive' : 'pass', rules: results };
}

/** The worse of two verdicts, in the order of the exit codes: what is inconclusive outranks what failed. */
export function combineStatus(a: Verdict['status'], b: Verdict['status']): Verdict['status'] {
  for (const status of ['inconclusive', 'fail'] as const) if (a === status || b === status) return status;
  return 'pass';
}

/**
 * The status of a run that is held against a baseline: the worse of its own verdict and the gates, unless its
 * goals cannot be judged here at all; see `gatesDecide`.
 */
export function statusWithGates(
  run: RunResult,
  gates: readonly GateResult[],
  options: GoalGate,
): Verdict['status'] {
  const ofGates = gates.map((gate) => gate.status).reduce(combineStatus, 'pass');
  return gatesDecide(run, gates, options) ? ofGates : combineStatus(run.verdict.status, ofGates);
}

export interface GoalGate {
  /** `--gate` was given: the goals are to decide. */
  readonly areGoalsGated: boolean;
}

/**
 * Whether gates decide alone: the run is whole and usable, its verdict is inconclusive only because the target
 * can measure none of its goals, nobody asked for the goals, and some rule asks for more than to look.
 */
export function gatesDecide(
  { status, verdict, variants, prices }: RunResult,
  gates: readonly GateResult[],
  { areGoalsGated }: GoalGate,
): boolean {
  if (areGoalsGated || status !== 'complete' || verdict.status !== 'inconclusive') return false;
  const asks = gates.some((gate) => gate.rules.some((rule) => rule.text !== 'none'));
  return asks && mergeRepeats(variants, prices).every((one) => standingOf(one) === 'nothingMeasurable');
}

/**
 * Refuses rules about workloads that no variant has, run or planned.
 * @throws DynoLoadError USAGE
 */
export function checkRules(
  rules: readonly FailRule[],
  variants: readonly { readonly workloads: readonly { readonly name: string }[] }[],
): void {
  const known = new Set(variants.flatMap(({ workloads }) => workloads.map(({ name }) => name)));
  for (const rule of rules) {
    if (rule.kind !== 'metric' || known.has(rule.workload)) continue;
    throw new DynoLoadError('USAGE', {
      what: `--fail-on "${rule.text}" is about the workload "${rule.workload}"`,
      why: `the runs have the workloads ${joinNames([...known])}`,
      fix: 'name one of these',
    });
  }
}

function judgeRule(rule: FailRule, comparison: Comparison): RuleResult {
  const { text } = rule;
  const { incomparable } = comparison;
  if (rule.kind === 'none') return { text, status: 'met', rows: [], reasons: [] };
  if (incomparable !== null) return { text, status: 'inconclusive', rows: [], reasons: [incomparable] };
  switch (rule.kind) {
    case 'worse':
      return judgeWorse(text, comparison);
    case 'any':
      return judgeAny(text, comparison);
    case 'metric':
      return judgeMetric(rule, comparison);
  }
}

function judgeWorse(text: string, { rows, unmatched }: Comparison): RuleResult {
  const judged = rows.filter((row) => row.isJudged);
  const worse = judged.filter((row) => row.change === 'worse');
  if (worse.length > 0)
    return { text, status: 'missed', rows: worse, reasons: worse.map((row) => row.reason) };
  if (judged.length === 0)
    return { text, status: 'inconclusive', rows: [], reasons: ['no figure is in both runs'] };
  return openOrMet(
    text,
    judged,
    judged.filter((row) => row.change === 'inconclusive'),
    unmatched,
  );
}

function judgeAny(text: string, { rows, unmatched, answers }: Comparison): RuleResult {
  const exact = rows.filter((row) => row.method === 'exact' && row.isJudged);
  const different = exact.filter((row) => row.change !== 'same' && row.change !== 'inconclusive');
  if (different.length + unmatched.length + answers.length > 0) {
    const changed = answers.map(({ what, before, after }) => `${what}: ${before} before, ${after} after`);
    const reasons = [...different.map((row) => row.reason), ...unmatched, ...changed];
    return { text, status: 'missed', rows: different, reasons };
  }
  if (exact.length === 0 || rows.some((row) => row.method === 'noisy')) {
    const reason = 'not all is exact on a wall clock';
    return { text, status: 'inconclusive', rows: [], reasons: [reason] };
  }
  return openOrMet(
    text,
    exact,
    exact.filter((row) => row.change === 'inconclusive'),
    [],
  );
}

function judgeMetric(rule: MetricRule, comparison: Comparison): RuleResult {
  const { text, workload, metric } = rule;
  const rows = comparison.rows.filter((row) => row.subject === workload && row.metric === metric.name);
  if (rows.length === 0)
    return { text, status: 'inconclusive', rows: [], reasons: [whyNoRow(rule, comparison)] };
  const standings = rows.map((row) => ({ row, standing: standingOfRow(row, rule) }));
  const withStanding = (wanted: Standing): ComparisonRow[] =>
    standings.filter(({ standing }) => standing === wanted).map(({ row }) => row);
  const beyond = withStanding('beyond');
  if (beyond.length > 0)
    return { text, status: 'missed', rows: beyond, reasons: beyond.map((row) => whyBeyond(row)) };
  return openOrMet(text, rows, withStanding('unclear'), []);
}

function whyNoRow({ workload, metric }: MetricRule, { rows }: Comparison): string {
  const isThere = rows.some((row) => row.subject === workload);
  if (!isThere) return `no variant has the workload ${workload} in both runs`;
  return metric.unit === 'us'
    ? 'latencies of the simulated table are modelled and never compared between runs'
    : `${metric.name} cannot be measured on this target`;
}

function standingOfRow(row: ComparisonRow, rule: MetricRule): Standing {
  // Missing before, or in both: nothing shows that the rule was kept.
  if (row.before === null) return 'unclear';
  // What was there and is missing now has no value that could keep the rule.
  if (row.after === null) return row.method === 'exact' ? 'beyond' : 'unclear';
  if (row.method === 'noisy') return standingOfNoisy(row, rule);
  if (row.change === 'inconclusive') return 'unclear';
  const change = rule.scale === 'absolute' ? row.after - row.before : relativeChange(row.before, row.after);
  // 1.5 ÷ 1 − 1 may be a little more than 50 % in floating point; a limit of 0 stays exact.
  const beyond =
    (rule.side === 'above' ? change - rule.limit : rule.limit - change) > ROUNDING * Math.abs(rule.limit);
  return beyond ? 'beyond' : 'within';
}

/** The limit is brought to the scale of the effect. */
function standingOfNoisy({ effect, before, adjustedPValue }: ComparisonRow, rule: MetricRule): Standing {
  if (effect === null || before === null) return 'unclear';
  const { side, scale } = rule;
  if (scale === effect.scale)
    return standingToLimit(effect, adjustedPValue ?? 1, { side, limit: rule.limit });
  if (before === 0 && scale === 'absolute') return 'unclear';
  const limit = scale === 'absolute' ? rule.limit / before : rule.limit * Math.abs(before);
  return standingToLimit(effect, adjustedPValue ?? 1, { side, limit });
}

/** From nothing to something is more than any percentage. */
function relativeChange(before: number, after: number): number {
  if (before === after) return 0;
  return before === 0 ? Math.sign(after) * Number.POSITIVE_INFINITY : (after - before) / Math.abs(before);
}

function whyBeyond(row: ComparisonRow): string {
  if (row.after === null) return 'it is missing after, which counts as missed';
  if (row.method === 'exact') return 'exact counts differ';
  return `the whole interval lies beyond the limit (adjusted p ≤ ${SIGNIFICANCE})`;
}

function openOrMet(
  text: string,
  all: readonly ComparisonRow[],
  open: readonly ComparisonRow[],
  unmatched: readonly string[],
): RuleResult {
  if (open.length === 0) return { text, status: 'met', rows: [], reasons: [...unmatched] };
  const reasons = [...new Set(open.map(whyOpen))];
  const count = `${open.length} of ${countOf(all.length, 'figure')} cannot be told`;
  return { text, status: 'inconclusive', rows: open, reasons: [count, ...reasons] };
}

function whyOpen({ change, reason, pairsNeeded }: ComparisonRow): string {
  if (change !== 'inconclusive') return 'the interval reaches over the limit of the rule';
  return pairsNeeded === null ? reason : `${reason}; about ${countOf(pairsNeeded, 'repeat')} would be needed`;
}
