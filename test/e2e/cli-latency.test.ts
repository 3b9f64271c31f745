// Aim: `--latency FILE` makes the simulated table take the times of a file, in a run and behind the wire
// protocol, says so, and is the same each time. Method: the built command; percentiles by hand, and the log
// that a run wrote.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { removeFolder, RunningCli, runCli, temporaryFolder } from '../support/cli.ts';
import { post } from '../support/served-database.ts';

let folder = '';
beforeEach(async () => {
  folder = await temporaryFolder();
  await writeFile(
    join(folder, 'slow.json'),
    JSON.stringify({ unit: 'ms', default: { p50: 40, max: 40 }, PutItem: { p50: 100, p90: 100, max: 200 } }),
  );
});
afterEach(() => removeFolder(folder));

const args = ['--set', 'count=5', '--rate-factor', '0.1', '--duration', '22s'];
const run = (latency: string, out: string) =>
  runCli(['run', 'sharding', ...args, '--latency', latency, '--out', out], { cwd: folder });
describe('dyno-load run --latency', () => {
  test('takes percentiles by operation, and says where they are from', async () => {
    const end = await run('slow.json', 'first');
    expect(end.stdout).toContain(
      'Target: simulated table with service times drawn from slow.json, virtual time',
    );
    expect(end.stdout.replace(/\s+/g, ' ')).toContain('latencies are modelled, not measured');
    // The report gives p50 and p99 of placeOrder, which puts, and of readPending, which queries.
    expect(end.stdout).toMatch(/placeOrder +\d+ +\d+ +0 % +100 +1[89]\d/);
    expect(end.stdout).toMatch(/readPending +5 +[\d.]+ +0 % +40/);
  });

  test('takes the log of a run, and gives its times again, the same each time', async () => {
    await run('slow.json', 'first');
    const [time = ''] = await readdir(join(folder, 'first', 'sharding'));
    const log = join('first', 'sharding', time, 'hlog', '1-placeOrder.hlog');
    const again = await run(log, 'second');
    expect(again.stdout).toMatch(/placeOrder +\d+ +\d+ +0 % +100 +1[89]\d/);
    expect(again.stdout).toMatch(/readPending +5 +[\d.]+ +0 % +1\d\d/);
    await run(log, 'third');
    const segmentsOf = async (out: string) => {
      const [name = ''] = await readdir(join(folder, out, 'sharding'));
      const text = await readFile(join(folder, out, 'sharding', name, 'segments.jsonl'), 'utf8');
      return text.split('\n').slice(1).join('\n');
    };
    expect(await segmentsOf('third')).toBe(await segmentsOf('second'));
  });

  test.each([
    ['none', [], 2, /a simulated table that takes no time/],
    ['nowhere.hlog', [], 2, /^LATENCY_FILE_INVALID {2}nowhere\.hlog has no latencies/],
    ['aws', ['--target', 'http://127.0.0.1:1'], 2, /a live target takes the time that it takes/],
  ])('%s is refused where it makes no sense %j', async (latency, more, code, text) => {
    const end = await runCli(['run', 'sharding', '--latency', latency, ...more], { cwd: folder });
    expect(end.code).toBe(code);
    expect(end.stderr).toMatch(text);
  });
});

test('dyno-load serve --latency FILE answers as late as the file says, by operation', async () => {
  const cli = new RunningCli(['serve', '--port', '0', '--latency', 'slow.json'], { cwd: folder });
  const [, url = ''] = await cli.untilStdout(/at (http:\/\/127\.0\.0\.1:\d+);/);
  await cli.untilStdout(/Answers wait for measured \(slow\.json\) service times\./);
  await post(url, 'CreateTable', {
    TableName: 'orders',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  });
  const timed = async (operation: string, body: object) => {
    const startMs = performance.now();
    expect((await post(url, operation, { TableName: 'orders', ...body })).status).toBe(200);
    return performance.now() - startMs;
  };
  // A timer of Node may fire a millisecond early.
  expect(await timed('PutItem', { Item: { pk: { S: 'a' } } })).toBeGreaterThan(98);
  const getMs = await timed('GetItem', { Key: { pk: { S: 'a' } } });
  expect(getMs).toBeGreaterThan(38);
  cli.signal('SIGTERM');
  expect((await cli.ended).code).toBe(0);
});
