// Aim: AWS's own clients read from a running server what CloudWatch and Contributor Insights would say, and
// it agrees with what the client counted. Method: the server on loopback with an injected clock, so that
// minutes pass at once; the SDK's DynamoDB client without retries and its CloudWatch client. Other protocols of
// CloudWatch have a test of their own.
import {
  CloudWatchClient,
  DescribeInsightRulesCommand,
  type Dimension,
  GetInsightRuleReportCommand,
  GetMetricDataCommand,
  GetMetricStatisticsCommand,
  paginateGetMetricData,
  paginateListMetrics,
} from '@aws-sdk/client-cloudwatch';
import {
  CreateTableCommand,
  DeleteTableCommand,
  DescribeContributorInsightsCommand,
  DynamoDBClient,
  GetItemCommand,
  ListContributorInsightsCommand,
  PutItemCommand,
  QueryCommand,
  ThrottlingException,
  UpdateContributorInsightsCommand,
  UpdateTableCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../../src/serve/start-server.ts';

const MINUTE_MS = 60_000;
const startMs = Date.UTC(2026, 0, 1);
const TableName = 'orders';

/** ms since the server's beginning, which is a whole minute. */
let elapsedMs = 0;
let server: RunningServer;
let dynamodb: DynamoDBClient;
let cloudwatch: CloudWatchClient;
/** What this client saw. */
const counted = { puts: 0, throttled: 0, tableUnits: 0, indexUnits: 0 };

beforeAll(async () => {
  server = await startServer({
    version: '0.0.0',
    nowUs: () => elapsedMs * 1_000,
    wallMs: () => startMs + elapsedMs,
    insightsSwitchDelayMs: 2_000,
    publicationDelayMs: MINUTE_MS,
  });
  const client = {
    endpoint: server.url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' },
    maxAttempts: 1,
  };
  dynamodb = new DynamoDBClient(client);
  cloudwatch = new CloudWatchClient(client);
  await createTable();
  await enableInsights();
  elapsedMs = MINUTE_MS;
  await loadHotIndex();
  elapsedMs += 500;
  await readSome();
  await makeMistakes();
  elapsedMs = 4 * MINUTE_MS;
});

afterAll(async () => {
  dynamodb.destroy();
  cloudwatch.destroy();
  await server.stop();
});

async function createTable(): Promise<void> {
  await dynamodb.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: ['PK', 'GSI1PK', 'GSI1SK'].map((AttributeName) => ({
        AttributeName,
        AttributeType: 'S',
      })),
      KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'GSI1',
          KeySchema: [
            { AttributeName: 'GSI1PK', KeyType: 'HASH' },
            { AttributeName: 'GSI1SK', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    }),
  );
}

async function enableInsights(): Promise<void> {
  for (const IndexName of [undefined, 'GSI1'])
    await dynamodb.send(
      new UpdateContributorInsightsCommand({ TableName, IndexName, ContributorInsightsAction: 'ENABLE' }),
    );
}

/**
 * Orders of 4.9 KB, 5 units on table and index: keys of the table lie far apart, but all have one status. The
 * one partition of the index holds a second of its 1,000 units and gets no more while the clock stands still.
 */
async function loadHotIndex(): Promise<void> {
  for (let order = 0; order < 260; order++) {
    counted.puts++;
    try {
      const { ConsumedCapacity } = await dynamodb.send(
        new PutItemCommand({
          TableName,
          ReturnConsumedCapacity: 'INDEXES',
          Item: {
            PK: { S: `ORDER#${order}` },
            GSI1PK: { S: 'STATUS#PENDING' },
            GSI1SK: { S: `date#${order}` },
            body: { S: 'x'.repeat(4_900) },
          },
        }),
      );
      counted.tableUnits += ConsumedCapacity?.Table?.CapacityUnits ?? 0;
      counted.indexUnits += ConsumedCapacity?.GlobalSecondaryIndexes?.['GSI1']?.CapacityUnits ?? 0;
    } catch (error) {
      if (!(error instanceof ThrottlingException)) throw error;
      counted.throttled++;
    }
  }
}

