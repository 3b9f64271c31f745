// Aim: tables that are made while time passes, and changed while they hold items, throttle and answer as if
// they had always been so from then on. Method: puts at chosen moments, counted until the first refusal.
import { describe, expect, test } from 'vitest';
import { capacityModels } from '../../../src/capacity/capacity-model.ts';
import type { Billing, GlobalIndexSpec, TableSpec } from '../../../src/dynamodb/table-spec.ts';
import { SimulatedDatabase } from '../../../src/simulator/simulated-database.ts';
import { US_PER_SECOND } from '../../../src/units.ts';

const HOUR_US = 3_600 * US_PER_SECOND;
const byColor: GlobalIndexSpec = {
  name: 'byColor',
  keys: { partition: { name: 'color', type: 'S' } },
  projection: { kind: 'KEYS_ONLY' },
  billing: { mode: 'on-demand' },
  start: { kind: 'new' },
};

const provisioned = (units: number): Billing => ({
  mode: 'provisioned',
  readUnits: units,
  writeUnits: units,
});

function table(billing: Billing, globalIndexes: readonly GlobalIndexSpec[] = []): TableSpec {
  return {
    tableName: 't',
    logicalName: 't',
    keys: { partition: { name: 'pk', type: 'S' } },
    billing,
    start: { kind: 'new' },
    globalIndexes,
    localIndexes: [],
  };
}

function database(): SimulatedDatabase {
  return new SimulatedDatabase({ model: capacityModels.default, seed: 1 });
}

function put(db: SimulatedDatabase, pk: string, atUs: number, more: object = {}): string {
  return db.handle({ api: 'PutItem', input: { TableName: 't', Item: { pk: { S: pk }, ...more } } }, atUs)
    .kind;
}

/** Puts of one unit that pass at one moment before the first is refused. */
function passing(db: SimulatedDatabase, atUs: number): number {
  for (let count = 0; count < 100_000; count++) if (put(db, `k${count}`, atUs) !== 'ok') return count;
  return Number.POSITIVE_INFINITY;
}

describe('a table that is made after an hour', () => {
  test('starts with one second of its units, not with an hour of savings', () => {
    const db = database();
    db.createTable(table(provisioned(10)), { createdAtUs: HOUR_US });
    expect(passing(db, HOUR_US)).toBe(10);
    // Ten seconds save up ten times as much.
    expect(passing(db, HOUR_US + 10 * US_PER_SECOND)).toBe(100);
  });

  test('starts with half a second of its partitions', () => {
    const db = database();
    db.createTable(table({ mode: 'on-demand' }), { createdAtUs: HOUR_US });
    for (let count = 0; count < 500; count++) expect(put(db, 'hot', HOUR_US)).toBe('ok');
    expect(put(db, 'hot', HOUR_US)).toBe('throttled');
  });
});

describe('provisioned units that are changed', () => {
  test('flow in at the new rate from then on, and mint no tokens', () => {
    const db = database();
    db.createTable(table(provisioned(10)));
    expect(passing(db, 0)).toBe(10);
    db.updateTable(table(provisioned(100)), 0);
    expect(passing(db, 0)).toBe(0);
    expect(passing(db, US_PER_SECOND)).toBe(100);
  });

  test('cut what was saved to what the new rate may save', () => {
    const db = database();
    db.createTable(table(provisioned(10)));
    // An hour saves 300 s, 3,000 units; at a tenth of the rate no more than 300 can be held.
    db.updateTable(table(provisioned(1)), HOUR_US);
    expect(passing(db, HOUR_US)).toBe(300);
  });

  test('bring partitions, and never take them away', () => {
    const db = database();
    db.createTable(table(provisioned(10)));
    const partitions = () => db.contents('t').table.partitionCount;
    expect(partitions()).toBe(1);
    db.updateTable(table(provisioned(3_500)), 0);
    expect(partitions()).toBe(4);
    db.updateTable(table(provisioned(10)), 0);
    expect(partitions()).toBe(4);
  });

  test('give way to the limits of on demand', () => {
    const db = database();
    db.createTable(table(provisioned(1)));
    db.updateTable(table({ mode: 'on-demand', maximumWriteUnits: 20 }), 0);
    expect(passing(db, 0)).toBe(20);
    expect(
      db.handle({ api: 'PutItem', input: { TableName: 't', Item: { pk: { S: 'x' } } } }, 0),
    ).toMatchObject({
      kind: 'throttled',
      exception: 'ThrottlingException',
      reasons: [{ reason: 'TableWriteMaxOnDemandThroughputExceeded' }],
    });
  });
});

describe('a global index that is made late', () => {
  const query = (db: SimulatedDatabase) =>
    db.handle(
      {
        api: 'Query',
        input: {
          TableName: 't',
          IndexName: 'byColor',
          KeyConditionExpression: 'color = :c',
          ExpressionAttributeValues: { ':c': { S: 'red' } },
        },
      },
      US_PER_SECOND,
    );

  test('holds what the table held, save items whose key is of another type', () => {
    const db = database();
    db.createTable(table({ mode: 'on-demand' }));
    put(db, 'a', 0, { color: { S: 'red' }, size: { N: '1' } });
    put(db, 'b', 0, { color: { N: '7' } });
    put(db, 'c', 0);
    db.updateTable(table({ mode: 'on-demand' }, [byColor]), 0);
    expect(query(db)).toMatchObject({
      kind: 'ok',
      output: { Items: [{ pk: { S: 'a' }, color: { S: 'red' } }], Count: 1 },
    });
    expect(db.contents('t').indexes.get('byColor')?.itemCount).toBe(1);
  });

  test('follows later writes, charged and refused like any other', () => {
    const db = database();
    db.createTable(table({ mode: 'on-demand' }));
    put(db, 'a', 0, { color: { S: 'red' } });
    db.updateTable(table({ mode: 'on-demand' }, [byColor]), 0);
    put(db, 'a', 0, { color: { S: 'blue' } });
    put(db, 'd', 0, { color: { S: 'red' } });
    expect(query(db)).toMatchObject({ output: { Items: [{ pk: { S: 'd' } }] } });
    expect(put(db, 'e', 0, { color: { N: '1' } })).toBe('failed');
  });

  test('is gone once the table is described without it', () => {
    const db = database();
    db.createTable(table({ mode: 'on-demand' }, [byColor]));
    db.updateTable(table({ mode: 'on-demand' }), 0);
    expect(query(db)).toMatchObject({ kind: 'failed', code: 'ValidationException' });
    expect(put(db, 'e', 0, { color: { N: '1' } })).toBe('ok');
  });
});

test('contents are counted in items and bytes', () => {
  const db = database();
  db.createTable(table({ mode: 'on-demand' }, [byColor]));
  // pk + a: 3 bytes; color + red: 8 bytes; note + xxxx: 8 bytes, which the index does not hold.
  put(db, 'a', 0, { color: { S: 'red' }, note: { S: 'xxxx' } });
  put(db, 'b', 0);
  const { table: whole, indexes } = db.contents('t');
  expect(whole).toEqual({ itemCount: 2, sizeBytes: 19 + 3, partitionCount: 4 });
  expect(indexes.get('byColor')).toEqual({ itemCount: 1, sizeBytes: 11, partitionCount: 4 });
});
