// Aim: what requests write lies on the partitions of its keys, in the table and in each global index, and goes from
// there again. Method: few writes, and the sums over all partitions against what is stored.
import { expect, test } from 'vitest';
import { attributes, OrdersDatabase } from '../../support/simulated-orders.ts';

const order = { PK: 'c1', SK: 1, status: 'open', date: 'd1', city: 'Rome', total: 5 };

/** Bytes on all partitions of the table and of each global index. */
function placedBytes({ database }: OrdersDatabase): readonly number[] {
  return database
    .partitions('orders')
    .map(({ partitions }) => partitions.bytes.reduce((sum, bytes) => sum + bytes, 0));
}

/** Bytes of the items and of the entries of each global index; those of local indexes lie on the table's partitions. */
function storedBytes({ database }: OrdersDatabase): readonly number[] {
  const { table, indexes } = database.contents('orders');
  const sizeOf = (name: string) => indexes.get(name)?.sizeBytes ?? expect.unreachable(name);
  return [table.sizeBytes + sizeOf('byTotal'), sizeOf('GSI1'), sizeOf('byCity')];
}

test.each([
  ['the first entry of a key', (db: OrdersDatabase) => void db.put(order)],
  [
    'further entries of a key',
    (db: OrdersDatabase) => [1, 2, 3].forEach((SK) => void db.put({ ...order, SK })),
  ],
  [
    'an entry whose key moves',
    (db: OrdersDatabase) => ['Rome', 'Oslo'].forEach((city) => void db.put({ ...order, city })),
  ],
])('%s lies on a partition of its index', (_, write) => {
  const db = new OrdersDatabase();
  write(db);
  expect(storedBytes(db).every((bytes) => bytes > 0)).toBe(true);
  expect(placedBytes(db)).toEqual(storedBytes(db));
});

test('a collection that comes and goes leaves nothing on its partitions', () => {
  const db = new OrdersDatabase();
  for (let round = 0; round < 3; round++) {
    db.put(order);
    db.ok('DeleteItem', { Key: attributes({ PK: 'c1', SK: 1 }) });
  }
  expect(placedBytes(db)).toEqual([0, 0, 0]);
});
