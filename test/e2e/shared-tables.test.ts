// Aim: where all variants only read equal items, one table is made and filled for the whole run, and it goes as any
// other does; where they do not, nothing is shared. Method: the whole command against `dyno-load serve` in this
// process, behind a proxy that keeps what was asked for.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunResult } from '../../src/analysis/run-result.ts';
import { type RunningServer, startServer } from '../../src/serve/start-server.ts';
import { onlyRecord, removeFolder, runCli, runFolders, temporaryFolder } from '../support/cli.ts';
import { InProcessCli } from '../support/in-process-cli.ts';
import { type RecordingProxy, startRecordingProxy } from '../support/recording-proxy.ts';
import { post } from '../support/served-database.ts';
import { tableNames } from '../support/tables.ts';

let server: RunningServer;
let proxy: RecordingProxy;
let cwd: string;

beforeEach(async () => {
  cwd = await temporaryFolder();
  server = await startServer({ version: 'test' });
  proxy = await startRecordingProxy(server.url);
});
afterEach(async () => {
  await proxy.stop();
  await server.stop();
  await removeFolder(cwd);
});

const ITEMS = 90;
/** Of 25 items each. */
const BATCHES = 4;

interface Wishes {
  /** What the last item holds, as code. */
  readonly last?: string;
  readonly workload?: string;
  readonly duration?: string;
}

/** Three ways to find one item of 90. */
async function scenarioOf({ last = "''", workload, duration = '300ms' }: Wishes = {}): Promise<string> {
  const ways = `{
    get: get({ rate: 40, key: { PK: 'k', SK: '7' } }),
    query: query({ rate: 40, partition: 'k', sort: { equals: '7' } }),
    scan: scan({ rate: 40, filter: { expression: 'SK = :s', values: { ':s': '7' } } }),
  }[how]`;
  const path = join(cwd, 'lookups.ts');
  await writeFile(
    path,
    `import { defineScenario, get, preload, put, query, scan } from 'dyno-load';
    export default defineScenario({
      question: 'Get, Query or Scan?',
      parameters: { how: ['get', 'query', 'scan'] },
      tables: () => ({ keys: { partition: 'PK', sort: 'SK' } }),
      data: ({ how }) => ({
        orders: preload({
          count: ${ITEMS},
          item: ({ index }) => ({ PK: 'k', SK: String(index), text: index === ${ITEMS - 1} ? ${last} : '' }),
        }),
      }),
      stages: [{ name: 'steady', duration: '${duration}' }],
      workloads: ({ how }) => ({ find: ${workload ?? ways} }),
    });`,
  );
  return path;
}

function run(path: string, ...args: string[]): InProcessCli {
  return new InProcessCli(['run', path, '--target', proxy.url, ...args], { cwd, world: {} });
}

const count = (operation: string) => proxy.operations.filter((one) => one === operation).length;
const made = () => ({
  tables: count('CreateTable'),
  batches: count('BatchWriteItem'),
  deleted: count('DeleteTable'),
});
const notesOf = ({ target }: RunResult) => target.notes.filter((note) => note.includes('shared'));
const returnedPerFind = ({ variants }: RunResult) =>
  variants.map(({ workloads }) => {
    const { outcomes, itemsReturned } = workloads[0]?.measured ?? {};
    return (itemsReturned ?? 0) / (outcomes?.ok ?? 0);
  });

