// Aim: other people's clients work against `serve` while it checks their signatures: the SDK's paginators and
// waiters, dynamodb-toolbox with a small model, and the calls that DynamoDB Admin makes. Method: a server
// with a key, clients that have it and clients that do not.
import * as cloudwatch from '@aws-sdk/client-cloudwatch';
import * as dynamodb from '@aws-sdk/client-dynamodb';
import * as lib from '@aws-sdk/lib-dynamodb';
import {
  $add,
  BatchPutRequest,
  BatchWriteCommand,
  ConditionCheck,
  DeleteItemCommand,
  Entity,
  executeBatchWrite,
  executeTransactWrite,
  GetItemCommand,
  item,
  number,
  PutItemCommand,
  PutTransaction,
  QueryCommand,
  ScanCommand,
  string,
  Table,
  UpdateItemCommand,
} from 'dynamodb-toolbox';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { assertSound, post, type ServedDatabase, serveDatabase } from '../support/served-database.ts';

const key = { accessKeyId: 'AKIDTEST', secretAccessKey: 'open/sesame+1' };

let served: ServedDatabase;
let client: dynamodb.DynamoDBClient;
let documents: lib.DynamoDBDocumentClient;

// The server's clock stands at the SDK's own, or signatures would be years old.
beforeAll(async () => {
  served = await serveDatabase({ accessKeys: [key] });
  served.advance(Date.now() - Date.UTC(2026, 0, 1));
  client = clientWith(key);
  documents = lib.DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
});
afterEach(() => assertSound(served));
afterAll(async () => {
  client.destroy();
  await served.stop();
});

function clientWith(credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }) {
  return new dynamodb.DynamoDBClient({
    endpoint: served.url,
    region: 'ap-southeast-2',
    credentials,
    maxAttempts: 1,
  });
}

const table = (TableName: string): dynamodb.CreateTableCommandInput => ({
  TableName,
  AttributeDefinitions: [
    { AttributeName: 'pk', AttributeType: 'S' },
    { AttributeName: 'sk', AttributeType: 'S' },
    { AttributeName: 'status', AttributeType: 'S' },
  ],
  KeySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: 'byStatus',
      KeySchema: [
        { AttributeName: 'status', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'ALL' },
    },
  ],
  BillingMode: 'PAY_PER_REQUEST',
});

describe('signatures', () => {
  test.each([
    ['another secret', { ...key, secretAccessKey: 'wrong' }, 'InvalidSignatureException'],
    ['another key', { ...key, accessKeyId: 'AKIDOTHER' }, 'UnrecognizedClientException'],
  ])('with %s are refused', async (_, credentials, name) => {
    const other = clientWith(credentials);
    const error = await other.send(new dynamodb.ListTablesCommand({})).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name, $metadata: { httpStatusCode: 400 } });
    other.destroy();
  });

  test('that are missing are refused, and nothing is done', async () => {
    const { status, body } = await post(served.url, 'CreateTable', table('unsigned'));
    expect([status, body['__type']]).toEqual([
      400,
      'com.amazon.coral.service#MissingAuthenticationTokenException',
    ]);
    expect((await client.send(new dynamodb.ListTablesCommand({}))).TableNames).not.toContain('unsigned');
  });

  test('of a clock that is ten minutes off are refused, and the SDK finds out by the date of the answer', async () => {
    const late = new dynamodb.DynamoDBClient({
      endpoint: served.url,
      region: 'us-east-1',
      credentials: key,
      systemClockOffset: -600_000,
      maxAttempts: 1,
    });
    const error = await late.send(new dynamodb.ListTablesCommand({})).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'InvalidSignatureException' });
    expect(String(error)).toContain('Signature expired');
    // It corrects itself.
    expect((await late.send(new dynamodb.ListTablesCommand({}))).TableNames).toBeDefined();
    late.destroy();
  });
});

