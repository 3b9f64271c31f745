// Aim: what each operation costs and what its answer says of it, rule by rule as "DynamoDB read and write
// operations" and captures have them (PartiQL has a file of its own). Method: one table with an index of each
// kind, items of exact sizes, one request through the simulated database; the names of the rows are the rules.
import { describe, expect, test } from 'vitest';
import type { AttributeMap, AttributeValue } from '../../../src/dynamodb/attribute-value.ts';
import type { Units } from '../../../src/dynamodb/consumed-capacity.ts';
import { itemSizeBytes } from '../../../src/dynamodb/item-size.ts';
import type { DataApi, Request, TransactWriteItem } from '../../../src/dynamodb/operation.ts';
import type { Outcome } from '../../../src/dynamodb/outcome.ts';
import type { TableSpec } from '../../../src/dynamodb/table-spec.ts';
import { dataAnswer } from '../../../src/serve/data-answer.ts';
import { attributes, OrdersDatabase, ordersTable } from '../../support/simulated-orders.ts';
import { capturedNumberSizes } from '../../support/captured-number-sizes.ts';

const text = (name: string) => ({ name, type: 'S' }) as const;
const [wide] = ordersTable.globalIndexes;
if (wide === undefined) throw new Error('the table of orders has a global index');

/** Two global indexes and two local ones, one of each wide and one narrow. */
const table: TableSpec = {
  ...ordersTable,
  tableName: 't',
  keys: { partition: text('p'), sort: text('s') },
  globalIndexes: [
    { ...wide, name: 'wide', keys: { partition: text('state'), sort: text('at') } },
    {
      ...wide,
      name: 'narrow',
      keys: { partition: text('city') },
      projection: { kind: 'INCLUDE', attributes: ['note'] },
    },
  ],
  localIndexes: [
    { name: 'localWide', keys: { partition: text('p'), sort: text('rank') }, projection: { kind: 'ALL' } },
    {
      name: 'localKeys',
      keys: { partition: text('p'), sort: text('mark') },
      projection: { kind: 'KEYS_ONLY' },
    },
  ],
};
const other: TableSpec = { ...table, tableName: 'u', globalIndexes: [], localIndexes: [] };

const KB = 1_024;
type Native = { readonly [name: string]: string };

/** An item of exactly this size. */
function item(native: Native, bytes: number): AttributeMap {
  const bare = attributes({ p: 'p', s: 's', ...native, body: '' });
  return { ...bare, body: { S: 'x'.repeat(bytes - itemSizeBytes(bare)) } };
}

const key = (s = 's') => attributes({ p: 'p', s });

function databaseOf(stored: readonly AttributeMap[], tableName = 't'): OrdersDatabase {
  const db = new OrdersDatabase({ tables: [table, other] });
  for (const one of stored) db.database.preload(tableName, one);
  return db;
}

/** Units by arm; `t` and `u` are the tables. */
type Cost = { readonly [arm: string]: number };

function send(stored: readonly AttributeMap[], api: DataApi, input: object): Outcome {
  return databaseOf(stored).send(api, { TableName: 't', ...input });
}

function costOf(outcome: Outcome): Cost {
  const consumed =
    outcome.kind === 'ok' || outcome.kind === 'partial'
      ? outcome.consumed
      : outcome.kind === 'conditionFailed'
        ? (outcome.estimated ?? [])
        : undefined;
  if (consumed === undefined) throw new Error(`ended ${JSON.stringify(outcome)}`);
  const sum = ({ readUnits, writeUnits }: Units) => readUnits + writeUnits;
  return Object.fromEntries(
    consumed.flatMap(({ tableName, table: own, localIndexes, globalIndexes }) => [
      [tableName, sum(own)],
      ...Object.entries({ ...localIndexes, ...globalIndexes }).map(([name, units]) => [name, sum(units)]),
    ]),
  );
}

/** What is stored, what is asked, what it costs. */
type Row = readonly [rule: string, stored: readonly AttributeMap[], api: DataApi, input: object, cost: Cost];

function costs(rows: readonly Row[]): void {
  test.each(rows)('%s', (_, stored, api, input, cost) => {
    expect(costOf(send(stored, api, input))).toEqual(cost);
  });
}

const strong = { ConsistentRead: true };
const partition = { KeyConditionExpression: 'p = :p', ExpressionAttributeValues: attributes({ ':p': 'p' }) };
const inState = {
  IndexName: 'wide',
  KeyConditionExpression: '#s = :s',
  ExpressionAttributeNames: { '#s': 'state' },
  ExpressionAttributeValues: attributes({ ':s': 'open' }),
};
const count = (length: number, make: (index: number) => AttributeMap) =>
  Array.from({ length }, (_, index) => make(index));
