// Aim: Contributor Insights has the states, rules and values of the developer guide ("How it works") and of
// the public captures named in resource-insights.ts. Method: a simulated table whose requests are few enough
// to add up by hand; switching takes 2 s where states are the question, and no time elsewhere.
import { describe, expect, test } from 'vitest';
import type { TableSpec } from '../../../../src/dynamodb/table-spec.ts';
import type { RuleKind } from '../../../../src/simulator/metrics/insight-rule.ts';
import type { InsightsMode } from '../../../../src/simulator/metrics/resource-insights.ts';
import { FIRST_MINUTE, ObservedDatabase, poor, WALL_MS_AT_ZERO } from '../../../support/observed-database.ts';
import { attributes, ordersTable, plainOrders, statusIndex } from '../../../support/simulated-orders.ts';

const start = { kind: 'new' } as const;
const all: InsightsMode = 'ACCESSED_AND_THROTTLED_KEYS';
const throttled: InsightsMode = 'THROTTLED_KEYS';
const hour = { fromMinute: FIRST_MINUTE, untilMinute: FIRST_MINUTE + 60 };
const top25 = { periodMinutes: 1, maxContributors: 25, orderBy: 'Sum' } as const;

function slow(): ObservedDatabase {
  return new ObservedDatabase({ tables: [ordersTable, plainOrders], insightsSwitchDelayMs: 2_000 });
}

function enable(db: ObservedDatabase, tableName: string, indexName?: string, mode?: InsightsMode) {
  return db.activity.insights.update({ tableName, indexName, action: 'ENABLE', mode }, db.wallMs(0));
}

function disable(db: ObservedDatabase, tableName: string, second: number) {
  return db.activity.insights.update({ tableName, action: 'DISABLE' }, db.wallMs(second));
}

function describeAt(db: ObservedDatabase, second: number, tableName = 'orders', indexName?: string) {
  return db.activity.insights.describe(tableName, indexName, db.wallMs(second));
}

/** Keys and amounts of one rule over the first hour. */
function keysOf(db: ObservedDatabase, kind: RuleKind, tableName: string, indexName?: string) {
  const rule = db.activity.insights
    .rules(db.wallMs(0))
    .find(
      ({ settings }) =>
        settings.kind === kind && settings.tableName === tableName && settings.indexName === indexName,
    );
  if (rule === undefined) throw new Error(`no rule ${kind} of ${tableName}`);
  return rule.report(hour, top25).contributors.map(({ keys, amount }) => [...keys, amount]);
}

function kilobytes(count: number) {
  return { body: { fillerBytes: count * 1_024 - 200 } };
}

describe('states', () => {
  test('of a table that never had it: off, without a mode or a date', () => {
    expect(describeAt(slow(), 0)).toEqual({
      tableName: 'orders',
      indexName: undefined,
      status: 'DISABLED',
      mode: undefined,
      ruleNames: [],
      lastUpdateMs: undefined,
    });
  });

  test('go from ENABLING to ENABLED, and then there are rules', () => {
    const db = slow();
    expect(enable(db, 'orders')).toMatchObject({ status: 'ENABLING', mode: all, ruleNames: [] });
    expect(describeAt(db, 1.9).status).toBe('ENABLING');
    expect(describeAt(db, 2)).toMatchObject({ status: 'ENABLED', lastUpdateMs: WALL_MS_AT_ZERO });
    expect(describeAt(db, 2).ruleNames).toHaveLength(4);
  });

  test('go from DISABLING to DISABLED, and then there are none; mode and date stay', () => {
    const db = slow();
    enable(db, 'orders');
    expect(disable(db, 'orders', 10)).toMatchObject({ status: 'DISABLING' });
    expect(describeAt(db, 11.9).ruleNames).toHaveLength(4);
    expect(describeAt(db, 12)).toMatchObject({
      status: 'DISABLED',
      mode: all,
      ruleNames: [],
      lastUpdateMs: db.wallMs(10),
    });
  });

  test('do not change where it is so already', () => {
    const db = slow();
    expect(disable(db, 'orders', 0)).toMatchObject({ status: 'DISABLED', lastUpdateMs: undefined });
    enable(db, 'orders');
    const again = db.activity.insights.update({ tableName: 'orders', action: 'ENABLE' }, db.wallMs(5));
    expect(again).toMatchObject({ status: 'ENABLED', lastUpdateMs: db.wallMs(0) });
  });

  test('pass through ENABLING when the mode changes; throttled rules keep their names', () => {
    const db = slow();
    enable(db, 'orders');
    const before = describeAt(db, 5).ruleNames;
    const switching = db.activity.insights.update(
      { tableName: 'orders', action: 'ENABLE', mode: throttled },
      db.wallMs(5),
    );
    expect(switching.status).toBe('ENABLING');
    expect(describeAt(db, 7)).toMatchObject({ status: 'ENABLED', mode: throttled });
    expect(describeAt(db, 7).ruleNames).toEqual(before.filter((name) => /-[PS]KT-/.test(name)));
  });

  test('are of each index apart', () => {
    const db = slow();
    enable(db, 'orders', 'GSI1');
    expect([describeAt(db, 3).status, describeAt(db, 3, 'orders', 'GSI1').status]).toEqual([
      'DISABLED',
      'ENABLED',
    ]);
  });

  test('are listed table first, those that are off not at all', () => {
    const db = slow();
    enable(db, 'plain');
    enable(db, 'orders', 'byCity');
    enable(db, 'orders');
    const list = db.activity.insights.list(undefined, db.wallMs(3));
    expect(list.map(({ tableName, indexName }) => [tableName, indexName])).toEqual([
      ['orders', undefined],
      ['orders', 'byCity'],
      ['plain', undefined],
    ]);
    expect(db.activity.insights.list('plain', db.wallMs(3))).toHaveLength(1);
  });

  test.each([
    ['a table', 'nowhere', undefined, 'Table: nowhere not found'],
    ['an index', 'orders', 'nowhere', 'Index: nowhere not found for table: orders'],
    ['a local index', 'orders', 'byTotal', 'Index: byTotal not found for table: orders'],
  ])('are not known of %s that does not have any', (_, tableName, indexName, detail) => {
    expect(() => describeAt(slow(), 0, tableName, indexName)).toThrow(
      `Requested resource not found: ${detail}`,
    );
  });

  test('end with the table', () => {
    const db = slow();
    enable(db, 'orders');
    db.activity.removeTable('orders', 3_000_000);
    expect(db.activity.insights.rules(db.wallMs(5))).toEqual([]);
    expect(() => describeAt(db, 5)).toThrow('not found');
  });
});

