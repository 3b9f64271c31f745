// Aim: several workers do what one does, as the server sees it, and whatever becomes of a worker the run ends
// with all that was measured.
// Method: the built command with scenarios of a few lines against our own server in this process, which tells
// of each request.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunResult, WorkloadResult } from '../../src/analysis/run-result.ts';
import { parseRunResult } from '../../src/analysis/run-schema.ts';
import type { FinishedRequest } from '../../src/serve/finished-request.ts';
import { type RunningServer, startServer } from '../../src/serve/start-server.ts';
import {
  type CliResult,
  onlyRecord,
  packageRoot,
  removeFolder,
  runCli,
  RunningCli,
  runFolders,
  temporaryFolder,
} from '../support/cli.ts';
import { tableNames } from '../support/tables.ts';

let folder = '';
let server: RunningServer;
/** Requests to tables of the run. */
let finished: FinishedRequest[] = [];

beforeEach(async () => {
  folder = await temporaryFolder();
  finished = [];
  server = await startServer({
    version: 'test',
    onFinished: (one) => {
      if (JSON.stringify(one.request?.input ?? '').includes('-main-')) finished.push(one);
    },
  });
});
afterEach(async () => {
  await server.stop();
  await removeFolder(folder);
});

const stages =
  "stages: [{ name: 'warm-up', duration: '1s', measured: false }, { name: 'steady', duration: '2s' }],";
const put = `w: put({ rate: 100, item: ({ seq }) => ({ PK: \`k\${seq % 7}\`, SK: \`s\${seq}\` }) }),`;

const documentLibrary = join(packageRoot, 'node_modules/@aws-sdk/lib-dynamodb/dist-cjs/index.js');

/** Writes a scenario. @param head  what stands before it in the file */
async function scenarioOf(workloads: string, { head = '', more = stages } = {}): Promise<void> {
  const text = `
import { custom, defineScenario, put } from 'dyno-load';
import { isMainThread, threadId } from 'node:worker_threads';
${head}
export default defineScenario({
  question: 'Who does what?',
  tables: () => ({ keys: { partition: 'PK', sort: 'SK' } }),
  ${more}
  workloads: () => ({ ${workloads} }),
});
`;
  await writeFile(join(folder, 'shared.ts'), text);
}

const runArgs = (workers: number, ...more: string[]): string[] => [
  'run',
  './shared.ts',
  '--target',
  server.url,
  '--no-discard',
  '--workers',
  String(workers),
  ...more,
];

async function runWith(workers: number, ...more: string[]): Promise<CliResult & { result: RunResult }> {
  const end = await runCli(runArgs(workers, ...more), { cwd: folder });
  const result = await onlyRecord(folder, 'shared');
  await removeFolder(join(folder, 'reports'));
  return { ...end, result };
}

function workloadsOf(result: RunResult): WorkloadResult[] {
  return result.variants[0]?.workloads ?? [];
}

async function segments(): Promise<string> {
  const [run = ''] = await runFolders(folder, 'shared');
  return readFile(join(folder, run, 'segments.jsonl'), 'utf8');
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 50));
}

/** All items that were put, in order. */
function itemsPut(): string[] {
  return finished
    .flatMap(({ request }) => (request?.api === 'PutItem' ? [JSON.stringify(request.input.Item)] : []))
    .sort();
}

describe('the operations of an open loop', () => {
  test('are the same for one worker and for three, and so is what is counted', async () => {
    await scenarioOf(
      `${put} p: put({ rate: { poisson: 40 }, item: ({ seq, random }) => ({ PK: \`p\${random.int(9)}\`, SK: \`\${seq}\` }) }),`,
    );
    const one = await runWith(1);
    const items = itemsPut();
    finished = [];
    const three = await runWith(3);
    expect(items.length).toBeGreaterThan(380);
    expect(itemsPut()).toEqual(items);
    const totals = ({ result }: { result: RunResult }) =>
      workloadsOf(result).map(({ name, stages: recorded, series }) => ({
        name,
        counts: recorded.map(({ totals: { planned, outcomes, units } }) => ({
          planned,
          outcomes,
          // The table has another name each time.
          writeUnits: units.map(({ writeUnits }) => writeUnits),
        })),
        // A row more where answers came after the last second.
        planned: series.planned.slice(0, 3),
      }));
    expect(totals(three)).toEqual(totals(one));
    expect(
      workloadsOf(three.result).reduce(
        (sum, w) => sum + w.stages.reduce((all, s) => all + s.totals.planned, 0),
        0,
      ),
    ).toBe(items.length);
    expect(one.result.environment.workers).toEqual({ count: 1, why: 'as asked for' });
    expect(three.result.environment.workers?.count).toBe(3);
    expect(three.result.variants[0]?.generatorHealth.workers).toHaveLength(3);
    expect(three.result.status).toBe('complete');
    expect(three.stderr).toContain('Load is made by 3 worker threads: as asked for');
    expect(await tableNames(server.url)).toEqual([]);
  });

  test('run for each variant and repeat, after a run that is discarded', async () => {
    await scenarioOf(put, { more: `parameters: { a: [1, 2] }, ${stages}` });
    const args = runArgs(2, '--repeat', '2', '--duration', '1s').filter((one) => one !== '--no-discard');
    await runCli(args, { cwd: folder });
    const result = await onlyRecord(folder, 'shared');
    expect(result.variants.map(({ status }) => status)).toEqual(Array.from({ length: 4 }, () => 'complete'));
    for (const { workloads } of result.variants)
      expect(workloads[0]?.stages.map(({ totals }) => totals.outcomes.ok)).toEqual([100, 100]);
  });
});