async function readSome(): Promise<void> {
  for (let order = 0; order < 3; order++)
    await dynamodb.send(new GetItemCommand({ TableName, Key: { PK: { S: `ORDER#${order}` } } }));
  await dynamodb.send(
    new QueryCommand({
      TableName,
      IndexName: 'GSI1',
      KeyConditionExpression: 'GSI1PK = :s',
      ExpressionAttributeValues: { ':s': { S: 'STATUS#PENDING' } },
      Limit: 7,
    }),
  );
}

/** Requests to the data plane, to administration and to nothing that there is. */
const mistakes: readonly (readonly [operation: string, body: string | Buffer])[] = [
  ['GetItem', '{'],
  ['GetItem', '{"TableName":"orders","Key":{}}'],
  ['GetItem', Buffer.from('{"\xff":1}', 'latin1')],
  ['GetItem', '{"TableName":"nowhere","Key":{"PK":{"S":"a"}}}'],
  ['ListTables', '{'],
  ['DescribeTable', '{"TableName":"nowhere"}'],
  ['CreateTable', '{"TableName":"x"}'],
  ['UpdateContributorInsights', '{"TableName":"nowhere","ContributorInsightsAction":"ENABLE"}'],
  ['DescribeContributorInsights', '{'],
  ['ExecuteStatement', '{}'],
];

async function makeMistakes(): Promise<void> {
  for (const [name, body] of mistakes) {
    const { status } = await fetch(server.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': `DynamoDB_20120810.${name}`,
        authorization: 'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260101/us-east-1/dynamodb/aws4_request',
      },
      body,
    });
    expect([name, status]).toEqual([name, 400]);
  }
}

const table: Dimension[] = [{ Name: 'TableName', Value: TableName }];
const index: Dimension[] = [...table, { Name: 'GlobalSecondaryIndexName', Value: 'GSI1' }];

function operation(name: string): Dimension[] {
  return [...table, { Name: 'Operation', Value: name }];
}

function span(minutes = 3) {
  return { StartTime: new Date(startMs), EndTime: new Date(startMs + minutes * MINUTE_MS) };
}

interface Asked {
  readonly MetricName: string;
  readonly Dimensions: Dimension[];
  readonly Stat?: string;
}

/** All points of several metrics, pages merged by id, oldest first. */
async function pull(asked: readonly Asked[], MaxDatapoints?: number): Promise<number[][]> {
  const queries = asked.map(({ Stat = 'Sum', ...metric }, place) => ({
    Id: `m${place}`,
    MetricStat: { Metric: { Namespace: 'AWS/DynamoDB', ...metric }, Period: 60, Stat },
  }));
  const points = asked.map((): { at: number; value: number }[] => []);
  const input = { ...span(), MetricDataQueries: queries, MaxDatapoints };
  for await (const { MetricDataResults = [] } of paginateGetMetricData({ client: cloudwatch }, input))
    for (const { Id = '', Timestamps = [], Values = [] } of MetricDataResults)
      Timestamps.forEach((time, place) =>
        points[Number(Id.slice(1))]?.push({ at: time.getTime(), value: Values[place] ?? Number.NaN }),
      );
  return points.map((series) =>
    series.toSorted((left, right) => left.at - right.at).map(({ value }) => value),
  );
}

async function rulesOf(IndexName?: string): Promise<readonly string[]> {
  const { ContributorInsightsRuleList = [] } = await dynamodb.send(
    new DescribeContributorInsightsCommand({ TableName, IndexName }),
  );
  return ContributorInsightsRuleList;
}

async function report(rules: readonly string[], kind: string, more: object = {}) {
  const RuleName = rules.find((name) => name.includes(`-${kind}-`));
  return cloudwatch.send(new GetInsightRuleReportCommand({ RuleName, ...span(), Period: 60, ...more }));
}

