// Aim: outcomes of the simulated database become the bodies that DynamoDB sends. Method: one row for each
// kind of outcome, with the body expected.
import { describe, expect, test } from 'vitest';
import type { Request } from '../../../src/dynamodb/operation.ts';
import type { Outcome } from '../../../src/dynamodb/outcome.ts';
import { parseThrottlingReason } from '../../../src/dynamodb/throttling-reason.ts';
import { dataAnswer } from '../../../src/serve/data-answer.ts';

const put: Request = { api: 'PutItem', input: { TableName: 't', Item: {} } };
const arn = 'arn:aws:dynamodb:us-east-1:000000000000:table/t';

function answer(outcome: Outcome, request: Request = put): unknown {
  const { status, body } = dataAnswer(request, outcome);
  return { status, ...(JSON.parse(body) as object) };
}

const DYNAMODB = 'com.amazonaws.dynamodb.v20120810#';

describe('errors', () => {
  test.each<[string, Outcome, object]>([
    [
      'a throttle on demand, by the exception that spells its reasons small',
      {
        kind: 'throttled',
        exception: 'ThrottlingException',
        reasons: [parseThrottlingReason('TableWriteKeyRangeThroughputExceeded', arn)],
      },
      {
        __type: 'com.amazon.coral.availability#ThrottlingException',
        throttlingReasons: [{ reason: 'TableWriteKeyRangeThroughputExceeded', resource: arn }],
        message: expect.stringContaining('automatically scaling your table or index') as string,
      },
    ],
    [
      'a throttle of provisioned throughput',
      {
        kind: 'throttled',
        exception: 'ProvisionedThroughputExceededException',
        reasons: [parseThrottlingReason('IndexWriteProvisionedThroughputExceeded', `${arn}/index/i`)],
      },
      {
        __type: `${DYNAMODB}ProvisionedThroughputExceededException`,
        ThrottlingReasons: [
          { reason: 'IndexWriteProvisionedThroughputExceeded', resource: `${arn}/index/i` },
        ],
        message: expect.stringContaining('one or more global secondary indexes') as string,
      },
    ],
    [
      'a failed condition',
      { kind: 'conditionFailed' },
      { __type: `${DYNAMODB}ConditionalCheckFailedException`, message: 'The conditional request failed' },
    ],
    [
      'a failed condition with the item',
      { kind: 'conditionFailed', item: { pk: { S: 'a' } } },
      {
        __type: `${DYNAMODB}ConditionalCheckFailedException`,
        Item: { pk: { S: 'a' } },
        message: 'The conditional request failed',
      },
    ],
    [
      'a conflict',
      { kind: 'conflict' },
      { __type: `${DYNAMODB}TransactionConflictException`, message: 'Transaction is ongoing for the item' },
    ],
    [
      'a cancelled transaction, with a message that begins large',
      {
        kind: 'conditionFailed',
        cancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed', Message: 'm' }],
      },
      {
        __type: `${DYNAMODB}TransactionCanceledException`,
        CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed', Message: 'm' }],
        Message:
          'Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed]',
      },
    ],
    [
      'a mistake',
      { kind: 'failed', code: 'ValidationException', message: 'm', httpStatus: 400 },
      { __type: 'com.amazon.coral.validate#ValidationException', message: 'm' },
    ],
  ])('tell %s', (_, outcome, body) => {
    expect(answer(outcome)).toEqual({ status: 400, ...body });
  });

  test('tell a throttled repetition of a transaction as reasons of its cancellation', () => {
    const action = { Put: { TableName: 't', Item: {} } };
    const outcome: Outcome = { kind: 'throttled', exception: 'TransactionCanceledException', reasons: [] };
    expect(
      answer(outcome, { api: 'TransactWriteItems', input: { TransactItems: [action, action] } }),
    ).toMatchObject({
      CancellationReasons: [{ Code: 'ThrottlingError' }, { Code: 'ThrottlingError' }],
    });
  });

  test('tell what no service answers as an error of the server', () => {
    expect(answer({ kind: 'timedOut' })).toMatchObject({
      status: 500,
      __type: `${DYNAMODB}InternalServerError`,
    });
  });
});

describe('successes', () => {
  const consumed = [
    {
      tableName: 't',
      table: { readUnits: 0, writeUnits: 2 },
      globalIndexes: { i: { readUnits: 0, writeUnits: 1 } },
    },
  ];
  const ok = (output: object): Outcome => ({ kind: 'ok', consumed, output });
  const asking = (mode: 'NONE' | 'TOTAL' | 'INDEXES'): Request => ({
    api: 'PutItem',
    input: { TableName: 't', Item: {}, ReturnConsumedCapacity: mode },
  });

  test('are an empty object where nothing was asked for', () => {
    expect(dataAnswer(put, ok({}))).toEqual({ status: 200, body: '{}' });
    expect(dataAnswer(asking('NONE'), ok({}))).toEqual({ status: 200, body: '{}' });
  });

  test('tell units in total, or by table and index', () => {
    expect(answer(ok({}), asking('TOTAL'))).toEqual({
      status: 200,
      ConsumedCapacity: { TableName: 't', CapacityUnits: 3 },
    });
    expect(answer(ok({}), asking('INDEXES'))).toEqual({
      status: 200,
      ConsumedCapacity: {
        TableName: 't',
        CapacityUnits: 3,
        Table: { CapacityUnits: 2 },
        GlobalSecondaryIndexes: { i: { CapacityUnits: 1 } },
      },
    });
  });

  test('tell units of transactions as a list, reads and writes apart', () => {
    const request: Request = {
      api: 'TransactWriteItems',
      input: { TransactItems: [], ReturnConsumedCapacity: 'TOTAL' },
    };
    expect(answer(ok({}), request)).toEqual({
      status: 200,
      ConsumedCapacity: [{ TableName: 't', CapacityUnits: 3, WriteCapacityUnits: 3 }],
    });
  });

  test('are what a batch that was served in part is as well', () => {
    const output = { UnprocessedItems: { t: [{ DeleteRequest: { Key: {} } }] } };
    const request: Request = { api: 'BatchWriteItem', input: { RequestItems: {} } };
    const outcome: Outcome = { kind: 'partial', sentItems: 2, unprocessedItems: 1, consumed, output };
    expect(answer(outcome, request)).toEqual({ status: 200, ...output });
  });
});
