// Aim: variants that share one table are each counted by themselves by CloudWatch and Contributor Insights, which is
// switched on once and goes with the table. Method: the whole command in this process against `dyno-load serve`,
// server and client on one time that jumps, behind a proxy that keeps what was asked for.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { waitMs } from '../../src/aws/live-time.ts';
import { type RunningServer, startServer } from '../../src/serve/start-server.ts';
import { onlyRecord, removeFolder, temporaryFolder } from '../support/cli.ts';
import { InProcessCli } from '../support/in-process-cli.ts';
import { type RecordingProxy, startRecordingProxy } from '../support/recording-proxy.ts';
import { SteppedTime } from '../support/stepped-time.ts';
import { tableNames } from '../support/tables.ts';

let time: SteppedTime;
let server: RunningServer;
let proxy: RecordingProxy;
let cwd: string;

beforeEach(async () => {
  cwd = await temporaryFolder();
  time = new SteppedTime(Date.UTC(2026, 10, 30, 12, 0, 17, 420));
  server = await startServer({
    version: 'test',
    nowUs: () => Math.round(time.nowMs * 1_000),
    wallMs: () => time.wallMs,
    publicationDelayMs: 90_000,
    insightsSwitchDelayMs: 4_000,
    transitionMs: 300,
  });
  proxy = await startRecordingProxy(server.url);
});
afterEach(async () => {
  await proxy.stop();
  await server.stop();
  time.stop();
  await removeFolder(cwd);
});

const ITEMS = 40;

async function start(): Promise<InProcessCli> {
  const path = join(cwd, 'lookups.ts');
  await writeFile(
    path,
    `import { defineScenario, get, preload } from 'dyno-load';
    export default defineScenario({
      question: 'Twice as many?',
      parameters: { perSecond: [10, 20] },
      tables: () => ({ keys: { partition: 'PK' } }),
      data: () => ({ orders: preload({ count: ${ITEMS}, item: ({ index }) => ({ PK: String(index) }) }) }),
      stages: [{ name: 'steady', duration: '2m' }],
      workloads: ({ perSecond }) => ({
        find: get({ rate: perSecond, key: ({ seq }) => ({ PK: String(seq % ${ITEMS}) }), consistent: true }),
      }),
    });`,
  );
  const metrics = ['--cloudwatch', '--cloudwatch-endpoint', server.url, '--contributor-insights'];
  return new InProcessCli(['run', path, '--target', proxy.url, ...metrics], {
    cwd,
    world: { time: time.live(), around: time.holding },
  });
}

/** Once there was time for them to go. */
async function tablesLeft(): Promise<readonly string[]> {
  await waitMs(time.live(), 1_000);
  return tableNames(server.url);
}

const count = (operation: string) => proxy.operations.filter((one) => one === operation).length;
const noteCount = (notes: readonly string[], text: string) =>
  notes.filter((note) => note.includes(text)).length;

test('the service’s counts of two variants are apart, although both read one table', async () => {
  expect(await (await start()).ended).toBe(0);
  const { variants, target } = await onlyRecord(cwd, 'lookups');
  const counts = variants.map(({ reconciliation }) => [
    reconciliation?.isExact,
    reconciliation?.rows.map(({ metric, client, service }) => [metric, client, service]),
  ]);
  // A unit for each get; what the preload wrote lies before the idle minute of the first variant.
  expect(counts).toEqual(
    [1_200, 2_400].map((gets) => [
      true,
      [
        ['ConsumedReadCapacityUnits', gets, gets],
        ['SuccessfulRequestLatency', gets, gets],
      ],
    ]),
  );
  const accessed = variants.map(
    ({ contributorInsights }) =>
      contributorInsights?.rules.find(({ counts }) => counts === 'accessed')?.contributors[0]?.total,
  );
  expect(accessed).toEqual([1_200 / ITEMS, 2_400 / ITEMS]);
  expect([count('CreateTable'), count('UpdateContributorInsights')]).toEqual([1, 1]);
  expect(noteCount(target.notes, '1 preload of 40 items saved')).toBe(1);
  expect(noteCount(target.notes, 'switched on for it, and went with them')).toBe(1);
  expect(await tablesLeft()).toEqual([]);
});

test('Ctrl-C in the second of them leaves neither the table nor a note that it stayed', async () => {
  const cli = await start();
  // The first is measured and read by then, and load of the second under way.
  const look = setInterval(() => {
    if (count('GetItem') <= 1_400) return;
    clearInterval(look);
    cli.interrupt();
  }, 5);
  const code = await cli.ended.finally(() => clearInterval(look));
  expect(code).toBe(130);
  const { variants, status } = await onlyRecord(cwd, 'lookups');
  expect([status, variants.length]).toEqual(['interrupted', 2]);
  expect(cli.stderr).not.toMatch(/Not deleted|not put back/);
  expect(await tablesLeft()).toEqual([]);
});