describe('metrics', () => {
  test('some of the load was throttled', () => {
    // 200 orders of 5 units empty the partition.
    expect(counted).toEqual({ puts: 260, throttled: 60, tableUnits: 1_000, indexUnits: 1_000 });
  });

  test('show the units that the client counted, table and index apart, idle minutes as zero', async () => {
    const consumed = 'ConsumedWriteCapacityUnits';
    const found = await pull([
      { MetricName: consumed, Dimensions: table },
      { MetricName: consumed, Dimensions: index },
    ]);
    expect(found).toEqual([
      [0, counted.tableUnits, 0],
      [0, counted.indexUnits, 0],
    ]);
  });

  test('show every throttle on the index that caused it, by its cause', async () => {
    const throttles = 'WriteThrottleEvents';
    const [ofIndex, byCause, ofTable, requests] = await pull([
      { MetricName: throttles, Dimensions: index },
      { MetricName: 'WriteKeyRangeThroughputThrottleEvents', Dimensions: index },
      { MetricName: throttles, Dimensions: table },
      { MetricName: 'ThrottledRequests', Dimensions: operation('PutItem') },
    ]);
    expect(ofIndex).toEqual([counted.throttled]);
    expect(byCause).toEqual([counted.throttled]);
    expect(ofTable).toEqual([]);
    expect(requests).toEqual([counted.throttled]);
  });

  test('count successes, latencies and returned items by operation', async () => {
    const found = await pull([
      { MetricName: 'SuccessfulRequestLatency', Dimensions: operation('PutItem'), Stat: 'SampleCount' },
      { MetricName: 'SuccessfulRequestLatency', Dimensions: operation('GetItem'), Stat: 'p99' },
      { MetricName: 'ReturnedItemCount', Dimensions: operation('Query') },
    ]);
    // The injected clock stands still while a request is served.
    expect(found).toEqual([[counted.puts - counted.throttled], [0], [7]]);
  });

  test('count mistakes of the whole account', async () => {
    expect(await pull([{ MetricName: 'UserErrors', Dimensions: [] }])).toEqual([[mistakes.length]]);
  });

  test('are the same in small pages', async () => {
    const asked = [table, index].flatMap((Dimensions) =>
      ['ConsumedWriteCapacityUnits', 'ConsumedReadCapacityUnits', 'WriteThrottleEvents'].map(
        (MetricName) => ({
          MetricName,
          Dimensions,
        }),
      ),
    );
    expect(await pull(asked, 2)).toEqual(await pull(asked));
  });

  test('are listed with their dimensions', async () => {
    const names = new Set<string>();
    for await (const { Metrics = [] } of paginateListMetrics({ client: cloudwatch }, { Dimensions: index }))
      for (const { MetricName = '' } of Metrics) names.add(MetricName);
    expect([...names]).toEqual([
      'ConsumedReadCapacityUnits',
      'ConsumedWriteCapacityUnits',
      'WriteThrottleEvents',
      'WriteKeyRangeThroughputThrottleEvents',
    ]);
  });

  test('come as statistics of one metric, with dates', async () => {
    const { Datapoints, Label } = await cloudwatch.send(
      new GetMetricStatisticsCommand({
        Namespace: 'AWS/DynamoDB',
        MetricName: 'ConsumedWriteCapacityUnits',
        Dimensions: table,
        ...span(),
        Period: 180,
        Statistics: ['Sum', 'Maximum'],
      }),
    );
    expect(Label).toBe('ConsumedWriteCapacityUnits');
    expect(Datapoints).toMatchObject([
      { Timestamp: new Date(startMs), Sum: counted.tableUnits, Maximum: 5, Unit: 'Count' },
    ]);
  });

  test('are not there before they are published', async () => {
    const before = elapsedMs;
    elapsedMs = 2.9 * MINUTE_MS;
    const found = await pull([{ MetricName: 'ConsumedWriteCapacityUnits', Dimensions: table }]);
    elapsedMs = before;
    expect(found).toEqual([[0]]);
  });
});

