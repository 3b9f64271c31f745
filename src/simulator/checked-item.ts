// Attribute values as they came over the wire or from a scenario, checked and brought into the form in which
// DynamoDB keeps them. Nearly all are in that form already, and then nothing is copied. Keys are checked in
// table-key.ts.
// @see "Supported data types and naming rules in Amazon DynamoDB",
//   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html,
//   read 2026-11-30
import { validationError } from '../dynamodb/api-error.ts';
import type { AttributeMap, AttributeValue } from '../dynamodb/attribute-value.ts';
import { decodeBase64 } from '../dynamodb/base64.ts';
import { MAX_NESTING_LEVELS } from '../dynamodb/limits.ts';
import { canonicalNumber } from '../dynamodb/number.ts';

/**
 * The attributes with every number in canonical text.
 * @returns the same object where nothing had to change
 * @throws ApiError ValidationException for a value that DynamoDB cannot hold
 */
export function checkedItem(item: AttributeMap): AttributeMap {
  return checkedMembers(item, 0);
}

function checkedMembers(map: AttributeMap, depth: number): AttributeMap {
  let changed: { [name: string]: AttributeValue } | undefined;
  for (const name in map) {
    const value = map[name] as AttributeValue;
    // The bulk of all values: plain strings need no check beyond their kind.
    if (typeof value.S === 'string' && isSingle(value)) continue;
    const checked = checkedValue(value, depth);
    if (checked === value) continue;
    changed ??= { ...map };
    changed[name] = checked;
  }
  return changed ?? map;
}

function isSingle(value: AttributeValue): boolean {
  let count = 0;
  for (const _ in value) count++;
  return count === 1;
}

function checkedValue(value: AttributeValue, depth: number): AttributeValue {
  checkMembers(value);
  if (value.N !== undefined) {
    const number = canonicalNumber(value.N);
    return number === value.N ? value : { N: number };
  }
  if (value.M !== undefined || value.L !== undefined) return checkedDocument(value, depth + 1);
  if (value.B !== undefined) checkBinary(value.B);
  else if (value.SS !== undefined) checkSet(value.SS, 'string');
  else if (value.BS !== undefined) {
    for (const member of value.BS) checkBinary(member);
    checkSet(value.BS, 'binary');
  } else if (value.NS !== undefined) return checkedNumberSet(value, value.NS);
  else if (value.NULL !== undefined && !value.NULL)
    throw validationError(
      'One or more parameter values were invalid: Null attribute value types must have the value of true',
    );
  return value;
}

function checkMembers(value: AttributeValue): void {
  let count = 0;
  for (const _ in value) count++;
  if (count === 1) return;
  throw validationError(
    count === 0
      ? 'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes'
      : 'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
  );
}

function checkedDocument(value: AttributeValue, depth: number): AttributeValue {
  if (depth >= MAX_NESTING_LEVELS && !isEmptyDocument(value))
    throw validationError(
      'Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit',
    );
  if (value.M !== undefined) {
    const members = checkedMembers(value.M, depth);
    return members === value.M ? value : { M: members };
  }
  const list = value.L ?? [];
  const checked = list.map((element) => checkedValue(element, depth));
  return checked.every((element, index) => element === list[index]) ? value : { L: checked };
}

function isEmptyDocument({ M, L }: AttributeValue): boolean {
  for (const _ in M) return false;
  return (L?.length ?? 0) === 0;
}

function checkedNumberSet(value: AttributeValue, members: readonly string[]): AttributeValue {
  const numbers = members.map(canonicalNumber);
  checkSet(numbers, 'number');
  return numbers.every((number, index) => number === members[index]) ? value : { NS: numbers };
}

function checkSet(members: readonly string[], kind: 'string' | 'number' | 'binary'): void {
  if (members.length === 0)
    throw validationError(`One or more parameter values were invalid: ${empty[kind]}`);
  if (new Set(members).size === members.length) return;
  throw validationError(
    `One or more parameter values were invalid: Input collection [${members.join(', ')}]${kind === 'binary' ? 'of type BS' : ''} contains duplicates.`,
  );
}

/** Spaces as DynamoDB has them. */
const empty = {
  string: 'An string set  may not be empty',
  number: 'An number set  may not be empty',
  binary: 'Binary sets should not be empty',
};

function checkBinary(text: string): void {
  if (decodeBase64(text) === undefined)
    throw validationError(`One or more parameter values were invalid: ${text} is not base64 text`);
}