describe('rules', () => {
  test.each([
    ['four with a sort key', 'orders', undefined, all, ['PKC', 'SKC', 'PKT', 'SKT']],
    ['two without one', 'plain', undefined, all, ['PKC', 'PKT']],
    ['two of throttles with a sort key', 'orders', undefined, throttled, ['PKT', 'SKT']],
    ['one of throttles without one', 'plain', undefined, throttled, ['PKT']],
    ['those of an index by its own keys', 'orders', 'byCity', all, ['PKC', 'PKT']],
  ])('are %s', (_, tableName, indexName, mode, kinds) => {
    const db = slow();
    enable(db, tableName, indexName, mode);
    const names = describeAt(db, 3, tableName, indexName).ruleNames;
    const resource = indexName === undefined ? tableName : `${tableName}-${indexName}`;
    expect(names).toEqual(
      kinds.map((kind) => `DynamoDBContributorInsights-${kind}-${resource}-${WALL_MS_AT_ZERO}`),
    );
  });

  test('have names of 128 characters at most, and no two the same', () => {
    const long = 'x'.repeat(200);
    const tables = ['a', 'b'].map((end) => ({ ...plainOrders, tableName: long + end }));
    const db = new ObservedDatabase({ tables });
    for (const { tableName } of tables) enable(db, tableName);
    const names = db.activity.insights.rules(db.wallMs(1)).map(({ settings }) => settings.name);
    expect(names.map((name) => name.length)).toEqual([128, 128, 128, 128]);
    expect(new Set(names).size).toBe(4);
    expect(names[0]).toMatch(new RegExp(`^DynamoDBContributorInsights-PKC-x+-${WALL_MS_AT_ZERO}$`));
  });

  test('count from when they are on, and not after they were switched off', () => {
    const db = slow();
    enable(db, 'plain');
    const get = { TableName: 'plain', Key: attributes({ PK: 'a' }), ConsistentRead: true };
    for (const second of [1, 2, 3]) db.at(second).send('GetItem', get);
    const [rule] = db.activity.insights.rules(db.wallMs(4));
    disable(db, 'plain', 4);
    db.at(4.5).send('GetItem', get);
    expect(rule?.report(hour, top25).total).toBe(2);
  });
});

