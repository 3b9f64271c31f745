// Aim: transactions are all or none, cost twice as much, hold their items, and are repeated by token
// without effect. Method: single transactions by hand; overlaps with begin and complete apart.
import { describe, expect, test } from 'vitest';
import type { Request, TransactWriteItem } from '../../../src/dynamodb/operation.ts';
import type { Outcome } from '../../../src/dynamodb/outcome.ts';
import { US_PER_MINUTE } from '../../../src/units.ts';
import {
  attributes,
  failureOf,
  OrdersDatabase,
  ordersTable,
  unitsOf,
} from '../../support/simulated-orders.ts';

const TableName = 'orders';
const key = (number: number) => attributes({ PK: 'c1', SK: number });

function put(number: number, extra: { readonly [name: string]: string | number } = {}): TransactWriteItem {
  return { Put: { TableName, Item: attributes({ PK: 'c1', SK: number, ...extra }) } };
}

const check: TransactWriteItem = {
  ConditionCheck: { TableName, Key: key(9), ConditionExpression: 'attribute_not_exists(PK)' },
};

function write(db: OrdersDatabase, ...TransactItems: TransactWriteItem[]): Outcome {
  return db.send('TransactWriteItems', { TransactItems });
}

function codesOf(outcome: Outcome): readonly string[] | undefined {
  return 'cancellationReasons' in outcome ? outcome.cancellationReasons?.map(({ Code }) => Code) : undefined;
}

describe('TransactWriteItems', () => {
  test('costs the table twice, indexes once, and a check 2', () => {
    const outcome = write(new OrdersDatabase(), put(1, { status: 'open', date: 'd' }), check);
    expect(unitsOf(outcome)).toEqual([4, { GSI1: 1 }]);
  });

  test('carries out every kind of action', () => {
    const db = new OrdersDatabase();
    db.put({ PK: 'c1', SK: 1, note: 'old' });
    db.put({ PK: 'c1', SK: 2 });
    const update: TransactWriteItem = {
      Update: {
        TableName,
        Key: key(1),
        UpdateExpression: 'SET note = :n',
        ExpressionAttributeValues: { ':n': { S: 'new' } },
      },
    };
    expect(write(db, update, { Delete: { TableName, Key: key(2) } }, put(3), check).kind).toBe('ok');
    expect(
      db.ok('Query', { KeyConditionExpression: 'PK = :p', ExpressionAttributeValues: { ':p': { S: 'c1' } } })
        .output.Items,
    ).toEqual([attributes({ PK: 'c1', SK: 1, note: 'new' }), attributes({ PK: 'c1', SK: 3 })]);
  });

  test('puts several new items of one partition key, and refills one that it emptied', () => {
    const db = new OrdersDatabase();
    write(db, put(1), put(2));
    expect(db.scanned()).toHaveLength(2);
    write(db, { Delete: { TableName, Key: key(1) } }, { Delete: { TableName, Key: key(2) } }, put(3));
    expect(db.scanned()).toEqual([attributes({ PK: 'c1', SK: 3 })]);
  });

  test('changes nothing when one condition fails, says which, and charges what it prepared', () => {
    const db = new OrdersDatabase();
    db.put({ PK: 'c1', SK: 9 });
    const outcome = write(db, put(1), check);
    expect(codesOf(outcome)).toEqual(['None', 'ConditionalCheckFailed']);
    expect(outcome.kind).toBe('conditionFailed');
    expect(unitsOf(outcome)).toEqual([4, {}]);
    expect(db.get({ PK: 'c1', SK: 1 })).toBeUndefined();
  });

  test('is cancelled by one throttled member, which takes nothing from the others', () => {
    const billing = { mode: 'provisioned', readUnits: 1, writeUnits: 1 } as const;
    const poor = { ...ordersTable, tableName: 'poor', billing, start: { kind: 'new' } as const };
    const db = new OrdersDatabase({ tables: [ordersTable, poor], stepUs: 0 });
    const poorPut = { Put: { TableName: 'poor', Item: attributes({ PK: 'c1', SK: 1 }) } };
    write(db, poorPut);
    const outcome = write(db, put(1), poorPut);
    expect(outcome).toMatchObject({ kind: 'throttled', exception: 'TransactionCanceledException' });
    expect(codesOf(outcome)).toEqual(['None', 'ProvisionedThroughputExceeded']);
    const { write: rich } = db.database.observe('orders').resources[0] ?? expect.unreachable();
    expect(rich).toMatchObject({ units: 0, refusedElsewhere: 1 });
    expect(db.database.observe('orders').itemCount).toBe(0);
  });

  test.each<[string, TransactWriteItem, readonly string[]]>([
    [
      'a key that does not fit',
      { Delete: { TableName, Key: attributes({ PK: 'c1' }) } },
      ['None', 'ValidationError'],
    ],
    ['an index key of the wrong type', put(2, { status: 1 }), ['None', 'ValidationError']],
    [
      'an update that does not work on its item',
      { Update: { TableName, Key: key(2), UpdateExpression: 'SET a = b' } },
      ['None', 'ValidationError'],
    ],
  ])('is cancelled by %s', (_, action, codes) => {
    const db = new OrdersDatabase();
    const outcome = write(db, put(1), action);
    expect(failureOf(outcome)).toContain('TransactionCanceledException: Transaction cancelled');
    expect(codesOf(outcome)).toEqual(codes);
    expect(db.scanned()).toEqual([]);
  });

  test.each<[string, TransactWriteItem[], string]>([
    ['nothing', [], 'Member must have length greater than or equal to 1'],
    [
      '101 actions',
      Array.from({ length: 101 }, (_, index) => put(index)),
      'Member must have length less than or equal to 100',
    ],
    [
      'two actions on one item',
      [put(1), { Delete: { TableName, Key: key(1) } }],
      'cannot include multiple operations on one item',
    ],
    [
      'two things in one action',
      [{ ...put(1), Delete: { TableName, Key: key(2) } }],
      'can only contain one of',
    ],
    [
      'a broken expression',
      [{ Update: { TableName, Key: key(1), UpdateExpression: 'SET' } }],
      'Invalid UpdateExpression',
    ],
    [
      'an empty key',
      [{ Delete: { TableName, Key: attributes({ PK: '', SK: 1 }) } }],
      'cannot contain an empty string value',
    ],
  ])('refuses %s up front', (_, actions, message) => {
    expect(failureOf(write(new OrdersDatabase(), ...actions))).toMatch(/^ValidationException/);
    expect(failureOf(write(new OrdersDatabase(), ...actions))).toContain(message);
  });

  test('refuses more than 4 MB', () => {
    const big = (number: number): TransactWriteItem => ({
      Put: { TableName, Item: { ...key(number), body: { fillerBytes: 400_000 } } },
    });
    const outcome = write(new OrdersDatabase(), ...Array.from({ length: 11 }, (_, index) => big(index)));
    expect(failureOf(outcome)).toContain('exceeds 4 MB');
  });
});

