// Expressions: those that a scenario writes out, and those that dyno-load writes for it. Our own placeholders
// start with `#dl` and `:dl`, so that both can stand in one request.
import type { AttributeMap } from '../../dynamodb/attribute-value.ts';
import { marshalItem } from '../../dynamodb/marshal.ts';
import type { ExpressionNames } from '../../dynamodb/operation.ts';
import { DynoLoadError } from '../../errors.ts';
import type { Context, Item } from '../../workload/item.ts';
import { compileOf, type Of } from './of.ts';

/** An expression in DynamoDB's own language, with what its placeholders stand for. */
export interface Expression {
  readonly expression: string;
  /** Attribute names by placeholder, for example `{ '#s': 'status' }`. */
  readonly names?: { readonly [placeholder: string]: string };
  /** Values by placeholder, for example `{ ':s': 'PENDING' }`. */
  readonly values?: Item;
}

/** Attributes to return: their names, or a projection expression with its placeholders. */
export type Projecting = readonly string[] | Pick<Expression, 'expression' | 'names'>;

/** An expression as it goes out. */
export interface WireExpression {
  readonly text: string;
  readonly names?: ExpressionNames;
  readonly values?: AttributeMap;
}

/** @throws DynoLoadError OPERATION_INVALID where a placeholder could be taken for one of ours */
export function wireExpression({ expression, names, values }: Expression): WireExpression {
  for (const name in names) if (name.startsWith('#dl')) throw reservedPlaceholder(name);
  for (const name in values) if (name.startsWith(':dl')) throw reservedPlaceholder(name);
  return {
    text: expression,
    ...(names && { names }),
    ...(values && { values: marshalItem(values) }),
  };
}

/** The expression of each operation; undefined where the scenario has none. */
export function compileExpression(
  of: Of<Expression> | undefined,
): ((context: Context) => WireExpression) | undefined {
  return of === undefined ? undefined : compileOf(of, wireExpression);
}

/** The attribute names of several expressions in one request. */
export function mergeNames(
  left: ExpressionNames | undefined,
  right: ExpressionNames | undefined,
): ExpressionNames | undefined {
  if (left === undefined) return right;
  return right === undefined ? left : { ...left, ...right };
}

/** The values of several expressions in one request. */
export function mergeValues(
  left: AttributeMap | undefined,
  right: AttributeMap | undefined,
): AttributeMap | undefined {
  if (left === undefined) return right;
  return right === undefined ? left : { ...left, ...right };
}

/**
 * The two members of a request that explain its placeholders; absent where there are none, since DynamoDB
 * refuses empty ones.
 */
export function placeholders(
  names: ExpressionNames | undefined,
  values: AttributeMap | undefined,
): { ExpressionAttributeNames?: ExpressionNames; ExpressionAttributeValues?: AttributeMap } {
  return {
    ...(names && { ExpressionAttributeNames: names }),
    ...(values && { ExpressionAttributeValues: values }),
  };
}

/**
 * A projection expression of the named attributes.
 * @param alsoNeeded  an attribute that the reader of the answer needs as well, for example to merge by it
 */
export function wireProjection(
  project: Projecting | undefined,
  alsoNeeded?: string,
): WireExpression | undefined {
  if (project === undefined) return undefined;
  if (!isNameList(project)) return wireExpression(project);
  const all = alsoNeeded === undefined || project.includes(alsoNeeded) ? project : [...project, alsoNeeded];
  const names = Object.fromEntries(all.map((name, index) => [`#dlP${index}`, name]));
  return { text: Object.keys(names).join(', '), names };
}

function isNameList(project: Projecting): project is readonly string[] {
  return Array.isArray(project);
}

function reservedPlaceholder(name: string): DynoLoadError {
  return new DynoLoadError('OPERATION_INVALID', {
    what: `the placeholder ${name} is one that dyno-load keeps for itself`,
    why: 'placeholders that start with #dl or :dl stand for keys and attributes that dyno-load adds to the same request',
    fix: 'give the placeholder another name',
  });
}
