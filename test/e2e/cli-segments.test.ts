// Aim: nothing that was recorded is lost, however a run ends: segments add up to the record, a killed run is
// reported as far as it came, a full disk is found before load starts or told at the end. Method: the built
// command, simulated and live; its files are cut, removed and compared.
import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HistogramLogReader } from 'hdr-histogram-js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parseRunResult } from '../../src/analysis/run-schema.ts';
import type { RunResult } from '../../src/analysis/run-result.ts';
import { removeFolder, runCli, RunningCli, runFolders, temporaryFolder } from '../support/cli.ts';
import { type IndependentServer, startDynalite } from '../support/independent-servers.ts';

let folder = '';
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => removeFolder(folder));

let server: IndependentServer;
beforeAll(async () => {
  server = await startDynalite();
});
afterAll(() => server.stop());

const short = ['run', 'sharding', '--set', 'count=1,2', '--duration', '2s'];
const shortest = ['run', 'sharding', '--set', 'count=1', '--duration', '2s'];

async function reported(run: string): Promise<RunResult> {
  const { code, stdout, stderr } = await runCli(['report', run, '--json'], { cwd: folder });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return parseRunResult(JSON.parse(stdout));
}

/** The folder of the only run, as a path of its own. */
async function onlyFolder(out?: string): Promise<string> {
  const [path = '', ...others] = await runFolders(folder, 'sharding', out);
  expect(others).toEqual([]);
  return join(folder, path);
}

/** What segments know of a variant. */
function known(result: RunResult) {
  return result.variants.map(({ name, status, measuredSeconds, workloads }) => ({
    name,
    status,
    measuredSeconds,
    workloads,
  }));
}

