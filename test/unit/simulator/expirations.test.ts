// Aim: items with a past second in their expiry attribute are deleted in the background, as DynamoDB's
// documentation has it. Method: a database whose moment 0 is a known time of day and that deletes ten minutes
// after expiry; requests a minute apart look at it.
import { describe, expect, test } from 'vitest';
import { capacityModels } from '../../../src/capacity/capacity-model.ts';
import type { AttributeValue } from '../../../src/dynamodb/attribute-value.ts';
import type { TableSpec } from '../../../src/dynamodb/table-spec.ts';
import { ServiceActivity } from '../../../src/simulator/metrics/service-activity.ts';
import { SimulatedDatabase } from '../../../src/simulator/simulated-database.ts';
import { US_PER_SECOND } from '../../../src/units.ts';
import { attributes, OrdersDatabase, ordersTable } from '../../support/simulated-orders.ts';

const START_SECONDS = 1_790_000_000;
const DELAY_SECONDS = 600;

function database(table: TableSpec = { ...ordersTable, timeToLive: 'expires' }): OrdersDatabase {
  return new OrdersDatabase({
    tables: [table],
    wallMsAtZero: START_SECONDS * 1_000,
    limits: { expiryDelaySeconds: DELAY_SECONDS },
    stepUs: 0,
  });
}

const item = { PK: 'c1', SK: 1, status: 'open', date: 'd', total: 5 };

function put(db: OrdersDatabase, expires: AttributeValue): void {
  db.ok('PutItem', { Item: { ...attributes(item), expires } });
}

function isThere(db: OrdersDatabase, atSeconds: number): boolean {
  db.atUs = atSeconds * US_PER_SECOND;
  return db.get({ PK: 'c1', SK: 1 }) !== undefined;
}

const at = (seconds: number): AttributeValue => ({ N: String(START_SECONDS + seconds) });

describe('an item', () => {
  test('is there until the delay after its expiry is over, and then gone with its index entries', () => {
    const db = database();
    put(db, at(100));
    expect(isThere(db, 699)).toBe(true);
    expect(db.scanned('GSI1')).toHaveLength(1);
    expect(isThere(db, 700)).toBe(false);
    for (const index of ['GSI1', 'byTotal']) expect(db.scanned(index)).toEqual([]);
  });

  test('that had expired when it was put waits for the delay as well', () => {
    const db = database();
    db.atUs = 50 * US_PER_SECOND;
    put(db, at(-1_000));
    expect(isThere(db, 649)).toBe(true);
    expect(isThere(db, 650)).toBe(false);
  });

  const fiveYears = 5 * 365 * 86_400;
  test.each<[string, AttributeValue]>([
    ['without a number', { S: String(START_SECONDS) }],
    ['with a list', { L: [at(0)] }],
    ['that expired more than five years ago', at(-fiveYears - 1)],
    ['that expires in the far future, as a time in milliseconds does', { N: `${START_SECONDS}000` }],
  ])('%s stays', (_, expires) => {
    const db = database();
    put(db, expires);
    expect(isThere(db, 100_000)).toBe(true);
  });

  test('whose expiry was put off lives until then, and longer without one', () => {
    const db = database();
    put(db, at(100));
    put(db, at(1_000));
    expect(isThere(db, 1_599)).toBe(true);
    db.ok('UpdateItem', { Key: attributes({ PK: 'c1', SK: 1 }), UpdateExpression: 'REMOVE expires' });
    expect(isThere(db, 100_000)).toBe(true);
  });

  test('whose expiry was moved forward goes then', () => {
    const db = database();
    put(db, at(5_000));
    put(db, at(100));
    expect(isThere(db, 699)).toBe(true);
    expect(isThere(db, 700)).toBe(false);
  });

  test('put again under the key of one that was deleted has a life of its own', () => {
    const db = database();
    put(db, at(100));
    db.ok('DeleteItem', { Key: attributes({ PK: 'c1', SK: 1 }) });
    put(db, at(10_000));
    expect(isThere(db, 9_000)).toBe(true);
    expect(isThere(db, 10_600)).toBe(false);
  });
});

test('the attribute may be set and taken away later, and bears on the items that are there', () => {
  const db = database(ordersTable);
  put(db, at(100));
  expect(isThere(db, 10_000)).toBe(true);
  db.database.setTimeToLive('orders', 'expires', 10_000 * US_PER_SECOND);
  expect(isThere(db, 10_599)).toBe(true);
  db.database.setTimeToLive('orders', undefined, 10_599 * US_PER_SECOND);
  expect(isThere(db, 20_000)).toBe(true);
  db.database.setTimeToLive('orders', 'expires', 20_000 * US_PER_SECOND);
  expect(isThere(db, 20_600)).toBe(false);
});

test('many items go in the order of their expiry, each at its own moment', () => {
  const db = database();
  const seconds = Array.from({ length: 500 }, (_, index) => (index * 7_919) % 1_000);
  seconds.forEach((expires, SK) => {
    db.database.preload('orders', { ...attributes({ PK: `c${SK % 7}`, SK }), expires: at(expires) });
  });
  for (const moment of [0, 1, 250, 600, 999]) {
    db.database.expire((moment + DELAY_SECONDS) * US_PER_SECOND);
    const left = seconds.filter((expires) => expires > moment).length;
    expect(db.database.contents('orders').table.itemCount).toBe(left);
  }
});

test('a deletion takes no units, heats no key, and is counted in its minute', () => {
  const wallMsAtZero = START_SECONDS * 1_000;
  const activity = new ServiceActivity({ wallMsAtZero });
  const table = { ...ordersTable, timeToLive: 'expires' };
  const database = new SimulatedDatabase({
    model: capacityModels.default,
    seed: 1,
    wallMsAtZero,
    listener: activity,
    limits: { expiryDelaySeconds: DELAY_SECONDS },
  });
  database.createTable(table);
  activity.setTable(table, 0);
  for (const SK of [1, 2, 3])
    database.preload('orders', { ...attributes({ ...item, SK }), expires: at(60 * SK) });
  database.expire((120 + DELAY_SECONDS) * US_PER_SECOND);

  const { resources, itemCount } = database.observe('orders');
  expect(itemCount).toBe(1);
  expect(resources.map(({ write, distinctKeys }) => [write.units, distinctKeys])).toEqual([
    [0, 0],
    [0, 0],
    [0, 0],
  ]);
  const key = { metricName: 'TimeToLiveDeletedItemCount', tableName: 'orders' };
  const firstMinute = Math.floor(START_SECONDS / 60);
  const counted = activity.metrics.points(key, { fromMinute: firstMinute, untilMinute: firstMinute + 20 });
  // Deleted 660 and 720 s after the start, which lies 20 s into its minute.
  expect(START_SECONDS % 60).toBe(20);
  expect(counted.map(({ minute, point }) => [minute - firstMinute, point.sum])).toEqual([
    [11, 1],
    [12, 1],
  ]);
});
