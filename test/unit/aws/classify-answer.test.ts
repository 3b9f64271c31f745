// Aim: every shape of answer becomes the right outcome. Method: bodies as DynamoDB, its emulators and things
// in between send them.
import { expect, test } from 'vitest';
import { classifyAnswer } from '../../../src/aws/classify-answer.ts';
import type { Request } from '../../../src/dynamodb/operation.ts';
import type { HttpAnswer } from '../../../src/http/attempt.ts';

const REQUEST_ID = 'x-amzn-RequestId: ABC123';

function answer(status: number, body: unknown, head = `HTTP/1.1 ${status} x\r\n${REQUEST_ID}`): HttpAnswer {
  return { status, head, body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) };
}

const put: Request = { api: 'PutItem', input: { TableName: 'orders', Item: {} } };
const get: Request = { api: 'GetItem', input: { TableName: 'orders', Key: {} } };
const transactWrite: Request = { api: 'TransactWriteItems', input: { TransactItems: [] } };
const batchWrite: Request = {
  api: 'BatchWriteItem',
  input: {
    RequestItems: {
      a: [{ PutRequest: { Item: {} } }, { PutRequest: { Item: {} } }],
      b: [{ DeleteRequest: { Key: {} } }],
    },
  },
};
const batchGet: Request = {
  api: 'BatchGetItem',
  input: { RequestItems: { a: { Keys: [{}, {}, {}] }, b: { Keys: [{}] } } },
};

const writes = (units: number) => ({ readUnits: 0, writeUnits: units });
const reads = (units: number) => ({ readUnits: units, writeUnits: 0 });

test.each([
  ['none where the server reports none', put, undefined, []],
  [
    'the sum of TOTAL as the table',
    put,
    { TableName: 'orders', CapacityUnits: 3 },
    [{ tableName: 'orders', table: writes(3) }],
  ],
  [
    'half units of a read',
    get,
    { TableName: 'orders', CapacityUnits: 0.5 },
    [{ tableName: 'orders', table: reads(0.5) }],
  ],
  [
    'table and indexes of INDEXES',
    put,
    {
      TableName: 'orders',
      CapacityUnits: 6,
      Table: { CapacityUnits: 3 },
      GlobalSecondaryIndexes: { g1: { CapacityUnits: 2 } },
      LocalSecondaryIndexes: { l1: { CapacityUnits: 1 } },
    },
    [
      {
        tableName: 'orders',
        table: writes(3),
        globalIndexes: { g1: writes(2) },
        localIndexes: { l1: writes(1) },
      },
    ],
  ],
  [
    'no units on the table for a read of an index',
    { api: 'Query', input: { TableName: 'orders', IndexName: 'g1', KeyConditionExpression: '' } },
    {
      TableName: 'orders',
      CapacityUnits: 2,
      Table: { CapacityUnits: 0 },
      GlobalSecondaryIndexes: { g1: { CapacityUnits: 2 } },
    },
    [{ tableName: 'orders', table: reads(0), globalIndexes: { g1: reads(2) } }],
  ],
  [
    'what is left of the sum where the table has no arm',
    put,
    {
      TableName: 'orders',
      CapacityUnits: 5,
      GlobalSecondaryIndexes: { g1: { CapacityUnits: 2 } },
    },
    [{ tableName: 'orders', table: writes(3), globalIndexes: { g1: writes(2) } }],
  ],
  [
    'a list with one entry per table',
    batchWrite,
    [
      { TableName: 'a', CapacityUnits: 2 },
      { TableName: 'b', CapacityUnits: 1 },
    ],
    [
      { tableName: 'a', table: writes(2) },
      { tableName: 'b', table: writes(1) },
    ],
  ],
  [
    'writes of a transaction, told apart by the server',
    transactWrite,
    [
      {
        TableName: 'a',
        CapacityUnits: 5,
        WriteCapacityUnits: 5,
        Table: { CapacityUnits: 4, WriteCapacityUnits: 4 },
        GlobalSecondaryIndexes: { g1: { CapacityUnits: 1, WriteCapacityUnits: 1 } },
      },
    ],
    [{ tableName: 'a', table: writes(4), globalIndexes: { g1: writes(1) } }],
  ],
  [
    'reads of a replayed transaction',
    transactWrite,
    [{ TableName: 'a', CapacityUnits: 2, ReadCapacityUnits: 2 }],
    [{ tableName: 'a', table: reads(2) }],
  ],
  [
    'zeroes beside the sum as not told apart',
    put,
    { TableName: 'orders', CapacityUnits: 1, ReadCapacityUnits: 0, WriteCapacityUnits: 0 },
    [{ tableName: 'orders', table: writes(1) }],
  ],
  [
    'the name of the request where the server leaves it out',
    get,
    { CapacityUnits: 1 },
    [{ tableName: 'orders', table: reads(1) }],
  ],
  [
    'the name in an ARN',
    get,
    { TableName: 'arn:aws:dynamodb:eu-west-1:1:table/orders', CapacityUnits: 1 },
    [{ tableName: 'orders', table: reads(1) }],
  ],
  [
    'nothing for a vector search, which has no units',
    get,
    { VectorSearchRequestBytes: 5 },
    [{ tableName: 'orders', table: reads(0) }],
  ],
] satisfies [string, Request, unknown, unknown][])(
  'reads as consumed: %s',
  (_name, request, wire, consumed) => {
    const body = wire === undefined ? {} : { ConsumedCapacity: wire };
    expect(classifyAnswer(answer(200, body), request)).toEqual({ kind: 'ok', consumed, output: body });
  },
);

