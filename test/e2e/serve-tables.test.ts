// Aim: what a table is and has through the AWS SDK for JavaScript: keys of several attributes, item collections,
// expiry, warm throughput, maxima, rationed changes, states, tags, and legacy parameters. Method: the server in
// this process with a clock moved by hand; rules as DynamoDB documents them or as captures of it show.
import { CloudWatchClient, GetMetricStatisticsCommand } from '@aws-sdk/client-cloudwatch';
import * as dynamodb from '@aws-sdk/client-dynamodb';
import * as lib from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { capacityModels } from '../../src/capacity/capacity-model.ts';
import { assertSound, post, type ServedDatabase, serveDatabase } from '../support/served-database.ts';

const HOUR_MS = 3_600_000;
const TRANSITION_MS = 2_000;
const EXPIRY_DELAY_SECONDS = 60;
const COLLECTION_BYTES = 2_000;

let served: ServedDatabase;
let documents: lib.DynamoDBDocumentClient;
let tableCount = 0;

beforeAll(async () => {
  served = await serveDatabase({
    transitionMs: TRANSITION_MS,
    publicationDelayMs: 0,
    limits: { itemCollectionBytes: COLLECTION_BYTES, expiryDelaySeconds: EXPIRY_DELAY_SECONDS },
  });
  documents = lib.DynamoDBDocumentClient.from(served.client);
});
afterEach(() => assertSound(served));
afterAll(() => served.stop());

const hash = (AttributeName: string) => ({ AttributeName, KeyType: 'HASH' }) as const;
const range = (AttributeName: string) => ({ AttributeName, KeyType: 'RANGE' }) as const;
const texts = (...names: string[]) =>
  names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' }) as const);
const all = { ProjectionType: 'ALL' } as const;

/** Makes a table of its own for a test, ready to be used. */
async function tableOf(input: Partial<dynamodb.CreateTableCommandInput> = {}): Promise<string> {
  const TableName = `table-${++tableCount}`;
  await served.client.send(
    new dynamodb.CreateTableCommand({
      TableName,
      AttributeDefinitions: texts('pk'),
      KeySchema: [hash('pk')],
      ...(input.ProvisionedThroughput === undefined && { BillingMode: 'PAY_PER_REQUEST' }),
      ...input,
    }),
  );
  served.advance(TRANSITION_MS);
  return TableName;
}

const update = (input: dynamodb.UpdateTableCommandInput) =>
  served.client.send(new dynamodb.UpdateTableCommand(input));

async function described(TableName: string): Promise<dynamodb.TableDescription> {
  const { Table } = await served.client.send(new dynamodb.DescribeTableCommand({ TableName }));
  return Table ?? {};
}

/** Name and message of the error of a call that must fail. */
async function refusal(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => expect.unreachable('the call was to fail'),
    (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : 'no error'),
  );
}

