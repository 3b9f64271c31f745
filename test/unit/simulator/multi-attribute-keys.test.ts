// Aim: a global index whose key has several attributes holds, orders and finds entries as DynamoDB does.
// Method: an index of matches by two partition and three sort attributes, queried with every kind of
// condition. Rules and messages by `paritysuite/dynamodb-conformance
// tests/tier1/query/multiAttributeGsiKey.test.ts` (captures of October 2026), read 2026-11-30.
import { beforeEach, describe, expect, test } from 'vitest';
import type { AttributeMap } from '../../../src/dynamodb/attribute-value.ts';
import type { QueryInput } from '../../../src/dynamodb/operation.ts';
import type { GlobalIndexSpec, TableSpec } from '../../../src/dynamodb/table-spec.ts';
import {
  attributes,
  failureOf,
  OrdersDatabase,
  ordersTable,
  unitsOf,
} from '../../support/simulated-orders.ts';

const byMatch: GlobalIndexSpec = {
  ...(ordersTable.globalIndexes[0] as GlobalIndexSpec), // It has one.
  name: 'byMatch',
  keys: {
    partition: { name: 'league', type: 'S' },
    furtherPartition: [{ name: 'year', type: 'N' }],
    sort: { name: 'round', type: 'N' },
    furtherSort: [
      { name: 'group', type: 'S' },
      { name: 'player', type: 'S' },
    ],
  },
};

const matches: TableSpec = {
  ...ordersTable,
  tableName: 'matches',
  keys: { partition: { name: 'id', type: 'S' } },
  globalIndexes: [byMatch],
  localIndexes: [],
};

let db: OrdersDatabase;

function put(id: string, native: { readonly [name: string]: string | number }) {
  return db.ok('PutItem', { TableName: 'matches', Item: attributes({ id, ...native }) });
}

beforeEach(() => {
  db = new OrdersDatabase({ tables: [matches] });
  const final = { league: 'A', year: 2026 };
  put('m1', { ...final, round: 10, group: 'x', player: 'p1' });
  put('m2', { ...final, round: 9, group: 'y', player: 'p1' });
  put('m3', { ...final, round: 9, group: 'x', player: 'p2' });
  put('m4', { ...final, round: 9, group: 'x', player: 'p10' });
  put('m5', { ...final, round: 9, group: 'xx', player: 'a' });
  put('m6', { ...final, year: 2025, round: 9, group: 'x', player: 'p1' });
  put('no group', { ...final, round: 9, player: 'p1' });
});

const names = { '#g': 'group', '#y': 'year', '#r': 'round' };
const values = attributes({
  ':l': 'A',
  ':y': 2026,
  ':r': 9,
  ':ten': 10,
  ':g': 'x',
  ':h': 'y',
  ':p': 'p1',
  ':q': 'p2',
});
const partition = 'league = :l AND #y = :y';

function bound(condition: string) {
  const usedIn = <V>(from: { readonly [name: string]: V }) =>
    Object.fromEntries(
      Object.entries(from).filter(([name]) => new RegExp(`${name}(?![a-z])`).test(condition)),
    );
  return { ExpressionAttributeNames: usedIn(names), ExpressionAttributeValues: usedIn(values) };
}

function query(condition: string, more: Partial<QueryInput> = {}) {
  return db.send('Query', {
    TableName: 'matches',
    IndexName: 'byMatch',
    KeyConditionExpression: condition,
    ...bound(condition),
    ...more,
  });
}

function idsOf(items: readonly AttributeMap[] | undefined): string {
  return (items ?? []).map(({ id }) => id?.S).join(' ');
}

function found(condition: string, more: Partial<QueryInput> = {}): string {
  const outcome = query(condition, more);
  return outcome.kind === 'ok' ? idsOf(outcome.output.Items) : failureOf(outcome);
}

describe('a query finds', () => {
  // In order: rounds as numbers, then group, then player as texts.
  test.each([
    ['the whole partition key, ordered by all sort attributes', partition, 'm4 m3 m5 m2 m1'],
    ['an equality on the first sort attribute', `${partition} AND #r = :r`, 'm4 m3 m5 m2'],
    ['a range on the first', `${partition} AND #r > :r`, 'm1'],
    ['a range on the first, its bound included', `${partition} AND #r >= :r`, 'm4 m3 m5 m2 m1'],
    ['what lies below the first', `${partition} AND #r < :ten`, 'm4 m3 m5 m2'],
    ['equalities on two', `${partition} AND #r = :r AND #g = :g`, 'm4 m3'],
    ['a prefix of the second', `${partition} AND #r = :r AND begins_with(#g, :g)`, 'm4 m3 m5'],
    ['what lies above the second', `${partition} AND #r = :r AND #g > :g`, 'm5 m2'],
    ['what lies up to the second', `${partition} AND #r = :r AND #g <= :g`, 'm4 m3'],
    [
      'what lies between two of the second',
      `${partition} AND #r = :r AND #g BETWEEN :g AND :h`,
      'm4 m3 m5 m2',
    ],
    ['a prefix of the last', `${partition} AND #r = :r AND #g = :g AND begins_with(player, :p)`, 'm4'],
    ['equalities on all', `${partition} AND #r = :r AND #g = :g AND player = :q`, 'm3'],
    ['clauses in any order', '#g = :g AND #y = :y AND #r = :r AND league = :l', 'm4 m3'],
  ])('%s', (_, condition, ids) => {
    expect(found(condition)).toBe(ids);
    expect(found(condition, { ScanIndexForward: false })).toBe(ids.split(' ').reverse().join(' '));
  });
});

