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
/**
 * Bytes of a placeholder with its sign; the grammar makes each character one byte.
 * @see "Quotas in Amazon DynamoDB", under expression parameters,
 *   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html, read 2026-11-30
 */
const MAX_PLACEHOLDER_BYTES = 255;
const grammars = { names: /^#[A-Za-z0-9_]+$/, values: /^:[A-Za-z0-9_]+$/ } as const;

function checkUsed(
  bound: Readonly<Record<string, unknown>> | undefined,
  kind: Kind,
  expressions: readonly (Expression | undefined)[],
): void {
  if (bound === undefined) return;
  let isEmpty = true;
  for (const placeholder in bound) {
    isEmpty = false;
    if (placeholder.length > MAX_PLACEHOLDER_BYTES || !isUsed(placeholder, kind, expressions))
      throw misbound(bound, kind, expressions);
  }
  if (isEmpty) throw misbound(bound, kind, expressions);
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
  const tooLong = placeholders.find(({ length }) => length > MAX_PLACEHOLDER_BYTES);
  if (tooLong !== undefined)
    return validationError(
      `${member} contains invalid key: The expression attribute map contains a key that is too long; size of key: ${tooLong.length}`,
    );
  const used = new Set(expressions.flatMap((expression) => expression?.[kind] ?? []));
  const unused = placeholders.filter((placeholder) => !used.has(placeholder));
  return validationError(`Value provided in ${member} unused in expressions: keys: {${unused.join(', ')}}`);
}

function invalid(label: string, problem: string): Error {
  return validationError(`Invalid ${label}: ${problem}`);
}
