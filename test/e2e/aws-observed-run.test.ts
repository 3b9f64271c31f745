// Aim: a run on AWS with CloudWatch and Contributor Insights, from the command line to the report: what the service
// counted agrees with what dyno-load counted, the hot index key is named, and nothing stays switched on.
// Method: the whole command in this process against `dyno-load serve` over real sockets, the endpoint counted as AWS,
// server and client on one time that jumps; the client's clock is 7.3 s off. Limits and rates are a twentieth.
import {
  CreateTableCommand,
  DescribeContributorInsightsCommand,
  DynamoDBClient,
  ListTablesCommand,
  UpdateContributorInsightsCommand,
} from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../../src/serve/start-server.ts';
import type { RunResult, VariantResult } from '../../src/analysis/run-result.ts';
import { waitMs } from '../../src/aws/live-time.ts';
import { onlyRecord, removeFolder, runCli, temporaryFolder, variantOf, workloadOf } from '../support/cli.ts';
import type { LiveWorld } from '../../src/cli/live/open-live-target.ts';
import { InProcessCli } from '../support/in-process-cli.ts';
import { SteppedTime } from '../support/stepped-time.ts';
import { type SentByWorker, steppedWorkers } from '../support/stepped-workers.ts';
import { shardingTable } from '../support/tables.ts';

const SCALE = 0.05;
const CLOCK_OFF_MS = 7_300;

let time: SteppedTime;
let server: RunningServer;
let client: DynamoDBClient;
let cwd: string;
const environment = { ...process.env };