describe('the user’s own code', () => {
  test('is set up once in each worker, and counted as one', async () => {
    await scenarioOf(`c: custom({
      rate: 30,
      setup: async ({ documentClient, tableName }) => {
        const { PutCommand } = await import('${documentLibrary}');
        const put = (SK) => documentClient.send(new PutCommand({ TableName: tableName(), Item: { PK: 'x', SK } }));
        await put(\`setup\${threadId}\`);
        return put;
      },
      run: (put, { seq }) => put(\`run\${seq}\`),
    }),`);
    const { result } = await runWith(2);
    const items = itemsPut();
    expect(items.filter((item) => item.includes('setup'))).toHaveLength(2);
    expect(items.filter((item) => item.includes('run'))).toHaveLength(90);
    expect(workloadsOf(result)[0]?.stages.map(({ totals }) => totals.outcomes.ok)).toEqual([30, 60]);
  });

  test('that names a table of others in one worker is refused there, and the run ends', async () => {
    await scenarioOf(`c: custom({
      rate: 50,
      setup: async ({ documentClient, tableName }) => {
        const { PutCommand } = await import('${documentLibrary}');
        return (seq) => documentClient.send(new PutCommand({
          TableName: seq === 201 ? 'theirs-main-' : tableName(),
          Item: { PK: 'x', SK: \`\${seq}\` },
        }));
      },
      run: (put, { seq }) => put(seq),
    }),`);
    const { code, stderr, result } = await runWith(2, '--duration', '10m');
    expect(code).toBe(5);
    expect(stderr).toMatch(/REFUSED_WRITE .*theirs-main-/);
    expect(finished.some((one) => JSON.stringify(one.request?.input).includes('theirs'))).toBe(false);
    // Of those before, some may not have been over yet.
    expect(workloadsOf(result)[0]?.stages[0]?.totals.outcomes.ok).toBeGreaterThan(25);
  });
});

