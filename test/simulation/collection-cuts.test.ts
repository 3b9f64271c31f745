// Aim: a collection that is heated by pages alone is cut inside as one that is heated by single items, and
// where that would not help it stays whole. Method: a simulated table with low ceilings, so that a few
// hundred pages a second are hot; ten minutes of virtual time.
import { expect, test } from 'vitest';
import { capacityModels } from '../../src/capacity/capacity-model.ts';
import type { Request } from '../../src/dynamodb/operation.ts';
import type { TableSpec } from '../../src/dynamodb/table-spec.ts';
import { SimulatedDatabase } from '../../src/simulator/simulated-database.ts';
import { US_PER_SECOND } from '../../src/units.ts';
import { attributes, ordersTable } from '../support/simulated-orders.ts';

const TableName = 'pages';
const plain: TableSpec = {
  ...ordersTable,
  tableName: TableName,
  start: { kind: 'new' },
  globalIndexes: [],
  localIndexes: [],
};
const model = {
  ...capacityModels.default,
  partitionReadUnits: 20,
  partitionWriteUnits: 10_000,
  newTablePartitions: 1,
  growsOnDemand: false,
};
const ITEMS = 1_000;
const SECONDS = 600;

/** Pages refused in the last minute of ten, of ten a second that ask a quarter more than a partition serves. */
function refusedAtLast(requestOf: (index: number) => Request, spec = plain): number {
  const database = new SimulatedDatabase({ model, seed: 1 });
  database.createTable(spec);
  for (let index = 0; index < ITEMS; index++)
    database.preload(TableName, attributes({ PK: 'c', SK: index, note: 'x'.repeat(4_000) }));
  let refused = 0;
  for (let index = 0; index < 10 * SECONDS; index++) {
    const atUs = (index * US_PER_SECOND) / 10;
    const { kind } = database.handle(requestOf(index), atUs);
    if (kind === 'throttled' && atUs >= (SECONDS - 60) * US_PER_SECOND) refused++;
  }
  return refused;
}

/** Five items from one on. */
function pageAt(SK: number, isForward = true): Request {
  return {
    api: 'Query',
    input: {
      TableName,
      KeyConditionExpression: `PK = :p AND SK ${isForward ? '>=' : '<='} :s`,
      ExpressionAttributeValues: attributes({ ':p': 'c', ':s': SK }),
      ScanIndexForward: isForward,
      Limit: 5,
    },
  };
}

const anywhere = (index: number) => (index * 389) % ITEMS;

test.each([
  ['forward pages from anywhere', (index: number) => pageAt(anywhere(index))],
  ['backward pages from anywhere', (index: number) => pageAt(anywhere(index), false)],
])('%s cut the collection, and then are served', (_, requestOf) => {
  expect(refusedAtLast(requestOf)).toBe(0);
});

test.each([
  ['pages that all begin at one item', () => pageAt(500)],
  [
    'pages that move along the sort key',
    (index: number) => pageAt(Math.floor((index / 10 / SECONDS) * ITEMS)),
  ],
  ['pages of what is newest', () => pageAt(ITEMS, false)],
])('%s leave it whole, and a fifth is refused', (_, requestOf) => {
  expect(refusedAtLast(requestOf)).toBeGreaterThan(100);
});

test('pages of a table with a local index leave it whole', () => {
  const spec = { ...plain, localIndexes: ordersTable.localIndexes };
  expect(refusedAtLast((index) => pageAt(anywhere(index)), spec)).toBeGreaterThan(100);
});

test('scans that go on from anywhere cut the collection, and then are served', () => {
  const scanFrom = (index: number): Request => ({
    api: 'Scan',
    input: { TableName, ExclusiveStartKey: attributes({ PK: 'c', SK: anywhere(index) }), Limit: 5 },
  });
  expect(refusedAtLast(scanFrom)).toBe(0);
});