beforeEach(async () => {
  cwd = await temporaryFolder();
  time = new SteppedTime(Date.UTC(2026, 10, 30, 12, 0, 17, 420));
  server = await startServer({
    version: 'test',
    throughputScale: SCALE,
    nowUs: () => Math.round(time.nowMs * 1_000),
    wallMs: () => time.wallMs,
    publicationDelayMs: 90_000,
    insightsSwitchDelayMs: 4_000,
    transitionMs: 300,
  });
  process.env['AWS_ACCESS_KEY_ID'] = 'AKIAMARKEDKEYID00001';
  process.env['AWS_SECRET_ACCESS_KEY'] = 'markedsecretmarkedsecret';
  process.env['AWS_SESSION_TOKEN'] = 'markedtokenmarkedtoken';
  client = new DynamoDBClient({
    endpoint: server.url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
});

afterEach(async () => {
  client.destroy();
  await server.stop();
  time.stop();
  await removeFolder(cwd);
  process.env = { ...environment };
});

function start(args: readonly string[], world: LiveWorld = {}): InProcessCli {
  return new InProcessCli(
    [
      'run',
      'sharding',
      '--target',
      server.url,
      '--region',
      'us-east-1',
      '--rate-factor',
      String(SCALE),
      '--yes',
      ...args,
    ],
    { cwd, world: { isAws: true, time: time.live(CLOCK_OFF_MS), around: time.holding, ...world } },
  );
}

async function record(): Promise<RunResult> {
  return onlyRecord(cwd, 'sharding');
}

/** Rows by `metric of` with the table's own name left out. */
function countsOf({
  reconciliation,
}: VariantResult): Record<string, [client: number, service: number | null]> {
  return Object.fromEntries(
    (reconciliation?.rows ?? []).map(({ metric, resource, operation, client, service }) => [
      `${metric} of ${operation ?? (resource.endsWith('/GSI1') ? 'GSI1' : 'table')}`,
      [client, service],
    ]),
  );
}

async function insightsOf(TableName: string, IndexName?: string): Promise<string> {
  const state = await client.send(
    new DescribeContributorInsightsCommand({ TableName, ...(IndexName === undefined ? {} : { IndexName }) }),
  );
  const { ContributorInsightsStatus: status, ContributorInsightsMode: mode } = state;
  return status === 'ENABLED' ? `${status} ${mode}` : String(status);
}

/** A table that a user has, with the keys of the scenario and Contributor Insights of its own. */
async function createUsersTable(TableName: string): Promise<void> {
  await client.send(new CreateTableCommand({ TableName, ...shardingTable }));
  await passed(1_000);
  await client.send(
    new UpdateContributorInsightsCommand({
      TableName,
      ContributorInsightsAction: 'ENABLE',
      ContributorInsightsMode: 'THROTTLED_KEYS',
    }),
  );
  await passed(10_000);
}

function passed(delayMs: number): Promise<void> {
  return waitMs(time.live(), delayMs);
}

test('reconciles with CloudWatch to the last unit and names the hot index key by Contributor Insights', async () => {
  const cli = start([
    '--set',
    'count=1,5',
    '--cloudwatch',
    '--contributor-insights',
    '--allow-warm-throughput',
  ]);
  expect(await cli.ended).toBe(1); // One shard misses its goal, and five do not settle what is suspect.
  const result = await record();
  const one = variantOf(result, 'count=1');
  const five = variantOf(result, 'count=5');

  // 150 orders a second for 10 s and two minutes.
  const placed = 150 * 130;
  const counts = countsOf(one);
  const [written] = counts['ConsumedWriteCapacityUnits of GSI1'] ?? [0];
  const [throttled] = counts['WriteKeyRangeThroughputThrottleEvents of GSI1'] ?? [0];
  const [reads] = counts['ConsumedReadCapacityUnits of GSI1'] ?? [0];
  expect(written + throttled).toBe(placed);
  // A partition gives a twentieth of 1,000 write units a second, and a little more at first.
  expect(written / 130).toBeGreaterThan(49);
  expect(written / 130).toBeLessThan(54);
  expect(counts).toEqual({
    'ConsumedWriteCapacityUnits of table': [written, written],
    'ConsumedReadCapacityUnits of GSI1': [reads, reads],
    'ConsumedWriteCapacityUnits of GSI1': [written, written],
    'WriteThrottleEvents of GSI1': [throttled, throttled],
    'WriteKeyRangeThroughputThrottleEvents of GSI1': [throttled, throttled],
    'ThrottledRequests of PutItem': [throttled, throttled],
    'SuccessfulRequestLatency of PutItem': [written, written],
    // 50 pages a second in the scenario, a twentieth of them here.
    'SuccessfulRequestLatency of Query': [325, 325],
  });
  for (const variant of [one, five]) {
    expect(variant.reconciliation?.isExact).toBe(true);
    expect(variant.reconciliation?.rows.map((row) => row.status)).toEqual(
      variant.reconciliation?.rows.map(() => 'agrees'),
    );
  }

  // Contributor Insights: all of the index is one key, so that its figures are those of the index.
  const ruleOf = (counts: string) =>
    one.contributorInsights?.rules.find(
      (rule) => rule.indexName === 'GSI1' && rule.counts === counts && rule.by === 'partitionKey',
    )?.contributors;
  expect(ruleOf('accessed')).toMatchObject([{ keys: ['STATUS#PENDING'], total: 3 * written + reads }]);
  expect(ruleOf('throttled')).toMatchObject([{ keys: ['STATUS#PENDING'], total: throttled }]);
  expect(cli.stdout).toContain('Contributor Insights names STATUS#PENDING for 100 %');
  expect(cli.stdout).toMatch(/GSI1 +WriteKeyRangeThroughputThrottleEvents/);
});

test('reconciles what several workers send as well, each with counts of its own', async () => {
  const sent: SentByWorker = [];
  const args = ['--set', 'count=1', '--workers', '3', '--no-discard', '--cloudwatch'];
  const cli = start([...args, '--allow-warm-throughput'], { startWorkers: steppedWorkers(time, sent) });
  await cli.ended;
  const result = await record();
  const one = variantOf(result, 'count=1');
  expect(result.environment.workers).toMatchObject({ count: 3 });
  // 150 orders and 2.5 reads a second for 130 s, a third from each.
  expect(sent.map((requests) => Math.round(requests / 10))).toEqual([661, 661, 661]);

  const counts = countsOf(one);
  const stages = workloadOf(one, 'placeOrder').stages.map(({ totals }) => totals.outcomes);
  const ok = stages.reduce((sum, outcomes) => sum + outcomes.ok, 0);
  const throttled = stages.reduce((sum, outcomes) => sum + outcomes.throttled, 0);
  const units = workloadOf(one, 'readPending').stages.flatMap(({ totals }) => totals.units);
  const reads = units.reduce((sum, { readUnits }) => sum + readUnits, 0);
  expect(ok + throttled).toBe(150 * 130);
  expect(throttled).toBeGreaterThan(10_000);
  expect(counts).toEqual({
    'ConsumedWriteCapacityUnits of table': [ok, ok],
    'ConsumedReadCapacityUnits of GSI1': [reads, reads],
    'ConsumedWriteCapacityUnits of GSI1': [ok, ok],
    'WriteThrottleEvents of GSI1': [throttled, throttled],
    'WriteKeyRangeThroughputThrottleEvents of GSI1': [throttled, throttled],
    'ThrottledRequests of PutItem': [throttled, throttled],
    'SuccessfulRequestLatency of PutItem': [ok, ok],
    'SuccessfulRequestLatency of Query': [325, 325],
  });
  expect(one.reconciliation?.isExact).toBe(true);
  expect(new Set(one.reconciliation?.rows.map(({ status }) => status))).toEqual(new Set(['agrees']));
});

test('measures whole minutes of the service between idle ones, whatever our own clock says', async () => {
  const cli = start(['--set', 'count=10', '--duration', '90s', '--cloudwatch']);
  await cli.ended;
  const result = await record();
  const { cloudWatch } = variantOf(result, 'count=10');
  // 12:00:17 and some: idle from 12:01, load from 12:02:50, measured from 12:03 to 12:05, then idle.
  expect(cloudWatch).toMatchObject({
    from: '2026-11-30T12:01:00.000Z',
    measuredFrom: '2026-11-30T12:03:00.000Z',
    measuredUntil: '2026-11-30T12:05:00.000Z',
    isSettled: true,
  });
  const written = cloudWatch?.series.find(
    ({ metric, indexName }) => metric === 'ConsumedWriteCapacityUnits' && indexName === null,
  )?.minutes;
  // The warm-up is the last sixth of its minute; clocks agree to about a tenth of a second, 15 orders.
  expect(written?.slice(0, 5).map((units) => Math.round((units ?? 0) / 300) * 300)).toEqual([
    0, 1_500, 9_000, 9_000, 0,
  ]);
  expect(cli.stderr).toMatch(/duration +5 to 17 min/);
  expect(cli.stdout).toContain('Stage steady lasts 2 min instead of 90 s');
});

test('puts Contributor Insights of a table that was there back, and leaves the table', async () => {
  await createUsersTable('users-own');
  const cli = start([
    '--set',
    'count=1',
    '--table',
    'users-own',
    '--allow-writes-to',
    'users-own',
    '--contributor-insights',
  ]);
  let during = '';
  time.whenPast(200_000, () => {
    void insightsOf('users-own').then((state) => (during = state));
  });
  await cli.ended;
  expect(during).toBe('ENABLED ACCESSED_AND_THROTTLED_KEYS');
  expect(await insightsOf('users-own')).toBe('ENABLED THROTTLED_KEYS');
  expect(cli.stdout.replaceAll(/\s+/g, ' ')).toContain(
    'Contributor Insights of users-own was put back: on for throttled keys before the run',
  );
  expect(await insightsOf('users-own', 'GSI1')).toBe('DISABLED');
  expect((await client.send(new ListTablesCommand({}))).TableNames).toEqual(['users-own']);
});

test.each([
  ['while it waits for an idle minute', 60_000],
  ['under load', 200_000],
  ['while it waits for data', 365_000],
])('puts it back after Ctrl-C %s', async (_, atMs) => {
  await createUsersTable('users-own');
  const cli = start([
    '--set',
    'count=1',
    '--table',
    'users-own',
    '--allow-writes-to',
    'users-own',
    '--contributor-insights',
    '--cloudwatch',
  ]);
  time.whenPast(atMs, () => void cli.interrupt());
  expect(await cli.ended).toBe(130);
  // Also where all load was done: what the service counted is missing.
  expect((await record()).status).toBe('interrupted');
  expect(await insightsOf('users-own')).toBe('ENABLED THROTTLED_KEYS');
  expect(await insightsOf('users-own', 'GSI1')).toBe('DISABLED');
});

test('a second Ctrl-C ends the process and says what stays behind', async () => {
  await createUsersTable('users-own');
  const table = ['--table', 'users-own', '--allow-writes-to', 'users-own'];
  const cli = start(['--set', 'count=1', ...table, '--contributor-insights']);
  let isEnded = false;
  time.whenPast(200_000, () => void cli.interrupt());
  // Putting it back takes 4 s.
  time.whenPast(202_000, () => {
    isEnded = cli.interrupt();
  });
  await cli.ended;
  expect(isEnded).toBe(true);
  expect(cli.stderr).toMatch(
    /Contributor Insights not put back in us-east-1 .*: users-own, users-own\/GSI1\./,
  );
});

test('deletes its own tables after Ctrl-C', async () => {
  const cli = start(['--set', 'count=1', '--contributor-insights']);
  time.whenPast(200_000, () => void cli.interrupt());
  expect(await cli.ended).toBe(130);
  await passed(1_000);
  expect((await client.send(new ListTablesCommand({}))).TableNames).toEqual([]);
});

test('shows no key where keys are to be redacted', async () => {
  const cli = start(['--set', 'count=1', '--contributor-insights', '--redact-keys']);
  await cli.ended;
  const all = cli.stdout + cli.stderr + JSON.stringify(await record());
  // The question of the scenario names the key, and is the scenario's own.
  expect(all).not.toMatch(/STATUS#PENDING(?! need)|USER#\d/);
  expect(all).toMatch(/key-[0-9a-f]{12}/);
});

// The same on the wall clock takes about seven minutes: DYNO_LOAD_WALL_CLOCK=1 runs it.
test.runIf(process.env['DYNO_LOAD_WALL_CLOCK'])(
  'reconciles on the wall clock, with the command as users have it',
  { timeout: 1_200_000 },
  async () => {
    const args = ['--set', 'count=1', '--rate-factor', '0.5', '--cloudwatch', '--contributor-insights'];
    const { code, stderr } = await runCli(['run', 'sharding', '--target', 'serve', ...args], { cwd });
    const one = variantOf(await record(), 'count=1');
    const counts = countsOf(one);
    // 1,500 orders a second for 10 s and two minutes, of which one partition takes 1,000; a busy machine sends fewer.
    const [written = 0] = counts['ConsumedWriteCapacityUnits of GSI1'] ?? [];
    const [throttled = 0] = counts['WriteKeyRangeThroughputThrottleEvents of GSI1'] ?? [];
    const stages = workloadOf(one, 'placeOrder').stages.map(({ totals }) => totals.outcomes);
    expect(written).toBe(stages.reduce((sum, { ok }) => sum + ok, 0));
    expect(throttled).toBe(stages.reduce((sum, outcomes) => sum + outcomes.throttled, 0));
    expect(throttled).toBeGreaterThan(10_000);
    expect(written / 130).toBeGreaterThan(950);
    expect(written / 130).toBeLessThan(1_080);
    expect(one.reconciliation?.rows.filter(({ status }) => status === 'unexplained')).toEqual([]);
    expect(
      one.contributorInsights?.rules.some(
        ({ contributors }) => contributors[0]?.keys[0] === 'STATUS#PENDING',
      ),
    ).toBe(true);
    expect(stderr).toContain('With whole and idle minutes around its load');
    expect(code).not.toBe(70);
  },
);