describe('a global index with keys of several attributes', () => {
  const matches: dynamodb.GlobalSecondaryIndex = {
    IndexName: 'matches',
    KeySchema: [hash('league'), hash('season'), range('round'), range('player')],
    Projection: all,
  };
  const definitions = texts('pk', 'league', 'season', 'round', 'player');

  async function filled(input: Partial<dynamodb.CreateTableCommandInput>): Promise<string> {
    const TableName = await tableOf(input);
    for (const [pk, round, player] of [
      ['m1', 'final', 'b'],
      ['m2', 'final', 'a'],
      ['m3', 'group', 'a'],
      ['m4', undefined, 'a'],
    ])
      await documents.send(
        new lib.PutCommand({
          TableName,
          Item: { pk, league: 'A', season: '2026', player, ...(round && { round }) },
        }),
      );
    return TableName;
  }

  async function found(TableName: string, KeyConditionExpression: string, more: object = {}) {
    const values = { ':l': 'A', ':s': '2026', ':r': 'final', ':p': 'a' };
    const pages = lib.paginateQuery(
      { client: documents, pageSize: 1 },
      {
        TableName,
        IndexName: 'matches',
        KeyConditionExpression,
        ExpressionAttributeValues: Object.fromEntries(
          Object.entries(values).filter(([name]) => KeyConditionExpression.includes(name)),
        ),
        ...more,
      },
    );
    const ids: unknown[] = [];
    for await (const { Items = [] } of pages) ids.push(...Items.map(({ pk }) => pk as unknown));
    return ids.join(' ');
  }

  test('is described as it was asked for, and read page by page', async () => {
    const TableName = await filled({ AttributeDefinitions: definitions, GlobalSecondaryIndexes: [matches] });
    const { AttributeDefinitions, GlobalSecondaryIndexes } = await described(TableName);
    expect(GlobalSecondaryIndexes?.[0]).toMatchObject({ KeySchema: matches.KeySchema, ItemCount: 3 });
    expect(AttributeDefinitions).toEqual(definitions);
    expect(await found(TableName, 'league = :l AND season = :s')).toBe('m2 m1 m3');
    expect(await found(TableName, 'league = :l AND season = :s', { ScanIndexForward: false })).toBe(
      'm3 m1 m2',
    );
    expect(await found(TableName, 'league = :l AND season = :s AND round = :r AND player > :p')).toBe('m1');
    const { LastEvaluatedKey } = await documents.send(
      new lib.QueryCommand({
        TableName,
        IndexName: 'matches',
        KeyConditionExpression: 'league = :l AND season = :s',
        ExpressionAttributeValues: { ':l': 'A', ':s': '2026' },
        Limit: 1,
      }),
    );
    expect(LastEvaluatedKey).toEqual({ pk: 'm2', league: 'A', season: '2026', round: 'final', player: 'a' });
  });

  test('is made on a table with items, and filled', async () => {
    const TableName = await filled({});
    await update({
      TableName,
      AttributeDefinitions: definitions,
      GlobalSecondaryIndexUpdates: [{ Create: matches }],
    });
    served.advance(TRANSITION_MS);
    expect(await found(TableName, 'league = :l AND season = :s')).toBe('m2 m1 m3');
  });

  test('is queried by all partition attributes and by sort attributes from the left', async () => {
    const TableName = await filled({ AttributeDefinitions: definitions, GlobalSecondaryIndexes: [matches] });
    expect(await refusal(found(TableName, 'league = :l'))).toBe(
      'ValidationException: Query condition missed key schema element: season',
    );
    expect(await refusal(found(TableName, 'league = :l AND season = :s AND player = :p'))).toBe(
      'ValidationException: RANGE key attributes round must have equality conditions specified in the query because a condition is present on key attribute player',
    );
  });

  test('has up to four of each kind; the key of a table has one', async () => {
    const five = ['pk', 'a', 'b', 'c', 'd'];
    const wide = { ...matches, KeySchema: five.map(hash) };
    expect(
      await refusal(tableOf({ AttributeDefinitions: texts(...five), GlobalSecondaryIndexes: [wide] })),
    ).toBe(
      'ValidationException: One or more parameter values were invalid: The KeySchema exceeds the maximum allowed number of HASH key attributes',
    );
    const three = {
      AttributeDefinitions: texts('a', 'b', 'c'),
      KeySchema: [hash('a'), range('b'), range('c')],
    };
    expect(await refusal(tableOf(three))).toContain('Member must have length less than or equal to 2');
  });
});

