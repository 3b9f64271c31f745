// The input of CreateTable → a specification with every default resolved, or the reason why DynamoDB would
// not make such a table.
// @see "CreateTable", https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_CreateTable.html, read
//   2026-11-30
import { type ApiError, validationError } from '../../dynamodb/api-error.ts';
import { MAX_GLOBAL_INDEXES, MAX_KEY_ATTRIBUTES, MAX_LOCAL_INDEXES } from '../../dynamodb/limits.ts';
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
  const keys = keySchemaOf(input.KeySchema, definitions);
  return {
    tableName,
    logicalName: tableName,
    keys,
    billing: billingOf(mode, input),
    start: startOf(input),
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
    start: startOf(input),
  };
}

/**
 * How throughput is bought.
 * @param indexName  names the index in errors; absent: the table
 * @throws ApiError ValidationException where mode and figures contradict each other
 */
export function billingOf(mode: BillingMode, input: ThroughputInput, indexName?: string): Billing {
  const { ProvisionedThroughput: provisioned, OnDemandThroughput: onDemand } = input;
  const where = indexName === undefined ? '' : ` for index: ${indexName}`;
  if (mode === 'PAY_PER_REQUEST') {
    if (provisioned !== undefined)
      throw invalid(
        `Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST${where}`,
      );
    return onDemandBilling(onDemand);
  }
  if (onDemand !== undefined)
    throw invalid(`OnDemandThroughput can only be specified when BillingMode is PAY_PER_REQUEST${where}`);
  if (provisioned === undefined)
    throw invalid(
      indexName === undefined
        ? 'ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED'
        : `ProvisionedThroughput must be specified${where}`,
    );
  const { ReadCapacityUnits: readUnits, WriteCapacityUnits: writeUnits } = provisioned;
  return { mode: 'provisioned', readUnits, writeUnits };
}

/** On demand, with the maxima that are set; −1 takes one away. */
export function onDemandBilling(
  maxima: ThroughputInput['OnDemandThroughput'],
): Extract<Billing, { mode: 'on-demand' }> {
  const { MaxReadRequestUnits: reads = -1, MaxWriteRequestUnits: writes = -1 } = maxima ?? {};
  for (const value of [reads, writes])
    if (value !== -1 && value < 1)
      throw invalid('the maximum of OnDemandThroughput must be 1 or more, or -1 to remove it');
  return {
    mode: 'on-demand',
    ...(reads !== -1 && { maximumReadUnits: reads }),
    ...(writes !== -1 && { maximumWriteUnits: writes }),
  };
}

/** The start of a new table or index: warm where the request says so. */
function startOf({ WarmThroughput: warm }: ThroughputInput): Start {
  if (warm === undefined) return { kind: 'new' };
  const { ReadUnitsPerSecond: warmReadUnits = 0, WriteUnitsPerSecond: warmWriteUnits = 0 } = warm;
  return { kind: 'warm', warmReadUnits, warmWriteUnits };
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
  if (new Set(names).size < names.length)
    throw invalid(`Duplicate AttributeName in AttributeDefinitions: [${names.join(', ')}]`);
  const used = new Set(keyed.flatMap(({ KeySchema }) => KeySchema.map(({ AttributeName }) => AttributeName)));
  const unused = names.filter((name) => !used.has(name));
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
 * The key of a global index: up to four attributes of each kind, those of the partition key first. DynamoDB's
 * words for what breaks these rules are not published.
 */
function globalKeySchemaOf(
  elements: readonly KeySchemaElement[],
  definitions: readonly AttributeDefinition[],
): KeySchema {
  const partitionCount = elements.findIndex(({ KeyType }) => KeyType === 'RANGE');
  if (elements.length <= 2 && partitionCount !== -1) return keySchemaOf(elements, definitions);
  const hashes = partitionCount === -1 ? elements : elements.slice(0, partitionCount);
  const ranges = partitionCount === -1 ? [] : elements.slice(partitionCount);
  if (hashes.length === 0)
    throw validationError('Invalid KeySchema: The first KeySchemaElement is not a HASH key type');
  if (ranges.some(({ KeyType }) => KeyType === 'HASH'))
    throw validationError('Invalid KeySchema: HASH elements must come before RANGE elements');
  if (hashes.length > MAX_KEY_ATTRIBUTES || ranges.length > MAX_KEY_ATTRIBUTES)
    throw validationError(
      `Invalid KeySchema: A key has at most ${MAX_KEY_ATTRIBUTES} HASH and ${MAX_KEY_ATTRIBUTES} RANGE elements`,
    );
  const names = elements.map(({ AttributeName }) => AttributeName);
  if (new Set(names).size < names.length)
    throw validationError('Invalid KeySchema: Some elements of the KeySchema have the same name');
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
}
