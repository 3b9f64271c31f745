// The input of CreateTable → a specification with every default resolved, or the reason why DynamoDB would
// not make such a table.
// @see "CreateTable", https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_CreateTable.html, read
//   2026-11-30; messages by captures of the service of October 2026 ("ack-api-quirks dynamodb", findings
//   DDB-TABLE-123 to 128), read 2026-11-30
import { MAX_GLOBAL_INDEXES, MAX_LOCAL_INDEXES, MAX_PROJECTED_ATTRIBUTES } from '../../dynamodb/limits.ts';
import type {
  GlobalIndexSpec,
  KeySchema,
  LocalIndexSpec,
  Projection,
  TableSpec,
} from '../../dynamodb/table-spec.ts';
import { invalid } from './invalid.ts';
import { checkDefinitionsUsed, globalKeySchemaOf, keySchemaOf } from './key-schema-of.ts';
import type {
  AttributeDefinition,
  BillingMode,
  CreateTableInput,
  IndexInput,
  ProjectionInput,
} from './table-input.ts';
import { billingOf, checkRemovesNothing, startOf } from './throughput-of.ts';

/** @throws ApiError ValidationException */
export function tableSpecOf(input: CreateTableInput): TableSpec {
  const {
    TableName: tableName,
    AttributeDefinitions: definitions,
    BillingMode: mode = 'PROVISIONED',
  } = input;
  const { GlobalSecondaryIndexes: globals = [], LocalSecondaryIndexes: locals = [] } = input;
  checkListsOfIndexes(input);
  checkDefinitionsUsed(definitions, [input, ...globals, ...locals]);
  checkRemovesNothing(input);
  for (const index of globals) checkRemovesNothing(index, index.IndexName);
  const keys = keySchemaOf(input.KeySchema, definitions);
  return {
    tableName,
    logicalName: tableName,
    keys,
    billing: billingOf(mode, input),
    start: startOf(input, mode),
    localIndexes: locals.map((index) => localIndexOf(index, keys, definitions)),
    globalIndexes: globals.map((index) => globalIndexOf(index, mode, definitions)),
  };
}

/**
 * A global index as a request describes it.
 * @throws ApiError ValidationException
 */
export function globalIndexOf(
  input: IndexInput,
  mode: BillingMode,
  definitions: readonly AttributeDefinition[],
): GlobalIndexSpec {
  return {
    name: input.IndexName,
    keys: globalKeySchemaOf(input.KeySchema, definitions),
    projection: projectionOf(input.Projection),
    billing: billingOf(mode, input, input.IndexName),
    start: startOf(input, mode, input.IndexName),
  };
}

function localIndexOf(
  input: IndexInput,
  table: KeySchema,
  definitions: readonly AttributeDefinition[],
): LocalIndexSpec {
  const { IndexName: name } = input;
  if (table.sort === undefined)
    throw invalid(
      'Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex',
    );
  const { partition, sort } = keySchemaOf(input.KeySchema, definitions);
  if (partition.name !== table.partition.name)
    throw invalid(
      `Index KeySchema does not have the same leading hash key as table KeySchema for index: ${name}. ` +
        `index hash key: ${partition.name}, table hash key: ${table.partition.name}`,
    );
  if (sort === undefined) throw invalid(`Index KeySchema does not have a range key for index: ${name}`);
  return { name, keys: { partition, sort }, projection: projectionOf(input.Projection) };
}

function projectionOf({ ProjectionType: kind, NonKeyAttributes: attributes }: ProjectionInput): Projection {
  if (kind === undefined) throw invalid('Unknown ProjectionType: null');
  if (kind === 'INCLUDE') {
    if (attributes === undefined)
      throw invalid('ProjectionType is INCLUDE, but NonKeyAttributes is not specified');
    const repeated = attributes.find((name, place) => attributes.indexOf(name) !== place);
    if (repeated !== undefined) throw invalid(`Duplicate element in NonKeyAttributes: ${repeated}`);
    return { kind, attributes };
  }
  if (attributes !== undefined) throw invalid(`ProjectionType is ${kind}, but NonKeyAttributes is specified`);
  return { kind };
}

function checkListsOfIndexes(input: CreateTableInput): void {
  const { GlobalSecondaryIndexes: globals, LocalSecondaryIndexes: locals } = input;
  if (globals?.length === 0) throw invalid('List of GlobalSecondaryIndexes is empty');
  if (locals?.length === 0) throw invalid('List of LocalSecondaryIndexes is empty');
  if ((globals?.length ?? 0) > MAX_GLOBAL_INDEXES)
    throw invalid(`GlobalSecondaryIndex count exceeds the per-table limit of ${MAX_GLOBAL_INDEXES}`);
  if ((locals?.length ?? 0) > MAX_LOCAL_INDEXES)
    throw invalid(`Number of LocalSecondaryIndexes exceeds per-table limit of ${MAX_LOCAL_INDEXES}`);
  const names = [...(globals ?? []), ...(locals ?? [])].map(({ IndexName }) => IndexName);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw invalid(`Duplicate index name: ${repeated}`);
  checkProjectedCount([...(globals ?? []), ...(locals ?? [])].map(({ Projection }) => Projection));
}

/**
 * Checks that the indexes of a table together name no more attributes than they may. DynamoDB's words for it
 * are not published.
 * @throws ApiError ValidationException
 */
export function checkProjectedCount(projections: readonly ProjectionInput[]): void {
  const count = projections.reduce((sum, { NonKeyAttributes }) => sum + (NonKeyAttributes?.length ?? 0), 0);
  if (count > MAX_PROJECTED_ATTRIBUTES)
    throw invalid(
      `The number of NonKeyAttributes of all indexes, ${count}, exceeds the per-table limit of ${MAX_PROJECTED_ATTRIBUTES}`,
    );
}
