// Aim: PartiQL works against the server through the AWS SDK, client and document client, and the lean client
// sees what the SDK sees. Method: a served database, statements of each API over the wire.
import {
  BatchExecuteStatementCommand,
  CreateTableCommand,
  ExecuteStatementCommand,
  ExecuteTransactionCommand,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import {
  DynamoDBDocumentClient,
  BatchExecuteStatementCommand as DocumentBatch,
  ExecuteStatementCommand as DocumentStatement,
  ExecuteTransactionCommand as DocumentTransaction,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CredentialSource } from '../../src/aws/credentials.ts';
import { DynamoDbTarget } from '../../src/aws/dynamodb-target.ts';
import type { PartiqlRequest } from '../../src/dynamodb/operation.ts';
import type { Outcome } from '../../src/dynamodb/outcome.ts';
import { type ServedDatabase, serveDatabase } from '../support/served-database.ts';

let served: ServedDatabase;

beforeAll(async () => {
  served = await serveDatabase();
  await served.client.send(
    new CreateTableCommand({
      TableName: 'songs',
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        { AttributeName: 'artist', AttributeType: 'S' },
        { AttributeName: 'title', AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: 'artist', KeyType: 'HASH' },
        { AttributeName: 'title', KeyType: 'RANGE' },
      ],
    }),
  );
  await served.client.send(
    new BatchExecuteStatementCommand({
      Statements: ['a', 'b', 'c', 'd', 'e'].map((title, year) => ({
        Statement: `INSERT INTO songs VALUE {'artist': 'Acme', 'title': ?, 'year': ?, 'tags': <<'rock'>>}`,
        Parameters: [{ S: title }, { N: String(2_000 + year) }],
      })),
    }),
  );
});

afterAll(() => served.stop());

