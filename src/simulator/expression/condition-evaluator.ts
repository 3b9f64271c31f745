// Decides conditions and filters over one item. Comparison is by type: values of different types are never
// equal and never ordered, and a filler, which has a length and no content, is equal to nothing.
import { validationError } from '../../dynamodb/api-error.ts';
import { type AttributeMap, type AttributeValue, attributeTypeOf } from '../../dynamodb/attribute-value.ts';
import { decodeBase64 } from '../../dynamodb/base64.ts';
import { base64Bytes } from '../../dynamodb/item-size.ts';
import { compareScalar } from '../../dynamodb/key-text.ts';
import { valuesEqual } from '../../dynamodb/value-equality.ts';
import { undefinedValue, valueAt } from './document-path.ts';
import type { Bindings, Comparator, Condition, ConditionNode, Operand } from './syntax-tree.ts';

const emptyItem: AttributeMap = {};

/**
 * Whether an item meets a condition; an absent item is one without attributes. Placeholders are taken as
 * checked (`checkBindingsUsed`).
 * @throws ApiError ValidationException where a placeholder is not bound
 */
export function evaluateCondition(
  node: ConditionNode,
  item: AttributeMap | undefined,
  bindings: Bindings,
): boolean {
  return isMet(node.root, item ?? emptyItem, bindings);
}

/** The value bound to a `:placeholder`. */
export function boundValue(placeholder: string, { values }: Bindings): AttributeValue {
  const value = values?.[placeholder];
  if (value !== undefined) return value;
  throw validationError(undefinedValue(placeholder));
}

/** Whether two values can be ordered: both strings, both numbers or both binary, and no filler. */
export function areOrdered(left: AttributeValue, right: AttributeValue): boolean {
  if (left.S !== undefined) return right.S !== undefined;
  if (left.N !== undefined) return right.N !== undefined;
  return left.B !== undefined && right.B !== undefined;
}

/** Whether a string or binary value starts with another of its type. */
export function startsWith(value: AttributeValue, prefix: AttributeValue): boolean {
  if (value.S !== undefined && prefix.S !== undefined) return value.S.startsWith(prefix.S);
  if (value.B === undefined || prefix.B === undefined) return false;
  const bytes = bytesOf(value.B);
  return bytesOf(prefix.B).every((byte, index) => bytes[index] === byte);
}

function isMet(condition: Condition, item: AttributeMap, bindings: Bindings): boolean {
  switch (condition.kind) {
    case 'and':
      return isMet(condition.left, item, bindings) && isMet(condition.right, item, bindings);
    case 'or':
      return isMet(condition.left, item, bindings) || isMet(condition.right, item, bindings);
    case 'not':
      return !isMet(condition.condition, item, bindings);
    case 'attribute_exists':
      return valueAt(condition.path, item, bindings) !== undefined;
    case 'attribute_not_exists':
      return valueAt(condition.path, item, bindings) === undefined;
    case 'comparison':
      return compares(
        condition.comparator,
        valueOf(condition.left, item, bindings),
        valueOf(condition.right, item, bindings),
      );
    case 'between':
      return isBetween(
        valueOf(condition.operand, item, bindings),
        valueOf(condition.lower, item, bindings),
        valueOf(condition.upper, item, bindings),
      );
    case 'in': {
      const value = valueOf(condition.operand, item, bindings);
      return condition.candidates.some((candidate) =>
        compares('=', value, valueOf(candidate, item, bindings)),
      );
    }
    case 'attribute_type':
    case 'begins_with':
    case 'contains':
      return isTrueOf(
        condition.kind,
        valueOf(condition.operand, item, bindings),
        valueOf(condition.argument, item, bindings),
      );
  }
}

function isTrueOf(
  name: 'attribute_type' | 'begins_with' | 'contains',
  value: AttributeValue | undefined,
  argument: AttributeValue | undefined,
): boolean {
  if (value === undefined || argument === undefined) return false;
  if (name === 'attribute_type') return attributeTypeOf(value) === argument.S;
  return name === 'contains' ? contains(value, argument) : startsWith(value, argument);
}

function valueOf(operand: Operand, item: AttributeMap, bindings: Bindings): AttributeValue | undefined {
  if (operand.kind === 'path') return valueAt(operand, item, bindings);
  if (operand.kind === 'value') return boundValue(operand.placeholder, bindings);
  const value = valueOf(operand.operand, item, bindings);
  const size = value && sizeOf(value);
  return size === undefined ? undefined : { N: String(size) };
}

function compares(
  comparator: Comparator,
  left: AttributeValue | undefined,
  right: AttributeValue | undefined,
): boolean {
  // An absent attribute differs from every value, and is neither above nor below any.
  if (left === undefined || right === undefined) return comparator === '<>';
  if (comparator === '=') return valuesEqual(left, right);
  if (comparator === '<>') return !valuesEqual(left, right);
  if (!areOrdered(left, right)) return false;
  const order = compareScalar(left, right);
  if (comparator === '<') return order < 0;
  if (comparator === '<=') return order <= 0;
  return comparator === '>' ? order > 0 : order >= 0;
}

function isBetween(
  value: AttributeValue | undefined,
  lower: AttributeValue | undefined,
  upper: AttributeValue | undefined,
): boolean {
  return compares('>=', value, lower) && compares('<=', value, upper);
}

/** A string in a string, bytes in binary, a member of a set, an element of a list. */
function contains(container: AttributeValue, member: AttributeValue): boolean {
  if (container.S !== undefined) return member.S !== undefined && container.S.includes(member.S);
  if (container.L !== undefined) return container.L.some((element) => valuesEqual(element, member));
  if (container.SS !== undefined) return member.S !== undefined && container.SS.includes(member.S);
  if (container.BS !== undefined) return member.B !== undefined && container.BS.includes(member.B);
  if (container.NS !== undefined) return container.NS.some((text) => valuesEqual({ N: text }, member));
  if (container.B === undefined || member.B === undefined) return false;
  return containsBytes(bytesOf(container.B), bytesOf(member.B));
}

function containsBytes(bytes: Uint8Array, part: Uint8Array): boolean {
  for (let start = 0; start + part.length <= bytes.length; start++)
    if (part.every((byte, index) => bytes[start + index] === byte)) return true;
  return false;
}

/**
 * What `size` yields: characters of a string, bytes of binary, members of a set, list or map; undefined for
 * other types.
 * @see "Comparison operator and function reference",
 *   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.OperatorsAndFunctions.html,
 *   read 2026-11-30
 */
function sizeOf(value: AttributeValue): number | undefined {
  if (value.S !== undefined) return value.S.length;
  if (value.fillerBytes !== undefined) return value.fillerBytes;
  if (value.B !== undefined) return base64Bytes(value.B);
  if (value.M !== undefined) return Object.keys(value.M).length;
  return (value.L ?? value.SS ?? value.NS ?? value.BS)?.length;
}

function bytesOf(text: string): Uint8Array {
  return decodeBase64(text) ?? new Uint8Array();
}
