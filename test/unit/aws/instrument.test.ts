// Aim: every attempt of an instrumented client is told once, to whom it belongs, with what it consumed, and
// the user's code sees what it would see without us. Method: real clients and document clients of the SDK
// over a handler in memory that records requests and answers from a list.
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Instrumentation, instrumentClient, runInScope } from '../../../src/aws/instrument.ts';
import { quietNodeVersionWarning } from '../../../src/aws/node-version-warning.ts';
import type { Request } from '../../../src/dynamodb/operation.ts';
import type { Outcome } from '../../../src/dynamodb/outcome.ts';
import type { RequestScope } from '../../../src/engine/target.ts';

quietNodeVersionWarning();

/** Tells attempts as texts: whose, which API, how it ended. */
class TellingScope implements RequestScope {
  readonly signal = undefined;
  readonly told: string[] = [];
  readonly requests: (Request | undefined)[] = [];
  readonly outcomes: Outcome[] = [];
  isRefusing = false;

  begin(api: string, request: Request | undefined) {
    this.requests.push(request);
    return {
      attempt: () => {
        if (this.isRefusing) return undefined;
        return (outcome: Outcome) => {
          this.told.push(`${api} ${outcome.kind}`);
          this.outcomes.push(outcome);
        };
      },
    };
  }
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const ok: Answer = {
  status: 200,
  body: { ConsumedCapacity: { TableName: 't', CapacityUnits: 1, Table: { CapacityUnits: 1 } } },
};
const throttled: Answer = {
  status: 400,
  body: {
    __type: 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException',
    message: 'slow down',
    ThrottlingReasons: [
      { reason: 'TableWriteKeyRangeThroughputExceeded', resource: 'arn:aws:dynamodb:us-east-1:1:table/t' },
    ],
  },
};

let elsewhere: TellingScope;
let instrumentation: Instrumentation;
let bodies: string[];

beforeEach(() => {
  elsewhere = new TellingScope();
  instrumentation = { elsewhere, accounting: 'INDEXES', check: () => undefined };
  bodies = [];
});

/** Like the SDK's own strategy, without its delays. */
function retryAtOnce(attempts: number) {
  const token = (retries: number) => ({ getRetryCount: () => retries, getRetryDelay: () => 0 });
  return {
    acquireInitialRetryToken: async () => token(0),
    refreshRetryTokenForRetry: async (last: ReturnType<typeof token>) => {
      if (last.getRetryCount() + 1 >= attempts) throw new Error('enough');
      return token(last.getRetryCount() + 1);
    },
    recordSuccess: () => undefined,
  };
}

/** A client that is answered from the list, its last entry for ever. */
function clientOf(answers: readonly (Answer | Error)[], attempts = 1): DynamoDBClient {
  let next = 0;
  return new DynamoDBClient({
    region: 'us-east-1',
    endpoint: 'http://localhost:1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    retryStrategy: retryAtOnce(attempts),
    requestHandler: {
      handle: async (request: { body?: unknown; headers: Record<string, string> }) => {
        bodies.push(String(request.body));
        expect(request.headers['content-length']).toBe(String(Buffer.byteLength(String(request.body))));
        const answer = answers[Math.min(next++, answers.length - 1)] ?? ok;
        if (answer instanceof Error) throw answer;
        const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-requestid': 'ABC' };
        return {
          response: { statusCode: answer.status, headers, body: Buffer.from(JSON.stringify(answer.body)) },
        };
      },
    },
  });
}

const put = () =>
  new PutItemCommand({
    TableName: 't',
    Item: { PK: { S: 'a' }, n: { N: '1' }, b: { B: new Uint8Array([1, 2]) } },
  });

describe('an attempt', () => {
  test('is told with the request in wire form and with its units', async () => {
    const client = clientOf([ok]);
    instrumentClient(client, instrumentation);
    await client.send(put());
    expect(elsewhere.requests).toEqual([
      {
        api: 'PutItem',
        input: { TableName: 't', Item: { PK: { S: 'a' }, n: { N: '1' }, b: { B: 'AQI=' } } },
      },
    ]);
    expect(elsewhere.outcomes).toMatchObject([
      { kind: 'ok', consumed: [{ tableName: 't', table: { readUnits: 0, writeUnits: 1 } }] },
    ]);
    expect(JSON.parse(bodies[0] ?? '')).toMatchObject({ ReturnConsumedCapacity: 'INDEXES' });
  });

  test('of a document client is told in wire form too, and its answer reaches the user unmarshalled', async () => {
    const client = clientOf([{ status: 200, body: { Attributes: { PK: { S: 'old' } } } }]);
    const documentClient = DynamoDBDocumentClient.from(client);
    instrumentClient(documentClient, instrumentation);
    const { Attributes } = await documentClient.send(
      new PutCommand({ TableName: 't', Item: { PK: 'a', n: 1 }, ReturnValues: 'ALL_OLD' }),
    );
    expect(Attributes).toEqual({ PK: 'old' });
    expect(elsewhere.requests).toMatchObject([{ input: { Item: { PK: { S: 'a' }, n: { N: '1' } } } }]);
  });

  test('is told for each try of the SDK’s own retries', async () => {
    const client = clientOf([throttled, throttled, ok], 3);
    instrumentClient(client, instrumentation);
    await client.send(put());
    expect(elsewhere.told).toEqual(['PutItem throttled', 'PutItem throttled', 'PutItem ok']);
    // One request with three attempts.
    expect(elsewhere.requests).toHaveLength(1);
    expect(elsewhere.outcomes[0]).toMatchObject({
      reasons: [{ reason: 'TableWriteKeyRangeThroughputExceeded' }],
    });
  });

  test('that is refused reaches the user as the SDK’s exception', async () => {
    const client = clientOf([throttled]);
    instrumentClient(client, instrumentation);
    await expect(client.send(put())).rejects.toMatchObject({
      name: 'ProvisionedThroughputExceededException',
      message: 'slow down',
    });
    expect(elsewhere.told).toEqual(['PutItem throttled']);
  });

  test('that gets no answer is told, and the error reaches the user', async () => {
    const lost = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const client = clientOf([lost]);
    instrumentClient(client, instrumentation);
    await expect(client.send(put())).rejects.toBe(lost);
    expect(elsewhere.outcomes).toMatchObject([{ kind: 'failed', code: 'ECONNREFUSED' }]);
  });

  test('that the target refuses is never sent', async () => {
    const client = clientOf([ok]);
    instrumentClient(client, instrumentation);
    elsewhere.isRefusing = true;
    await expect(client.send(put())).rejects.toThrow('does not send this PutItem');
    expect(bodies).toEqual([]);
  });

  test('that the check refuses is never sent', async () => {
    const client = clientOf([ok]);
    instrumentClient(client, {
      ...instrumentation,
      check: (request) => {
        throw new Error(`no ${request?.api}`);
      },
    });
    await expect(client.send(put())).rejects.toThrow('no PutItem');
    expect(bodies).toEqual([]);
    expect(elsewhere.requests).toEqual([]);
  });
});

describe('an attempt belongs to', () => {
  test('the scope in which it was sent, also after waiting and side by side', async () => {
    const client = clientOf([ok]);
    instrumentClient(client, instrumentation);
    const [one, other] = [new TellingScope(), new TellingScope()];
    const twice = async () => {
      await client.send(put());
      await new Promise((resolve) => setImmediate(resolve));
      await Promise.all([
        client.send(put()),
        client.send(new GetItemCommand({ TableName: 't', Key: { PK: { S: 'a' } } })),
      ]);
    };
    await Promise.all([
      runInScope(one, twice),
      runInScope(other, () => client.send(put())),
      client.send(put()),
    ]);
    expect(one.told.toSorted()).toEqual(['GetItem ok', 'PutItem ok', 'PutItem ok']);
    expect(other.told).toEqual(['PutItem ok']);
    expect(elsewhere.told).toEqual(['PutItem ok']);
  });

  test('the last of those who instrumented a client, told once', async () => {
    const client = clientOf([ok]);
    const documentClient = DynamoDBDocumentClient.from(client);
    const later = new TellingScope();
    instrumentClient(client, instrumentation);
    instrumentClient(documentClient, { ...instrumentation, elsewhere: later });
    await client.send(put());
    expect(later.told).toEqual(['PutItem ok']);
    expect(elsewhere.told).toEqual([]);
  });

  test('its own request where a client keeps its steps from request to request', async () => {
    const client = clientOf([throttled, ok]);
    client.config.cacheMiddleware = true;
    instrumentClient(client, instrumentation);
    await client.send(put()).catch(() => undefined); // Its end is told below.
    await client.send(put());
    expect(elsewhere.told).toEqual(['PutItem throttled', 'PutItem ok']);
    expect(elsewhere.requests).toHaveLength(2);
  });
});

test.each([[undefined], [{}], [{ middlewareStack: {} }], ['a client']])(
  'instrument does not take %j',
  (thing) => {
    expect(() => instrumentClient(thing, instrumentation)).toThrow('instrument takes a DynamoDBClient');
  },
);
