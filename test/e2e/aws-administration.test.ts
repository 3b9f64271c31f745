// Aim: finding out what a target is, making its tables, filling and deleting them, on servers that others
// wrote; and clear errors where there is no such server. Method: real processes on free loopback ports;
// results are read back through the AWS SDK.
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { controlClient } from '../../src/aws/control-client.ts';
import { CredentialSource, resolveEndpoint } from '../../src/aws/credentials.ts';
import { DynamoDbTarget } from '../../src/aws/dynamodb-target.ts';
import type { Endpoint } from '../../src/aws/endpoint.ts';
import { quietNodeVersionWarning } from '../../src/aws/node-version-warning.ts';
import { preload } from '../../src/aws/preload.ts';
import { probeCapabilities } from '../../src/aws/probe-capabilities.ts';
import { TableAdmin } from '../../src/aws/table-admin.ts';
import type { Outcome } from '../../src/dynamodb/outcome.ts';
import type { Billing, TableSpec } from '../../src/dynamodb/table-spec.ts';
import { freePort, startDynalite, startDynoxide } from '../support/independent-servers.ts';

quietNodeVersionWarning();

const cleanups: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function endpointAt(url: string): Endpoint {
  const credentials = new CredentialSource({ accessKeyId: 'dynoload', secretAccessKey: 'SECRETKEY' });
  return { url: new URL(url), region: 'us-east-1', credentials, isAws: false, notes: [] };
}

function targetAt(endpoint: Endpoint, wallMs?: () => number): DynamoDbTarget {
  const nowUs = () => Math.round(performance.now() * 1_000);
  const target = new DynamoDbTarget({
    endpoint,
    nowUs,
    attemptTimeoutMs: 3_000,
    ...(wallMs === undefined ? {} : { wallMs }),
  });
  cleanups.push(() => target.close());
  return target;
}

function adminAt(endpoint: Endpoint): TableAdmin {
  const client = controlClient(endpoint);
  cleanups.push(() => client.destroy());
  return new TableAdmin({
    control: client,
    endpointText: endpoint.url.origin,
    tags: { 'dyno-load': 'test' },
  });
}

function spec(tableName: string, billing: Billing): TableSpec {
  const start = { kind: 'new' } as const;
  return {
    tableName,
    logicalName: 'main',
    keys: { partition: { name: 'pk', type: 'S' } },
    globalIndexes: [
      {
        name: 'byStatus',
        keys: { partition: { name: 'status', type: 'S' } },
        projection: { kind: 'ALL' },
        billing,
        start,
      },
    ],
    localIndexes: [],
    billing,
    start,
    timeToLive: 'expiresAt',
  };
}

