// Aim: nothing that a client sends takes the server down, keeps it from others, or makes it hold more than
// its limits; and what is no request is answered as DynamoDB answers. Method: seeded garbage in bodies,
// targets, headers and framing over raw sockets and fetch, with a sound request in between that must be
// answered within a second.
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CounterRandom, streamKey } from '../../src/prng.ts';
import { modelledTimes } from '../../src/simulator/service-times.ts';
import { assertSound, post, type ServedDatabase, serveDatabase } from '../support/served-database.ts';

let served: ServedDatabase;
let port: number;

beforeAll(async () => {
  served = await serveDatabase();
  port = Number(new URL(served.url).port);
  const key = [{ AttributeName: 'pk', KeyType: 'HASH' }];
  await post(served.url, 'CreateTable', {
    TableName: 'victim',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: key,
    BillingMode: 'PAY_PER_REQUEST',
  });
});
afterEach(async () => {
  await expectSoundAnswer();
  assertSound(served);
});
afterAll(() => served.stop());

/** A sound request, which must be answered within a second whatever else is going on. */
async function expectSoundAnswer(): Promise<void> {
  served.advance(1_000);
  const startMs = performance.now();
  const { status, body } = await post(served.url, 'PutItem', {
    TableName: 'victim',
    Item: { pk: { S: 'sound' } },
    ReturnConsumedCapacity: 'TOTAL',
  });
  expect(status).toBe(200);
  expect(body['ConsumedCapacity']).toEqual({ TableName: 'victim', CapacityUnits: 1 });
  expect(performance.now() - startMs).toBeLessThan(1_000);
}

/** Sends bytes over a connection of its own and gives back all that comes until the server ends it. */
async function raw(bytes: string | Buffer, options: { keepsOpen?: boolean } = {}): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(bytes);
  if (options.keepsOpen !== true) socket.end();
  return received(socket);
}

function received(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket.setEncoding('latin1');
    socket.on('data', (piece: string) => void (text += piece));
    socket.on('error', () => resolve(text));
    socket.on('close', () => resolve(text));
  });
}