/** Ten items of 4,178 bytes: 41,780 bytes, 40.8 KB. */
const tenItems = count(10, (index) => item({ s: `s${index}` }, 4_178));

describe('1.2 reads', () => {
  costs([
    [
      'GetItem pays for each started 4 KB, half of it eventually',
      [item({}, 4 * KB)],
      'GetItem',
      { Key: key() },
      { t: 0.5 },
    ],
    ['GetItem of one byte more pays for two', [item({}, 4 * KB + 1)], 'GetItem', { Key: key() }, { t: 1 }],
    [
      'GetItem strongly consistent pays twice as much',
      [item({}, 4 * KB + 1)],
      'GetItem',
      { Key: key(), ...strong },
      { t: 2 },
    ],
    [
      'GetItem pays for the whole item whatever is projected',
      [item({}, 9 * KB)],
      'GetItem',
      { Key: key(), ProjectionExpression: 's' },
      { t: 1.5 },
    ],
    ['GetItem of an absent item costs 0.5 eventually', [], 'GetItem', { Key: key() }, { t: 0.5 }],
    [
      'GetItem of an absent item costs 1 strongly consistent',
      [],
      'GetItem',
      { Key: key(), ...strong },
      { t: 1 },
    ],
    // 1.5 KB → 4 KB, 6.5 KB → 8 KB: 3 units strongly.
    [
      'BatchGetItem rounds each key on its own',
      [item({}, 1.5 * KB), item({ s: 'b' }, 6.5 * KB)],
      'BatchGetItem',
      { RequestItems: { t: { Keys: [key(), key('b')], ...strong } } },
      { t: 3 },
    ],
    [
      'BatchGetItem pays 0.5 for each absent key',
      [],
      'BatchGetItem',
      { RequestItems: { t: { Keys: [key(), key('b')] } } },
      { t: 1 },
    ],
    [
      'BatchGetItem pays 1 for each absent key strongly consistent',
      [],
      'BatchGetItem',
      { RequestItems: { t: { Keys: [key(), key('b')], ...strong } } },
      { t: 2 },
    ],
    [
      'BatchGetItem sums tables apart',
      [item({}, 5 * KB)],
      'BatchGetItem',
      { RequestItems: { t: { Keys: [key()] }, u: { Keys: [key()] } } },
      { t: 1, u: 0.5 },
    ],
    [
      'TransactGetItems pays two for each started 4 KB',
      [item({}, 4 * KB + 1)],
      'TransactGetItems',
      { TransactItems: [{ Get: { TableName: 't', Key: key() } }] },
      { t: 4 },
    ],
    [
      'TransactGetItems pays 2 for an absent item',
      [],
      'TransactGetItems',
      { TransactItems: [{ Get: { TableName: 't', Key: key() } }] },
      { t: 2 },
    ],
    [
      'TransactGetItems rounds each item on its own',
      [item({}, KB), item({ s: 'b' }, KB)],
      'TransactGetItems',
      { TransactItems: ['s', 'b'].map((s) => ({ Get: { TableName: 't', Key: key(s) } })) },
      { t: 4 },
    ],
    // 41,780 bytes → 44 KB: 11 strongly.
    ['Query sums the bytes it evaluates and rounds once', tenItems, 'Query', partition, { t: 5.5 }],
    [
      'Query strongly consistent pays twice as much',
      tenItems,
      'Query',
      { ...partition, ...strong },
      { t: 11 },
    ],
    [
      'Query pays for what its filter leaves out',
      tenItems,
      'Query',
      { ...partition, FilterExpression: 'attribute_exists(absent)' },
      { t: 5.5 },
    ],
    [
      'Query pays for what its projection leaves out',
      tenItems,
      'Query',
      { ...partition, ProjectionExpression: 's' },
      { t: 5.5 },
    ],
    [
      'Query that counts pays for the items',
      tenItems,
      'Query',
      { ...partition, Select: 'COUNT' },
      { t: 5.5 },
    ],
    [
      'Query with a Limit pays for the items up to it',
      tenItems,
      'Query',
      { ...partition, Limit: 2 },
      { t: 1.5 },
    ],
    ['Query of nothing costs 0.5 eventually', [], 'Query', partition, { t: 0.5 }],
    ['Query of nothing costs 1 strongly consistent', [], 'Query', { ...partition, ...strong }, { t: 1 }],
    ['Scan sums the bytes it evaluates and rounds once', tenItems, 'Scan', {}, { t: 5.5 }],
    [
      'Scan pays for what its filter leaves out',
      tenItems,
      'Scan',
      { FilterExpression: 'attribute_exists(absent)' },
      { t: 5.5 },
    ],
    ['Scan that counts pays for the items', tenItems, 'Scan', { Select: 'COUNT' }, { t: 5.5 }],
    ['Scan of nothing costs at least 0.5', [], 'Scan', {}, { t: 0.5 }],
    // Entries of the narrow index hold p, s, city and note: far below 4 KB, whatever the items weigh.
    [
      'Query of a global index pays for its entries, on the arm of the index',
      [item({ city: 'x', note: 'n' }, 30 * KB)],
      'Query',
      {
        IndexName: 'narrow',
        KeyConditionExpression: 'city = :c',
        ExpressionAttributeValues: attributes({ ':c': 'x' }),
      },
      { t: 0, narrow: 0.5 },
    ],
    [
      'Scan of a global index pays for its entries, on the arm of the index',
      [item({ state: 'open', at: '1' }, 30 * KB)],
      'Scan',
      { IndexName: 'wide' },
      { t: 0, wide: 4 },
    ],
    ['Query of a global index that holds nothing costs 0.5', [], 'Query', inState, { t: 0, wide: 0.5 }],
    [
      'Query of a local index that holds what is asked for pays for its entries, on the arm of the index',
      [item({ rank: '1' }, 9 * KB)],
      'Query',
      { IndexName: 'localWide', ...partition },
      { t: 0, localWide: 1.5 },
    ],
    // Three items of 9 KB: 3 × 1.5 on the table, besides the entries.
    [
      'Query of a local index that has to fetch pays for each item rounded on its own besides',
      count(3, (index) => item({ s: `s${index}`, mark: 'm' }, 9 * KB)),
      'Query',
      { IndexName: 'localKeys', ...partition, Select: 'ALL_ATTRIBUTES' },
      { t: 4.5, localKeys: 0.5 },
    ],
    [
      'Query of a local index that has to fetch pays twice as much strongly consistent',
      count(3, (index) => item({ s: `s${index}`, mark: 'm' }, 9 * KB)),
      'Query',
      { IndexName: 'localKeys', ...partition, Select: 'ALL_ATTRIBUTES', ...strong },
      { t: 9, localKeys: 1 },
    ],
    // 4 entries → one block of 4 KB, and 4 items of 300 bytes → a block each: 20 KB.
    [
      'Query of a local index fetches small items at 4 KB each',
      count(4, (index) => item({ s: `s${index}`, mark: 'm' }, 300)),
      'Query',
      { IndexName: 'localKeys', ...partition, ProjectionExpression: 'body', ...strong },
      { t: 4, localKeys: 1 },
    ],
    [
      'Query of a local index for its keys alone fetches nothing',
      count(3, (index) => item({ s: `s${index}`, mark: 'm' }, 9 * KB)),
      'Query',
      { IndexName: 'localKeys', ...partition, ProjectionExpression: 'mark' },
      { t: 0, localKeys: 0.5 },
    ],
  ]);
});

