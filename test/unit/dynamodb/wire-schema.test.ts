// Aim: keys, attributes and projections stand on the wire in DynamoDB's order and form.
// Method: one table with an index of each kind, one of them with a key of several attributes.
import { expect, test } from 'vitest';
import type { TableSpec } from '../../../src/dynamodb/table-spec.ts';
import { wireAttributes, wireKeySchema, wireProjection } from '../../../src/dynamodb/wire-schema.ts';

const onDemand = { billing: { mode: 'on-demand' }, start: { kind: 'new' } } as const;
const byMatch = {
  name: 'byMatch',
  keys: {
    partition: { name: 'league', type: 'S' },
    furtherPartition: [{ name: 'year', type: 'N' }],
    sort: { name: 'round', type: 'N' },
    furtherSort: [{ name: 'SK', type: 'B' }],
  },
  projection: { kind: 'KEYS_ONLY' },
  ...onDemand,
} as const;
const table: TableSpec = {
  tableName: 't',
  logicalName: 'main',
  keys: { partition: { name: 'PK', type: 'S' }, sort: { name: 'SK', type: 'B' } },
  globalIndexes: [byMatch],
  localIndexes: [
    {
      name: 'byDate',
      keys: { partition: { name: 'PK', type: 'S' }, sort: { name: 'at', type: 'N' } },
      projection: { kind: 'ALL' },
    },
  ],
  ...onDemand,
};

test('all of the partition key stands before the sort key, each part in its order', () => {
  expect(wireKeySchema(table.keys).map(({ KeyType }) => KeyType)).toEqual(['HASH', 'RANGE']);
  expect(wireKeySchema({ partition: table.keys.partition })).toEqual([
    { AttributeName: 'PK', KeyType: 'HASH' },
  ]);
  expect(wireKeySchema(byMatch.keys)).toEqual([
    { AttributeName: 'league', KeyType: 'HASH' },
    { AttributeName: 'year', KeyType: 'HASH' },
    { AttributeName: 'round', KeyType: 'RANGE' },
    { AttributeName: 'SK', KeyType: 'RANGE' },
  ]);
});

test('attributes are defined once, however many keys have them', () => {
  expect(wireAttributes(table).map((one) => `${one.AttributeName} ${one.AttributeType}`)).toEqual([
    'PK S',
    'SK B',
    'league S',
    'year N',
    'round N',
    'at N',
  ]);
});

test('only a projection of the kind INCLUDE names attributes', () => {
  expect(wireProjection({ kind: 'ALL' })).toEqual({ ProjectionType: 'ALL' });
  expect(wireProjection({ kind: 'INCLUDE', attributes: ['note'] })).toEqual({
    ProjectionType: 'INCLUDE',
    NonKeyAttributes: ['note'],
  });
});
