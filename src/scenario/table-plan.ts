// From a scenario's tables to tables as they will be created: checked, with every default filled in. Their indexes
// are index-plan.ts, billing and starting throughput throughput-plan.ts.
import type { KeyType } from '../dynamodb/attribute-value.ts';
import type { KeySchema, TableSpec } from '../dynamodb/table-spec.ts';
import { checkIndexNames, readGlobalIndexes, readLocalIndexes } from './index-plan.ts';
import type { IssueList } from './issues.ts';
import { type KeyTypes, readKeyNames } from './key-plan.ts';
import { type Fields, isFields, SpecReader } from './spec-reader.ts';
import { readBilling, readStart } from './throughput-plan.ts';

/** The name of a scenario's only table. */
const ONLY_TABLE = 'main';

const tableMembers = ['keys', 'types', 'indexes', 'localIndexes', 'timeToLive', 'billing', 'starts'] as const;

/**
 * The tables that `tables(parameters)` returned: one, or several by name.
 * @param nameOf  the name on the target for a name in the scenario
 */
export function planTables(
  value: unknown,
  issues: IssueList,
  nameOf: (logicalName: string) => string,
): readonly TableSpec[] {
  const reader = SpecReader.of(value, 'tables', issues, 'what tables() returns');
  if (!reader) return [];
  if (isOneTable(reader.fields)) {
    const table = planTable(reader, { logicalName: ONLY_TABLE, tableName: nameOf(ONLY_TABLE) });
    return table ? [table] : [];
  }
  const names = Object.keys(reader.fields);
  if (names.length === 0)
    issues.add({
      at: 'tables',
      is: 'names no table',
      why: 'load needs a table to go to',
      fix: "return { keys: { partition: 'PK' } }",
    });
  return names
    .map((logicalName) => {
      const table = SpecReader.of(reader.fields[logicalName], `tables.${logicalName}`, issues, 'a table');
      return table && planTable(table, { logicalName, tableName: nameOf(logicalName) });
    })
    .filter((table) => table !== undefined);
}

/**
 * Several tables are told from one by their members: a table's own are known, and none of several tables
 * would be an index or a billing mode.
 */
function isOneTable(fields: Fields): boolean {
  const names = Object.keys(fields);
  const areAllTables = names.every((name) => {
    const member = fields[name];
    return isFields(member) && isFields(member['keys']);
  });
  // `key` is the commonest slip; read as a table, it would only tell that it has no keys.
  const isMember = (name: string) => name === 'key' || tableMembers.some((known) => known === name);
  return names.length > 0 && !areAllTables && names.some(isMember);
}

function planTable(
  reader: SpecReader,
  names: { readonly logicalName: string; readonly tableName: string },
): TableSpec | undefined {
  reader.allowOnly(tableMembers);
  const types = readTypes(reader);
  const keys = readKeys(reader, types);
  const billing = readBilling(reader) ?? { mode: 'on-demand' };
  const start = readStart(reader) ?? { kind: 'new' };
  const timeToLive = reader.text('timeToLive', 'the attribute with the expiry time');
  if (!keys) return undefined;
  const globalIndexes = readGlobalIndexes(reader, { types, billing, start });
  const localIndexes = readLocalIndexes(reader, { types, keys });
  checkTypesUsed(reader, types, [keys, ...[...globalIndexes, ...localIndexes].map((index) => index.keys)]);
  checkIndexNames(reader, globalIndexes, localIndexes);
  return { ...names, keys, globalIndexes, localIndexes, billing, start, ...(timeToLive && { timeToLive }) };
}

function readTypes(reader: SpecReader): KeyTypes {
  const types = new Map<string, KeyType>();
  if (!reader.has('types')) return types;
  const inner = SpecReader.of(reader.fields['types'], reader.place('types'), reader.issues, 'types');
  for (const attribute of Object.keys(inner?.fields ?? {})) {
    const type = inner?.oneOf(attribute, ['S', 'N', 'B'] as const);
    if (type) types.set(attribute, type);
  }
  return types;
}

function checkTypesUsed(reader: SpecReader, types: KeyTypes, schemas: readonly KeySchema[]): void {
  const used = new Set(schemas.flatMap(({ partition, sort }) => [partition.name, sort?.name]));
  for (const attribute of types.keys())
    if (!used.has(attribute))
      reader.problem(
        `types.${attribute}`,
        'is not a key attribute',
        'DynamoDB has types for the attributes of keys only; all others take any value',
        'leave it out',
      );
}

function readKeys(reader: SpecReader, types: KeyTypes): KeySchema | undefined {
  if (!reader.require('keys', 'every table has a partition key', "add keys: { partition: 'PK' }"))
    return undefined;
  const keys = SpecReader.of(reader.fields['keys'], reader.place('keys'), reader.issues, 'keys');
  keys?.allowOnly(['partition', 'sort']);
  return keys && readKeyNames(keys, types);
}
