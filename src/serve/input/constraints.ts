// The constraints of DynamoDB's API model on a request of the right types: what must be there, lengths,
// patterns, ranges. All that are broken are told at once, as the service tells them.
import { type ApiError, validationError } from '../../dynamodb/api-error.ts';
import type { ManyShape, Shape, StructureShape, TextShape, WholeShape } from './shape.ts';

/** The service lists no more problems than this in one message. */
const MAX_TOLD = 10;

/** @throws ApiError ValidationException that tells every constraint the request breaks */
export function checkConstraints(body: { readonly [name: string]: unknown }, shape: StructureShape): void {
  const problems: string[] = [];
  checkMembers(body, shape, '', problems);
  if (problems.length > 0) throw violated(problems);
}

function violated(problems: readonly string[]): ApiError {
  const told = problems.slice(0, MAX_TOLD);
  const count = `${told.length} validation error${told.length === 1 ? '' : 's'} detected`;
  return validationError(`${count}: ${told.join('; ')}`);
}

function checkMembers(
  body: { readonly [name: string]: unknown },
  { constrained }: StructureShape,
  path: string,
  problems: string[],
): void {
  for (const { name, place, shape, isRequired } of constrained) {
    const value = body[name];
    if (value !== undefined) checkValue(value, shape, path + place, problems);
    else if (isRequired) problems.push(problem('null', path + place, 'Member must not be null'));
  }
}

function checkValue(value: unknown, shape: Shape, place: string, problems: string[]): void {
  switch (shape.kind) {
    case 'text':
      // Casts in this function: conform() has seen each value to be of its shape's type.
      checkText(value as string, shape, place, problems);
      return;
    case 'whole':
      checkWhole(value as number, shape, place, problems);
      return;
    case 'list':
      checkList(value as readonly unknown[], shape, place, problems);
      return;
    case 'map':
      for (const [name, one] of Object.entries(value as object))
        checkValue(one, shape.of, `${place}.${name}.member`, problems);
      return;
    case 'structure':
      checkMembers(value as { readonly [name: string]: unknown }, shape, `${place}.`, problems);
      return;
    case 'flag':
    case 'item':
    case 'values':
    case 'refused':
      return;
  }
}

function checkText(value: string, shape: TextShape, place: string, problems: string[]): void {
  if (shape.mayBeArn === true && isArn(value)) return;
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, choices } = shape;
  const rules: string[] = [];
  if (pattern !== undefined && !pattern.test(value))
    rules.push(`satisfy regular expression pattern: ${pattern.source.replace(/^\^|\$$/g, '')}`);
  if (value.length < minLength) rules.push(`have length greater than or equal to ${minLength}`);
  if (value.length > maxLength) rules.push(`have length less than or equal to ${maxLength}`);
  if (choices !== undefined && !choices.includes(value))
    rules.push(`satisfy enum value set: [${choices.join(', ')}]`);
  for (const rule of rules) problems.push(problem(`'${shortened(value)}'`, place, `Member must ${rule}`));
}

const MAX_ARN_LENGTH = 1_024;

function isArn(value: string): boolean {
  return value.startsWith('arn:') && value.length <= MAX_ARN_LENGTH && /^[a-zA-Z0-9_.:/-]+$/.test(value);
}

function checkWhole(value: number, { min, max }: WholeShape, place: string, problems: string[]): void {
  const shown = `'${value}'`;
  if (min !== undefined && value < min)
    problems.push(problem(shown, place, `Member must have value greater than or equal to ${min}`));
  if (max !== undefined && value > max)
    problems.push(problem(shown, place, `Member must have value less than or equal to ${max}`));
}

function checkList(values: readonly unknown[], shape: ManyShape, place: string, problems: string[]): void {
  const { min = 0, max = Number.POSITIVE_INFINITY } = shape;
  const shown = `'[${values.length === 0 ? '' : `${values.length} members`}]'`;
  if (values.length < min)
    problems.push(problem(shown, place, `Member must have length greater than or equal to ${min}`));
  if (values.length > max) {
    problems.push(problem(shown, place, `Member must have length less than or equal to ${max}`));
    return;
  }
  values.forEach((value, index) => checkValue(value, shape.of, `${place}.${index + 1}.member`, problems));
}

function problem(shown: string, place: string, rule: string): string {
  return `Value ${shown} at '${place}' failed to satisfy constraint: ${rule}`;
}

/** Messages quote what they are about, and what they are about may be megabytes. */
function shortened(value: string): string {
  return value.length <= 300 ? value : `${value.slice(0, 300)}…`;
}
