// Aim: each metric counts what "DynamoDB Metrics and dimensions" says, under the dimensions of the service,
// in the right minute.
// Method: a simulated table with indexes, a handful of requests, sums with their arithmetic in the comments;
// what is throttled goes to tables of one unit that an earlier write has left in debt.
import { describe, expect, test } from 'vitest';
import type { TableSpec } from '../../../../src/dynamodb/table-spec.ts';
import type { MetricKey } from '../../../../src/simulator/metrics/service-metrics.ts';
import { FIRST_MINUTE, ObservedDatabase, poor } from '../../../support/observed-database.ts';
import { attributes, ordersTable, plainOrders, statusIndex } from '../../../support/simulated-orders.ts';

const order = attributes({ PK: 'c1', SK: 1, status: 'open', date: '2026-01-01' });
const key = attributes({ PK: 'c1', SK: 1 });
const start = { kind: 'new' } as const;
/** Two spans of five minutes that are over, and what lies before them. */
const start5 = { fromMinute: FIRST_MINUTE - 10, untilMinute: FIRST_MINUTE + 11 };

function table(metricName: string, tableName = 'orders'): MetricKey {
  return { metricName, tableName };
}

function index(metricName: string, indexName = 'GSI1'): MetricKey {
  return { metricName, tableName: 'orders', indexName };
}

function operation(metricName: string, name: string, tableName = 'orders'): MetricKey {
  return { metricName, tableName, operation: name };
}

function kilobytes(count: number) {
  return { body: { fillerBytes: count * 1_024 - 200 } };
}

/** Orders whose status index alone is poor, and its first write has left it in debt. */
function poorIndex(): ObservedDatabase {
  const indexed: TableSpec = {
    ...ordersTable,
    globalIndexes: [{ ...statusIndex, billing: poor, start }],
    localIndexes: [],
  };
  const db = new ObservedDatabase({ tables: [indexed] });
  db.send('PutItem', { TableName: 'orders', Item: { ...order, ...kilobytes(10) } });
  return db;
}

/** A plain table of one unit, in debt. */
function poorTable(): ObservedDatabase {
  const db = new ObservedDatabase({ tables: [{ ...plainOrders, billing: poor, start }] });
  db.send('PutItem', { TableName: 'plain', Item: { ...attributes({ PK: 'a' }), ...kilobytes(10) } });
  return db;
}

describe('consumed units', () => {
  test('stand on the table without its global indexes, local ones included', () => {
    const db = new ObservedDatabase({ tables: [ordersTable] });
    // 3 KB: table 3, GSI1 (everything) 3, byTotal (keys only, on the table) 1.
    db.send('PutItem', {
      TableName: 'orders',
      Item: { ...order, ...attributes({ total: 5 }), ...kilobytes(3) },
    });
    expect(db.sum(table('ConsumedWriteCapacityUnits'))).toBe(4);
    expect(db.sum(index('ConsumedWriteCapacityUnits'))).toBe(3);
    expect(db.sum(index('ConsumedWriteCapacityUnits', 'byCity'))).toBe(0);
  });

  test('are one value for each request: minimum, maximum and count are of requests', () => {
    const db = new ObservedDatabase({ tables: [plainOrders] });
    for (const size of [1, 3])
      db.send('PutItem', {
        TableName: 'plain',
        Item: { ...attributes({ PK: `k${size}` }), ...kilobytes(size) },
      });
    expect(db.point(table('ConsumedWriteCapacityUnits', 'plain'))).toEqual({
      sum: 4,
      count: 2,
      min: 1,
      max: 3,
    });
  });

  test('are read units of the index for a query on it, and none of the table', () => {
    const db = new ObservedDatabase({ tables: [ordersTable] });
    db.send('Query', {
      TableName: 'orders',
      IndexName: 'GSI1',
      KeyConditionExpression: '#s = :s',
      ExpressionAttributeNames: { '#s': 'status' },
      ExpressionAttributeValues: { ':s': { S: 'open' } },
    });
    expect(db.sum(index('ConsumedReadCapacityUnits'))).toBe(0.5);
    expect(db.sum(table('ConsumedReadCapacityUnits'))).toBe(0);
  });

  test('rise with a failed condition, which no answer tells', () => {
    const db = new ObservedDatabase({ tables: [ordersTable] });
    db.send('PutItem', {
      TableName: 'orders',
      Item: { ...order, ...kilobytes(2) },
      ConditionExpression: 'attribute_exists(PK)',
    });
    expect(db.sum(table('ConsumedWriteCapacityUnits'))).toBe(2);
    expect(db.sum(index('ConsumedWriteCapacityUnits'))).toBe(0);
  });

  test('are zero in idle minutes from creation to deletion, and nothing outside', () => {
    const db = new ObservedDatabase({ tables: [ordersTable] });
    db.activity.removeTable('orders', 190 * 1_000_000); // In the fourth minute.
    const range = { fromMinute: FIRST_MINUTE - 5, untilMinute: FIRST_MINUTE + 60 };
    for (const idle of [table('ConsumedReadCapacityUnits'), index('ConsumedWriteCapacityUnits')]) {
      const points = db.activity.metrics.points(idle, range);
      expect(points.map(({ minute }) => minute - FIRST_MINUTE)).toEqual([0, 1, 2, 3]);
      expect(points[2]?.point).toEqual({ sum: 0, count: 1, min: 0, max: 0 });
    }
  });
});

