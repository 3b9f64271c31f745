// CreateTable, DeleteTable, ListTables: tables come, go and are listed.
import { ApiError } from '../../dynamodb/api-error.ts';
import { tableArn } from '../../dynamodb/table-spec.ts';
import { hashText } from '../../prng.ts';
import type { Administration } from './administration.ts';
import { describeTable } from './describe-table.ts';
import { checkQuotas } from './quotas.ts';
import { scaledSpec } from './scaled-spec.ts';
import { ServedTable } from './served-table.ts';
import type { CreateTableInput } from './table-input.ts';
import { tableSpecOf } from './table-spec-of.ts';
import { checkTags } from './tags.ts';

/** @throws ApiError ValidationException, ResourceInUseException */
export function createTable(administration: Administration, input: CreateTableInput): object {
  const { database, tables, place, throughputScale, transitionUs } = administration;
  const spec = tableSpecOf(input);
  checkTags(input.Tags ?? []);
  const nowUs = administration.nowUs();
  if (tables.find(spec.tableName, nowUs) !== undefined)
    throw new ApiError('ResourceInUseException', `Table already exists: ${spec.tableName}`);
  checkQuotas(administration, spec, { spec: undefined, warmth: () => ({ readUnits: 0, writeUnits: 0 }) });
  const createdAtMs = administration.wallMs();
  const { TableClass, DeletionProtectionEnabled, StreamSpecification } = input;
  const table = new ServedTable(
    spec,
    { arn: tableArn(spec.tableName, place), id: tableId(spec.tableName, createdAtMs), createdAtMs },
    {
      ...(TableClass && { TableClass }),
      ...(DeletionProtectionEnabled !== undefined && { DeletionProtectionEnabled }),
      ...(StreamSpecification && { StreamSpecification }),
    },
  );
  for (const { Key, Value } of input.Tags ?? []) table.tags.set(Key, Value);
  database.createTable(scaledSpec(spec, throughputScale), { createdAtUs: nowUs });
  // Counts of what the database saw are a run's matter; a server may be up for weeks.
  database.markMeasured(spec.tableName, 0, 0);
  administration.activity.setTable(spec, nowUs);
  tables.add(table);
  const untilUs = nowUs + transitionUs;
  table.pass('CREATING', untilUs);
  for (const { name } of spec.globalIndexes) table.pass('CREATING', untilUs, name);
  return { TableDescription: describeTable(administration, table, 'CREATING') };
}

/** @throws ApiError ResourceNotFoundException, ResourceInUseException, ValidationException (protected) */
export function deleteTable(
  administration: Administration,
  { TableName: name }: { readonly TableName: string },
): object {
  const { database, tables, transitionUs } = administration;
  const nowUs = administration.nowUs();
  const table = tables.get(name, nowUs);
  const status = table.status(nowUs);
  if (status !== 'ACTIVE')
    throw new ApiError(
      'ResourceInUseException',
      `Attempt to change a resource which is still in use: Table is being ${inWords[status]}: ${name}`,
    );
  if (table.traits.DeletionProtectionEnabled === true)
    throw new ApiError(
      'ValidationException',
      'Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.',
    );
  database.deleteTable(name);
  administration.activity.removeTable(name, nowUs);
  table.pass('DELETING', nowUs + transitionUs);
  return { TableDescription: describeTable(administration, table, 'DELETING') };
}

const inWords = { CREATING: 'created', UPDATING: 'updated', DELETING: 'deleted' } as const;

interface ListTablesInput {
  readonly ExclusiveStartTableName?: string;
  readonly Limit?: number;
}

/** Names in order, a page at a time. */
export function listTables(
  administration: Administration,
  { ExclusiveStartTableName: after = '', Limit: limit = 100 }: ListTablesInput,
): object {
  const left = administration.tables.names(administration.nowUs()).filter((name) => name > after);
  const TableNames = left.slice(0, limit);
  if (left.length <= limit) return { TableNames };
  return { TableNames, LastEvaluatedTableName: TableNames.at(-1) };
}

/** A UUID that follows from the name and the moment. */
function tableId(name: string, createdAtMs: number): string {
  const hex = [1, 2, 3, 4]
    .map((salt) => hashText(`${name}/${createdAtMs}`, salt).toString(16).padStart(8, '0'))
    .join('');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
}
