// Aim: `dyno-load serve` says what it is, serves, ends well, and fails clearly; `--target serve` is a run
// against it. Method: the built command; requests to the address that it prints; the record of a run.
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  onlyRecord,
  removeFolder,
  RunningCli,
  runCli,
  temporaryFolder,
  variantOf,
  workloadOf,
} from '../support/cli.ts';
import { post } from '../support/served-database.ts';

let folder = '';
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => removeFolder(folder));

/** Starts `dyno-load serve` on a free port and waits until it says where. */
async function startServe(...args: string[]): Promise<{ readonly cli: RunningCli; readonly url: string }> {
  const cli = new RunningCli(['serve', '--port', '0', ...args], { cwd: folder });
  const match = await cli.untilStdout(/at (http:\/\/127\.0\.0\.1:\d+);/);
  return { cli, url: match[1] ?? '' };
}

describe('dyno-load serve', () => {
  test('says in one line what it is, where, and which constants are guesses; Ctrl-C is a success', async () => {
    const { cli, url } = await startServe();
    const client = new DynamoDBClient({
      endpoint: url,
      region: 'us-east-1',
      credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    });
    expect((await client.send(new ListTablesCommand({}))).TableNames).toEqual([]);
    client.destroy();
    cli.signal('SIGINT');
    const { code, stdout, stderr } = await cli.ended;
    expect(stderr).toBe('');
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(
        /^Simulated DynamoDB \(no AWS, nothing is kept\) at \S+; model "default", not published by AWS: partitionBurstSeconds 1 s, .*placement random/,
      ),
      'Stopped on SIGINT; the tables are gone.',
      '',
    ]);
    expect(code).toBe(0);
  });

  test.each([
    ['0.0.0.0', /no signatures are checked/],
    ['localhost', /^$/],
  ])('at --host %s warns where others can reach it', async (host, warning) => {
    const cli = new RunningCli(['serve', '--port', '0', '--host', host], { cwd: folder });
    await cli.untilStdout(/Simulated DynamoDB/);
    cli.signal('SIGINT');
    const { code, stderr } = await cli.ended;
    expect(stderr).toMatch(warning);
    expect(code).toBe(0);
  });

  test('says so where limits are scaled and answers wait, and both hold', async () => {
    const { cli, url } = await startServe(
      '--throughput-scale',
      '0.01',
      '--latency',
      'modelled',
      '--preset',
      'pessimistic',
    );
    await post(url, 'CreateTable', {
      TableName: 'orders',
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
    });
    const put = () => post(url, 'PutItem', { TableName: 'orders', Item: { pk: { S: 'hot' } } });
    const startMs = performance.now();
    await put();
    // The quickest write that is modelled takes 1.8 ms.
    expect(performance.now() - startMs).toBeGreaterThan(1.5);
    const answers = await Promise.all(Array.from({ length: 200 }, put));
    const throttled = answers.filter(({ status }) => status === 400);
    // One partition's 10 units a second, a few of them saved: most of 200 at once are refused.
    expect(throttled.length).toBeGreaterThan(150);
    expect(throttled[0]?.body['throttlingReasons']).toMatchObject([
      { reason: 'TableWriteKeyRangeThroughputExceeded' },
    ]);
    cli.signal('SIGTERM');
    const { code, stdout } = await cli.ended;
    expect(stdout).toContain('model "pessimistic"');
    expect(stdout).toContain(
      'Throughput limits are multiplied by 0.01: partitions, quotas, provisioned units, maxima.',
    );
    expect(stdout).toContain('Answers wait for modelled service times.');
    expect(code).toBe(0);
  });

  test('ends with 3 where its port is taken, and says how to take another', async () => {
    const { cli, url } = await startServe();
    const second = await runCli(['serve', '--port', new URL(url).port], { cwd: folder });
    expect(second.code).toBe(3);
    expect(second.stderr).toMatch(
      /^SERVE_PORT_TAKEN {2}port \d+ on 127\.0\.0\.1 is taken\n {2}why: .*\n {2}fix: .*--port 8001/,
    );
    cli.signal('SIGTERM');
    expect((await cli.ended).code).toBe(0);
  });

  test.each([
    ['a host that is not here', ['--host', '192.0.2.1'], 3, 'SERVE_CANNOT_LISTEN'],
    ['a port that is none', ['--port', '65536'], 2, 'it must be a port, 0 to 65535'],
    ['a host that is empty, which would be every one', ['--host', ''], 2, '--host is ""'],
    ['a file without a name', ['--persist', ''], 2, '--persist is ""'],
    ['to save often nowhere', ['--persist-every', '5s'], 2, '--persist-every is given without --persist'],
    ['a scale of nothing', ['--throughput-scale', '0'], 2, 'it must be a number above 0'],
    ['a latency that is no file', ['--latency', 'slow'], 2, 'slow has no latencies that could be used'],
  ])('refuses %s', async (_, args, code, text) => {
    const end = await runCli(['serve', ...args], { cwd: folder });
    expect(end.code).toBe(code);
    expect(end.stderr).toContain(text);
  });
});

test('run --target serve drives the simulated table over the wire, and throttles are seen', {
  retry: 2,
}, async () => {
  const args = ['--set', 'count=1', '--rate-factor', '0.5', '--duration', '4s', '--no-discard'];
  const end = await runCli(['run', 'sharding', '--target', 'serve', ...args], { cwd: folder });
  const [first] = end.stdout.split('\n');
  expect(first).toMatch(
    /^Target: simulated table behind dyno-load serve, in this process, at http:\/\/127\.0\.0\.1:\d+/,
  );
  const result = await onlyRecord(folder, 'sharding');
  expect(result.target).toMatchObject({ time: 'wall-clock', model: { preset: 'default' } });
  const { measured } = workloadOf(variantOf(result, 'count=1'), 'placeOrder');
  // 1,500 a second on one index key that takes 1,000.
  expect(measured.outcomes.throttled).toBeGreaterThan(500);
  expect(measured.outcomes.failed).toBe(0);
  expect(JSON.stringify(measured)).toContain('IndexWriteKeyRangeThroughputExceeded');
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(first ?? '')?.[0] ?? '';
  await expect(fetch(url)).rejects.toThrow('fetch failed');
});
