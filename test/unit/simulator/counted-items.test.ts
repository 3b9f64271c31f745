// Aim: a table that keeps no items answers puts as one that keeps them. Method: the same puts to both, some of which
// replace items and some of which are refused.
import { describe, expect, test } from 'vitest';
import { capacityModels } from '../../../src/capacity/capacity-model.ts';
import { CounterRandom, streamKey } from '../../../src/prng.ts';
import { SimulatedDatabase } from '../../../src/simulator/simulated-database.ts';
import { attributes, ordersTable, plainOrders } from '../../support/simulated-orders.ts';

const sorted = { ...ordersTable, tableName: 'sorted', globalIndexes: [], localIndexes: [] };

function databaseOf(keepsItems: boolean): SimulatedDatabase {
  const database = new SimulatedDatabase({ model: capacityModels.default, seed: 1 });
  for (const table of [ordersTable, plainOrders, sorted]) database.createTable(table, { keepsItems });
  return database;
}

function putInto(database: SimulatedDatabase, TableName: string, atUs: number, random: CounterRandom) {
  const Item = attributes({
    PK: `c${random.int(20)}`,
    SK: random.int(5),
    status: 'open',
    date: `d${random.int(3)}`,
    body: 'x'.repeat(random.int(9_000)),
  });
  return database.handle({ api: 'PutItem', input: { TableName, Item } }, atUs);
}

describe('a table of which nobody reads', () => {
  test.each(['plain', 'sorted', 'orders'])('(%s) answers as if it kept its items', (tableName) => {
    const [kept, counted] = [databaseOf(true), databaseOf(false)];
    const random = new CounterRandom(streamKey(1, 'puts'));
    for (let sequence = 0; sequence < 3_000; sequence++) {
      const atUs = sequence * 20; // 50,000 puts a second of 1 to 9 units: many are refused.
      const expected = putInto(kept, tableName, atUs, random.seek(sequence));
      expect(putInto(counted, tableName, atUs, random.seek(sequence))).toEqual(expected);
    }
    const observed = counted.observe(tableName);
    expect(observed).toEqual(kept.observe(tableName));
    expect(counted.contents(tableName)).toEqual(kept.contents(tableName));
    expect(observed.replacedPuts).toBeGreaterThan(0);
    const refused = observed.resources.map(({ write }) => write.throttledRequests); // By the table or by an index.
    expect(Math.max(...refused)).toBeGreaterThan(0);
  });

  test.each([
    ['has none to give back', sorted, {}],
    ['keeps them where an index may need them', ordersTable, attributes({ PK: 'c1', SK: 1 })],
    [
      'keeps them where they may expire',
      { ...sorted, tableName: 'expiring', timeToLive: 'until' },
      attributes({ PK: 'c1', SK: 1 }),
    ],
  ])('%s', (_, table, expected) => {
    const database = new SimulatedDatabase({ model: capacityModels.default, seed: 1 });
    database.createTable(table, { keepsItems: false });
    const Item = attributes({ PK: 'c1', SK: 1 });
    database.handle({ api: 'PutItem', input: { TableName: table.tableName, Item } }, 0);
    const outcome = database.handle(
      { api: 'GetItem', input: { TableName: table.tableName, Key: Item } },
      1_000_000,
    );
    expect(outcome).toMatchObject({ kind: 'ok', output: { Item: expected } });
    if (outcome.kind === 'ok') expect(outcome.output.Item).toEqual(expected);
  });
});