describe.each([
  ['dynalite', startDynalite, { reportsIndexUnits: 'no', transactions: 'no', parallelScan: 'yes' }],
  ['Dynoxide', startDynoxide, { reportsIndexUnits: 'yes', transactions: 'yes', parallelScan: 'yes' }],
] as const)('%s', (name, start, capabilities) => {
  let stop: () => Promise<void> = async () => undefined;
  let url: string | undefined;
  let unavailable = '';

  beforeAll(async () => {
    const server = await start();
    if ('unavailable' in server) unavailable = server.unavailable;
    else {
      url = server.url;
      stop = server.stop;
    }
  });
  afterAll(() => stop());

  test('is known by its answers', async (context) => {
    if (url === undefined) return context.skip(unavailable);
    const endpoint = endpointAt(url);
    const probed = await probeCapabilities(endpoint, targetAt(endpoint));
    expect(probed.label).toBe(`${name} at ${url}`);
    expect(probed.capabilities).toEqual({ enforcesThroughput: 'no', ...capabilities });
    expect(probed.notes.join()).toContain('does not throttle');
  });

  test.for([
    ['on-demand', { mode: 'on-demand' }],
    ['capped', { mode: 'on-demand', maximumReadUnits: 50, maximumWriteUnits: 60 }],
    ['provisioned', { mode: 'provisioned', readUnits: 5, writeUnits: 6 }],
  ] as const)('makes, describes and deletes a table that is %s', async ([suffix, billing], context) => {
    if (url === undefined) return context.skip(unavailable);
    const admin = adminAt(endpointAt(url));
    const table = spec(`dyno-load-${suffix}`, billing);
    await admin.createTables([table, { ...table, tableName: `${table.tableName}-two` }]);
    expect(admin.created).toHaveLength(2);
    const described = await admin.describe(table.tableName);
    expect(described?.TableStatus).toBe('ACTIVE');
    expect(described?.GlobalSecondaryIndexes?.map(({ IndexStatus }) => IndexStatus)).toEqual(['ACTIVE']);
    await admin.deleteCreated();
    expect(admin.created).toEqual([]);
    for (let tries = 0; tries < 100 && (await admin.describe(table.tableName)); tries++)
      await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await admin.describe(table.tableName)).toBeUndefined();
  });

  test('says what is wrong with a table that it refuses, and which one', async (context) => {
    if (url === undefined) return context.skip(unavailable);
    const admin = adminAt(endpointAt(url));
    const table = spec('dyno-load-twice', { mode: 'on-demand' });
    await admin.createTable(table);
    // Another's: one's own of that name would be replaced.
    await expect(adminAt(endpointAt(url)).createTable(table)).rejects.toMatchObject({
      code: 'TARGET_REJECTED',
      what: expect.stringMatching(/"dyno-load-twice".*ResourceInUseException/),
    });
    await admin.deleteCreated();
  });

  test('takes a preload with fillers and with keys that come twice', async (context) => {
    if (url === undefined) return context.skip(unavailable);
    const endpoint = endpointAt(url);
    const admin = adminAt(endpoint);
    await admin.createTable(spec('dyno-load-preload', { mode: 'on-demand' }));
    const progress: number[] = [];
    await preload({
      target: targetAt(endpoint),
      tableName: 'dyno-load-preload',
      count: 230,
      itemAt: (index) => ({
        pk: { S: `user#${index === 229 ? 228 : index}` },
        sequence: { N: `${index}` },
        data: { fillerBytes: 100 },
      }),
      onProgress: (done) => progress.push(done),
      parallel: 3,
    });
    const client = controlClient(endpoint);
    cleanups.push(() => client.destroy());
    const { Items = [] } = await client.send(new ScanCommand({ TableName: 'dyno-load-preload' }));
    expect(Items).toHaveLength(229);
    expect(Items.every(({ data }) => data?.S?.length === 100)).toBe(true);
    expect(Items.find(({ pk }) => pk?.S === 'user#228')?.['sequence']?.N).toBe('229');
    expect(progress.at(-1)).toBe(230);
    await admin.deleteCreated();
  });

  test('a preload of items without their key ends with the first refusal', async (context) => {
    if (url === undefined) return context.skip(unavailable);
    const endpoint = endpointAt(url);
    const admin = adminAt(endpoint);
    await admin.createTable(spec('dyno-load-no-key', { mode: 'on-demand' }));
    const task = {
      target: targetAt(endpoint),
      tableName: 'dyno-load-no-key',
      count: 60,
      itemAt: () => ({ other: { S: 'x' } }),
    };
    await expect(preload(task)).rejects.toMatchObject({
      code: 'PRELOAD_FAILED',
      what: expect.stringContaining('ValidationException'),
    });
    await admin.deleteCreated();
  });
});

test('an endpoint that nobody configured gets made-up credentials and a note without the secret', async () => {
  const endpoint = await resolveEndpoint({ target: '127.0.0.1:8000' });
  expect(endpoint.url.href).toBe('http://127.0.0.1:8000/');
  const { accessKeyId } = endpoint.credentials.current(Date.now());
  if (endpoint.notes.length > 0) {
    expect(accessKeyId).toMatch(/^[A-Za-z0-9]+$/);
    expect(endpoint.notes[0]).toContain(accessKeyId);
  }
});

async function listen(server: Server | ReturnType<typeof createHttpServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  cleanups.push(() => void server.close());
  const { port } = server.address() as AddressInfo; // Listening on TCP, so never a pipe's name.
  return `http://127.0.0.1:${port}`;
}

function httpServer(listener: RequestListener): Promise<string> {
  return listen(
    createHttpServer((request, response) => {
      request.resume();
      request.on('end', () => listener(request, response));
    }),
  );
}

const strangers: [string, () => Promise<string>, string, RegExp][] = [
  ['nothing', async () => `http://127.0.0.1:${await freePort()}`, 'TARGET_UNREACHABLE', /ECONNREFUSED/],
  [
    'a web site',
    () => httpServer((_request, response) => response.end('<html>hi</html>')),
    'TARGET_NOT_DYNAMODB',
    /BAD_JSON/,
  ],
  [
    'a web site without that page',
    () => httpServer((_request, response) => response.writeHead(404).end('<html>')),
    'TARGET_NOT_DYNAMODB',
    /HTTP_404/,
  ],
  [
    'a server that says nothing',
    () => httpServer((_request, response) => response.end()),
    'TARGET_NOT_DYNAMODB',
    /BAD_JSON, the list of tables was answered by an empty body$/,
  ],
  [
    'another JSON API',
    () => httpServer((_request, response) => response.end('{"hello":"world"}')),
    'TARGET_NOT_DYNAMODB',
    /BAD_JSON/,
  ],
  [
    'a mail server',
    () =>
      listen(createServer((socket) => void socket.on('error', () => undefined).write('220 mail ready\r\n'))),
    'TARGET_NOT_DYNAMODB',
    /NOT_HTTP/,
  ],
  [
    'a server that hangs up',
    () => listen(createServer((socket) => void socket.destroy())),
    'TARGET_UNREACHABLE',
    /ECONNRESET|CONNECTION_CLOSED/,
  ],
  [
    'https at a port that speaks http',
    async () => (await httpServer((_request, response) => response.end())).replace('http:', 'https:'),
    'TARGET_NOT_DYNAMODB',
    /SSL|EPROTO/,
  ],
  [
    'a server that wants other credentials',
    () =>
      httpServer((_request, response) =>
        response.writeHead(400).end('{"__type":"x#UnrecognizedClientException","message":"invalid"}'),
      ),
    'TARGET_REJECTED',
    /UnrecognizedClient/,
  ],
];

