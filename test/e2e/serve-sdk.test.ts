// Aim: whatever speaks to DynamoDB through the AWS SDK for JavaScript speaks to `serve`: client, document
// client, paginators, waiters, and a data layer on top of them (ElectroDB). Method: the server in this
// process on a free port with a clock moved by hand; what comes back is compared with what DynamoDB
// documents, units and errors included.
import * as dynamodb from '@aws-sdk/client-dynamodb';
import * as lib from '@aws-sdk/lib-dynamodb';
import { Entity } from 'electrodb';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { assertSound, post, type ServedDatabase, serveDatabase } from '../support/served-database.ts';

let served: ServedDatabase;
let documents: lib.DynamoDBDocumentClient;

beforeAll(async () => {
  served = await serveDatabase();
  documents = lib.DynamoDBDocumentClient.from(served.client, {
    marshallOptions: { removeUndefinedValues: true },
  });
});
afterEach(() => assertSound(served));
afterAll(() => served.stop());

const hashKey: dynamodb.KeySchemaElement = { AttributeName: 'pk', KeyType: 'HASH' };
const rangeKey: dynamodb.KeySchemaElement = { AttributeName: 'sk', KeyType: 'RANGE' };
const texts = (...names: string[]): dynamodb.AttributeDefinition[] =>
  names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' }));

