// Aim: what is answered over the account's quota of a table or index on demand, API by API (facts 3.4, 4.1, 4.3).
// Method: a quota of ten units a second, spent by one request beforehand on roomy partitions; then one of each kind.
import { describe, expect, test } from 'vitest';
import { capacityModels } from '../../../src/capacity/capacity-model.ts';
import type { Request } from '../../../src/dynamodb/operation.ts';
import type { Outcome } from '../../../src/dynamodb/outcome.ts';
import { dataAnswer } from '../../../src/serve/data-answer.ts';
import { attributes, OrdersDatabase, ordersTable } from '../../support/simulated-orders.ts';

const model = { ...capacityModels.default, tableQuotaUnits: 10 };
const key = attributes({ PK: 'c', SK: 1 });
const item = attributes({ PK: 'c', SK: 2 });

/** Orders of which reads and writes of the table have just gone over their quota. */
function overQuota(): OrdersDatabase {
  const db = new OrdersDatabase({ model, stepUs: 0 });
  db.database.preload('orders', attributes({ PK: 'c', SK: 1, note: 'x'.repeat(60_000) }));
  db.send('UpdateItem', {
    TableName: 'orders',
    Key: key,
    UpdateExpression: 'SET a = :a',
    ExpressionAttributeValues: attributes({ ':a': 1 }),
  });
  db.send('GetItem', { TableName: 'orders', Key: key, ConsistentRead: true });
  return db;
}

function throttled(outcome: Outcome) {
  if (outcome.kind !== 'throttled') throw new Error(`it ended ${outcome.kind}`);
  const { exception, reasons } = outcome;
  return { exception, reasons: reasons.map(({ reason }) => reason) };
}

const read = { exception: 'RequestLimitExceeded', reasons: ['TableReadAccountLimitExceeded'] };
const write = { exception: 'RequestLimitExceeded', reasons: ['TableWriteAccountLimitExceeded'] };

const TableName = 'orders';
const Statement = `INSERT INTO orders VALUE {'PK': 'c', 'SK': 2}`;

function answer(request: Request): Outcome {
  const db = overQuota();
  return db.database.handle(request, db.atUs);
}

describe('over the quota of a table, RequestLimitExceeded is the answer to', () => {
  test.each<[string, Request, object]>([
    ['GetItem', { api: 'GetItem', input: { TableName, Key: key } }, read],
    [
      'Query',
      {
        api: 'Query',
        input: {
          TableName,
          KeyConditionExpression: 'PK = :p',
          ExpressionAttributeValues: attributes({ ':p': 'c' }),
        },
      },
      read,
    ],
    ['Scan', { api: 'Scan', input: { TableName } }, read],
    ['PutItem', { api: 'PutItem', input: { TableName, Item: item } }, write],
    ['DeleteItem', { api: 'DeleteItem', input: { TableName, Key: key } }, write],
    [
      'SELECT',
      { api: 'ExecuteStatement', input: { Statement: `SELECT * FROM orders WHERE PK = 'c' AND SK = 1` } },
      read,
    ],
    ['INSERT', { api: 'ExecuteStatement', input: { Statement } }, write],
    [
      'BatchGetItem where nothing is served',
      { api: 'BatchGetItem', input: { RequestItems: { orders: { Keys: [key] } } } },
      read,
    ],
    [
      'BatchWriteItem where nothing is served',
      { api: 'BatchWriteItem', input: { RequestItems: { orders: [{ PutRequest: { Item: item } }] } } },
      write,
    ],
  ])('%s', (_, request, expected) => {
    expect(throttled(answer(request))).toEqual(expected);
  });
});

test('a batch of which another table serves some comes back in part, without an exception', () => {
  const db = overQuota();
  const outcome = db.send('BatchWriteItem', {
    RequestItems: {
      orders: [{ PutRequest: { Item: item } }],
      plain: [{ PutRequest: { Item: attributes({ PK: 'c' }) } }],
    },
  });
  expect(outcome).toMatchObject({ kind: 'partial', sentItems: 2, unprocessedItems: 1 });
});

