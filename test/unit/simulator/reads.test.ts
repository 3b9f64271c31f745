// Aim: reads give the right page, say where to go on, and consume what AWS says. Method: items of round
// sizes, arithmetic in comments.
import { describe, expect, test } from 'vitest';
import { itemSizeBytes } from '../../../src/dynamodb/item-size.ts';
import type { QueryInput, Request } from '../../../src/dynamodb/operation.ts';
import { attributes, failureOf, OrdersDatabase, unitsOf } from '../../support/simulated-orders.ts';

/** Orders 1 … count of one customer, each of exactly `bytes`, with decreasing totals. */
function ordersOf(count: number, bytes: number): OrdersDatabase {
  const db = new OrdersDatabase();
  for (let index = 0; index < count; index++) {
    const native = {
      PK: 'c1',
      SK: index + 1,
      status: 'open',
      date: `d${String(index).padStart(3, '0')}`,
      total: 100 - index,
    };
    const bare = attributes({ ...native, body: '' });
    db.put(native, { body: { fillerBytes: bytes - itemSizeBytes(bare) } });
  }
  return db;
}

const ofCustomer = {
  KeyConditionExpression: 'PK = :p',
  ExpressionAttributeValues: { ':p': { S: 'c1' } },
} satisfies Partial<QueryInput>;

describe('GetItem', () => {
  test.each([
    ['4 KB read eventually', 4_096, false, 0.5],
    ['4 KB read strongly', 4_096, true, 1],
    ['a byte more, eventually', 4_097, false, 1],
    ['a byte more, strongly', 4_097, true, 2],
  ])('costs for %s', (_, bytes, ConsistentRead, units) => {
    const db = ordersOf(1, bytes);
    expect(unitsOf(db.ok('GetItem', { Key: attributes({ PK: 'c1', SK: 1 }), ConsistentRead }))).toEqual([
      units,
      {},
    ]);
  });

  test('costs the whole item whatever is projected, and the minimum where there is none', () => {
    const db = ordersOf(1, 9_000);
    const projected = db.ok('GetItem', {
      Key: attributes({ PK: 'c1', SK: 1 }),
      ProjectionExpression: 'SK',
    });
    expect(projected.output.Item).toEqual(attributes({ SK: 1 }));
    expect(unitsOf(projected)).toEqual([1.5, {}]);
    expect(unitsOf(db.ok('GetItem', { Key: attributes({ PK: 'c1', SK: 9 }) }))).toEqual([0.5, {}]);
  });
});