test('1.2 a global index is not read strongly consistent', () => {
  expect(send([], 'Query', { ...inState, ...strong })).toMatchObject({
    kind: 'failed',
    code: 'ValidationException',
  });
});

test('1.2 each segment of a parallel scan pays its own rounding', () => {
  const stored = count(8, (index) => ({ ...item({}, KB), p: { S: `p${index}` } }));
  const of = (Segment: number) => costOf(send(stored, 'Scan', { Segment, TotalSegments: 2 })).t ?? 0;
  // Some of eight items of 1 KB each: 0.5 to 1 a segment, where one scan of 8 KB pays 1.
  expect(of(0)).toBeGreaterThanOrEqual(0.5);
  expect(of(1)).toBeGreaterThanOrEqual(0.5);
  expect(of(0) + of(1)).toBeGreaterThanOrEqual(costOf(send(stored, 'Scan', {})).t ?? 0);
});

test('1.2 a page of 1 MB costs some 128 eventually and is followed by another', () => {
  const outcome = send(
    count(30, (index) => item({ s: `s${String(index).padStart(2, '0')}` }, 40_960)),
    'Query',
    partition,
  );
  // 26 items of 40 KB are the first to reach 1 MB: 1,040 KB → 260 blocks.
  expect(costOf(outcome)).toEqual({ t: 130 });
  expect(outcome).toMatchObject({ output: { ScannedCount: 26, LastEvaluatedKey: key('s25') } });
});

const set = (native: Native, more = '') => ({
  UpdateExpression: `SET ${Object.keys(native)
    .map((name) => `#${name} = :${name}`)
    .join(', ')}${more}`,
  ExpressionAttributeNames: Object.fromEntries(Object.keys(native).map((name) => [`#${name}`, name])),
  ExpressionAttributeValues: attributes(
    Object.fromEntries(Object.entries(native).map(([name, value]) => [`:${name}`, value])),
  ),
});
const isNew = { ConditionExpression: 'attribute_not_exists(p)' };
const isOld = { ConditionExpression: 'attribute_exists(p)' };
const put = (of: AttributeMap) => ({ PutRequest: { Item: of } });

