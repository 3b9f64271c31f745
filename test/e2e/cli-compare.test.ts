// Aim: a gate that CI can trust, from the command line. Method: simulated runs of two versions of a scenario,
// exact; then twenty live repeats against servers of known speed, two equal and one slower by 30 %. The three
// live runs go on at the same time, so that whatever else the machine does happens to all of them.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseRunResult } from '../../src/analysis/run-schema.ts';
import type { RunResult } from '../../src/analysis/run-result.ts';
import { type CliResult, removeFolder, runCli, runFolders, temporaryFolder } from '../support/cli.ts';
import { type SlowServer, startSlowServer } from '../support/slow-server.ts';

interface ScenarioWishes {
  readonly noteSize: string;
  readonly rate?: number;
  readonly duration?: string;
  readonly variants?: string;
  readonly goal?: string;
}

function scenarioText({
  noteSize,
  rate = 200,
  duration = '2s',
  variants = '[1]',
  goal = '',
}: ScenarioWishes): string {
  return `import { defineScenario, filler, put } from 'dyno-load';
export default defineScenario({
  question: 'What does an order cost?',
  parameters: { version: ${variants} },
  tables: () => ({ keys: { partition: 'PK' } }),
  stages: [{ name: 'steady', duration: '${duration}' }],
  thresholds: { ${goal} },
  workloads: () => ({
    placeOrder: put({ rate: ${rate}, item: ({ seq }) => ({ PK: \`ORDER#\${seq}\`, note: filler('${noteSize}') }) }),
  }),
});
`;
}

let folder = '';
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => removeFolder(folder));

/** Writes a scenario of the name \`orders\` into a folder of its own, as two checkouts of one project would. */
async function writeScenario(version: string, wishes: ScenarioWishes): Promise<string> {
  await mkdir(join(folder, version), { recursive: true });
  await writeFile(join(folder, version, 'orders.ts'), scenarioText(wishes));
  return join(version, 'orders.ts');
}

const onlyFolder = async (out: string): Promise<string> => (await runFolders(folder, 'orders', out))[0] ?? '';

async function recordOf(run: string): Promise<RunResult> {
  return parseRunResult(JSON.parse(await readFile(join(folder, run, 'run.json'), 'utf8')));
}

