// The terms of a key condition: it is parsed as any condition is, and then held to what some key could answer,
// comparisons of whole attributes joined by AND. Which keys there are is key-condition.ts.
import { validationError } from '../../dynamodb/api-error.ts';
import { cachedByText } from '../../dynamodb/cached-by-text.ts';
import { parseCondition } from './condition-parser.ts';
import type { Condition, KeyConditionNode, KeyTerm, Operand } from './syntax-tree.ts';

/**
 * The parsed form of a key condition, kept by its text.
 * @throws ApiError ValidationException for a text that no key schema can answer
 */
export const parseKeyCondition: (text: string) => KeyConditionNode = cachedByText((text) => {
  const { root, ...expression } = parseCondition(text, 'KeyConditionExpression');
  return { ...expression, terms: termsOf(root) };
});

const mirrored = { '=': '=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const;

function termsOf(condition: Condition): readonly KeyTerm[] {
  switch (condition.kind) {
    case 'and':
      return [...termsOf(condition.left), ...termsOf(condition.right)];
    case 'comparison': {
      const { comparator, left, right } = condition;
      if (comparator === '<>') throw badOperator('<>');
      if (left.kind === 'value' && right.kind === 'path') return [term(mirrored[comparator], right, [left])];
      return [term(comparator, left, [right])];
    }
    case 'between':
      checkLeads('BETWEEN', condition.operand);
      return [term('between', condition.operand, [condition.lower, condition.upper])];
    case 'begins_with':
      checkLeads('begins_with', condition.operand);
      return [term('begins_with', condition.operand, [condition.argument])];
    case 'or':
    case 'not':
    case 'in':
      throw badOperator(condition.kind.toUpperCase());
    case 'attribute_exists':
    case 'attribute_not_exists':
    case 'attribute_type':
    case 'contains':
      throw badOperator(condition.kind);
  }
}

function term(operator: KeyTerm['operator'], key: Operand, values: readonly Operand[]): KeyTerm {
  const operands = [key, ...values];
  if (operands.some((operand) => operand.kind === 'size'))
    throw invalidKeyCondition('KeyConditionExpressions cannot contain nested operations');
  const paths = operands.filter((operand) => operand.kind === 'path');
  if (paths.some((path) => path.parts.length > 1))
    throw invalidKeyCondition('KeyConditionExpressions cannot have conditions on nested attributes');
  if (paths.length > 1)
    throw invalidKeyCondition(
      'Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition',
    );
  if (key.kind !== 'path')
    throw invalidKeyCondition('Invalid condition in KeyConditionExpression: No key attribute specified');
  const placeholders = values.flatMap((value) => (value.kind === 'value' ? [value.placeholder] : []));
  return { attribute: key.parts[0], operator, values: placeholders };
}

function checkLeads(operator: string, operand: Operand): void {
  if (operand.kind === 'value')
    throw invalidKeyCondition(
      `Invalid condition in KeyConditionExpression: ${operator} operator must have the key attribute as its first operand`,
    );
}

function badOperator(operator: string): Error {
  return invalidKeyCondition(`Invalid operator used in KeyConditionExpression: ${operator}`);
}

/** The exception for a text that is a condition, yet no key condition. */
export function invalidKeyCondition(problem: string): Error {
  return validationError(`Invalid KeyConditionExpression: ${problem}`);
}
