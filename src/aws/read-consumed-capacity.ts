// Units that a response reports, in every shape that DynamoDB and its emulators use: one entry or a list,
// with arms or without.
// @see "ConsumedCapacity", https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ConsumedCapacity.html, read 2026-11-30
import { type ConsumedCapacity, noUnits, type Units } from '../dynamodb/consumed-capacity.ts';
import { type DataApi, isPartiql, type Request } from '../dynamodb/operation.ts';
import { readsOnly, statementTables } from '../dynamodb/partiql/native-requests.ts';
import { isJsonObject, type JsonObject } from './json-object.ts';

const readApis: ReadonlySet<DataApi> = new Set([
  'GetItem',
  'Query',
  'Scan',
  'BatchGetItem',
  'TransactGetItems',
]);

const nothing: readonly ConsumedCapacity[] = [];

/**
 * The units in a response's `ConsumedCapacity`; empty where it has none.
 * Plain answers do not say whether units are reads or writes, so the API decides; transactions say it, and a replayed
 * TransactWriteItems reports reads.
 */
export function readConsumedCapacity(wire: unknown, request: Request): readonly ConsumedCapacity[] {
  return readCapacity(wire, {
    isRead: isPartiql(request) ? readsOnly(request) : readApis.has(request.api),
    tableName: tableNameOf(request),
  });
}

/** The table of a request that names one alone. */
function tableNameOf(request: Request): string {
  if (request.api === 'ExecuteStatement') return statementTables(request)[0] ?? '';
  return 'TableName' in request.input ? request.input.TableName : '';
}

/** What units are where the answer does not say it. */
interface CapacityDefaults {
  readonly isRead: boolean;
  readonly tableName: string;
}

/** The units in `ConsumedCapacity` of any API; empty where it has none. */
export function readCapacity(wire: unknown, defaults: CapacityDefaults): readonly ConsumedCapacity[] {
  if (isJsonObject(wire)) return [readEntry(wire, defaults)];
  if (!Array.isArray(wire)) return nothing;
  return wire.filter(isJsonObject).map((entry) => readEntry(entry, defaults));
}

function readEntry(entry: JsonObject, { isRead, tableName: named }: CapacityDefaults): ConsumedCapacity {
  const tableName = nameOf(entry['TableName'], named);
  const localIndexes = readArms(entry['LocalSecondaryIndexes'], isRead);
  const globalIndexes = readArms(entry['GlobalSecondaryIndexes'], isRead);
  const indexUnits = unitsOf(localIndexes) + unitsOf(globalIndexes);
  const table = isJsonObject(entry['Table'])
    ? atLeast(readUnits(entry['Table'], isRead), numberOf(entry['CapacityUnits']) - indexUnits, isRead)
    : withoutArms(readUnits(entry, isRead), localIndexes, globalIndexes);
  if (localIndexes === undefined && globalIndexes === undefined) return { tableName, table };
  return {
    tableName,
    table,
    ...(localIndexes && { localIndexes }),
    ...(globalIndexes && { globalIndexes }),
  };
}

/** An ARN is echoed where the request named the table by its ARN; some emulators leave the name out. */
function nameOf(wireName: unknown, requested: string): string {
  if (typeof wireName !== 'string') return requested;
  return wireName.startsWith('arn:') ? wireName.slice(wireName.indexOf(':table/') + 7) : wireName;
}

function readUnits(arm: JsonObject, isRead: boolean): Units {
  const reads = numberOf(arm['ReadCapacityUnits']);
  const writes = numberOf(arm['WriteCapacityUnits']);
  if (reads + writes > 0) return { readUnits: reads, writeUnits: writes };
  const units = numberOf(arm['CapacityUnits']);
  return isRead ? { readUnits: units, writeUnits: 0 } : { readUnits: 0, writeUnits: units };
}

type Arms = { readonly [indexName: string]: Units };

function readArms(wire: unknown, isRead: boolean): Arms | undefined {
  if (!isJsonObject(wire)) return undefined;
  const arms: { [indexName: string]: Units } = {};
  let count = 0;
  for (const name in wire) {
    const arm = wire[name];
    if (!isJsonObject(arm)) continue;
    arms[name] = readUnits(arm, isRead);
    count += 1;
  }
  return count === 0 ? undefined : arms;
}

/** A sum without a `Table` arm contains the indexes; what is left is the table's. */
function withoutArms(total: Units, ...allArms: readonly (Arms | undefined)[]): Units {
  let { readUnits: reads, writeUnits: writes } = total;
  for (const arms of allArms) {
    for (const name in arms) {
      const arm = arms[name] ?? noUnits;
      reads -= arm.readUnits;
      writes -= arm.writeUnits;
    }
  }
  return { readUnits: Math.max(0, reads), writeUnits: Math.max(0, writes) };
}

function unitsOf(arms: Arms | undefined): number {
  let units = 0;
  for (const name in arms) {
    const arm = arms[name] ?? noUnits;
    units += arm.readUnits + arm.writeUnits;
  }
  return units;
}

/**
 * Units of the table, no fewer than the sum leaves it: in a batch of statements Dynoxide counts those that
 * failed in the sum alone, and what the sum says is charged.
 */
function atLeast(table: Units, leastUnits: number, isRead: boolean): Units {
  const missing = leastUnits - table.readUnits - table.writeUnits;
  if (missing <= 0) return table;
  return isRead
    ? { ...table, readUnits: table.readUnits + missing }
    : { ...table, writeUnits: table.writeUnits + missing };
}

function numberOf(value: unknown): number {
  return typeof value === 'number' && value > 0 ? value : 0;
}
