// Aim: what a server kept is there again, all of it, and a file that is not whole is never served nor overwritten.
// Method: servers one after another over one file; the built command for signals and exit codes.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { capacityModels } from '../../src/capacity/capacity-model.ts';
import { DynoLoadError } from '../../src/errors.ts';
import type { TableRecord } from '../../src/serve/snapshot/table-record.ts';
import { removeFolder, RunningCli, runCli, temporaryFolder } from '../support/cli.ts';
import { assertSound, post, type ServedDatabase, serveDatabase } from '../support/served-database.ts';

let folder = '';
let path = '';
beforeEach(async () => {
  folder = await temporaryFolder();
  path = join(folder, 'tables.snapshot');
});
afterEach(() => removeFolder(folder));

const orders = {
  TableName: 'orders',
  AttributeDefinitions: ['pk', 'sk', 'status', 'created'].map((AttributeName) => ({
    AttributeName,
    AttributeType: 'S',
  })),
  KeySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ],
  ProvisionedThroughput: { ReadCapacityUnits: 500, WriteCapacityUnits: 1_000 },
  GlobalSecondaryIndexes: [
    {
      IndexName: 'byStatus',
      KeySchema: [{ AttributeName: 'status', KeyType: 'HASH' }],
      Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['created'] },
      ProvisionedThroughput: { ReadCapacityUnits: 50, WriteCapacityUnits: 1_000 },
    },
  ],
  LocalSecondaryIndexes: [
    {
      IndexName: 'byCreated',
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'created', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'KEYS_ONLY' },
    },
  ],
  Tags: [{ Key: 'team', Value: 'rot & grün' }],
  DeletionProtectionEnabled: true,
};
const simple = (TableName: string) => ({
  TableName,
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'N' }],
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  BillingMode: 'PAY_PER_REQUEST',
});
const every = {
  pk: { S: 'ä\u2028"\\' },
  sk: { S: '😀' },
  status: { S: 'NEW' },
  created: { S: '2026' },
  n: { N: '0.1234567890123456789012345678901234567' },
  b: { B: 'AAECAw==' },
  sets: { M: { ss: { SS: ['a', 'b'] }, ns: { NS: ['1', '2'] }, bs: { BS: ['AA=='] } } },
  l: { L: [{ NULL: true }, { BOOL: false }, { S: '' }, { M: {} }] },
};

/** Everything that a client can see. */
async function viewOf(url: string): Promise<unknown> {
  const ask = async (operation: string, body: object) => (await post(url, operation, body)).body;
  const { TableNames } = await ask('ListTables', {});
  const tables = [];
  for (const TableName of TableNames as string[]) {
    const { Table } = (await ask('DescribeTable', { TableName })) as { Table: { TableArn: string } };
    tables.push([
      Table,
      await ask('Scan', { TableName, ConsistentRead: true }),
      await ask('DescribeTimeToLive', { TableName }),
      await ask('ListTagsOfResource', { ResourceArn: Table.TableArn }),
      await ask('DescribeContributorInsights', { TableName }),
    ]);
  }
  const byStatus = {
    TableName: 'orders',
    IndexName: 'byStatus',
    KeyConditionExpression: '#s = :s',
    ExpressionAttributeNames: { '#s': 'status' },
    ExpressionAttributeValues: { ':s': { S: 'NEW' } },
  };
  return { tables, byStatus: await ask('Query', byStatus) };
}

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable('it started'),
    (error: unknown) => (error instanceof DynoLoadError ? `${error.code}: ${error.what}` : String(error)),
  );

