// From a scenario's tables to tables as they will be created: checked, with every default filled in.
import type { KeyType } from '../dynamodb/attribute-value.ts';
import { MAX_GLOBAL_INDEXES, MAX_LOCAL_INDEXES } from '../dynamodb/limits.ts';
import type {
  Billing,
  GlobalIndexSpec,
  KeyAttribute,
  KeySchema,
  LocalIndexSpec,
  Projection,
  Start,
  TableSpec,
} from '../dynamodb/table-spec.ts';
import type { IssueList } from './issues.ts';
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
  if (isOneTable(reader.fields))
    return keep([planTable(reader, { logicalName: ONLY_TABLE, tableName: nameOf(ONLY_TABLE) })]);
  const names = Object.keys(reader.fields);
  if (names.length === 0)
    issues.add({
      at: 'tables',
      is: 'names no table',
      why: 'load needs a table to go to',
      fix: "return { keys: { partition: 'PK' } }",
    });
  return keep(
    names.map((logicalName) => {
      const table = SpecReader.of(reader.fields[logicalName], `tables.${logicalName}`, issues, 'a table');
      return table && planTable(table, { logicalName, tableName: nameOf(logicalName) });
    }),
  );
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

type Types = ReadonlyMap<string, KeyType>;

function readTypes(reader: SpecReader): Types {
  const types = new Map<string, KeyType>();
  if (!reader.has('types')) return types;
  const inner = SpecReader.of(reader.fields['types'], reader.place('types'), reader.issues, 'types');
  for (const attribute of Object.keys(inner?.fields ?? {})) {
    const type = inner?.oneOf(attribute, ['S', 'N', 'B'] as const);
    if (type) types.set(attribute, type);
  }
  return types;
}

function checkTypesUsed(reader: SpecReader, types: Types, schemas: readonly KeySchema[]): void {
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

function keyAttribute(name: string, types: Types): KeyAttribute {
  return { name, type: types.get(name) ?? 'S' };
}

function readKeys(reader: SpecReader, types: Types): KeySchema | undefined {
  if (!reader.require('keys', 'every table has a partition key', "add keys: { partition: 'PK' }"))
    return undefined;
  const keys = SpecReader.of(reader.fields['keys'], reader.place('keys'), reader.issues, 'keys');
  keys?.allowOnly(['partition', 'sort']);
  return keys && readKeyNames(keys, types);
}

function readKeyNames(keys: SpecReader, types: Types): KeySchema | undefined {
  keys.require('partition', 'every key starts with a partition key', "add partition: 'PK'");
  const partition = keys.text('partition', 'the partition key attribute');
  const sort = keys.text('sort', 'the sort key attribute');
  if (partition !== undefined && partition === sort)
    return keys.problem(
      'sort',
      `is "${sort}", which is the partition key too`,
      'partition and sort key are two attributes',
      'name another attribute, or leave sort out',
    );
  if (partition === undefined) return undefined;
  return {
    partition: keyAttribute(partition, types),
    ...(sort !== undefined && { sort: keyAttribute(sort, types) }),
  };
}

function readGlobalIndexes(
  table: SpecReader,
  inherited: { readonly types: Types; readonly billing: Billing; readonly start: Start },
): readonly GlobalIndexSpec[] {
  const indexes = readEach(table, 'indexes', (reader, name) => {
    reader.allowOnly(['partition', 'sort', 'projection', 'billing', 'starts']);
    const keys = readKeyNames(reader, inherited.types);
    const billing = readBilling(reader) ?? inherited.billing;
    if (billing.mode !== inherited.billing.mode)
      reader.problem(
        'billing',
        `is ${billing.mode} while the table is ${inherited.billing.mode}`,
        'a table and its indexes share one billing mode',
        'give both the same mode, or leave the billing of the index out',
      );
    const start = readStart(reader) ?? inherited.start;
    return keys && { name, keys, projection: readProjection(reader), billing, start };
  });
  if (indexes.length > MAX_GLOBAL_INDEXES)
    table.problem(
      'indexes',
      `are ${indexes.length}`,
      `a table has at most ${MAX_GLOBAL_INDEXES} global indexes`,
      'merge indexes or spread them over tables',
    );
  return indexes;
}

function readLocalIndexes(
  table: SpecReader,
  { types, keys }: { readonly types: Types; readonly keys: KeySchema },
): readonly LocalIndexSpec[] {
  const indexes = readEach(table, 'localIndexes', (reader, name): LocalIndexSpec | undefined => {
    reader.allowOnly(['sort', 'projection']);
    reader.require('sort', 'a local index is another sort key', "add sort: 'at'");
    const sort = reader.text('sort', 'the sort key attribute');
    if (sort !== undefined && sort === keys.partition.name)
      reader.problem(
        'sort',
        `is "${sort}", the partition key`,
        'a sort key is another attribute',
        'name another',
      );
    const projection = readProjection(reader);
    return sort === undefined
      ? undefined
      : { name, keys: { partition: keys.partition, sort: keyAttribute(sort, types) }, projection };
  });
  if (indexes.length > 0 && !keys.sort)
    table.problem(
      'localIndexes',
      'are set while the table has no sort key',
      'DynamoDB has local indexes on tables with a sort key only',
      'add keys.sort, or use a global index',
    );
  if (indexes.length > MAX_LOCAL_INDEXES)
    table.problem(
      'localIndexes',
      `are ${indexes.length}`,
      `a table has at most ${MAX_LOCAL_INDEXES} local indexes`,
      'use global indexes for the others',
    );
  return indexes;
}

function readEach<I>(
  table: SpecReader,
  member: string,
  read: (reader: SpecReader, name: string) => I | undefined,
): readonly I[] {
  if (!table.has(member)) return [];
  const all = SpecReader.of(table.fields[member], table.place(member), table.issues, member);
  return keep(
    Object.keys(all?.fields ?? {}).map((name) => {
      const one = SpecReader.of(
        all?.fields[name],
        table.place(`${member}.${name}`),
        table.issues,
        'an index',
      );
      return one && read(one, name);
    }),
  );
}

/**
 * @see "Naming rules and supported data types", https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html, read 2026-11-30
 */
const indexNamePattern = /^[\w.-]{3,255}$/;

function checkIndexNames(
  table: SpecReader,
  globals: readonly GlobalIndexSpec[],
  locals: readonly LocalIndexSpec[],
): void {
  for (const { name } of [...globals, ...locals])
    if (!indexNamePattern.test(name))
      table.problem(
        `indexes.${name}`,
        'is no name for an index',
        'index names have 3 to 255 of the characters a-z, A-Z, 0-9, _ - and .',
        'rename it',
      );
  for (const { name } of locals)
    if (globals.some((index) => index.name === name))
      table.problem(
        `localIndexes.${name}`,
        'has the name of a global index',
        'all indexes of a table share one set of names',
        'rename one of the two',
      );
}

function readProjection(reader: SpecReader): Projection {
  const value = reader.fields['projection'];
  if (Array.isArray(value)) {
    const attributes = reader.names('projection', 'projected attributes') ?? [];
    return { kind: 'INCLUDE', attributes };
  }
  return { kind: reader.oneOf('projection', ['ALL', 'KEYS_ONLY'] as const) ?? 'ALL' };
}

function keep<V>(list: readonly (V | undefined)[]): readonly V[] {
  return list.filter((value) => value !== undefined);
}