const statusIndex = {
  IndexName: 'byStatus',
  KeySchema: [
    { AttributeName: 'status', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ],
  Projection: { ProjectionType: 'ALL' },
} satisfies dynamodb.GlobalSecondaryIndex;

const orders: dynamodb.CreateTableCommandInput = {
  TableName: 'orders',
  AttributeDefinitions: texts('pk', 'sk', 'status', 'created'),
  KeySchema: [hashKey, rangeKey],
  BillingMode: 'PAY_PER_REQUEST',
  GlobalSecondaryIndexes: [statusIndex],
  LocalSecondaryIndexes: [
    {
      IndexName: 'byCreated',
      KeySchema: [hashKey, { AttributeName: 'created', KeyType: 'RANGE' }],
      Projection: { ProjectionType: 'KEYS_ONLY' },
    },
  ],
};

async function freshOrders(name: string): Promise<string> {
  await served.client.send(new dynamodb.CreateTableCommand({ ...orders, TableName: name }));
  return name;
}

/** What the SDK's errors carry, in the spellings of all of them. */
interface SdkError extends Error {
  readonly $metadata: { readonly httpStatusCode?: number };
  readonly Item?: unknown;
  readonly CancellationReasons?: readonly { readonly Code?: string }[];
  readonly ThrottlingReasons?: unknown;
  readonly throttlingReasons?: unknown;
}

/** The error of a call that must fail. */
async function errorOf(call: Promise<unknown>): Promise<SdkError> {
  return call.then(
    () => expect.unreachable('the call was to fail'),
    (error: unknown) => error as SdkError, // Nothing else is thrown by the SDK.
  );
}

describe('tables', () => {
  test('are made, described, listed by pages, and deleted, with waiters', async () => {
    const names = ['list-a', 'list-b', 'list-c'];
    for (const name of names) await freshOrders(name);
    await dynamodb.waitUntilTableExists({ client: served.client, maxWaitTime: 30 }, { TableName: 'list-a' });
    const { Table } = await served.client.send(new dynamodb.DescribeTableCommand({ TableName: 'list-a' }));
    expect(Table).toMatchObject({
      TableStatus: 'ACTIVE',
      ItemCount: 0,
      TableArn: 'arn:aws:dynamodb:us-east-1:000000000000:table/list-a',
      BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' },
      WarmThroughput: { ReadUnitsPerSecond: 12_000, WriteUnitsPerSecond: 4_000, Status: 'ACTIVE' },
      CreationDateTime: new Date('2026-01-01T00:00:00Z'),
    });
    expect(Table?.GlobalSecondaryIndexes?.[0]).toMatchObject({
      IndexName: 'byStatus',
      IndexStatus: 'ACTIVE',
    });
    expect(Table?.LocalSecondaryIndexes?.[0]).toMatchObject({ IndexName: 'byCreated' });
    const listed: string[] = [];
    for await (const page of dynamodb.paginateListTables({ client: served.client, pageSize: 1 }, {})) {
      expect(page.TableNames?.length).toBeLessThanOrEqual(1);
      listed.push(...(page.TableNames ?? []));
    }
    expect(listed.filter((name) => name.startsWith('list-'))).toEqual(names);
    for (const name of names) await served.client.send(new dynamodb.DeleteTableCommand({ TableName: name }));
    await dynamodb.waitUntilTableNotExists(
      { client: served.client, maxWaitTime: 30 },
      { TableName: 'list-a' },
    );
    const gone = await errorOf(
      served.client.send(new dynamodb.DescribeTableCommand({ TableName: 'list-a' })),
    );
    expect(gone).toBeInstanceOf(dynamodb.ResourceNotFoundException);
  });

  test('of one name are made once', async () => {
    await freshOrders('once');
    const error = await errorOf(freshOrders('once'));
    expect(error).toBeInstanceOf(dynamodb.ResourceInUseException);
    expect(error.message).toBe('Table already exists: once');
  });

  test('pass through CREATING, UPDATING and DELETING where transitions take time', async () => {
    const slow = await serveDatabase({ transitionMs: 2_000 });
    const status = async () => {
      const described = await slow.client.send(new dynamodb.DescribeTableCommand({ TableName: 'orders' }));
      const { TableStatus, GlobalSecondaryIndexes = [] } = described.Table ?? {};
      return [TableStatus, ...GlobalSecondaryIndexes.map(({ IndexStatus }) => IndexStatus)];
    };
    const put = () =>
      slow.client.send(
        new dynamodb.PutItemCommand({
          TableName: 'orders',
          Item: { pk: { S: 'a' }, sk: { S: '1' }, status: { S: 'NEW' } },
        }),
      );
    await slow.client.send(
      new dynamodb.CreateTableCommand({
        ...orders,
        GlobalSecondaryIndexes: undefined,
        AttributeDefinitions: texts('pk', 'sk', 'created'),
      }),
    );
    expect(await status()).toEqual(['CREATING']);
    expect((await errorOf(put())).name).toBe('ResourceNotFoundException');
    slow.advance(2_000);
    expect(await status()).toEqual(['ACTIVE']);
    await put();
    const create = {
      AttributeDefinitions: texts('pk', 'sk', 'created', 'status'),
      TableName: 'orders',
      GlobalSecondaryIndexUpdates: [{ Create: statusIndex }],
    };
    await slow.client.send(new dynamodb.UpdateTableCommand(create));
    expect(await status()).toEqual(['UPDATING', 'CREATING']);
    const query = new dynamodb.QueryCommand({
      TableName: 'orders',
      IndexName: 'byStatus',
      KeyConditionExpression: '#s = :s',
      ExpressionAttributeNames: { '#s': 'status' },
      ExpressionAttributeValues: { ':s': { S: 'NEW' } },
    });
    expect((await errorOf(slow.client.send(query))).message).toContain('Cannot read from backfilling');
    slow.advance(2_000);
    expect((await slow.client.send(query)).Count).toBe(1);
    await slow.client.send(
      new dynamodb.UpdateTableCommand({
        TableName: 'orders',
        GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'byStatus' } }],
      }),
    );
    expect(await status()).toEqual(['UPDATING', 'DELETING']);
    slow.advance(2_000);
    expect(await status()).toEqual(['ACTIVE']);
    await slow.client.send(new dynamodb.DeleteTableCommand({ TableName: 'orders' }));
    expect(await status()).toEqual(['DELETING']);
    expect((await errorOf(put())).name).toBe('ResourceNotFoundException');
    slow.advance(2_000);
    expect((await errorOf(status())).name).toBe('ResourceNotFoundException');
    expect(slow.bugs).toEqual([]);
    await slow.stop();
  });

  test('change capacity, and lower it four times before it is rationed', async () => {
    const TableName = 'capacity';
    const provision = (units: number) => ({
      ProvisionedThroughput: { ReadCapacityUnits: units, WriteCapacityUnits: units },
    });
    await served.client.send(
      new dynamodb.CreateTableCommand({
        TableName,
        AttributeDefinitions: texts('pk'),
        KeySchema: [hashKey],
        ...provision(10),
      }),
    );
    const update = (units: number) =>
      served.client.send(new dynamodb.UpdateTableCommand({ TableName, ...provision(units) }));
    const same = await errorOf(update(10));
    expect(same.name).toBe('ValidationException');
    expect(same.message).toContain('will not change');
    await update(20);
    for (const units of [19, 18, 17, 16]) await update(units);
    expect((await errorOf(update(15))).name).toBe('LimitExceededException');
    const { Table } = await served.client.send(new dynamodb.DescribeTableCommand({ TableName }));
    expect(Table?.ProvisionedThroughput).toMatchObject({
      ReadCapacityUnits: 16,
      WriteCapacityUnits: 16,
      NumberOfDecreasesToday: 4,
    });
    await served.client.send(
      new dynamodb.UpdateTableCommand({
        TableName,
        BillingMode: 'PAY_PER_REQUEST',
        OnDemandThroughput: { MaxWriteRequestUnits: 7 },
      }),
    );
    const switched = await served.client.send(new dynamodb.DescribeTableCommand({ TableName }));
    expect(switched.Table).toMatchObject({
      BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' },
      OnDemandThroughput: { MaxWriteRequestUnits: 7 },
      ProvisionedThroughput: { ReadCapacityUnits: 0 },
    });
  });

  test('are tagged, and tell what expires', async () => {
    await freshOrders('tagged');
    const ResourceArn = 'arn:aws:dynamodb:us-east-1:000000000000:table/tagged';
    const tags = async () =>
      (await served.client.send(new dynamodb.ListTagsOfResourceCommand({ ResourceArn }))).Tags;
    await served.client.send(
      new dynamodb.TagResourceCommand({
        ResourceArn,
        Tags: [
          { Key: 'a', Value: '1' },
          { Key: 'b', Value: '2' },
        ],
      }),
    );
    await served.client.send(new dynamodb.UntagResourceCommand({ ResourceArn, TagKeys: ['a'] }));
    expect(await tags()).toEqual([{ Key: 'b', Value: '2' }]);
    // As a client of another region and account builds it.
    const foreign = new dynamodb.ListTagsOfResourceCommand({
      ResourceArn: 'arn:aws-cn:dynamodb:cn-north-1:123456789012:table/tagged',
    });
    expect((await served.client.send(foreign)).Tags).toEqual([{ Key: 'b', Value: '2' }]);
    const expiry = async () =>
      (await served.client.send(new dynamodb.DescribeTimeToLiveCommand({ TableName: 'tagged' })))
        .TimeToLiveDescription;
    expect(await expiry()).toEqual({ TimeToLiveStatus: 'DISABLED' });
    const enable = new dynamodb.UpdateTimeToLiveCommand({
      TableName: 'tagged',
      TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true },
    });
    await served.client.send(enable);
    expect(await expiry()).toEqual({ TimeToLiveStatus: 'ENABLED', AttributeName: 'expires' });
    expect((await errorOf(served.client.send(enable))).message).toBe('TimeToLive is already enabled');
  });

  test('have limits, and an endpoint', async () => {
    const limits = await served.client.send(new dynamodb.DescribeLimitsCommand({}));
    expect(limits).toMatchObject({ TableMaxWriteCapacityUnits: 40_000, AccountMaxReadCapacityUnits: 80_000 });
    const { Endpoints } = await served.client.send(new dynamodb.DescribeEndpointsCommand({}));
    expect(Endpoints).toEqual([{ Address: served.url.replace('http://', ''), CachePeriodInMinutes: 1_440 }]);
  });
});