test('tables, items, indexes, settings, tags and expiry are there again after a stop', async () => {
  const first = await serveDatabase({ snapshot: { path } });
  expect(first.loaded).toBeUndefined();
  for (const table of [orders, simple('counts'), simple('gone')]) await post(first.url, 'CreateTable', table);
  await post(first.url, 'PutItem', { TableName: 'orders', Item: every });
  for (let pk = 0; pk < 30; pk++)
    await post(first.url, 'PutItem', { TableName: 'counts', Item: { pk: { N: String(pk) } } });
  await post(first.url, 'UpdateTimeToLive', {
    TableName: 'counts',
    TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
  });
  await post(first.url, 'UpdateContributorInsights', {
    TableName: 'orders',
    ContributorInsightsAction: 'ENABLE',
    ContributorInsightsMode: 'THROTTLED_KEYS',
  });
  await post(first.url, 'DeleteTable', { TableName: 'gone' });
  first.advance(5_000);
  const before = await viewOf(first.url);
  expect(JSON.stringify(before)).toContain('rot & grün');
  expect(await first.stop()).toEqual({ tables: 2, items: 31 });
  assertSound(first);

  const second = await serveDatabase({ snapshot: { path } });
  expect(second.loaded).toEqual({ tables: 2, items: 31 });
  second.advance(5_000);
  const after = await viewOf(second.url);
  // When Contributor Insights last changed is when it was switched on again.
  const timeless = (view: unknown) => JSON.stringify(view).replace(/"LastUpdateDateTime":[\d.]+/g, '');
  expect(timeless(after)).toBe(timeless(before));
  expect((await post(second.url, 'DeleteTable', { TableName: 'orders' })).body['message']).toContain(
    'protected',
  );
  await second.stop();
  assertSound(second);
});

test('an item that has expired meanwhile goes as it would have', async () => {
  const first = await serveDatabase({ snapshot: { path } });
  await post(first.url, 'CreateTable', simple('counts'));
  await post(first.url, 'UpdateTimeToLive', {
    TableName: 'counts',
    TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
  });
  const expiresAt = Date.UTC(2026, 0, 1) / 1_000 + 60;
  await post(first.url, 'PutItem', {
    TableName: 'counts',
    Item: { pk: { N: '1' }, ttl: { N: String(expiresAt) } },
  });
  await first.stop();
  const second = await serveDatabase({ snapshot: { path } });
  const count = async () => (await post(second.url, 'Scan', { TableName: 'counts' })).body['Count'];
  expect(await count()).toBe(1);
  second.advance(3_600_000);
  expect(await count()).toBe(0);
  await second.stop();
});

test('changes are saved as time goes by, and what does not change is not written again', async () => {
  const served = await serveDatabase({ snapshot: { path, everyMs: 20 } });
  await post(served.url, 'CreateTable', simple('counts'));
  const saved = async (text: string) =>
    expect.poll(() => readFile(path, 'utf8').catch(() => ''), { timeout: 5_000 }).toContain(text);
  await saved('"tableName":"counts"');
  await post(served.url, 'PutItem', { TableName: 'counts', Item: { pk: { N: '7' } } });
  await saved('{"item":{"pk":{"N":"7"}}}');
  const before = await readFile(path, 'utf8');
  served.advance(60_000);
  await post(served.url, 'GetItem', { TableName: 'counts', Key: { pk: { N: '7' } } });
  await pause(100);
  // The head tells when it was saved.
  expect(await readFile(path, 'utf8')).toBe(before);
  await served.stop();
  expect((await readdir(folder)).filter((name) => name.startsWith('tables'))).toEqual(['tables.snapshot']);
});

test('a link stays one, and the file behind it is written', async () => {
  const real = join(folder, 'real.snapshot');
  const first = await serveDatabase({ snapshot: { path: real } });
  await first.stop();
  await symlink(real, path);
  const second = await serveDatabase({ snapshot: { path } });
  await post(second.url, 'CreateTable', simple('counts'));
  await second.stop();
  expect(await readFile(real, 'utf8')).toContain('counts');
});

test.each(['a server that changed nothing', 'a server that has changes of its own'])(
  '%s does not overwrite what another one saved in the same file',
  async (kind) => {
    const begun = await serveDatabase({ snapshot: { path } });
    await post(begun.url, 'CreateTable', simple('counts'));
    await begun.stop();
    const [late, early] = [
      await serveDatabase({ snapshot: { path } }),
      await serveDatabase({ snapshot: { path } }),
    ];
    await post(early.url, 'PutItem', { TableName: 'counts', Item: { pk: { N: '7' } } });
    await early.stop();
    const saved = await readFile(path, 'utf8');
    if (kind.includes('of its own'))
      await post(late.url, 'PutItem', { TableName: 'counts', Item: { pk: { N: '8' } } });
    expect(await codeOf(late.stop())).toMatch(/^SERVE_SNAPSHOT_UNWRITABLE: .* is another file than the one/);
    expect(await readFile(path, 'utf8')).toBe(saved);
    expect(saved).toContain('"7"');
  },
);