describe('Query', () => {
  test('sums the bytes of a page and rounds once', () => {
    // 10 × 1,000 bytes = 10,000 → three blocks of 4 KB → 1.5 eventually.
    const outcome = ordersOf(10, 1_000).ok('Query', ofCustomer);
    expect(outcome.output).toMatchObject({ Count: 10, ScannedCount: 10 });
    expect(outcome.output.LastEvaluatedKey).toBeUndefined();
    expect(unitsOf(outcome)).toEqual([1.5, {}]);
  });

  test('costs 0.5 where it finds nothing, 1 strongly', () => {
    const db = new OrdersDatabase();
    expect(unitsOf(db.ok('Query', ofCustomer))).toEqual([0.5, {}]);
    expect(unitsOf(db.ok('Query', { ...ofCustomer, ConsistentRead: true }))).toEqual([1, {}]);
  });

  test('by Limit says where to go on, even when nothing is left', () => {
    const db = ordersOf(4, 500);
    const first = db.ok('Query', { ...ofCustomer, Limit: 2 }).output;
    expect(first.LastEvaluatedKey).toEqual(attributes({ PK: 'c1', SK: 2 }));
    const second = db.ok('Query', {
      ...ofCustomer,
      Limit: 2,
      ExclusiveStartKey: first.LastEvaluatedKey ?? {},
    }).output;
    expect(second.Items?.map((item) => item.SK?.N)).toEqual(['3', '4']);
    expect(second.LastEvaluatedKey).toEqual(attributes({ PK: 'c1', SK: 4 }));
    const third = db.ok('Query', {
      ...ofCustomer,
      Limit: 2,
      ExclusiveStartKey: second.LastEvaluatedKey ?? {},
    }).output;
    expect(third).toEqual({ Items: [], Count: 0, ScannedCount: 0 });
  });

  test('ends a page with the item that crosses 1 MB', () => {
    // 4 × 300,000 bytes pass 1,048,576 with the fourth.
    const db = ordersOf(6, 300_000);
    const { output } = db.ok('Query', ofCustomer);
    expect(output.ScannedCount).toBe(4);
    expect(output.LastEvaluatedKey).toEqual(attributes({ PK: 'c1', SK: 4 }));
  });

  test('filters after reading: the bill stays', () => {
    const outcome = ordersOf(10, 1_000).ok('Query', {
      ...ofCustomer,
      FilterExpression: '#t > :t',
      ExpressionAttributeNames: { '#t': 'total' },
      ExpressionAttributeValues: { ':p': { S: 'c1' }, ':t': { N: '98' } },
    });
    expect(outcome.output).toMatchObject({ Count: 2, ScannedCount: 10 });
    expect(unitsOf(outcome)).toEqual([1.5, {}]);
  });

  test('counts without items, at the same price', () => {
    const outcome = ordersOf(10, 1_000).ok('Query', { ...ofCustomer, Select: 'COUNT' });
    expect(outcome.output).toEqual({ Count: 10, ScannedCount: 10 });
    expect(unitsOf(outcome)).toEqual([1.5, {}]);
  });

  test('of a global index pays on its arm for entries, and names both keys where it stops', () => {
    const outcome = ordersOf(10, 1_000).ok('Query', {
      IndexName: 'GSI1',
      KeyConditionExpression: '#s = :s AND #d > :d',
      ExpressionAttributeNames: { '#s': 'status', '#d': 'date' },
      ExpressionAttributeValues: { ':s': { S: 'open' }, ':d': { S: 'd004' } },
      ScanIndexForward: false,
      Limit: 3,
    });
    expect(outcome.output.Items?.map((item) => item.date?.S)).toEqual(['d009', 'd008', 'd007']);
    expect(outcome.output.LastEvaluatedKey).toEqual(
      attributes({ PK: 'c1', SK: 8, status: 'open', date: 'd007' }),
    );
    expect(unitsOf(outcome)).toEqual([0, { GSI1: 0.5 }]);
  });

  test('of a local index pays for entries, and for each item fetched besides', () => {
    // Facts 1.2: three base items of 9 KB cost 4.5 eventually and 9 strongly on top of the entries.
    const db = ordersOf(3, 9_000);
    const ofIndex = { ...ofCustomer, IndexName: 'byTotal' };
    expect(unitsOf(db.ok('Query', ofIndex))).toEqual([0, { byTotal: 0.5 }]);
    expect(unitsOf(db.ok('Query', { ...ofIndex, Select: 'ALL_ATTRIBUTES' }))).toEqual([
      4.5,
      { byTotal: 0.5 },
    ]);
    const strong = db.ok('Query', { ...ofIndex, ProjectionExpression: 'body', ConsistentRead: true });
    expect(unitsOf(strong)).toEqual([9, { byTotal: 1 }]);
    expect(strong.output.Items).toHaveLength(3);
  });

  test('of a local index orders by its own sort key', () => {
    const { output } = ordersOf(4, 500).ok('Query', { ...ofCustomer, IndexName: 'byTotal' });
    expect(output.Items?.map((item) => item.total?.N)).toEqual(['97', '98', '99', '100']);
  });

  test.each<[string, Partial<QueryInput>, string]>([
    [
      'strongly on a global index',
      { IndexName: 'GSI1', ConsistentRead: true },
      'Consistent reads are not supported on global secondary indexes',
    ],
    [
      'on an index that does not exist',
      { IndexName: 'GSI9' },
      'The table does not have the specified index: GSI9',
    ],
    [
      'with a filter on its key',
      { FilterExpression: 'SK > :p' },
      'Filter Expression can only contain non-primary key attributes: Primary key attribute: SK',
    ],
    [
      'for more than a global index holds',
      { IndexName: 'byCity', Select: 'ALL_ATTRIBUTES' },
      'Select type ALL_ATTRIBUTES is not supported for global secondary index byCity',
    ],
    [
      'for attributes by name that a global index does not hold',
      {
        IndexName: 'byCity',
        ProjectionExpression: 'SK, note, #t, body.line',
        ExpressionAttributeNames: { '#t': 'total' },
      },
      'One or more parameter values were invalid: Global secondary index byCity does not project [total, body]',
    ],
    [
      'with a filter on what a global index does not hold',
      {
        IndexName: 'byCity',
        KeyConditionExpression: 'city = :p',
        FilterExpression: 'note = :p AND (size(body) > :p OR PK = :p)',
      },
      'One or more parameter values were invalid: Secondary index byCity does not project one or more filter attributes: [body]',
    ],
    [
      'with a filter on what a local index does not hold, though it could fetch it',
      { IndexName: 'byTotal', Select: 'ALL_ATTRIBUTES', FilterExpression: 'note = :p' },
      'Secondary index byTotal does not project one or more filter attributes: [note]',
    ],
    [
      'from another partition',
      { ExclusiveStartKey: attributes({ PK: 'c2', SK: 1 }) },
      'The provided starting key is outside query boundaries',
    ],
    [
      'from a key that is none',
      { ExclusiveStartKey: attributes({ PK: 'c1' }) },
      'The provided starting key is invalid',
    ],
    ['for no items', { Limit: 0 }, 'Member must have value greater than or equal to 1'],
  ])('is refused %s', (_, input, message) => {
    expect(failureOf(new OrdersDatabase().send('Query', { ...ofCustomer, ...input }))).toContain(message);
  });
});

