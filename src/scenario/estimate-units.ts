// What an operation will cost before it runs, as far as that follows from the request alone. Needed for rates
// in units; a run reports what was really consumed.
import type { AttributeMap } from '../dynamodb/attribute-value.ts';
import { readUnits, writeUnits } from '../dynamodb/consumed-capacity.ts';
import { itemSizeBytes } from '../dynamodb/item-size.ts';
import type { PartiqlRequest, Request, TransactWriteItem } from '../dynamodb/operation.ts';
import { type NativeRequest, nativeRequests } from '../dynamodb/partiql/native-requests.ts';
import type { GlobalIndexSpec, LocalIndexSpec, TableSpec } from '../dynamodb/table-spec.ts';
import type { PlannedOperation } from './run-plan.ts';

/** The table, or one of its global indexes, whose units are asked for. */
export interface Resource {
  readonly table: TableSpec;
  readonly index: GlobalIndexSpec | undefined;
  /** Mean size of the preloaded items of the table; undefined where there are none. */
  readonly itemBytes: number | undefined;
}

/**
 * Units that an operation spends on a resource, new items taken as new.
 * @returns undefined where the request does not tell: reads of many items without a limit, index units of
 * updates and deletes, flows
 */
export function estimateUnits(
  operation: PlannedOperation,
  unit: 'write' | 'read',
  resource: Resource,
): number | undefined {
  if (operation.kind !== 'request') return undefined;
  return unit === 'write'
    ? estimateWrite(operation.request, resource)
    : estimateRead(operation.request, resource);
}

function estimateWrite(request: Request, resource: Resource): number | undefined {
  const { tableName } = resource.table;
  switch (request.api) {
    case 'PutItem':
      return request.input.TableName === tableName ? putUnits(request.input.Item, resource) : 0;
    case 'UpdateItem':
      return request.input.TableName === tableName ? updateUnits(request.input, resource) : 0;
    case 'DeleteItem':
      return request.input.TableName === tableName ? storedItemUnits(resource) : 0;
    case 'BatchWriteItem':
      return total(request.input.RequestItems[tableName] ?? [], ({ PutRequest }) =>
        PutRequest ? putUnits(PutRequest.Item, resource) : storedItemUnits(resource),
      );
    case 'TransactWriteItems':
      return total(request.input.TransactItems, (write) => transactedUnits(write, resource));
    case 'ExecuteStatement':
    case 'BatchExecuteStatement':
    case 'ExecuteTransaction':
      return total(nativesOf(request, resource), (native) => estimateWrite(native, resource));
    default:
      return 0;
  }
}

/**
 * What the statements of a request come to on the table of a resource: each on its own, and twice in a transaction,
 * which pays twice on the table.
 */
function nativesOf(request: PartiqlRequest, { table, index }: Resource): readonly NativeRequest[] {
  const specs = new Map([[table.tableName, table]]);
  if (request.api !== 'ExecuteTransaction') return nativeRequests(request, specs);
  const natives = request.input.TransactStatements.flatMap((input) =>
    nativeRequests({ api: 'ExecuteStatement', input: { ...input, ConsistentRead: true } }, specs),
  );
  return index ? natives : [...natives, ...natives];
}

/** Transactions pay twice on the table and once on indexes. */
function transactedUnits(write: TransactWriteItem, resource: Resource): number | undefined {
  const part = write.Put ?? write.Update ?? write.Delete ?? write.ConditionCheck;
  if (part?.TableName !== resource.table.tableName) return 0;
  if (write.ConditionCheck) return resource.index ? 0 : 2;
  const once = write.Put
    ? putUnits(write.Put.Item, resource)
    : write.Update
      ? updateUnits(write.Update, resource)
      : storedItemUnits(resource);
  return once === undefined || resource.index ? once : 2 * once;
}

function putUnits(item: AttributeMap, { table, index }: Resource): number {
  if (index) return entryUnits(item, table, index);
  // Local indexes spend the table's units.
  const local = table.localIndexes.reduce((sum, one) => sum + entryUnits(item, table, one), 0);
  return writeUnits(itemSizeBytes(item)) + local;
}

function entryUnits(item: AttributeMap, table: TableSpec, index: GlobalIndexSpec | LocalIndexSpec): number {
  const keyNames = [index.keys.partition.name, index.keys.sort?.name].filter((name) => name !== undefined);
  if (keyNames.some((name) => item[name] === undefined)) return 0;
  if (index.projection.kind === 'ALL') return writeUnits(itemSizeBytes(item));
  const further = index.projection.kind === 'INCLUDE' ? index.projection.attributes : [];
  const held = new Set([...keyNames, table.keys.partition.name, table.keys.sort?.name, ...further]);
  const entry = Object.fromEntries(Object.entries(item).filter(([name]) => held.has(name)));
  return writeUnits(itemSizeBytes(entry));
}

/**
 * The whole item is paid for; where its size is not known, the key and the new values are the least it can
 * have.
 */
function updateUnits(
  update: { readonly Key: AttributeMap; readonly ExpressionAttributeValues?: AttributeMap },
  { index, itemBytes }: Resource,
): number | undefined {
  if (index) return undefined;
  const leastBytes = itemSizeBytes(update.Key) + itemSizeBytes(update.ExpressionAttributeValues ?? {});
  return writeUnits(Math.max(itemBytes ?? 0, leastBytes));
}

function storedItemUnits({ index, itemBytes }: Resource): number | undefined {
  return index ? undefined : writeUnits(itemBytes ?? 1);
}

function estimateRead(request: Request, resource: Resource): number | undefined {
  const { tableName } = resource.table;
  const { index, itemBytes = 1 } = resource;
  switch (request.api) {
    case 'GetItem': {
      if (request.input.TableName !== tableName || index) return 0;
      return readUnits(itemBytes, request.input.ConsistentRead ? 'strong' : 'eventual');
    }
    case 'BatchGetItem': {
      const keys = index ? undefined : request.input.RequestItems[tableName];
      return (keys?.Keys.length ?? 0) * readUnits(itemBytes, keys?.ConsistentRead ? 'strong' : 'eventual');
    }
    case 'TransactGetItems': {
      const gets = request.input.TransactItems.filter(({ Get }) => Get.TableName === tableName);
      return index ? 0 : gets.length * readUnits(itemBytes, 'transactional');
    }
    case 'Query':
    case 'Scan': {
      const { TableName, IndexName, Limit, ConsistentRead } = request.input;
      if (TableName !== tableName || IndexName !== index?.name) return 0;
      if (Limit === undefined || resource.itemBytes === undefined) return undefined;
      return readUnits(Limit * resource.itemBytes, ConsistentRead ? 'strong' : 'eventual');
    }
    case 'ExecuteStatement':
    case 'BatchExecuteStatement':
    case 'ExecuteTransaction':
      return total(nativesOf(request, resource), (native) => estimateRead(native, resource));
    default:
      return 0;
  }
}

function total<V>(list: readonly V[], unitsOf: (value: V) => number | undefined): number | undefined {
  let sum = 0;
  for (const value of list) {
    const units = unitsOf(value);
    if (units === undefined) return undefined;
    sum += units;
  }
  return sum;
}
