// Checks that several APIs share: choices out of a fixed list, and expressions with what they are bound to.
import { validationError } from '../../dynamodb/api-error.ts';
import type { AttributeMap } from '../../dynamodb/attribute-value.ts';
import type { ExpressionNames } from '../../dynamodb/operation.ts';
import { checkedItem } from '../checked-item.ts';
import { checkBindingsUsed } from '../expression/check-bindings.ts';
import { parseCondition } from '../expression/condition-parser.ts';
import { parseProjection } from '../expression/projection.ts';
import type { Bindings, ConditionNode, Expression, ProjectionNode } from '../expression/syntax-tree.ts';

/**
 * Checks a member that takes one of a few values; absent is fine.
 * @throws ApiError ValidationException
 */
export function checkChoice(name: string, value: string | undefined, choices: readonly string[]): void {
  if (value === undefined || choices.includes(value)) return;
  throw constraint(value, name, `Member must satisfy enum value set: [${choices.join(', ')}]`);
}

/** The error of a member that breaks the API model. */
export function constraint(value: unknown, name: string, rule: string): Error {
  return validationError(
    `1 validation error detected: Value '${String(value)}' at '${name}' failed to satisfy constraint: ${rule}`,
  );
}

const capacityChoices = ['NONE', 'TOTAL', 'INDEXES'];

/** @throws ApiError ValidationException */
export function checkReturnConsumedCapacity(value: string | undefined): void {
  if (value !== undefined) checkChoice('returnConsumedCapacity', value, capacityChoices);
}

const collectionChoices = ['SIZE', 'NONE'];

/** @throws ApiError ValidationException */
export function checkReturnCollections(value: string | undefined): void {
  if (value !== undefined) checkChoice('returnItemCollectionMetrics', value, collectionChoices);
}

interface Bound {
  readonly ExpressionAttributeNames?: ExpressionNames;
  readonly ExpressionAttributeValues?: AttributeMap;
}

/** What the placeholders of a request stand for, its values in DynamoDB's form. */
export function bindingsOf({ ExpressionAttributeNames, ExpressionAttributeValues }: Bound): Bindings {
  return {
    names: ExpressionAttributeNames,
    values: ExpressionAttributeValues && checkedItem(ExpressionAttributeValues),
  };
}

/** A read's projection with the bindings that it uses. */
export interface ReadyProjection {
  readonly projection: ProjectionNode | undefined;
  readonly bindings: Bindings;
}

const wholeItem: ReadyProjection = { projection: undefined, bindings: {} };

/**
 * Parses the projection of a read by key and checks its bindings.
 * @throws ApiError ValidationException
 */
export function readyProjection(
  input: Pick<Bound, 'ExpressionAttributeNames'> & { readonly ProjectionExpression?: string },
): ReadyProjection {
  const { ProjectionExpression: text, ExpressionAttributeNames: names } = input;
  if (text === undefined && names === undefined) return wholeItem;
  const projection = text === undefined ? undefined : parseProjection(text);
  const bindings: Bindings = { names };
  checkBindingsUsed(bindings, projection);
  return { projection, bindings };
}

/** A write's condition and the bindings that it shares with the write's other expressions. */
export interface ReadyCondition {
  readonly condition: ConditionNode | undefined;
  readonly bindings: Bindings;
}

const unconditional: ReadyCondition = { condition: undefined, bindings: {} };

/**
 * Parses a write's condition and checks its bindings.
 * @param other  a further expression that uses the same bindings
 * @throws ApiError ValidationException
 */
export function readyCondition(
  input: Bound & {
    readonly ConditionExpression?: string;
    readonly ReturnValuesOnConditionCheckFailure?: string;
  },
  other?: Expression,
): ReadyCondition {
  const { ConditionExpression: text, ReturnValuesOnConditionCheckFailure: returns } = input;
  if (returns !== undefined) checkChoice('returnValuesOnConditionCheckFailure', returns, ['ALL_OLD', 'NONE']);
  const isBound =
    input.ExpressionAttributeNames !== undefined || input.ExpressionAttributeValues !== undefined;
  if (text === undefined && !isBound && other === undefined) return unconditional;
  const condition = text === undefined ? undefined : parseCondition(text, 'ConditionExpression');
  const bindings = bindingsOf(input);
  checkBindingsUsed(bindings, condition, other);
  return { condition, bindings };
}
