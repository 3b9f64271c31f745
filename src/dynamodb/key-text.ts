// Keys as texts that are equal exactly where DynamoDB's keys are equal, and the order in which DynamoDB keeps
// sort keys.
import { type AttributeMap, type AttributeValue, attributeOf } from './attribute-value.ts';
import { base64Sextet } from './base64.ts';
import { canonicalNumber, compareNumbers } from './number.ts';
import type { KeySchema } from './table-spec.ts';

/**
 * A text that is equal for two scalars exactly where DynamoDB takes them for one key: a letter for the type,
 * then the value (numbers in canonical form, so that `1` and `1.0` are one key).
 * @throws RangeError for a value that cannot be a key
 */
export function keyText(value: AttributeValue): string {
  if (value.S !== undefined) return `S${value.S}`;
  if (value.N !== undefined) return `N${canonicalNumber(value.N)}`;
  if (value.B !== undefined) return `B${value.B}`;
  throw new RangeError('a key is a string, a number or binary');
}

/**
 * A scalar as people read it, without its type; within one table or index, where a key has one type, it is
 * unique as well.
 */
export function keyLabel(value: AttributeValue): string {
  if (value.N !== undefined) return canonicalNumber(value.N);
  return value.S ?? value.B ?? '';
}

/**
 * The label of a partition or sort key, by the values of its attributes. Several are written as a list, so
 * that no two keys run together; they are hashed as one.
 */
export function keyLabelOf(values: readonly AttributeValue[]): string {
  const [first] = values;
  return values.length === 1 && first !== undefined ? keyLabel(first) : JSON.stringify(values.map(keyLabel));
}

/**
 * A text for a whole primary key. The partition key's length stands in front, so that no two keys run
 * together.
 * @throws RangeError where a key attribute is absent or not a scalar
 */
export function primaryKeyText(key: AttributeMap, schema: KeySchema): string {
  const partition = keyText(keyAttribute(key, schema.partition.name));
  if (schema.sort === undefined) return partition;
  return `${partition.length}:${partition}${keyText(keyAttribute(key, schema.sort.name))}`;
}

/**
 * Order of two scalars as in a sort key: strings by their UTF-8 bytes, numbers by value, binary by bytes.
 * Values of different types, which no sort key mixes, are ordered by type so that the order stays total.
 * @returns negative, 0 or positive
 */
export function compareScalar(left: AttributeValue, right: AttributeValue): number {
  if (left.S !== undefined && right.S !== undefined) return compareUtf8(left.S, right.S);
  if (left.N !== undefined && right.N !== undefined) return compareNumbers(left.N, right.N);
  if (left.B !== undefined && right.B !== undefined) return compareBase64(left.B, right.B);
  return typeRank(left) - typeRank(right);
}

/**
 * Order of two texts by their UTF-8 bytes. UTF-16 differs from it where a surrogate pair meets U+E000 to
 * U+FFFF.
 */
export function compareUtf8(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return utf8Rank(a) - utf8Rank(b);
  }
  return left.length - right.length;
}

/** Order of the bytes behind two base64 texts. */
export function compareBase64(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return base64Sextet(a) - base64Sextet(b);
  }
  return left.length - right.length;
}

function keyAttribute(key: AttributeMap, name: string): AttributeValue {
  const value = attributeOf(key, name);
  if (value === undefined) throw new RangeError(`key attribute ${name} is absent`);
  return value;
}

function typeRank(value: AttributeValue): number {
  if (value.N !== undefined) return 0;
  return value.S !== undefined ? 1 : 2;
}

/** Moves surrogates above all other units: what they stand for lies above U+FFFF. */
function utf8Rank(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit;
}
