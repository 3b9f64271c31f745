// Whether a write left stored values as they were, by which an index entry is seen to be unchanged. Differs
// from equality in expressions in one thing: fillers of one length are the same text once they cross a wire,
// so they count as unchanged here, at any depth.
import { type AttributeMap, type AttributeValue, attributeOf } from '../dynamodb/attribute-value.ts';
import { valuesEqual } from '../dynamodb/value-equality.ts';

/** Whether two items hold the same attributes. */
export function isSameItem(left: AttributeMap, right: AttributeMap): boolean {
  let surplus = 0;
  for (const name in left) {
    if (!isSameValue(left[name], attributeOf(right, name))) return false;
    surplus++;
  }
  for (const _ in right) surplus--;
  return surplus === 0;
}

/** Whether two values are the same in type and content; two absent ones are. */
export function isSameValue(left: AttributeValue | undefined, right: AttributeValue | undefined): boolean {
  if (left === right) return true;
  if (left === undefined || right === undefined) return false;
  if (left.fillerBytes !== undefined) return left.fillerBytes === right.fillerBytes;
  if (left.M !== undefined) return right.M !== undefined && isSameItem(left.M, right.M);
  if (left.L !== undefined) return right.L !== undefined && isSameList(left.L, right.L);
  return valuesEqual(left, right);
}

function isSameList(left: readonly AttributeValue[], right: readonly AttributeValue[]): boolean {
  return left.length === right.length && left.every((value, index) => isSameValue(value, right[index]));
}
