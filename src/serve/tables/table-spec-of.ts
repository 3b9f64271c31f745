// The input of CreateTable → a specification with every default resolved, or the reason why DynamoDB would
// not make such a table.
// @see "CreateTable", https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_CreateTable.html, read
//   2026-11-30; messages by captures of the service of October 2026 ("ack-api-quirks dynamodb", findings
//   DDB-TABLE-123 to 128), read 2026-11-30
import { type ApiError, validationError } from '../../dynamodb/api-error.ts';
import {
  MAX_GLOBAL_INDEXES,
  MAX_KEY_ATTRIBUTES,
  MAX_LOCAL_INDEXES,
  MAX_PROJECTED_ATTRIBUTES,
  NEW_TABLE_PARTITIONS,
  PARTITION_READ_UNITS,
  PARTITION_WRITE_UNITS,
} from '../../dynamodb/limits.ts';
import type {
  Billing,
  GlobalIndexSpec,
  KeyAttribute,
  KeySchema,
  LocalIndexSpec,
  Projection,
  Start,
  TableSpec,
} from '../../dynamodb/table-spec.ts';
import type {
  AttributeDefinition,
  BillingMode,
  CreateTableInput,
  IndexInput,
  KeySchemaElement,
  ProjectionInput,
  ThroughputInput,
} from './table-input.ts';

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

/**
 * How throughput is bought.
 * @param indexName  names the index in errors; absent: the table
 * @throws ApiError ValidationException where mode and figures contradict each other
 */
export function billingOf(mode: BillingMode, input: ThroughputInput, indexName?: string): Billing {
  const { ProvisionedThroughput: provisioned, OnDemandThroughput: onDemand } = input;
  if (mode === 'PAY_PER_REQUEST') {
    if (provisioned !== undefined)
      throw invalid(
        indexName === undefined
          ? 'Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST'
          : `ProvisionedThroughput should not be specified for index: ${indexName} when BillingMode is PAY_PER_REQUEST`,
      );
    return onDemandBilling(onDemand, indexName);
  }
  if (onDemand !== undefined) throw maximumOfProvisioned(onDemand, indexName);
  if (provisioned === undefined)
    throw invalid(
      indexName === undefined
        ? 'ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED'
        : `ProvisionedThroughput is not specified for index: ${indexName}`,
    );
  const { ReadCapacityUnits: readUnits, WriteCapacityUnits: writeUnits } = provisioned;
  return { mode: 'provisioned', readUnits, writeUnits };
}

type Maxima = NonNullable<ThroughputInput['OnDemandThroughput']>;

const maximumNames = ['MaxReadRequestUnits', 'MaxWriteRequestUnits'] as const;

/**
 * On demand, with the maxima that are set; −1 takes one away.
 * @throws ApiError ValidationException
 */
export function onDemandBilling(
  maxima: Maxima = {},
  indexName?: string,
): Extract<Billing, { mode: 'on-demand' }> {
  for (const name of maximumNames)
    if ((maxima[name] ?? 1) < 1 && maxima[name] !== -1) throw outOfRange(name, indexName);
  const { MaxReadRequestUnits: reads = -1, MaxWriteRequestUnits: writes = -1 } = maxima;
  return {
    mode: 'on-demand',
    ...(reads !== -1 && { maximumReadUnits: reads }),
    ...(writes !== -1 && { maximumWriteUnits: writes }),
  };
}

/** What is made has no maximum that could be taken away. */
function checkRemovesNothing(
  { OnDemandThroughput: maxima = {}, BillingMode: mode }: ThroughputInput & { readonly BillingMode?: string },
  indexName?: string,
): void {
  if (mode === 'PROVISIONED') return;
  for (const name of maximumNames) if (maxima[name] === -1) throw outOfRange(name, indexName);
}

function outOfRange(name: string, indexName: string | undefined): ApiError {
  const where = indexName === undefined ? 'table' : `index : ${indexName}`;
  return invalid(`Requested ${name} for OnDemandThroughput for ${where} is outside of valid range`);
}

function maximumOfProvisioned(maxima: Maxima, indexName: string | undefined): ApiError {
  const name = maximumNames.find((one) => maxima[one] !== undefined) ?? 'MaxReadRequestUnits';
  const where = indexName === undefined ? '' : ` for index: ${indexName}`;
  return invalid(
    `${name} for OnDemandThroughput${where} cannot be specified when table BillingMode is PROVISIONED.`,
  );
}

/**
 * The start of a new table or index: warm where the request says so, and then with no less than it would have
 * by itself.
 */
function startOf(
  { WarmThroughput: warm, ProvisionedThroughput: provisioned }: ThroughputInput,
  mode: BillingMode,
  indexName?: string,
): Start {
  if (warm === undefined) return { kind: 'new' };
  const { ReadUnitsPerSecond: warmReadUnits, WriteUnitsPerSecond: warmWriteUnits } = warm;
  const { ReadCapacityUnits: reads = 0, WriteCapacityUnits: writes = 0 } = provisioned ?? {};
  const isOnDemand = mode === 'PAY_PER_REQUEST';
  checkWarm('Read', warmReadUnits, isOnDemand ? INITIAL_READ_UNITS : reads, isOnDemand, indexName);
  checkWarm('Write', warmWriteUnits, isOnDemand ? INITIAL_WRITE_UNITS : writes, isOnDemand, indexName);
  return { kind: 'warm', warmReadUnits: warmReadUnits ?? 0, warmWriteUnits: warmWriteUnits ?? 0 };
}