describe('the SDK', () => {
  test('waits for tables and for Contributor Insights', async () => {
    const TableName = 'awaited';
    const waiter = { client, maxWaitTime: 30, minDelay: 1 };
    await client.send(new dynamodb.CreateTableCommand(table(TableName)));
    expect((await dynamodb.waitUntilTableExists(waiter, { TableName })).state).toBe('SUCCESS');
    await client.send(
      new dynamodb.UpdateContributorInsightsCommand({ TableName, ContributorInsightsAction: 'ENABLE' }),
    );
    served.advance(3_000);
    const enabled = await dynamodb.waitUntilContributorInsightsEnabled(waiter, { TableName });
    expect(enabled.state).toBe('SUCCESS');
    await client.send(new dynamodb.DeleteTableCommand({ TableName }));
    expect((await dynamodb.waitUntilTableNotExists(waiter, { TableName })).state).toBe('SUCCESS');
  });

  test('pages through tables, insights, queries, scans and metrics', async () => {
    const names = ['page-1', 'page-2', 'page-3'];
    for (const TableName of names) {
      await client.send(new dynamodb.CreateTableCommand(table(TableName)));
      await client.send(
        new dynamodb.UpdateContributorInsightsCommand({ TableName, ContributorInsightsAction: 'ENABLE' }),
      );
    }
    const collect = async <P>(pages: AsyncIterable<P>, of: (page: P) => readonly unknown[] | undefined) => {
      const all: unknown[] = [];
      for await (const page of pages) all.push(...(of(page) ?? []));
      return all;
    };
    const pager = { client, pageSize: 1 };
    expect(await collect(dynamodb.paginateListTables(pager, {}), (page) => page.TableNames)).toEqual(
      expect.arrayContaining(names),
    );
    const insights = await collect(
      dynamodb.paginateListContributorInsights(pager, {}),
      (page) => page.ContributorInsightsSummaries,
    );
    expect(insights.length).toBeGreaterThanOrEqual(names.length);
    const TableName = 'page-1';
    for (let index = 0; index < 7; index++)
      await documents.send(
        new lib.PutCommand({ TableName, Item: { pk: 'a', sk: `${index}`, status: 'NEW' } }),
      );
    const scanned = await collect(
      dynamodb.paginateScan({ client, pageSize: 2 }, { TableName }),
      (page) => page.Items,
    );
    expect(scanned).toHaveLength(7);
    const query = {
      TableName,
      IndexName: 'byStatus',
      KeyConditionExpression: '#s = :s',
      ExpressionAttributeNames: { '#s': 'status' },
    };
    const queried = await collect(
      dynamodb.paginateQuery(
        { client, pageSize: 3 },
        { ...query, ExpressionAttributeValues: { ':s': { S: 'NEW' } } },
      ),
      (page) => page.Items,
    );
    expect(queried).toHaveLength(7);
    const metrics = new cloudwatch.CloudWatchClient({
      endpoint: served.url,
      region: 'ap-southeast-2',
      credentials: key,
      maxAttempts: 1,
    });
    // Metrics of a minute come a minute later; signatures may be off by five.
    served.advance(120_000);
    const listed = await collect(
      cloudwatch.paginateListMetrics({ client: metrics }, { Namespace: 'AWS/DynamoDB' }),
      (page) => page.Metrics,
    );
    expect(listed).toContainEqual({
      Namespace: 'AWS/DynamoDB',
      MetricName: 'ConsumedWriteCapacityUnits',
      Dimensions: [{ Name: 'TableName', Value: TableName }],
    });
    metrics.destroy();
  });
});

