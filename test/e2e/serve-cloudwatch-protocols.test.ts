// Aim: clients of all three protocols of CloudWatch read the same from a running server, and malformed
// requests in any of them are answered by name. Method: the SDK's CloudWatch client with each of its protocol
// classes, signed, at a server that checks keys; bytes that the AWS CLI sent; seeded damage to them, and
// bodies up to the limit.
import {
  CloudWatchClient,
  DescribeInsightRulesCommand,
  GetInsightRuleReportCommand,
  GetMetricDataCommand,
  GetMetricStatisticsCommand,
  ListMetricsCommand,
  paginateGetMetricData,
} from '@aws-sdk/client-cloudwatch';
import { AwsJson1_0Protocol, AwsQueryProtocol, AwsSmithyRpcV2CborProtocol } from '@aws-sdk/core/protocols';
import { UpdateContributorInsightsCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CounterRandom, streamKey } from '../../src/prng.ts';
import { recordedRequests } from '../support/cloudwatch-requests.ts';
import { assertSound, post, type ServedDatabase, serveDatabase } from '../support/served-database.ts';

const key = { accessKeyId: 'AKIDTEST', secretAccessKey: 'open/sesame+1' };
const MINUTE_MS = 60_000;
const startMs = Date.UTC(2026, 0, 1);
const TableName = 'orders';

/** A server whose clock stands five minutes behind two puts, and whose requests need no signature. */
async function busyServer(settings: Parameters<typeof serveDatabase>[0] = {}): Promise<ServedDatabase> {
  const served = await serveDatabase(settings);
  await post(served.url, 'CreateTable', {
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }],
  });
  await served.client.send(
    new UpdateContributorInsightsCommand({ TableName, ContributorInsightsAction: 'ENABLE' }),
  );
  served.advance(MINUTE_MS);
  for (const PK of ['a', 'a', 'b<&>'])
    await post(served.url, 'PutItem', { TableName, Item: { PK: { S: PK } } });
  served.advance(4 * MINUTE_MS);
  return served;
}

let served: ServedDatabase;
beforeAll(async () => {
  served = await busyServer();
});
afterAll(async () => {
  assertSound(served);
  await served.stop();
});

const protocols = { JSON: AwsJson1_0Protocol, CBOR: AwsSmithyRpcV2CborProtocol, query: AwsQueryProtocol };
type ProtocolName = keyof typeof protocols;
const names = ['JSON', 'CBOR', 'query'] as const satisfies readonly ProtocolName[];

function clientOf(name: ProtocolName, url = served.url, credentials = key): CloudWatchClient {
  return new CloudWatchClient({
    endpoint: url,
    region: 'eu-west-1',
    credentials,
    maxAttempts: 1,
    protocol: protocols[name],
  });
}

const span = { StartTime: new Date(startMs), EndTime: new Date(startMs + 3 * MINUTE_MS) };
const consumed = {
  Namespace: 'AWS/DynamoDB',
  MetricName: 'ConsumedWriteCapacityUnits',
  Dimensions: [{ Name: 'TableName', Value: TableName }],
};
const query = (Id: string) => ({
  Id,
  Label: 'a<b> & "ü\u{1f600}"',
  MetricStat: { Metric: consumed, Period: 60, Stat: 'Sum' },
});

/** What a client finds out of everything that there is, without what differs from request to request. */
async function everything(client: CloudWatchClient): Promise<unknown[]> {
  const pages: unknown[] = [];
  const input = { ...span, MetricDataQueries: [query('a'), query('b')], MaxDatapoints: 4 };
  for await (const { MetricDataResults, Messages } of paginateGetMetricData({ client }, input))
    pages.push({ MetricDataResults, Messages });
  const rules = await client.send(new DescribeInsightRulesCommand({}));
  const answers = await Promise.all([
    client.send(new ListMetricsCommand({ Dimensions: [{ Name: 'TableName' }] })),
    client.send(new ListMetricsCommand({ MetricName: 'None', Dimensions: [] })),
    client.send(
      new GetMetricStatisticsCommand({ ...consumed, ...span, Period: 180, Statistics: ['Sum', 'Maximum'] }),
    ),
    client.send(
      new GetMetricStatisticsCommand({
        Namespace: 'AWS/DynamoDB',
        MetricName: 'SuccessfulRequestLatency',
        Dimensions: [...consumed.Dimensions, { Name: 'Operation', Value: 'PutItem' }],
        ...span,
        Period: 180,
        ExtendedStatistics: ['p50', 'p99.9'],
      }),
    ),
    client.send(
      new GetInsightRuleReportCommand({
        RuleName: rules.InsightRules?.[0]?.Name,
        ...span,
        Period: 60,
        Metrics: ['MaxContributorValue'],
      }),
    ),
  ]);
  return [...pages, ...[rules, ...answers].map((answer) => ({ ...answer, $metadata: undefined }))];
}