describe('a query is refused', () => {
  const condition = (on: string, because: string) =>
    `ValidationException: RANGE key attributes ${on} must have equality conditions specified in the query because a condition is present on key attribute ${because}`;

  test.each([
    [
      'where a sort attribute is left out',
      `${partition} AND #r = :r AND player = :p`,
      condition('group', 'player'),
    ],
    ['where the first is left out', `${partition} AND #g = :g`, condition('round', 'group')],
    ['where two are left out', `${partition} AND player = :p`, condition('round, group', 'player')],
    ['where a range is not on the last', `${partition} AND #r > :r AND #g = :g`, condition('round', 'group')],
    [
      'where a partition attribute is missing',
      'league = :l AND #r = :r',
      'ValidationException: Query condition missed key schema element: year',
    ],
    [
      'where a partition attribute has a range',
      'league = :l AND #y > :y',
      'ValidationException: Query key condition not supported',
    ],
    [
      'where it names what is no key',
      `${partition} AND id = :p`,
      'ValidationException: Query condition missed key schema element: round',
    ],
    [
      'where a value has the wrong type',
      `${partition} AND #r = :p`,
      'ValidationException: One or more parameter values were invalid: Condition parameter type does not match schema type',
    ],
  ])('%s', (_, text, message) => {
    expect(found(text)).toBe(message);
  });
});

test('pages name the table key and every index key attribute, and go on from there', () => {
  const first = query(partition, { Limit: 2 });
  const key = first.kind === 'ok' ? first.output.LastEvaluatedKey : undefined;
  expect(key).toEqual(attributes({ id: 'm3', league: 'A', year: 2026, round: 9, group: 'x', player: 'p2' }));
  expect(found(partition, { ExclusiveStartKey: key as AttributeMap })).toBe('m5 m2 m1');
  expect(found(partition, { ExclusiveStartKey: attributes({ id: 'm3', league: 'A', round: 9 }) })).toBe(
    'ValidationException: The provided starting key is invalid',
  );
});

describe('an entry', () => {
  const indexed = () => idsOf(db.ok('Scan', { TableName: 'matches', IndexName: 'byMatch' }).output.Items);

  test('is there only while the item has every key attribute', () => {
    expect(indexed().split(' ').toSorted()).toEqual(['m1', 'm2', 'm3', 'm4', 'm5', 'm6']);
    const removed = db.ok('UpdateItem', {
      TableName: 'matches',
      Key: attributes({ id: 'm1' }),
      UpdateExpression: 'REMOVE player',
    });
    expect(unitsOf(removed)).toEqual([1, { byMatch: 1 }]);
    expect(found(partition)).toBe('m4 m3 m5 m2');
    const added = db.ok('UpdateItem', {
      TableName: 'matches',
      Key: attributes({ id: 'no group' }),
      UpdateExpression: 'SET #g = :g',
      ...bound('#g = :g'),
    });
    expect(unitsOf(added)).toEqual([1, { byMatch: 1 }]);
    expect(found(`${partition} AND #r = :r AND #g = :g`)).toBe('no group m4 m3');
  });

  test('moves for two write units when any key attribute changes', () => {
    const moved = db.ok('UpdateItem', {
      TableName: 'matches',
      Key: attributes({ id: 'm1' }),
      UpdateExpression: 'SET #y = :before',
      ExpressionAttributeNames: { '#y': 'year' },
      ExpressionAttributeValues: attributes({ ':before': 2025 }),
    });
    expect(unitsOf(moved)).toEqual([1, { byMatch: 2 }]);
    expect(found(partition)).toBe('m4 m3 m5 m2');
  });

  test('stays out where a key attribute has another type', () => {
    expect(
      failureOf(db.send('PutItem', { TableName: 'matches', Item: attributes({ id: 'z', year: 'x' }) })),
    ).toBe(
      'ValidationException: One or more parameter values were invalid: Type mismatch for Index Key year Expected: N Actual: S IndexName: byMatch',
    );
  });
});

test('partition attributes are hashed together, and never run into each other', () => {
  const two: TableSpec = {
    ...matches,
    globalIndexes: [
      {
        ...byMatch,
        keys: {
          partition: { name: 'a', type: 'S' },
          furtherPartition: [{ name: 'b', type: 'S' }],
        },
      },
    ],
  };
  db = new OrdersDatabase({ tables: [two] });
  put('one', { a: 'x","y', b: 'z' });
  put('other', { a: 'x', b: 'y","z' });
  const of = (a: string, b: string) =>
    db.ok('Query', {
      TableName: 'matches',
      IndexName: 'byMatch',
      KeyConditionExpression: 'a = :a AND b = :b',
      ExpressionAttributeValues: attributes({ ':a': a, ':b': b }),
    }).output.Items;
  expect(idsOf(of('x","y', 'z'))).toBe('one');
  expect(idsOf(of('x', 'y","z'))).toBe('other');
});