/** What a new on-demand table serves at once. */
const INITIAL_READ_UNITS = NEW_TABLE_PARTITIONS * PARTITION_READ_UNITS;
const INITIAL_WRITE_UNITS = NEW_TABLE_PARTITIONS * PARTITION_WRITE_UNITS;

function checkWarm(
  side: 'Read' | 'Write',
  units: number | undefined,
  least: number,
  isOnDemand: boolean,
  indexName: string | undefined,
): void {
  if (units === undefined || units >= least) return;
  const where = indexName === undefined ? 'table' : `index ${indexName}`;
  throw invalid(
    `Requested ${side}UnitsPerSecond for WarmThroughput for ${where} is lower than ${
      isOnDemand ? 'initial throughput for OnDemand.' : `${side}CapacityUnits of ProvisionedThroughput`
    }`,
  );
}

/** An error of what the parameters say together. */
export function invalid(problem: string): ApiError {
  return validationError(`One or more parameter values were invalid: ${problem}`);
}

/**
 * Checks that keys and definitions name the same attributes.
 * @throws ApiError ValidationException
 */
export function checkDefinitionsUsed(
  definitions: readonly AttributeDefinition[],
  keyed: readonly { readonly KeySchema: readonly KeySchemaElement[] }[],
): void {
  const names = definitions.map(({ AttributeName }) => AttributeName);
  const repeated = names.find((name, place) => names.indexOf(name) !== place);
  if (repeated !== undefined) throw validationError(`Attribute Name is duplicated: ${repeated}`);
  const used = new Set(keyed.flatMap(({ KeySchema }) => KeySchema.map(({ AttributeName }) => AttributeName)));
  const unused = names.filter((name) => !used.has(name));
  if (unused.length > 0 && keyed.length === 1)
    throw invalid(
      'Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions',
    );
  if (unused.length > 0)
    throw invalid(
      `Some AttributeDefinitions are not used. AttributeDefinitions: [${names.join(', ')}], keys used: [${[...used].join(', ')}]`,
    );
}

function keySchemaOf(
  elements: readonly KeySchemaElement[],
  definitions: readonly AttributeDefinition[],
): KeySchema {
  const [first, second] = elements;
  if (first?.KeyType !== 'HASH')
    throw validationError('Invalid KeySchema: The first KeySchemaElement is not a HASH key type');
  const partition = keyAttributeOf(first, definitions);
  if (second === undefined) return { partition };
  if (second.KeyType !== 'RANGE')
    throw validationError('Invalid KeySchema: The second KeySchemaElement is not a RANGE key type');
  if (second.AttributeName === first.AttributeName)
    throw validationError('Both the Hash Key and the Range Key element in the KeySchema have the same name');
  return { partition, sort: keyAttributeOf(second, definitions) };
}

/**
 * The key of a global index: up to four attributes of each kind, those of the partition key first.
 * @throws ApiError ValidationException
 */
function globalKeySchemaOf(
  elements: readonly KeySchemaElement[],
  definitions: readonly AttributeDefinition[],
): KeySchema {
  if (elements[0]?.KeyType !== 'HASH')
    throw validationError('Invalid KeySchema: The first KeySchemaElement is not a HASH key type');
  const hashes = elements.filter(({ KeyType }) => KeyType === 'HASH');
  const ranges = elements.filter(({ KeyType }) => KeyType === 'RANGE');
  if (elements.slice(0, hashes.length).some(({ KeyType }) => KeyType === 'RANGE'))
    throw invalid('All HASH key attributes must precede RANGE key attributes in the KeySchema');
  for (const [kind, count] of [
    ['HASH', hashes.length],
    ['RANGE', ranges.length],
  ] as const)
    if (count > MAX_KEY_ATTRIBUTES)
      throw invalid(`The KeySchema exceeds the maximum allowed number of ${kind} key attributes`);
  const names = elements.map(({ AttributeName }) => AttributeName);
  if (new Set(names).size < names.length)
    throw validationError(
      elements.length === 2
        ? 'Both the Hash Key and the Range Key element in the KeySchema have the same name'
        : 'The KeySchema contains multiple key attributes with the same name',
    );
  const attributesOf = (of: readonly KeySchemaElement[]) =>
    of.map((element) => keyAttributeOf(element, definitions));
  const [partition, ...furtherPartition] = attributesOf(hashes);
  const [sort, ...furtherSort] = attributesOf(ranges);
  return {
    partition: partition as KeyAttribute, // There is one: hashes is not empty.
    ...(sort && { sort }),
    ...(furtherPartition.length > 0 && { furtherPartition }),
    ...(furtherSort.length > 0 && { furtherSort }),
  };
}

function keyAttributeOf(
  { AttributeName: name }: KeySchemaElement,
  definitions: readonly AttributeDefinition[],
): KeyAttribute {
  const definition = definitions.find(({ AttributeName }) => AttributeName === name);
  if (definition !== undefined) return { name, type: definition.AttributeType };
  const defined = definitions.map(({ AttributeName }) => AttributeName).join(', ');
  throw invalid(
    `Some index key attributes are not defined in AttributeDefinitions. Keys: [${name}], AttributeDefinitions: [${defined}]`,
  );
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
