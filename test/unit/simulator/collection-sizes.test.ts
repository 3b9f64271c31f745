// Aim: item collections of tables with local indexes are measured, told of where asked for, and limited.
// Method: orders with a local index, and a limit of 10 KB in place of 10 GB. The item of an order counts 1,000
// bytes; its entry in the local index `byTotal` holds PK, SK and total: PK 2 + 2, SK 2 + 2, total 5 + 2 = 15.
import { describe, expect, test } from 'vitest';
import { itemSizeBytes } from '../../../src/dynamodb/item-size.ts';
import type { AttributeMap } from '../../../src/dynamodb/attribute-value.ts';
import type { TransactWriteItem, WriteRequest } from '../../../src/dynamodb/operation.ts';
import { attributes, failureOf, OrdersDatabase } from '../../support/simulated-orders.ts';

const LIMIT = 10_240;

function order(SK: number, bytes = 1_000): AttributeMap {
  const bare = attributes({ PK: 'c1', SK, total: 1, body: '' });
  return { ...bare, body: { S: 'x'.repeat(bytes - itemSizeBytes(bare)) } };
}

function database(): OrdersDatabase {
  return new OrdersDatabase({ limits: { itemCollectionBytes: LIMIT } });
}

/** A database whose collection c1 holds ten orders: 10 × (1,000 + 15) = 10,150 of 10,240 bytes. */
function full(): OrdersDatabase {
  const db = database();
  for (let SK = 1; SK <= 10; SK++) db.ok('PutItem', { Item: order(SK) });
  return db;
}

const tooLarge = 'ItemCollectionSizeLimitExceededException: Collection size exceeded.';
const key = (SK: number) => attributes({ PK: 'c1', SK });
const put = (SK: number): WriteRequest => ({ PutRequest: { Item: order(SK) } });
const transacted = (SK: number): TransactWriteItem => ({ Put: { TableName: 'orders', Item: order(SK) } });

describe('ReturnItemCollectionMetrics SIZE', () => {
  const small = { ItemCollectionKey: attributes({ PK: 'c1' }), SizeEstimateRangeGB: [0, 1] };
  const SIZE = { ReturnItemCollectionMetrics: 'SIZE' } as const;

  test.each([
    ['a put', 'PutItem', { Item: order(1) }],
    [
      'an update',
      'UpdateItem',
      {
        Key: key(1),
        UpdateExpression: 'SET note = :n',
        ExpressionAttributeValues: attributes({ ':n': 'x' }),
      },
    ],
    ['a delete', 'DeleteItem', { Key: key(1) }],
  ] as const)('of %s tells the collection and the whole gigabytes around its size', (_, api, input) => {
    expect(database().ok(api, { ...input, ...SIZE }).output.ItemCollectionMetrics).toEqual(small);
  });

  test('of a batch and of a transaction tells each collection once, by table', () => {
    const other: WriteRequest = { PutRequest: { Item: attributes({ PK: 'c2', SK: 1 }) } };
    const byTable = { orders: [small, { ...small, ItemCollectionKey: attributes({ PK: 'c2' }) }] };
    expect(
      database().ok('BatchWriteItem', { RequestItems: { orders: [put(1), put(2), other] }, ...SIZE }).output,
    ).toMatchObject({ ItemCollectionMetrics: byTable });
    expect(
      database().ok('TransactWriteItems', { TransactItems: [transacted(1), transacted(2)], ...SIZE }).output,
    ).toEqual({ ItemCollectionMetrics: { orders: [small] } });
  });

  test('of a table without local indexes tells nothing', () => {
    const plain = { TableName: 'plain', Item: attributes({ PK: 'c1' }) };
    expect(database().ok('PutItem', { ...plain, ...SIZE }).output).toEqual({});
    const batch = { RequestItems: { plain: [{ PutRequest: { Item: plain.Item } }] }, ...SIZE };
    expect(database().ok('BatchWriteItem', batch).output).toEqual({ UnprocessedItems: {} });
  });

  test('is one of two choices, and NONE tells nothing', () => {
    expect(database().ok('PutItem', { Item: order(1), ReturnItemCollectionMetrics: 'NONE' }).output).toEqual(
      {},
    );
    const wrong = { Item: order(1), ReturnItemCollectionMetrics: 'ALL' as 'SIZE' }; // What a client may send.
    expect(failureOf(database().send('PutItem', wrong))).toBe(
      "ValidationException: 1 validation error detected: Value 'ALL' at 'returnItemCollectionMetrics' failed to satisfy constraint: Member must satisfy enum value set: [SIZE, NONE]",
    );
  });
});

describe('a full item collection', () => {
  test('takes no item more, and what was there stays', () => {
    const db = full();
    expect(failureOf(db.send('PutItem', { Item: order(11) }))).toBe(tooLarge);
    expect(db.get({ PK: 'c1', SK: 11 })).toBeUndefined();
    expect(db.scanned()).toHaveLength(10);
  });

  test('may grow to its limit to the byte, entries of local indexes included', () => {
    // 90 bytes are left.
    expect(full().send('PutItem', { Item: order(9, 1_090) }).kind).toBe('ok');
    expect(failureOf(full().send('PutItem', { Item: order(9, 1_091) }))).toBe(tooLarge);
    // Without a total it has no entry: 15 bytes more.
    const { total: _, ...bare } = order(9, 1_090 + 15 + 7);
    expect(itemSizeBytes(bare)).toBe(1_105);
    expect(full().send('PutItem', { Item: bare }).kind).toBe('ok');
  });

  test('takes what makes it smaller, and then more', () => {
    const db = full();
    db.ok('UpdateItem', { Key: key(3), UpdateExpression: 'REMOVE body' });
    db.ok('DeleteItem', { Key: key(4) });
    expect(db.send('PutItem', { Item: order(11) }).kind).toBe('ok');
  });

  test('leaves other collections, and tables without local indexes, alone', () => {
    const db = full();
    expect(db.put({ PK: 'c2', SK: 1, total: 1 }).kind).toBe('ok');
    expect(db.send('PutItem', { TableName: 'plain', Item: order(1, 11_000) }).kind).toBe('ok');
  });

  test('fails a batch of which one member is too much, before any of it is done', () => {
    const db = full();
    const other: WriteRequest = { PutRequest: { Item: attributes({ PK: 'c2', SK: 1 }) } };
    expect(failureOf(db.send('BatchWriteItem', { RequestItems: { orders: [other, put(11)] } }))).toBe(
      tooLarge,
    );
    expect(db.get({ PK: 'c2', SK: 1 })).toBeUndefined();
  });

  test('cancels a transaction in the name of the action that is too much', () => {
    const db = full();
    db.ok('DeleteItem', { Key: key(10) });
    const outcome = db.send('TransactWriteItems', { TransactItems: [transacted(11), transacted(12)] });
    expect(outcome).toMatchObject({
      code: 'TransactionCanceledException',
      cancellationReasons: [
        { Code: 'None' },
        { Code: 'ItemCollectionSizeLimitExceeded', Message: 'Collection size exceeded.' },
      ],
    });
    expect(db.scanned()).toHaveLength(9);
  });
});
