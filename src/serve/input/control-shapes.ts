// The requests of table administration.
// @see "Amazon DynamoDB API Reference", https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/, read
//   2026-11-30
import { MAX_KEY_ATTRIBUTES } from '../../dynamodb/limits.ts';
import { tableName } from './data-shapes.ts';
import { flag, listOf, oneOf, type StructureShape, structure, text, textOf, whole } from './shape.ts';

const newName = textOf({ minLength: 3, maxLength: 255, pattern: /^[a-zA-Z0-9_.-]+$/ });
const attributeName = textOf({ minLength: 1, maxLength: 255 });
const units = whole('Long', { min: 1 });

const attributeDefinitions = listOf(
  structure({ 'AttributeName!': attributeName, 'AttributeType!': oneOf('B', 'N', 'S') }),
);
const keyElement = structure({ 'AttributeName!': attributeName, 'KeyType!': oneOf('HASH', 'RANGE') });
const keySchema = listOf(keyElement, { min: 1, max: 2 });
/** Keys of global indexes have up to four attributes of each kind. */
const globalKeySchema = listOf(keyElement, { min: 1, max: 2 * MAX_KEY_ATTRIBUTES });
const projection = structure({
  ProjectionType: oneOf('ALL', 'INCLUDE', 'KEYS_ONLY'),
  NonKeyAttributes: listOf(attributeName, { min: 1, max: 20 }),
});
const throughput = {
  ProvisionedThroughput: structure({ 'ReadCapacityUnits!': units, 'WriteCapacityUnits!': units }),
  OnDemandThroughput: structure({ MaxReadRequestUnits: whole('Long'), MaxWriteRequestUnits: whole('Long') }),
  WarmThroughput: structure({ ReadUnitsPerSecond: units, WriteUnitsPerSecond: units }),
};
const index = { 'IndexName!': newName, 'KeySchema!': keySchema, 'Projection!': projection };
const globalIndex = { ...index, 'KeySchema!': globalKeySchema };
const billingMode = oneOf('PROVISIONED', 'PAY_PER_REQUEST');
const traits = {
  TableClass: oneOf('STANDARD', 'STANDARD_INFREQUENT_ACCESS'),
  DeletionProtectionEnabled: flag,
  StreamSpecification: structure({
    'StreamEnabled!': flag,
    StreamViewType: oneOf('NEW_IMAGE', 'OLD_IMAGE', 'NEW_AND_OLD_IMAGES', 'KEYS_ONLY'),
  }),
};
const tags = listOf(
  structure({
    'Key!': textOf({ minLength: 1, maxLength: 128 }),
    'Value!': textOf({ minLength: 0, maxLength: 256 }),
  }),
);
const arn = textOf({ minLength: 1, maxLength: 1_283 });
const named = { 'TableName!': tableName };

export const controlShapes = {
  CreateTable: structure({
    'TableName!': newName,
    'AttributeDefinitions!': attributeDefinitions,
    'KeySchema!': keySchema,
    BillingMode: billingMode,
    ...throughput,
    GlobalSecondaryIndexes: listOf(structure({ ...globalIndex, ...throughput })),
    LocalSecondaryIndexes: listOf(structure(index)),
    Tags: tags,
    ...traits,
  }),
  UpdateTable: structure({
    ...named,
    AttributeDefinitions: attributeDefinitions,
    BillingMode: billingMode,
    ...throughput,
    GlobalSecondaryIndexUpdates: listOf(
      structure({
        Create: structure({ ...globalIndex, ...throughput }),
        Update: structure({ 'IndexName!': newName, ...throughput }),
        Delete: structure({ 'IndexName!': newName }),
      }),
    ),
    ...traits,
  }),
  DescribeTable: structure(named),
  DeleteTable: structure(named),
  ListTables: structure({
    ExclusiveStartTableName: newName,
    Limit: whole('Integer', { min: 1, max: 100 }),
  }),
  UpdateTimeToLive: structure({
    ...named,
    'TimeToLiveSpecification!': structure({ 'AttributeName!': attributeName, 'Enabled!': flag }),
  }),
  DescribeTimeToLive: structure(named),
  TagResource: structure({ 'ResourceArn!': arn, 'Tags!': tags }),
  UntagResource: structure({ 'ResourceArn!': arn, 'TagKeys!': listOf(text) }),
  ListTagsOfResource: structure({ 'ResourceArn!': arn, NextToken: text }),
  DescribeLimits: structure({}),
  DescribeEndpoints: structure({}),
} as const satisfies { readonly [operation: string]: StructureShape };

export type ControlApi = keyof typeof controlShapes;