test('idle minutes of an index begin when it is added and end when it is removed', () => {
  const db = new ObservedDatabase({ tables: [plainOrders] });
  const added = { ...plainOrders, globalIndexes: [statusIndex] };
  db.activity.setTable(added, 70 * 1_000_000);
  db.activity.setTable(plainOrders, 200 * 1_000_000);
  const range = { fromMinute: FIRST_MINUTE, untilMinute: FIRST_MINUTE + 10 };
  const consumed = { metricName: 'ConsumedReadCapacityUnits', tableName: 'plain' };
  const minutesOf = (key: MetricKey) =>
    db.activity.metrics.points(key, range).map(({ minute }) => minute - FIRST_MINUTE);
  expect(minutesOf({ ...consumed, indexName: 'GSI1' })).toEqual([1, 2, 3]);
  expect(minutesOf(consumed)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(db.activity.insights.list('plain', 0)).toEqual([]);
  expect(() => db.activity.insights.describe('plain', 'GSI1', 0)).toThrow('Index: GSI1 not found');
});

describe('throttle events', () => {
  test.each([
    ['Provisioned', 'WriteProvisionedThroughputThrottleEvents', { billing: poor }],
    [
      'MaxOnDemand',
      'WriteMaxOnDemandThroughputThrottleEvents',
      { billing: { mode: 'on-demand', maximumWriteUnits: 1 } },
    ],
  ] as const)('of cause %s count once in total and once as %s', (_, metric, { billing }) => {
    const db = new ObservedDatabase({ tables: [{ ...plainOrders, billing, start }] });
    const put = { TableName: 'plain', Item: { ...attributes({ PK: 'a' }), ...kilobytes(10) } };
    db.send('PutItem', put);
    expect(db.send('PutItem', put).kind).toBe('throttled');
    expect(db.sum(table('WriteThrottleEvents', 'plain'))).toBe(1);
    expect(db.sum(table(metric, 'plain'))).toBe(1);
    expect(db.sum(table('ReadThrottleEvents', 'plain'))).toBe(0);
  });

  test('of a hot key range count reads apart from writes', () => {
    const db = new ObservedDatabase({ tables: [plainOrders] });
    const get = { TableName: 'plain', Key: attributes({ PK: 'a' }), ConsistentRead: true };
    let throttled = 0;
    // A partition starts with half a second of 3,000 units.
    for (let count = 0; count < 2_000; count++) if (db.send('GetItem', get).kind === 'throttled') throttled++;
    expect(throttled).toBeGreaterThan(0);
    expect(db.sum(table('ReadKeyRangeThroughputThrottleEvents', 'plain'))).toBe(throttled);
    expect(db.sum(table('WriteThrottleEvents', 'plain'))).toBe(0);
  });

  test('belong to the index that refused a write, not to its table', () => {
    const db = poorIndex();
    const moved = { ...order, ...attributes({ status: 'done' }) };
    expect(db.send('PutItem', { TableName: 'orders', Item: moved }).kind).toBe('throttled');
    expect(db.sum(index('WriteThrottleEvents'))).toBe(1);
    expect(db.sum(index('WriteProvisionedThroughputThrottleEvents'))).toBe(1);
    expect(db.sum(table('WriteThrottleEvents'))).toBe(0);
    expect(db.sum(operation('ThrottledRequests', 'PutItem'))).toBe(1);
  });

  test('are one each where table and index both refuse: 1 + k events, 1 request', () => {
    const both: TableSpec = {
      ...ordersTable,
      billing: poor,
      start,
      globalIndexes: [{ ...statusIndex, billing: poor, start }],
      localIndexes: [],
    };
    const db = new ObservedDatabase({ tables: [both] });
    db.send('PutItem', { TableName: 'orders', Item: { ...order, ...kilobytes(10) } });
    db.send('DeleteItem', { TableName: 'orders', Key: key });
    expect(db.sum(table('WriteThrottleEvents'))).toBe(1);
    expect(db.sum(index('WriteThrottleEvents'))).toBe(1);
    expect(db.sum(operation('ThrottledRequests', 'DeleteItem'))).toBe(1);
  });

  test('count each refused member of a batch; the request only where all were refused', () => {
    const db = new ObservedDatabase({ tables: [{ ...plainOrders, billing: poor, start }] });
    const put = (PK: string, size: number) => ({
      PutRequest: { Item: { ...attributes({ PK }), ...kilobytes(size) } },
    });
    // The first takes 5 of 1 unit, the others find a debt.
    const requests = { RequestItems: { plain: [put('a', 5), put('b', 1), put('c', 1)] } };
    expect(db.send('BatchWriteItem', requests).kind).toBe('partial');
    expect(db.sum(table('WriteThrottleEvents', 'plain'))).toBe(2);
    expect(db.sum(operation('ThrottledRequests', 'BatchWriteItem', 'plain'))).toBe(0);
    expect(db.point(operation('SuccessfulRequestLatency', 'BatchWriteItem', 'plain'))?.count).toBe(1);

    expect(db.send('BatchWriteItem', requests).kind).toBe('throttled');
    expect(db.sum(table('WriteThrottleEvents', 'plain'))).toBe(5);
    expect(db.sum(operation('ThrottledRequests', 'BatchWriteItem', 'plain'))).toBe(1);
  });

  test('count each refused action of a transaction; its request on the tables that refused', () => {
    const db = new ObservedDatabase({ tables: [ordersTable, { ...plainOrders, billing: poor, start }] });
    db.send('PutItem', { TableName: 'plain', Item: { ...attributes({ PK: 'a' }), ...kilobytes(10) } });
    const outcome = db.send('TransactWriteItems', {
      TransactItems: [
        { Put: { TableName: 'orders', Item: order } },
        { Put: { TableName: 'plain', Item: attributes({ PK: 'a' }) } },
        { Delete: { TableName: 'plain', Key: attributes({ PK: 'b' }) } },
      ],
    });
    expect(outcome.kind).toBe('throttled');
    expect(db.sum(table('WriteThrottleEvents', 'plain'))).toBe(2);
    expect(db.sum(operation('ThrottledRequests', 'TransactWriteItems', 'plain'))).toBe(1);
    expect(db.sum(operation('ThrottledRequests', 'TransactWriteItems'))).toBe(0);
    expect(db.sum({ metricName: 'UserErrors' })).toBe(0);
  });
});

describe('requests', () => {
  test('that succeed count with their latency in ms', () => {
    const db = new ObservedDatabase({ tables: [plainOrders] });
    for (const serviceUs of [2_000, 4_000])
      db.send('GetItem', { TableName: 'plain', Key: attributes({ PK: 'a' }) }, serviceUs);
    expect(db.point(operation('SuccessfulRequestLatency', 'GetItem', 'plain'))).toMatchObject({
      sum: 6,
      count: 2,
      min: 2,
      max: 4,
    });
  });

  test('count in the minute in which they end', () => {
    const db = new ObservedDatabase({ tables: [plainOrders] }).at(59.999);
    db.send('GetItem', { TableName: 'plain', Key: attributes({ PK: 'a' }) }, 2_000);
    const latency = operation('SuccessfulRequestLatency', 'GetItem', 'plain');
    expect([db.point(latency, 0)?.count, db.point(latency, 1)?.count]).toEqual([undefined, 1]);
  });

  test('fall into minutes of the wall clock, wherever the database began', () => {
    const tables = [plainOrders];
    const db = new ObservedDatabase({ tables, wallMsAtZero: (FIRST_MINUTE + 1) * 60_000 - 1_000 });
    db.at(0.9).send('GetItem', { TableName: 'plain', Key: attributes({ PK: 'a' }) });
    db.at(1.1).send('GetItem', { TableName: 'plain', Key: attributes({ PK: 'a' }) });
    const consumed = table('ConsumedReadCapacityUnits', 'plain');
    expect([db.sum(consumed, 0), db.sum(consumed, 1)]).toEqual([0.5, 0.5]);
  });

  test('Query and Scan count the items that they return', () => {
    const db = new ObservedDatabase({ tables: [plainOrders] });
    for (const PK of ['a', 'b', 'c']) db.send('PutItem', { TableName: 'plain', Item: attributes({ PK }) });
    db.send('Scan', {
      TableName: 'plain',
      FilterExpression: 'PK <> :a',
      ExpressionAttributeValues: { ':a': { S: 'a' } },
    });
    db.send('Scan', { TableName: 'plain' });
    expect(db.point(operation('ReturnedItemCount', 'Scan', 'plain'))).toEqual({
      sum: 5,
      count: 2,
      min: 2,
      max: 3,
    });
    expect(db.point(operation('ReturnedItemCount', 'GetItem', 'plain'))).toBeUndefined();
  });

  test('with a failed condition count on the table, and as no error of the user', () => {
    const db = new ObservedDatabase({ tables: [ordersTable, plainOrders] });
    const exists = { ConditionExpression: 'attribute_exists(PK)' };
    db.send('DeleteItem', { TableName: 'orders', Key: key, ...exists });
    // Two of the three conditions fail, one on each table.
    db.send('TransactWriteItems', {
      TransactItems: [
        { Put: { TableName: 'orders', Item: order, ...exists } },
        { ConditionCheck: { TableName: 'plain', Key: attributes({ PK: 'a' }), ...exists } },
        { Delete: { TableName: 'plain', Key: attributes({ PK: 'b' }) } },
      ],
    });
    expect(db.sum(table('ConditionalCheckFailedRequests'))).toBe(2);
    expect(db.sum(table('ConditionalCheckFailedRequests', 'plain'))).toBe(1);
    expect(db.sum({ metricName: 'UserErrors' })).toBe(0);
    expect(db.point(operation('SuccessfulRequestLatency', 'DeleteItem'))).toBeUndefined();
  });

  test('that meet a transaction count as conflicts, item by item, and as errors of the user', () => {
    const db = new ObservedDatabase({ tables: [ordersTable] });
    const transaction = {
      api: 'TransactWriteItems' as const,
      input: { TransactItems: [{ Put: { TableName: 'orders', Item: order } }] },
    };
    db.database.begin(transaction, 0);
    db.send('PutItem', { TableName: 'orders', Item: order });
    db.send('TransactGetItems', {
      TransactItems: [
        { Get: { TableName: 'orders', Key: key } },
        { Get: { TableName: 'orders', Key: attributes({ PK: 'c2', SK: 1 }) } },
      ],
    });
    expect(db.sum(table('TransactionConflict'))).toBe(2);
    expect(db.sum({ metricName: 'UserErrors' })).toBe(2);
  });

  test('that are mistaken count as errors of the user, throttled ones do not', () => {
    const db = poorTable();
    db.send('PutItem', { TableName: 'plain', Item: attributes({ PK: 'b' }) });
    expect(db.sum({ metricName: 'UserErrors' })).toBe(0);
    db.send('PutItem', { TableName: 'plain', Item: {} });
    db.send('PutItem', { TableName: 'nowhere', Item: order });
    db.finish(undefined, { kind: 'failed', code: 'SerializationException', message: '', httpStatus: 400 });
    expect(db.sum({ metricName: 'UserErrors' })).toBe(3);
  });

  test('that the service fails count as its errors', () => {
    const db = new ObservedDatabase({ tables: [plainOrders] });
    const request = { api: 'GetItem', input: { TableName: 'plain', Key: attributes({ PK: 'a' }) } } as const;
    db.finish(request, { kind: 'failed', code: 'InternalServerError', message: '', httpStatus: 500 });
    expect(db.sum(operation('SystemErrors', 'GetItem', 'plain'))).toBe(1);
    expect(db.sum({ metricName: 'UserErrors' })).toBe(0);
  });
});

describe('settings', () => {
  test('of provisioned tables are told every five minutes, with the last of each span', () => {
    const db = new ObservedDatabase({ tables: [{ ...plainOrders, billing: poor, start }] });
    const raised = { ...plainOrders, billing: { ...poor, writeUnits: 7 }, start } as TableSpec;
    db.activity.setTable(raised, 6 * 60 * 1_000_000);
    const points = db.activity.metrics.points(table('ProvisionedWriteCapacityUnits', 'plain'), start5);
    expect(points.map(({ minute, point }) => [minute - FIRST_MINUTE, point.max])).toEqual([
      [0, 1],
      [5, 7],
    ]);
  });

  test.each([
    ['none of an on-demand table', 'ProvisionedReadCapacityUnits', undefined],
    ['its maximum, where it has one', 'OnDemandMaxReadRequestUnits', 40],
    ['no maximum, where it has none', 'OnDemandMaxWriteRequestUnits', undefined],
  ])('are %s', (_, metric, value) => {
    const billing = { mode: 'on-demand', maximumReadUnits: 40 } as const;
    const db = new ObservedDatabase({ tables: [{ ...plainOrders, billing }] });
    const points = db.activity.metrics.points(table(metric, 'plain'), start5);
    expect(points[0]?.point.max).toBe(value);
  });
});

describe('metrics of the account', () => {
  const provisioned = (writeUnits: number) =>
    ({ billing: { mode: 'provisioned', readUnits: 400, writeUnits }, start }) as const;
  const db = new ObservedDatabase({
    tables: [
      { ...plainOrders, ...provisioned(4_000) },
      { ...ordersTable, globalIndexes: [{ ...statusIndex, ...provisioned(8_000) }], localIndexes: [] },
    ],
  });

  test.each([
    ['the quota of the account is 80,000 units', 'AccountMaxReads', 80_000],
    ['the quota of a table is 40,000 units', 'AccountMaxTableLevelWrites', 40_000],
    // 400 + 400 of 80,000, and 4,000 + 8,000; the table with the index is on demand.
    ['reads that are provisioned, of the quota', 'AccountProvisionedReadCapacityUtilization', 1],
    ['writes that are provisioned, of the quota', 'AccountProvisionedWriteCapacityUtilization', 15],
    // 400 and 8,000 of 40,000.
    ['the table with most reads', 'MaxProvisionedTableReadCapacityUtilization', 1],
    ['the index with most writes', 'MaxProvisionedTableWriteCapacityUtilization', 20],
  ])('%s', (_, metricName, value) => {
    const points = db.activity.metrics.points({ metricName }, start5);
    expect(points.map(({ minute, point }) => [minute - FIRST_MINUTE, point.max])).toEqual([
      [0, value],
      [5, value],
    ]);
  });
});

describe('an index that is added to a table', () => {
  const added = { ...plainOrders, globalIndexes: [statusIndex] };
  const of = (metricName: string) => ({ metricName, tableName: 'plain', indexName: 'GSI1' });

  test('tells how far it is, and takes no capacity meanwhile', () => {
    const db = new ObservedDatabase({ tables: [plainOrders] });
    db.activity.setTable(added, 6 * 60 * 1_000_000);
    const valuesOf = (metricName: string) =>
      db.activity.metrics
        .points(of(metricName), start5)
        .map(({ minute, point }) => [minute - FIRST_MINUTE, point.max]);
    expect(valuesOf('OnlineIndexPercentageProgress')).toEqual([[5, 100]]);
    expect(valuesOf('OnlineIndexConsumedWriteCapacity')).toEqual([[5, 0]]);
    expect(valuesOf('OnlineIndexThrottleEvents')).toEqual([[5, 0]]);
  });

  test('does not where the table was made with it', () => {
    const db = new ObservedDatabase({ tables: [added] });
    expect(db.activity.metrics.points(of('OnlineIndexPercentageProgress'), start5)).toEqual([]);
  });
});

describe('the list of metrics', () => {
  test('holds those that have points, with their dimensions', () => {
    const db = new ObservedDatabase({ tables: [plainOrders] });
    db.send('GetItem', { TableName: 'plain', Key: attributes({ PK: 'a' }) });
    expect(db.activity.metrics.list(FIRST_MINUTE + 1)).toEqual([
      table('ConsumedReadCapacityUnits', 'plain'),
      table('ConsumedWriteCapacityUnits', 'plain'),
      operation('SuccessfulRequestLatency', 'GetItem', 'plain'),
    ]);
    expect(db.activity.metrics.list(FIRST_MINUTE)).toEqual([]);
  });

  test.each([
    ['a name that is no metric', table('NoSuchMetric')],
    ['a table that is not there', table('ConsumedReadCapacityUnits', 'nowhere')],
    ['an index that is not there', index('ConsumedReadCapacityUnits', 'nowhere')],
    ['a metric of operations without one', table('ThrottledRequests')],
    ['a metric of tables on an index', index('TransactionConflict')],
    ['an operation on an index', { ...operation('ThrottledRequests', 'PutItem'), indexName: 'GSI1' }],
    ['errors of the user on a table', table('UserErrors')],
  ])('has nothing for %s', (_, asked) => {
    const db = poorIndex();
    db.send('PutItem', {
      TableName: 'orders',
      Item: attributes({ PK: 'c1', SK: 1, status: 'x', date: 'd' }),
    });
    db.send('PutItem', { TableName: 'orders', Item: {} });
    const range = { fromMinute: FIRST_MINUTE, untilMinute: FIRST_MINUTE + 1 };
    expect(db.activity.metrics.points(asked, range)).toEqual([]);
  });
});