describe('Scan', () => {
  test('reads everything once over pages and segments', () => {
    const db = new OrdersDatabase();
    for (let index = 0; index < 50; index++) db.put({ PK: `c${index % 10}`, SK: index });
    const numbers = (segment: number) => {
      const found: string[] = [];
      let ExclusiveStartKey = {};
      for (;;) {
        const start = Object.keys(ExclusiveStartKey).length > 0 ? { ExclusiveStartKey } : {};
        const { output } = db.ok('Scan', { Segment: segment, TotalSegments: 3, Limit: 4, ...start });
        for (const item of output.Items ?? []) found.push(item.SK?.N ?? '');
        if (output.LastEvaluatedKey === undefined) return found;
        ExclusiveStartKey = output.LastEvaluatedKey;
      }
    };
    const all = [0, 1, 2].flatMap(numbers).map(Number);
    expect(all.toSorted((left, right) => left - right)).toEqual(
      Array.from({ length: 50 }, (_, index) => index),
    );
  });

  test('goes on behind an item that was deleted meanwhile', () => {
    const db = new OrdersDatabase();
    for (let index = 0; index < 10; index++) db.put({ PK: `c${index}`, SK: 1 });
    const all = db.scanned();
    const { output } = db.ok('Scan', { Limit: 4 });
    db.ok('DeleteItem', { Key: output.LastEvaluatedKey ?? {} });
    const rest = db.ok('Scan', { ExclusiveStartKey: output.LastEvaluatedKey ?? {} }).output.Items;
    expect([...(output.Items ?? []), ...(rest ?? [])]).toEqual(all);
  });

  test('charges the partitions it read, and what it reports, to the half unit', () => {
    const db = new OrdersDatabase();
    for (let index = 0; index < 40; index++)
      db.put({ PK: `c${index}`, SK: 1 }, { body: { fillerBytes: 1_000 } });
    const [units] = unitsOf(db.ok('Scan', {}));
    // 40 × about 1,012 bytes → ten blocks → 5.
    expect(units).toBe(5);
    const { read } =
      db.database.observe('orders').resources[0] ?? expect.unreachable('the table is observed');
    expect(read.units).toBe(5);
  });

  test.each([
    ['a segment without a total', { Segment: 0 }, 'TotalSegments parameter is required'],
    [
      'attributes that a global index does not hold',
      { IndexName: 'byCity', ProjectionExpression: 'note, body' },
      'Global secondary index byCity does not project [body]',
    ],
    [
      'a segment beyond the total',
      { Segment: 2, TotalSegments: 2 },
      'Segment: 2 is not less than TotalSegments: 2',
    ],
  ])('refuses %s', (_, input, message) => {
    expect(failureOf(new OrdersDatabase().send('Scan', input))).toContain(message);
  });
});

describe('a page whose items nobody looks at', () => {
  test.each<['Query' | 'Scan', object]>([
    ['Query', ofCustomer],
    ['Query', { ...ofCustomer, Limit: 3 }],
    ['Query', { ...ofCustomer, ProjectionExpression: 'SK' }],
    ['Query', { ...ofCustomer, IndexName: 'byTotal', Select: 'ALL_ATTRIBUTES' }],
    ['Scan', { FilterExpression: 'SK > :n', ExpressionAttributeValues: { ':n': { N: '4' } } }],
    ['Scan', { Limit: 3, IndexName: 'GSI1' }],
  ])('of a %s with %j differs in nothing but its items', (api, input) => {
    const db = ordersOf(10, 1_000);
    const request = { api, input: { TableName: 'orders', ...input } } as Request; // The API with its own input.
    const atUs = 10 ** 9;
    const whole = db.database.complete(request, atUs);
    const counted = db.database.complete(request, atUs, false);
    if (whole.kind !== 'ok' || counted.kind !== 'ok') throw new Error('both were expected to succeed');
    const { Items, ...rest } = whole.output;
    expect(Items).toHaveLength(rest.Count ?? 0);
    expect(counted).toEqual({ ...whole, output: rest });
  });
});