test('dynamodb-toolbox works with a small model', async () => {
  await client.send(new dynamodb.CreateTableCommand(table('toolbox')));
  const orders = new Table({
    documentClient: documents,
    name: 'toolbox',
    partitionKey: { name: 'pk', type: 'string' },
    sortKey: { name: 'sk', type: 'string' },
    indexes: {
      byStatus: {
        type: 'global',
        partitionKey: { name: 'status', type: 'string' },
        sortKey: { name: 'sk', type: 'string' },
      },
    },
  });
  const order = new Entity({
    name: 'Order',
    table: orders,
    schema: item({
      customer: string()
        .key()
        .savedAs('pk')
        .transform({ encode: (id: string) => `C#${id}`, decode: (text: string) => text.slice(2) }),
      id: string().key().savedAs('sk'),
      status: string().enum('NEW', 'DONE').default('NEW'),
      total: number().default(0),
    }),
  });
  await order.build(PutItemCommand).item({ customer: 'a', id: '1' }).send();
  await executeBatchWrite(
    orders
      .build(BatchWriteCommand)
      .requests(
        order.build(BatchPutRequest).item({ customer: 'a', id: '2', total: 5 }),
        order.build(BatchPutRequest).item({ customer: 'b', id: '3' }),
      ),
  );
  const { Attributes } = await order
    .build(UpdateItemCommand)
    .item({ customer: 'a', id: '2', status: 'DONE', total: $add(7) })
    .options({ returnValues: 'ALL_NEW', condition: { attr: 'status', eq: 'NEW' } })
    .send();
  expect(Attributes).toMatchObject({ customer: 'a', id: '2', status: 'DONE', total: 12 });
  const again = order
    .build(PutItemCommand)
    .item({ customer: 'a', id: '1' })
    .options({ condition: { attr: 'id', exists: false } })
    .send();
  await expect(again).rejects.toBeInstanceOf(dynamodb.ConditionalCheckFailedException);
  const found = await orders
    .build(QueryCommand)
    .query({ index: 'byStatus', partition: 'NEW' })
    .entities(order)
    .options({ maxPages: Number.POSITIVE_INFINITY, limit: 1 })
    .send();
  expect(found.Items?.map(({ customer, id }) => `${customer}${id}`)).toEqual(['a1', 'b3']);
  await expect(
    executeTransactWrite(
      order.build(PutTransaction).item({ customer: 'c', id: '4' }),
      order.build(ConditionCheck).key({ customer: 'a', id: '2' }).condition({ attr: 'status', eq: 'NEW' }),
    ),
  ).rejects.toMatchObject({ CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed' }] });
  expect((await order.build(GetItemCommand).key({ customer: 'c', id: '4' }).send()).Item).toBeUndefined();
  await order.build(DeleteItemCommand).key({ customer: 'b', id: '3' }).send();
  expect((await orders.build(ScanCommand).entities(order).send()).Count).toBe(2);
});

test('DynamoDB Admin’s calls are answered: tables, items page by page, a purge', async () => {
  // The calls of dynamodb-admin 5.3.3, read in its backend.js; the program itself was tried by hand.
  const TableName = 'admin';
  await client.send(new dynamodb.CreateTableCommand({ ...table(TableName), TableName }));
  await client.send(new dynamodb.ListTablesCommand({ ExclusiveStartTableName: undefined }));
  for (let index = 0; index < 30; index++)
    await documents.send(
      new lib.PutCommand({
        TableName,
        Item: { pk: `p${index % 3}`, sk: `${index}`, note: `${index}`, l: [1, null] },
      }),
    );
  expect(await documents.send(new dynamodb.DescribeTimeToLiveCommand({ TableName }))).toMatchObject({
    TimeToLiveDescription: { TimeToLiveStatus: 'DISABLED' },
  });
  const { Table: described } = await documents.send(new dynamodb.DescribeTableCommand({ TableName }));
  const filtered = await documents.send(
    new lib.QueryCommand({
      TableName,
      KeyConditionExpression: '#key0 = :key0',
      FilterExpression: 'contains(#key1, :key1)',
      ExpressionAttributeNames: { '#key0': 'pk', '#key1': 'note' },
      ExpressionAttributeValues: { ':key0': 'p1', ':key1': '2' },
      Limit: 25,
    }),
  );
  expect(filtered.Items?.map((one) => String(one['sk'])).sort()).toEqual(['22', '25', '28']);
  const names = described?.KeySchema?.map(({ AttributeName = '' }) => AttributeName) ?? [];
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const page = await documents.send(
      new lib.ScanCommand({ TableName, Limit: 25, ...(ExclusiveStartKey && { ExclusiveStartKey }) }),
    );
    const deletes = (page.Items ?? []).map((one) => ({
      DeleteRequest: { Key: Object.fromEntries(names.map((name) => [name, one[name] as string])) },
    }));
    await documents.send(new lib.BatchWriteCommand({ RequestItems: { [TableName]: deletes } }));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey !== undefined);
  expect((await documents.send(new lib.ScanCommand({ TableName }))).Count).toBe(0);
  await client.send(new dynamodb.DeleteTableCommand({ TableName }));
});
