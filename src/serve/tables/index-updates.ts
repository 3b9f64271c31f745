// What UpdateTable may do to global indexes: one action each, one index coming or going at a time, and what a new
// one is. Messages by captures of the service of October 2026 ("ack-api-quirks dynamodb", findings DDB-TABLE-015
// and 161), read 2026-11-30.
import { ApiError, validationError } from '../../dynamodb/api-error.ts';
import type { GlobalIndexSpec } from '../../dynamodb/table-spec.ts';
import { wireKeySchema } from '../../dynamodb/wire-schema.ts';
import { invalid } from './invalid.ts';
import { checkDefinitionsUsed } from './key-schema-of.ts';
import type { ServedTable } from './served-table.ts';
import type { BillingMode, IndexUpdate, UpdateTableInput } from './table-input.ts';
import { globalIndexOf } from './table-spec-of.ts';

/**
 * The global index that a request asks for.
 * @throws ApiError ValidationException
 */
export function createdIndex(
  { spec }: ServedTable,
  create: NonNullable<IndexUpdate['Create']>,
  mode: BillingMode,
  { AttributeDefinitions: definitions = [] }: UpdateTableInput,
): GlobalIndexSpec {
  const keyed = [
    create,
    ...[spec, ...spec.globalIndexes, ...spec.localIndexes].map(({ keys }) => ({
      KeySchema: wireKeySchema(keys),
    })),
  ];
  checkDefinitionsUsed(definitions, keyed);
  return globalIndexOf(create, mode, definitions);
}

/**
 * @throws ApiError ValidationException, ResourceNotFoundException, ResourceInUseException,
 * LimitExceededException
 */
export function checkUpdates(table: ServedTable, updates: readonly IndexUpdate[], nowUs: number): void {
  const { spec } = table;
  const names: string[] = [];
  for (const { Create, Update, Delete } of updates) {
    const given = [Create, Update, Delete].filter((member) => member !== undefined);
    const [one] = given;
    if (one === undefined)
      throw invalid(
        'One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete must not be null',
      );
    if (given.length > 1)
      throw invalid(
        'Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object',
      );
    names.push(one.IndexName);
    const isKnown = spec.globalIndexes.some(({ name }) => name === one.IndexName);
    const isTaken = isKnown || spec.localIndexes.some(({ name }) => name === one.IndexName);
    if (Create !== undefined && isTaken)
      throw validationError(`Attempting to create an index which already exists: ${one.IndexName}`);
    if (Create === undefined && !isKnown)
      throw new ApiError(
        'ResourceNotFoundException',
        `Requested resource not found: Table: ${spec.tableName}, Index: ${one.IndexName}`,
      );
    if (Create === undefined && table.status(nowUs, one.IndexName) !== 'ACTIVE')
      throw new ApiError(
        'ResourceInUseException',
        `Attempt to change a resource which is still in use: Index is being created, updated or deleted: ${one.IndexName}`,
      );
  }
  const repeated = names.find((name, place) => names.indexOf(name) !== place);
  if (repeated !== undefined)
    throw invalid(
      `Only one global secondary index update per index is allowed simultaneously. Index: ${repeated}`,
    );
  const online = updates.filter(({ Update }) => Update === undefined).length;
  const underWay = spec.globalIndexes.filter(({ name }) => table.status(nowUs, name) === 'CREATING').length;
  if (online > 0 && online + underWay + table.leaving(nowUs).length > 1)
    throw new ApiError(
      'LimitExceededException',
      'Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table',
    );
}
