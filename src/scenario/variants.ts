// The variants of a scenario: the product of its parameters, less what `skip` leaves out. The first is the
// baseline.
import type { IssueList } from './issues.ts';
import type { Choice, Parameter } from './parameters.ts';
import type { Variant } from './run-plan.ts';
import type { Fields, UserFunction } from './spec-reader.ts';
import { callUserFunction } from './user-function.ts';

/** A variant with the values that the scenario's functions get. */
export interface ChosenVariant {
  readonly variant: Variant;
  readonly chosen: Fields;
}

/** The variants in the order of the product, in which the last parameter changes fastest. */
export function chooseVariants(
  parameters: readonly Parameter[],
  skip: UserFunction | undefined,
  issues: IssueList,
): readonly ChosenVariant[] {
  const combinations = parameters.reduce((total, { choices }) => total * choices.length, 1);
  if (combinations > MOST_COMBINATIONS) {
    tooMany(
      'parameters',
      `make ${combinations.toLocaleString('en-US')} combinations`,
      MOST_COMBINATIONS,
      issues,
    );
    return [];
  }
  const all = product(parameters);
  const kept = all.filter((choices) => !isSkipped(parameters, choices, skip, issues));
  if (kept.length === 0 && all.length > 0 && issues.count === 0)
    issues.add({
      at: 'skip',
      is: `leaves out all of the ${all.length} variants`,
      why: 'without a variant there is nothing to run',
      fix: 'return true only for combinations that make no sense',
    });
  if (kept.length > MOST_VARIANTS) {
    tooMany('parameters', `make ${kept.length.toLocaleString('en-US')} variants`, MOST_VARIANTS, issues);
    return [];
  }
  return kept.map((choices, index) => ({
    variant: { name: nameOf(parameters, choices), index, parameters: labelsOf(parameters, choices) },
    chosen: valuesOf(parameters, choices),
  }));
}

/** Each is planned, checked, run and reported. */
const MOST_VARIANTS = 1_000;
/** Before `skip`, which is asked about each. */
const MOST_COMBINATIONS = 10_000;

function tooMany(at: string, is: string, most: number, issues: IssueList): void {
  issues.add({
    at,
    is,
    why: `there may be ${most.toLocaleString('en-US')} of them: each variant is a run of its own`,
    fix: 'declare fewer values, or choose some with --set',
    code: 'RUN_TOO_LARGE',
  });
}

function product(parameters: readonly Parameter[]): readonly (readonly Choice[])[] {
  return parameters.reduce<readonly (readonly Choice[])[]>(
    (soFar, { choices }) => soFar.flatMap((before) => choices.map((choice) => [...before, choice])),
    [[]],
  );
}

function isSkipped(
  parameters: readonly Parameter[],
  choices: readonly Choice[],
  skip: UserFunction | undefined,
  issues: IssueList,
): boolean {
  if (skip === undefined) return false;
  const called = callUserFunction('skip', issues.file, () => skip(valuesOf(parameters, choices)));
  if ('value' in called) return Boolean(called.value);
  issues.add(called.issue);
  return true;
}

function nameOf(parameters: readonly Parameter[], choices: readonly Choice[]): string {
  if (parameters.length === 0) return 'default';
  return parameters.map(({ name }, index) => `${name}=${String(choices[index]?.label)}`).join(', ');
}

function labelsOf(parameters: readonly Parameter[], choices: readonly Choice[]): Variant['parameters'] {
  return Object.fromEntries(parameters.map(({ name }, index) => [name, choices[index]?.label ?? '']));
}

function valuesOf(parameters: readonly Parameter[], choices: readonly Choice[]): Fields {
  return Object.fromEntries(parameters.map(({ name }, index) => [name, choices[index]?.value]));
}