describe('simulated: an item that grew past 1 KB', () => {
  let base = '';
  let head = '';

  beforeAll(async () => {
    const before = await writeScenario('main', { noteSize: '700 B' });
    const after = await writeScenario('branch', { noteSize: '1100 B' });
    await runCli(['run', before, '--out', 'base'], { cwd: folder });
    await runCli(['run', after, '--out', 'head'], { cwd: folder });
    [base, head] = [await onlyFolder('base'), await onlyFolder('head')];
  });

  test.each([[[]], [['--fail-on', 'any']], [['--fail-on', 'placeOrder.writeUnitsPerOperation > 0']]])(
    'compare %j fails with 1 and names metric, before and after',
    async (rules) => {
      const { code, stdout, stderr } = await runCli(['compare', base, head, ...rules], { cwd: folder });
      expect(stdout).toContain(
        'placeOrder.writeUnitsPerOperation of version=1: 1 unit before, 2 units after (+100 %)',
      );
      expect(stdout).toContain('FAIL');
      expect(stderr).toBe('');
      expect(code).toBe(1);
    },
  );

  test.each([
    ['itself', [], 0],
    ['itself, any difference', ['--fail-on', 'any'], 0],
  ])('a run against %s shows no difference', async (_, rules, exitCode) => {
    const { code, stdout } = await runCli(['compare', base, base, ...rules], { cwd: folder });
    expect(stdout).toMatch(/no difference in \d+ figures/);
    expect(code).toBe(exitCode);
  });

  test.each([
    ['p99 > 5', '"p99" does not name a workload and a metric', "write 'workload.metric > +10%'"],
    ['placeOrder.response.p99 > 5 kg', 'is a percentage of the value before', "write for example '> +10%'"],
  ])('"%s" is refused with the reason apart from the advice', async (rule, why, advice) => {
    const { code, stderr } = await runCli(['compare', base, head, '--fail-on', rule], { cwd: folder });
    const lines = stderr.trimEnd().split('\n');
    const lineWith = (text: string) => lines.findIndex((line) => line.includes(text));
    expect(stderr).toContain(`--fail-on "${rule}" cannot be read`);
    expect(lineWith(why)).toBeGreaterThan(-1);
    expect(lineWith(advice)).toBeGreaterThan(lineWith(why));
    expect(code).toBe(2);
  });

  test('a record that is not one is named by its path', async () => {
    await mkdir(join(folder, 'broken'), { recursive: true });
    await writeFile(join(folder, 'broken', 'run.json'), '{"schemaVersion": 1}');
    const { code, stderr } = await runCli(['compare', base, 'broken'], { cwd: folder });
    expect(stderr).toContain(`${join('broken', 'run.json')} is not the record of a run`);
    expect(code).toBe(2);
  });

  test('a folder of runs stands for the newest of them, and several names are told apart from spaces', async () => {
    await runCli(['run', join('main', 'orders.ts'), '--out', 'twice', '--seed', '1'], { cwd: folder });
    await runCli(['run', join('main', 'orders.ts'), '--out', 'twice'], { cwd: folder });
    const runs = await runFolders(folder, 'orders', 'twice');
    const many = await runCli(['run', join('main', 'orders.ts'), '--baseline', ...runs], { cwd: folder });
    expect(many.code).toBe(2);
    expect(many.stderr).toMatch(/orders\/\* may stand for several[^]*the newest is taken/);
    const parent = join('twice', 'orders');
    const args = ['run', join('main', 'orders.ts'), '--out', 'newest', '--baseline', parent];
    const { code, stderr, stdout } = await runCli(args, { cwd: folder });
    expect(stderr).toContain(`${parent} holds 2 runs; the newest is taken: `);
    expect(stdout).toContain('no difference in');
    expect(code).toBe(0);
    expect((await runCli(['compare', parent, parent], { cwd: folder })).code).toBe(0);
  });

  test('a rule that is kept passes, one on modelled latencies is inconclusive, a misspelt one is refused', async () => {
    const codes = await Promise.all(
      [
        'placeOrder.writeUnitsPerOperation > +100%',
        'placeOrder.response.p99 > +10%',
        'placeOrdr.response.p99 > 0',
        'p99 > 5',
      ].map(async (rule) => (await runCli(['compare', base, head, '--fail-on', rule], { cwd: folder })).code),
    );
    expect(codes).toEqual([0, 4, 2, 2]);
  });

  test('run --baseline compares after the run, and the gate decides the exit code', async () => {
    const files = ['--junit', 'out/junit.xml', '--markdown', 'out/report.md'];
    const summary = join(folder, 'summary.md');
    const args = ['run', join('branch', 'orders.ts'), '--out', 'again', '--baseline', base, ...files];
    const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary };
    const { code, stdout, stderr } = await runCli(args, { cwd: folder, env });
    expect(code).toBe(1);
    expect(stdout).toContain('fail on worse: missed');
    expect(stderr).toMatch(
      /^::error title=dyno-load%3A worse missed::placeOrder\.writeUnitsPerOperation of version=1: 1 unit before, 2 units after/m,
    );
    expect(await readFile(join(folder, 'out', 'junit.xml'), 'utf8')).toMatch(
      /<failure message="placeOrder\.writeUnitsPerOperation/,
    );
    const markdown = await readFile(join(folder, 'out', 'report.md'), 'utf8');
    expect(markdown).toContain('| **version=1** | placeOrder | writeUnitsPerOperation | 1 unit | 2 units |');
    expect(await readFile(summary, 'utf8')).toBe(markdown);
  });

  test('--json prints nothing but JSON, with the comparison apart from it', async () => {
    const compared = await runCli(['compare', base, head, '--json'], { cwd: folder });
    expect(JSON.parse(compared.stdout)).toMatchObject({ schemaVersion: 1, status: 'fail' });
    const args = ['run', join('main', 'orders.ts'), '--out', 'third', '--baseline', base, '--json'];
    const run = await runCli(args, { cwd: folder });
    expect(parseRunResult(JSON.parse(run.stdout)).scenario.name).toBe('orders');
    expect(run.stderr).toContain('no difference in');
    expect(run.code).toBe(0);
  });

  test.each([
    ['md', /^## dyno-load orders: pass/],
    ['junit', /^<\?xml/],
    ['csv', /^scenario,variant,repeat,workload,metric,unit,value,validity\r\n/],
    ['json', /^\{/],
    ['terminal', /^Target: simulated table/],
  ])('report --format %s', async (format, beginning) => {
    const { code, stdout } = await runCli(['report', base, '--format', format], { cwd: folder });
    expect(stdout).toMatch(beginning);
    expect(code).toBe(0);
  });

  test.each([
    [['run', 'main/orders.ts', '--repeat', '3'], '--repeat 3 on the simulated table'],
    [['run', 'main/orders.ts', '--fail-on', 'any'], '--fail-on without --baseline'],
    [['run', 'main/orders.ts', '--baseline', 'nowhere'], 'nowhere is not there, or cannot be read'],
  ])('%j is refused before anything runs', async (args, what) => {
    const { code, stdout, stderr } = await runCli([...args, '--out', 'refused'], { cwd: folder });
    expect(stderr).toContain(what);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });
});

describe('on a wall clock', () => {
  const servers: SlowServer[] = [];
  afterAll(() => Promise.all(servers.map((server) => server.stop())));

  async function server(delayMs: number): Promise<SlowServer> {
    const started = await startSlowServer(delayMs);
    servers.push(started);
    return started;
  }

  test('repeats are interleaved, each with fresh tables, after a run that is not recorded', async () => {
    const { url, created, tables } = await server(1);
    const scenario = await writeScenario('interleaved', {
      noteSize: '1 B',
      duration: '300ms',
      variants: '[1, 2]',
    });
    const args = ['run', scenario, '--target', url, '--repeat', '4', '--out', 'interleaved-runs'];
    const { stdout } = await runCli(args, { cwd: folder });
    const { variants, environment } = await recordOf(await onlyFolder('interleaved-runs'));
    const order = variants.map((variant) => variant.name);
    // A B B A, then B A A B.
    const [first, second] = order;
    expect(order.slice(0, 4)).toEqual([first, second, second, first]);
    expect(order.slice(4)).toEqual([second, first, first, second]);
    expect(new Set([first, second])).toEqual(new Set(['version=1', 'version=2']));
    expect(variants.map((variant) => variant.repeat)).toEqual([0, 0, 1, 1, 2, 2, 3, 3]);
    expect(environment.repetition).toEqual({
      repeats: 4,
      order,
      discarded: { variant: 'version=1', durationUs: 300_000 },
    });
    // One table for each of the eight runs and for the discarded one, and none left.
    expect(created).toHaveLength(9);
    expect(new Set(created).size).toBe(2);
    await expect.poll(() => tables.size).toBe(0);
    expect(stdout).toContain('Repeats (lowest – median – highest');
  });

  test('--no-discard runs nothing else', async () => {
    const { url, created } = await server(1);
    const scenario = await writeScenario('plain', { noteSize: '1 B', duration: '300ms' });
    const args = ['run', scenario, '--target', url, '--no-discard', '--out', 'plain-runs'];
    await runCli(args, { cwd: folder });
    expect(created).toHaveLength(1);
    expect((await recordOf(await onlyFolder('plain-runs'))).environment.repetition?.discarded).toBeNull();
  });

  test('goals that a server cannot measure leave the decision to the comparison', async () => {
    const { url } = await server(1);
    const wishes = { noteSize: '1 B', duration: '600ms', goal: "'placeOrder.throttledRatio': '< 0.1%'" };
    const scenario = await writeScenario('unmeasurable', wishes);
    const args = ['run', scenario, '--target', url, '--repeat', '2', '--out'];
    expect((await runCli([...args, 'goals-before'], { cwd: folder })).code).toBe(4);
    const parent = join('goals-before', 'orders');
    const junit = join(folder, 'goals.xml');
    const against = ['--baseline', parent, '--fail-on', 'placeOrder.writeUnitsPerOperation > 0'];
    const held = [...args, 'goals-after', ...against, '--junit', junit];
    const { code, stdout, stderr } = await runCli(held, { cwd: folder });
    expect(stdout).toContain('fail on placeOrder.writeUnitsPerOperation > 0: met');
    expect(stderr).toContain('so the comparison decides');
    expect(code).toBe(0);
    expect(await readFile(junit, 'utf8')).toMatch(/^<testsuites [^>]*failures="0" errors="0"/m);
    // Asked for by name, the goals decide.
    expect((await runCli([...held, '--gate'], { cwd: folder })).code).toBe(4);
  });

  test('20 live repeats: equal servers raise no false failure, one slower by 30 % fails', async () => {
    const scenario = await writeScenario('live', { noteSize: '1 B', duration: '600ms' });
    const run = async (name: string, delayMs: number): Promise<CliResult> => {
      const { url } = await server(delayMs);
      return runCli(['run', scenario, '--target', url, '--repeat', '20', '--out', name], { cwd: folder });
    };
    const ends = await Promise.all([run('before', 20), run('equal', 20), run('slower', 26)]);
    for (const { stdout } of ends) expect(stdout).toContain('Record: ');
    const [before, equal, slower] = await Promise.all(['before', 'equal', 'slower'].map(onlyFolder));
    const compare = (head: string | undefined, ...rules: string[]) =>
      runCli(['compare', before ?? '', head ?? '', ...rules], { cwd: folder });

    // Equal or not to be told, but never a failure; by its median surely equal.
    const same = await compare(equal);
    expect([0, 4]).toContain(same.code);
    const median = ['--fail-on', 'placeOrder.service.p50 > +10%'];
    const sameMedian = await compare(equal, ...median);
    expect(sameMedian).toMatchObject({ code: 0 });

    const worse = await compare(slower);
    expect(worse).toMatchObject({ code: 1 });
    expect(worse.stdout).toMatch(
      /placeOrder\.service\.p50 of version=1: 2\d(\.\d+)? ms before, 2\d(\.\d+)? ms after/,
    );
    const worseMedian = await compare(slower, ...median);
    expect(worseMedian).toMatchObject({ code: 1 });
  }, 120_000);
});
