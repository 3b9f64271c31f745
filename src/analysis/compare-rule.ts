// What makes a comparison fail, as users write it: `placeOrder.response.p99 > +10%`, or one word. Applying it
// to rows is for compare-gate.ts.
import { DynoLoadError } from '../errors.ts';
import { findMetric, type MetricDefinition, metrics, type MetricUnit } from '../scenario/metric.ts';

/** The change of one metric that fails, in all variants. */
export interface MetricRule {
  readonly kind: 'metric';
  readonly text: string;
  readonly workload: string;
  readonly metric: MetricDefinition;
  /** `above`: fails when the change is more than the limit. */
  readonly side: 'above' | 'below';
  /** `relative`: of the value before, 0.1 for 10 %; `absolute`: in the metric's unit. */
  readonly scale: 'relative' | 'absolute';
  readonly limit: number;
}

/**
 * `worse`: anything that is judged got worse (the default); `any`: any exact difference at all; `none`: nothing
 * fails.
 */
export interface WordRule {
  readonly kind: 'worse' | 'any' | 'none';
  readonly text: string;
}

/** One `--fail-on`. */
export type FailRule = MetricRule | WordRule;

/** The rule of a comparison for which none is given: anything that got worse fails it. */
export const defaultRule: FailRule = { kind: 'worse', text: 'worse' };

/** Factors to the metric's own unit, by the unit as written; `%` is always of the value before. */
const absoluteFactors: Readonly<Record<MetricUnit, Readonly<Record<string, number>>>> = {
  ratio: { points: 0.01 },
  us: { us: 1, ms: 1_000, s: 1_000_000 },
  perSecond: { '/s': 1 },
  units: { units: 1 },
  requests: { requests: 1 },
  usd: { USD: 1 },
};

const words = ['worse', 'any', 'none'] as const;

const form = "write 'workload.metric > +10%', with > or < and a limit, or one of: worse, any, none";

/**
 * Reads one rule.
 * @throws DynoLoadError USAGE
 */
export function parseFailRule(text: string): FailRule {
  const trimmed = text.trim();
  const word = words.find((one) => one === trimmed);
  if (word !== undefined) return { kind: word, text: trimmed };
  const match = /^(.+?)\s*([<>])\s*([+-]?\d+(?:\.\d+)?)\s*(%|\S*)$/.exec(trimmed);
  const [, subject = '', comparator, number, unit = ''] = match ?? [];
  if (match === null) throw wrong(text, 'it is neither a rule about a metric nor one of the words', form);
  const dot = subject.indexOf('.');
  const metric = dot < 0 ? undefined : findMetric(subject.slice(dot + 1));
  if (metric === undefined) {
    const names = metrics.map(({ name }) => name).join(', ');
    throw wrong(text, `"${subject}" does not name a workload and a metric; metrics are ${names}`, form);
  }
  return {
    kind: 'metric',
    text: trimmed,
    workload: subject.slice(0, dot),
    metric,
    side: comparator === '>' ? 'above' : 'below',
    ...limitOf(Number(number), unit, metric, text),
  };
}

function limitOf(
  number: number,
  unit: string,
  metric: MetricDefinition,
  text: string,
): Pick<MetricRule, 'scale' | 'limit'> {
  if (unit === '%') return { scale: 'relative', limit: number / 100 };
  const factors = absoluteFactors[metric.unit];
  const factor = unit === '' && number === 0 ? 1 : factors[unit];
  if (factor !== undefined) return { scale: 'absolute', limit: number * factor };
  const allowed = Object.keys(factors).join(', ');
  throw wrong(
    text,
    `a change of ${metric.name} is a percentage of the value before, or has the unit ${allowed}`,
    `write for example '> +10%', '> +5 ${Object.keys(factors)[0] ?? ''}' or '> 0'`,
  );
}

function wrong(text: string, why: string, fix: string): DynoLoadError {
  return new DynoLoadError('USAGE', { what: `--fail-on "${text}" cannot be read`, why, fix });
}