describe('what ends a run of workers', () => {
  const long = ['--duration', '10m'];
  // A second is long for what is to be done, and short on a machine that others keep busy: then it is tried again.
  const timed = { retry: 2 };
  const underLoad = /variant 1 of 1 .*steady/;
  // On Windows a signal ends a process without asking it.
  const isDeaf = process.platform === 'win32';

  test.skipIf(isDeaf)(
    'Ctrl-C: a partial report within a second or two, and no table left',
    timed,
    async () => {
      await scenarioOf(put);
      const cli = new RunningCli(runArgs(2, ...long), { cwd: folder });
      await cli.untilStderr(underLoad);
      const sentMs = performance.now();
      cli.signal('SIGINT');
      const end = await cli.ended;
      expect(performance.now() - sentMs).toBeLessThan(2_000);
      expect(end.code).toBe(130);
      const result = await onlyRecord(folder, 'shared');
      expect(result.status).toBe('interrupted');
      const [workload] = workloadsOf(result);
      const started = workload?.stages.reduce((sum, { totals }) => sum + totals.started, 0);
      // Every request that the server has seen is in the record.
      expect(started).toBeGreaterThanOrEqual(itemsPut().length);
      expect(itemsPut().length).toBeGreaterThan(100);
      expect(await tableNames(server.url)).toEqual([]);
    },
  );

  test('a worker that ends: what was measured is kept, the run is invalid, and the reason is told', async () => {
    await scenarioOf(`w: put({ rate: 100, item: ({ seq }) => {
      if (seq === 251 && !isMainThread) process.exit(7);
      return { PK: 'x', SK: \`\${seq}\` };
    } }),`);
    const { code, stderr, result } = await runWith(2, ...long);
    expect(code).toBe(3);
    expect(stderr).toContain('WORKER_LOST');
    expect(stderr).toContain('it ended with code 7');
    expect(result.status).toBe('interrupted');
    expect(result.variants[0]?.validity.status).toBe('invalid');
    expect(result.variants[0]?.validity.reasons.map((one) => one.code)).toContain('worker-lost');
    const planned = workloadsOf(result)[0]?.stages.reduce((sum, { totals }) => sum + totals.planned, 0) ?? 0;
    // All of the other worker, and of this one all but its last second.
    expect(planned).toBeGreaterThan(190);
    expect(await tableNames(server.url)).toEqual([]);
  });

  test.skipIf(isDeaf)('kill -9: the report is made of what was flushed', timed, async () => {
    await scenarioOf(put);
    const cli = new RunningCli(runArgs(2, ...long), { cwd: folder });
    await cli.untilStderr(underLoad);
    await until(async () => /("kind":"segment"[^]+){3}/.test(await segments()));
    cli.signal('SIGKILL');
    await cli.ended;
    const [run = ''] = await runFolders(folder, 'shared');
    const end = await runCli(['report', run, '--json'], { cwd: folder });
    const result = parseRunResult(JSON.parse(end.stdout));
    expect(result.status).toBe('interrupted');
    expect(result.environment.workers?.count).toBe(2);
    expect(result.target.notes.join()).toMatch(/known up to [\d,.]+ s of 601 s/);
    // The first second and the first of the measured ones, of both workers.
    expect(workloadsOf(result)[0]?.series.ok.slice(0, 2)).toEqual([100, 100]);
  });

  test('--max-cost: what all of them consumed together', async () => {
    await scenarioOf(put);
    // At 0.625 USD a million write units, 160 of them are as much.
    const { code, stderr, result } = await runWith(2, ...long, '--max-cost', '0.0001');
    expect(code).toBe(5);
    expect(stderr).toContain('REFUSED_MAX_COST');
    expect(result.status).toBe('interrupted');
    expect(itemsPut().length).toBeGreaterThanOrEqual(160);
  });

  test('the scenario’s own error, told once', async () => {
    await scenarioOf(`w: put({ rate: 100, item: ({ seq }) => {
      if (seq === 151 && !isMainThread) throw new Error('no more of this');
      return { PK: 'x', SK: \`\${seq}\` };
    } }),`);
    const { code, stderr, result } = await runWith(2);
    expect(code).toBe(2);
    expect(stderr.match(/no more of this/g)).toHaveLength(1);
    expect(stderr).toContain('operation 151 of workload "w" threw');
    // Of those before, some may not have been over yet.
    expect(workloadsOf(result)[0]?.stages[0]?.totals.outcomes.ok).toBeGreaterThan(50);
  });
});

describe('before anything is sent', () => {
  test('a scenario that is another one each time it is loaded is refused', async () => {
    await scenarioOf('w: put({ rate: 100, item: ({ seq }) => ({ PK: name, SK: `${seq}` }) }),', {
      head: 'const name = `run${Math.random()}`;',
    });
    const end = await runCli(runArgs(2), { cwd: folder });
    expect(end.code).toBe(2);
    expect(end.stderr).toContain('PLAN_DIFFERS');
    expect(end.stderr).toContain('operations of workload "w"');
    expect(finished).toEqual([]);
  });

  test.each([
    {
      name: 'on the simulated table',
      args: ['run', './shared.ts', '--workers', '2'],
      why: 'virtual time is one line of events',
    },
    { name: 'of none', args: ['run', './shared.ts', '--workers', '0'], why: 'a whole number, 1 or more' },
  ])('--workers $name is refused', async ({ args, why }) => {
    await scenarioOf(put);
    const end = await runCli(args, { cwd: folder });
    expect(end.code).toBe(2);
    expect(end.stderr).toContain(why);
  });

  test('--workers with a shadow is refused', async () => {
    await scenarioOf(put);
    const end = await runCli(runArgs(2, '--shadow-capacity'), { cwd: folder });
    expect(end.code).toBe(2);
    expect(end.stderr).toContain('in the order of time');
  });

  test('a folder that cannot be written ends the command, and its threads', async () => {
    await scenarioOf(put);
    await writeFile(join(folder, 'taken'), 'a file');
    const end = await runCli(runArgs(2, '--out', 'taken'), { cwd: folder });
    expect(end.code).toBe(3);
    expect(end.stderr).toContain('RUN_FOLDER_UNWRITABLE');
  });
});
