// Rules of conditions that can be checked as soon as placeholders are bound, before any item is looked at.
import { type AttributeType, type AttributeValue, attributeTypeOf } from '../../dynamodb/attribute-value.ts';
import { compareScalar } from '../../dynamodb/key-text.ts';
import { pathText, resolvePath } from './document-path.ts';
import type { Bindings, Operand } from './syntax-tree.ts';

export const orderedTypes: readonly AttributeType[] = ['S', 'N', 'B'];
export const prefixTypes: readonly AttributeType[] = ['S', 'B'];
export const sizedTypes: readonly AttributeType[] = ['S', 'B', 'SS', 'NS', 'BS', 'L', 'M'];
const typeNames: readonly string[] = ['B', 'NULL', 'SS', 'BOOL', 'L', 'BS', 'N', 'NS', 'S', 'M'];

/**
 * A bound value, or a size, of a type that the operator or function does not take. What a path leads to is
 * not known yet.
 */
export function typeProblem(
  name: string,
  operand: Operand,
  allowed: readonly AttributeType[],
  bindings: Bindings,
): string | undefined {
  const type = knownType(operand, bindings);
  if (type === undefined || allowed.includes(type)) return undefined;
  return `Incorrect operand type for operator or function; operator or function: ${name}, operand type: ${type}`;
}

/** Two paths that are the same one. */
export function distinctProblem(
  name: string,
  left: Operand,
  right: Operand,
  { names }: Bindings,
): string | undefined {
  if (left.kind !== 'path' || right.kind !== 'path') return undefined;
  const first = pathText(resolvePath(left, names));
  if (first !== pathText(resolvePath(right, names))) return undefined;
  return `The first operand must be distinct from the remaining operands for this operator or function; operator: ${name}, first operand: ${first}`;
}

/** Bounds of BETWEEN that differ in type or stand in the wrong order. */
export function boundsProblem(lower: Operand, upper: Operand, bindings: Bindings): string | undefined {
  const low = boundValue(lower, bindings);
  const high = boundValue(upper, bindings);
  if (low === undefined || high === undefined) return undefined;
  const operands = `lower bound operand: AttributeValue: ${valueText(low)}, upper bound operand: AttributeValue: ${valueText(high)}`;
  const type = attributeTypeOf(low);
  if (type !== attributeTypeOf(high))
    return `The BETWEEN operator requires same data type for lower and upper bounds; ${operands}`;
  if (low.fillerBytes !== undefined || high.fillerBytes !== undefined) return undefined;
  if (compareScalar(low, high) <= 0) return undefined;
  return `The BETWEEN operator requires upper bound to be greater than or equal to lower bound; ${operands}`;
}

/** The second operand of `attribute_type`: the name of a type, bound as a string. */
export function typeNameProblem(argument: Operand, bindings: Bindings): string | undefined {
  const value = boundValue(argument, bindings);
  const type = knownType(argument, bindings);
  if (value?.S === undefined)
    return `Incorrect operand type for operator or function; operator or function: attribute_type, operand type: ${type ?? '{NS,SS,L,BS,N,M,B,BOOL,NULL,S}'}`;
  if (typeNames.includes(value.S)) return undefined;
  return `Invalid attribute type name found; type: ${value.S}, valid types: {${typeNames.join(',')}}`;
}

function boundValue(operand: Operand, { values }: Bindings): AttributeValue | undefined {
  return operand.kind === 'value' ? values?.[operand.placeholder] : undefined;
}

function knownType(operand: Operand, bindings: Bindings): AttributeType | undefined {
  if (operand.kind === 'size') return 'N';
  const value = boundValue(operand, bindings);
  return value && attributeTypeOf(value);
}

function valueText(value: AttributeValue): string {
  return `{${attributeTypeOf(value)}:${value.S ?? value.N ?? value.B ?? ''}}`;
}
