// What DynamoDB would refuse of an item or a key: its size, and key attributes that are missing, empty, too
// long or of the wrong type.
import { type AttributeMap, type AttributeValue, attributeOf } from '../dynamodb/attribute-value.ts';
import { itemSizeBytes, valueSizeBytes } from '../dynamodb/item-size.ts';
import { MAX_ITEM_BYTES, MAX_PARTITION_KEY_BYTES, MAX_SORT_KEY_BYTES } from '../dynamodb/limits.ts';
import type { KeyAttribute, KeySchema, TableSpec } from '../dynamodb/table-spec.ts';
import type { ErrorCode } from '../errors.ts';
import { showValue } from './spec-reader.ts';

/** One thing wrong with a request; `is` goes on after its place. */
export interface RequestFault {
  readonly code: ErrorCode;
  readonly is: string;
  readonly why: string;
  readonly fix: string;
}

/** Told of each fault of a request. */
export type Report = (fault: RequestFault) => void;

/** A whole item: its size, its own key, and the types of the index keys that it has. */
export function checkItem(item: AttributeMap, table: TableSpec | undefined, report: Report): void {
  const sizeBytes = itemSizeBytes(item);
  if (sizeBytes > MAX_ITEM_BYTES)
    report({
      code: 'ITEM_TOO_LARGE',
      is: `makes an item of ${sizeBytes.toLocaleString('en-US')} bytes; its largest attribute is "${largestAttribute(item)}"`,
      why: `DynamoDB takes items of up to ${MAX_ITEM_BYTES.toLocaleString('en-US')} bytes, names included`,
      fix: 'make the item smaller, or split it over several items',
    });
  if (!table) return;
  checkKeyAttributes(item, table.keys, report);
  for (const { name, keys } of [...table.globalIndexes, ...table.localIndexes])
    for (const attribute of attributesOf(keys)) {
      const value = attributeOf(item, attribute.name);
      if (value !== undefined) checkKeyValue(value, { attribute, of: `index "${name}"`, keys }, report);
    }
}

function largestAttribute(item: AttributeMap): string {
  const sizes = Object.entries(item).map(([name, value]) => ({ name, sizeBytes: valueSizeBytes(value) }));
  return sizes.reduce((largest, one) => (one.sizeBytes > largest.sizeBytes ? one : largest)).name;
}

/** A key and nothing but a key. */
export function checkKey(key: AttributeMap, table: TableSpec | undefined, report: Report): void {
  if (!table) return;
  checkKeyAttributes(key, table.keys, report);
  const names = attributesOf(table.keys).map(({ name }) => name);
  for (const name of Object.keys(key))
    if (!names.includes(name))
      report({
        code: 'OPERATION_INVALID',
        is: `has "${name}" in its key`,
        why: `the key of table "${table.logicalName}" is ${names.join(' and ')}`,
        fix: 'give the key attributes only',
      });
}

function checkKeyAttributes(item: AttributeMap, keys: KeySchema, report: Report): void {
  for (const attribute of attributesOf(keys))
    checkKeyValue(attributeOf(item, attribute.name), { attribute, of: 'the table', keys }, report);
}

/** Partition key, then sort key. */
export function attributesOf({ partition, sort }: KeySchema): readonly KeyAttribute[] {
  return sort === undefined ? [partition] : [partition, sort];
}

interface KeyPlace {
  readonly attribute: KeyAttribute;
  readonly of: string;
  readonly keys: KeySchema;
}

const typeNames = { S: 'a string', N: 'a number', B: 'binary' } as const;

/** One key attribute: there, of its type, not empty, not too long. */
export function checkKeyValue(
  value: AttributeValue | undefined,
  { attribute, of, keys }: KeyPlace,
  report: Report,
): void {
  const { name, type } = attribute;
  const fault = (is: string, why: string, fix: string) => report({ code: 'OPERATION_INVALID', is, why, fix });
  if (value === undefined) {
    fault(`has no "${name}"`, `it is a key attribute of ${of}`, `set "${name}" to ${typeNames[type]}`);
  } else if (value.fillerBytes !== undefined) {
    fault(
      `has a filler as key "${name}"`,
      'a key is a real value: it decides where the item lies',
      'use a text',
    );
  } else if (value[type] === undefined) {
    const found = showType(value);
    fault(
      `has ${found} as "${name}"`,
      `the key attribute "${name}" of ${of} is ${typeNames[type]}`,
      `make it ${typeNames[type]}, or declare its type in types: { ${name}: … }`,
    );
  } else {
    checkKeySize(value, name === keys.partition.name ? 'partition' : 'sort', name, fault);
  }
}

function checkKeySize(
  value: AttributeValue,
  role: 'partition' | 'sort',
  name: string,
  fault: (is: string, why: string, fix: string) => void,
): void {
  const sizeBytes = valueSizeBytes(value);
  const most = role === 'partition' ? MAX_PARTITION_KEY_BYTES : MAX_SORT_KEY_BYTES;
  if (sizeBytes === 0) fault(`has an empty "${name}"`, 'key attributes are never empty', 'give it a value');
  if (sizeBytes > most)
    fault(`has a "${name}" of ${sizeBytes} bytes`, `a ${role} key has at most ${most}`, 'use a shorter key');
}

function showType(value: AttributeValue): string {
  if (value.S !== undefined) return `the string ${showValue(value.S)}`;
  if (value.N !== undefined) return `the number ${value.N}`;
  if (value.BOOL !== undefined) return String(value.BOOL);
  if (value.B !== undefined) return 'binary';
  return value.NULL ? 'null' : 'a set, list or map';
}