test('keeps the output', () => {
  const body = { Item: { pk: { S: 'é😀' } } };
  expect(classifyAnswer(answer(200, body), get)).toMatchObject({ kind: 'ok', output: body });
});

test.each([
  ['nothing left over', batchWrite, { UnprocessedItems: {} }, { kind: 'ok' }],
  [
    'one write left over',
    batchWrite,
    { UnprocessedItems: { a: [{}] } },
    { kind: 'partial', sentItems: 3, unprocessedItems: 1 },
  ],
  [
    'all writes left over',
    batchWrite,
    { UnprocessedItems: { a: [{}, {}], b: [{}] } },
    { kind: 'partial', sentItems: 3, unprocessedItems: 3 },
  ],
  [
    'two keys left over',
    batchGet,
    { Responses: {}, UnprocessedKeys: { a: { Keys: [{}, {}] } } },
    { kind: 'partial', sentItems: 4, unprocessedItems: 2 },
  ],
  ['an empty list for a table', batchWrite, { UnprocessedItems: { a: [] } }, { kind: 'ok' }],
] satisfies [string, Request, unknown, object][])('a batch with %s', (_name, request, body, expected) => {
  expect(classifyAnswer(answer(200, body), request)).toMatchObject(expected);
});

const TABLE_ARN = 'arn:aws:dynamodb:us-east-1:111122223333:table/orders';

test.each([
  [
    'a provisioned table, reasons with a capital T and a nested __type',
    {
      __type: 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException',
      ThrottlingReasons: [
        {
          __type: 'ThrottlingReason',
          reason: 'TableWriteProvisionedThroughputExceeded',
          resource: TABLE_ARN,
        },
      ],
      message: 'm',
    },
    'ProvisionedThroughputExceededException',
    [
      {
        reason: 'TableWriteProvisionedThroughputExceeded',
        resource: 'Table',
        operation: 'Write',
        limit: 'Provisioned',
        arn: TABLE_ARN,
      },
    ],
  ],
  [
    'an on-demand index, reasons with a small t, coral namespace',
    {
      __type: 'com.amazon.coral.availability#ThrottlingException',
      throttlingReasons: [
        { reason: 'IndexWriteKeyRangeThroughputExceeded', resource: `${TABLE_ARN}/index/g1` },
        { reason: 'TableWriteKeyRangeThroughputExceeded', resource: TABLE_ARN },
      ],
    },
    'ThrottlingException',
    [
      {
        reason: 'IndexWriteKeyRangeThroughputExceeded',
        resource: 'Index',
        operation: 'Write',
        limit: 'KeyRange',
        arn: `${TABLE_ARN}/index/g1`,
      },
      {
        reason: 'TableWriteKeyRangeThroughputExceeded',
        resource: 'Table',
        operation: 'Write',
        limit: 'KeyRange',
        arn: TABLE_ARN,
      },
    ],
  ],
  [
    'no reasons at all',
    { __type: 'RequestLimitExceeded', message: 'm' },
    'RequestLimitExceeded',
    [{ reason: 'Unknown' }],
  ],
  [
    'the quota of the account',
    {
      __type: 'com.amazonaws.dynamodb.v20120810#RequestLimitExceeded',
      ThrottlingReasons: [{ reason: 'TableWriteAccountLimitExceeded', resource: TABLE_ARN }],
    },
    'RequestLimitExceeded',
    [
      {
        reason: 'TableWriteAccountLimitExceeded',
        resource: 'Table',
        operation: 'Write',
        limit: 'Account',
        arn: TABLE_ARN,
      },
    ],
  ],
  [
    'an empty list of reasons',
    { __type: 'x#ThrottlingException', throttlingReasons: [] },
    'ThrottlingException',
    [{ reason: 'Unknown' }],
  ],
  [
    'a reason that is not one of the sixteen',
    { __type: 'ThrottlingException', throttlingReasons: [{ reason: 'NewLimitExceeded' }] },
    'ThrottlingException',
    [{ reason: 'NewLimitExceeded' }],
  ],
])('throttled by %s', (_name, body, exception, reasons) => {
  expect(classifyAnswer(answer(400, body), put)).toEqual({ kind: 'throttled', exception, reasons });
});

test('HTTP 429 is a throttle whatever the body says', () => {
  expect(classifyAnswer(answer(429, 'slow down'), put)).toMatchObject({
    kind: 'throttled',
    exception: 'HTTP_429',
  });
});

