// Aim: a request of any SDK client is read for what it is, accounting is asked for where the user asks for
// none, and its answer means what the lean client would say. Method: HTTP requests as the SDK hands them to
// its handler, as text and as bytes; answers as servers give them.
import { describe, expect, test } from 'vitest';
import {
  classifySdkAnswer,
  classifySdkFailure,
  readSdkRequest,
  type SdkRequest,
} from '../../../src/aws/sdk-request.ts';

const key = { PK: { S: 'a' } };

function http(api: string, body: unknown, service = 'DynamoDB_20120810') {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { headers: { 'x-amz-target': `${service}.${api}` }, body: text };
}

function read(api: string, body: unknown): SdkRequest {
  const request = readSdkRequest(http(api, body), 'INDEXES');
  if (request === undefined) throw new Error('a request of DynamoDB was expected');
  return request;
}

describe('accounting', () => {
  const asked = (api: string, body: unknown) => JSON.parse(read(api, body).body).ReturnConsumedCapacity;

  test.each([
    { name: 'is asked for where the user says nothing', body: { TableName: 't', Key: key }, is: 'INDEXES' },
    {
      name: 'is asked for where the user wants none',
      body: { TableName: 't', Key: key, ReturnConsumedCapacity: 'NONE' },
      is: 'INDEXES',
    },
    {
      name: 'stays as the user asks for it',
      body: { TableName: 't', Key: key, ReturnConsumedCapacity: 'TOTAL' },
      is: 'TOTAL',
    },
    { name: 'is asked for in an empty body', body: {}, is: 'INDEXES' },
  ])('$name', ({ body, is }) => {
    expect(asked('GetItem', body)).toBe(is);
  });

  test('leaves attributes alone that look like it', () => {
    const Item = {
      ...key,
      text: { S: '"ReturnConsumedCapacity":"NONE"' },
      map: { M: { ReturnConsumedCapacity: { S: 'NONE' } } },
    };
    const { body } = read('PutItem', { TableName: 't', Item });
    expect(JSON.parse(body)).toEqual({ TableName: 't', Item, ReturnConsumedCapacity: 'INDEXES' });
  });

  test.each(['ExecuteStatement', 'BatchExecuteStatement', 'ExecuteTransaction'])(
    'is asked for by %s',
    (api) => {
      expect(asked(api, { Statement: 'SELECT * FROM t' })).toBe('INDEXES');
    },
  );

  test('is not asked for by what has none', () => {
    expect(asked('DescribeTable', { TableName: 't' })).toBeUndefined();
  });
});

describe('the request', () => {
  test('is read from bytes as well', () => {
    const { headers, body } = http('GetItem', { TableName: 'tä', Key: key });
    expect(readSdkRequest({ headers, body: new TextEncoder().encode(body) }, 'TOTAL')).toMatchObject({
      api: 'GetItem',
      request: { api: 'GetItem', input: { TableName: 'tä', Key: key } },
    });
  });

  test.each([
    ['PutItem', { TableName: 't', Item: key }],
    ['UpdateItem', { TableName: 't', Key: key }],
    ['DeleteItem', { TableName: 't', Key: key }],
    ['Query', { TableName: 't', KeyConditionExpression: 'PK = :a' }],
    ['Scan', { TableName: 't' }],
    ['BatchGetItem', { RequestItems: { t: { Keys: [key] } } }],
    [
      'BatchWriteItem',
      { RequestItems: { t: [{ PutRequest: { Item: key } }, { DeleteRequest: { Key: key } }] } },
    ],
    ['TransactGetItems', { TransactItems: [{ Get: { TableName: 't', Key: key } }] }],
    [
      'TransactWriteItems',
      { TransactItems: [{ Put: { TableName: 't', Item: key } }, { Delete: { TableName: 't', Key: key } }] },
    ],
    ['ExecuteStatement', { Statement: 'SELECT * FROM t WHERE PK = ?', Parameters: [{ S: 'a' }] }],
    ['BatchExecuteStatement', { Statements: [{ Statement: "DELETE FROM t WHERE PK = 'a'" }] }],
    ['ExecuteTransaction', { TransactStatements: [{ Statement: "INSERT INTO t VALUE {'PK': 'a'}" }] }],
  ])('of %s is the engine’s', (api, input) => {
    expect(read(api, input).request).toEqual({ api, input });
  });

  test.each([
    ['a put without an item', 'PutItem', { TableName: 't' }],
    ['a get without a key', 'GetItem', { TableName: 't', Key: null }],
    ['a query of the old form', 'Query', { TableName: 't', KeyConditions: {} }],
    ['a batch whose tables have no lists', 'BatchWriteItem', { RequestItems: { t: {} } }],
    ['a batch whose writes are neither puts nor deletes', 'BatchWriteItem', { RequestItems: { t: [{}] } }],
    [
      'a transaction without actions’ keys',
      'TransactWriteItems',
      { TransactItems: [{ Update: { TableName: 't' } }] },
    ],
    ['a statement that is none', 'ExecuteStatement', { Statement: 'SELECT 1' }],
    ['a transaction with one', 'ExecuteTransaction', { TransactStatements: [{ Statement: 'DROP TABLE t' }] }],
    ['a description', 'DescribeTable', { TableName: 't' }],
  ])('of %s is nobody’s, and still counted', (_name, api, input) => {
    expect(read(api, input)).toMatchObject({ api, request: undefined });
  });

  test.each([
    ['another service', http('PutMetricData', {}, 'GraniteServiceVersion20100801')],
    ['no target', { headers: {}, body: '{}' }],
    ['no JSON', http('PutItem', 'a binary protocol')],
    ['no request at all', undefined],
  ])('of %s is left alone', (_name, request) => {
    expect(readSdkRequest(request, 'INDEXES')).toBeUndefined();
  });

  test.each([
    ['GetItem', {}, true],
    ['BatchGetItem', {}, true],
    ['TransactGetItems', {}, true],
    ['Query', {}, true],
    ['DescribeTable', {}, true],
    ['ListTables', {}, true],
    ['ExecuteStatement', { Statement: ' select * from t' }, true],
    ['ExecuteStatement', { Statement: "UPDATE t SET a = 'select'" }, false],
    [
      'BatchExecuteStatement',
      { Statements: [{ Statement: 'SELECT 1' }, { Statement: 'DELETE FROM t' }] },
      false,
    ],
    ['ExecuteTransaction', { TransactStatements: [{ Statement: 'SELECT 1' }] }, true],
    ['ExecuteTransaction', {}, false],
    ['PutItem', {}, false],
    ['DeleteTable', {}, false],
  ])('%s %j reads only: %s', (api, body, isRead) => {
    expect(read(api, body).isRead).toBe(isRead);
  });
});