describe('a client request token', () => {
  const send = (db: OrdersDatabase, ClientRequestToken: string, ...TransactItems: TransactWriteItem[]) =>
    db.send('TransactWriteItems', { TransactItems, ClientRequestToken });

  test('used again changes nothing and is charged as reads', () => {
    const db = new OrdersDatabase();
    const item = { ...attributes({ PK: 'c1', SK: 1 }), body: { fillerBytes: 1_480 } };
    const action = { Put: { TableName, Item: item } };
    // Facts 1.4: a 1.5 KB item costs 4 write units first and 2 read units on the repetition.
    expect(send(db, 'once', action)).toMatchObject({
      consumed: [{ table: { writeUnits: 4, readUnits: 0 } }],
    });
    db.ok('DeleteItem', { Key: key(1) });
    expect(send(db, 'once', action)).toMatchObject({
      consumed: [{ table: { writeUnits: 0, readUnits: 2 } }],
    });
    expect(db.scanned()).toEqual([]);
  });

  test('with another content is refused', () => {
    const db = new OrdersDatabase();
    send(db, 'once', put(1));
    expect(failureOf(send(db, 'once', put(2)))).toMatch(/^IdempotentParameterMismatchException/);
  });

  test('is forgotten after ten minutes', () => {
    const db = new OrdersDatabase();
    send(db, 'once', put(1));
    db.atUs += 10 * US_PER_MINUTE;
    expect(send(db, 'once', put(2)).kind).toBe('ok');
  });
});