describe('three variants that read the same items', () => {
  test('share one table and one preload over two repeats and the run that is discarded', async () => {
    const cli = run(await scenarioOf(), '--repeat', '2');
    expect(await cli.ended).toBe(0);
    expect(made()).toEqual({ tables: 1, batches: BATCHES, deleted: 1 });
    const record = await onlyRecord(cwd, 'lookups');
    expect(record.status).toBe('complete');
    expect(record.variants).toHaveLength(6);
    const names = new Set(record.variants.flatMap(({ tables }) => tables.map(({ tableName }) => tableName)));
    expect([...names].join()).toMatch(/^dyno-load-lookups-shared-main-\w+$/);
    expect(notesOf(record)).toEqual([
      'All variants only read, so they shared one table filled once for 7 runs, 6 preloads of 90 items saved. ' +
        'What throttling depends on was carried over from run to run: burst that was used up, adaptive capacity, splits.',
    ]);
    expect(cli.stdout).toContain('6 preloads of 90 items saved');
    expect(await tableNames(server.url)).toEqual([]);
    expect(returnedPerFind(record)).toEqual([1, 1, 1, 1, 1, 1]);
  });

  test('are named in the segments, from which a report is made after the process was killed', async () => {
    await run(await scenarioOf(), '--no-discard').ended;
    const [folder = ''] = await runFolders(cwd, 'lookups');
    const text = await readFile(join(cwd, folder, 'segments.jsonl'), 'utf8');
    const lines = text.split('\n').filter((line) => line.includes('"kind":"variant"'));
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(line).toContain('dyno-load-lookups-shared-main-');
  });

  test('share it with several threads as well', async () => {
    const path = await scenarioOf();
    const args = ['run', path, '--target', proxy.url, '--workers', '2', '--out', join(cwd, 'reports')];
    const { code, stderr } = await runCli(args, { cwd });
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('WORKER')]);
    expect(made()).toEqual({ tables: 1, batches: BATCHES, deleted: 1 });
    expect(notesOf(await onlyRecord(cwd, 'lookups')).join()).toContain('3 preloads of 90 items saved');
  });

  test('leave one table where tables are to be kept', async () => {
    const cli = run(await scenarioOf(), '--keep-tables', '--no-discard');
    expect(await cli.ended).toBe(0);
    expect(made()).toEqual({ tables: 1, batches: BATCHES, deleted: 0 });
    expect(await tableNames(server.url)).toHaveLength(1);
    expect(cli.stderr).not.toContain('Not deleted');
  });

  test('leave no table after an interrupt in the second of them', async () => {
    const cli = run(await scenarioOf({ duration: '1s' }), '--no-discard', '--set', 'how=query,scan');
    await expect.poll(() => count('Scan'), { timeout: 10_000 }).toBeGreaterThan(3);
    cli.interrupt();
    expect(await cli.ended).toBe(130);
    expect(made()).toEqual({ tables: 1, batches: BATCHES, deleted: 1 });
    expect(await tableNames(server.url)).toEqual([]);
  });
});

test.each<[string, Wishes]>([
  ['whose last items differ', { last: 'how' }],
  [
    'that write',
    { workload: "put({ rate: 40, item: ({ seq }) => ({ PK: how, SK: String(seq), text: '' }) })" },
  ],
])('three variants %s share nothing', async (_, wishes) => {
  const cli = run(await scenarioOf(wishes), '--no-discard');
  expect(await cli.ended).toBe(0);
  expect(made()).toEqual({ tables: 3, batches: 3 * BATCHES, deleted: 3 });
  const record = await onlyRecord(cwd, 'lookups');
  expect(notesOf(record)).toEqual([]);
  expect(new Set(record.variants.map(({ tables }) => tables[0]?.tableName)).size).toBe(3);
});

describe('a table that was there before', () => {
  beforeEach(async () => {
    await post(server.url, 'CreateTable', {
      TableName: 'theirs',
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        { AttributeName: 'PK', AttributeType: 'S' },
        { AttributeName: 'SK', AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: 'PK', KeyType: 'HASH' },
        { AttributeName: 'SK', KeyType: 'RANGE' },
      ],
    });
  });
  const args = ['--table', 'theirs', '--allow-writes-to', 'theirs'];

  test('is filled once for variants that only read, and none of them is suspect', async () => {
    const cli = run(await scenarioOf(), ...args, '--repeat', '2');
    expect(await cli.ended).toBe(0);
    expect(made()).toEqual({ tables: 0, batches: BATCHES, deleted: 0 });
    const record = await onlyRecord(cwd, 'lookups');
    const reasons = record.variants.flatMap(({ validity }) => validity.reasons.map(({ code }) => code));
    expect(reasons).not.toContain('carry-over');
    expect(notesOf(record).join()).toContain('5 preloads of 90 items saved');
    expect(await tableNames(server.url)).toEqual(['theirs']);
  });

  test('is not given the different items of several variants unless that was said', async () => {
    const path = await scenarioOf({ last: 'how' });
    const refused = run(path, ...args);
    expect(await refused.ended).toBe(2);
    expect(refused.stderr).toContain('3 variants would put other items into one table');
    expect(proxy.operations).toEqual([]);
    expect(await run(path, ...args, '--reuse-table').ended).toBe(0);
    expect(made()).toEqual({ tables: 0, batches: 3 * BATCHES, deleted: 0 });
    const { variants } = await onlyRecord(cwd, 'lookups');
    const carried = variants.map(({ validity }) =>
      validity.reasons.some(({ code }) => code === 'carry-over'),
    );
    expect(carried).toEqual([false, true, true]);
  });
});
