// Aim: single writes do what they say to items and indexes, consume what AWS says, and refuse mistakes in
// DynamoDB's words. Method: one simulated table, requests far enough apart that nothing throttles, arithmetic
// of units in the rows.
import { describe, expect, test } from 'vitest';
import type { AttributeValue } from '../../../src/dynamodb/attribute-value.ts';
import { attributes, failureOf, OrdersDatabase, unitsOf } from '../../support/simulated-orders.ts';

const order = { PK: 'c1', SK: 1 };
const open = { ...order, status: 'open', date: '2026-01-01' };

/** Filler that makes an item weigh about so many KB, whatever else it holds. */
function kilobytes(count: number) {
  return { body: { fillerBytes: count * 1_024 - 200 } };
}

describe('PutItem', () => {
  test('stores the item it was given, without a copy', () => {
    const db = new OrdersDatabase();
    const item = attributes(open);
    db.ok('PutItem', { Item: item });
    expect(db.get(order)).toBe(item);
  });

  test('brings numbers into canonical form', () => {
    const db = new OrdersDatabase();
    db.ok('PutItem', { Item: { ...attributes(order), n: { N: '1.50' }, deep: { L: [{ N: '1e2' }] } } });
    expect(db.get(order)).toMatchObject({ n: { N: '1.5' }, deep: { L: [{ N: '100' }] } });
  });

  test.each([
    ['a new item: by its size', 0, 3, [3, {}]],
    ['a larger one in place of a smaller: by the larger', 1, 3, [3, {}]],
    ['a smaller one in place of a larger: by the larger', 3, 1, [3, {}]],
  ])('consumes for %s', (_, before, after, units) => {
    const db = new OrdersDatabase();
    if (before > 0) db.put(order, kilobytes(before));
    expect(unitsOf(db.put(order, kilobytes(after)))).toEqual(units);
  });

  test('consumes on each index whose entry changes, and on no other', () => {
    const db = new OrdersDatabase();
    expect(unitsOf(db.put({ ...open, total: 5, city: 'Rome' }, kilobytes(3)))).toEqual([
      3,
      { GSI1: 3, byCity: 1, byTotal: 1 },
    ]);
    // The same status, date, city and total; a larger body, which only the index over everything holds.
    expect(unitsOf(db.put({ ...open, total: 5, city: 'Rome' }, kilobytes(4)))).toEqual([4, { GSI1: 4 }]);
    // The status moves: the old and the new entry, each 4.
    expect(unitsOf(db.put({ ...open, status: 'done', total: 5, city: 'Rome' }, kilobytes(4)))).toEqual([
      4,
      { GSI1: 8 },
    ]);
  });

  test('keeps indexes in step: entries come, move and go', () => {
    const db = new OrdersDatabase();
    db.put({ ...open, city: 'Rome', note: 'n' });
    expect(db.scanned('byCity')).toEqual([attributes({ ...order, city: 'Rome', note: 'n' })]);
    db.put({ ...order, status: 'done', date: '2026-01-02' });
    expect(db.scanned('byCity')).toEqual([]);
    expect(db.scanned('GSI1')).toEqual([attributes({ ...order, status: 'done', date: '2026-01-02' })]);
  });

  test('gives the old item back where asked, and counts the replacement', () => {
    const db = new OrdersDatabase();
    db.put(open);
    const { output } = db.ok('PutItem', {
      Item: attributes({ ...order, note: 'new' }),
      ReturnValues: 'ALL_OLD',
    });
    expect(output.Attributes).toEqual(attributes(open));
    expect(db.database.observe('orders')).toMatchObject({ replacedPuts: 1, itemCount: 1 });
  });

  test.each([
    ['a missing key', { PK: 'c1' }, 'Missing the key SK in the item'],
    ['a key of the wrong type', { PK: 'c1', SK: 'one' }, 'Type mismatch for key SK expected: N actual: S'],
    ['an empty key', { PK: '', SK: 1 }, 'cannot contain an empty string value. Key: PK'],
    [
      'a long key',
      { PK: 'x'.repeat(2_049), SK: 1 },
      'Size of hashkey has exceeded the maximum size limit of2048 bytes',
    ],
    [
      'an index key of the wrong type',
      { ...order, status: 1 },
      'Type mismatch for Index Key status Expected: S Actual: N IndexName: GSI1',
    ],
  ])('refuses %s', (_, native, message) => {
    expect(failureOf(new OrdersDatabase().put(native))).toContain(`ValidationException: `);
    expect(failureOf(new OrdersDatabase().put(native))).toContain(message);
  });

  test('takes an item of 400 KB and refuses one byte more', () => {
    const db = new OrdersDatabase();
    // PK and c1 are 4 bytes, SK and 1 are 4, body is 4.
    const body = (bytes: number) => ({ body: { fillerBytes: bytes - 12 } });
    expect(db.put(order, body(409_600)).kind).toBe('ok');
    expect(failureOf(db.put(order, body(409_601)))).toBe(
      'ValidationException: Item size has exceeded the maximum allowed size',
    );
  });

  test('on a table that is not there is told so', () => {
    const outcome = new OrdersDatabase().send('PutItem', { TableName: 'nowhere', Item: attributes(order) });
    expect(failureOf(outcome)).toBe('ResourceNotFoundException: Requested resource not found');
  });
});

