// Aim: where the model lets global indexes lag, their readers see each write that much later and whole, and
// all others at once. Method: one item written, moved and deleted at exact moments, and read in between.
import { expect, test } from 'vitest';
import { capacityModels } from '../../../src/capacity/capacity-model.ts';
import type { TableSpec } from '../../../src/dynamodb/table-spec.ts';
import { SimulatedDatabase } from '../../../src/simulator/simulated-database.ts';
import { ordersTable, statusIndex } from '../../support/simulated-orders.ts';

const MS = 1_000;
const table: TableSpec = { ...ordersTable, localIndexes: [], globalIndexes: [statusIndex] };

function databaseWith(indexLagMs: number): SimulatedDatabase {
  const database = new SimulatedDatabase({ model: { ...capacityModels.default, indexLagMs }, seed: 1 });
  database.createTable(table);
  return database;
}

const order = (status: string) => ({
  PK: { S: 'CUST#1' },
  SK: { N: '1' },
  status: { S: status },
  date: { S: '2026-01-01' },
});

function put(database: SimulatedDatabase, status: string, atMs: number): void {
  const request = { api: 'PutItem', input: { TableName: 'orders', Item: order(status) } } as const;
  expect(database.handle(request, atMs * MS).kind).toBe('ok');
}

/** Statuses of the items found under a status at a moment. */
function found(database: SimulatedDatabase, status: string, atMs: number): readonly (string | undefined)[] {
  const outcome = database.handle(
    {
      api: 'Query',
      input: {
        TableName: 'orders',
        IndexName: statusIndex.name,
        KeyConditionExpression: '#s = :s',
        ExpressionAttributeNames: { '#s': 'status' },
        ExpressionAttributeValues: { ':s': { S: status } },
      },
    },
    atMs * MS,
  );
  if (outcome.kind !== 'ok') throw new Error(outcome.kind);
  return outcome.output.Items?.map((item) => item['status']?.S) ?? [];
}

test('without a lag, a write is found at once', () => {
  const database = databaseWith(0);
  put(database, 'PENDING', 1);
  expect(found(database, 'PENDING', 1)).toEqual(['PENDING']);
});

test('a new entry is found once the lag is over, and not a moment before', () => {
  const database = databaseWith(50);
  put(database, 'PENDING', 0);
  expect(found(database, 'PENDING', 0)).toEqual([]);
  // An identical overwrite changes no entry, and puts off none.
  put(database, 'PENDING', 10);
  expect(found(database, 'PENDING', 49)).toEqual([]);
  expect(found(database, 'PENDING', 50)).toEqual(['PENDING']);
});

test('an entry that moves is found as it was until it moves', () => {
  const database = databaseWith(50);
  put(database, 'PENDING', 0);
  put(database, 'SHIPPED', 100);
  expect(found(database, 'PENDING', 120)).toEqual(['PENDING']);
  expect(found(database, 'SHIPPED', 120)).toEqual([]);
  expect(found(database, 'PENDING', 150)).toEqual([]);
  expect(found(database, 'SHIPPED', 150)).toEqual(['SHIPPED']);
});

test('an item that was deleted is found until the lag is over', () => {
  const database = databaseWith(50);
  put(database, 'PENDING', 0);
  const Key = { PK: { S: 'CUST#1' }, SK: { N: '1' } };
  database.handle({ api: 'DeleteItem', input: { TableName: 'orders', Key } }, 100 * MS);
  expect(found(database, 'PENDING', 149)).toEqual(['PENDING']);
  expect(found(database, 'PENDING', 150)).toEqual([]);
});

test('items put in place before load are there from the first request on', () => {
  const database = databaseWith(1_000);
  database.preload('orders', order('PENDING'));
  expect(found(database, 'PENDING', 0)).toEqual(['PENDING']);
});