describe('1.3 writes', () => {
  costs([
    ['PutItem pays for each started KB', [], 'PutItem', { Item: item({}, KB) }, { t: 1 }],
    ['PutItem of one byte more pays for two', [], 'PutItem', { Item: item({}, KB + 1) }, { t: 2 }],
    [
      'PutItem that replaces a larger item pays for the larger',
      [item({}, 3 * KB)],
      'PutItem',
      { Item: item({}, 100) },
      { t: 3 },
    ],
    [
      'PutItem that replaces a smaller item pays for the larger',
      [item({}, 100)],
      'PutItem',
      { Item: item({}, 3 * KB) },
      { t: 3 },
    ],
    [
      'PutItem of the same item pays in full',
      [item({}, 3 * KB)],
      'PutItem',
      { Item: item({}, 3 * KB) },
      { t: 3 },
    ],
    [
      'UpdateItem pays for the whole item, however small the change',
      [item({}, 5 * KB - 10)],
      'UpdateItem',
      { Key: key(), ...set({ n: '1' }) },
      { t: 5 },
    ],
    [
      'UpdateItem that shrinks an item pays for it as it was',
      [item({}, 3 * KB)],
      'UpdateItem',
      { Key: key(), UpdateExpression: 'REMOVE body' },
      { t: 3 },
    ],
    [
      'UpdateItem that makes an item pays for it',
      [],
      'UpdateItem',
      { Key: key(), ...set({ n: 'x'.repeat(2 * KB) }) },
      { t: 3 },
    ],
    [
      'UpdateItem that makes no item of nothing costs 1',
      [],
      'UpdateItem',
      { Key: key(), UpdateExpression: 'REMOVE body' },
      { t: 1 },
    ],
    [
      'DeleteItem pays for what it takes away',
      [item({}, 2 * KB + 1)],
      'DeleteItem',
      { Key: key() },
      { t: 3 },
    ],
    ['DeleteItem of an absent item costs 1', [], 'DeleteItem', { Key: key() }, { t: 1 }],
    [
      'BatchWriteItem rounds each member on its own',
      [],
      'BatchWriteItem',
      { RequestItems: { t: [put(item({}, 500)), put(item({ s: 'b' }, 3.5 * KB))] } },
      { t: 5 },
    ],
    [
      'BatchWriteItem pays for the larger of what it replaces and puts',
      [item({}, 3 * KB)],
      'BatchWriteItem',
      { RequestItems: { t: [put(item({}, 500))] } },
      { t: 3 },
    ],
    [
      'BatchWriteItem pays 1 for each absent item it deletes',
      [],
      'BatchWriteItem',
      { RequestItems: { t: ['a', 'b'].map((s) => ({ DeleteRequest: { Key: key(s) } })) } },
      { t: 2 },
    ],
    [
      'BatchWriteItem sums tables apart',
      [],
      'BatchWriteItem',
      { RequestItems: { t: [put(item({}, 2 * KB))], u: [put(item({}, KB))] } },
      { t: 2, u: 1 },
    ],
    [
      'a put whose condition fails pays for the stored item where that is larger',
      [item({}, 4 * KB)],
      'PutItem',
      { Item: item({}, KB), ...isNew },
      { t: 4 },
    ],
    [
      'a put whose condition fails pays for the proposed item where that is larger',
      [item({}, KB)],
      'PutItem',
      { Item: item({}, 4 * KB), ...isNew },
      { t: 4 },
    ],
    [
      'a write whose condition fails costs 1 where there is no item',
      [],
      'DeleteItem',
      { Key: key(), ...isOld },
      { t: 1 },
    ],
    [
      'an update whose condition fails pays for the stored item',
      [item({}, 2 * KB)],
      'UpdateItem',
      { Key: key(), ...set({ n: '1' }), ...isNew },
      { t: 2 },
    ],
    [
      'a write whose condition fails leaves indexes uncharged',
      [item({ state: 'open', at: '1' }, KB)],
      'PutItem',
      { Item: item({ state: 'done', at: '1' }, KB), ...isNew },
      { t: 1 },
    ],
    [
      'a condition that holds adds nothing',
      [item({}, KB)],
      'PutItem',
      { Item: item({}, KB), ...isOld },
      { t: 1 },
    ],
    [
      'ReturnValues add nothing',
      [item({}, 9 * KB)],
      'PutItem',
      { Item: item({}, KB), ReturnValues: 'ALL_OLD' },
      { t: 9 },
    ],
    [
      'ReturnValuesOnConditionCheckFailure adds nothing',
      [item({}, 9 * KB)],
      'PutItem',
      { Item: item({}, KB), ...isNew, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' },
      { t: 9 },
    ],
  ]);
});

const transact = (...TransactItems: readonly TransactWriteItem[]) => ({ TransactItems });
const Put = (of: AttributeMap, more: object = {}): TransactWriteItem => ({
  Put: { TableName: 't', Item: of, ...more },
});
const Check = (s: string, more: object = isOld): TransactWriteItem => ({
  ConditionCheck: { TableName: 't', Key: key(s), ConditionExpression: '', ...more },
});

describe('1.4 transactions', () => {
  costs([
    ['a put pays twice', [], 'TransactWriteItems', transact(Put(item({}, 1.5 * KB))), { t: 4 }],
    [
      'a put that replaces pays twice for the larger',
      [item({}, 3 * KB)],
      'TransactWriteItems',
      transact(Put(item({}, 100))),
      { t: 6 },
    ],
    [
      'an update pays twice for the whole item',
      [item({}, 2 * KB)],
      'TransactWriteItems',
      transact({ Update: { TableName: 't', Key: key(), ...set({ body: '' }) } }),
      { t: 4 },
    ],
    [
      'a delete pays twice',
      [item({}, 2 * KB)],
      'TransactWriteItems',
      transact({ Delete: { TableName: 't', Key: key() } }),
      { t: 4 },
    ],
    [
      'a delete of an absent item costs 2',
      [],
      'TransactWriteItems',
      transact({ Delete: { TableName: 't', Key: key() } }),
      { t: 2 },
    ],
    [
      'index entries pay once',
      [],
      'TransactWriteItems',
      transact(Put(item({ state: 'open', at: '1', rank: '1' }, 1.5 * KB))),
      { t: 4, wide: 2, localWide: 2 },
    ],
    [
      'an entry that moves pays once for each of its places',
      [item({ state: 'open', at: '1' }, 1.5 * KB)],
      'TransactWriteItems',
      transact(Put(item({ state: 'done', at: '1' }, 1.5 * KB))),
      { t: 4, wide: 4 },
    ],
    [
      'a ConditionCheck pays twice for the item it reads, in write units',
      [item({}, 2 * KB)],
      'TransactWriteItems',
      transact(Check('s')),
      { t: 4 },
    ],
    [
      'a ConditionCheck of an absent item costs 2',
      [],
      'TransactWriteItems',
      transact(Check('s', isNew)),
      { t: 2 },
    ],
    [
      'a condition on a put adds nothing',
      [],
      'TransactWriteItems',
      transact(Put(item({}, KB), isNew)),
      { t: 2 },
    ],
    // Two for the put, two for the check that fails: what was prepared is believed to be charged.
    [
      'a transaction cancelled by a condition pays for what it prepared, and for no index',
      [],
      'TransactWriteItems',
      transact(Put(item({ state: 'open', at: '1' }, KB)), Check('absent')),
      { t: 4 },
    ],
  ]);
});

describe('1.4 transactions, repeated', () => {
  test.each([
    ['an item of 1.5 KB costs 4 write units first and 2 read units after', 1.5 * KB, [0, 4], [2, 0]],
    ['a repetition rounds to 4 KB and pays twice', 4 * KB + 1, [0, 10], [4, 0]],
  ])('%s', (_, bytes, first, second) => {
    const db = databaseOf([]);
    const input = { ...transact(Put(item({}, bytes))), ClientRequestToken: 'once' };
    const unitsOf = () =>
      db.ok('TransactWriteItems', input).consumed.map(({ table: own }) => [own.readUnits, own.writeUnits]);
    expect(unitsOf()).toEqual([first]);
    expect(unitsOf()).toEqual([second]);
  });

  test('a repetition after ten minutes is a transaction of its own', () => {
    const db = databaseOf([]);
    const input = { ...transact(Put(item({}, KB))), ClientRequestToken: 'once' };
    db.ok('TransactWriteItems', input);
    db.atUs += 10 * 60_000_000;
    expect(costOf(db.ok('TransactWriteItems', input))).toEqual({ t: 2 });
    expect(db.ok('GetItem', { TableName: 't', Key: key() }).output.Item).toBeDefined();
  });
});

const entry = { state: 'open', at: '1' };

describe('1.6 secondary index writes', () => {
  costs([
    ['an item outside an index leaves it uncharged', [], 'PutItem', { Item: item({}, KB) }, { t: 1 }],
    [
      'an item that lacks one key attribute is outside',
      [],
      'PutItem',
      { Item: item({ state: 'open' }, KB) },
      { t: 1 },
    ],
    [
      'an entry that comes pays for itself',
      [],
      'PutItem',
      { Item: item(entry, 2.5 * KB) },
      { t: 3, wide: 3 },
    ],
    [
      'an entry that goes pays for itself',
      [item(entry, 2.5 * KB)],
      'DeleteItem',
      { Key: key() },
      { t: 3, wide: 3 },
    ],
    [
      'an entry whose key attribute is removed pays for what goes',
      [item(entry, 2.5 * KB)],
      'UpdateItem',
      { Key: key(), UpdateExpression: 'REMOVE #at', ExpressionAttributeNames: { '#at': 'at' } },
      { t: 3, wide: 3 },
    ],
    [
      'an entry that stays as it is costs nothing and has no arm',
      [item(entry, 2.5 * KB)],
      'PutItem',
      { Item: item(entry, 2.5 * KB) },
      { t: 3 },
    ],
    [
      'an entry whose projected attribute changes pays for the larger',
      [item(entry, 2.5 * KB)],
      'PutItem',
      { Item: item(entry, 200) },
      { t: 3, wide: 3 },
    ],
    // The guide's example: 2.3 KB, three units on the table, three for each place.
    [
      'an entry whose key changes pays for both places',
      [item(entry, 2.3 * KB)],
      'UpdateItem',
      { Key: key(), ...set({ at: '2' }) },
      { t: 3, wide: 6 },
    ],
    [
      'an entry that moves and shrinks has each place rounded on its own',
      [item(entry, 2.5 * KB)],
      'PutItem',
      { Item: item({ ...entry, at: '2' }, 200) },
      { t: 3, wide: 4 },
    ],
    [
      'a change outside the projection costs a narrow index nothing',
      [item({ city: 'x', note: 'n' }, 2 * KB)],
      'UpdateItem',
      { Key: key(), ...set({ body: 'other' }) },
      { t: 2 },
    ],
    [
      'a change inside the projection costs a narrow index what it holds',
      [item({ city: 'x', note: 'n' }, 2 * KB)],
      'UpdateItem',
      { Key: key(), ...set({ note: 'm' }) },
      { t: 2, narrow: 1 },
    ],
    [
      'an entry of a narrow index weighs what it holds, not what the item weighs',
      [],
      'PutItem',
      { Item: item({ city: 'x', note: 'n' }, 9 * KB) },
      { t: 9, narrow: 1 },
    ],
    [
      'local indexes pay by the same rules',
      [item({ rank: '1', mark: 'a' }, 1.5 * KB)],
      'UpdateItem',
      { Key: key(), ...set({ rank: '2' }) },
      { t: 2, localWide: 4 },
    ],
    [
      'every index pays for itself',
      [],
      'PutItem',
      { Item: item({ ...entry, city: 'x', rank: '1', mark: 'm' }, 1.5 * KB) },
      { t: 2, wide: 2, narrow: 1, localWide: 2, localKeys: 1 },
    ],
    [
      'members of a batch pay for their entries one by one',
      [],
      'BatchWriteItem',
      { RequestItems: { t: [put(item(entry, 500)), put(item({ ...entry, s: 'b' }, 1.5 * KB))] } },
      { t: 3, wide: 3 },
    ],
  ]);
});

describe('1.6 an entry is the same', () => {
  const stored: AttributeMap = {
    ...attributes({ p: 'p', s: 's', ...entry }),
    set: { SS: ['a', 'b'] },
    list: { L: [{ S: 'a' }, { S: 'b' }] },
  };

  test.each<[string, AttributeMap, Cost]>([
    ['whatever the order of a set', { set: { SS: ['b', 'a'] } }, { t: 1 }],
    ['unless the order of a list changes', { list: { L: [{ S: 'b' }, { S: 'a' }] } }, { t: 1, wide: 1 }],
  ])('%s', (_, changed, cost) => {
    expect(costOf(send([stored], 'PutItem', { Item: { ...stored, ...changed } }))).toEqual(cost);
  });

  test('local units are taken from the table, global ones from the index', () => {
    const db = databaseOf([]);
    db.ok('PutItem', { TableName: 't', Item: item({ ...entry, rank: '1' }, 1.5 * KB) });
    const { resources } = db.database.observe('t');
    expect(resources.map(({ name, write }) => [name, write.units])).toEqual([
      ['t', 4],
      ['t/wide', 2],
      ['t/narrow', 0],
    ]);
  });
});

describe('1.7 item sizes', () => {
  // The put of an item that the value brings to 1,024 bytes costs 1, and of one byte more 2.
  const rows: readonly (readonly [rule: string, value: AttributeValue, bytes: number])[] = [
    ['a string counts its bytes in UTF-8', { S: 'aü😀' }, 7],
    ['an empty string counts 0', { S: '' }, 0],
    ['binary counts its bytes, not its base64 text', { B: 'AQID' }, 3],
    ['a flag counts 1', { BOOL: true }, 1],
    ['null counts 1', { NULL: true }, 1],
    ['a set counts its members and nothing else', { SS: ['a', 'bc'] }, 3],
    ['a set of numbers counts each number', { NS: ['1', '1234'] }, 5],
    ['an empty list counts 3', { L: [] }, 3],
    ['a list counts 3, and 1 for each element besides', { L: [{ S: 'ab' }, { NULL: true }] }, 8],
    ['an empty map counts 3', { M: {} }, 3],
    ['a map counts 3, and 1 for each member besides name and value', { M: { ab: { S: 'c' } } }, 7],
    ...capturedNumberSizes.map(([N, bytes]) => [`the number ${N} counts ${bytes}`, { N }, bytes] as const),
  ];

  test.each(rows)('%s', (_, value, bytes) => {
    const without = item({ v: '' }, KB - bytes);
    expect(costOf(send([], 'PutItem', { Item: { ...without, v: value } }))).toEqual({ t: 1 });
    const more = item({ v: '' }, KB - bytes + 1);
    expect(costOf(send([], 'PutItem', { Item: { ...more, v: value } }))).toEqual({ t: 2 });
  });

  test('names count their bytes in UTF-8', () => {
    const bare = item({}, KB - 'ü'.length - 1 - 1);
    expect(costOf(send([], 'PutItem', { Item: { ...bare, ü: { S: 'x' } } }))).toEqual({ t: 1 });
    expect(costOf(send([], 'PutItem', { Item: { ...bare, ü: { S: 'xx' } } }))).toEqual({ t: 2 });
  });

  test.each<[string, DataApi, (of: AttributeMap) => object]>([
    ['PutItem', 'PutItem', (Item) => ({ Item })],
    ['BatchWriteItem', 'BatchWriteItem', (of) => ({ RequestItems: { t: [put(of)] } })],
    ['a transaction', 'TransactWriteItems', (of) => transact(Put(of))],
  ])('%s takes an item of 400 KB, and not a byte more', (_, api, input) => {
    expect(send([], api, input(item({}, 409_600))).kind).toBe('ok');
    expect(send([], api, input(item({}, 409_601)))).toMatchObject({ code: 'ValidationException' });
  });

  test('UpdateItem counts 3 and 19 for each value it writes against the 400 KB, and the key not', () => {
    // The key p = p, s = s counts 4: with one value written, 409,600 − 3 − 19 + 4 is the largest item.
    const largest = 409_600 - 3 - 19 + 4;
    const fits = (bytes: number) => {
      const value = 'x'.repeat(bytes - itemSizeBytes(attributes({ p: 'p', s: 's', body: '' })));
      return send([], 'UpdateItem', { Key: key(), ...set({ body: value }) }).kind;
    };
    expect(fits(largest)).toBe('ok');
    expect(fits(largest + 1)).toBe('failed');
  });

  test('a transacted update that grows too large is a reason of its action', () => {
    const grown = { Update: { TableName: 't', Key: key(), ...set({ body: 'x'.repeat(409_600) }) } };
    expect(send([], 'TransactWriteItems', transact(grown))).toMatchObject({
      code: 'TransactionCanceledException',
      cancellationReasons: [{ Code: 'ValidationError' }],
    });
  });
});

describe('2 ConsumedCapacity', () => {
  /** The body of the answer. */
  function answered(
    stored: readonly AttributeMap[],
    api: DataApi,
    input: object,
  ): { readonly ConsumedCapacity?: unknown } {
    const named = {
      ...(api.includes('Batch') || api.includes('Transact') ? {} : { TableName: 't' }),
      ...input,
    };
    const request = { api, input: named } as Request; // As in `send`.
    const { body } = dataAnswer(request, databaseOf(stored).database.handle(request, 1));
    return JSON.parse(body) as { readonly ConsumedCapacity?: unknown };
  }
  const INDEXES = { ReturnConsumedCapacity: 'INDEXES' } as const;
  const TOTAL = { ReturnConsumedCapacity: 'TOTAL' } as const;
  const moved = { Item: item({ state: 'done', at: '1' }, KB) };
  const stored = [item(entry, KB)];

  test.each<[string, DataApi, object, unknown]>([
    ['is left out where it is not asked for', 'GetItem', { Key: key() }, undefined],
    ['is left out at NONE', 'GetItem', { Key: key(), ReturnConsumedCapacity: 'NONE' }, undefined],
    [
      'at TOTAL is one sum with index units folded in',
      'PutItem',
      { ...moved, ...TOTAL },
      { TableName: 't', CapacityUnits: 3 },
    ],
    [
      'at INDEXES tells the table, and the indexes that were charged',
      'PutItem',
      { ...moved, ...INDEXES },
      {
        TableName: 't',
        CapacityUnits: 3,
        Table: { CapacityUnits: 1 },
        GlobalSecondaryIndexes: { wide: { CapacityUnits: 2 } },
      },
    ],
    [
      'at INDEXES tells the table alone where no index was charged',
      'PutItem',
      { Item: item(entry, KB), ...INDEXES },
      { TableName: 't', CapacityUnits: 1, Table: { CapacityUnits: 1 } },
    ],
    [
      'of a read of a global index has 0 on the table',
      'Query',
      { ...inState, ...INDEXES },
      {
        TableName: 't',
        CapacityUnits: 0.5,
        Table: { CapacityUnits: 0 },
        GlobalSecondaryIndexes: { wide: { CapacityUnits: 0.5 } },
      },
    ],
    [
      'of a read of a local index has 0 on the table',
      'Query',
      { ...partition, IndexName: 'localKeys', ...INDEXES },
      {
        TableName: 't',
        CapacityUnits: 0.5,
        Table: { CapacityUnits: 0 },
        LocalSecondaryIndexes: { localKeys: { CapacityUnits: 0.5 } },
      },
    ],
    [
      'of a batch is a list by table',
      'BatchGetItem',
      { RequestItems: { t: { Keys: [key()] } }, ...TOTAL },
      [{ TableName: 't', CapacityUnits: 0.5 }],
    ],
    [
      'of a batch of writes is a list by table',
      'BatchWriteItem',
      { RequestItems: { t: [put(item({ s: 'b' }, KB))] }, ...TOTAL },
      [{ TableName: 't', CapacityUnits: 1 }],
    ],
    [
      'of a transaction tells write units apart, at the top, on the table and on each index',
      'TransactWriteItems',
      { ...transact(Put(moved.Item)), ...INDEXES },
      [
        {
          TableName: 't',
          CapacityUnits: 4,
          WriteCapacityUnits: 4,
          Table: { CapacityUnits: 2, WriteCapacityUnits: 2 },
          GlobalSecondaryIndexes: { wide: { CapacityUnits: 2, WriteCapacityUnits: 2 } },
        },
      ],
    ],
    [
      'of a read transaction tells read units apart',
      'TransactGetItems',
      { TransactItems: [{ Get: { TableName: 't', Key: key() } }], ...TOTAL },
      [{ TableName: 't', CapacityUnits: 2, ReadCapacityUnits: 2 }],
    ],
    ['is in no failed condition', 'PutItem', { ...moved, ...isNew, ...INDEXES }, undefined],
    ['is in no validation error', 'GetItem', { Key: {}, ...INDEXES }, undefined],
    [
      'is in no cancelled transaction',
      'TransactWriteItems',
      { ...transact(Check('absent')), ...INDEXES },
      undefined,
    ],
  ])('%s', (_, api, input, consumed) => {
    expect(answered(stored, api, input).ConsumedCapacity).toEqual(consumed);
  });

  test('of a repeated transaction tells read units, though it is a write', () => {
    const db = databaseOf([]);
    const input = { ...transact(Put(item({}, KB))), ClientRequestToken: 'once', ...TOTAL } as const;
    db.send('TransactWriteItems', input);
    const outcome = db.send('TransactWriteItems', input);
    const { body } = dataAnswer({ api: 'TransactWriteItems', input }, outcome);
    expect(JSON.parse(body)).toEqual({
      ConsumedCapacity: [{ TableName: 't', CapacityUnits: 2, ReadCapacityUnits: 2 }],
    });
  });

  test('of a batch that was served in part tells that part, and a throttled request tells nothing', () => {
    const poor = { ...table, billing: { mode: 'provisioned', readUnits: 1, writeUnits: 1 } } as const;
    const db = new OrdersDatabase({ tables: [{ ...poor, globalIndexes: [], localIndexes: [] }], stepUs: 0 });
    const input = {
      RequestItems: { t: [put(item({}, 3 * KB)), put(item({ s: 'b' }, KB))] },
      ReturnConsumedCapacity: 'TOTAL',
    } as const;
    const partly = db.send('BatchWriteItem', input);
    const { body } = dataAnswer({ api: 'BatchWriteItem', input }, partly);
    expect(JSON.parse(body)).toEqual({
      UnprocessedItems: { t: [put(item({ s: 'b' }, KB))] },
      ConsumedCapacity: [{ TableName: 't', CapacityUnits: 3 }],
    });
    const refused = db.send('BatchWriteItem', input);
    expect(refused.kind).toBe('throttled');
    expect(dataAnswer({ api: 'BatchWriteItem', input }, refused).body).not.toContain('ConsumedCapacity');
  });

  test('collections of tables without local indexes are not told', () => {
    const input = { TableName: 'u', Item: item({}, KB), ReturnItemCollectionMetrics: 'SIZE' } as const;
    expect(databaseOf([]).ok('PutItem', input).output).toEqual({});
  });
});
