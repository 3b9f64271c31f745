// Parameters: what a scenario varies. Here are their types, their reading, and the values that `--set` puts
// in their place.
import { parseDecimal } from '../units.ts';
import type { IssueList } from './issues.ts';
import { listNames, suggestion } from './nearest-name.ts';
import { isFields, SpecReader, showValue } from './spec-reader.ts';

/** A list of values, or named choices of anything: billing modes, projections, whole tables. */
export type Choices = readonly (string | number | boolean)[] | { readonly [label: string]: unknown };

/** Numbers widen, since `--set` takes any number; strings stay the declared ones. */
type Widen<V> = V extends number ? number : V extends boolean ? boolean : V;

/**
 * The parameters as the scenario's functions see them: one value each; of named choices the thing that was
 * named.
 */
export type Chosen<P> = {
  readonly [N in keyof P]: P[N] extends readonly (infer V)[] ? Widen<V> : P[N][keyof P[N]];
};

/** One value of a parameter. */
export interface Choice {
  /** As variants name it: the value itself, or the label of a named choice. */
  readonly label: string | number | boolean;
  /** What the scenario's functions get. */
  readonly value: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly choices: readonly Choice[];
  readonly isNamed: boolean;
}

/** The parameters of a scenario; none where it has none. */
export function readParameters(value: unknown, issues: IssueList): readonly Parameter[] {
  if (value === undefined) return [];
  const reader = SpecReader.of(value, 'parameters', issues, 'parameters');
  return Object.entries(reader?.fields ?? {}).flatMap(
    ([name, choices]) => readParameter(name, choices, issues) ?? [],
  );
}

function readParameter(name: string, choices: unknown, issues: IssueList): Parameter | undefined {
  const at = `parameters.${name}`;
  const problem = (is: string, why: string, fix: string): void => issues.add({ at, is, why, fix });
  if (!/^[\w-]+$/.test(name))
    problem(
      'is no name for a parameter',
      'it is used in --set and in the names of variants',
      'use letters and digits',
    );
  if (!Array.isArray(choices) && !isFields(choices)) {
    problem(
      `is ${showValue(choices)}`,
      'a parameter has values to choose from',
      'write [1, 2] or { label: value }',
    );
    return undefined;
  }
  const isNamed = !Array.isArray(choices);
  const read = isNamed
    ? Object.entries(choices).map(([label, value]): Choice => ({ label, value }))
    : choices.flatMap((value: unknown): Choice[] => {
        if (isScalar(value)) return [{ label: value, value }];
        const why = 'the values of a list are numbers, texts or true and false';
        problem(`has the value ${showValue(value)}`, why, 'name the choices: { label: value }');
        return [];
      });
  if (Object.keys(choices).length === 0)
    problem(
      'has no values',
      'without a value there is no variant',
      'give at least one value, or leave it out',
    );
  const labels = read.map(({ label }) => label);
  for (const label of new Set(labels.filter((one, index) => labels.indexOf(one) !== index)))
    problem(
      `has the value ${showValue(label)} twice`,
      'each value gives variants of its own',
      'keep one of them',
    );
  return read.length === 0 ? undefined : { name, choices: read, isNamed };
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

/** Other values for one parameter, as given on the command line. */
export interface SetParameter {
  readonly name: string;
  readonly values: readonly string[];
}

/**
 * The parameters with the values of `--set` in place of the declared ones: any number on number parameters,
 * else declared ones only.
 */
export function overrideParameters(
  parameters: readonly Parameter[],
  set: readonly SetParameter[],
  issues: IssueList,
): readonly Parameter[] {
  const names = parameters.map(({ name }) => name);
  for (const { name } of set)
    if (!names.includes(name))
      issues.add({
        at: `--set ${name}`,
        is: 'names no parameter',
        why: names.length === 0 ? 'the scenario has no parameters' : `its parameters are ${listNames(names)}`,
        fix: names.length === 0 ? 'leave --set away' : suggestion(name, names),
      });
  return parameters.map((parameter) => {
    const texts = set.find(({ name }) => name === parameter.name)?.values;
    if (texts === undefined) return parameter;
    return { ...parameter, choices: texts.flatMap((text) => chosen(parameter, text, issues) ?? []) };
  });
}

function chosen(parameter: Parameter, text: string, issues: IssueList): Choice | undefined {
  const declared = parameter.choices.find(({ label }) => String(label) === text);
  if (declared) return declared;
  const number = plainNumber(text);
  const takesNumbers = !parameter.isNamed && parameter.choices.some(({ label }) => typeof label === 'number');
  if (takesNumbers && number !== undefined) return { label: number, value: number };
  const labels = parameter.choices.map(({ label }) => String(label));
  issues.add({
    at: `--set ${parameter.name}`,
    is: `has the value "${text}"`,
    why: takesNumbers
      ? 'the parameter takes numbers in plain decimal digits'
      : `the parameter takes the declared values only: ${listNames(labels)}`,
    fix: takesNumbers ? `write for example --set ${parameter.name}=4` : suggestion(text, labels),
  });
  return undefined;
}

/** A number as all options take it; a parameter may be below zero too. */
function plainNumber(text: string): number | undefined {
  if (!text.startsWith('-')) return parseDecimal(text);
  const size = parseDecimal(text.slice(1));
  return size === undefined ? undefined : 0 - size;
}