describe('items', () => {
  const key = { pk: 'customer#1', sk: 'order#1' };

  test('of every type come back as they were put, numbers in one spelling and sets in order', async () => {
    const TableName = await freshOrders('types');
    const Item = {
      ...key,
      n: 12.5,
      b: new Uint8Array([0, 1, 255]),
      yes: true,
      nothing: null,
      list: [1, 'two', { three: 3 }],
      map: { deep: { deeper: ['x'] } },
      texts: new Set(['b', 'ä', 'a']),
      numbers: new Set([10, 9, -1]),
      empty: '',
    };
    await documents.send(new lib.PutCommand({ TableName, Item }));
    const found = await served.client.send(
      new dynamodb.GetItemCommand({
        TableName,
        Key: { pk: { S: key.pk }, sk: { S: key.sk } },
        ConsistentRead: true,
        ReturnConsumedCapacity: 'TOTAL',
      }),
    );
    expect(found.Item?.['texts']).toEqual({ SS: ['a', 'b', 'ä'] });
    expect(found.Item?.['numbers']).toEqual({ NS: ['-1', '9', '10'] });
    expect(found.Item?.['b']).toEqual({ B: new Uint8Array([0, 1, 255]) });
    expect(found.ConsumedCapacity).toEqual({ TableName, CapacityUnits: 1 });
    expect(
      (
        await documents.send(
          new lib.GetCommand({
            TableName,
            Key: key,
            ProjectionExpression: '#n, #b',
            ExpressionAttributeNames: { '#n': 'n', '#b': 'list[2].three' },
          }),
        )
      ).Item,
    ).toEqual({ n: 12.5 });
    const { Item: whole } = await documents.send(new lib.GetCommand({ TableName, Key: key }));
    expect(whole).toEqual(Item);
  });

  test('keep every digit of a number, in its shortest spelling', async () => {
    const TableName = await freshOrders('numbers');
    const Key = { pk: { S: 'c' }, sk: { S: '1' } };
    const n = { N: '00123456789012345678901234567890.1230' };
    await served.client.send(new dynamodb.PutItemCommand({ TableName, Item: { ...Key, n } }));
    const { Item } = await served.client.send(new dynamodb.GetItemCommand({ TableName, Key }));
    expect(Item?.['n']).toEqual({ N: '123456789012345678901234567890.123' });
  });

  test('are updated and deleted, and give back what was asked for', async () => {
    const TableName = await freshOrders('updates');
    const update = await documents.send(
      new lib.UpdateCommand({
        TableName,
        Key: key,
        UpdateExpression: 'SET #s = :new ADD visits :one',
        ExpressionAttributeNames: { '#s': 'status' },
        ExpressionAttributeValues: { ':new': 'NEW', ':one': 1 },
        ReturnValues: 'ALL_NEW',
        ReturnConsumedCapacity: 'INDEXES',
      }),
    );
    expect(update.Attributes).toEqual({ ...key, status: 'NEW', visits: 1 });
    expect(update.ConsumedCapacity).toEqual({
      TableName,
      CapacityUnits: 2,
      Table: { CapacityUnits: 1 },
      GlobalSecondaryIndexes: { byStatus: { CapacityUnits: 1 } },
    });
    const gone = await documents.send(
      new lib.DeleteCommand({ TableName, Key: key, ReturnValues: 'ALL_OLD' }),
    );
    expect(gone.Attributes).toEqual({ ...key, status: 'NEW', visits: 1 });
  });

  test('that meet a condition which fails come back with the error where asked for', async () => {
    const TableName = await freshOrders('conditions');
    await documents.send(new lib.PutCommand({ TableName, Item: { ...key, v: 1 } }));
    const put = { TableName, Item: { ...key, v: 2 }, ConditionExpression: 'attribute_not_exists(pk)' };
    const plain = await errorOf(documents.send(new lib.PutCommand(put)));
    expect(plain).toBeInstanceOf(dynamodb.ConditionalCheckFailedException);
    expect(plain.Item).toBeUndefined();
    const telling = await errorOf(
      served.client.send(
        new dynamodb.PutItemCommand({
          ...put,
          Item: { pk: { S: key.pk }, sk: { S: key.sk } },
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      ),
    );
    expect(telling.Item).toEqual({ pk: { S: key.pk }, sk: { S: key.sk }, v: { N: '1' } });
  });

  test('are queried and scanned page by page, on the table and its indexes', async () => {
    const TableName = await freshOrders('pages');
    const ids = Array.from({ length: 12 }, (_, index) => `order#${String(index).padStart(2, '0')}`);
    for (const sk of ids)
      await documents.send(
        new lib.PutCommand({ TableName, Item: { pk: 'c', sk, status: 'NEW', created: sk } }),
      );
    const queried: string[] = [];
    let pages = 0;
    const query = {
      TableName,
      IndexName: 'byStatus',
      KeyConditionExpression: '#s = :s AND begins_with(sk, :p)',
      ExpressionAttributeNames: { '#s': 'status' },
      ExpressionAttributeValues: { ':s': 'NEW', ':p': 'order#' },
      ScanIndexForward: false,
    };
    for await (const page of lib.paginateQuery({ client: documents, pageSize: 5 }, query)) {
      pages++;
      queried.push(...(page.Items ?? []).map((item) => String(item['sk'])));
    }
    expect(queried).toEqual(ids.toReversed());
    expect(pages).toBe(3);
    const scanned: string[] = [];
    for (const Segment of [0, 1])
      for await (const page of lib.paginateScan(
        { client: documents, pageSize: 4 },
        { TableName, Segment, TotalSegments: 2 },
      ))
        scanned.push(...(page.Items ?? []).map((item) => String(item['sk'])));
    expect(scanned.sort()).toEqual(ids);
    const local = await documents.send(
      new lib.QueryCommand({
        TableName,
        IndexName: 'byCreated',
        KeyConditionExpression: 'pk = :c AND created > :from',
        ExpressionAttributeValues: { ':c': 'c', ':from': 'order#09' },
        ReturnConsumedCapacity: 'INDEXES',
      }),
    );
    expect(local.Items).toEqual(ids.slice(10).map((sk) => ({ pk: 'c', sk, created: sk })));
    expect(local.ConsumedCapacity?.LocalSecondaryIndexes).toEqual({ byCreated: { CapacityUnits: 0.5 } });
  });

  test('go in batches and in transactions', async () => {
    const TableName = await freshOrders('many');
    const items = ['1', '2', '3'].map((sk) => ({ pk: 'c', sk }));
    const written = await documents.send(
      new lib.BatchWriteCommand({
        RequestItems: { [TableName]: items.map((Item) => ({ PutRequest: { Item } })) },
        ReturnConsumedCapacity: 'TOTAL',
      }),
    );
    expect(written.UnprocessedItems).toEqual({});
    expect(written.ConsumedCapacity).toEqual([{ TableName, CapacityUnits: 3 }]);
    const read = await documents.send(
      new lib.BatchGetCommand({ RequestItems: { [TableName]: { Keys: items } } }),
    );
    expect(read.Responses?.[TableName]).toEqual(items);
    await documents.send(
      new lib.TransactWriteCommand({
        TransactItems: [
          {
            Update: {
              TableName,
              Key: items[0],
              UpdateExpression: 'SET v = :v',
              ExpressionAttributeValues: { ':v': 1 },
            },
          },
          { Delete: { TableName, Key: items[1] } },
        ],
      }),
    );
    const both = await documents.send(
      new lib.TransactGetCommand({
        TransactItems: items.slice(0, 2).map((Key) => ({ Get: { TableName, Key } })),
        ReturnConsumedCapacity: 'TOTAL',
      }),
    );
    expect(both.Responses).toEqual([{ Item: { ...items[0], v: 1 } }, {}]);
    expect(both.ConsumedCapacity).toEqual([{ TableName, CapacityUnits: 4, ReadCapacityUnits: 4 }]);
  });

  test('of a cancelled transaction tell why, in the order of the request', async () => {
    const TableName = await freshOrders('cancelled');
    const error = await errorOf(
      documents.send(
        new lib.TransactWriteCommand({
          TransactItems: [
            { Put: { TableName, Item: { pk: 'c', sk: '1' } } },
            {
              ConditionCheck: {
                TableName,
                Key: { pk: 'c', sk: '2' },
                ConditionExpression: 'attribute_exists(pk)',
              },
            },
          ],
        }),
      ),
    );
    expect(error).toBeInstanceOf(dynamodb.TransactionCanceledException);
    expect(error.message).toContain('[None, ConditionalCheckFailed]');
    expect(error.CancellationReasons).toEqual([
      { Code: 'None' },
      { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' },
    ]);
  });

  test('are found where the table is named by its ARN', async () => {
    const TableName = await freshOrders('by-arn');
    await documents.send(new lib.PutCommand({ TableName, Item: key }));
    const arn = `arn:aws:dynamodb:us-east-1:000000000000:table/${TableName}`;
    expect((await documents.send(new lib.GetCommand({ TableName: arn, Key: key }))).Item).toEqual(key);
  });

  test('are answered by the ARN that the request gave', async () => {
    const TableName = await freshOrders('asked-by-arn');
    const arn = `arn:aws:dynamodb:eu-west-1:123456789012:table/${TableName}`;
    const ReturnConsumedCapacity = 'TOTAL';
    const put = await documents.send(
      new lib.PutCommand({ TableName: arn, Item: key, ReturnConsumedCapacity }),
    );
    expect(put.ConsumedCapacity?.TableName).toBe(arn);
    const batch = await documents.send(
      new lib.BatchGetCommand({ RequestItems: { [arn]: { Keys: [key] } }, ReturnConsumedCapacity }),
    );
    expect(batch.Responses).toEqual({ [arn]: [key] });
    expect(batch.ConsumedCapacity).toMatchObject([{ TableName: arn }]);
    const transaction = await documents.send(
      new lib.TransactGetCommand({
        TransactItems: [{ Get: { TableName: arn, Key: key } }],
        ReturnConsumedCapacity,
      }),
    );
    expect(transaction.Responses).toEqual([{ Item: key }]);
    expect(transaction.ConsumedCapacity).toMatchObject([{ TableName: arn }]);
  });

  test('of a batch lose nothing where a table is named by name and by ARN', async () => {
    const TableName = await freshOrders('named-twice');
    const arn = `arn:aws:dynamodb:us-east-1:000000000000:table/${TableName}`;
    const writes = [{ PutRequest: { Item: key } }];
    const batch = new lib.BatchWriteCommand({ RequestItems: { [TableName]: writes, [arn]: writes } });
    await expect(documents.send(batch)).rejects.toThrow(/RequestItems names the table .* twice/);
  });
});

describe('throttles', () => {
  const put = (TableName: string, status = 'NEW') =>
    served.client.send(
      new dynamodb.PutItemCommand({
        TableName,
        Item: { pk: { S: 'c' }, sk: { S: '1' }, status: { S: status } },
      }),
    );
  const untilThrottled = async (call: () => Promise<unknown>, limit = 3_000): Promise<SdkError> => {
    for (let count = 0; count < limit; count++) {
      const error = await call().then(
        () => undefined,
        (thrown: unknown) => thrown as SdkError,
      );
      if (error !== undefined) return error;
    }
    return expect.unreachable(`not throttled within ${limit} requests`);
  };

  test('on a provisioned table carry exception, reason and ARN', async () => {
    const ProvisionedThroughput = { ReadCapacityUnits: 5, WriteCapacityUnits: 5 };
    await served.client.send(
      new dynamodb.CreateTableCommand({
        TableName: 'slow',
        AttributeDefinitions: texts('pk', 'sk'),
        KeySchema: [hashKey, rangeKey],
        ProvisionedThroughput,
      }),
    );
    const error = await untilThrottled(() => put('slow'));
    expect(error).toBeInstanceOf(dynamodb.ProvisionedThroughputExceededException);
    expect(error.$metadata.httpStatusCode).toBe(400);
    expect(error.message).toContain('configured provisioned throughput for the table');
    expect(error.ThrottlingReasons).toEqual([
      {
        reason: 'TableWriteProvisionedThroughputExceeded',
        resource: 'arn:aws:dynamodb:us-east-1:000000000000:table/slow',
      },
    ]);
    served.advance(1_000);
    await put('slow');
  });

  test('of a hot index key name the index, under the member that ThrottlingException has', async () => {
    await freshOrders('hot');
    let count = 0;
    const error = await untilThrottled(() =>
      served.client.send(
        new dynamodb.PutItemCommand({
          TableName: 'hot',
          Item: { pk: { S: `c${count++}` }, sk: { S: '1' }, status: { S: 'NEW' } },
        }),
      ),
    );
    expect(error).toBeInstanceOf(dynamodb.ThrottlingException);
    expect(error.throttlingReasons).toEqual([
      {
        reason: 'IndexWriteKeyRangeThroughputExceeded',
        resource: 'arn:aws:dynamodb:us-east-1:000000000000:table/hot/index/byStatus',
      },
    ]);
    // A new table starts with half a second's worth of its partitions' 1,000 units.
    expect(count).toBe(501);
  });

  test('come sooner where throughput is scaled down, while the description stays as asked for', async () => {
    const small = await serveDatabase({ throughputScale: 0.1 });
    const TableName = 'small';
    await small.client.send(new dynamodb.CreateTableCommand({ ...orders, TableName }));
    let count = 0;
    await untilThrottled(() => {
      count++;
      return small.client.send(
        new dynamodb.PutItemCommand({ TableName, Item: { pk: { S: 'c' }, sk: { S: '1' } } }),
      );
    });
    expect(count).toBe(51);
    const { Table } = await small.client.send(new dynamodb.DescribeTableCommand({ TableName }));
    expect(Table?.WarmThroughput).toMatchObject({ WriteUnitsPerSecond: 4_000 });
    await small.stop();
  });

  test('of a part of a batch come back as unprocessed items, of all of it as an exception', async () => {
    const TableName = 'batch';
    const ProvisionedThroughput = { ReadCapacityUnits: 5, WriteCapacityUnits: 5 };
    await served.client.send(
      new dynamodb.CreateTableCommand({
        TableName,
        AttributeDefinitions: texts('pk', 'sk'),
        KeySchema: [hashKey, rangeKey],
        ProvisionedThroughput,
      }),
    );
    const requests = Array.from({ length: 8 }, (_, index) => ({
      PutRequest: { Item: { pk: `c${index}`, sk: '1' } },
    }));
    const send = () => documents.send(new lib.BatchWriteCommand({ RequestItems: { [TableName]: requests } }));
    expect((await send()).UnprocessedItems?.[TableName]).toEqual(requests.slice(5));
    expect((await errorOf(send())).name).toBe('ProvisionedThroughputExceededException');
  });

  test('of a batch on tables whose names objects inherit come back under these names', async () => {
    const names = ['constructor', '__proto__'];
    for (const TableName of names)
      await served.client.send(
        new dynamodb.CreateTableCommand({
          TableName,
          AttributeDefinitions: texts('pk'),
          KeySchema: [hashKey],
          ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 },
        }),
      );
    const write = '[{"DeleteRequest":{"Key":{"pk":{"S":"a"}}}},{"DeleteRequest":{"Key":{"pk":{"S":"b"}}}}]';
    const items = `{"constructor":${write},"__proto__":${write}}`;
    const { status, body } = await post(served.url, 'BatchWriteItem', `{"RequestItems":${items}}`);
    expect(status).toBe(200);
    const left = body['UnprocessedItems'] as object;
    expect(Object.entries(left)).toEqual(
      names.map((name) => [name, [{ DeleteRequest: { Key: { pk: { S: 'b' } } } }]]),
    );
  });

  test('of a transaction are reasons of its cancellation', async () => {
    const error = await untilThrottled(() =>
      documents.send(
        new lib.TransactWriteCommand({
          TransactItems: [{ Put: { TableName: 'slow', Item: { pk: 'a', sk: '1' } } }],
        }),
      ),
    );
    expect(error.CancellationReasons?.[0]?.Code).toBe('ProvisionedThroughputExceeded');
  });
});

test('a small ElectroDB model works', async () => {
  await served.client.send(
    new dynamodb.CreateTableCommand({
      TableName: 'electro',
      AttributeDefinitions: texts('pk', 'sk', 'gsi1pk', 'gsi1sk'),
      KeySchema: [hashKey, rangeKey],
      BillingMode: 'PAY_PER_REQUEST',
      GlobalSecondaryIndexes: [
        {
          IndexName: 'gsi1',
          KeySchema: [
            { AttributeName: 'gsi1pk', KeyType: 'HASH' },
            { AttributeName: 'gsi1sk', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    }),
  );
  const tasks = new Entity(
    {
      model: { entity: 'task', version: '1', service: 'work' },
      attributes: {
        team: { type: 'string', required: true },
        id: { type: 'string', required: true },
        status: { type: ['open', 'done'] as const, default: 'open' },
        points: { type: 'number', default: 0 },
        labels: { type: 'set', items: 'string' },
      },
      indexes: {
        task: { pk: { field: 'pk', composite: ['team'] }, sk: { field: 'sk', composite: ['id'] } },
        byStatus: {
          index: 'gsi1',
          pk: { field: 'gsi1pk', composite: ['status'] },
          sk: { field: 'gsi1sk', composite: ['team', 'id'] },
        },
      },
    },
    { client: documents, table: 'electro' },
  );
  await tasks.create({ team: 'red', id: '1', points: 3, labels: ['b', 'a'] }).go();
  await tasks
    .put([
      { team: 'red', id: '2' },
      { team: 'blue', id: '3' },
    ])
    .go();
  await tasks.patch({ team: 'red', id: '2' }).set({ status: 'done' }).add({ points: 5 }).go();
  const open = await tasks.query.byStatus({ status: 'open' }).go();
  expect(open.data.map(({ id }) => id)).toEqual(['3', '1']);
  const done = await tasks.get({ team: 'red', id: '2' }).go();
  expect(done.data).toMatchObject({ status: 'done', points: 5 });
  expect((await tasks.get({ team: 'red', id: '1' }).go()).data?.labels).toEqual(['a', 'b']);
  const taken = await errorOf(tasks.create({ team: 'red', id: '1' }).go());
  expect(taken.message).toContain('conditional request failed');
});

describe('the wire', () => {
  test('carries request ids, checksums, the date of the server’s clock, and its name', async () => {
    const { status, headers } = await post(served.url, 'ListTables', {});
    expect(status).toBe(200);
    expect(headers.get('x-amzn-requestid')).toMatch(/^[0-9A-V]{52}$/);
    expect(headers.get('x-amz-crc32')).toMatch(/^\d+$/);
    expect(headers.get('content-type')).toBe('application/x-amz-json-1.0');
    expect(headers.get('server')).toBe('dyno-load/0.0.0');
    expect(headers.get('date')).toMatch(/^Thu, 01 Jan 2026 00:00:\d\d GMT$/);
  });

  test.each([
    [
      'an operation that is not simulated',
      'CreateBackup',
      {},
      'com.amazon.coral.service#UnknownOperationException',
    ],
    [
      'a body that is not JSON',
      'GetItem',
      '{"TableName":',
      'com.amazon.coral.service#SerializationException',
    ],
    [
      'a member of the wrong type',
      'GetItem',
      { TableName: 5 },
      'com.amazon.coral.service#SerializationException',
    ],
    ['a missing member', 'GetItem', { TableName: 'orders' }, 'com.amazon.coral.validate#ValidationException'],
    [
      'a missing table',
      'GetItem',
      { TableName: 'nowhere', Key: { pk: { S: 'a' } } },
      'com.amazonaws.dynamodb.v20120810#ResourceNotFoundException',
    ],
    [
      'a legacy parameter',
      'GetItem',
      { TableName: 'orders', Key: { pk: { S: 'a' } }, AttributesToGet: ['a'] },
      'com.amazon.coral.validate#ValidationException',
    ],
  ])('answers %s by name', async (_, operation, body, type) => {
    const answer = await post(served.url, operation, body);
    expect(answer.status).toBe(400);
    expect(answer.body['__type']).toBe(type);
  });
});