describe('TransactGetItems', () => {
  const get = (number: number) => ({ Get: { TableName, Key: key(number) } });

  test('costs twice a strong read for each item, absent ones too, and answers in order', () => {
    const db = new OrdersDatabase();
    db.put({ PK: 'c1', SK: 1 }, { body: { fillerBytes: 5_000 } });
    const outcome = db.ok('TransactGetItems', { TransactItems: [get(2), get(1)] });
    // 2 for the absent one, 2 × 2 blocks for the other.
    expect(unitsOf(outcome)).toEqual([6, {}]);
    expect(outcome.output.Responses).toMatchObject([{}, { Item: key(1) }]);
  });

  test('is cancelled by a key that does not fit, and refuses one item twice', () => {
    const db = new OrdersDatabase();
    const bad = { Get: { TableName, Key: attributes({ PK: 'c1' }) } };
    expect(codesOf(db.send('TransactGetItems', { TransactItems: [get(1), bad] }))).toEqual([
      'None',
      'ValidationError',
    ]);
    expect(failureOf(db.send('TransactGetItems', { TransactItems: [get(1), get(1)] }))).toContain(
      'multiple operations on one item',
    );
  });
});

describe('while a transaction is in flight', () => {
  const transaction = (...TransactItems: TransactWriteItem[]): Request => ({
    api: 'TransactWriteItems',
    input: { TransactItems },
  });
  const single = (number: number): Request => ({ api: 'PutItem', input: { TableName, Item: key(number) } });

  function inFlight() {
    const { database } = new OrdersDatabase();
    const first = transaction(put(1), put(2));
    expect(database.begin(first, 0)).toBeUndefined();
    return { database, first };
  }

  test('another on one of its items is cancelled, and says on which', () => {
    const { database } = inFlight();
    const outcome = database.begin(transaction(put(3), put(2)), 1);
    expect(outcome?.kind).toBe('conflict');
    expect(outcome && codesOf(outcome)).toEqual(['None', 'TransactionConflict']);
  });

  test('another on other items goes through', () => {
    const { database } = inFlight();
    expect(database.handle(transaction(put(3)), 1).kind).toBe('ok');
  });

  test('a single write of one of its items is in conflict, and of another is not', () => {
    const { database } = inFlight();
    expect(database.begin(single(1), 1)).toEqual({ kind: 'conflict' });
    expect(database.handle(single(3), 1).kind).toBe('ok');
  });

  test('a single write that began before it is in conflict when it ends', () => {
    const { database } = new OrdersDatabase();
    expect(database.begin(single(1), 0)).toBeUndefined();
    database.begin(transaction(put(1)), 1);
    expect(database.complete(single(1), 2)).toEqual({ kind: 'conflict' });
  });

  test('members of a batch on its items come back as unprocessed', () => {
    const { database } = inFlight();
    const writes = [1, 3].map((number) => ({ PutRequest: { Item: key(number) } }));
    const outcome = database.handle(
      { api: 'BatchWriteItem', input: { RequestItems: { orders: writes } } },
      1,
    );
    expect(outcome).toMatchObject({ kind: 'partial', output: { UnprocessedItems: { orders: [writes[0]] } } });
  });

  test('a read transaction is in conflict, and a single read is served from before', () => {
    const { database } = inFlight();
    const get = { TableName, Key: key(1) };
    expect(
      database.begin({ api: 'TransactGetItems', input: { TransactItems: [{ Get: get }] } }, 1)?.kind,
    ).toBe('conflict');
    expect(database.handle({ api: 'GetItem', input: get }, 1)).toMatchObject({ kind: 'ok', output: {} });
  });

  test('its end lets go of the items', () => {
    const { database, first } = inFlight();
    expect(database.complete(first, 2).kind).toBe('ok');
    expect(database.handle(single(1), 3).kind).toBe('ok');
  });

  test('a mistake in it is told at its end, and holds nothing afterwards', () => {
    const { database } = new OrdersDatabase();
    const wrong = transaction(put(1), { Update: { TableName, Key: key(2), UpdateExpression: 'SET' } });
    expect(database.begin(wrong, 0)).toBeUndefined();
    expect(failureOf(database.complete(wrong, 1))).toContain('Invalid UpdateExpression');
    expect(database.handle(single(1), 2).kind).toBe('ok');
  });
});