test.each(strangers)('a probe of %s says so', async (_name, start, code, what) => {
  const url = await start();
  const endpoint = endpointAt(url);
  const error: unknown = await probeCapabilities(endpoint, targetAt(endpoint)).catch(
    (caught: unknown) => caught,
  );
  expect(error).toMatchObject({ code, what: expect.stringMatching(what) });
  expect(error).toMatchObject({ what: expect.stringContaining(url), fix: expect.stringMatching(/.{20}/) });
});

test.each([
  [
    'Jetty(12.0.8)',
    {},
    'DynamoDB Local',
    { enforcesThroughput: 'no', transactions: 'yes', parallelScan: 'no' },
    'INDEXES',
  ],
  ['Jetty(12.0.8)', { 'x-localstack': 'true' }, 'LocalStack', { enforcesThroughput: 'no' }, 'INDEXES'],
  ['Werkzeug/3.0 Python/3.12', {}, 'moto', { enforcesThroughput: 'no', reportsIndexUnits: 'no' }, 'INDEXES'],
  ['ScyllaDB/2026.1', {}, 'ScyllaDB Alternator', { enforcesThroughput: 'no' }, 'TOTAL'],
  [
    'dyno-load/1.0',
    {},
    'dyno-load serve',
    { enforcesThroughput: 'yes', reportsIndexUnits: 'yes' },
    'INDEXES',
  ],
  [
    'something',
    {},
    'an unknown DynamoDB endpoint',
    { enforcesThroughput: 'unknown', parallelScan: 'unknown' },
    'INDEXES',
  ],
] as const)(
  'a server that calls itself %s (%o) is %s',
  async (server, headers, name, capabilities, accounting) => {
    const url = await httpServer((request, response) => {
      const isListing = String(request.headers['x-amz-target']).endsWith('ListTables');
      response.writeHead(isListing ? 200 : 400, { server, ...headers });
      response.end(isListing ? '{"TableNames":[]}' : '{"__type":"x#ValidationException","message":"empty"}');
    });
    const endpoint = endpointAt(url);
    const probed = await probeCapabilities(endpoint, targetAt(endpoint));
    expect(probed.label).toBe(`${name} at ${url}`);
    expect(probed.capabilities).toMatchObject(capabilities);
    expect(probed.accounting).toBe(accounting);
  },
);

test.each(strangers)('making a table at %s says so', async (_name, start, code) => {
  const url = await start();
  const table = spec('dyno-load-t', { mode: 'on-demand' });
  const error: unknown = await adminAt(endpointAt(url))
    .createTable(table)
    .catch((caught: unknown) => caught);
  expect(error).toMatchObject({ code, what: expect.stringContaining(url) });
  expect(JSON.stringify(error) + String(error)).not.toMatch(/SECRETKEY|Signature=/);
});

test('a server whose clock differs is signed for by its own clock from the second request on', async () => {
  const signedDates: string[] = [];
  const serverMs = Date.now() + 3_600_000;
  const url = await httpServer((request, response) => {
    signedDates.push(String(request.headers['x-amz-date']));
    response.setHeader('date', new Date(serverMs).toUTCString());
    const body = {
      __type: 'com.amazon.coral.service#InvalidSignatureException',
      message: 'Signature expired: now is later',
    };
    if (signedDates.length === 1) response.writeHead(400).end(JSON.stringify(body));
    else response.end('{}');
  });
  const target = targetAt(endpointAt(url));
  const send = () =>
    new Promise<Outcome>((resolve) => {
      const request = { api: 'Scan', input: { TableName: 't' } } as const;
      target.send({ request, workloadIndex: 0, sequence: 0, part: 0 }, 0, resolve);
    });
  expect(await send()).toMatchObject({ kind: 'failed', code: 'InvalidSignatureException' });
  expect(await send()).toMatchObject({ kind: 'ok' });
  const [first, second] = signedDates.map((date) =>
    Date.parse(date.replace(/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/, '$1-$2-$3T$4:$5:$6Z')),
  );
  expect(Math.abs((first ?? 0) - Date.now())).toBeLessThan(60_000);
  expect(Math.abs((second ?? 0) - serverMs)).toBeLessThan(60_000);
});
