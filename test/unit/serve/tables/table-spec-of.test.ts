// Aim: the input of CreateTable becomes the specification that the simulated database takes, or is refused
// for the reason that DynamoDB gives. Method: one sound input, and rows that change a part of it.
import { describe, expect, test } from 'vitest';
import type { CreateTableInput, IndexInput } from '../../../../src/serve/tables/table-input.ts';
import { tableSpecOf } from '../../../../src/serve/tables/table-spec-of.ts';

const hash = (AttributeName: string) => ({ AttributeName, KeyType: 'HASH' }) as const;
const range = (AttributeName: string) => ({ AttributeName, KeyType: 'RANGE' }) as const;
const defined = (...names: string[]) =>
  names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' }) as const);

const index: IndexInput = {
  IndexName: 'idx',
  KeySchema: [hash('b'), range('a')],
  Projection: { ProjectionType: 'KEYS_ONLY' },
};
const local: IndexInput = { ...index, KeySchema: [hash('a'), range('c')] };
const sound: CreateTableInput = {
  TableName: 'tab',
  AttributeDefinitions: defined('a', 'b', 'c'),
  KeySchema: [hash('a'), range('b')],
  BillingMode: 'PAY_PER_REQUEST',
  GlobalSecondaryIndexes: [index],
  LocalSecondaryIndexes: [{ ...local, IndexName: 'loc' }],
};

const onDemand = { mode: 'on-demand' };
const attribute = (name: string) => ({ name, type: 'S' });

test('a sound input is read whole', () => {
  expect(tableSpecOf({ ...sound, OnDemandThroughput: { MaxReadRequestUnits: 5 } })).toEqual({
    tableName: 'tab',
    logicalName: 'tab',
    keys: { partition: attribute('a'), sort: attribute('b') },
    billing: { mode: 'on-demand', maximumReadUnits: 5 },
    start: { kind: 'new' },
    globalIndexes: [
      {
        name: 'idx',
        keys: { partition: attribute('b'), sort: attribute('a') },
        projection: { kind: 'KEYS_ONLY' },
        billing: onDemand,
        start: { kind: 'new' },
      },
    ],
    localIndexes: [
      {
        name: 'loc',
        keys: { partition: attribute('a'), sort: attribute('c') },
        projection: { kind: 'KEYS_ONLY' },
      },
    ],
  });
});

describe('a key of several attributes', () => {
  const keyOf = (...KeySchema: IndexInput['KeySchema']) => {
    const names = [...new Set(['a', 'b', 'c', ...KeySchema.map(({ AttributeName }) => AttributeName)])];
    return tableSpecOf({
      ...sound,
      AttributeDefinitions: defined(...names),
      GlobalSecondaryIndexes: [{ ...index, KeySchema }],
    }).globalIndexes[0]?.keys;
  };

  test('is read in its order, up to four of each kind', () => {
    expect(keyOf(hash('a'), hash('b'))).toEqual({
      partition: attribute('a'),
      furtherPartition: [attribute('b')],
    });
    expect(keyOf(hash('b'), range('c'), range('a'))).toEqual({
      partition: attribute('b'),
      sort: attribute('c'),
      furtherSort: [attribute('a')],
    });
    const eight = [...['p', 'q', 'r', 's'].map(hash), ...['t', 'u', 'v', 'w'].map(range)];
    expect(keyOf(...eight)?.furtherPartition).toHaveLength(3);
    expect(keyOf(...eight)?.furtherSort).toHaveLength(3);
  });

  test.each([
    [
      'with a fifth of a kind',
      ['p', 'q', 'r', 's', 't'].map(hash),
      'The KeySchema exceeds the maximum allowed number of HASH key attributes',
    ],
    [
      'with a hash behind a range',
      [hash('a'), range('b'), hash('c')],
      'All HASH key attributes must precede RANGE key attributes in the KeySchema',
    ],
    [
      'without a hash',
      [range('a'), range('b'), range('c')],
      'The first KeySchemaElement is not a HASH key type',
    ],
    [
      'with one attribute twice',
      [hash('a'), range('b'), range('a')],
      'The KeySchema contains multiple key attributes with the same name',
    ],
  ])('is refused %s', (_, elements, message) => {
    expect(() => keyOf(...elements)).toThrow(message);
  });

  test('is none of tables and local indexes', () => {
    expect(() => tableSpecOf({ ...sound, KeySchema: [hash('a'), hash('b')] })).toThrow(
      'not a RANGE key type',
    );
  });
});

test('a table is provisioned unless it says otherwise, and may start warm', () => {
  const { BillingMode: _, GlobalSecondaryIndexes: _globals, LocalSecondaryIndexes: _locals, ...rest } = sound;
  const units = { ReadCapacityUnits: 3, WriteCapacityUnits: 4 };
  const WarmThroughput = { ReadUnitsPerSecond: 20_000, WriteUnitsPerSecond: 8_000 };
  const plain = {
    ...rest,
    AttributeDefinitions: defined('a', 'b'),
    ProvisionedThroughput: units,
    WarmThroughput,
  };
  expect(tableSpecOf(plain)).toMatchObject({
    billing: { mode: 'provisioned', readUnits: 3, writeUnits: 4 },
    start: { kind: 'warm', warmReadUnits: 20_000, warmWriteUnits: 8_000 },
  });
});

