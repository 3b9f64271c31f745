// From the indexes that a scenario gives a table to indexes as they will be created: checked, and with what they
// take over from the table. The table itself is table-plan.ts.
import { MAX_GLOBAL_INDEXES, MAX_LOCAL_INDEXES } from '../dynamodb/limits.ts';
import type {
  Billing,
  GlobalIndexSpec,
  KeySchema,
  LocalIndexSpec,
  Projection,
  Start,
} from '../dynamodb/table-spec.ts';
import { keyAttribute, readKeyNames, type KeyTypes } from './key-plan.ts';
import { SpecReader } from './spec-reader.ts';
import { readBilling, readStart } from './throughput-plan.ts';

/**
 * The global indexes of a table, each with the billing and the start of the table where it has none of its own.
 */
export function readGlobalIndexes(
  table: SpecReader,
  inherited: { readonly types: KeyTypes; readonly billing: Billing; readonly start: Start },
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

/** The local indexes of a table: its own partition key with another sort key. */
export function readLocalIndexes(
  table: SpecReader,
  { types, keys }: { readonly types: KeyTypes; readonly keys: KeySchema },
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

/**
 * @see "Naming rules and supported data types",
 *   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html,
 *   read 2026-11-30
 */
const indexNamePattern = /^[\w.-]{3,255}$/;

/** Notes index names that DynamoDB would refuse, or that stand twice. */
export function checkIndexNames(
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

function readEach<I>(
  table: SpecReader,
  member: string,
  read: (reader: SpecReader, name: string) => I | undefined,
): readonly I[] {
  if (!table.has(member)) return [];
  const all = SpecReader.of(table.fields[member], table.place(member), table.issues, member);
  return Object.keys(all?.fields ?? {})
    .map((name) => {
      const one = SpecReader.of(
        all?.fields[name],
        table.place(`${member}.${name}`),
        table.issues,
        'an index',
      );
      return one && read(one, name);
    })
    .filter((index) => index !== undefined);
}

function readProjection(reader: SpecReader): Projection {
  const value = reader.fields['projection'];
  if (Array.isArray(value)) {
    const attributes = reader.names('projection', 'projected attributes') ?? [];
    return { kind: 'INCLUDE', attributes };
  }
  return { kind: reader.oneOf('projection', ['ALL', 'KEYS_ONLY'] as const) ?? 'ALL' };
}
