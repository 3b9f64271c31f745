// What DynamoDB would refuse of a request, found before any load: sizes, keys, fillers where they cannot be, batches and transactions.
// Expressions are left to whoever evaluates them.
import type { AttributeMap, AttributeValue } from '../dynamodb/attribute-value.ts';
import { itemSizeBytes, valueSizeBytes } from '../dynamodb/item-size.ts';
import { primaryKeyText } from '../dynamodb/key-text.ts';
import {
  MAX_BATCH_GET_ITEMS,
  MAX_BATCH_WRITE_ITEMS,
  MAX_ITEM_BYTES,
  MAX_PARTITION_KEY_BYTES,
  MAX_SORT_KEY_BYTES,
  MAX_TRANSACTION_BYTES,
  MAX_TRANSACTION_ITEMS,
} from '../dynamodb/limits.ts';
import type { Request, TransactWriteItem } from '../dynamodb/operation.ts';
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

export type Report = (fault: RequestFault) => void;

type Specs = ReadonlyMap<string, TableSpec>;

/** Reports everything that is wrong with a request. @param specs  tables by their name on the target */
export function checkRequest(request: Request, specs: Specs, report: Report): void {
  switch (request.api) {
    case 'PutItem':
      checkItem(request.input.Item, specs.get(request.input.TableName), report);
      checkExpressionValues(request.input, report);
      return;
    case 'UpdateItem':
    case 'DeleteItem':
      checkKey(request.input.Key, specs.get(request.input.TableName), report);
      checkExpressionValues(request.input, report);
      return;
    case 'GetItem':
      checkKey(request.input.Key, specs.get(request.input.TableName), report);
      return;
    case 'Query':
      checkKeyCondition(request.input, specs.get(request.input.TableName), report);
      checkExpressionValues(request.input, report);
      return;
    case 'Scan':
      checkExpressionValues(request.input, report);
      return;
    case 'BatchGetItem':
      checkBatchGet(request.input, specs, report);
      return;
    case 'BatchWriteItem':
      checkBatchWrite(request.input, specs, report);
      return;
    case 'TransactGetItems':
      checkTransactGet(request.input, specs, report);
      return;
    case 'TransactWriteItems':
      checkTransactWrite(request.input, specs, report);
  }
}

type InputOf<A extends Request['api']> = Extract<Request, { api: A }>['input'];

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
    for (const attribute of attributesOf(keys))
      if (item[attribute.name] !== undefined)
        checkKeyValue(item[attribute.name], { attribute, of: `index "${name}"`, keys }, report);
}

function largestAttribute(item: AttributeMap): string {
  const sizes = Object.entries(item).map(([name, value]) => ({ name, sizeBytes: valueSizeBytes(value) }));
  return sizes.reduce((largest, one) => (one.sizeBytes > largest.sizeBytes ? one : largest)).name;
}

/** A key and nothing but a key. */
function checkKey(key: AttributeMap, table: TableSpec | undefined, report: Report): void {
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
    checkKeyValue(item[attribute.name], { attribute, of: 'the table', keys }, report);
}

function attributesOf({ partition, sort }: KeySchema): readonly KeyAttribute[] {
  return sort === undefined ? [partition] : [partition, sort];
}

interface KeyPlace {
  readonly attribute: KeyAttribute;
  readonly of: string;
  readonly keys: KeySchema;
}

const typeNames = { S: 'a string', N: 'a number', B: 'binary' } as const;