/** Status and type of each answer in what a connection received. */
function answersIn(text: string): { readonly status: number; readonly type: string | undefined }[] {
  return text
    .split(/(?=HTTP\/1\.1 )/)
    .filter((part) => part.startsWith('HTTP/1.1 '))
    .map((part) => ({ status: Number(part.slice(9, 12)), type: /"__type":"([^"]+)"/.exec(part)?.[1] }));
}

const random = (name: string) => new CounterRandom(streamKey(1, name));

/** Something that JSON can be, mostly of a wrong type where it ends up. */
function anyJson(draw: CounterRandom, depth = 0): unknown {
  const kind = Math.floor(draw.float() * (depth > 3 ? 8 : 11));
  switch (kind) {
    case 0:
      return null;
    case 1:
      return draw.float() < 0.5;
    case 2:
      return Math.floor(draw.float() * 1e6) - 5e5;
    case 3:
      return draw.float() * 1e300;
    case 4:
      return '';
    case 5:
      return 'victim';
    case 6:
      return '__proto__';
    case 7:
      return String.fromCharCode(...Array.from({ length: 5 }, () => Math.floor(draw.float() * 0xffff)));
    case 8:
      return Array.from({ length: Math.floor(draw.float() * 4) }, () => anyJson(draw, depth + 1));
    default:
      return anyObject(draw, depth + 1);
  }
}

const names = [
  'S',
  'N',
  'B',
  'SS',
  'NS',
  'BS',
  'M',
  'L',
  'BOOL',
  'NULL',
  'pk',
  'TableName',
  'Key',
  'Item',
  '__proto__',
  'constructor',
  '',
];

function anyObject(draw: CounterRandom, depth: number): Record<string, unknown> {
  const entries = Array.from({ length: Math.floor(draw.float() * 4) }, () => [
    names[Math.floor(draw.float() * names.length)],
    anyJson(draw, depth),
  ]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}

const sound: readonly (readonly [operation: string, input: Record<string, unknown>])[] = [
  [
    'PutItem',
    {
      TableName: 'victim',
      Item: { pk: { S: 'a' }, l: { L: [{ N: '1' }] } },
      ConditionExpression: 'attribute_not_exists(#p)',
      ExpressionAttributeNames: { '#p': 'pk' },
    },
  ],
  [
    'GetItem',
    { TableName: 'victim', Key: { pk: { S: 'a' } }, ConsistentRead: true, ProjectionExpression: 'a.b[1]' },
  ],
  [
    'UpdateItem',
    {
      TableName: 'victim',
      Key: { pk: { S: 'a' } },
      UpdateExpression: 'SET a = if_not_exists(a, :v) REMOVE b',
      ExpressionAttributeValues: { ':v': { N: '1' } },
      ReturnValues: 'ALL_NEW',
    },
  ],
  ['DeleteItem', { TableName: 'victim', Key: { pk: { S: 'a' } }, ReturnValues: 'ALL_OLD' }],
  [
    'Query',
    {
      TableName: 'victim',
      KeyConditionExpression: 'pk = :p',
      ExpressionAttributeValues: { ':p': { S: 'a' } },
      Limit: 3,
      ScanIndexForward: false,
      ExclusiveStartKey: { pk: { S: 'a' } },
    },
  ],
  [
    'Scan',
    {
      TableName: 'victim',
      FilterExpression: 'size(a) > :n AND NOT (a IN (:n))',
      ExpressionAttributeValues: { ':n': { N: '1' } },
      Segment: 0,
      TotalSegments: 2,
      Select: 'COUNT',
    },
  ],
  ['BatchGetItem', { RequestItems: { victim: { Keys: [{ pk: { S: 'a' } }], ConsistentRead: true } } }],
  [
    'BatchWriteItem',
    {
      RequestItems: {
        victim: [
          { PutRequest: { Item: { pk: { S: 'a' } } } },
          { DeleteRequest: { Key: { pk: { S: 'b' } } } },
        ],
      },
    },
  ],
  ['TransactGetItems', { TransactItems: [{ Get: { TableName: 'victim', Key: { pk: { S: 'a' } } } }] }],
  [
    'TransactWriteItems',
    {
      ClientRequestToken: 'token',
      TransactItems: [
        { Put: { TableName: 'victim', Item: { pk: { S: 'a' } } } },
        {
          ConditionCheck: {
            TableName: 'victim',
            Key: { pk: { S: 'b' } },
            ConditionExpression: 'attribute_not_exists(pk)',
          },
        },
      ],
    },
  ],
  [
    'UpdateTable',
    {
      TableName: 'victim',
      BillingMode: 'PAY_PER_REQUEST',
      GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'nothing' } }],
    },
  ],
  [
    'CreateTable',
    {
      TableName: 'other',
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
      Tags: [{ Key: 'k', Value: 'v' }],
    },
  ],
  ['ListTables', { Limit: 5, ExclusiveStartTableName: 'abc' }],
  [
    'TagResource',
    { ResourceArn: 'arn:aws:dynamodb:us-east-1:000000000000:table/victim', Tags: [{ Key: 'a', Value: 'b' }] },
  ],
  [
    'UpdateTimeToLive',
    { TableName: 'victim', TimeToLiveSpecification: { AttributeName: 'a', Enabled: true } },
  ],
  ['UpdateContributorInsights', { TableName: 'victim', ContributorInsightsAction: 'DISABLE' }],
];

/** Replaces one part of a value, somewhere, by something else. */
function mutated(value: unknown, draw: CounterRandom): unknown {
  if (typeof value !== 'object' || value === null || draw.float() < 0.2) return anyJson(draw);
  const keys = Object.keys(value);
  const key = keys[Math.floor(draw.float() * keys.length)];
  if (key === undefined) return anyJson(draw);
  if (Array.isArray(value))
    return value.map((one, index) => (String(index) === key ? mutated(one, draw) : one));
  return { ...value, [key]: mutated((value as Record<string, unknown>)[key], draw) };
}

