// Which partition keys a request touches, read off the request alone: the heat per key on targets that do not
// report it. Expressions are matched by pattern, not parsed (the parser belongs to the simulator); what a
// pattern misses is not counted.
import type { AttributeMap, AttributeValue } from './attribute-value.ts';
import { keyLabel, keyLabelOf } from './key-text.ts';
import type {
  ExpressionNames,
  QueryInput,
  Request,
  TransactWriteItem,
  UpdateItemInput,
} from './operation.ts';
import { nativeRequests } from './partiql/native-requests.ts';
import {
  type GlobalIndexSpec,
  type KeySchema,
  partitionAttributes,
  resourceName,
  type TableSpec,
} from './table-spec.ts';

/** A partition key that a request touches, on the table or on one of its indexes. */
export interface TouchedKey {
  /** `tableName` or `tableName/indexName`. */
  readonly resource: string;
  /** Its label; see `keyLabel`. */
  readonly key: string;
}

type Specs = ReadonlyMap<string, TableSpec>;

/**
 * Partition keys that a request touches, one entry for each item and index entry. Keys are labels
 * (`keyLabel`): unique within a resource. Puts tell all their index entries; updates those whose index key
 * stands in the key or is set to a bound value; deletes none, since the request does not say what the item
 * held. Local indexes share the table's partitions and are not listed. A scan touches no key in particular.
 *
 * @param specs  tables by their name on the target; requests to other tables touch nothing
 */
export function touchedKeys(request: Request, specs: Specs): TouchedKey[] {
  const touched: TouchedKey[] = [];
  switch (request.api) {
    case 'PutItem':
      addPut(touched, specs.get(request.input.TableName), request.input.Item);
      break;
    case 'UpdateItem':
      addUpdate(touched, specs.get(request.input.TableName), request.input);
      break;
    case 'GetItem':
    case 'DeleteItem':
      addKey(touched, specs.get(request.input.TableName), request.input.Key);
      break;
    case 'Query':
      addQuery(touched, specs.get(request.input.TableName), request.input);
      break;
    case 'BatchGetItem':
      for (const [tableName, { Keys }] of Object.entries(request.input.RequestItems))
        for (const key of Keys) addKey(touched, specs.get(tableName), key);
      break;
    case 'BatchWriteItem':
      for (const [tableName, writes] of Object.entries(request.input.RequestItems))
        for (const { PutRequest, DeleteRequest } of writes) {
          if (PutRequest) addPut(touched, specs.get(tableName), PutRequest.Item);
          if (DeleteRequest) addKey(touched, specs.get(tableName), DeleteRequest.Key);
        }
      break;
    case 'TransactGetItems':
      for (const { Get } of request.input.TransactItems) addKey(touched, specs.get(Get.TableName), Get.Key);
      break;
    case 'TransactWriteItems':
      for (const write of request.input.TransactItems) addTransactWrite(touched, specs, write);
      break;
    case 'ExecuteStatement':
    case 'BatchExecuteStatement':
    case 'ExecuteTransaction':
      for (const native of nativeRequests(request, specs)) touched.push(...touchedKeys(native, specs));
      break;
    case 'Scan':
      break;
  }
  return touched;
}

function addTransactWrite(touched: TouchedKey[], specs: Specs, write: TransactWriteItem): void {
  if (write.Put) addPut(touched, specs.get(write.Put.TableName), write.Put.Item);
  if (write.Update) addUpdate(touched, specs.get(write.Update.TableName), write.Update);
  const keyed = write.Delete ?? write.ConditionCheck;
  if (keyed) addKey(touched, specs.get(keyed.TableName), keyed.Key);
}

function addKey(touched: TouchedKey[], table: TableSpec | undefined, key: AttributeMap): void {
  if (table) add(touched, resourceName(table.tableName), key[table.keys.partition.name]);
}