describe('without its record, a run', () => {
  test.each([
    { name: 'on the simulated table', args: [] },
    { name: 'on a wall clock', args: ['--target', '', '--rate-factor', '0.05', '--no-discard'] },
  ])('$name is reported from its segments, equal in all that was counted', async ({ args }) => {
    await runCli([...short, ...args.map((arg) => (arg === '' ? server.url : arg))], { cwd: folder });
    const run = await onlyFolder();
    const before = await reported(run);
    await rm(join(run, 'run.json'));
    const after = await reported(run);
    expect(known(after)).toEqual(known(before));
    expect(after.status).toBe('interrupted');
    expect(after.verdict.status).toBe('inconclusive');
    expect(after.target.notes.join()).toMatch(
      /count=1 was put together .* its load is whole, but heat of keys/,
    );
  });

  test('and with its last line cut off is reported up to the line before', async () => {
    await runCli(shortest, { cwd: folder });
    const run = await onlyFolder();
    await rm(join(run, 'run.json'));
    const file = join(run, 'segments.jsonl');
    const lines = (await readFile(file, 'utf8')).split('\n');
    expect(lines.at(-2)).toMatch(/^{"kind":"end"/);
    const lastSegment = lines.at(-3) ?? '';
    await writeFile(file, [...lines.slice(0, -3), lastSegment.slice(0, 100)].join('\n'));
    const result = await reported(run);
    expect(result.variants.map(({ status }) => status)).toEqual(['interrupted']);
    expect(result.target.notes.join()).toMatch(/known up to \d+ s of 4 s \(the last line was cut off\)/);
  });

  test('and with a line that is none is refused, with its place', async () => {
    await runCli(shortest, { cwd: folder });
    const run = await onlyFolder();
    await rm(join(run, 'run.json'));
    await appendFile(join(run, 'segments.jsonl'), '{"kind":"segment"}\n');
    const { code, stderr } = await runCli(['report', run], { cwd: folder });
    expect(code).toBe(2);
    expect(stderr).toMatch(/RUN_FOLDER_INVALID .*segments\.jsonl:\d+ is no line/);
  });
});

describe('a run that is killed', () => {
  test('in virtual time is reported up to its last segment', async () => {
    const cli = new RunningCli(['run', 'sharding', '--duration', '10m'], { cwd: folder });
    await cli.untilStderr(/variant 1 of \d+ .*steady/);
    await until(async () => (await segments()).split('\n').length >= 6);
    cli.signal('SIGKILL');
    await cli.ended;
    const result = await reported(await onlyFolder());
    expect(result.status).toBe('interrupted');
    expect(result.variants.map(({ name, status }) => [name, status])).toEqual([['count=1', 'interrupted']]);
    expect(result.variants[0]?.workloads[0]?.stages[0]?.totals.planned).toBeGreaterThan(10_000);
    expect(result.target.notes.join()).toMatch(/known up to [\d,]+ s of 610 s/);
  });

  test('on a wall clock is reported up to its last second, with the variant that was done before', async () => {
    const args = ['--target', server.url, '--rate-factor', '0.05', '--no-discard', '--duration', '4s'];
    const cli = new RunningCli(['run', 'sharding', '--set', 'count=1,2', ...args], { cwd: folder });
    await cli.untilStderr(/variant 1 of 2/);
    await until(async () => /"kind":"end"[^]+("kind":"segment"[^]+){3}/.test(await segments()));
    cli.signal('SIGKILL');
    await cli.ended;
    const result = await reported(await onlyFolder());
    expect(result.variants.map(({ name, status }) => [name, status])).toEqual([
      ['count=1', 'complete'],
      ['count=2', 'interrupted'],
    ]);
    // The first one stands in the record: what segments do not know is there.
    expect(result.variants.map(({ resources }) => resources.length > 0)).toEqual([true, false]);
    expect(result.variants[1]?.workloads[0]?.stages[0]?.totals.outcomes.ok).toBeGreaterThan(0);
  });

  async function segments(): Promise<string> {
    return readFile(join(await onlyFolder(), 'segments.jsonl'), 'utf8');
  }
});

test('two simulated runs leave equal files, save what lies under an environment', async () => {
  for (const out of ['one', 'two']) await runCli([...short, '--out', out], { cwd: folder });
  const [one, two] = [await filesOf(await onlyFolder('one')), await filesOf(await onlyFolder('two'))];
  expect([...one.keys()]).toEqual([
    'hlog/1-placeOrder.hlog',
    'hlog/1-readPending.hlog',
    'hlog/2-placeOrder.hlog',
    'hlog/2-readPending.hlog',
    'segments.jsonl',
  ]);
  expect(one).toEqual(two);
});

test('histogram logs are read by another HdrHistogram, and hold the ok responses of the measured stages', async () => {
  await runCli(short, { cwd: folder });
  const run = await onlyFolder();
  const log = await readFile(join(run, 'hlog', '1-placeOrder.hlog'), 'utf8');
  expect(log).toContain('#[StartTime: 1767225600.000 (seconds since epoch), 2026-01-01T00:00:00.000Z]');
  expect(log).toMatch(/\nTag=warm-up,0\.000,/);
  const reader = new HistogramLogReader(log, 64);
  let measured = 0;
  let highest = 0;
  for (let interval = reader.nextIntervalHistogram(); interval; interval = reader.nextIntervalHistogram()) {
    if (interval.tag === 'warm-up') continue;
    measured += interval.totalCount;
    highest = Math.max(highest, interval.maxValue);
  }
  const response = (await reported(run)).variants[0]?.workloads[0]?.measured.response.ok;
  expect(measured).toBe(response?.count);
  expect(Math.abs(highest / (response?.maxUs ?? 0) - 1)).toBeLessThan(0.001);
});

const canMount = process.platform === 'linux' && process.getuid?.() === 0 && tryMount();

describe.skipIf(!canMount)('on a small disk', () => {
  let disk = '';
  afterEach(() => execFileSync('umount', [disk]));

  async function mount(kilobytes: number): Promise<void> {
    disk = join(folder, 'disk');
    await mkdir(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', disk]);
  }

  test('that is full, a run ends before load starts', async () => {
    await mount(64);
    const { code, stdout, stderr } = await runCli([...short, '--out', disk], { cwd: folder });
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toMatch(/RUN_FOLDER_UNWRITABLE .*disk[^]*ENOSPC/);
  });

  test('that fills up, a run prints its whole report, a warning, and ends with exit code 3', async () => {
    await mount(300);
    const { code, stdout, stderr } = await runCli(['run', 'sharding', '--out', disk], { cwd: folder });
    expect(code).toBe(3);
    expect(stdout).toContain('count=10');
    expect(stdout).toMatch(/Verdict/);
    expect(stderr).toMatch(/RUN_FOLDER_UNWRITABLE [^]*ENOSPC/);
    const told = /(There is no \S+run\.json|run\.json holds (no variant yet|count=1(, count=\d+)*));/;
    expect(stderr).toMatch(told);
    expect(stdout).toMatch(/\nRecord: incomplete\. /);
    expect(stdout.slice(stdout.indexOf('\nRecord: '))).toMatch(told);
    expect((await readdir(disk, { recursive: true })).filter((name) => /\.(new|last)$/.test(name))).toEqual(
      [],
    );
  });
});

function tryMount(): boolean {
  try {
    execFileSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** All files save the record, which has tests of its own, without the line of the environment. */
async function filesOf(run: string): Promise<Map<string, string>> {
  const entries = await readdir(run, { recursive: true });
  const names = entries.filter((name) => /\.(hlog|jsonl)$/.test(name)).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(run, name), 'utf8')));
  return new Map(
    names.map((name, index) => [
      name.replaceAll('\\', '/'),
      texts[index]?.replace(/^{"kind":"environment".*\n/, '') ?? '',
    ]),
  );
}

/** Waits for something that a process does in its own time. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20));
}
