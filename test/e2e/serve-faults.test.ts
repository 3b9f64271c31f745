// Aim: each kind of fault reaches a client as it would from AWS, takes effect or does not as was asked, and shows in
// the server's own metrics. Method: a server whose faults are certain, the SDK without retries, raw requests.
import * as dynamodb from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, test } from 'vitest';
import { parseFaultRule } from '../../src/serve/faults/fault-rule.ts';
import { assertSound, post, type ServedDatabase, serveDatabase } from '../support/served-database.ts';

const open: ServedDatabase[] = [];
afterEach(async () => {
  for (const served of open.splice(0)) {
    assertSound(served);
    await served.stop();
  }
});

async function serveWith(texts: readonly string[], seed = 1): Promise<ServedDatabase> {
  const faults = texts.map((text) => {
    const rule = parseFaultRule(text);
    if (typeof rule === 'string') throw new Error(rule);
    return rule;
  });
  const served = await serveDatabase({ faults, seed });
  open.push(served);
  for (const TableName of ['orders', 'users'])
    await post(served.url, 'CreateTable', {
      TableName,
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      ...(TableName === 'orders'
        ? { BillingMode: 'PAY_PER_REQUEST' }
        : { ProvisionedThroughput: { ReadCapacityUnits: 100, WriteCapacityUnits: 100 } }),
    });
  return served;
}

const put = ({ client }: ServedDatabase, pk = 'a', TableName = 'orders') =>
  client.send(new dynamodb.PutItemCommand({ TableName, Item: { pk: { S: pk } } }));
const countOf = async ({ client }: ServedDatabase) =>
  (await client.send(new dynamodb.ScanCommand({ TableName: 'orders', Select: 'COUNT' }))).Count;
const errorOf = async (call: Promise<unknown>) =>
  (await call.then(
    () => expect.unreachable('it succeeded'),
    (error: unknown) => error,
  )) as dynamodb.DynamoDBServiceException & { code?: string };

describe('a fault of kind', () => {
  test('latency makes the answer late', async () => {
    const served = await serveWith(['latency=150ms:1@PutItem']);
    const startMs = performance.now();
    await put(served);
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(149);
    expect(await countOf(served)).toBe(1);
  });

  test('throttle answers with exception, reason and ARN by the mode of the table', async () => {
    const served = await serveWith(['throttle:1@PutItem']);
    const onDemand = await errorOf(put(served));
    expect(onDemand).toBeInstanceOf(dynamodb.ThrottlingException);
    expect(onDemand).toMatchObject({
      throttlingReasons: [
        {
          reason: 'TableWriteKeyRangeThroughputExceeded',
          resource: 'arn:aws:dynamodb:us-east-1:000000000000:table/orders',
        },
      ],
    });
    expect(await errorOf(put(served, 'a', 'users'))).toBeInstanceOf(
      dynamodb.ProvisionedThroughputExceededException,
    );
    expect(await countOf(served)).toBe(0);
  });

  test.each([
    ['before', 0],
    ['after', 1],
  ])('5xx=%s answers 500 or 503, with %d of it done', async (moment, count) => {
    const served = await serveWith([`5xx=${moment}:1@PutItem`]);
    const statuses = new Set<number | undefined>();
    for (let round = 0; round < 20; round++)
      statuses.add((await errorOf(put(served))).$metadata.httpStatusCode);
    expect(statuses).toEqual(new Set([500, 503]));
    expect(await countOf(served)).toBe(count);
  });

  test.each([
    ['before', 0],
    ['after', 1],
  ])('drop=%s ends the connection without an answer, with %d of it done', async (moment, count) => {
    const served = await serveWith([`drop=${moment}:1@PutItem`]);
    const error = await errorOf(put(served));
    expect(error.$metadata.httpStatusCode).toBeUndefined();
    expect(`${error.name} ${error.message} ${error.code ?? ''}`).toMatch(/ECONNRESET|socket hang up/);
    expect(await countOf(served)).toBe(count);
  });

  test('partial leaves the rest of a batch, and a client that goes on gets all of it done', async () => {
    const served = await serveWith(['partial:0.7']);
    let RequestItems: Record<string, dynamodb.WriteRequest[]> = {
      orders: Array.from({ length: 20 }, (_, index) => ({
        PutRequest: { Item: { pk: { S: `k${index}` } } },
      })),
    };
    let rounds = 0;
    while (Object.keys(RequestItems).length > 0) {
      rounds++;
      const answer = await served.client.send(new dynamodb.BatchWriteItemCommand({ RequestItems }));
      RequestItems = answer.UnprocessedItems ?? {};
    }
    expect(rounds).toBeGreaterThan(1);
    expect(await countOf(served)).toBe(20);
  });

  test('any, at a table that it does not name, is not met', async () => {
    const served = await serveWith(['drop:1/nowhere', '5xx:1@Query']);
    await put(served);
    expect(served.faults()).toEqual({
      requestCount: 1,
      counts: [
        { rule: 'drop:1/nowhere', count: 0 },
        { rule: '5xx:1@Query', count: 0 },
      ],
    });
  });
});

test('the same seed fails the same requests, byte for byte, and another seed others', async () => {
  const run = async (seed: number) => {
    const served = await serveWith(['5xx:0.2', 'throttle:0.2', 'partial:0.5', 'drop:0.1'], seed);
    const answers: string[] = [];
    for (let index = 0; index < 150; index++) {
      served.advance(10);
      const orders = [0, 1, 2].map((member) => ({
        PutRequest: { Item: { pk: { S: `${index}/${member}` } } },
      }));
      const answer = await post(served.url, 'BatchWriteItem', { RequestItems: { orders } }).catch(
        () => undefined,
      );
      answers.push(answer === undefined ? 'dropped' : `${answer.status} ${JSON.stringify(answer.body)}`);
    }
    return answers;
  };
  const [first, again, other] = [await run(5), await run(5), await run(6)];
  expect(again).toEqual(first);
  expect(other).not.toEqual(first);
  expect(first).toContain('dropped');
});

test('what faults answered counts in the metrics of the service', async () => {
  const served = await serveWith(['5xx:1@PutItem', 'throttle:1@GetItem']);
  for (let round = 0; round < 3; round++) await errorOf(put(served));
  await errorOf(
    served.client.send(new dynamodb.GetItemCommand({ TableName: 'orders', Key: { pk: { S: 'a' } } })),
  );
  served.advance(180_000);
  const sumOf = async (MetricName: string, Operation: string) => {
    const response = await fetch(served.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': 'GraniteServiceVersion20100801.GetMetricStatistics',
      },
      body: JSON.stringify({
        Namespace: 'AWS/DynamoDB',
        MetricName,
        Dimensions: [
          { Name: 'TableName', Value: 'orders' },
          { Name: 'Operation', Value: Operation },
        ],
        StartTime: Date.UTC(2026, 0, 1) / 1_000,
        EndTime: Date.UTC(2026, 0, 1, 1) / 1_000,
        Period: 60,
        Statistics: ['Sum'],
      }),
    });
    const { Datapoints } = (await response.json()) as { Datapoints: { Sum: number }[] };
    return Datapoints.reduce((sum, { Sum }) => sum + Sum, 0);
  };
  expect(await sumOf('SystemErrors', 'PutItem')).toBe(3);
  expect(await sumOf('ThrottledRequests', 'GetItem')).toBe(1);
});
