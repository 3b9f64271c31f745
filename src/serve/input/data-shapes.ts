// The requests of the data plane. Constraints that the simulator checks itself are not repeated here: only
// what must hold for its types to be true.
import type { DataApi } from '../../dynamodb/operation.ts';
import {
  flag,
  item,
  legacy,
  listOf,
  mapOf,
  type Shape,
  type StructureShape,
  structure,
  text,
  textOf,
  values,
  whole,
} from './shape.ts';

/** A table by name or ARN. */
export const tableName = textOf({
  minLength: 1,
  maxLength: 255,
  pattern: /^[a-zA-Z0-9_.-]+$/,
  mayBeArn: true,
});
const indexName = textOf({ minLength: 3, maxLength: 255, pattern: /^[a-zA-Z0-9_.-]+$/ });

const names = { ExpressionAttributeNames: mapOf(text) };
const bound = { ...names, ExpressionAttributeValues: item };
const accounted = { ReturnConsumedCapacity: text };
const conditional = {
  ConditionExpression: text,
  ...bound,
  ReturnValuesOnConditionCheckFailure: text,
};
const written = { ...accounted, ReturnValues: text, ReturnItemCollectionMetrics: text };
const legacyCondition = {
  Expected: legacy('ConditionExpression'),
  ConditionalOperator: legacy('ConditionExpression'),
};
const legacyProjection = { AttributesToGet: legacy('ProjectionExpression') };
const projected = { ProjectionExpression: text, ExpressionAttributeNames: mapOf(text) };
const readMany = {
  'TableName!': tableName,
  IndexName: indexName,
  FilterExpression: text,
  ProjectionExpression: text,
  ...bound,
  Limit: whole('Integer'),
  Select: text,
  ConsistentRead: flag,
  ExclusiveStartKey: item,
  ...accounted,
  ...legacyProjection,
  ConditionalOperator: legacy('FilterExpression'),
} satisfies { readonly [name: string]: Shape };

const keyed = { 'TableName!': tableName, 'Key!': item };
const parameterized = {
  'Statement!': textOf({ minLength: 1, maxLength: 8_192 }),
  Parameters: values,
  ReturnValuesOnConditionCheckFailure: text,
};
const writeRequest = structure({
  PutRequest: structure({ 'Item!': item }),
  DeleteRequest: structure({ 'Key!': item }),
});

export const dataShapes: Readonly<Record<DataApi, StructureShape>> = {
  PutItem: structure({
    'TableName!': tableName,
    'Item!': item,
    ...conditional,
    ...written,
    ...legacyCondition,
  }),
  GetItem: structure({ ...keyed, ConsistentRead: flag, ...projected, ...accounted, ...legacyProjection }),
  UpdateItem: structure({
    ...keyed,
    UpdateExpression: text,
    ...conditional,
    ...written,
    ...legacyCondition,
    AttributeUpdates: legacy('UpdateExpression'),
  }),
  DeleteItem: structure({ ...keyed, ...conditional, ...written, ...legacyCondition }),
  Query: structure({
    ...readMany,
    KeyConditionExpression: text,
    ScanIndexForward: flag,
    KeyConditions: legacy('KeyConditionExpression'),
    QueryFilter: legacy('FilterExpression'),
  }),
  Scan: structure({
    ...readMany,
    Segment: whole('Integer'),
    TotalSegments: whole('Integer'),
    ScanFilter: legacy('FilterExpression'),
  }),
  BatchGetItem: structure({
    'RequestItems!': mapOf(
      structure({ 'Keys!': listOf(item), ConsistentRead: flag, ...projected, ...legacyProjection }),
    ),
    ...accounted,
  }),
  BatchWriteItem: structure({
    'RequestItems!': mapOf(listOf(writeRequest)),
    ...accounted,
    ReturnItemCollectionMetrics: text,
  }),
  TransactGetItems: structure({
    'TransactItems!': listOf(structure({ 'Get!': structure({ ...keyed, ...projected }) })),
    ...accounted,
  }),
  TransactWriteItems: structure({
    'TransactItems!': listOf(
      structure({
        Put: structure({ 'TableName!': tableName, 'Item!': item, ...conditional }),
        Update: structure({ ...keyed, 'UpdateExpression!': text, ...conditional }),
        Delete: structure({ ...keyed, ...conditional }),
        ConditionCheck: structure({ ...keyed, ...conditional, 'ConditionExpression!': text }),
      }),
    ),
    ...accounted,
    ReturnItemCollectionMetrics: text,
    ClientRequestToken: text,
  }),
  ExecuteStatement: structure({
    ...parameterized,
    ConsistentRead: flag,
    Limit: whole('Integer'),
    NextToken: textOf({ minLength: 1, maxLength: 32_768 }),
    ...accounted,
  }),
  BatchExecuteStatement: structure({
    'Statements!': listOf(structure({ ...parameterized, ConsistentRead: flag })),
    ...accounted,
  }),
  ExecuteTransaction: structure({
    'TransactStatements!': listOf(structure(parameterized)),
    ClientRequestToken: text,
    ...accounted,
  }),
};
