// Whether a request binds exactly the placeholders that its expressions use, and whether the bound values
// suit the operators they meet.
import { validationError } from '../../dynamodb/api-error.ts';
import { undefinedName, undefinedValue } from './document-path.ts';
import type { Bindings, Expression } from './syntax-tree.ts';

/**
 * Checks the placeholders of all expressions of one request together; to be called before any of them is
 * evaluated.
 * @param expressions  undefined entries stand for expressions that the request does not have
 * @throws ApiError ValidationException for an undefined or unused placeholder, or a value of a type that its
 *   operator does not take
 */
export function checkBindingsUsed(
  bindings: Bindings,
  ...expressions: readonly (Expression | undefined)[]
): void {
  for (const expression of expressions) if (expression !== undefined) checkExpression(bindings, expression);
  checkUsed(bindings.names, 'names', expressions);
  checkUsed(bindings.values, 'values', expressions);
}

function checkExpression(bindings: Bindings, expression: Expression): void {
  const { label, names, values, checks } = expression;
  for (const placeholder of names)
    if (bindings.names?.[placeholder] === undefined) throw invalid(label, undefinedName(placeholder));
  for (const placeholder of values)
    if (bindings.values?.[placeholder] === undefined) throw invalid(label, undefinedValue(placeholder));
  for (const check of checks) {
    const problem = check(bindings);
    if (problem !== undefined) throw invalid(label, problem);
  }
}

type Kind = 'names' | 'values';

const members = { names: 'ExpressionAttributeNames', values: 'ExpressionAttributeValues' } as const;
const grammars = { names: /^#[A-Za-z0-9_]+$/, values: /^:[A-Za-z0-9_]+$/ } as const;

function checkUsed(
  bound: Readonly<Record<string, unknown>> | undefined,
  kind: Kind,
  expressions: readonly (Expression | undefined)[],
): void {
  if (bound === undefined) return;
  let count = 0;
  let isUnused = false;
  for (const placeholder in bound) {
    count++;
    if (!isUsed(placeholder, kind, expressions)) isUnused = true;
  }
  if (count === 0 || isUnused) throw misbound(bound, kind, expressions);
}

function isUsed(placeholder: string, kind: Kind, expressions: readonly (Expression | undefined)[]): boolean {
  for (const expression of expressions) if (expression?.[kind].includes(placeholder)) return true;
  return false;
}

function misbound(
  bound: Readonly<Record<string, unknown>>,
  kind: Kind,
  expressions: readonly (Expression | undefined)[],
): Error {
  const member = members[kind];
  if (expressions.every((expression) => expression === undefined))
    return validationError(`${member} can only be specified when using expressions`);
  const placeholders = Object.keys(bound);
  if (placeholders.length === 0) return validationError(`${member} must not be empty`);
  const malformed = placeholders.find((placeholder) => !grammars[kind].test(placeholder));
  if (malformed !== undefined)
    return validationError(`${member} contains invalid key: Syntax error; key: "${malformed}"`);
  const unused = placeholders.filter((placeholder) => !isUsed(placeholder, kind, expressions));
  return validationError(`Value provided in ${member} unused in expressions: keys: {${unused.join(', ')}}`);
}

function invalid(label: string, problem: string): Error {
  return validationError(`Invalid ${label}: ${problem}`);
}
