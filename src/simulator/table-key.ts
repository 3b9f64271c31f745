// Primary keys of requests: checked against the key schema, with the errors DynamoDB gives, and turned into
// the texts by which entries are found.
// @see "Quotas in Amazon DynamoDB",
//   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html, read 2026-11-30
import { validationError } from '../dynamodb/api-error.ts';
import {
  type AttributeMap,
  type AttributeValue,
  attributeTypeOf,
  setAttribute,
} from '../dynamodb/attribute-value.ts';
import { valueSizeBytes } from '../dynamodb/item-size.ts';
import { keyLabel, keyLabelOf } from '../dynamodb/key-text.ts';
import { MAX_PARTITION_KEY_BYTES, MAX_SORT_KEY_BYTES } from '../dynamodb/limits.ts';
import { type KeyAttribute, type KeySchema, keyAttributes } from '../dynamodb/table-spec.ts';
import { StoredEntry } from './stored-entry.ts';
import { joinedSortText, sortText } from './sort-text.ts';

/**
 * Checks the key attributes of an item to be put.
 * @throws ApiError ValidationException: a key attribute is missing, of the wrong type, empty or too long
 */
export function checkItemKey(item: AttributeMap, schema: KeySchema): void {
  checkItemKeyAttribute(item[schema.partition.name], schema.partition, MAX_PARTITION_KEY_BYTES);
  if (schema.sort !== undefined)
    checkItemKeyAttribute(item[schema.sort.name], schema.sort, MAX_SORT_KEY_BYTES);
}

/**
 * Checks a key that names one item: exactly the key attributes, of the right types.
 * @throws ApiError ValidationException
 */
export function checkKey(key: AttributeMap, schema: KeySchema): void {
  checkKeyShape(key, schema, 'The provided key element does not match the schema');
  checkLength(key[schema.partition.name] as AttributeValue, schema.partition, MAX_PARTITION_KEY_BYTES);
  if (schema.sort !== undefined)
    checkLength(key[schema.sort.name] as AttributeValue, schema.sort, MAX_SORT_KEY_BYTES);
}

/**
 * Checks that a key holds exactly the attributes of the schema, of the right types.
 * @param problem  the message where it does not
 * @throws ApiError ValidationException
 */
export function checkKeyShape(key: AttributeMap, schema: KeySchema, problem: string): void {
  let count = 0;
  for (const _ in key) count++;
  const { partition, sort } = schema;
  if (isMultiAttribute(schema)) {
    const attributes = keyAttributes(schema);
    const isRight =
      count === attributes.length &&
      attributes.every((attribute) => isOfType(key[attribute.name], attribute));
    if (!isRight) throw validationError(problem);
    return;
  }
  const isRight =
    count === (sort === undefined ? 1 : 2) &&
    isOfType(key[partition.name], partition) &&
    (sort === undefined || isOfType(key[sort.name], sort));
  if (!isRight) throw validationError(problem);
}

/** Whether a key has more than one attribute of a kind, as those of global indexes may. */
export function isMultiAttribute({ furtherPartition, furtherSort }: KeySchema): boolean {
  return furtherPartition !== undefined || furtherSort !== undefined;
}

/** Whether a value is there and has the attribute's type. */
export function isOfType(value: AttributeValue | undefined, attribute: KeyAttribute): boolean {
  return value !== undefined && value[attribute.type] !== undefined;
}

/** The entry that would stand at a key; finds entries, is never stored. */
export function probeOf(key: AttributeMap, schema: KeySchema): StoredEntry {
  return new StoredEntry(partitionTextOf(key, schema), sortTextOf(key, schema), key, 0, undefined);
}

/**
 * The partition key's text: the value itself where it is a string. Unique within one table or index, as a key
 * has one type.
 */
export function partitionTextOf(key: AttributeMap, schema: KeySchema): string {
  const value = key[schema.partition.name] as AttributeValue; // Callers have checked that it is there.
  if (schema.furtherPartition === undefined) return keyLabel(value);
  return keyLabelOf([value, ...valuesOf(key, schema.furtherPartition)]);
}

/** The sort key's sort text; empty where the schema has none. */
export function sortTextOf(key: AttributeMap, { sort, furtherSort }: KeySchema): string {
  if (sort === undefined) return '';
  const value = key[sort.name] as AttributeValue;
  if (furtherSort === undefined) return sortText(value);
  return joinedSortText([value, ...valuesOf(key, furtherSort)]);
}

/** Values of attributes that have been seen to be there. */
function valuesOf(key: AttributeMap, attributes: readonly KeyAttribute[]): readonly AttributeValue[] {
  return attributes.map(({ name }) => key[name] as AttributeValue);
}

/** The key attributes of an item, in the schema's order. */
export function keyOf(item: AttributeMap, schema: KeySchema): { [name: string]: AttributeValue } {
  const key: { [name: string]: AttributeValue } = {};
  for (const { name } of keyAttributes(schema)) setAttribute(key, name, item[name] as AttributeValue);
  return key;
}

/**
 * Checks that no key attribute is an empty text or binary; those that are missing or of another type are left
 * to the other checks. Transactions
 * refuse empty keys up front and other mistakes action by action.
 * @throws ApiError ValidationException
 */
export function checkNoEmptyKey(key: AttributeMap, schema: KeySchema): void {
  for (const attribute of keyAttributes(schema)) {
    const value = key[attribute.name];
    if (value?.S === '' || value?.B === '')
      throw emptyKey(attribute.name, value.S === '' ? 'string' : 'binary');
  }
}

function checkItemKeyAttribute(
  value: AttributeValue | undefined,
  attribute: KeyAttribute,
  maxBytes: number,
): void {
  const { name, type } = attribute;
  if (value === undefined)
    throw validationError(`One or more parameter values were invalid: Missing the key ${name} in the item`);
  if (value[type] === undefined)
    throw validationError(
      `One or more parameter values were invalid: Type mismatch for key ${name} expected: ${type} actual: ${attributeTypeOf(value)}`,
    );
  checkLength(value, attribute, maxBytes);
}

function checkLength(value: AttributeValue, { name, type }: KeyAttribute, maxBytes: number): void {
  if (type === 'N') return;
  const sizeBytes = valueSizeBytes(value);
  if (sizeBytes === 0) throw emptyKey(name, type === 'S' ? 'string' : 'binary');
  if (sizeBytes <= maxBytes) return;
  throw validationError(
    maxBytes === MAX_PARTITION_KEY_BYTES
      ? 'One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes'
      : 'One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of 1024 bytes',
  );
}

function emptyKey(name: string, kind: 'string' | 'binary'): Error {
  return validationError(
    `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty ${kind} value. Key: ${name}`,
  );
}
