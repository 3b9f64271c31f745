// Aim: no run does to an account what it may not: it starts after a yes, writes where it may, deletes its own tables,
// changes no capacity, stops at its limit, and shows no credential. Method: the whole command in this process against
// `dyno-load serve` or dynalite, the endpoint counted as AWS, behind a proxy that keeps what was asked for.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ListTablesCommand,
  PutItemCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { LiveWorld } from '../../src/cli/live/open-live-target.ts';
import { type RunningServer, startServer } from '../../src/serve/start-server.ts';
import { onlyRecord, removeFolder, temporaryFolder } from '../support/cli.ts';
import { InProcessCli } from '../support/in-process-cli.ts';
import { startDynalite } from '../support/independent-servers.ts';
import { type RecordingProxy, startRecordingProxy } from '../support/recording-proxy.ts';
import { shardingTable } from '../support/tables.ts';

const marked = {
  AWS_ACCESS_KEY_ID: 'AKIAMARKEDKEYID00001',
  AWS_SECRET_ACCESS_KEY: 'markedsecretmarkedsecret',
  AWS_SESSION_TOKEN: 'markedtokenmarkedtoken',
};
const secrets = new RegExp(
  [...Object.values(marked), 'Signature=[0-9a-f]', 'AWS4-HMAC-SHA256 Credential', 'aws4_request'].join('|'),
);

const environment = { ...process.env };
let server: RunningServer;
let proxy: RecordingProxy;
let client: DynamoDBClient;
let cwd: string;

beforeAll(async () => {
  Object.assign(process.env, marked, { AWS_EC2_METADATA_DISABLED: 'true' });
  server = await startServer({ version: 'test' });
});

afterAll(async () => {
  await server.stop();
  process.env = { ...environment };
});

beforeEach(async () => {
  cwd = await temporaryFolder();
  proxy = await startRecordingProxy(server.url);
  client = clientAt(server.url);
});

afterEach(async () => {
  client.destroy();
  await proxy.stop();
  await removeFolder(cwd);
});

