// Aim: what `setup` is given is right and safe: names of the target, an endpoint to build clients for,
// nothing sent that could write where nobody knows. Method: clients at an address where nothing listens; what
// is refused never gets there.
import {
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ExecuteStatementCommand,
  GetItemCommand,
  PutItemCommand,
  UpdateTableCommand,
} from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, test } from 'vitest';
import { CredentialSource } from '../../../src/aws/credentials.ts';
import { CustomSdk } from '../../../src/aws/custom-sdk.ts';
import { quietNodeVersionWarning } from '../../../src/aws/node-version-warning.ts';
import type { RequestScope } from '../../../src/engine/target.ts';
import type { DynoLoadError } from '../../../src/errors.ts';
import { plainTable, workloadOf } from '../../support/plan-builder.ts';

quietNodeVersionWarning();

/** Lets nothing out: an attempt that comes so far has passed the check. */
const reached: string[] = [];
const elsewhere: RequestScope = {
  signal: undefined,
  begin: (api) => ({ attempt: () => void reached.push(api) }),
};

const opened: CustomSdk[] = [];
afterEach(() => {
  for (const sdk of opened.splice(0)) sdk.close();
  reached.length = 0;
});

function open(isAws: boolean, url = 'http://localhost:1') {
  const refused: DynoLoadError[] = [];
  const sdk = new CustomSdk({
    endpoint: {
      url: new URL(url),
      region: 'eu-west-1',
      credentials: new CredentialSource({ accessKeyId: 'a', secretAccessKey: 'b' }),
      isAws,
      notes: [],
    },
    accounting: 'INDEXES',
    tables: [
      { ...plainTable, tableName: 'x-main' },
      { ...plainTable, tableName: 'x-audit', logicalName: 'audit' },
    ],
    refuse: (error) => void refused.push(error),
  });
  opened.push(sdk);
  return { refused, sdk, given: sdk.open(workloadOf({}), elsewhere) };
}

test('tables are named as on the target, the first without a name', () => {
  const { tableName } = open(false).given;
  expect([tableName(), tableName('main'), tableName('audit')]).toEqual(['x-main', 'x-main', 'x-audit']);
  expect(() => tableName('orders')).toThrow(/names no table of the scenario/);
});

test.each([
  { isAws: true, endpoint: { region: 'eu-west-1' } },
  { isAws: false, endpoint: { url: 'http://localhost:1/', region: 'eu-west-1' } },
])('the endpoint has a URL where the SDK does not know it, AWS: $isAws', ({ isAws, endpoint }) => {
  expect(open(isAws).given.endpoint).toEqual(endpoint);
});

test('what is thrown is told in one line without signatures', () => {
  const error = Object.assign(new Error('Signature=abc123 is\nwrong'), { name: 'InvalidSignatureException' });
  expect(open(false).sdk.describe(error)).toBe('InvalidSignatureException: Signature=… is wrong');
  expect(open(false).sdk.describe('a text')).toBe('a text');
});

