// Aim: writes that cost the same share one value of what they consumed, and others never do. Method: puts
// into a table with indexes of each kind, compared by identity.
import { describe, expect, test } from 'vitest';
import { capacityModels } from '../../../src/capacity/capacity-model.ts';
import type { Outcome } from '../../../src/dynamodb/outcome.ts';
import type { GlobalIndexSpec } from '../../../src/dynamodb/table-spec.ts';
import { SimulatedDatabase } from '../../../src/simulator/simulated-database.ts';
import {
  attributes,
  OrdersDatabase,
  ordersTable,
  statusIndex,
  unitsOf,
} from '../../support/simulated-orders.ts';

function consumedOf(outcome: Outcome): unknown {
  if (outcome.kind !== 'ok') throw new Error(`the put ended ${JSON.stringify(outcome)}`);
  return outcome.consumed;
}

const inStatus = { status: 'open', date: 'd1' };

describe('what a write consumed', () => {
  test('is one value for all writes that cost the same', () => {
    const db = new OrdersDatabase();
    const [first, second] = [1, 2].map((SK) => db.put({ PK: 'c1', SK, ...inStatus }));
    expect(consumedOf(first as Outcome)).toBe(consumedOf(second as Outcome));
  });

  test.each<[string, { readonly [name: string]: string | number }, readonly [number, object]]>([
    ['another index is charged', { city: 'Bern' }, [1, { byCity: 1 }]],
    ['a local index is charged too', { ...inStatus, total: 5 }, [1, { GSI1: 1, byTotal: 1 }]],
    ['no index is charged', {}, [1, {}]],
    ['the table costs more than the index', { city: 'Bern', body: 'x'.repeat(1_500) }, [2, { byCity: 1 }]],
    ['both cost more', { ...inStatus, body: 'x'.repeat(1_500) }, [2, { GSI1: 2 }]],
  ])('is another where %s', (_, more, units) => {
    const db = new OrdersDatabase();
    const usual = db.put({ PK: 'c1', SK: 1, ...inStatus });
    const other = db.put({ PK: 'c1', SK: 2, ...more });
    expect(consumedOf(other)).not.toBe(consumedOf(usual));
    expect(unitsOf(usual)).toEqual([1, { GSI1: 1 }]);
    expect(unitsOf(other)).toEqual(units);
  });

  test('is right for more indexes than can be told apart by one number', () => {
    const indexes = Array.from(
      { length: 7 },
      (_, index): GlobalIndexSpec => ({ ...statusIndex, name: `by${index}` }),
    );
    const db = new OrdersDatabase({ tables: [{ ...ordersTable, globalIndexes: indexes, localIndexes: [] }] });
    const expected = Object.fromEntries(indexes.map(({ name }) => [name, 1]));
    for (const SK of [1, 2]) expect(unitsOf(db.put({ PK: 'c1', SK, ...inStatus }))).toEqual([1, expected]);
  });

  test('follows the indexes that a table has now', () => {
    const database = new SimulatedDatabase({ model: capacityModels.default, seed: 1 });
    database.createTable(ordersTable);
    const put = (SK: number, atUs: number) =>
      database.handle(
        {
          api: 'PutItem',
          input: { TableName: 'orders', Item: attributes({ PK: 'c1', SK, ...inStatus, city: 'Bern' }) },
        },
        atUs,
      );
    expect(unitsOf(put(1, 0))).toEqual([1, { GSI1: 1, byCity: 1 }]);
    const [, byCity] = ordersTable.globalIndexes;
    database.updateTable({ ...ordersTable, globalIndexes: [byCity as GlobalIndexSpec] }, 1);
    expect(unitsOf(put(2, 1))).toEqual([1, { byCity: 1 }]);
  });
});