describe('an answer', () => {
  const answer = (status: number, body: unknown) => ({
    status,
    head: '\r\nx-amzn-requestid: ABC',
    body: Buffer.from(JSON.stringify(body)),
  });

  test('to a data request is what the lean client makes of it', () => {
    const put = read('PutItem', { TableName: 't', Item: key });
    expect(
      classifySdkAnswer(answer(200, { ConsumedCapacity: { TableName: 't', CapacityUnits: 2 } }), put),
    ).toEqual({
      kind: 'ok',
      consumed: [{ tableName: 't', table: { readUnits: 0, writeUnits: 2 } }],
      output: expect.anything(),
    });
    const refused = answer(400, {
      __type: 'com.amazonaws.dynamodb.v20120810#ThrottlingException',
      throttlingReasons: [
        {
          reason: 'IndexWriteKeyRangeThroughputExceeded',
          resource: 'arn:aws:dynamodb:eu-west-1:1:table/t/index/g',
        },
      ],
    });
    expect(classifySdkAnswer(refused, put)).toMatchObject({
      kind: 'throttled',
      reasons: [{ reason: 'IndexWriteKeyRangeThroughputExceeded', resource: 'Index' }],
    });
  });

  test.each([
    { statement: 'SELECT * FROM t', units: { readUnits: 3, writeUnits: 0 } },
    { statement: "INSERT INTO t VALUE {'PK': 'a'}", units: { readUnits: 0, writeUnits: 3 } },
  ])('to $statement has units of its direction', ({ statement, units }) => {
    const request = read('ExecuteStatement', { Statement: statement });
    const answered = answer(200, { ConsumedCapacity: { TableName: 't', CapacityUnits: 3 } });
    expect(classifySdkAnswer(answered, request)).toMatchObject({
      consumed: [{ tableName: 't', table: units }],
    });
  });

  test('to anything else is an error where it says so', () => {
    const describeTable = read('DescribeTable', { TableName: 't' });
    expect(
      classifySdkAnswer(
        answer(400, { __type: 'ResourceNotFoundException', message: 'no table' }),
        describeTable,
      ),
    ).toEqual({
      kind: 'failed',
      code: 'ResourceNotFoundException',
      message: 'no table',
      httpStatus: 400,
      requestId: 'ABC',
    });
  });
});

describe('no answer', () => {
  const named = (name: string, code?: string) =>
    Object.assign(new Error('x'), { name }, code === undefined ? {} : { code });

  test.each([
    { name: 'given up', error: named('AbortError'), outcome: { kind: 'timedOut' } },
    {
      name: 'refused',
      error: named('Error', 'ECONNREFUSED'),
      outcome: { kind: 'failed', code: 'ECONNREFUSED' },
    },
    {
      name: 'too late',
      error: named('TimeoutError'),
      outcome: { kind: 'failed', code: 'ATTEMPT_TIMED_OUT' },
    },
  ])('as it was $name', ({ error, outcome }) => {
    expect(classifySdkFailure(error)).toMatchObject(outcome);
  });
});