describe.each([
  ['on AWS', true],
  ['on any other server', false],
])('%s', (_place, isAws) => {
  const keys = { AttributeDefinitions: [], KeySchema: [] };

  test.each([
    [
      'a statement of which nobody can tell what it does',
      new ExecuteStatementCommand({ Statement: 'DELETE FROM t' }),
      'ExecuteStatement',
    ],
    ['a new table', new CreateTableCommand({ TableName: 't', ...keys }), 'CreateTable'],
    ['the end of a table', new DeleteTableCommand({ TableName: 't' }), 'DeleteTable'],
    ['another capacity', new UpdateTableCommand({ TableName: 't' }), 'UpdateTable'],
  ])('%s is refused and ends the run', async (_name, command, api) => {
    const { given, refused } = open(isAws);
    // One of a union of commands, each of which the client takes.
    await expect(given.client.send(command as ExecuteStatementCommand)).rejects.toMatchObject({
      code: 'REFUSED_WRITE',
    });
    expect(refused.map(({ what }) => what)).toEqual([`a custom operation sends ${api}`]);
    expect(reached).toEqual([]);
  });

  test.each([
    [
      'a statement that reads',
      new ExecuteStatementCommand({ Statement: 'SELECT * FROM t' }),
      'ExecuteStatement',
    ],
    ['a description', new DescribeTableCommand({ TableName: 't' }), 'DescribeTable'],
    [
      'a statement that writes, which is checked with all others',
      new ExecuteStatementCommand({ Statement: "DELETE FROM t WHERE PK = 'a'" }),
      'ExecuteStatement',
    ],
    ['a put, which is checked with all others', new PutItemCommand({ TableName: 't', Item: {} }), 'PutItem'],
  ])('%s passes', async (_name, command, api) => {
    const { given, refused } = open(isAws);
    await expect(given.client.send(command as ExecuteStatementCommand)).rejects.toThrow(
      `does not send this ${api}`,
    );
    expect(refused).toEqual([]);
    expect(reached).toEqual([api]);
  });
});

describe('a client whose requests go elsewhere', () => {
  const get = () => new GetItemCommand({ TableName: 't', Key: {} });
  /** Sends nothing: what gets so far has passed all checks. */
  const requestHandler = { handle: () => Promise.reject(new Error('left this process')) };
  const theirs = (endpoint: string) =>
    new DynamoDBClient({
      endpoint,
      region: 'eu-west-1',
      credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
      maxAttempts: 1,
      requestHandler,
    });

  test.each([
    ['http://localhost:2', 'http://localhost:2'],
    ['https://dynamodb.eu-west-1.amazonaws.com', 'https://dynamodb.eu-west-1.amazonaws.com'],
    ['http://localhost.example:1', 'http://localhost.example:1'],
  ])('is refused, reads too: %s', async (endpoint, told) => {
    const { given, refused } = open(false);
    const client = given.instrument(theirs(endpoint));
    await expect(client.send(get())).rejects.toMatchObject({ code: 'REFUSED_WRITE' });
    expect(refused.map(({ what }) => what)).toEqual([`a custom operation sends GetItem to ${told}`]);
    expect(reached).toEqual([]);
  });

  test('is refused where AWS is the target and its region is another', async () => {
    const { given, refused } = open(true, 'https://dynamodb.eu-west-1.amazonaws.com');
    const client = given.instrument(theirs('https://dynamodb.us-east-1.amazonaws.com'));
    await expect(client.send(get())).rejects.toMatchObject({ code: 'REFUSED_WRITE' });
    expect(refused).toHaveLength(1);
    await expect(
      given.instrument(theirs('https://1234.ddb.eu-west-1.amazonaws.com')).send(get()),
    ).rejects.toThrow('does not send this GetItem');
  });

  test.each([
    ['host', { hostname: 'elsewhere.example' }, /sends GetItem to http:\/\/elsewhere\.example/],
    ['body', { body: '{"TableName":"theirs"}' }, undefined],
    ['API', { headers: { 'x-amz-target': 'DynamoDB_20120810.DeleteTable' } }, /sends DeleteTable$/],
    ['protocol', { headers: {} }, /sends a request that is not in the JSON protocol/],
  ])('is refused where a later step changes the %s', async (_name, change, told) => {
    const { given, refused } = open(false);
    const client = given.instrument(theirs('http://localhost:1'));
    client.middlewareStack.add(
      (next) => (args) => {
        Object.assign(args.request as object, change); // Whatever it is: the SDK calls it unknown.
        return next(args);
      },
      { step: 'finalizeRequest', priority: 'low' },
    );
    await expect(client.send(get())).rejects.toThrow(/REFUSED_WRITE|was changed by a later step/);
    expect(refused.map(({ what }) => what)).toEqual(told === undefined ? [] : [expect.stringMatching(told)]);
    expect(reached).toEqual([]);
  });
});