describe('refused is', () => {
  test.each<[string, Partial<CreateTableInput>, string]>([
    [
      'a first key that is no hash',
      { KeySchema: [range('a')] },
      'Invalid KeySchema: The first KeySchemaElement is not a HASH key type',
    ],
    [
      'a second key that is no range',
      { KeySchema: [hash('a'), hash('b')] },
      'Invalid KeySchema: The second KeySchemaElement is not a RANGE key type',
    ],
    [
      'a key of one attribute twice',
      { KeySchema: [hash('a'), range('a')] },
      'Both the Hash Key and the Range Key element in the KeySchema have the same name',
    ],
    [
      'a key that is not defined',
      { AttributeDefinitions: defined('a', 'b') },
      'Some index key attributes are not defined in AttributeDefinitions. Keys: [c]',
    ],
    [
      'a definition that is not used',
      { AttributeDefinitions: defined('a', 'b', 'c', 'd') },
      'Some AttributeDefinitions are not used. AttributeDefinitions: [a, b, c, d], keys used: [a, b, c]',
    ],
    [
      'a definition given twice',
      { AttributeDefinitions: defined('a', 'b', 'c', 'a') },
      'Attribute Name is duplicated: a',
    ],
    [
      'on demand with provisioned units',
      { ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 } },
      'Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST',
    ],
    [
      'provisioned without units',
      { BillingMode: 'PROVISIONED' },
      'ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED',
    ],
    [
      'a maximum of nothing',
      { OnDemandThroughput: { MaxReadRequestUnits: 0 } },
      'Requested MaxReadRequestUnits for OnDemandThroughput for table is outside of valid range',
    ],
    [
      'the removal of a maximum that was never set',
      { OnDemandThroughput: { MaxWriteRequestUnits: -1 } },
      'Requested MaxWriteRequestUnits for OnDemandThroughput for table is outside of valid range',
    ],
    [
      'a maximum of nothing on an index',
      { GlobalSecondaryIndexes: [{ ...index, OnDemandThroughput: { MaxReadRequestUnits: 0 } }] },
      'Requested MaxReadRequestUnits for OnDemandThroughput for index : idx is outside of valid range',
    ],
    [
      'provisioned units on an index of a table on demand',
      {
        GlobalSecondaryIndexes: [
          { ...index, ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 } },
        ],
      },
      'ProvisionedThroughput should not be specified for index: idx when BillingMode is PAY_PER_REQUEST',
    ],
    [
      'an index without units on a provisioned table',
      { BillingMode: 'PROVISIONED', ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 } },
      'ProvisionedThroughput is not specified for index: idx',
    ],
    [
      'a maximum on a provisioned table',
      { BillingMode: 'PROVISIONED', OnDemandThroughput: { MaxReadRequestUnits: 5 } },
      'MaxReadRequestUnits for OnDemandThroughput cannot be specified when table BillingMode is PROVISIONED.',
    ],
    [
      'a table on demand that is less warm than a new one',
      { WarmThroughput: { ReadUnitsPerSecond: 11_999, WriteUnitsPerSecond: 4_000 } },
      'Requested ReadUnitsPerSecond for WarmThroughput for table is lower than initial throughput for OnDemand.',
    ],
    [
      'an attribute that a projection names twice',
      {
        GlobalSecondaryIndexes: [
          { ...index, Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['x', 'x'] } },
        ],
      },
      'Duplicate element in NonKeyAttributes: x',
    ],
    [
      'more than 100 attributes in projections',
      {
        GlobalSecondaryIndexes: Array.from({ length: 6 }, (_, place) => ({
          ...index,
          IndexName: `idx${place}`,
          Projection: {
            ProjectionType: 'INCLUDE' as const,
            NonKeyAttributes: Array.from({ length: 20 }, (_one, number) => `x${number}`),
          },
        })),
      },
      'The number of NonKeyAttributes of all indexes, 120, exceeds the per-table limit of 100',
    ],
    [
      'a twenty-first global index',
      {
        GlobalSecondaryIndexes: Array.from({ length: 21 }, (_, place) => ({
          ...index,
          IndexName: `idx${place}`,
        })),
      },
      'GlobalSecondaryIndex count exceeds the per-table limit of 20',
    ],
    [
      'a sixth local index',
      {
        LocalSecondaryIndexes: Array.from({ length: 6 }, (_, place) => ({
          ...local,
          IndexName: `loc${place}`,
        })),
      },
      'Number of LocalSecondaryIndexes exceeds per-table limit of 5',
    ],
    ['an index name taken twice', { LocalSecondaryIndexes: [local] }, 'Duplicate index name: idx'],
    [
      'a local index with another hash key',
      { LocalSecondaryIndexes: [{ ...local, IndexName: 'loc', KeySchema: [hash('b'), range('c')] }] },
      'does not have the same leading hash key as table KeySchema for index: loc',
    ],
    [
      'a local index without range key',
      {
        AttributeDefinitions: defined('a', 'b'),
        LocalSecondaryIndexes: [{ ...local, IndexName: 'loc', KeySchema: [hash('a')] }],
      },
      'Index KeySchema does not have a range key for index: loc',
    ],
    [
      'a projection of no type',
      { GlobalSecondaryIndexes: [{ ...index, Projection: {} }] },
      'Unknown ProjectionType: null',
    ],
    [
      'a projection of everything and something',
      {
        GlobalSecondaryIndexes: [
          { ...index, Projection: { ProjectionType: 'ALL', NonKeyAttributes: ['x'] } },
        ],
      },
      'ProjectionType is ALL, but NonKeyAttributes is specified',
    ],
    [
      'a projection of nothing in particular',
      { GlobalSecondaryIndexes: [{ ...index, Projection: { ProjectionType: 'INCLUDE' } }] },
      'ProjectionType is INCLUDE, but NonKeyAttributes is not specified',
    ],
    ['an empty list of indexes', { GlobalSecondaryIndexes: [] }, 'List of GlobalSecondaryIndexes is empty'],
  ])('%s', (_, change, message) => {
    expect(() => tableSpecOf({ ...sound, ...change })).toThrow(message);
  });
});
