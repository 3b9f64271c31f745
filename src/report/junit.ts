// Results as JUnit XML, which every CI server reads. A run: a suite for each variant, a case for each goal,
// and one case for the verdict, which alone decides; a comparison: a suite for each rule, a case for each row
// that decides it. What cannot be told is an error, never a pass.
import { type GateResult, type GoalGate, gatesDecide, type RuleResult } from '../analysis/compare-gate.ts';
import type { ComparisonRow } from '../analysis/compare-row.ts';
import type { Comparison } from '../analysis/compare-runs.ts';
import { mergeRepeats } from '../analysis/merge-repeats.ts';
import type { GoalResult, RunResult, VariantResult } from '../analysis/run-result.ts';
import { findMetric } from '../scenario/metric.ts';
import { MISSING, metricText } from './number-format.ts';
import { rowName, rowSentence } from './view-comparison.ts';

type Problem = { readonly kind: 'failure' | 'error' | 'skipped'; readonly message: string };

interface TestCase {
  readonly name: string;
  readonly className: string;
  readonly problem?: Problem;
}

interface TestSuite {
  readonly name: string;
  /** Seconds measured. */
  readonly seconds: number;
  readonly cases: readonly TestCase[];
}

/** A comparison and what the gate makes of it. */
interface JudgedComparison {
  readonly comparison: Comparison;
  readonly gate: GateResult;
}

/**
 * A run, and comparisons with its baseline if there are any, as JUnit XML.
 * @param options.areGoalsGated  see `gatesDecide`: where the comparison decides alone, the verdict is skipped
 */
export function renderJunitRun(
  result: RunResult,
  compared: readonly JudgedComparison[] = [],
  options: GoalGate = { areGoalsGated: false },
): string {
  const name = `dyno-load.${result.scenario.name}`;
  const variants = mergeRepeats(result.variants, result.prices);
  return renderSuites(name, [
    verdictSuite(
      result,
      name,
      gatesDecide(
        result,
        compared.map((one) => one.gate),
        options,
      ),
    ),
    ...variants.map((variant) => variantSuite(result, variant, name)),
    ...comparisonSuites(compared, name),
  ]);
}

/** Comparisons of one baseline with one or more runs as JUnit XML. */
export function renderJunitComparisons(compared: readonly JudgedComparison[]): string {
  const name = `dyno-load.compare.${compared[0]?.comparison.baseline.scenario ?? ''}`;
  return renderSuites(name, comparisonSuites(compared, name));
}

function comparisonSuites(compared: readonly JudgedComparison[], name: string): TestSuite[] {
  return compared.flatMap(({ comparison, gate }) =>
    gate.rules.map((rule) => ruleSuite(comparison, rule, name)),
  );
}

function verdictSuite({ verdict }: RunResult, className: string, isSkipped: boolean): TestSuite {
  const message = verdict.reasons.join('; ');
  const problem: Problem | undefined =
    verdict.status === 'pass'
      ? undefined
      : { kind: isSkipped ? 'skipped' : verdict.status === 'fail' ? 'failure' : 'error', message };
  return {
    name: 'verdict',
    seconds: 0,
    cases: [{ name: 'verdict', className, ...(problem === undefined ? {} : { problem }) }],
  };
}

function variantSuite(result: RunResult, variant: VariantResult, name: string): TestSuite {
  return {
    name: variant.name,
    seconds: variant.measuredSeconds,
    cases: variant.goals.map((goal) => {
      const problem = goalProblem(result, variant, goal);
      const base = { name: goal.text, className: `${name}.${variant.name}` };
      return problem === undefined ? base : { ...base, problem };
    }),
  };
}

/** A goal missed is a failure only in a run that fails: without --gate one variant that meets all is enough. */
function goalProblem({ verdict }: RunResult, variant: VariantResult, goal: GoalResult): Problem | undefined {
  if (variant.validity.status === 'invalid') {
    const message = variant.validity.reasons.map((reason) => reason.text).join('; ');
    return { kind: verdict.status === 'pass' ? 'skipped' : 'error', message: `invalid: ${message}` };
  }
  if (goal.status === 'met') return undefined;
  const unit = findMetric(goal.metric)?.unit ?? 'units';
  const value = goal.value === null ? MISSING : metricText(goal.value, unit);
  if (goal.status === 'notMeasurableHere')
    return { kind: 'skipped', message: 'not measurable on this target' };
  const kind = verdict.status === 'fail' ? 'failure' : 'skipped';
  return { kind, message: goal.status === 'missing' ? 'the metric is missing' : `missed: ${value}` };
}

function ruleSuite(comparison: Comparison, rule: RuleResult, name: string): TestSuite {
  const suite = `fail on ${rule.text}, ${comparison.candidate.startedAt}`;
  if (rule.status === 'met')
    return { name: suite, seconds: 0, cases: [{ name: rule.text, className: name }] };
  const kind = rule.status === 'missed' ? 'failure' : 'error';
  const cases = rule.rows.map((row) => ({
    name: rowName(row),
    className: name,
    problem: { kind, message: rowMessage(row) } as const,
  }));
  const whole = {
    name: rule.text,
    className: name,
    problem: { kind, message: rule.reasons.join('; ') },
  } as const;
  return { name: suite, seconds: 0, cases: cases.length > 0 ? cases : [whole] };
}

function rowMessage(row: ComparisonRow): string {
  return `${rowSentence(row)}: ${row.change}, ${row.reason}`;
}

function renderSuites(name: string, suites: readonly TestSuite[]): string {
  const cases = suites.flatMap((suite) => suite.cases);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${escapeXml(name)}" ${counts(cases)}>`,
    ...suites.flatMap(renderSuite),
    '</testsuites>',
    '',
  ].join('\n');
}

function renderSuite({ name, seconds, cases }: TestSuite): string[] {
  return [
    `  <testsuite name="${escapeXml(name)}" ${counts(cases)} time="${seconds}">`,
    ...cases.flatMap(renderCase),
    '  </testsuite>',
  ];
}

function renderCase({ name, className, problem }: TestCase): string[] {
  const open = `    <testcase classname="${escapeXml(className)}" name="${escapeXml(name)}"`;
  if (problem === undefined) return [`${open}/>`];
  const message = escapeXml(problem.message);
  return [`${open}>`, `      <${problem.kind} message="${message}"/>`, '    </testcase>'];
}

function counts(cases: readonly TestCase[]): string {
  const of = (kind: Problem['kind']): number => cases.filter((one) => one.problem?.kind === kind).length;
  return `tests="${cases.length}" failures="${of('failure')}" errors="${of('error')}" skipped="${of('skipped')}"`;
}

/**
 * Text as an XML attribute. Characters that XML 1.0 cannot hold at all become U+FFFD.
 * @see "Extensible Markup Language (XML) 1.0", 2.2 Characters, https://www.w3.org/TR/xml/#charsets, read 2026-11-30
 */
export function escapeXml(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&apos;')
    .replaceAll(/[\t\n\r]/g, (space) => `&#${space.charCodeAt(0)};`);
}