test.each(names)('the SDK in %s reads what is known to be there', async (name) => {
  const client = clientOf(name);
  const [first, second, rules, listed, none, statistics, latencies, report] = await everything(client);
  client.destroy();
  const label = { Label: 'a<b> & "ü\u{1f600}"' };
  const dates = [2, 1, 0].map((minute) => new Date(startMs + minute * MINUTE_MS));
  expect(first).toEqual({
    MetricDataResults: [
      { Id: 'a', ...label, Timestamps: dates, Values: [0, 3, 0], StatusCode: 'Complete' },
      { Id: 'b', ...label, Timestamps: dates.slice(0, 1), Values: [0], StatusCode: 'PartialData' },
    ],
    Messages: [],
  });
  expect(second).toMatchObject({ MetricDataResults: [{ Id: 'b', Values: [3, 0], StatusCode: 'Complete' }] });
  expect(rules).toMatchObject({ InsightRules: [{ State: 'ENABLED', ManagedRule: true }, {}] });
  expect(listed).toMatchObject({ Metrics: expect.arrayContaining([consumed]) });
  expect(none).toEqual({ Metrics: [] });
  expect(statistics).toEqual({
    Label: consumed.MetricName,
    Datapoints: [{ Timestamp: new Date(startMs), Sum: 3, Maximum: 1, Unit: 'Count' }],
  });
  expect(latencies).toMatchObject({ Datapoints: [{ ExtendedStatistics: { p50: 0, 'p99.9': 0 } }] });
  expect(report).toMatchObject({
    KeyLabels: ['PartitionKey'],
    ApproximateUniqueCount: 2,
    Contributors: [{ Keys: ['a'] }, { Keys: ['b<&>'] }],
    MetricDatapoints: [{ Timestamp: new Date(startMs + MINUTE_MS) }],
  });
});

test('the SDK reads the same in all protocols', async () => {
  const clients = names.map((name) => clientOf(name));
  const [json, cbor, form] = await Promise.all(clients.map(everything));
  for (const client of clients) client.destroy();
  expect(cbor).toEqual(json);
  expect(form).toEqual(json);
});

describe.each(names)('errors in %s', (name) => {
  test('are exceptions of the client by their names, with the id of the request', async () => {
    const client = clientOf(name);
    const wrong = client.send(
      new GetMetricStatisticsCommand({ ...consumed, ...span, Period: 90, Statistics: ['Sum'] }),
    );
    await expect(wrong).rejects.toMatchObject({
      name: 'InvalidParameterValueException',
      message: expect.stringContaining('multiple of 60'),
      $metadata: { httpStatusCode: 400, requestId: expect.stringMatching(/^[0-9A-V]{52}$/) },
    });
    const missing = client.send(new GetInsightRuleReportCommand({ RuleName: 'x', ...span, Period: 60 }));
    await expect(missing).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
      $metadata: { httpStatusCode: 404 },
    });
    const expression = new GetMetricDataCommand({
      ...span,
      MetricDataQueries: [{ Id: 'e', Expression: 'a' }],
    });
    await expect(client.send(expression)).rejects.toMatchObject({
      message: expect.stringContaining('Expression'),
    });
    client.destroy();
  });

  test('of signatures are refused, and sound signatures are not', async () => {
    const strict = await serveDatabase({ accessKeys: [key] });
    // Signatures are of today.
    strict.advance(Date.now() - startMs);
    const friend = clientOf(name, strict.url);
    const stranger = clientOf(name, strict.url, { ...key, secretAccessKey: 'wrong' });
    expect(await friend.send(new ListMetricsCommand({}))).toMatchObject({ Metrics: [] });
    await expect(stranger.send(new ListMetricsCommand({}))).rejects.toMatchObject({
      message: expect.stringContaining('signature we calculated does not match'),
      $metadata: { httpStatusCode: 403 },
    });
    friend.destroy();
    stranger.destroy();
    await strict.stop();
  });
});

interface Sent {
  readonly path: string;
  readonly contentType: string;
  readonly body: Buffer;
}

