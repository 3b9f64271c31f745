// What DynamoDB would refuse of a request, found before any load: sizes, keys, fillers where they cannot be,
// batches and transactions. Expressions are left to whoever evaluates them.
import type { AttributeMap, AttributeValue } from '../dynamodb/attribute-value.ts';
import { itemSizeBytes } from '../dynamodb/item-size.ts';
import { primaryKeyText } from '../dynamodb/key-text.ts';
import {
  MAX_BATCH_GET_ITEMS,
  MAX_BATCH_WRITE_ITEMS,
  MAX_TRANSACTION_BYTES,
  MAX_TRANSACTION_ITEMS,
} from '../dynamodb/limits.ts';
import type { Request, TransactWriteItem } from '../dynamodb/operation.ts';
import type { TableSpec } from '../dynamodb/table-spec.ts';
import { attributesOf, checkItem, checkKey, checkKeyValue, type Report } from './check-item.ts';
import { checkStatements } from './check-statement.ts';

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
      return;
    case 'ExecuteStatement':
    case 'BatchExecuteStatement':
    case 'ExecuteTransaction':
      checkStatements(request, specs, report);
  }
}

type InputOf<A extends Request['api']> = Extract<Request, { api: A }>['input'];

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
    // A comparison with an empty text is refused like an empty key, save that nothing begins with more than
    // ''.
    checkKeyValue(value, { attribute: keys.sort, of, keys }, report);
  }
}

/**
 * Fillers have a size and no content, so nothing can be compared with them. Those that `set` stores are not
 * compared.
 */
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
