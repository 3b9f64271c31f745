// Aim: the lean client sees what the AWS SDK sees. Method: both send the same requests of every data API,
// each to a table of its own on the same independent server; outcomes, outputs and units are equal.
import {
  BatchExecuteStatementCommand,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  ExecuteStatementCommand,
  ExecuteTransactionCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TransactGetItemsCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { controlClient } from '../../src/aws/control-client.ts';
import { CredentialSource } from '../../src/aws/credentials.ts';
import { DynamoDbTarget } from '../../src/aws/dynamodb-target.ts';
import type { Endpoint } from '../../src/aws/endpoint.ts';
import { quietNodeVersionWarning } from '../../src/aws/node-version-warning.ts';
import { TableAdmin } from '../../src/aws/table-admin.ts';
import { totalUnits } from '../../src/dynamodb/consumed-capacity.ts';
import type { Request } from '../../src/dynamodb/operation.ts';
import type { Outcome } from '../../src/dynamodb/outcome.ts';
import type { TableSpec } from '../../src/dynamodb/table-spec.ts';
import { startDynalite, startDynoxide } from '../support/independent-servers.ts';

quietNodeVersionWarning();

function endpointAt(url: string): Endpoint {
  const credentials = new CredentialSource({ accessKeyId: 'dynoload', secretAccessKey: 'dynoload' });
  return { url: new URL(url), region: 'us-east-1', credentials, isAws: false, notes: [] };
}

const onDemand = { mode: 'on-demand' } as const;

function tableSpec(tableName: string): TableSpec {
  return {
    tableName,
    logicalName: 'main',
    keys: { partition: { name: 'pk', type: 'S' }, sort: { name: 'sk', type: 'N' } },
    globalIndexes: [
      {
        name: 'byStatus',
        keys: { partition: { name: 'status', type: 'S' }, sort: { name: 'sk', type: 'N' } },
        projection: { kind: 'INCLUDE', attributes: ['note'] },
        billing: onDemand,
        start: { kind: 'new' },
      },
    ],
    localIndexes: [
      {
        name: 'byRank',
        keys: { partition: { name: 'pk', type: 'S' }, sort: { name: 'rank', type: 'N' } },
        projection: { kind: 'KEYS_ONLY' },
      },
    ],
    billing: onDemand,
    start: { kind: 'new' },
  };
}

/** The requests, for a table; in this order, since later ones read what earlier ones wrote. */
function requests(TableName: string): readonly (readonly [string, Request])[] {
  const item = (sk: number, more: object = {}) => ({
    pk: { S: 'p' },
    sk: { N: `${sk}` },
    status: { S: 'NEW' },
    rank: { N: `${100 - sk}` },
    note: { S: 'Grüße 😀 "quoted" \\ \u0001' },
    ...more,
  });
  const key = (sk: number) => ({ pk: { S: 'p' }, sk: { N: `${sk}` } });
  const rich = {
    data: { M: { list: { L: [{ BOOL: true }, { NULL: true }, { N: '-1.5' }] }, set: { SS: ['a', 'b'] } } },
    bytes: { B: Buffer.from([0, 255, 7]).toString('base64') },
    big: { S: 'y'.repeat(3_000) },
  } as const;
  const write = (sk: number) => ({ PutRequest: { Item: item(sk) } });
  const pk = { ':p': { S: 'p' } };
  return [
    ['a put', { api: 'PutItem', input: { TableName, Item: item(1, rich) } }],
    [
      'a put that replaces, old values asked for',
      {
        api: 'PutItem',
        input: { TableName, Item: item(1), ReturnValues: 'ALL_OLD' },
      },
    ],
    [
      'a put whose condition fails',
      {
        api: 'PutItem',
        input: { TableName, Item: item(1), ConditionExpression: 'attribute_not_exists(pk)' },
      },
    ],
    ['a get', { api: 'GetItem', input: { TableName, Key: key(1), ConsistentRead: true } }],
    ['a get of nothing', { api: 'GetItem', input: { TableName, Key: key(404) } }],
    [
      'an update that moves an index entry',
      {
        api: 'UpdateItem',
        input: {
          TableName,
          Key: key(1),
          UpdateExpression: 'SET #s = :s',
          ReturnValues: 'ALL_NEW',
          ExpressionAttributeNames: { '#s': 'status' },
          ExpressionAttributeValues: { ':s': { S: 'DONE' } },
        },
      },
    ],
    [
      'an update that is malformed',
      { api: 'UpdateItem', input: { TableName, Key: key(1), UpdateExpression: 'SET' } },
    ],
    [
      'a batch of writes',
      {
        api: 'BatchWriteItem',
        input: {
          RequestItems: { [TableName]: [write(2), write(3), write(4), { DeleteRequest: { Key: key(9) } }] },
        },
      },
    ],
    [
      'a batch of reads',
      { api: 'BatchGetItem', input: { RequestItems: { [TableName]: { Keys: [key(2), key(404)] } } } },
    ],
    [
      'a query',
      {
        api: 'Query',
        input: { TableName, KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: pk },
      },
    ],
    [
      'a page of a query',
      {
        api: 'Query',
        input: { TableName, KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: pk, Limit: 2 },
      },
    ],
    [
      'a query on the global index',
      {
        api: 'Query',
        input: {
          TableName,
          IndexName: 'byStatus',
          KeyConditionExpression: '#s = :s',
          ExpressionAttributeNames: { '#s': 'status' },
          ExpressionAttributeValues: { ':s': { S: 'NEW' } },
        },
      },
    ],
    [
      'a query on the local index',
      {
        api: 'Query',
        input: {
          TableName,
          IndexName: 'byRank',
          KeyConditionExpression: 'pk = :p',
          ExpressionAttributeValues: pk,
        },
      },
    ],
    [
      'a filtered scan',
      {
        api: 'Scan',
        input: {
          TableName,
          FilterExpression: 'sk > :n',
          ExpressionAttributeValues: { ':n': { N: '2' } },
          Select: 'COUNT',
        },
      },
    ],
    ['a segment of a scan', { api: 'Scan', input: { TableName, Segment: 0, TotalSegments: 2 } }],
    [
      'a transaction of reads',
      {
        api: 'TransactGetItems',
        input: {
          TransactItems: [{ Get: { TableName, Key: key(2) } }, { Get: { TableName, Key: key(404) } }],
        },
      },
    ],
    [
      'a transaction of writes',
      {
        api: 'TransactWriteItems',
        input: {
          TransactItems: [
            { Put: { TableName, Item: item(5) } },
            { ConditionCheck: { TableName, Key: key(2), ConditionExpression: 'attribute_exists(pk)' } },
          ],
          ClientRequestToken: `token-${TableName}`,
        },
      },
    ],
    [
      'a transaction whose condition fails',
      {
        api: 'TransactWriteItems',
        input: {
          TransactItems: [
            { Put: { TableName, Item: item(6) } },
            { Delete: { TableName, Key: key(2), ConditionExpression: 'attribute_not_exists(pk)' } },
          ],
        },
      },
    ],
    ...statements(TableName),
    [
      'a delete, old values asked for',
      { api: 'DeleteItem', input: { TableName, Key: key(2), ReturnValues: 'ALL_OLD' } },
    ],
    ['a table that does not exist', { api: 'GetItem', input: { TableName: 'missing', Key: key(1) } }],
  ];
}

/** The same in PartiQL: each of its three APIs, done and refused. */
function statements(tableName: string): readonly (readonly [string, Request])[] {
  const at = (sk: number) => `"${tableName}" WHERE pk = 'p' AND sk = ${sk}`;
  const insert = `INSERT INTO "${tableName}" VALUE {'pk': 'p', 'sk': 7, 'status': 'NEW', 'rank': 93, 'note': ?}`;
  const Parameters = [{ S: 'Grüße 😀' }];
  const execute = (name: string, Statement: string, more: object = {}) =>
    [name, { api: 'ExecuteStatement', input: { Statement, ...more } }] as const;
  return [
    execute('a statement that inserts', insert, { Parameters }),
    execute('a statement that inserts what is there', insert, { Parameters }),
    execute('a statement that reads one item', `SELECT * FROM ${at(7)}`, { ConsistentRead: true }),
    execute('a statement that reads a page', `SELECT sk, note FROM "${tableName}" WHERE pk = 'p'`, {
      Limit: 2,
    }),
    execute(
      'a statement that reads an index',
      `SELECT note FROM "${tableName}"."byStatus" WHERE status = 'NEW'`,
    ),
    execute(
      'a statement that updates, new values asked for',
      `UPDATE "${tableName}" SET status = 'DONE' WHERE pk = 'p' AND sk = 7 RETURNING ALL NEW *`,
    ),
    execute('a statement whose condition fails', `DELETE FROM ${at(7)} AND status = 'NEW'`),
    execute('a statement that is malformed', `SELECT FROM ${at(7)}`),
    [
      'a batch of statements, of which one fails',
      {
        api: 'BatchExecuteStatement',
        input: {
          Statements: [
            { Statement: `UPDATE "${tableName}" SET rank = 1 WHERE pk = 'p' AND sk = 7` },
            { Statement: `DELETE FROM ${at(3)} AND status = 'GONE'` },
          ],
        },
      },
    ],
    [
      'a transaction of statements that read',
      {
        api: 'ExecuteTransaction',
        input: {
          TransactStatements: [
            { Statement: `SELECT * FROM ${at(7)}` },
            { Statement: `SELECT * FROM ${at(404)}` },
          ],
        },
      },
    ],
    [
      'a transaction of statements that write',
      {
        api: 'ExecuteTransaction',
        input: {
          TransactStatements: [
            { Statement: `UPDATE "${tableName}" SET rank = 2 WHERE pk = 'p' AND sk = 7` },
            { Statement: `DELETE FROM ${at(4)}` },
          ],
          ClientRequestToken: `statements-${tableName}`,
        },
      },
    ],
    [
      'a transaction of statements whose condition fails',
      {
        api: 'ExecuteTransaction',
        input: { TransactStatements: [{ Statement: `DELETE FROM ${at(7)} AND status = 'GONE'` }] },
      },
    ],
  ];
}

const INDEXES = { ReturnConsumedCapacity: 'INDEXES' } as const;

/** The SDK's answer to a request. Its types are mutable versions of ours, and binary values are bytes. */
async function sendBySdk(client: DynamoDBClient, request: Request): Promise<Record<string, unknown>> {
  // The SDK's input types want mutable arrays and bytes; JSON of ours has both once `toSdk` has run.
  const input = toSdk({ ...request.input, ...INDEXES }) as never;
  switch (request.api) {
    case 'PutItem':
      return { ...(await client.send(new PutItemCommand(input))) };
    case 'GetItem':
      return { ...(await client.send(new GetItemCommand(input))) };
    case 'UpdateItem':
      return { ...(await client.send(new UpdateItemCommand(input))) };
    case 'DeleteItem':
      return { ...(await client.send(new DeleteItemCommand(input))) };
    case 'Query':
      return { ...(await client.send(new QueryCommand(input))) };
    case 'Scan':
      return { ...(await client.send(new ScanCommand(input))) };
    case 'BatchGetItem':
      return { ...(await client.send(new BatchGetItemCommand(input))) };
    case 'BatchWriteItem':
      return { ...(await client.send(new BatchWriteItemCommand(input))) };
    case 'TransactGetItems':
      return { ...(await client.send(new TransactGetItemsCommand(input))) };
    case 'TransactWriteItems':
      return { ...(await client.send(new TransactWriteItemsCommand(input))) };
    case 'ExecuteStatement':
      return { ...(await client.send(new ExecuteStatementCommand(input))) };
    case 'BatchExecuteStatement':
      return { ...(await client.send(new BatchExecuteStatementCommand(input))) };
    case 'ExecuteTransaction':
      return { ...(await client.send(new ExecuteTransactionCommand(input))) };
  }
}

function toSdk(input: unknown): unknown {
  return JSON.parse(JSON.stringify(input), (name, value) =>
    name === 'B' && typeof value === 'string' ? new Uint8Array(Buffer.from(value, 'base64')) : value,
  );
}

/** Plain JSON with table names made equal and binary values as base64. */
function plain(value: unknown, tableName: string): unknown {
  const text = JSON.stringify(value, (name, each) => {
    // Dynoxide writes the table's name into it.
    if (name === 'NextToken') return typeof each;
    return each instanceof Uint8Array ? Buffer.from(each).toString('base64') : each;
  });
  return text === undefined ? undefined : JSON.parse(text.replaceAll(tableName, 'TABLE'));
}

/** Units by place as the SDK reports them, read without our code. */
function unitsBySdk(consumed: unknown): Record<string, number> {
  const units: Record<string, number> = {};
  const add = (place: string, arm: unknown): void => {
    units[place] =
      (units[place] ?? 0) + ((arm as { CapacityUnits?: number } | undefined)?.CapacityUnits ?? 0);
  };
  for (const entry of Array.isArray(consumed) ? consumed : consumed ? [consumed] : []) {
    add('total', entry);
    for (const [name, arm] of Object.entries(entry.GlobalSecondaryIndexes ?? {})) add(`global ${name}`, arm);
    for (const [name, arm] of Object.entries(entry.LocalSecondaryIndexes ?? {})) add(`local ${name}`, arm);
  }
  return units;
}

function unitsOfOutcome(outcome: Outcome): Record<string, number> {
  if (outcome.kind !== 'ok' && outcome.kind !== 'partial') return {};
  const units: Record<string, number> = {};
  const sum = ({ readUnits, writeUnits }: { readUnits: number; writeUnits: number }) =>
    readUnits + writeUnits;
  if (outcome.consumed.length > 0) units['total'] = sum(totalUnits(outcome.consumed));
  for (const { globalIndexes, localIndexes } of outcome.consumed) {
    for (const [name, arm] of Object.entries(globalIndexes ?? {})) units[`global ${name}`] = sum(arm);
    for (const [name, arm] of Object.entries(localIndexes ?? {})) units[`local ${name}`] = sum(arm);
  }
  return units;
}

function outputOf(outcome: Outcome): unknown {
  return outcome.kind === 'ok' || outcome.kind === 'partial' ? outcome.output : undefined;
}

/**
 * The exception's name, or the code of the first failing member of a cancelled transaction, as an outcome
 * shows it.
 */
function sameTrouble(error: Error, outcome: Outcome): boolean {
  if (error.name === 'ConditionalCheckFailedException') return outcome.kind === 'conditionFailed';
  if (error.name === 'DuplicateItemException') return outcome.kind === 'conditionFailed';
  if (error.name === 'TransactionCanceledException') return outcome.kind === 'conditionFailed';
  return outcome.kind === 'failed' && outcome.code === error.name;
}

describe.each([
  ['dynalite', startDynalite],
  ['Dynoxide', startDynoxide],
])('against %s', (_name, start) => {
  let stop: () => Promise<void> = async () => undefined;
  let unavailable: string | undefined;
  let client: DynamoDBClient;
  let target: DynamoDbTarget;

  beforeAll(async () => {
    const server = await start();
    if ('unavailable' in server) {
      unavailable = server.unavailable;
      return;
    }
    stop = server.stop;
    const endpoint = endpointAt(server.url);
    client = controlClient(endpoint);
    const nowUs = () => Math.round(performance.now() * 1_000);
    target = new DynamoDbTarget({ endpoint, nowUs, attemptTimeoutMs: 5_000 });
    await new TableAdmin({ control: client, endpointText: server.url }).createTables([
      tableSpec('by-sdk'),
      tableSpec('by-lean'),
    ]);
  });
  afterAll(async () => {
    target?.close();
    client?.destroy();
    await stop();
  });

  const bySdk = requests('by-sdk');
  test.for(requests('by-lean').map(([name, request], index) => [name, request, bySdk[index]?.[1]] as const))(
    '%s',
    async ([, lean, sdk], context) => {
      if (unavailable !== undefined || sdk === undefined)
        return context.skip(unavailable ?? 'no such request');
      const outcome = await new Promise<Outcome>((resolve) => {
        target.send({ request: lean, workloadIndex: 0, sequence: 0, part: 0 }, 0, resolve);
      });
      const answer = await sendBySdk(client, sdk).catch((error: Error) => error);
      if (answer instanceof Error) {
        expect(outcome).toSatisfy((one: Outcome) => sameTrouble(answer, one));
        return;
      }
      const { $metadata: _metadata, ...output } = answer;
      expect(plain(outputOf(outcome), 'by-lean')).toEqual(plain(output, 'by-sdk'));
      expect(unitsOfOutcome(outcome)).toEqual(unitsBySdk(output['ConsumedCapacity']));
    },
  );

  test('all of it over one connection', (context) => {
    if (unavailable !== undefined) return context.skip(unavailable);
    expect(target.counters).toMatchObject({ opened: 1, resent: 0 });
  });
});