function addPut(touched: TouchedKey[], table: TableSpec | undefined, item: AttributeMap): void {
  if (!table) return;
  addKey(touched, table, item);
  for (const index of table.globalIndexes) {
    const { sort, furtherSort } = index.keys;
    const isEntry = sort === undefined || item[sort.name] !== undefined;
    if (!isEntry || furtherSort?.some(({ name }) => item[name] === undefined)) continue;
    addEntry(touched, table, index, (name) => item[name]);
  }
}

type Update = Pick<
  UpdateItemInput,
  'Key' | 'UpdateExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
>;

function addUpdate(touched: TouchedKey[], table: TableSpec | undefined, update: Update): void {
  if (!table) return;
  addKey(touched, table, update.Key);
  for (const index of table.globalIndexes) {
    const valueOf = (name: string) =>
      update.Key[name] ?? boundValue(update.UpdateExpression ?? '', name, update);
    addEntry(touched, table, index, valueOf);
  }
}

function addQuery(touched: TouchedKey[], table: TableSpec | undefined, query: QueryInput): void {
  const keys = table && schemaOf(table, query.IndexName);
  if (!keys) return;
  const isGlobal = table.globalIndexes.some((index) => index.name === query.IndexName);
  const resource = resourceName(table.tableName, isGlobal ? query.IndexName : undefined);
  addPartition(touched, resource, keys, (name) => boundValue(query.KeyConditionExpression, name, query));
}

function schemaOf(table: TableSpec, indexName: string | undefined): KeySchema | undefined {
  if (indexName === undefined) return table.keys;
  return [...table.globalIndexes, ...table.localIndexes].find((index) => index.name === indexName)?.keys;
}

interface Bound {
  readonly ExpressionAttributeNames?: ExpressionNames;
  readonly ExpressionAttributeValues?: AttributeMap;
}

/** `attribute = :value` as texts, by expression: expressions repeat for every operation. */
const assignments = new Map<string, readonly (readonly [attribute: string, value: string])[]>();
const MAX_KEPT_EXPRESSIONS = 1_000;

/**
 * The value that an expression sets or compares with `=` for an attribute; undefined where it does not do so
 * by a plain placeholder.
 */
function boundValue(expression: string, attribute: string, bound: Bound): AttributeValue | undefined {
  for (const [left, right] of assignmentsOf(expression))
    if ((bound.ExpressionAttributeNames?.[left] ?? left) === attribute)
      return bound.ExpressionAttributeValues?.[right];
  return undefined;
}

function assignmentsOf(expression: string): readonly (readonly [string, string])[] {
  const kept = assignments.get(expression);
  if (kept !== undefined) return kept;
  // A whole placeholder, and no sum or difference that begins with it; what follows may be AND or another clause.
  const pattern = /(?<![\w.\]#:-])(#?\w+)\s*=\s*(:\w+)\b(?!\s*[+-])/g;
  const found = [...expression.matchAll(pattern)].map(
    (match) => [match[1] as string, match[2] as string] as const,
  );
  if (assignments.size >= MAX_KEPT_EXPRESSIONS) assignments.clear();
  assignments.set(expression, found);
  return found;
}

/** What a request says of an attribute. */
type ValueOf = (name: string) => AttributeValue | undefined;

function addEntry(touched: TouchedKey[], table: TableSpec, index: GlobalIndexSpec, valueOf: ValueOf): void {
  addPartition(touched, resourceName(table.tableName, index.name), index.keys, valueOf);
}

/** Adds a partition key of which the request tells every attribute. */
function addPartition(touched: TouchedKey[], resource: string, keys: KeySchema, valueOf: ValueOf): void {
  if (keys.furtherPartition === undefined) {
    add(touched, resource, valueOf(keys.partition.name));
    return;
  }
  const attributes = partitionAttributes(keys);
  const values = attributes.map(({ name }) => valueOf(name)).filter((value) => value !== undefined);
  if (values.length === attributes.length) touched.push({ resource, key: keyLabelOf(values) });
}

function add(touched: TouchedKey[], resource: string, value: AttributeValue | undefined): void {
  if (value !== undefined) touched.push({ resource, key: keyLabel(value) });
}
