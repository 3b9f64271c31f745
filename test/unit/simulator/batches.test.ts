// Aim: batches price, admit and answer each member on its own, and fail as a whole on a mistake. Method:
// small batches; throttling by a table whose one partition has nothing left.
import { describe, expect, test } from 'vitest';
import type { WriteRequest } from '../../../src/dynamodb/operation.ts';
import type { Outcome } from '../../../src/dynamodb/outcome.ts';
import {
  attributes,
  failureOf,
  OrdersDatabase,
  plainOrders,
  unitsOf,
} from '../../support/simulated-orders.ts';

function putOf(key: string, bytes = 100): WriteRequest {
  return { PutRequest: { Item: { ...attributes({ PK: key }), body: { fillerBytes: bytes } } } };
}

function write(db: OrdersDatabase, ...writes: WriteRequest[]): Outcome {
  return db.send('BatchWriteItem', { RequestItems: { plain: writes } });
}

/** A table of 1 provisioned unit each way: whatever is dear leaves it in debt for a while. */
function poorTable(): OrdersDatabase {
  const billing = { mode: 'provisioned', readUnits: 1, writeUnits: 1 } as const;
  return new OrdersDatabase({ tables: [{ ...plainOrders, billing, start: { kind: 'new' } }], stepUs: 0 });
}

describe('BatchWriteItem', () => {
  test('rounds each member on its own', () => {
    // 500 bytes and 3.5 KB: 1 + 4.
    expect(unitsOf(write(new OrdersDatabase(), putOf('a', 500), putOf('b', 3_500)))).toEqual([5, {}]);
  });

  test('counts 1 for a delete of nothing', () => {
    expect(unitsOf(write(new OrdersDatabase(), { DeleteRequest: { Key: attributes({ PK: 'a' }) } }))).toEqual(
      [1, {}],
    );
  });

  test('sums tables apart', () => {
    const outcome = new OrdersDatabase().ok('BatchWriteItem', {
      RequestItems: {
        plain: [putOf('a')],
        orders: [{ PutRequest: { Item: attributes({ PK: 'c', SK: 1, city: 'Rome' }) } }],
      },
    });
    expect(outcome.consumed.map(({ tableName, table }) => [tableName, table.writeUnits])).toEqual([
      ['plain', 1],
      ['orders', 1],
    ]);
  });

  test('gives back what is throttled, and charges the rest', () => {
    // The bank holds 1 unit: the first write takes 5 and leaves a debt, the second is refused.
    const outcome = write(poorTable(), putOf('a', 4_500), putOf('b'));
    expect(outcome).toMatchObject({ kind: 'partial', sentItems: 2, unprocessedItems: 1 });
    expect(outcome).toMatchObject({ output: { UnprocessedItems: { plain: [putOf('b')] } } });
    expect(unitsOf(outcome)).toEqual([5, {}]);
  });

  test('is throttled when every member is', () => {
    const db = poorTable();
    write(db, putOf('a', 4_500));
    expect(write(db, putOf('b'), putOf('c'))).toMatchObject({
      kind: 'throttled',
      exception: 'ProvisionedThroughputExceededException',
    });
  });

  test.each<[string, WriteRequest[], string]>([
    ['the same key twice', [putOf('a'), putOf('a')], 'Provided list of item keys contains duplicates'],
    ['nothing', [], 'Member must have length greater than or equal to 1'],
    [
      '26 members',
      Array.from({ length: 26 }, (_, index) => putOf(`k${index}`)),
      'Member must have length less than or equal to 25',
    ],
    [
      'a put without the key',
      [putOf('a'), { PutRequest: { Item: attributes({ other: 'x' }) } }],
      'The provided key element does not match the schema',
    ],
    [
      'a put whose key is a number',
      [{ PutRequest: { Item: attributes({ PK: 1 }) } }],
      'The provided key element does not match the schema',
    ],
    ['a member that is nothing', [{}], 'must contain exactly one of PutRequest and DeleteRequest'],
    ['one bad key among good ones', [putOf('a'), putOf('')], 'cannot contain an empty string value'],
  ])('refuses %s and writes nothing', (_, writes, message) => {
    const db = new OrdersDatabase();
    expect(failureOf(write(db, ...writes))).toContain(message);
    expect(db.database.observe('plain').itemCount).toBe(0);
  });
});

describe('BatchGetItem', () => {
  const keys = (...names: string[]) => names.map((name) => attributes({ PK: name }));

  test('rounds each key on its own, absent ones at the minimum', () => {
    const db = new OrdersDatabase();
    write(db, putOf('a', 1_500), putOf('b', 6_500));
    // 1.5 KB and 6.5 KB: 4 + 8 KB → 1.5 eventually; 0.5 for the key that is not there.
    const outcome = db.ok('BatchGetItem', { RequestItems: { plain: { Keys: keys('a', 'b', 'c') } } });
    expect(unitsOf(outcome)).toEqual([2, {}]);
    expect(outcome.output.Responses).toMatchObject({
      plain: [attributes({ PK: 'a' }), attributes({ PK: 'b' })],
    });
    expect(outcome.output.UnprocessedKeys).toEqual({});
  });

  test('gives back keys beyond 16 MB of answers', () => {
    const db = new OrdersDatabase();
    const names = Array.from({ length: 45 }, (_, index) => `k${index}`);
    for (const name of names)
      db.send('PutItem', {
        TableName: 'plain',
        Item: { ...attributes({ PK: name }), body: { fillerBytes: 400_000 } },
      });
    const outcome = db.send('BatchGetItem', { RequestItems: { plain: { Keys: keys(...names) } } });
    // 41 × 400,008 bytes are below 16,777,216; the 42nd is not.
    expect(outcome).toMatchObject({ kind: 'partial', unprocessedItems: 4 });
  });

  test('gives back what is throttled with its other members, and is throttled when all are', () => {
    const db = poorTable();
    db.database.preload('plain', { ...attributes({ PK: 'a' }), body: { fillerBytes: 40_000 } });
    const request = { Keys: keys('a', 'b'), ConsistentRead: true };
    expect(db.send('BatchGetItem', { RequestItems: { plain: request } })).toMatchObject({
      kind: 'partial',
      output: { UnprocessedKeys: { plain: { Keys: keys('b'), ConsistentRead: true } } },
    });
    expect(db.send('BatchGetItem', { RequestItems: { plain: request } }).kind).toBe('throttled');
  });

  test.each([
    ['the same key twice', keys('a', 'a'), 'Provided list of item keys contains duplicates'],
    [
      '101 keys',
      keys(...Array.from({ length: 101 }, (_, index) => `k${index}`)),
      "Value at 'RequestItems.plain.member.Keys' failed to satisfy constraint: Member must have length less than or equal to 100",
    ],
    [
      'no keys',
      [],
      "Value at 'RequestItems.plain.member.Keys' failed to satisfy constraint: Member must have length greater than or equal to 1",
    ],
  ])('refuses %s', (_, Keys, message) => {
    expect(
      failureOf(new OrdersDatabase().send('BatchGetItem', { RequestItems: { plain: { Keys } } })),
    ).toContain(message);
  });

  test('refuses more than 100 keys of all tables together', () => {
    const some = keys(...Array.from({ length: 60 }, (_, index) => `k${index}`));
    const both = { plain: { Keys: some }, more: { Keys: some } };
    expect(failureOf(new OrdersDatabase().send('BatchGetItem', { RequestItems: both }))).toBe(
      'ValidationException: Too many items requested for the BatchGetItem call',
    );
  });
});
