// Aim: requests are counted as the service counts them: by operation and table, and units by table and global index.
// Method: a target whose answers the test chooses.
import { describe, expect, test } from 'vitest';
import { RequestTally } from '../../../../src/engine/service-counts/request-tally.ts';
import type { Request } from '../../../../src/dynamodb/operation.ts';
import type { Outcome } from '../../../../src/dynamodb/outcome.ts';
import { parseThrottlingReason } from '../../../../src/dynamodb/throttling-reason.ts';
import type { TableSpec } from '../../../../src/dynamodb/table-spec.ts';
import { plainTable, putRequest } from '../../../support/plan-builder.ts';

const indexed: TableSpec = {
  ...plainTable,
  globalIndexes: [
    {
      name: 'GSI1',
      keys: plainTable.keys,
      projection: { kind: 'ALL' },
      billing: { mode: 'on-demand' },
      start: { kind: 'new' },
    },
  ],
};

/** Sends requests; those without an outcome are never answered. */
function tallyOf(exchanges: readonly [Request, Outcome | undefined][]): RequestTally {
  let outcome: Outcome | undefined;
  const inner = {
    send: (_: unknown, startUs: number, done: (outcome: Outcome, endUs: number) => void) => {
      if (outcome !== undefined) done(outcome, startUs);
    },
  };
  const tally = new RequestTally(inner, [indexed]);
  for (const [request, given] of exchanges) {
    outcome = given;
    tally.send({ request, workloadIndex: 0, sequence: 0, part: 0 }, 0, () => undefined);
  }
  return tally;
}

const put = putRequest('k');
const ok: Outcome = {
  kind: 'ok',
  consumed: [
    {
      tableName: 't',
      table: { readUnits: 0, writeUnits: 1 },
      localIndexes: { local: { readUnits: 0, writeUnits: 2 } },
      globalIndexes: { GSI1: { readUnits: 0, writeUnits: 3 } },
    },
  ],
  output: {},
};

test('counts how requests ended; what DynamoDB never answered is unanswered', () => {
  const tally = tallyOf([
    [put, ok],
    [put, { kind: 'throttled', reasons: [], exception: 'x' }],
    [put, { kind: 'conditionFailed' }],
    [put, { kind: 'conflict' }],
    [put, { kind: 'failed', code: 'ValidationException', message: '', httpStatus: 400 }],
    [put, { kind: 'failed', code: 'ECONNRESET', message: '' }],
    [put, undefined],
  ]);
  expect(tally.rows()).toEqual([
    {
      tableName: 't',
      operation: 'PutItem',
      sent: 7,
      ok: 1,
      throttled: 1,
      partial: 0,
      conditionFailed: 1,
      conflict: 1,
      refused: 1,
      unanswered: 2,
    },
  ]);
});

test('a request to several tables counts for each, once', () => {
  const key = { PK: { S: 'k' } };
  const batch: Request = {
    api: 'BatchGetItem',
    input: { RequestItems: { a: { Keys: [key] }, b: { Keys: [key] } } },
  };
  const transaction: Request = {
    api: 'TransactWriteItems',
    input: {
      TransactItems: [
        { Put: { TableName: 'a', Item: key } },
        { Delete: { TableName: 'a', Key: key } },
        { ConditionCheck: { TableName: 'b', Key: key, ConditionExpression: 'x' } },
      ],
    },
  };
  const { operations } = tallyOf([
    [batch, undefined],
    [transaction, undefined],
  ]);
  expect(operations).toEqual([
    { tableName: 'a', operation: 'BatchGetItem' },
    { tableName: 'b', operation: 'BatchGetItem' },
    { tableName: 'a', operation: 'TransactWriteItems' },
    { tableName: 'b', operation: 'TransactWriteItems' },
  ]);
});

test('units of local indexes are those of the table, units of global ones their own', () => {
  const tally = tallyOf([
    [put, ok],
    [put, ok],
  ]);
  expect(tally.unitsOf('t')).toEqual({ readUnits: 0, writeUnits: 6 });
  expect(tally.unitsOf('t/GSI1')).toEqual({ readUnits: 0, writeUnits: 6 });
  expect(tally.unitsOf('elsewhere')).toEqual({ readUnits: 0, writeUnits: 0 });
});

test('counts of several threads add up to those of one', () => {
  const exchanges: [Request, Outcome | undefined][] = [
    [put, ok],
    [
      { api: 'GetItem', input: { TableName: 't', Key: { PK: { S: 'k' } } } },
      { kind: 'ok', consumed: [], output: {} },
    ],
    [put, { kind: 'throttled', reasons: [], exception: 'x' }],
    [put, undefined],
    [put, ok],
  ];
  const sum = tallyOf([]);
  for (const one of exchanges) sum.addRecord(structuredClone(tallyOf([one]).toRecord()));
  const whole = tallyOf(exchanges);
  expect(sum.rows()).toEqual(whole.rows());
  expect(sum.operations).toEqual(whole.operations);
  for (const resource of ['t', 't/GSI1']) expect(sum.unitsOf(resource)).toEqual(whole.unitsOf(resource));
});

describe('a throttled transaction counts as throttled', () => {
  const key = { PK: { S: 'k' } };
  const transaction: Request = {
    api: 'TransactWriteItems',
    input: {
      TransactItems: [
        { Put: { TableName: 'a', Item: key } },
        { Delete: { TableName: 'b', Key: key } },
        { Put: { TableName: 'a', Item: { PK: { S: 'l' } } } },
      ],
    },
  };
  const throttled = { kind: 'throttled', exception: 'TransactionCanceledException' } as const;

  test.each<[string, Outcome, number, number]>([
    [
      'on the table that its reasons name',
      {
        ...throttled,
        reasons: [parseThrottlingReason('', 'arn:aws:dynamodb:us-east-1:000000000000:table/b/index/i')],
      },
      0,
      1,
    ],
    [
      'on the table whose actions were throttled',
      {
        ...throttled,
        reasons: [parseThrottlingReason('')],
        cancellationReasons: [{ Code: 'None' }, { Code: 'None' }, { Code: 'ThrottlingError' }],
      },
      1,
      0,
    ],
    ['on all its tables where nothing says more', { ...throttled, reasons: [] }, 1, 1],
  ])('%s', (_, outcome, a, b) => {
    const rows = tallyOf([[transaction, outcome]]).rows();
    expect(rows).toMatchObject([
      { tableName: 'a', sent: 1, throttled: a, unanswered: 0 },
      { tableName: 'b', sent: 1, throttled: b, unanswered: 0 },
    ]);
  });
});