function checkKeyValue(
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

function checkKeyCondition(input: InputOf<'Query'>, table: TableSpec | undefined, report: Report): void {
  if (!table) return;
  const indexes = [...table.globalIndexes, ...table.localIndexes];
  const keys = indexes.find(({ name }) => name === input.IndexName)?.keys ?? table.keys;
  const of = input.IndexName === undefined ? 'the table' : `index "${input.IndexName}"`;
  const values = input.ExpressionAttributeValues ?? {};
  checkKeyValue(values[':dlPk'], { attribute: keys.partition, of, keys }, report);
  for (const placeholder of [':dlSk', ':dlSk2']) {
    const value = values[placeholder];
    if (value === undefined || !keys.sort) continue;
    // A comparison with an empty text is refused like an empty key, save that nothing begins with more than ''.
    checkKeyValue(value, { attribute: keys.sort, of, keys }, report);
  }
}

/** Fillers have a size and no content, so nothing can be compared with them. Those that `set` stores are not compared. */
function checkExpressionValues(
  input: { readonly ExpressionAttributeValues?: AttributeMap },
  report: Report,
): void {
  for (const [placeholder, value] of Object.entries(input.ExpressionAttributeValues ?? {}))
    if (hasFiller(value) && !placeholder.startsWith(':dlS') && placeholder !== ':dlPk')
      report({
        code: 'OPERATION_INVALID',
        is: `has a filler as ${placeholder} in an expression`,
        why: 'a filler has a size and no content, so there is nothing to compare or to compute with',
        fix: 'use a real value in expressions; fillers belong into items and into set',
      });
}

function hasFiller(value: AttributeValue): boolean {
  if (value.fillerBytes !== undefined) return true;
  if (value.L) return value.L.some(hasFiller);
  return value.M !== undefined && Object.values(value.M).some(hasFiller);
}

function checkBatchGet({ RequestItems }: InputOf<'BatchGetItem'>, specs: Specs, report: Report): void {
  const keyed = Object.entries(RequestItems).flatMap(([tableName, { Keys }]) =>
    Keys.map((key) => ({ tableName, key })),
  );
  checkCount(keyed.length, MAX_BATCH_GET_ITEMS, 'a batch of reads', report);
  checkKeyed(keyed, specs, report);
}

function checkBatchWrite({ RequestItems }: InputOf<'BatchWriteItem'>, specs: Specs, report: Report): void {
  const writes = Object.entries(RequestItems).flatMap(([tableName, requests]) =>
    requests.map((request) => ({
      tableName,
      item: request.PutRequest?.Item,
      key: request.DeleteRequest?.Key,
    })),
  );
  checkCount(writes.length, MAX_BATCH_WRITE_ITEMS, 'a batch of writes', report);
  for (const { tableName, item } of writes) if (item) checkItem(item, specs.get(tableName), report);
  const removed = writes.flatMap(({ tableName, key }) => (key ? [{ tableName, key }] : []));
  checkKeyed(removed, specs, report);
  const all = writes.flatMap(({ tableName, item, key }) => {
    const named = key ?? item;
    return named ? [{ tableName, key: named }] : [];
  });
  checkDistinct(all, specs, report);
}

function checkTransactGet(
  { TransactItems }: InputOf<'TransactGetItems'>,
  specs: Specs,
  report: Report,
): void {
  const keyed = TransactItems.map(({ Get }) => ({ tableName: Get.TableName, key: Get.Key }));
  checkCount(keyed.length, MAX_TRANSACTION_ITEMS, 'a transaction', report);
  checkKeyed(keyed, specs, report);
}

function checkTransactWrite(
  { TransactItems }: InputOf<'TransactWriteItems'>,
  specs: Specs,
  report: Report,
): void {
  checkCount(TransactItems.length, MAX_TRANSACTION_ITEMS, 'a transaction', report);
  let sizeBytes = 0;
  for (const write of TransactItems) {
    const { Put } = write;
    const keyed = write.Update ?? write.Delete ?? write.ConditionCheck;
    if (Put) checkItem(Put.Item, specs.get(Put.TableName), report);
    if (Put) sizeBytes += itemSizeBytes(Put.Item);
    if (keyed) checkKey(keyed.Key, specs.get(keyed.TableName), report);
    checkExpressionValues(Put ?? keyed ?? {}, report);
  }
  checkDistinct(TransactItems.flatMap(keyOfWrite), specs, report);
  if (sizeBytes > MAX_TRANSACTION_BYTES)
    report({
      code: 'OPERATION_INVALID',
      is: `writes ${sizeBytes.toLocaleString('en-US')} bytes in one transaction`,
      why: `a transaction takes up to ${MAX_TRANSACTION_BYTES.toLocaleString('en-US')} bytes`,
      fix: 'write fewer or smaller items in it',
    });
}

interface Keyed {
  readonly tableName: string;
  readonly key: AttributeMap;
}

function keyOfWrite(write: TransactWriteItem): Keyed[] {
  if (write.Put) return [{ tableName: write.Put.TableName, key: write.Put.Item }];
  const keyed = write.Update ?? write.Delete ?? write.ConditionCheck;
  return keyed ? [{ tableName: keyed.TableName, key: keyed.Key }] : [];
}

function checkKeyed(keyed: readonly Keyed[], specs: Specs, report: Report): void {
  for (const { tableName, key } of keyed) checkKey(key, specs.get(tableName), report);
  checkDistinct(keyed, specs, report);
}

function checkCount(count: number, most: number, what: string, report: Report): void {
  if (count >= 1 && count <= most) return;
  report({
    code: 'OPERATION_INVALID',
    is: `has ${count} items in ${what}`,
    why: `${what} has 1 to ${most} items`,
    fix: count === 0 ? 'return at least one' : 'spread them over several operations',
  });
}

function checkDistinct(keyed: readonly Keyed[], specs: Specs, report: Report): void {
  const seen = new Set<string>();
  for (const { tableName, key } of keyed) {
    const text = keyTextOf(key, specs.get(tableName));
    if (text === undefined) continue;
    const place = `${tableName} ${text}`;
    if (seen.has(place)) {
      report({
        code: 'OPERATION_INVALID',
        is: 'names one item twice',
        why: 'DynamoDB refuses a batch or transaction that touches an item more than once',
        fix: 'make the keys of one operation different from each other',
      });
      return;
    }
    seen.add(place);
  }
}

/** Undefined for keys that are at fault themselves, which is reported elsewhere. */
function keyTextOf(key: AttributeMap, table: TableSpec | undefined): string | undefined {
  if (!table) return undefined;
  const isKey = attributesOf(table.keys).every(({ name, type }) => key[name]?.[type] !== undefined);
  return isKey ? primaryKeyText(key, table.keys) : undefined;
}