describe('Contributor Insights', () => {
  test('is on, with rules of both resources', async () => {
    const { ContributorInsightsSummaries } = await dynamodb.send(
      new ListContributorInsightsCommand({ TableName }),
    );
    expect(ContributorInsightsSummaries).toEqual(
      [{}, { IndexName: 'GSI1' }].map((more) => ({
        TableName,
        ...more,
        ContributorInsightsStatus: 'ENABLED',
        ContributorInsightsMode: 'ACCESSED_AND_THROTTLED_KEYS',
      })),
    );
    const { InsightRules = [] } = await cloudwatch.send(new DescribeInsightRulesCommand({}));
    expect(InsightRules.map(({ Name }) => Name)).toEqual([...(await rulesOf()), ...(await rulesOf('GSI1'))]);
  });

  test('names the hot key of the index, by 3 × write units + read units', async () => {
    const rules = await rulesOf('GSI1');
    const { Contributors, AggregateValue } = await report(rules, 'PKC');
    // The query read 7 entries of 4.9 KB, 36 KB as 9 blocks at half a unit each.
    const amount = 3 * counted.indexUnits + 4.5;
    expect(AggregateValue).toBe(amount);
    expect(Contributors).toEqual([
      {
        Keys: ['STATUS#PENDING'],
        ApproximateAggregateValue: amount,
        Datapoints: [{ Timestamp: new Date(startMs + MINUTE_MS), ApproximateValue: amount }],
      },
    ]);
  });

  test('counts throttles on the index and none on the table', async () => {
    const onIndex = await report(await rulesOf('GSI1'), 'PKT');
    expect(onIndex.Contributors).toMatchObject([
      { Keys: ['STATUS#PENDING'], ApproximateAggregateValue: counted.throttled },
    ]);
    expect((await report(await rulesOf(), 'PKT')).Contributors).toEqual([]);
  });

  test('lists 25 keys at most, and tells how many there were', async () => {
    const rules = await rulesOf();
    const { Contributors, ApproximateUniqueCount } = await report(rules, 'PKC', { MaxContributorCount: 25 });
    expect(Contributors).toHaveLength(25);
    expect(ApproximateUniqueCount).toBe(counted.puts - counted.throttled);
    await expect(report(rules, 'PKC', { MaxContributorCount: 26 })).rejects.toMatchObject({
      name: 'InvalidParameterValueException',
      $metadata: { httpStatusCode: 400 },
    });
  });
});

describe('mistakes', () => {
  test('are exceptions of the client by their names', async () => {
    const expression = new GetMetricDataCommand({
      ...span(),
      MetricDataQueries: [{ Id: 'e', Expression: 'SUM(METRICS())' }],
    });
    await expect(cloudwatch.send(expression)).rejects.toMatchObject({
      name: 'ValidationException',
      message: expect.stringContaining('Expression'),
    });
    await expect(report(['a-PKC-b'], 'PKC')).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
      $metadata: { httpStatusCode: 404 },
    });
  });
});

test('metrics outlive their table; settings are told every five minutes', async () => {
  await dynamodb.send(
    new UpdateTableCommand({
      TableName,
      BillingMode: 'PROVISIONED',
      ProvisionedThroughput: { ReadCapacityUnits: 3, WriteCapacityUnits: 4 },
      GlobalSecondaryIndexUpdates: [
        {
          Update: {
            IndexName: 'GSI1',
            ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 6 },
          },
        },
      ],
    }),
  );
  await dynamodb.send(new DeleteTableCommand({ TableName }));
  elapsedMs = 8 * MINUTE_MS;
  const found = await pull([
    { MetricName: 'ProvisionedWriteCapacityUnits', Dimensions: index, Stat: 'Maximum' },
    { MetricName: 'ConsumedWriteCapacityUnits', Dimensions: table },
  ]);
  expect(found).toEqual([[6], [0, counted.tableUnits, 0]]);
});
