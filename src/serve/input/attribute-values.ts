// Attribute values as they come over the wire: their JSON types, and the form in which DynamoDB keeps sets
// (sorted, numbers in one spelling). What a value may be beyond its type is checked in the simulator.
import { validationError } from '../../dynamodb/api-error.ts';
import type { AttributeMap } from '../../dynamodb/attribute-value.ts';
import { compareBase64, compareUtf8 } from '../../dynamodb/key-text.ts';
import { canonicalNumber, compareNumbers } from '../../dynamodb/number.ts';
import { jsonObject, serializationError, wrongScalar } from './json-types.ts';

/** Deeper than any item may be; keeps hostile bodies from exhausting the stack before the real check. */
const DEPTH_BEYOND_LIMIT = 64;

/**
 * Attributes by name, each value an object of known types; changed in place.
 * @throws ApiError SerializationException for a wrong JSON type; ValidationException for a number in a set that
 *   is none, and for nesting far beyond the limit
 */
export function conformItem(value: unknown, depth = 0): AttributeMap {
  const item = jsonObject(value);
  for (const name in item) {
    const attribute = item[name];
    // Absent values are empty ones: the check of their types speaks of them.
    if (attribute === null) item[name] = {};
    else conformValue(attribute, depth);
  }
  return item as AttributeMap; // Every member has just been seen to be an attribute value.
}

/**
 * Attribute values in a list of at least one, as the parameters of a statement are.
 * @throws ApiError as `conformItem`
 */
export function conformValues(value: unknown): readonly unknown[] {
  const list = listIn(value);
  if (list.length === 0)
    throw validationError(
      "1 validation error detected: Value '[]' at 'parameters' failed to satisfy constraint: Member must have length greater than or equal to 1",
    );
  for (const element of list) conformValue(element ?? {}, 0);
  return list.map((element) => element ?? {});
}

function conformValue(value: unknown, depth: number): void {
  const types = jsonObject(value);
  for (const type in types) {
    const member = types[type];
    if (member === null) {
      delete types[type];
      continue;
    }
    switch (type) {
      case 'S':
        if (typeof member !== 'string') throw wrongScalar(member, 'String');
        break;
      case 'N':
        types[type] = numberText(member);
        break;
      case 'BOOL':
      case 'NULL':
        if (typeof member !== 'boolean') throw wrongFlag(member);
        break;
      case 'B':
        checkBinary(member);
        break;
      case 'M':
        conformItem(member, deeper(depth));
        break;
      case 'L':
        for (const element of listIn(member)) conformValue(element ?? {}, deeper(depth));
        break;
      case 'SS':
        textsIn(member).sort(compareUtf8);
        break;
      case 'NS':
        types[type] = textsIn(member).map(canonicalNumberText).sort(compareNumbers);
        break;
      case 'BS':
        for (const element of textsIn(member)) checkBinary(element);
        textsIn(member).sort(compareBase64);
        break;
      default:
        delete types[type];
    }
  }
}

/** No number that DynamoDB can store is written as long as this. */
const MAX_NUMBER_CHARACTERS = 1_024;
const SPACE = 32;

/**
 * A number's text without the space around it, which the reader of numbers takes long to tell from digits.
 */
function numberText(value: unknown): string {
  if (typeof value !== 'string') throw wrongScalar(value, 'String');
  const last = value.length - 1;
  const isSpaced = value.charCodeAt(0) <= SPACE || value.charCodeAt(last) <= SPACE;
  const trimmed = isSpaced ? value.trim() : value;
  if (trimmed.length > MAX_NUMBER_CHARACTERS)
    throw validationError('The parameter cannot be converted to a numeric value');
  return trimmed;
}

function canonicalNumberText(value: string): string {
  return canonicalNumber(numberText(value));
}

function deeper(depth: number): number {
  if (depth >= DEPTH_BEYOND_LIMIT) throw validationError('Nesting Levels have exceeded supported limits');
  return depth + 1;
}

function wrongFlag(value: unknown): Error {
  if (typeof value === 'string') return serializationError('Unexpected token received from parser');
  return wrongScalar(value, 'Boolean');
}

function listIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  throw serializationError(
    typeof value === 'object'
      ? 'Start of structure or map found where not expected'
      : 'Unexpected field type',
  );
}

function textsIn(value: unknown): string[] {
  const list = listIn(value);
  for (const element of list) if (typeof element !== 'string') throw wrongScalar(element, 'String');
  return list as string[]; // Every element has just been seen to be one.
}

const notBase64 = /[^A-Za-z0-9+/]/;

function checkBinary(value: unknown): void {
  if (typeof value !== 'string')
    throw serializationError('only base-64-encoded strings are convertible to bytes');
  if (value.length % 4 !== 0)
    throw serializationError(
      `Base64 encoded length is expected a multiple of 4 bytes but found: ${value.length}`,
    );
  const digits = value.endsWith('==') ? value.slice(0, -2) : value.endsWith('=') ? value.slice(0, -1) : value;
  if (notBase64.test(digits)) throw serializationError('Invalid Base64 text');
}