describe('a condition that fails', () => {
  test.each([
    ['a put of 3 KB over an item of 1 KB: by the larger', 1, 3, 3],
    ['a put of 1 KB over an item of 3 KB: by the larger', 3, 1, 3],
  ])('is charged on the table for %s', (_, stored, proposed, units) => {
    const db = new OrdersDatabase();
    db.put(order, kilobytes(stored));
    const outcome = db.send('PutItem', {
      Item: { ...attributes(order), ...kilobytes(proposed) },
      ConditionExpression: 'attribute_not_exists(PK)',
    });
    expect(outcome.kind).toBe('conditionFailed');
    expect(unitsOf(outcome)).toEqual([units, {}]);
  });

  test('costs 1 where there is no item, and gives back none', () => {
    const outcome = new OrdersDatabase().send('DeleteItem', {
      Key: attributes(order),
      ConditionExpression: 'attribute_exists(PK)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    expect(unitsOf(outcome)).toEqual([1, {}]);
    expect(outcome).not.toHaveProperty('item');
  });

  test('changes nothing, and gives the stored item back where asked', () => {
    const db = new OrdersDatabase();
    db.put(open);
    const outcome = db.send('UpdateItem', {
      Key: attributes(order),
      UpdateExpression: 'REMOVE note',
      ConditionExpression: 'attribute_exists(note)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    expect(outcome).toMatchObject({ kind: 'conditionFailed', item: attributes(open) });
    expect(db.get(order)).toEqual(attributes(open));
  });
});

describe('UpdateItem', () => {
  const setNote = (note: string) => ({
    Key: attributes(order),
    UpdateExpression: 'SET note = :n',
    ExpressionAttributeValues: { ':n': { S: note } },
  });

  test('is charged for the whole item, however small the change', () => {
    const db = new OrdersDatabase();
    db.put(open, kilobytes(3));
    expect(unitsOf(db.send('UpdateItem', setNote('x')))).toEqual([3, { GSI1: 3 }]);
  });

  test('moves an index entry when it changes an index key', () => {
    const db = new OrdersDatabase();
    db.put(open);
    const outcome = db.ok('UpdateItem', {
      Key: attributes(order),
      UpdateExpression: 'SET #s = :s',
      ExpressionAttributeNames: { '#s': 'status' },
      ExpressionAttributeValues: { ':s': { S: 'done' } },
    });
    expect(unitsOf(outcome)).toEqual([1, { GSI1: 2 }]);
    expect(db.scanned('GSI1')).toEqual([attributes({ ...open, status: 'done' })]);
  });

  test('makes an item of the key where there is none', () => {
    const db = new OrdersDatabase();
    db.ok('UpdateItem', setNote('x'));
    expect(db.get(order)).toEqual(attributes({ ...order, note: 'x' }));
  });

  test('makes no item of nothing when it only removes', () => {
    const db = new OrdersDatabase();
    const outcome = db.ok('UpdateItem', {
      Key: attributes(order),
      UpdateExpression: 'REMOVE note',
      ReturnValues: 'ALL_NEW',
    });
    expect(outcome.output).toEqual({});
    expect(unitsOf(outcome)).toEqual([1, {}]);
    expect(db.get(order)).toBeUndefined();
  });

  test.each([
    ['NONE', undefined],
    ['ALL_OLD', { ...order, note: 'old', other: 'o' }],
    ['ALL_NEW', { ...order, note: 'new', other: 'o' }],
    ['UPDATED_OLD', { note: 'old' }],
    ['UPDATED_NEW', { note: 'new' }],
  ] as const)('returns %s', (ReturnValues, expected) => {
    const db = new OrdersDatabase();
    db.put({ ...order, note: 'old', other: 'o' });
    const { output } = db.ok('UpdateItem', { ...setNote('new'), ReturnValues });
    expect(output.Attributes).toEqual(expected && attributes(expected));
  });

  test.each([
    ['the key', 'SET PK = :n', 'Cannot update attribute PK. This attribute is part of the key'],
    [
      'an index key to a wrong type',
      'SET city = :n',
      'Type mismatch for Index Key city Expected: S Actual: N IndexName: byCity',
    ],
  ])('refuses to change %s', (_, UpdateExpression, message) => {
    const outcome = new OrdersDatabase().send('UpdateItem', {
      Key: attributes(order),
      UpdateExpression,
      ExpressionAttributeValues: { ':n': { N: '1' } },
    });
    expect(failureOf(outcome)).toContain(message);
  });

  test('may not take a document beyond 32 levels, wherever in it the value is set', () => {
    const maps = (count: number): AttributeValue =>
      count === 0 ? { S: 'leaf' } : { M: { n: maps(count - 1) } };
    const db = new OrdersDatabase();
    db.put({ PK: 'c1', SK: 1 }, { doc: { M: { a: { S: 'x' } } } });
    const set = (value: AttributeValue) =>
      db.send('UpdateItem', {
        Key: attributes({ PK: 'c1', SK: 1 }),
        UpdateExpression: 'SET doc.a = :v',
        ExpressionAttributeValues: { ':v': value },
      });
    // The document is level 1 and what is set in it level 2: 30 maps bring the text to level 32.
    expect(set(maps(30)).kind).toBe('ok');
    expect(failureOf(set(maps(31)))).toContain('Nesting Levels have exceeded supported limits');
  });

  test('counts 19 bytes for each value it writes against the 400 KB', () => {
    const db = new OrdersDatabase();
    // The gate: item − key (8 bytes) + 3 + 19 ≤ 409,600, so an update that adds nothing may end at 409,586
    // bytes.
    db.put({ ...order, note: 'x' }, { body: { fillerBytes: 409_586 - 12 - 5 } });
    expect(db.send('UpdateItem', setNote('y')).kind).toBe('ok');
    db.put({ ...order, note: 'x' }, { body: { fillerBytes: 409_587 - 12 - 5 } });
    expect(failureOf(db.send('UpdateItem', setNote('y')))).toBe(
      'ValidationException: Item size to update has exceeded the maximum allowed size',
    );
  });
});

describe('DeleteItem', () => {
  test('is charged for what it takes away, on the table and its indexes', () => {
    const db = new OrdersDatabase();
    db.put(open, kilobytes(2));
    const outcome = db.ok('DeleteItem', { Key: attributes(order), ReturnValues: 'ALL_OLD' });
    expect(unitsOf(outcome)).toEqual([2, { GSI1: 2 }]);
    expect(outcome.output.Attributes).toMatchObject(attributes(open));
    expect([db.scanned(), db.scanned('GSI1')]).toEqual([[], []]);
  });

  test('of nothing costs 1', () => {
    expect(unitsOf(new OrdersDatabase().ok('DeleteItem', { Key: attributes(order) }))).toEqual([1, {}]);
  });

  test('refuses a key that is not the table’s', () => {
    const outcome = new OrdersDatabase().send('DeleteItem', { Key: attributes({ PK: 'c1' }) });
    expect(failureOf(outcome)).toBe(
      'ValidationException: The provided key element does not match the schema',
    );
  });
});
