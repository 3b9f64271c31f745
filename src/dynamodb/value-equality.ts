// When two attribute values are one: by type and content, numbers by value, sets without regard to order.
import { type AttributeMap, type AttributeValue, attributeOf } from './attribute-value.ts';
import { canonicalNumber, compareNumbers } from './number.ts';

/**
 * Whether two values are equal as DynamoDB compares them; values of different types never are. A filler has
 * no content to compare and equals nothing, not even itself.
 */
export function valuesEqual(left: AttributeValue, right: AttributeValue): boolean {
  if (left.S !== undefined) return left.S === right.S;
  if (left.N !== undefined) return right.N !== undefined && compareNumbers(left.N, right.N) === 0;
  if (left.BOOL !== undefined) return left.BOOL === right.BOOL;
  if (left.NULL !== undefined) return right.NULL !== undefined;
  if (left.B !== undefined) return left.B === right.B;
  if (left.M !== undefined) return right.M !== undefined && mapsEqual(left.M, right.M);
  if (left.L !== undefined) return right.L !== undefined && listsEqual(left.L, right.L);
  if (left.SS !== undefined) return right.SS !== undefined && setsEqual(left.SS, right.SS);
  if (left.BS !== undefined) return right.BS !== undefined && setsEqual(left.BS, right.BS);
  if (left.NS === undefined || right.NS === undefined) return false;
  return setsEqual(left.NS.map(canonicalNumber), right.NS.map(canonicalNumber));
}

/** Whether two items or maps hold the same attributes with equal values. */
export function mapsEqual(left: AttributeMap, right: AttributeMap): boolean {
  let surplus = 0;
  for (const name in left) {
    const other = attributeOf(right, name);
    if (other === undefined || !valuesEqual(left[name] as AttributeValue, other)) return false;
    surplus++;
  }
  for (const _ in right) surplus--;
  return surplus === 0;
}

function listsEqual(left: readonly AttributeValue[], right: readonly AttributeValue[]): boolean {
  return (
    left.length === right.length &&
    left.every((element, index) => valuesEqual(element, right[index] as AttributeValue))
  );
}

function setsEqual(left: readonly string[], right: readonly string[]): boolean {
  if (left.length !== right.length) return false;
  // Sets that came over the wire are in one order; looking each member up would take its time with large ones.
  if (left.every((member, index) => member === right[index])) return true;
  const members = new Set(right);
  return left.every((member) => members.has(member));
}