test.each([
  ['ConditionalCheckFailedException', { kind: 'conditionFailed' }],
  ['TransactionConflictException', { kind: 'conflict' }],
  ['ReplicatedWriteConflictException', { kind: 'conflict' }],
  ['IdempotentParameterMismatchException', { kind: 'failed', code: 'IdempotentParameterMismatchException' }],
  ['TransactionInProgressException', { kind: 'failed', code: 'TransactionInProgressException' }],
  ['ResourceNotFoundException', { kind: 'failed', code: 'ResourceNotFoundException' }],
])('%s', (type, expected) => {
  const body = { __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'why' };
  expect(classifyAnswer(answer(400, body), put)).toMatchObject(expected);
});

test.each([
  [
    'a throttled member',
    ['None', 'ThrottlingError'],
    { kind: 'throttled', exception: 'TransactionCanceledException', reasons: [{ reason: 'Unknown' }] },
  ],
  ['a provisioned table', ['ProvisionedThroughputExceeded'], { kind: 'throttled' }],
  ['a condition', ['ConditionalCheckFailed', 'None'], { kind: 'conditionFailed' }],
  ['another transaction', ['TransactionConflict'], { kind: 'conflict' }],
  [
    'a condition and another transaction',
    ['ConditionalCheckFailed', 'TransactionConflict'],
    { kind: 'conflict' },
  ],
  ['a condition and a throttle', ['ConditionalCheckFailed', 'ThrottlingError'], { kind: 'throttled' }],
  [
    'a throttle and an invalid member',
    ['ThrottlingError', 'ValidationError'],
    { kind: 'failed', code: 'ValidationError' },
  ],
  [
    'a full item collection',
    ['ItemCollectionSizeLimitExceeded'],
    { kind: 'failed', code: 'ItemCollectionSizeLimitExceeded' },
  ],
  ['no reason at all', ['None'], { kind: 'failed', code: 'TransactionCanceledException' }],
])('a transaction cancelled by %s', (_name, codes, expected) => {
  const body = {
    __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
    CancellationReasons: codes.map((Code) => ({ Code })),
    Message: `Transaction cancelled [${codes.join(', ')}]`,
  };
  expect(classifyAnswer(answer(400, body), transactWrite)).toMatchObject(expected);
  const { CancellationReasons: _absent, ...messageOnly } = body;
  expect(classifyAnswer(answer(400, messageOnly), transactWrite)).toMatchObject(expected);
});

test('a failure carries message, status and request id', () => {
  const body = {
    __type: 'com.amazon.coral.validate#ValidationException',
    message: 'One or more\nparameters',
  };
  expect(classifyAnswer(answer(400, body), put)).toEqual({
    kind: 'failed',
    code: 'ValidationException',
    message: 'One or more parameters',
    httpStatus: 400,
    requestId: 'ABC123',
  });
});

test.each([
  [
    'a page where JSON should be',
    answer(200, '<html>hello</html>'),
    { code: 'BAD_JSON', message: '<html>hello</html>' },
  ],
  ['a list where an object should be', answer(200, '[]'), { code: 'BAD_JSON' }],
  ['half an object', answer(200, '{"Item":'), { code: 'BAD_JSON' }],
  ['an empty body', answer(200, ''), { code: 'BAD_JSON' }],
  [
    'a gateway without a name',
    answer(502, '<h1>Bad Gateway</h1>'),
    { code: 'HTTP_502', message: '<h1>Bad Gateway</h1>' },
  ],
  [
    'a server error',
    answer(500, { __type: 'InternalServerError' }),
    { code: 'InternalServerError', httpStatus: 500 },
  ],
  [
    'a type in the header only',
    answer(403, '', 'HTTP/1.1 403 x\r\nx-amzn-ErrorType: AccessDeniedException:http://x/'),
    { code: 'AccessDeniedException' },
  ],
])('%s', (_name, sent, expected) => {
  expect(classifyAnswer(sent, put)).toMatchObject({ kind: 'failed', ...expected });
});

test.each([
  [
    'a wrong signature',
    "The request signature we calculated does not match.\n\nThe Canonical String for this request should have been\n'POST\n/\n\nx-amz-security-token:SECRETTOKEN'",
  ],
  [
    'an incomplete signature',
    'Authorization=AWS4-HMAC-SHA256 Credential=SECRETKEY/20260101/x, SignedHeaders=host, Signature=SECRETSIG',
  ],
  ['a token in passing', 'header X-Amz-Security-Token: SECRETTOKEN was refused'],
])('no credentials stay in the message of %s', (_name, message) => {
  const outcome = classifyAnswer(answer(400, { __type: 'InvalidSignatureException', message }), put);
  expect(outcome).toMatchObject({ kind: 'failed', code: 'InvalidSignatureException' });
  expect(JSON.stringify(outcome)).not.toContain('SECRET');
});