describe('the SDK', () => {
  const run = (Statement: string, more = {}) =>
    served.client.send(new ExecuteStatementCommand({ Statement, ReturnConsumedCapacity: 'TOTAL', ...more }));

  test('selects page by page', async () => {
    const titles: (string | undefined)[][] = [];
    let NextToken: string | undefined;
    do {
      const page = await run(`SELECT title FROM "songs" WHERE artist = 'Acme'`, { Limit: 2, NextToken });
      titles.push((page.Items ?? []).map(({ title }) => title?.S));
      expect(page.ConsumedCapacity).toMatchObject({ TableName: 'songs', CapacityUnits: 0.5 });
      NextToken = page.NextToken;
    } while (NextToken !== undefined);
    expect(titles).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  });

  test('gets DuplicateItemException of a second INSERT', async () => {
    await expect(run(`INSERT INTO songs VALUE {'artist': 'Acme', 'title': 'a'}`)).rejects.toMatchObject({
      name: 'DuplicateItemException',
      message: 'Duplicate primary key exists in table',
    });
  });

  test('gets the item whose condition failed', async () => {
    const statement = `UPDATE songs SET plays = 1 WHERE artist = 'Acme' AND title = 'a' AND plays > 1`;
    await expect(run(statement, { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' })).rejects.toMatchObject({
      name: 'ConditionalCheckFailedException',
      Item: { title: { S: 'a' } },
    });
  });

  test('updates and gets what changed', async () => {
    const statement = `UPDATE songs SET plays = 1 SET tags = set_add(tags, <<'live'>>) WHERE artist = 'Acme' AND title = 'b' RETURNING MODIFIED NEW *`;
    expect((await run(statement)).Items).toEqual([{ plays: { N: '1' }, tags: { SS: ['live', 'rock'] } }]);
  });

  test('gets the errors of a batch in their places', async () => {
    const { Responses, ConsumedCapacity } = await served.client.send(
      new BatchExecuteStatementCommand({
        ReturnConsumedCapacity: 'TOTAL',
        Statements: [
          { Statement: `INSERT INTO songs VALUE {'artist': 'Acme', 'title': 'a'}` },
          { Statement: `DELETE FROM songs WHERE artist = 'Acme' AND title = 'none'` },
        ],
      }),
    );
    expect(Responses).toMatchObject([{ Error: { Code: 'DuplicateItem' } }, { TableName: 'songs' }]);
    expect(ConsumedCapacity).toMatchObject([{ TableName: 'songs', CapacityUnits: 2 }]);
  });

  test('runs transactions, and gets their reasons', async () => {
    const transact = (...statements: string[]) =>
      served.client.send(
        new ExecuteTransactionCommand({
          TransactStatements: statements.map((Statement) => ({ Statement })),
          ReturnConsumedCapacity: 'TOTAL',
        }),
      );
    const read = await transact(`SELECT year FROM songs WHERE artist = 'Acme' AND title = 'c'`);
    expect(read).toMatchObject({
      Responses: [{ Item: { year: { N: '2002' } } }],
      ConsumedCapacity: [{ CapacityUnits: 2, ReadCapacityUnits: 2 }],
    });
    const written = await transact(
      `EXISTS(SELECT * FROM songs WHERE artist = 'Acme' AND title = 'c' AND year = 2002)`,
      `UPDATE songs SET plays = 1 WHERE artist = 'Acme' AND title = 'd'`,
    );
    expect(written).toMatchObject({ Responses: [], ConsumedCapacity: [{ WriteCapacityUnits: 4 }] });
    const failed = transact(`INSERT INTO songs VALUE {'artist': 'Acme', 'title': 'a'}`);
    await expect(failed).rejects.toBeInstanceOf(TransactionCanceledException);
    await expect(failed).rejects.toMatchObject({ CancellationReasons: [{ Code: 'DuplicateItem' }] });
  });

  test.each([
    ['Limit 0', { Limit: 0 }],
    ['no parameters in a list of them', { Parameters: [] }],
    ['an empty statement', { Statement: '' }],
  ])('is refused %s', async (_, more) => {
    await expect(run('SELECT * FROM songs', more)).rejects.toMatchObject({ name: 'ValidationException' });
  });
});

describe('the document client', () => {
  const documents = () => DynamoDBDocumentClient.from(served.client);

  test('runs a statement with native parameters', async () => {
    const { Items } = await documents().send(
      new DocumentStatement({
        Statement: 'SELECT title, year FROM songs WHERE artist = ? AND year IN [?, ?]',
        Parameters: ['Acme', 2_001, 2_003],
      }),
    );
    expect(Items).toEqual([
      { title: 'b', year: 2_001 },
      { title: 'd', year: 2_003 },
    ]);
  });

  test('runs a batch and a transaction', async () => {
    const keyed = {
      Statement: 'SELECT year FROM songs WHERE artist = ? AND title = ?',
      Parameters: ['Acme', 'e'],
    };
    const batch = await documents().send(new DocumentBatch({ Statements: [keyed] }));
    expect(batch.Responses).toEqual([{ TableName: 'songs', Item: { year: 2_004 } }]);
    const transaction = await documents().send(new DocumentTransaction({ TransactStatements: [keyed] }));
    expect(transaction.Responses).toEqual([{ Item: { year: 2_004 } }]);
  });
});

describe('the lean client', () => {
  async function send(request: PartiqlRequest): Promise<Outcome> {
    const credentials = new CredentialSource({ accessKeyId: 'dynoload', secretAccessKey: 'dynoload' });
    const endpoint = { url: new URL(served.url), region: 'us-east-1', credentials, isAws: false, notes: [] };
    const target = new DynamoDbTarget({ endpoint, nowUs: () => 0, attemptTimeoutMs: 5_000 });
    try {
      return await new Promise((resolve) =>
        target.send({ request, workloadIndex: 0, sequence: 0, part: 0 }, 0, resolve),
      );
    } finally {
      target.close();
    }
  }

  const single = (Statement: string): PartiqlRequest => ({ api: 'ExecuteStatement', input: { Statement } });

  test.each<[string, PartiqlRequest, object]>([
    [
      'items and read units of a SELECT',
      single(`SELECT title FROM songs WHERE artist = 'Acme' AND title = 'e'`),
      {
        kind: 'ok',
        consumed: [{ tableName: 'songs', table: { readUnits: 0.5, writeUnits: 0 } }],
        output: { Items: [{ title: { S: 'e' } }] },
      },
    ],
    [
      'write units of a DELETE',
      single(`DELETE FROM songs WHERE artist = 'Acme' AND title = 'none'`),
      { kind: 'ok', consumed: [{ table: { readUnits: 0, writeUnits: 1 } }] },
    ],
    [
      'a second INSERT as a failed condition',
      single(`INSERT INTO songs VALUE {'artist': 'Acme', 'title': 'a'}`),
      { kind: 'conditionFailed' },
    ],
    [
      'a batch of which a statement failed as partial',
      {
        api: 'BatchExecuteStatement',
        input: {
          Statements: [
            { Statement: `INSERT INTO songs VALUE {'artist': 'Acme', 'title': 'a'}` },
            { Statement: `DELETE FROM songs WHERE artist = 'Acme' AND title = 'none'` },
          ],
        },
      },
      {
        kind: 'partial',
        sentItems: 2,
        unprocessedItems: 1,
        consumed: [{ table: { readUnits: 0, writeUnits: 2 } }],
      },
    ],
    [
      'a cancelled INSERT as a failed condition',
      {
        api: 'ExecuteTransaction',
        input: {
          TransactStatements: [{ Statement: `INSERT INTO songs VALUE {'artist': 'Acme', 'title': 'a'}` }],
        },
      },
      { kind: 'conditionFailed' },
    ],
    ['what is no statement', single('DROP TABLE songs'), { kind: 'failed', code: 'ValidationException' }],
  ])('sees %s', async (_, request, outcome) => {
    expect(await send(request)).toMatchObject(outcome);
  });
});

test('the server found no error of its own', () => {
  expect(served.bugs).toEqual([]);
});
