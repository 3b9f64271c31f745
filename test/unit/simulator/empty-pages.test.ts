// Aim: a page that finds nothing takes nothing from anybody. Method: a scan that goes on behind the last item of a
// collection, then requests that must not be throttled.
import { expect, test } from 'vitest';
import { attributes, OrdersDatabase } from '../../support/simulated-orders.ts';

test('a scan that goes on behind the last item leaves the table readable', () => {
  const db = new OrdersDatabase();
  const key = attributes({ PK: 'c1', SK: 1 });
  db.put({ PK: 'c1', SK: 1 });
  const first = db.ok('Scan', { Limit: 1 });
  expect(first.output.LastEvaluatedKey).toEqual(key);
  const second = db.ok('Scan', { ExclusiveStartKey: key });
  expect(second.output).toMatchObject({ Count: 0, ScannedCount: 0 });
  expect(db.ok('Scan', {}).output.Count).toBe(1);
  expect(db.ok('GetItem', { Key: key }).output.Item).toEqual(key);
});