test.each([
  [Statement, `INSERT INTO plain VALUE {'PK': 'c'}`],
  [`SELECT * FROM orders WHERE PK = 'c' AND SK = 1`, `SELECT * FROM plain WHERE PK = 'c'`],
])('%s in a batch has the code RequestLimitExceeded in its place', (refused, served) => {
  const request = {
    api: 'BatchExecuteStatement',
    input: {
      Statements: [{ Statement: refused }, { Statement: served }],
    },
  } as const;
  const db = overQuota();
  const { status, body } = dataAnswer(request, db.database.handle(request, db.atUs));
  const { Responses } = JSON.parse(body) as { Responses: { Error?: { Code: string } }[] };
  expect([status, ...Responses.map(({ Error }) => Error?.Code)]).toEqual([
    200,
    'RequestLimitExceeded',
    undefined,
  ]);
});

test.each<[Request, { readonly reasons: readonly string[] }]>([
  [{ api: 'TransactWriteItems', input: { TransactItems: [{ Put: { TableName, Item: item } }] } }, write],
  [{ api: 'TransactGetItems', input: { TransactItems: [{ Get: { TableName, Key: key } }] } }, read],
  [{ api: 'ExecuteTransaction', input: { TransactStatements: [{ Statement }] } }, write],
])('$0.api is cancelled by ThrottlingError: cancellations know no other code', (request, { reasons }) => {
  const outcome = answer(request);
  expect(throttled(outcome)).toEqual({ exception: 'TransactionCanceledException', reasons });
  expect(outcome.kind === 'throttled' && outcome.cancellationReasons).toEqual([
    expect.objectContaining({ Code: 'ThrottlingError' }) as object,
  ]);
});

describe('over the quota of an index', () => {
  /** Moves an index key of 60 KB: twice on the index what it costs on the table. */
  function moved(): OrdersDatabase {
    const db = new OrdersDatabase({ model, stepUs: 0 });
    const note = 'x'.repeat(60_000);
    db.database.preload('orders', attributes({ PK: 'c', SK: 1, status: 'open', date: 'd', note }));
    db.send('UpdateItem', {
      TableName: 'orders',
      Key: key,
      UpdateExpression: 'SET #s = :s',
      ExpressionAttributeNames: { '#s': 'status' },
      ExpressionAttributeValues: attributes({ ':s': 'closed' }),
    });
    // Once the table's quota has come back, and before the index's has.
    db.atUs = 7_000_000;
    return db;
  }

  test('a write of the table is held back by ThrottlingException', () => {
    const outcome = moved().send('PutItem', {
      TableName: 'orders',
      Item: attributes({ PK: 'd', SK: 1, status: 'open', date: 'd' }),
    });
    expect(throttled(outcome)).toEqual({
      exception: 'ThrottlingException',
      reasons: ['IndexWriteAccountLimitExceeded'],
    });
  });

  test('a read of it is refused by RequestLimitExceeded, with its reason on the wire', () => {
    const db = moved();
    const request = {
      api: 'Query',
      input: {
        TableName: 'orders',
        IndexName: 'GSI1',
        KeyConditionExpression: '#s = :s',
        ExpressionAttributeNames: { '#s': 'status' },
        ExpressionAttributeValues: attributes({ ':s': 'closed' }),
      },
    } as const;
    for (let page = 0; page < 2; page++) db.database.handle(request, db.atUs);
    const { status, body } = dataAnswer(request, db.database.handle(request, db.atUs));
    expect(status).toBe(400);
    expect(JSON.parse(body)).toEqual({
      __type: 'com.amazonaws.dynamodb.v20120810#RequestLimitExceeded',
      ThrottlingReasons: [
        {
          reason: 'IndexReadAccountLimitExceeded',
          resource: `arn:aws:dynamodb:us-east-1:000000000000:table/${ordersTable.tableName}/index/GSI1`,
        },
      ],
      message: expect.stringContaining('throughput limit for your account') as string,
    });
  });
});