describe('an item collection', () => {
  const withLocal = (): Promise<string> =>
    tableOf({
      AttributeDefinitions: texts('pk', 'sk', 'other'),
      KeySchema: [hash('pk'), range('sk')],
      LocalSecondaryIndexes: [
        {
          IndexName: 'byOther',
          KeySchema: [hash('pk'), range('other')],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      ],
    });
  const small = { ItemCollectionKey: { pk: 'p' }, SizeEstimateRangeGB: [0, 1] };
  const SIZE = { ReturnItemCollectionMetrics: 'SIZE' } as const;

  test('is told of by every kind of write', async () => {
    const TableName = await withLocal();
    const Key = { pk: 'p', sk: '1' };
    const put = await documents.send(new lib.PutCommand({ TableName, Item: Key, ...SIZE }));
    expect(put.ItemCollectionMetrics).toEqual(small);
    const updated = await documents.send(new lib.UpdateCommand({ TableName, Key, ...SIZE }));
    expect(updated.ItemCollectionMetrics).toEqual(small);
    const batch = { RequestItems: { [TableName]: [{ PutRequest: { Item: Key } }] }, ...SIZE };
    const batched = await documents.send(new lib.BatchWriteCommand(batch));
    expect(batched.ItemCollectionMetrics).toEqual({ [TableName]: [small] });
    const transaction = { TransactItems: [{ Put: { TableName, Item: Key } }], ...SIZE };
    const transacted = await documents.send(new lib.TransactWriteCommand(transaction));
    expect(transacted.ItemCollectionMetrics).toEqual({ [TableName]: [small] });
    const removed = await documents.send(new lib.DeleteCommand({ TableName, Key, ...SIZE }));
    expect(removed.ItemCollectionMetrics).toEqual(small);
  });

  test('grows to its limit and no further', async () => {
    const TableName = await withLocal();
    const put = (sk: string, bytes: number) =>
      documents.send(new lib.PutCommand({ TableName, Item: { pk: 'p', sk, body: 'x'.repeat(bytes) } }));
    await put('1', 1_500);
    expect(await refusal(put('2', 600))).toBe(
      'ItemCollectionSizeLimitExceededException: Collection size exceeded.',
    );
    await put('2', 300);
  });
});

describe('expiry', () => {
  const switched = (TableName: string, Enabled: boolean, AttributeName = 'expires') =>
    served.client.send(
      new dynamodb.UpdateTimeToLiveCommand({
        TableName,
        TimeToLiveSpecification: { AttributeName, Enabled },
      }),
    );
  const statusOf = async (TableName: string) =>
    (await served.client.send(new dynamodb.DescribeTimeToLiveCommand({ TableName }))).TimeToLiveDescription;
  const nowSeconds = async () => {
    const { headers } = await post(served.url, 'ListTables', {});
    return Date.parse(headers.get('date') ?? '') / 1_000;
  };

  test('deletes an item after its second, free of units, and counts it', async () => {
    const TableName = await tableOf();
    await switched(TableName, true);
    const expires = (await nowSeconds()) + 100;
    await documents.send(new lib.PutCommand({ TableName, Item: { pk: 'short', expires } }));
    await documents.send(new lib.PutCommand({ TableName, Item: { pk: 'long' } }));
    const itemCount = async () => (await documents.send(new lib.ScanCommand({ TableName }))).Count;
    served.advance(100_000);
    expect(await itemCount()).toBe(2);
    served.advance(EXPIRY_DELAY_SECONDS * 1_000);
    expect(await itemCount()).toBe(1);
    expect((await described(TableName)).ItemCount).toBe(1);

    served.advance(120_000);
    const cloudWatch = new CloudWatchClient({
      endpoint: served.url,
      region: 'us-east-1',
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    });
    const sumOf = async (MetricName: string) => {
      const endSeconds = Math.floor((await nowSeconds()) / 60) * 60;
      const { Datapoints = [] } = await cloudWatch.send(
        new GetMetricStatisticsCommand({
          Namespace: 'AWS/DynamoDB',
          MetricName,
          Dimensions: [{ Name: 'TableName', Value: TableName }],
          StartTime: new Date((endSeconds - 3_600) * 1_000),
          EndTime: new Date(endSeconds * 1_000),
          Period: 3_600,
          Statistics: ['Sum'],
        }),
      );
      return Datapoints.reduce((sum, { Sum = 0 }) => sum + Sum, 0);
    };
    expect(await sumOf('TimeToLiveDeletedItemCount')).toBe(1);
    expect(await sumOf('ConsumedWriteCapacityUnits')).toBe(2);
    cloudWatch.destroy();
  });

  test('is switched once an hour', async () => {
    const TableName = await tableOf();
    expect(await statusOf(TableName)).toEqual({ TimeToLiveStatus: 'DISABLED' });
    expect(await refusal(switched(TableName, false))).toBe(
      'ValidationException: TimeToLive is already disabled',
    );
    await switched(TableName, true);
    expect(await statusOf(TableName)).toEqual({ TimeToLiveStatus: 'ENABLING', AttributeName: 'expires' });
    served.advance(TRANSITION_MS);
    expect(await statusOf(TableName)).toEqual({ TimeToLiveStatus: 'ENABLED', AttributeName: 'expires' });
    expect(await refusal(switched(TableName, true))).toBe(
      'ValidationException: TimeToLive is already enabled',
    );
    expect(await refusal(switched(TableName, true, 'other'))).toBe(
      'ValidationException: TimeToLive is active on a different AttributeName: current AttributeName is expires',
    );
    expect(await refusal(switched(TableName, false))).toBe(
      'ValidationException: Time to live has been modified multiple times within a fixed interval',
    );
    served.advance(HOUR_MS);
    await switched(TableName, false);
    expect(await statusOf(TableName)).toEqual({ TimeToLiveStatus: 'DISABLING', AttributeName: 'expires' });
    served.advance(TRANSITION_MS);
    expect(await statusOf(TableName)).toEqual({ TimeToLiveStatus: 'DISABLED' });
  });

  test('is neither told nor switched while a table is being made', async () => {
    const TableName = `table-${++tableCount}`;
    await served.client.send(
      new dynamodb.CreateTableCommand({
        TableName,
        AttributeDefinitions: texts('pk'),
        KeySchema: [hash('pk')],
        BillingMode: 'PAY_PER_REQUEST',
      }),
    );
    expect(await refusal(statusOf(TableName))).toBe(
      'ValidationException: Cannot describe time to live while table is in CREATING state: Current table state is CREATING',
    );
    expect(await refusal(switched(TableName, true))).toContain('ResourceInUseException');
    served.advance(TRANSITION_MS);
  });
});

describe('throughput', () => {
  const provisioned = (units: number) => ({
    ProvisionedThroughput: { ReadCapacityUnits: units, WriteCapacityUnits: units },
  });

  test('that is warm rises while the table stays ACTIVE, and never falls', async () => {
    const TableName = await tableOf();
    const cold = { ReadUnitsPerSecond: 12_000, WriteUnitsPerSecond: 4_000 };
    expect((await described(TableName)).WarmThroughput).toEqual({ ...cold, Status: 'ACTIVE' });
    const raised = await update({ TableName, WarmThroughput: { WriteUnitsPerSecond: 9_000 } });
    expect(raised.TableDescription).toMatchObject({
      TableStatus: 'ACTIVE',
      WarmThroughput: { ...cold, Status: 'UPDATING' },
    });
    expect((await described(TableName)).WarmThroughput).toEqual({ ...cold, Status: 'UPDATING' });
    served.advance(TRANSITION_MS);
    const warm = { ReadUnitsPerSecond: 12_000, WriteUnitsPerSecond: 9_000, Status: 'ACTIVE' };
    expect((await described(TableName)).WarmThroughput).toEqual(warm);
    expect(await refusal(update({ TableName, WarmThroughput: { WriteUnitsPerSecond: 8_999 } }))).toBe(
      'ValidationException: One or more parameter values were invalid: Requested WriteUnitsPerSecond for WarmThroughput for table is lower than current WarmThroughput, decreasing WarmThroughput is not supported',
    );
    expect((await described(TableName)).WarmThroughput).toEqual(warm);
  });

  test('that is warm rises with the partitions that traffic brings, also where it was asked for', async () => {
    const scaled = await serveDatabase({ throughputScale: 0.001, transitionMs: 0 });
    const send = scaled.client.send.bind(scaled.client);
    const keys = { AttributeDefinitions: texts('pk'), KeySchema: [hash('pk')] };
    const asked = { ReadUnitsPerSecond: 12_000, WriteUnitsPerSecond: 5_000 };
    const inputs = [{ TableName: 'cold' }, { TableName: 'warm', WarmThroughput: asked }];
    for (const input of inputs)
      await send(new dynamodb.CreateTableCommand({ ...keys, ...input, BillingMode: 'PAY_PER_REQUEST' }));
    for (let second = 0; second < 125; second++) {
      for (const { TableName } of inputs)
        for (const n of [0, 1, 2, 3])
          await send(
            new dynamodb.PutItemCommand({ TableName, Item: { pk: { S: `k${4 * second + n}` } } }),
          ).catch(() => undefined); // Some keys share a partition.
      scaled.advance(1_000);
    }
    const warmth = async (TableName: string) => {
      const { Table } = await send(new dynamodb.DescribeTableCommand({ TableName }));
      return [Table?.WarmThroughput?.ReadUnitsPerSecond, Table?.WarmThroughput?.WriteUnitsPerSecond];
    };
    expect(await warmth('cold')).toEqual([12_000, 4_000]);
    expect(await warmth('warm')).toEqual([12_000, 5_000]);
    // Nobody asks for anything until the partitions are there.
    scaled.advance(600_000);
    const [coldReads, coldWrites = 0] = await warmth('cold');
    expect(coldWrites).toBeGreaterThanOrEqual(6_000);
    expect(coldReads).toBe(3 * coldWrites);
    const [warmReads = 0, warmWrites = 0] = await warmth('warm');
    expect(warmWrites).toBeGreaterThanOrEqual(6_000);
    expect(warmReads - 12_000).toBe(3 * (warmWrites - 5_000));
    assertSound(scaled);
    await scaled.stop();
  });

  test('on demand has maxima that are set one by one, and taken away with -1', async () => {
    const TableName = await tableOf();
    const maxima = async (OnDemandThroughput: dynamodb.OnDemandThroughput) => {
      await update({ TableName, OnDemandThroughput });
      return (await described(TableName)).OnDemandThroughput;
    };
    expect(await maxima({ MaxReadRequestUnits: 1_000, MaxWriteRequestUnits: 500 })).toEqual({
      MaxReadRequestUnits: 1_000,
      MaxWriteRequestUnits: 500,
    });
    expect(await maxima({ MaxReadRequestUnits: 2_000 })).toEqual({
      MaxReadRequestUnits: 2_000,
      MaxWriteRequestUnits: 500,
    });
    expect(await maxima({ MaxReadRequestUnits: -1 })).toEqual({ MaxWriteRequestUnits: 500 });
    expect(await maxima({ MaxWriteRequestUnits: -1 })).toBeUndefined();
    expect(await refusal(maxima({ MaxWriteRequestUnits: 0 }))).toContain(
      'Requested MaxWriteRequestUnits for OnDemandThroughput for table is outside of valid range',
    );
  });

  test('is lowered four times a day and then once an hour, by table and index apart', async () => {
    const TableName = await tableOf({
      AttributeDefinitions: texts('pk', 'a'),
      ...provisioned(20),
      GlobalSecondaryIndexes: [
        { IndexName: 'byA', KeySchema: [hash('a')], Projection: all, ...provisioned(20) },
      ],
    });
    const lower = async (table: number | undefined, index: number | undefined) => {
      await update({
        TableName,
        ...(table !== undefined && provisioned(table)),
        ...(index !== undefined && {
          GlobalSecondaryIndexUpdates: [{ Update: { IndexName: 'byA', ...provisioned(index) } }],
        }),
      });
      served.advance(TRANSITION_MS);
    };
    for (const units of [19, 18, 17, 16]) await lower(units, undefined);
    const rejected = await refusal(lower(15, 15));
    expect(rejected).toContain(
      'LimitExceededException: Subscriber limit exceeded: Provisioned throughput decreases',
    );
    expect(rejected).toContain('Number of decreases today: 4.');
    // The index has its own four, and was left alone by the request that was rejected whole.
    const decreases = async () => {
      const { ProvisionedThroughput, GlobalSecondaryIndexes = [] } = await described(TableName);
      const all = [
        ProvisionedThroughput,
        ...GlobalSecondaryIndexes.map((index) => index.ProvisionedThroughput),
      ];
      return all.map((one) => [one?.ReadCapacityUnits, one?.NumberOfDecreasesToday]);
    };
    expect(await decreases()).toEqual([
      [16, 4],
      [20, 0],
    ]);
    await lower(undefined, 15);
    served.advance(HOUR_MS);
    await lower(15, 14);
    expect(await decreases()).toEqual([
      [15, 5],
      [14, 2],
    ]);
  });

  test('is switched to on demand four times in 24 hours', async () => {
    const TableName = await tableOf(provisioned(5));
    const onDemand = () => update({ TableName, BillingMode: 'PAY_PER_REQUEST' });
    for (let count = 0; count < 4; count++) {
      await onDemand();
      served.advance(TRANSITION_MS);
      await update({ TableName, BillingMode: 'PROVISIONED', ...provisioned(5) });
      served.advance(TRANSITION_MS);
    }
    expect(await refusal(onDemand())).toContain('LimitExceededException');
    expect((await described(TableName)).BillingModeSummary?.BillingMode).toBe('PROVISIONED');
    served.advance(24 * HOUR_MS);
    await onDemand();
    served.advance(TRANSITION_MS);
    expect((await described(TableName)).BillingModeSummary?.BillingMode).toBe('PAY_PER_REQUEST');
  });
});

describe('a quota', () => {
  const units = (reads: number, writes: number) => ({
    ProvisionedThroughput: { ReadCapacityUnits: reads, WriteCapacityUnits: writes },
  });
  const huge = 10 ** 15;

  const index = { IndexName: 'byColor', KeySchema: [hash('color')], Projection: all };
  const made: [string, Partial<dynamodb.CreateTableCommandInput>, RegExp][] = [
    ['reads of a table', units(40_001, 1), /ReadCapacityUnits for table: 40001 .* a table or index, 40000/],
    ['writes of a table', units(1, huge), /WriteCapacityUnits for table: 10{15} /],
    [
      'writes of an index',
      {
        ...units(1, 1),
        AttributeDefinitions: texts('pk', 'color'),
        GlobalSecondaryIndexes: [{ ...index, ...units(1, 40_001) }],
      },
      /WriteCapacityUnits for index byColor: 40001/,
    ],
    [
      'warm throughput',
      { WarmThroughput: { ReadUnitsPerSecond: huge, WriteUnitsPerSecond: huge } },
      /ReadUnitsPerSecond for table: 10{15} /,
    ],
  ];
  test.each(made)('holds for %s', async (_, input, message) => {
    const refused = await refusal(tableOf(input));
    expect(refused).toMatch(/^LimitExceededException: /);
    expect(refused).toMatch(message);
  });

  test('holds for warm throughput and units that are raised', async () => {
    const TableName = await tableOf(units(1, 1));
    expect(await refusal(update({ TableName, ...units(1, huge) }))).toMatch(/^LimitExceededException: /);
    expect(await refusal(update({ TableName, WarmThroughput: { WriteUnitsPerSecond: 40_001 } }))).toMatch(
      /^LimitExceededException: .*WriteUnitsPerSecond for table: 40001/,
    );
    expect((await described(TableName)).ProvisionedThroughput).toMatchObject({ WriteCapacityUnits: 1 });
  });

  test('of the account holds for all that is provisioned, tables and indexes together', async () => {
    const account = await serveDatabase({ transitionMs: 0 });
    const make = (TableName: string, input: Partial<dynamodb.CreateTableCommandInput>) =>
      account.client.send(
        new dynamodb.CreateTableCommand({
          TableName,
          AttributeDefinitions: texts('pk'),
          KeySchema: [hash('pk')],
          ...input,
        }),
      );
    const change = (TableName: string, input: Partial<dynamodb.UpdateTableCommandInput>) =>
      account.client.send(new dynamodb.UpdateTableCommand({ TableName, ...input }));
    const tooMuch =
      /^LimitExceededException: .*WriteCapacityUnits in all: 8000[1-9] would be above the maximum of an account, 80000/;
    await make('one', {
      ...units(1, 20_000),
      AttributeDefinitions: texts('pk', 'color'),
      GlobalSecondaryIndexes: [{ ...index, ...units(1, 20_000) }],
    });
    await make('two', units(1, 39_999));
    expect(await refusal(make('three', units(1, 2)))).toMatch(tooMuch);
    await make('three', { BillingMode: 'PAY_PER_REQUEST' });
    expect(await refusal(change('three', { BillingMode: 'PROVISIONED', ...units(1, 2) }))).toMatch(tooMuch);
    await make('four', units(1, 1));
    expect(await refusal(change('four', units(1, 2)))).toMatch(tooMuch);
    await change('two', units(1, 30_000));
    await change('four', units(1, 2));
    assertSound(account);
    await account.stop();
  });

  test('is that of the model, and so DescribeLimits says', async () => {
    const raised = await serveDatabase({ model: { ...capacityModels.default, tableQuotaUnits: 100_000 } });
    expect(await raised.client.send(new dynamodb.DescribeLimitsCommand({}))).toMatchObject({
      AccountMaxReadCapacityUnits: 200_000,
      TableMaxWriteCapacityUnits: 100_000,
    });
    await raised.stop();
  });

  test('or not, no table has more partitions than memory holds', async () => {
    const model = { ...capacityModels.default, tableQuotaUnits: 1e12, partitionWriteUnits: 1 };
    const raised = await serveDatabase({ model });
    const create = raised.client.send(
      new dynamodb.CreateTableCommand({
        TableName: 'vast',
        AttributeDefinitions: texts('pk'),
        KeySchema: [hash('pk')],
        ...units(1, 1e9),
      }),
    );
    expect(await refusal(create)).toMatch(/^LimitExceededException: .*partitions: 1000000000 .*, 100000$/);
    assertSound(raised);
    await raised.stop();
  });
});

test('an index that comes with its table is made with it, and not filled from it', async () => {
  const TableName = `table-${++tableCount}`;
  const { TableDescription } = await served.client.send(
    new dynamodb.CreateTableCommand({
      TableName,
      AttributeDefinitions: texts('pk', 'a'),
      KeySchema: [hash('pk')],
      BillingMode: 'PAY_PER_REQUEST',
      GlobalSecondaryIndexes: [{ IndexName: 'byA', KeySchema: [hash('a')], Projection: all }],
    }),
  );
  for (const table of [TableDescription, await described(TableName)]) {
    expect(table?.TableStatus).toBe('CREATING');
    expect(table?.GlobalSecondaryIndexes?.[0]).toMatchObject({ IndexStatus: 'CREATING' });
    expect(table?.GlobalSecondaryIndexes?.[0]).not.toHaveProperty('Backfilling');
  }
  served.advance(TRANSITION_MS);
  expect((await described(TableName)).GlobalSecondaryIndexes).toMatchObject([{ IndexStatus: 'ACTIVE' }]);
});

describe('changes', () => {
  const create = (IndexName: string): dynamodb.GlobalSecondaryIndexUpdate => ({
    Create: { IndexName, KeySchema: [hash('a')], Projection: all },
  });

  test('make or delete one index at a time', async () => {
    const TableName = await tableOf();
    const AttributeDefinitions = texts('pk', 'a');
    const change = (...GlobalSecondaryIndexUpdates: dynamodb.GlobalSecondaryIndexUpdate[]) =>
      update({ TableName, AttributeDefinitions, GlobalSecondaryIndexUpdates });
    expect(await refusal(change(create('one'), create('two')))).toContain(
      'LimitExceededException: Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table',
    );
    await change(create('one'));
    expect((await described(TableName)).GlobalSecondaryIndexes).toMatchObject([
      { IndexName: 'one', IndexStatus: 'CREATING', Backfilling: true },
    ]);
    expect(await refusal(change(create('two')))).toContain('ResourceInUseException');
    served.advance(TRANSITION_MS);
    expect(await refusal(change(create('one')))).toContain(
      'Attempting to create an index which already exists',
    );
    expect(await refusal(change({ Delete: { IndexName: 'none' } }))).toContain('ResourceNotFoundException');
    expect(await refusal(change({}))).toContain('GlobalSecondaryIndexUpdate.Delete must not be null');
  });

  test('ask for something', async () => {
    const TableName = await tableOf();
    expect(await refusal(update({ TableName, GlobalSecondaryIndexUpdates: [] }))).toContain(
      'ValidationException: At least one of ProvisionedThroughput, BillingMode,',
    );
  });

  test('do not delete a table that is protected', async () => {
    const TableName = await tableOf({ DeletionProtectionEnabled: true });
    const remove = () => served.client.send(new dynamodb.DeleteTableCommand({ TableName }));
    expect(await refusal(remove())).toBe(
      'ValidationException: Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.',
    );
    await update({ TableName, DeletionProtectionEnabled: false });
    await remove();
    served.advance(TRANSITION_MS);
    expect(await refusal(described(TableName))).toContain('ResourceNotFoundException');
  });

  test.each([
    ['no tag', [], 'Atleast one Tag needs to be provided as Input.'],
    ['one tag twice', ['a', 'a'], 'Duplicate Tag Keys provided as input: Duplicate Tag Key found a'],
    ['a tag of AWS', ['aws:a'], 'Tag Key cannot be prefixed with aws:, Key: aws:a'],
    [
      'a fifty-first tag',
      Array.from({ length: 51 }, (_, index) => `tag${index}`),
      'Number of Tags exceed the current limit for the provided ResourceArn',
    ],
  ])('do not add %s', async (_, keys, message) => {
    const { TableArn = '' } = await described(await tableOf());
    const Tags = keys.map((Key) => ({ Key, Value: 'x' }));
    const tagged = served.client.send(new dynamodb.TagResourceCommand({ ResourceArn: TableArn, Tags }));
    expect(await refusal(tagged)).toBe(`ValidationException: ${message}`);
  });
});

describe('a legacy parameter is refused in favour of an expression', () => {
  const condition = { pk: { ComparisonOperator: 'EQ', AttributeValueList: [{ S: 'a' }] } };
  const Key = { pk: { S: 'a' } };

  test.each([
    ['KeyConditions', 'Query', { KeyConditions: condition }, 'KeyConditionExpression'],
    ['QueryFilter', 'Query', { QueryFilter: condition }, 'FilterExpression'],
    ['ConditionalOperator', 'Query', { ConditionalOperator: 'AND' }, 'FilterExpression'],
    ['ScanFilter', 'Scan', { ScanFilter: condition }, 'FilterExpression'],
    ['AttributesToGet', 'Scan', { AttributesToGet: ['pk'] }, 'ProjectionExpression'],
    ['AttributesToGet', 'GetItem', { Key, AttributesToGet: ['pk'] }, 'ProjectionExpression'],
    ['Expected', 'PutItem', { Item: Key, Expected: { pk: { Exists: false } } }, 'ConditionExpression'],
    ['Expected', 'DeleteItem', { Key, Expected: { pk: { Exists: false } } }, 'ConditionExpression'],
    ['ConditionalOperator', 'UpdateItem', { Key, ConditionalOperator: 'OR' }, 'ConditionExpression'],
    ['AttributeUpdates', 'UpdateItem', { Key, AttributeUpdates: {} }, 'UpdateExpression'],
  ])('%s of %s', async (member, api, input, replacement) => {
    const { status, body } = await post(served.url, api, { TableName: 'any', ...input });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      message: `dyno-load does not support ${member}: it is a legacy parameter; use ${replacement}`,
    });
  });

  test('AttributesToGet of BatchGetItem', async () => {
    const { body } = await post(served.url, 'BatchGetItem', {
      RequestItems: { any: { Keys: [Key], AttributesToGet: ['pk'] } },
    });
    expect(body).toMatchObject({
      message:
        'dyno-load does not support AttributesToGet: it is a legacy parameter; use ProjectionExpression',
    });
  });
});