describe('values', () => {
  test('of accessed keys are 3 × write units + read units, by item and by partition key', () => {
    const db = new ObservedDatabase({ tables: [ordersTable] });
    enable(db, 'orders');
    for (const SK of [1, 2])
      db.send('PutItem', {
        TableName: 'orders',
        Item: { ...attributes({ PK: 'c1', SK }), ...kilobytes(2) },
      });
    db.send('GetItem', { TableName: 'orders', Key: attributes({ PK: 'c1', SK: 1 }), ConsistentRead: true });
    // Two puts of 2 units, 3 × 2 each, and one read of 1 unit.
    expect(keysOf(db, 'PKC', 'orders')).toEqual([['c1', 13]]);
    expect(keysOf(db, 'SKC', 'orders')).toEqual([
      ['c1', '1', 7],
      ['c1', '2', 6],
    ]);
    expect(keysOf(db, 'PKT', 'orders')).toEqual([]);
  });

  test('of an index are those of its own keys; an entry that moves counts at both places', () => {
    const db = new ObservedDatabase({ tables: [ordersTable] });
    const put = (status: string) =>
      db.send('PutItem', {
        TableName: 'orders',
        Item: { ...attributes({ PK: 'c1', SK: 1, status, date: 'd' }), ...kilobytes(2) },
      });
    put('open');
    enable(db, 'orders', 'GSI1');
    put('done');
    expect(keysOf(db, 'SKC', 'orders', 'GSI1')).toEqual([
      ['open', 'd', 6],
      ['done', 'd', 6],
    ]);
  });

  test('of a query are one event on its partition key, and none on pairs', () => {
    const db = new ObservedDatabase({ tables: [ordersTable] });
    for (const SK of [1, 2]) db.send('PutItem', { TableName: 'orders', Item: attributes({ PK: 'c1', SK }) });
    enable(db, 'orders');
    db.send('Query', {
      TableName: 'orders',
      KeyConditionExpression: 'PK = :p',
      ExpressionAttributeValues: { ':p': { S: 'c1' } },
      ConsistentRead: true,
    });
    expect(keysOf(db, 'PKC', 'orders')).toEqual([['c1', 1]]);
    expect(keysOf(db, 'SKC', 'orders')).toEqual([]);
  });

  test('of a scan are none: it is about no key', () => {
    const db = new ObservedDatabase({ tables: [ordersTable] });
    db.send('PutItem', { TableName: 'orders', Item: attributes({ PK: 'c1', SK: 1 }) });
    enable(db, 'orders');
    db.send('Scan', { TableName: 'orders' });
    expect(keysOf(db, 'PKC', 'orders')).toEqual([]);
  });

  test('of throttled keys count what was refused, and not on the table where an index refused', () => {
    const poorIndex: TableSpec = {
      ...ordersTable,
      globalIndexes: [{ ...statusIndex, billing: poor, start }],
      localIndexes: [],
    };
    const db = new ObservedDatabase({ tables: [poorIndex] });
    enable(db, 'orders');
    enable(db, 'orders', 'GSI1');
    const put = (SK: number) =>
      db.send('PutItem', {
        TableName: 'orders',
        Item: { ...attributes({ PK: 'c1', SK, status: 'open', date: `d${SK}` }), ...kilobytes(10) },
      });
    expect([put(1), put(2), put(3)].map(({ kind }) => kind)).toEqual(['ok', 'throttled', 'throttled']);
    expect(keysOf(db, 'PKT', 'orders', 'GSI1')).toEqual([['open', 2]]);
    expect(keysOf(db, 'SKT', 'orders', 'GSI1')).toEqual([
      ['open', 'd2', 1],
      ['open', 'd3', 1],
    ]);
    expect(keysOf(db, 'PKT', 'orders')).toEqual([]);
    // The one put that ran: 10 units on table and index.
    expect(keysOf(db, 'PKC', 'orders')).toEqual([['c1', 30]]);
    expect(keysOf(db, 'PKC', 'orders', 'GSI1')).toEqual([['open', 30]]);
  });

  test('of transactions and batches are those of each item', () => {
    const db = new ObservedDatabase({ tables: [plainOrders] });
    enable(db, 'plain');
    const put = (PK: string) => ({ TableName: 'plain', Item: attributes({ PK }) });
    db.send('TransactWriteItems', {
      TransactItems: [
        { Put: put('a') },
        {
          ConditionCheck: {
            TableName: 'plain',
            Key: attributes({ PK: 'b' }),
            ConditionExpression: 'attribute_not_exists(PK)',
          },
        },
      ],
    });
    db.send('TransactGetItems', {
      TransactItems: [{ Get: { TableName: 'plain', Key: attributes({ PK: 'c' }) } }],
    });
    db.send('BatchGetItem', { RequestItems: { plain: { Keys: [attributes({ PK: 'd' })] } } });
    // 3 × 2 for a transactional write or check, 2 for a transactional read, 0.5 for an eventual one.
    expect(keysOf(db, 'PKC', 'plain')).toEqual([
      ['a', 6],
      ['b', 6],
      ['c', 2],
      ['d', 0.5],
    ]);
  });
});