test('a server that finds its file gone saves it again', async () => {
  const served = await serveDatabase({ snapshot: { path } });
  await post(served.url, 'CreateTable', simple('counts'));
  await served.stop();
  const again = await serveDatabase({ snapshot: { path } });
  await rm(path);
  await again.stop();
  expect(await readFile(path, 'utf8')).toContain('counts');
});

describe('partitions', () => {
  /** Partitions of five write units a second, split when they were hot for twenty seconds. */
  const model = {
    ...capacityModels.default,
    partitionWriteUnits: 5,
    newTablePartitions: 1,
    growsOnDemand: false,
    splitDetectionSeconds: 20,
    splitDelaySeconds: 0,
  };
  const collections = {
    ...simple('hot'),
    AttributeDefinitions: ['pk', 'sk', 'state'].map((AttributeName) => ({
      AttributeName,
      AttributeType: 'S',
    })),
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'byState',
        KeySchema: [{ AttributeName: 'state', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
    ],
  };

  /** Eight puts a second at random sort keys of one collection; how many of them are refused. */
  async function heat(served: ServedDatabase, seconds: number): Promise<number> {
    let refused = 0;
    for (let index = 0; index < 8 * seconds; index++) {
      const sk = String((index * 7_919) % 10_007).padStart(5, '0');
      const Item = { pk: { S: 'one' }, sk: { S: sk }, state: { S: `s${index % 40}` } };
      const { status } = await post(served.url, 'PutItem', { TableName: 'hot', Item });
      if (status !== 200) refused++;
      served.advance(125);
    }
    return refused;
  }

  async function savedRecord(): Promise<TableRecord> {
    const lines = (await readFile(path, 'utf8'))
      .split('\n')
      .map((line) => line && (JSON.parse(line) as object));
    const line = lines.find((value) => typeof value === 'object' && 'table' in value);
    return (line as { readonly table: TableRecord }).table;
  }

  const borders = ({ partitions = [] }: TableRecord) =>
    partitions.map(({ indexName = 'table', partitions: { borders: between } }) => [indexName, between]);

  async function heated(): Promise<TableRecord> {
    const first = await serveDatabase({ snapshot: { path }, model });
    await post(first.url, 'CreateTable', collections);
    expect(await heat(first, 70)).toBeGreaterThan(50);
    await first.stop();
    assertSound(first);
    return savedRecord();
  }

  test('of a table and its indexes are there again, cut inside a collection where they were', async () => {
    const record = await heated();
    expect(record.partitions?.map(({ indexName }) => indexName)).toEqual([undefined, 'byState']);
    const inside = record.partitions?.[0]?.partitions.borders.filter(({ sort }) => sort !== '') ?? [];
    expect(inside.length).toBeGreaterThan(0);
    const second = await serveDatabase({ snapshot: { path }, model });
    second.advance(1_000);
    // The first time five a second were served at first; now each part serves as many.
    expect(await heat(second, 5)).toBeLessThan(3);
    await second.stop();
    assertSound(second);
    expect(borders(await savedRecord())).toEqual(borders(record));
  });

  test('stay as they are over a restart without any request', async () => {
    const record = await heated();
    await (await serveDatabase({ snapshot: { path }, model })).stop();
    expect((await savedRecord()).partitions).toEqual(record.partitions);
  });

  test('of a snapshot of version 1 are those of a new table; all else is there', async () => {
    await heated();
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n').slice(0, -1);
    const old = lines.map((line) => {
      const { table, ...value } = JSON.parse(line) as { readonly table?: TableRecord };
      if ('version' in value) return JSON.stringify({ ...value, version: 1 });
      const { partitions: _, ...settings } = table ?? {};
      return JSON.stringify(table === undefined ? value : { table: settings });
    });
    const text = `${old.join('\n')}\n`;
    const items = old.filter((line) => line.startsWith('{"item"')).length;
    const sha256 = createHash('sha256').update(text).digest('hex');
    await writeFile(path, `${text}${JSON.stringify({ end: { tables: 1, items }, sha256 })}\n`);
    const served = await serveDatabase({ snapshot: { path }, model });
    expect(served.loaded).toEqual({ tables: 1, items });
    await served.stop();
    expect(borders(await savedRecord())).toEqual([
      ['table', []],
      ['byState', []],
    ]);
    expect(await readFile(path, 'utf8')).toContain('"version":2');
  });
});

describe('a file that is not whole', () => {
  const damages: readonly (readonly [string, (text: string) => string, RegExp])[] = [
    ['cut in the middle', (text) => text.slice(0, text.length / 2), /is damaged/],
    ['without its last line', (text) => text.replace(/[^\n]*\n$/, ''), /its end is missing/],
    ['with an item changed', (text) => text.replace('"N":"7"', '"N":"8"'), /its digest is not that/],
    [
      'with a line too many',
      (text) => text.replace('{"item"', '{"item":{}}\n{"item"'),
      /its digest is not that/,
    ],
    ['of zeros', (text) => '\0'.repeat(text.length), /no JSON/],
    ['of another kind', () => '{"a":1}\n', /does not begin like a snapshot/],
    ['that is empty', () => '', /no JSON/],
    [
      'of a later version',
      (text) => text.replace('"version":2', '"version":3'),
      /is of version 3, and this dyno-load reads versions 1 and 2/,
    ],
  ];

  test.each(damages)(
    '%s is refused before anything is served, and left as it is',
    async (_, damage, expected) => {
      const first = await serveDatabase({ snapshot: { path } });
      await post(first.url, 'CreateTable', simple('counts'));
      await post(first.url, 'PutItem', { TableName: 'counts', Item: { pk: { N: '7' } } });
      await first.stop();
      const damaged = damage(await readFile(path, 'utf8'));
      await writeFile(path, damaged);
      const text = await codeOf(serveDatabase({ snapshot: { path } }));
      expect(text).toMatch(/^SERVE_SNAPSHOT_DAMAGED: /);
      expect(text).toMatch(expected);
      expect(await readFile(path, 'utf8')).toBe(damaged);
    },
  );

  test('or is a folder, or stands in one that is not there, is refused too', async () => {
    await mkdir(path);
    expect(await codeOf(serveDatabase({ snapshot: { path } }))).toMatch(/^SERVE_SNAPSHOT_DAMAGED: .*EISDIR/);
    const nowhere = join(folder, 'nowhere', 'tables.snapshot');
    expect(await codeOf(serveDatabase({ snapshot: { path: nowhere } }))).toMatch(
      /^SERVE_SNAPSHOT_UNWRITABLE: .*ENOENT/,
    );
  });
});

describe('dyno-load serve --persist', () => {
  async function start(...args: string[]): Promise<{ readonly cli: RunningCli; readonly url: string }> {
    const cli = new RunningCli(['serve', '--port', '0', '--persist', 'tables.snapshot', ...args], {
      cwd: folder,
    });
    const match = await cli.untilStdout(/at (http:\/\/127\.0\.0\.1:\d+);/);
    return { cli, url: match[1] ?? '' };
  }

  test.each(['SIGTERM', 'SIGINT'] as const)(
    'saves on %s, and says what it saved and loaded',
    async (signal) => {
      const first = await start();
      await post(first.url, 'CreateTable', simple('counts'));
      await post(first.url, 'PutItem', { TableName: 'counts', Item: { pk: { N: '1' } } });
      first.cli.signal(signal);
      const end = await first.cli.ended;
      expect(end.stdout).toContain(`Stopped on ${signal}; 1 table with 1 item kept in tables.snapshot.`);
      expect(end.code).toBe(0);
      const second = await start();
      await second.cli.untilStdout(/Loaded 1 table with 1 item from tables\.snapshot\./);
      second.cli.signal('SIGTERM');
      expect((await second.cli.ended).code).toBe(0);
    },
  );

  test('ends with 3 and three lines where the file is damaged', async () => {
    await writeFile(path, 'not a snapshot\n');
    const end = await runCli(['serve', '--port', '0', '--persist', 'tables.snapshot'], { cwd: folder });
    expect(end.code).toBe(3);
    expect(end.stderr).toMatch(/^SERVE_SNAPSHOT_DAMAGED {2}.*\n {2}why: .*left as it is.*\n {2}fix: /);
    expect(end.stdout).toBe('');
  });
});