function clientAt(endpoint: string): DynamoDBClient {
  return new DynamoDBClient({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
}

const short = ['--duration', '1s', '--rate-factor', '0.02', '--set', 'count=2', '--no-discard'];

function run(
  args: readonly string[],
  options: { answer?: string; url?: string; scenario?: string; world?: LiveWorld } = {},
) {
  const { answer, url = proxy.url, scenario = 'sharding', world = { isAws: true } } = options;
  return new InProcessCli(['run', scenario, '--target', url, '--region', 'us-east-1', ...short, ...args], {
    cwd,
    world,
    ...(answer === undefined ? {} : { answer }),
  });
}

let tables = 0;

/** A table of somebody else with one item, keyed as the scenario's. */
async function foreignTable(given: { prefix?: string; tags?: Record<string, string> } = {}): Promise<string> {
  const { prefix = 'theirs-', tags = {} } = given;
  const TableName = `${prefix}${++tables}`;
  await client.send(
    new CreateTableCommand({
      TableName,
      ...shardingTable,
      Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
    }),
  );
  await client.send(new PutItemCommand({ TableName, Item: { PK: { S: 'theirs' }, SK: { S: '1' } } }));
  return TableName;
}

async function itemCount(TableName: string): Promise<number> {
  return (await client.send(new ScanCommand({ TableName, Select: 'COUNT' }))).Count ?? 0;
}

/** Capacity, warm throughput and indexes of a table: what must not change. */
async function settingsOf(TableName: string): Promise<unknown> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  return {
    billing: Table?.BillingModeSummary?.BillingMode,
    provisioned: Table?.ProvisionedThroughput,
    warm: Table?.WarmThroughput,
    indexes: Table?.GlobalSecondaryIndexes?.map(({ IndexName, WarmThroughput }) => [
      IndexName,
      WarmThroughput,
    ]),
  };
}

describe('consent', () => {
  test('sends nothing where nobody is there to ask', async () => {
    const cli = run([]);
    expect(await cli.ended).toBe(5);
    expect(cli.stderr).toContain('REFUSED_WITHOUT_CONSENT');
    expect(proxy.operations).toEqual([]);
  });

  describe('of a server that is not known to be AWS', () => {
    const world = { isRemote: true };
    beforeEach(() => {
      vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
      vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
    });
    afterEach(() => void vi.unstubAllEnvs());

    test('is needed, since requests are signed with credentials that are real', async () => {
      const cli = run([], { world });
      expect(await cli.ended).toBe(5);
      expect(cli.stderr).toMatch(/REFUSED_WITHOUT_CONSENT[^]*not known to be AWS/);
      expect(proxy.operations).toEqual([]);
      const asked = run([], { world, answer: 'n' });
      expect(await asked.ended).toBe(5);
      expect(asked.questions).toHaveLength(1);
      expect(proxy.operations).toEqual([]);
    });

    test('is given by --yes', async () => {
      const cli = run(['--yes'], { world });
      expect(await cli.ended).not.toBe(5);
      expect(cli.stderr).toContain('not known to be AWS');
      expect(proxy.operations).toContain('CreateTable');
    });

    test('is not needed where everything stays on this machine', async () => {
      const cli = run([], { world: {} });
      expect(await cli.ended).not.toBe(5);
      expect(cli.stderr).not.toContain('known to be AWS');
    });
  });

  test.each(['', 'n', 'no', 'yes please', 'Y E S'])('sends nothing after the answer "%s"', async (answer) => {
    const cli = run([], { answer });
    expect(await cli.ended).toBe(5);
    expect(cli.questions).toHaveLength(1);
    expect(proxy.operations).toEqual([]);
  });

  test('says account, tables, units, duration and price before it asks, and starts after a yes', async () => {
    const cli = run([], { answer: 'y' });
    expect(await cli.ended).not.toBe(5);
    for (const word of ['account', 'region', 'tables', 'units', 'duration', 'cost'])
      expect(cli.stderr).toMatch(new RegExp(`^ {2}${word} `, 'm'));
    // 60 orders a second for two seconds, one unit each on table and index.
    expect(cli.stderr).toContain('at least 240 write');
    expect(proxy.operations).toContain('PutItem');
  });

  test('refuses a run that is planned to cost more than it may', async () => {
    const cli = run(['--yes', '--max-cost', '0.0000001']);
    expect(await cli.ended).toBe(5);
    expect(cli.stderr).toContain('REFUSED_MAX_COST');
    expect(proxy.operations).toEqual([]);
  });
});

describe('writes', () => {
  test('go to no table that is named once, and nothing is sent to find out', async () => {
    const table = await foreignTable();
    const cli = run(['--yes', '--table', table]);
    expect(await cli.ended).toBe(5);
    expect(cli.stderr).toContain('REFUSED_WRITE');
    expect(proxy.operations).toEqual([]);
    expect(await itemCount(table)).toBe(1);
  });

  test.each([
    ['another name', 'other-table'],
    ['the name in other letters', 'THEIRS'],
  ])('go to no table that is named a second time by %s', async (_, second) => {
    const table = await foreignTable();
    const cli = run(['--yes', '--table', table, '--allow-writes-to', second]);
    expect(await cli.ended).toBe(5);
    expect(await itemCount(table)).toBe(1);
  });

  test.each([
    ['has the name of ours and no tag', {}],
    ['has the name of ours and the tag of others', { 'created-by': 'somebody' }],
  ])('go to no table that %s', async (_, tags) => {
    const table = await foreignTable({ prefix: 'dyno-load-theirs-', tags });
    const cli = run(['--yes', '--table', table]);
    expect(await cli.ended).toBe(5);
    expect(cli.stderr).toContain('REFUSED_WRITE');
    expect(proxy.operations.filter((one) => /^(Put|Update|Delete|Batch|Create)/.test(one))).toEqual([]);
    // To see whether a server knows transactions it is sent one without actions.
    for (const body of proxy.bodies('TransactWriteItems')) expect(body).toEqual({ TransactItems: [] });
    expect(await itemCount(table)).toBe(1);
  });

  test.each([
    ['is named twice', { prefix: 'theirs-' }, true],
    ['dyno-load created', { prefix: 'dyno-load-kept-', tags: { 'created-by': 'dyno-load' } }, false],
  ])('go to a table that %s, which stays as it is', async (_, given, isNamedTwice) => {
    const table = await foreignTable(given);
    const before = await settingsOf(table);
    const cli = run(['--yes', '--table', table, ...(isNamedTwice ? ['--allow-writes-to', table] : [])]);
    expect(await cli.ended).not.toBe(5);
    expect(await itemCount(table)).toBeGreaterThan(100);
    expect(await settingsOf(table)).toEqual(before);
    expect(new Set(proxy.operations)).not.toContain('DeleteTable');
    expect(new Set(proxy.operations)).not.toContain('UpdateTable');
    expect(new Set(proxy.operations)).not.toContain('CreateTable');
  });

  test('of several variants go to one table only where that was said, and the later ones are suspect', async () => {
    const table = await foreignTable();
    const twice = ['--yes', '--table', table, '--allow-writes-to', table, '--set', 'count=1,2'];
    const args = twice.filter((one) => one !== 'count=2');
    const refused = new InProcessCli(
      ['run', 'sharding', '--target', proxy.url, '--duration', '1s', '--rate-factor', '0.02', ...args],
      { cwd, world: { isAws: true } },
    );
    expect(await refused.ended).toBe(2);
    expect(refused.stderr).toContain('--reuse-table');
    expect(proxy.operations).toEqual([]);
    const allowed = new InProcessCli(
      [
        'run',
        'sharding',
        '--target',
        proxy.url,
        '--duration',
        '1s',
        '--rate-factor',
        '0.02',
        ...args,
        '--reuse-table',
      ],
      { cwd, world: { isAws: true } },
    );
    await allowed.ended;
    const { variants } = await onlyRecord(cwd, 'sharding');
    const isCarriedOver = variants.map(({ validity }) =>
      validity.reasons.some(({ code }) => code === 'carry-over'),
    );
    expect(isCarriedOver).toEqual([false, true]);
  });

  test('a table with other keys is not used', async () => {
    const table = `theirs-${++tables}`;
    await client.send(
      new CreateTableCommand({
        TableName: table,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      }),
    );
    const cli = run(['--yes', '--table', table, '--allow-writes-to', table]);
    expect(await cli.ended).toBe(3);
    expect(cli.stderr).toContain('has the key id (S) on the table, where the scenario has PK (S), SK (S)');
    expect(proxy.operations).not.toContain('PutItem');
  });
});

describe('tables of its own', () => {
  test('are tagged, deleted afterwards, and are all that is deleted', async () => {
    const table = await foreignTable({ prefix: 'dyno-load-sharding-count-2-main-' });
    await run(['--yes']).ended;
    expect(proxy.bodies('CreateTable')).toMatchObject([
      { Tags: [{ Key: 'created-by', Value: 'dyno-load' }] },
    ]);
    const { TableNames } = await client.send(new ListTablesCommand({}));
    expect(TableNames).toContain(table);
    expect(proxy.bodies('DeleteTable')).toEqual([
      { TableName: (proxy.bodies('CreateTable')[0] as { TableName: string }).TableName },
    ]);
    expect(await itemCount(table)).toBe(1);
  });

  test('start new unless warm throughput is allowed, and the report says so', async () => {
    const cold = run(['--yes']);
    await cold.ended;
    expect(proxy.bodies('CreateTable')).toHaveLength(1);
    expect(JSON.stringify(proxy.bodies('CreateTable'))).not.toContain('WarmThroughput');
    expect(cold.stdout).toContain('Created new, not warmed as the scenario says');
    expect(cold.stderr).toContain('needs --allow-warm-throughput');
  });

  test('are warmed where that is allowed, unpriced', async () => {
    const warm = run(['--yes', '--allow-warm-throughput']);
    await warm.ended;
    expect(proxy.bodies('CreateTable')).toMatchObject([
      {
        WarmThroughput: { ReadUnitsPerSecond: 12_000, WriteUnitsPerSecond: 20_000 },
        GlobalSecondaryIndexes: [
          { WarmThroughput: { ReadUnitsPerSecond: 12_000, WriteUnitsPerSecond: 20_000 } },
        ],
      },
    ]);
    expect(warm.stderr).toMatch(/warm throughput of 2 tables and indexes unpriced/);
  });
});

describe.each(['serve', 'dynalite'])('a limit on cost, on %s', (name) => {
  // As fast as the server answers, so that no plan can tell what it costs.
  const scenario = `
    import { defineScenario, put } from 'dyno-load';
    export default defineScenario({
      question: 'How much is too much?',
      tables: () => ({ keys: { partition: 'PK' }, billing: 'on-demand' }),
      stages: [{ name: 'steady', duration: '60s' }],
      workloads: () => ({ fast: put({ concurrency: 4, item: ({ seq }) => ({ PK: 'ITEM#' + seq }) }) }),
    });`;

  test('stops the run from consumed units, after a report and with its tables deleted', async () => {
    const dynalite = name === 'dynalite' ? await startDynalite() : undefined;
    const url = dynalite?.url ?? server.url;
    const own = clientAt(url);
    try {
      const path = join(cwd, 'fast.ts');
      await writeFile(path, scenario);
      const cli = new InProcessCli(
        [
          'run',
          path,
          '--target',
          url,
          '--region',
          'us-east-1',
          '--no-discard',
          '--max-cost',
          '0.0005',
          '--yes',
        ],
        { cwd, world: { isAws: true } },
      );
      expect(await cli.ended).toBe(5);
      expect(cli.stderr).toContain('fast: as many operations as the service lets through');
      const record = await onlyRecord(cwd, 'fast');
      expect(record.status).toBe('interrupted');
      // 0.625 USD a million: 800 units are 0.0005 USD; four more were under way.
      const [units] = record.variants[0]?.workloads[0]?.measured.units ?? [];
      expect(units?.writeUnits).toBeGreaterThanOrEqual(800);
      expect(units?.writeUnits).toBeLessThanOrEqual(804);
      expect(record.target.notes.join()).toContain('the run was stopped at 0.0005 USD');
      expect(cli.stdout).toContain('the run was stopped at 0.0005 USD');
      await expect
        .poll(async () => (await own.send(new ListTablesCommand({}))).TableNames?.filter(isOfFast))
        .toEqual([]);
    } finally {
      own.destroy();
      await dynalite?.stop();
    }
  });

  function isOfFast(table: string): boolean {
    return table.startsWith('dyno-load-fast-');
  }
});

describe('credentials', () => {
  async function everythingShown(cli: InProcessCli): Promise<string> {
    const files = await readdir(join(cwd, 'reports'), { recursive: true, withFileTypes: true });
    const texts = await Promise.all(
      files.filter((one) => one.isFile()).map((one) => readFile(join(one.parentPath, one.name), 'utf8')),
    );
    return [cli.stdout, cli.stderr, ...texts].join('\n');
  }

  test('appear nowhere in what a run prints and records', async () => {
    const cli = run(['--yes', '--json']);
    await cli.ended;
    const shown = await everythingShown(cli);
    expect(shown.length).toBeGreaterThan(10_000);
    expect(shown).not.toMatch(secrets);
  });

  test.each([
    ['in every answer', () => true],
    ['to data requests', (operation: string) => operation === 'PutItem' || operation === 'Query'],
    ['to administration', (operation: string) => operation === 'CreateTable'],
  ])('appear nowhere although the server repeats them %s', async (_, repeats) => {
    const upstream = server.url;
    const chatty = createServer((incoming, answer) => {
      const operation = String(incoming.headers['x-amz-target']).split('.').at(-1) ?? '';
      const parts: Buffer[] = [];
      incoming.on('data', (part: Buffer) => parts.push(part));
      incoming.on('end', () => {
        if (repeats(operation)) {
          const { authorization, 'x-amz-security-token': token } = incoming.headers;
          const message = `The Canonical String for this request should have been 'POST\n/\n\nx-amz-security-token:${String(token)}' and Authorization=${String(authorization)}`;
          answer.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' });
          answer.end(
            JSON.stringify({ __type: 'com.amazon.coral.service#InvalidSignatureException', message }),
          );
          return;
        }
        void fetch(upstream, {
          method: 'POST',
          headers: incoming.headers as Record<string, string>,
          body: Buffer.concat(parts),
        }).then(async (response) => {
          answer.writeHead(response.status, { 'content-type': 'application/x-amz-json-1.0' });
          answer.end(await response.text());
        });
      });
    });
    await new Promise<void>((resolve) => chatty.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = chatty.address() as AddressInfo; // A TCP server has such an address.
      const cli = run(['--yes'], { url: `http://127.0.0.1:${port}` });
      expect(await cli.ended).not.toBe(0);
      const shown = await everythingShown(cli);
      expect(shown).toMatch(/InvalidSignatureException|credentials/);
      expect(shown).not.toMatch(secrets);
    } finally {
      chatty.closeAllConnections();
      await new Promise((resolve) => chatty.close(resolve));
    }
  });
});
