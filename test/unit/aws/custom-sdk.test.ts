// Aim: what `setup` is given is right and safe: names of the target, an endpoint to build clients for, nothing sent that could write where nobody
// knows. Method: clients at an address where nothing listens; what is refused never gets there.
import {
  CreateTableCommand,
  DescribeTableCommand,
  ExecuteStatementCommand,
  PutItemCommand,
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

function open(isAws: boolean) {
  const refused: DynoLoadError[] = [];
  const sdk = new CustomSdk({
    endpoint: {
      url: new URL('http://localhost:1'),
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

describe('on AWS', () => {
  const keys = { AttributeDefinitions: [], KeySchema: [] };

  test.each([
    [
      'a statement that writes',
      new ExecuteStatementCommand({ Statement: 'DELETE FROM t' }),
      ['ExecuteStatement'],
    ],
    ['a new table', new CreateTableCommand({ TableName: 't', ...keys }), ['CreateTable']],
  ])('%s is refused and ends the run', async (_name, command, apis) => {
    const { given, refused } = open(true);
    // One of a union of commands, each of which the client takes.
    await expect(given.client.send(command as ExecuteStatementCommand)).rejects.toMatchObject({
      code: 'REFUSED_WRITE',
    });
    expect(refused.map(({ what }) => what)).toEqual(apis.map((api) => `a custom operation sends ${api}`));
    expect(reached).toEqual([]);
  });

  test.each([
    [
      'a statement that reads',
      new ExecuteStatementCommand({ Statement: 'SELECT * FROM t' }),
      'ExecuteStatement',
    ],
    ['a description', new DescribeTableCommand({ TableName: 't' }), 'DescribeTable'],
    ['a put, which is checked with all others', new PutItemCommand({ TableName: 't', Item: {} }), 'PutItem'],
  ])('%s passes', async (_name, command, api) => {
    const { given, refused } = open(true);
    await expect(given.client.send(command as ExecuteStatementCommand)).rejects.toThrow(
      `does not send this ${api}`,
    );
    expect(refused).toEqual([]);
    expect(reached).toEqual([api]);
  });
});

test('elsewhere everything passes', async () => {
  const { given } = open(false);
  const command = new ExecuteStatementCommand({ Statement: 'DELETE FROM t' });
  await expect(given.client.send(command)).rejects.toThrow('does not send this ExecuteStatement');
  expect(reached).toEqual(['ExecuteStatement']);
});