async function send({ path, contentType, body }: Sent) {
  const response = await fetch(served.url + path, {
    method: 'POST',
    headers: { 'content-type': contentType, ...(path !== '/' && { 'smithy-protocol': 'rpc-v2-cbor' }) },
    body,
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, text: bytes.toString('latin1') };
}

test('the id of a request is the same in head and body of a query', async () => {
  for (const { query: form } of recordedRequests)
    for (const body of [form.body, Buffer.from('Action=None')]) {
      const { headers, text } = await send({ ...form, body });
      expect(text).toContain(`<RequestId>${headers.get('x-amzn-requestid')}</RequestId>`);
    }
});

test('a request in CBOR that names a target too is refused', async () => {
  const [listed] = recordedRequests;
  const response = await fetch(served.url + listed?.cbor.path, {
    method: 'POST',
    headers: { 'content-type': 'application/cbor', 'x-amz-target': 'DynamoDB_20120810.ListTables' },
    body: listed?.cbor.body ?? '',
  });
  expect(response.status).toBe(404);
});

/** The name of an error in an answer, from the body in XML, else from the head; undefined where there is none. */
function errorIn({ headers, text }: Awaited<ReturnType<typeof send>>): string | undefined {
  return /<Code>(\w+)<\/Code>/.exec(text)?.[1] ?? headers.get('x-amzn-query-error')?.split(';')[0];
}

function damaged({ body, ...head }: Sent, draw: CounterRandom): Sent {
  let bytes = body;
  for (let round = draw.int(4); round >= 0; round--) {
    const at = draw.int(bytes.length + 1);
    const put = Buffer.from(Array.from({ length: draw.int(3) }, () => draw.int(256)));
    bytes = Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + draw.int(4))]);
  }
  return { ...head, body: bytes };
}

test('4,000 damaged requests are each answered: what is asked for, or an error by name', async () => {
  const draw = new CounterRandom(streamKey(20_261_130, 'cloudwatch'));
  const sound = recordedRequests.flatMap<Sent>(({ cbor, query: form }) => [cbor, form]);
  const seen = new Map<string, number>();
  const wrong: string[] = [];
  for (let batch = 0; batch < 200; batch++) {
    const requests = Array.from({ length: 20 }, (_, index) => {
      draw.seek(batch * 20 + index);
      return damaged(draw.pick(sound), draw);
    });
    const answers = await Promise.all(requests.map(send));
    for (const [index, answer] of answers.entries()) {
      const { status, text } = answer;
      const type = errorIn(answer);
      const isNamed = status === 200 ? type === undefined : [400, 404].includes(status) && type !== undefined;
      if (!isNamed) wrong.push(`${status} ${text} to ${requests[index]?.body.toString('hex')}`);
      const of = requests[index]?.path === '/' ? 'query' : 'CBOR';
      const name = `${of} ${type ?? 'ok'}`;
      seen.set(name, (seen.get(name) ?? 0) + 1);
    }
  }
  assertSound(served);
  expect(wrong).toEqual([]);
  for (const name of ['CBOR ok', 'CBOR MalformedInput', 'query ok', 'query MalformedInput'])
    expect([name, (seen.get(name) ?? 0) > 20]).toEqual([name, true]);
}, 120_000);

const limit = 16 * 1_024 * 1_024;
const cborAt = {
  path: '/service/GraniteServiceVersion20100801/operation/ListMetrics',
  contentType: 'application/cbor',
};
const formAt = { path: '/', contentType: 'application/x-www-form-urlencoded' };

test.each<[string, Sent]>([
  ['a list of nothing but ends', { ...cborAt, body: Buffer.alloc(limit, 0xff) }],
  ['lists within lists', { ...cborAt, body: Buffer.alloc(limit, 0x81) }],
  ['maps within maps', { ...cborAt, body: Buffer.alloc(limit, 0xbf) }],
  ['tags before tags', { ...cborAt, body: Buffer.alloc(limit, 0xc1) }],
  ['a list of millions', { ...cborAt, body: Buffer.alloc(limit, 1).fill(0x9f, 0, 1) }],
  ['a text of a million pieces', { ...cborAt, body: Buffer.alloc(limit, 0x60).fill(0x7f, 0, 1) }],
  ['a name of a million steps', { ...formAt, body: Buffer.alloc(limit, '.') }],
  ['millions of parameters', { ...formAt, body: Buffer.alloc(limit, 'a&') }],
  ['nothing but separators', { ...formAt, body: Buffer.alloc(limit, '&') }],
  ['escapes', { ...formAt, body: Buffer.alloc(limit, '%41') }],
  ['a text as long as may be', { ...formAt, body: Buffer.from(`Action=${'x'.repeat(limit - 7)}`) }],
])('a body of 16 MB is refused within seconds: %s', async (_, request) => {
  const startedAt = performance.now();
  const answer = await send(request);
  expect([answer.status, typeof errorIn(answer)]).toEqual([400, 'string']);
  expect(answer.text.length).toBeLessThan(2_000);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});

test('a body beyond 16 MB is refused before it is read', async () => {
  const { status } = await send({ ...formAt, body: Buffer.alloc(limit + 1, 'a') });
  expect(status).toBe(413);
});
