// Aim: a specification becomes the request that DynamoDB expects, with warm throughput only where that was allowed.
// Method: inputs are compared whole or in part.
import { expect, test } from 'vitest';
import { createTableInput, type OptionalPart, startNotes } from '../../../src/aws/create-table-input.ts';
import type { Billing, TableSpec } from '../../../src/dynamodb/table-spec.ts';

const newStart = { kind: 'new' } as const;
const warmStart = { kind: 'warm', warmReadUnits: 20_000, warmWriteUnits: 20_000 } as const;

function spec(more: Partial<TableSpec> = {}): TableSpec {
  return {
    tableName: 'dyno-load-t',
    logicalName: 'main',
    keys: { partition: { name: 'pk', type: 'S' }, sort: { name: 'sk', type: 'N' } },
    globalIndexes: [],
    localIndexes: [],
    billing: { mode: 'on-demand' },
    start: newStart,
    ...more,
  };
}

function input(table: TableSpec, ...without: OptionalPart[]) {
  return createTableInput(table, { tags: { 'dyno-load': 'run-1' }, without: new Set(without) });
}

test('a plain table, tagged', () => {
  expect(input(spec())).toEqual({
    TableName: 'dyno-load-t',
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: 'S' },
      { AttributeName: 'sk', AttributeType: 'N' },
    ],
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    BillingMode: 'PAY_PER_REQUEST',
    Tags: [{ Key: 'dyno-load', Value: 'run-1' }],
  });
});

test('indexes with their keys, projections and units; each key attribute is defined once', () => {
  const billing: Billing = { mode: 'provisioned', readUnits: 5, writeUnits: 7 };
  const table = spec({
    billing,
    globalIndexes: [
      {
        name: 'g',
        keys: { partition: { name: 'status', type: 'S' }, sort: { name: 'sk', type: 'N' } },
        projection: { kind: 'INCLUDE', attributes: ['note'] },
        billing: { mode: 'provisioned', readUnits: 1, writeUnits: 2 },
        start: newStart,
      },
    ],
    localIndexes: [
      {
        name: 'l',
        keys: { partition: { name: 'pk', type: 'S' }, sort: { name: 'status', type: 'S' } },
        projection: { kind: 'KEYS_ONLY' },
      },
    ],
  });
  expect(input(table)).toMatchObject({
    BillingMode: 'PROVISIONED',
    ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 7 },
    AttributeDefinitions: [{ AttributeName: 'pk' }, { AttributeName: 'sk' }, { AttributeName: 'status' }],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'g',
        Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['note'] },
        ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 2 },
      },
    ],
    LocalSecondaryIndexes: [{ IndexName: 'l', Projection: { ProjectionType: 'KEYS_ONLY' } }],
  });
});

test('on-demand maxima, and only those that are set', () => {
  const table = spec({ billing: { mode: 'on-demand', maximumWriteUnits: 9 } });
  expect(input(table)).toMatchObject({ OnDemandThroughput: { MaxWriteRequestUnits: 9 } });
  expect(input(table).OnDemandThroughput).not.toHaveProperty('MaxReadRequestUnits');
});

test.each([
  ['tags', 'Tags'],
  ['maxima', 'OnDemandThroughput'],
] as const)('leaves out %s where the server refused them', (part, member) => {
  const table = spec({ billing: { mode: 'on-demand', maximumReadUnits: 9 } });
  expect(input(table)).toHaveProperty(member);
  expect(input(table, part)).not.toHaveProperty(member);
});

test('provisions an on-demand table at its maxima, or at the quota, where the server has no such mode', () => {
  const table = spec({ billing: { mode: 'on-demand', maximumReadUnits: 9 } });
  expect(input(table, 'onDemand')).toMatchObject({
    BillingMode: 'PROVISIONED',
    ProvisionedThroughput: { ReadCapacityUnits: 9, WriteCapacityUnits: 40_000 },
  });
});

const warmIndex = {
  name: 'byStatus',
  keys: { partition: { name: 'status', type: 'S' } },
  projection: { kind: 'ALL' },
  billing: { mode: 'on-demand' },
  start: warmStart,
} as const;

test('sends warm throughput where it is allowed, for each resource that should start warm', () => {
  const table = spec({ globalIndexes: [warmIndex] });
  const sent = createTableInput(table, { tags: {}, without: new Set(), warms: true });
  expect(sent).not.toHaveProperty('WarmThroughput');
  expect(sent.GlobalSecondaryIndexes).toMatchObject([
    { WarmThroughput: { ReadUnitsPerSecond: 20_000, WriteUnitsPerSecond: 20_000 } },
  ]);
});

test('sends none where nobody allowed it, and says so for every resource that should start warm', () => {
  const table = spec({ start: warmStart, globalIndexes: [warmIndex] });
  expect(JSON.stringify(input(table))).not.toContain('Warm');
  expect(startNotes([table], 'billed')).toEqual([
    expect.stringMatching(/^Created new, not warmed as the scenario says: table, index byStatus\./),
  ]);
  expect(startNotes([spec()], 'billed')).toEqual([]);
});

test('names what starts cold as the scenario does, not as the target does', () => {
  const orders = spec({ tableName: 'dyno-load-n-1-orders', logicalName: 'orders', start: warmStart });
  const log = spec({ tableName: 'dyno-load-n-1-log', logicalName: 'log' });
  const again = spec({ tableName: 'dyno-load-n-2-orders', logicalName: 'orders', start: warmStart });
  const [note] = startNotes([orders, log], 'billed');
  expect(note).toContain('says: table orders.');
  // Equal in the next variant, so that a set holds it once.
  expect(startNotes([again, log], 'billed')).toEqual([note]);
});

test.each([
  ['billed', 'is billed and cannot be lowered; --allow-warm-throughput sets it'],
  ['none', 'This server does not warm tables.'],
  ['unknown', 'not known whether this server warms tables'],
] as const)('of a server where warming is %s says what is true there', (warming, said) => {
  const [note] = startNotes([spec({ start: warmStart })], warming);
  expect(note).toContain(said);
  if (warming !== 'billed') expect(note).not.toContain('billed');
});