describe('bodies', () => {
  test('of 3,000 mutated requests are answered or refused by name, and the server stays up', async () => {
    const draw = random('bodies');
    const seen = new Map<string, number>();
    for (let round = 0; round < 3_000; round++) {
      const [operation, input] = sound[Math.floor(draw.float() * sound.length)] as (typeof sound)[number];
      const text = JSON.stringify(mutated(input, draw));
      const cut = draw.float() < 0.1 ? text.slice(0, Math.floor(draw.float() * text.length)) : text;
      const { status, body } = await post(served.url, operation, cut);
      if (status !== 200) {
        expect([status, cut]).toEqual([400, cut]);
        expect(body['__type']).toMatch(/^com\.amazon(aws)?\.[\w.]+#\w+$/);
      }
      const type = status === 200 ? 'ok' : String(body['__type']).replace(/^.*#/, '');
      seen.set(type, (seen.get(type) ?? 0) + 1);
      if (round % 500 === 0) await expectSoundAnswer();
    }
    // Both ways of being wrong were tried, and not everything was.
    expect(seen.get('SerializationException')).toBeGreaterThan(500);
    expect(seen.get('ValidationException')).toBeGreaterThan(500);
    expect(seen.get('ok')).toBeGreaterThan(100);
    expect(seen.has('InternalServerError')).toBe(false);
  }, 120_000);

  test.each([
    [
      'an array a million deep',
      `{"TableName":"victim","Item":{"pk":{"S":"a"},"x":${'{"L":['.repeat(500_000)}${']}'.repeat(500_000)}}}`,
    ],
    [
      'maps a hundred thousand deep',
      `{"TableName":"victim","Item":{"pk":{"S":"a"},"x":${'{"M":{"a":'.repeat(100_000)}{"S":""}${'}}'.repeat(100_000)}}}`,
    ],
    [
      'a number of a million spaces',
      JSON.stringify({
        TableName: 'victim',
        Item: { pk: { S: 'a' }, n: { N: `1${' '.repeat(1_000_000)}x` } },
      }),
    ],
    [
      'a number of a million digits',
      JSON.stringify({ TableName: 'victim', Item: { pk: { S: 'a' }, n: { N: '9'.repeat(1_000_000) } } }),
    ],
    [
      'a number with a million digits in its exponent',
      JSON.stringify({
        TableName: 'victim',
        Item: { pk: { S: 'a' }, n: { N: `1e${'9'.repeat(1_000_000)}` } },
      }),
    ],
    [
      'ten megabytes of base64',
      JSON.stringify({ TableName: 'victim', Item: { pk: { S: 'a' }, b: { B: 'AAAA'.repeat(2_500_000) } } }),
    ],
    [
      'an expression of ten megabytes',
      JSON.stringify({
        TableName: 'victim',
        Item: { pk: { S: 'a' } },
        ConditionExpression: '('.repeat(10_000_000),
      }),
    ],
    [
      'an expression of four thousand brackets',
      JSON.stringify({
        TableName: 'victim',
        Item: { pk: { S: 'a' } },
        ConditionExpression: `${'('.repeat(2_000)}a = b${')'.repeat(2_000)}`,
      }),
    ],
    [
      'an expression of two thousand negations',
      JSON.stringify({
        TableName: 'victim',
        Item: { pk: { S: 'a' } },
        ConditionExpression: `${'NOT '.repeat(1_000)}attribute_exists(a)`,
      }),
    ],
    [
      'an expression of four thousand open brackets',
      JSON.stringify({
        TableName: 'victim',
        Item: { pk: { S: 'a' } },
        ConditionExpression: '('.repeat(4_096),
      }),
    ],
    [
      'an expression of nine hundred calls in calls',
      JSON.stringify({
        TableName: 'victim',
        Item: { pk: { S: 'a' } },
        ConditionExpression: 'f('.repeat(2_000),
      }),
    ],
    [
      'thirty thousand sets',
      JSON.stringify({
        TableName: 'victim',
        Item: Object.fromEntries(
          Array.from({ length: 30_000 }, (_, index) => [`a${index}`, { NS: ['2', '1'] }]),
        ),
      }),
    ],
  ])('with %s are refused in good time', async (_, body) => {
    const startMs = performance.now();
    const answer = await post(served.url, 'PutItem', body);
    expect(answer.status).toBe(400);
    expect(answer.body['__type']).toMatch(/#(Validation|Serialization|ConditionalCheckFailed)Exception$/);
    expect(performance.now() - startMs).toBeLessThan(3_000);
  });

  test.each([
    'DynamoDB_20120810.PutItem',
    'DynamoDB_20120810.ListTables',
    'GraniteServiceVersion20100801.ListMetrics',
  ])('that are no UTF-8 are refused by %s', async (target) => {
    const response = await fetch(served.url, {
      method: 'POST',
      body: Buffer.from('{"TableName":"victim","Item":{"pk":{"S":"a"},"\xff\xfe":{"S":"b"}}}', 'latin1'),
      headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': target },
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      __type: expect.stringMatching(/#SerializationException$/) as unknown,
    });
  });

  test('with sets of 40,000 members are taken in good time', async () => {
    const set = (from: number, to: number) => ({
      NS: Array.from({ length: to - from }, (_, index) => String(from + index)),
    });
    const update = (UpdateExpression: string, value: object) =>
      post(served.url, 'UpdateItem', {
        TableName: 'victim',
        Key: { pk: { S: 'sets' } },
        UpdateExpression,
        ExpressionAttributeValues: { ':s': value },
      });
    const startMs = performance.now();
    // Capacity for all of this comes back while the clock is moved on.
    for (const [expression, value] of [
      ['ADD n :s', set(10_000, 50_000)],
      ['ADD n :s', set(50_000, 90_000)],
      ['DELETE n :s', set(30_000, 70_000)],
    ] as const) {
      served.advance(1_000);
      expect((await update(expression, value)).status).toBe(200);
    }
    expect(performance.now() - startMs).toBeLessThan(1_500);
  });

  test('beyond 16 MB are refused before they are sent', async () => {
    const socket = connect(port, '127.0.0.1');
    const answer = received(socket);
    socket.write(
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-amz-json-1.0\r\nx-amz-target: DynamoDB_20120810.PutItem\r\nContent-Length: 16777217\r\n\r\n{',
    );
    expect(answersIn(await answer)).toEqual([
      { status: 413, type: 'com.amazon.coral.service#RequestEntityTooLargeException' },
    ]);
  });

  test('beyond 16 MB in chunks are refused once the limit is passed', async () => {
    const socket = connect(port, '127.0.0.1');
    const answer = received(socket);
    socket.write(
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-amz-json-1.0\r\nx-amz-target: DynamoDB_20120810.PutItem\r\nTransfer-Encoding: chunked\r\n\r\n',
    );
    const chunk = Buffer.concat([
      Buffer.from('100000\r\n'),
      Buffer.alloc(0x10_0000, 32),
      Buffer.from('\r\n'),
    ]);
    for (let megabyte = 0; megabyte < 17 && socket.writable; megabyte++) {
      if (!socket.write(chunk))
        await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), pause(200)]);
    }
    expect(answersIn(await answer)[0]?.status).toBe(413);
  });

  test('of a request at the limit are taken', async () => {
    const body = JSON.stringify({ TableName: 'victim', Item: { pk: { S: 'a' } } });
    const padded = body + ' '.repeat(16_777_216 - body.length);
    expect((await post(served.url, 'PutItem', padded)).status).toBe(200);
  });
});

describe('framing', () => {
  const ok = `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-amz-json-1.0\r\nx-amz-target: DynamoDB_20120810.ListTables\r\nContent-Length: 2\r\n\r\n{}`;

  test('of requests in one piece, byte by byte and in chunks is understood', async () => {
    expect(answersIn(await raw(ok + ok + ok)).map(({ status }) => status)).toEqual([200, 200, 200]);
    const socket = connect(port, '127.0.0.1');
    socket.setNoDelay(true);
    const answer = received(socket);
    for (const byte of ok) {
      socket.write(byte);
      await pause(0);
    }
    socket.end();
    expect(answersIn(await answer).map(({ status }) => status)).toEqual([200]);
    const chunked = ok
      .replace('Content-Length: 2', 'Transfer-Encoding: chunked')
      .replace('{}', '1\r\n{\r\n1;x=y\r\n}\r\n0\r\nTrailer: t\r\n\r\n');
    expect(answersIn(await raw(chunked + ok)).map(({ status }) => status)).toEqual([200, 200]);
  });

  test('of a client that asks before it sends is answered with leave', async () => {
    const socket = connect(port, '127.0.0.1');
    const answer = received(socket);
    socket.write(ok.replace('\r\n\r\n{}', '\r\nExpect: 100-continue\r\n\r\n'));
    await pause(50);
    socket.end('{}');
    expect(await answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
  });

  test.each([
    ['no HTTP at all', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
    ['two lengths that differ', ok.replace('Content-Length: 2', 'Content-Length: 2\r\nContent-Length: 3')],
    [
      'a length and chunks',
      ok.replace('Content-Length: 2', 'Content-Length: 2\r\nTransfer-Encoding: chunked'),
    ],
    ['a length that is no number', ok.replace('Content-Length: 2', 'Content-Length: +2')],
    ['a negative length', ok.replace('Content-Length: 2', 'Content-Length: -2')],
    ['an encoding that is not known', ok.replace('Content-Length: 2', 'Transfer-Encoding: gzip, chunked')],
    ['a folded header', ok.replace('Host: x', 'Host: x\r\n folded')],
    ['a space before a colon', ok.replace('Host:', 'Host :')],
    ['a header without a name', ok.replace('Host:', ':')],
    ['no host', ok.replace('Host: x\r\n', '')],
    ['two hosts', ok.replace('Host: x', 'Host: x\r\nHost: y')],
    ['a NUL in a header', ok.replace('Host: x', 'Host: x\r\na: b\0c')],
    ['a bell in a header', ok.replace('Host: x', 'Host: x\r\na: \x07')],
    ['a line feed without a carriage return', ok.replace('Host: x\r\n', 'Host: x\n')],
    ['two targets', ok.replace('Host: x', 'Host: x\r\nX-Amz-Target: DynamoDB_20120810.DeleteTable')],
    ['a compressed body', ok.replace('Host: x', 'Host: x\r\nContent-Encoding: gzip')],
    ['HTTP/2', ok.replace('HTTP/1.1', 'HTTP/2.0')],
    ['a head that does not end', `POST / HTTP/1.1\r\n${'a: b\r\n'.repeat(5_000)}`],
    ['one header of a megabyte', `POST / HTTP/1.1\r\na: ${'b'.repeat(1_000_000)}\r\n\r\n`],
    [
      'chunks of no size',
      ok.replace('Content-Length: 2', 'Transfer-Encoding: chunked').replace('{}', 'zz\r\n{}\r\n0\r\n\r\n'),
    ],
  ])('with %s is refused, and the connection ends', async (_, bytes) => {
    const answers = answersIn(await raw(Buffer.from(bytes + ok, 'latin1'), { keepsOpen: true }));
    expect(answers).toEqual([{ status: 400, type: 'com.amazon.coral.service#SerializationException' }]);
  });

  test('with an expectation that is not known is refused before its body', async () => {
    const socket = connect(port, '127.0.0.1');
    const answer = received(socket);
    socket.write(ok.replace('\r\n\r\n{}', '\r\nExpect: 200-ok\r\n\r\n'));
    expect(answersIn(await answer)).toEqual([
      { status: 417, type: 'com.amazon.coral.service#SerializationException' },
    ]);
  });

  test('of random bytes never keeps the server from others', async () => {
    const draw = random('bytes');
    const sockets: Promise<string>[] = [];
    for (let count = 0; count < 300; count++) {
      const noise = Buffer.from(
        Array.from({ length: 1 + Math.floor(draw.float() * 200) }, () => Math.floor(draw.float() * 256)),
      );
      sockets.push(
        raw(
          draw.float() < 0.5
            ? Buffer.concat([Buffer.from(ok.slice(0, Math.floor(draw.float() * ok.length))), noise])
            : noise,
        ),
      );
    }
    await expectSoundAnswer();
    for (const answer of await Promise.all(sockets))
      for (const { status } of answersIn(answer)) expect([200, 400, 413]).toContain(status);
  });

  test('of a connection that is reset in the middle does no harm', async () => {
    for (let count = 0; count < 50; count++) {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      await new Promise((resolve) => socket.once('connect', resolve));
      socket.write(ok + ok.slice(0, 60));
      socket.resetAndDestroy();
    }
    await expectSoundAnswer();
  });

  test('of a client that never reads its answers makes the server hold few of them', async () => {
    await post(served.url, 'PutItem', {
      TableName: 'victim',
      Item: { pk: { S: 'large' }, x: { S: 'x'.repeat(300_000) } },
    });
    const body = JSON.stringify({ TableName: 'victim', Key: { pk: { S: 'large' } } });
    const get = `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-amz-json-1.0\r\nx-amz-target: DynamoDB_20120810.GetItem\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.pause();
    const before = process.memoryUsage().rss;
    // 2,000 answers of 300 KB would be 600 MB.
    socket.write(get.repeat(2_000));
    await pause(500);
    expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
    await expectSoundAnswer();
    socket.destroy();
  });
});

describe('targets', () => {
  test.each([
    ['none', undefined],
    ['another service', 'Kinesis_20131202.PutRecord'],
    ['a name without operation', 'DynamoDB_20120810'],
    ['an operation that objects inherit', 'DynamoDB_20120810.constructor'],
    ['another version', 'DynamoDB_20111205.PutItem'],
    ['streams', 'DynamoDBStreams_20120810.ListStreams'],
  ])('that name %s are not known', async (_, target) => {
    const response = await fetch(served.url, {
      method: 'POST',
      body: '{}',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        ...(target !== undefined && { 'x-amz-target': target }),
      },
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      __type: 'com.amazon.coral.service#UnknownOperationException',
    });
  });

  test.each(['GET', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])(
    'asked for by %s are refused for that',
    async (method) => {
      const response = await fetch(served.url, {
        method,
        headers: { 'x-amz-target': 'DynamoDB_20120810.ListTables' },
      });
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual({
        __type: 'com.amazon.coral.service#UnknownOperationException',
        message: `Requests are sent with POST; this one came with ${method}`,
      });
      // No page of another origin may read what the server says.
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
    },
  );

  test.each([
    ['text/html'],
    ['text/plain;charset=UTF-8'],
    ['application/x-www-form-urlencoded'],
    ['application/jsonp'],
    [''],
  ])('with a body of type %j are not taken', async (type) => {
    for (const target of ['DynamoDB_20120810.ListTables', 'GraniteServiceVersion20100801.ListMetrics']) {
      const [answer] = answersIn(
        await raw(
          `POST / HTTP/1.1\r\nHost: x\r\n${type && `Content-Type: ${type}\r\n`}X-Amz-Target: ${target}\r\nContent-Length: 2\r\n\r\n{}`,
        ),
      );
      expect(answer).toEqual({ status: 404, type: 'com.amazon.coral.service#UnknownOperationException' });
    }
  });

  test.each(['application/x-amz-json-1.1', 'application/json; charset=utf-8'])(
    'with a body of type %s are taken',
    async (type) => {
      const response = await fetch(served.url, {
        method: 'POST',
        body: '{}',
        headers: { 'content-type': type, 'x-amz-target': 'DynamoDB_20120810.ListTables' },
      });
      expect(response.status).toBe(200);
    },
  );
});

test('stopping lets the request under way end and closes idle connections', async () => {
  const other = await serveDatabase({ times: modelledTimes });
  const body = '{"RequestItems":{"nowhere":{"Keys":[{"pk":{"S":"a"}}]}}}';
  const socket = connect(Number(new URL(other.url).port), '127.0.0.1');
  const idle = connect(Number(new URL(other.url).port), '127.0.0.1');
  const [answer, nothing] = [received(socket), received(idle)];
  socket.write(
    `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-amz-json-1.0\r\nx-amz-target: DynamoDB_20120810.BatchGetItem\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await pause(1);
  const startMs = performance.now();
  await other.stop();
  expect(performance.now() - startMs).toBeLessThan(5_000);
  expect(await nothing).toBe('');
  expect(await answer).toMatch(/^(?:HTTP\/1\.1 400 [\s\S]*ResourceNotFoundException[\s\S]*)?$/);
});
