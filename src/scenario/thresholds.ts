// Goals as a scenario writes them, `'placeOrder.throttledRatio': '< 0.1%'`, and as numbers in the metric's
// base unit.
import { US_PER_MS, US_PER_SECOND } from '../units.ts';
import type { AbortCondition, Comparator, Goal } from './goal.ts';
import type { IssueList } from './issues.ts';
import { findMetric, type MetricUnit, metrics } from './metric.ts';
import { listNames, suggestion } from './nearest-name.ts';
import { isFields, showValue } from './spec-reader.ts';

/** Factors to the base unit, by the unit as written; `''`: no unit. */
const factors: Readonly<Record<MetricUnit, Readonly<Record<string, number>>>> = {
  ratio: { '%': 0.01, '': 1 },
  us: { ms: US_PER_MS, s: US_PER_SECOND },
  perSecond: { '/s': 1, '': 1 },
  units: { '': 1 },
  requests: { '': 1 },
  usd: { USD: 1, '': 1 },
};

const examples: Readonly<Record<MetricUnit, string>> = {
  ratio: '< 0.1%',
  us: '< 50 ms',
  perSecond: '> 2900/s',
  units: '< 0.5',
  requests: '<= 5',
  usd: '< 3 USD',
};

/** The goals of a scenario with these workloads. */
export function readThresholds(
  value: unknown,
  workloads: readonly string[],
  issues: IssueList,
): readonly Goal[] {
  return readGoals('thresholds', { value, workloads, issues });
}

/** What can be told of operations that ended in a few seconds. */
const watchable = /^(throttled|failed|conflict|conditionFailed|dropped)Ratio$|^(response|service)\./;

/** The conditions on which a scenario with these workloads ends early. */
export function readAbortConditions(
  value: unknown,
  workloads: readonly string[],
  issues: IssueList,
): readonly AbortCondition[] {
  const { validity, ...written } = isFields(value) ? value : {};
  const goals = readGoals('abort', { value: isFields(value) ? written : value, workloads, issues });
  for (const { workload, metric } of goals)
    if (!watchable.test(metric))
      issues.add({
        at: `abort["${workload}.${metric}"]`,
        is: `is about ${metric}`,
        why: 'what is watched are shares of operations and response or service times, over ten seconds',
        fix: 'use for example throttledRatio or response.p99',
      });
  if (validity === undefined) return goals;
  if (validity !== 'invalid')
    issues.add({
      at: 'abort.validity',
      is: `is ${showValue(validity)}`,
      why: 'figures that are only suspect can still be used',
      fix: "write 'invalid'",
    });
  return [...goals, { validity: 'invalid', text: 'validity invalid' }];
}

interface WrittenGoals {
  readonly value: unknown;
  readonly workloads: readonly string[];
  readonly issues: IssueList;
}

function readGoals(
  member: 'thresholds' | 'abort',
  { value, workloads, issues }: WrittenGoals,
): readonly Goal[] {
  if (value === undefined) return [];
  if (!isFields(value)) {
    issues.add({
      at: member,
      is: `is ${showValue(value)}`,
      why: 'goals stand under the name of their workload and metric',
      fix: "write { 'placeOrder.throttledRatio': '< 0.1%' }",
    });
    return [];
  }
  return Object.entries(value).flatMap(([key, text]) =>
    text === undefined ? [] : (readGoal(`${member}["${key}"]`, { key, text }, workloads, issues) ?? []),
  );
}

function readGoal(
  at: string,
  { key, text }: { readonly key: string; readonly text: unknown },
  workloads: readonly string[],
  issues: IssueList,
): Goal | undefined {
  const dot = key.indexOf('.');
  const workload = dot < 0 ? key : key.slice(0, dot);
  const metricName = dot < 0 ? '' : key.slice(dot + 1);
  const metric = findMetric(metricName);
  if (!workloads.includes(workload))
    issues.add({
      at,
      is: `is about the workload "${workload}"`,
      why: `the scenario has the workloads ${listNames(workloads)}`,
      fix: suggestion(workload, workloads),
    });
  if (metric === undefined) {
    const names = metrics.map(({ name }) => name);
    issues.add({
      at,
      is: `is about the metric "${metricName}"`,
      why: `there is no such metric; there are ${names.join(', ')}`,
      fix: suggestion(metricName, names),
    });
    return undefined;
  }
  const parsed = parseGoal(text, metric.unit);
  if ('why' in parsed) {
    issues.add({
      at,
      is: `is ${showValue(text)}`,
      why: parsed.why,
      fix: `write for example '${examples[metric.unit]}'`,
    });
    return undefined;
  }
  return { workload, metric: metric.name, ...parsed, text: `${key} ${String(text)}` };
}

type ParsedGoal = { readonly comparator: Comparator; readonly limit: number } | { readonly why: string };

/** A comparison and a limit in the base unit of a metric, or why the text is none. */
export function parseGoal(text: unknown, unit: MetricUnit): ParsedGoal {
  const match = /^\s*(<=|>=|<|>)\s*(\d+(?:\.\d+)?)\s*(%|ms|s|\/s|USD)?\s*$/.exec(String(text));
  const comparator = comparators.find((candidate) => candidate === match?.[1]);
  if (!match || comparator === undefined)
    return { why: 'a goal is <, <=, > or >=, then a number, then its unit (%, ms, s, /s, USD or none)' };
  const written = match[3] ?? '';
  const factor = factors[unit][written];
  if (factor === undefined) {
    const allowed = Object.keys(factors[unit]).map((name) => name || 'none');
    return { why: `this metric has the unit ${allowed.join(' or ')}, not ${written || 'none'}` };
  }
  const limit = Number((Number(match[2]) * factor).toPrecision(15)); // 0.1 × 0.01 is a little off in binary.
  if (unit === 'ratio' && limit > 1) return { why: 'a ratio lies between 0 and 1, or between 0% and 100%' };
  return { comparator, limit };
}

const comparators: readonly Comparator[] = ['<', '<=', '>', '>='];
