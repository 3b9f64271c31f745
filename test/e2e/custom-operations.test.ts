// Aim: the user's own data layer is driven and counted like any other load: what the client counts is what
// the server counts, throttles have their reasons, and what goes wrong in the user's code is said and ends
// nothing else. Method: the built command with scenarios of a few lines against our own server in this
// process, which tells of each request; and ElectroDB against Dynoxide, which is none of ours.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunResult, WorkloadResult } from '../../src/analysis/run-result.ts';
import { resourceName } from '../../src/dynamodb/table-spec.ts';
import type { FinishedRequest } from '../../src/serve/finished-request.ts';
import { type RunningServer, startServer } from '../../src/serve/start-server.ts';
import {
  type CliResult,
  onlyRecord,
  packageRoot,
  removeFolder,
  runCli,
  RunningCli,
  temporaryFolder,
} from '../support/cli.ts';
import { startDynoxide } from '../support/independent-servers.ts';
import { tableNames } from '../support/tables.ts';

let folder = '';
let server: RunningServer | undefined;
/** Requests to tables of the run; those that ask who the server is go elsewhere. */
let finished: FinishedRequest[] = [];

beforeEach(async () => {
  folder = await temporaryFolder();
  finished = [];
});
afterEach(async () => {
  await server?.stop();
  server = undefined;
  await removeFolder(folder);
});

/** A server whose limits are `throughputScale` times those of DynamoDB. */
async function serve(throughputScale = 1): Promise<RunningServer> {
  server = await startServer({
    version: 'test',
    throughputScale,
    onFinished: (one) => {
      if (JSON.stringify(one.request?.input ?? '').includes('-main-')) finished.push(one);
    },
  });
  return server;
}

/** A scenario with one custom workload named `w`, over two seconds. */
async function scenarioOf(workload: string, more = ''): Promise<string> {
  const text = `
import { custom, defineScenario } from 'dyno-load';
export default defineScenario({
  question: 'What does our own code do?',
  tables: () => ({ keys: { partition: 'PK' }, indexes: { byState: { partition: 'state' } } }),
  stages: [{ name: 'steady', duration: '2s' }],
  workloads: () => ({ w: custom({ ${workload} }) }),
  ${more}
});
`;
  await writeFile(join(folder, 'own.ts'), text);
  return 'own.ts';
}

interface Ended {
  readonly end: CliResult;
  readonly result: RunResult;
  readonly w: WorkloadResult;
}

async function run(scenario: string, url: string, ...more: string[]): Promise<Ended> {
  const end = await runCli(['run', scenario, '--target', url, '--no-discard', ...more], { cwd: folder });
  const result = await onlyRecord(folder, 'own').catch((cause: unknown) => {
    throw new Error(`no record: ${end.stderr}${end.stdout}`, { cause });
  });
  const w = result.variants[0]?.workloads[0];
  if (w === undefined) throw new Error(`no workload in the record: ${end.stderr}`);
  return { end, result, w };
}

/** Units by table and index as the server has them. */
function serverUnits(): Record<string, { readUnits: number; writeUnits: number }> {
  const units: Record<string, { readUnits: number; writeUnits: number }> = {};
  const add = (resource: string, more: { readUnits: number; writeUnits: number }) => {
    const sum = (units[resource] ??= { readUnits: 0, writeUnits: 0 });
    sum.readUnits += more.readUnits;
    sum.writeUnits += more.writeUnits;
  };
  for (const { outcome } of finished) {
    if (outcome.kind !== 'ok' && outcome.kind !== 'partial') continue;
    for (const { tableName, table, globalIndexes = {} } of outcome.consumed) {
      add(tableName, table);
      for (const [name, one] of Object.entries(globalIndexes)) add(resourceName(tableName, name), one);
    }
  }
  return units;
}

const serverCount = (kind: string) => finished.filter(({ outcome }) => outcome.kind === kind).length;
const unitsOf = ({ measured }: WorkloadResult) =>
  Object.fromEntries(measured.units.map(({ resource, ...units }) => [resource, units]));

/** Puts, gets and batches through the document client that `setup` is given. */
const mixed = `
    rate: 100,
    setup: async ({ documentClient, tableName }) => {
      const { BatchWriteCommand, GetCommand, PutCommand } = await import(LIB);
      const TableName = tableName();
      return {
        put: (Item) => documentClient.send(new PutCommand({ TableName, Item })),
        get: (PK) => documentClient.send(new GetCommand({ TableName, Key: { PK } })),
        batch: (items) => documentClient.send(new BatchWriteCommand({
          RequestItems: { [TableName]: items.map((Item) => ({ PutRequest: { Item } })) },
        })),
      };
    },
    run: async (orders, { seq }) => {
      await orders.put({ PK: 'a' + seq, state: 'NEW', filler: 'x'.repeat(1500) });
      await orders.get('a' + seq);
      if (seq % 10 === 0) await orders.batch([{ PK: 'b' + seq }, { PK: 'c' + seq }]);
    },`.replace('LIB', JSON.stringify(import.meta.resolve('@aws-sdk/lib-dynamodb')));

describe('what a custom workload sends', () => {
  test('is counted as the server counts it, to the unit', async () => {
    const { url } = await serve();
    const { w } = await run(await scenarioOf(mixed), url);
    expect(w.measured.outcomes).toMatchObject({ ok: 200, throttled: 0, failed: 0 });
    expect(w.measured.requests).toBe(finished.length);
    expect(finished).toHaveLength(200 + 200 + 20);
    expect(w.steps.map(({ label, requests }) => [label, requests])).toEqual([
      ['PutItem', 200],
      ['GetItem', 200],
      ['BatchWriteItem', 20],
    ]);
    expect([w.measured.itemsReturned, w.measured.itemsSent]).toEqual([200, 40]);
    expect(unitsOf(w)).toEqual(serverUnits());
    expect(w.metrics['requestsPerOperation']).toBe(420 / 200);
  });

  test('is throttled with reason and resource, as the server says', async () => {
    // A hundredth of 1,000 write units a second for the one key of the index, which has some burst.
    const { url } = await serve(0.01);
    const { w, result } = await run(await scenarioOf(mixed), url);
    expect(w.measured.outcomes.throttled).toBeGreaterThan(50);
    expect(w.measured.outcomes.throttled + w.measured.outcomes.ok).toBe(200);
    expect(w.measured.throttledRequests).toBe(serverCount('throttled'));
    expect(w.measured.requests).toBe(finished.length);
    expect(unitsOf(w)).toEqual(serverUnits());
    const [throttle] = w.measured.throttles;
    expect(throttle?.reason).toMatch(/^(Index|Table)WriteKeyRangeThroughputExceeded$/);
    expect(throttle?.resource).toMatch(/-main-/);
    const index = result.variants[0]?.resources.find(({ indexName }) => indexName === 'byState');
    expect(index?.keys[0]).toMatchObject({ key: 'NEW', requests: 200 });
  });

  test('is retried by the SDK where the scenario says so, each attempt counted', async () => {
    const { url } = await serve(0.01);
    const { w } = await run(await scenarioOf(`${mixed} retry: 'sdk', timeout: '30s'`), url);
    expect(w.measured.requests).toBe(finished.length);
    expect(w.measured.throttledRequests).toBe(serverCount('throttled'));
    // Attempts beyond the first: more requests were throttled than operations.
    expect(w.measured.throttledRequests).toBeGreaterThan(w.measured.outcomes.throttled);
    expect(w.measured.outcomes.throttled + w.measured.outcomes.ok).toBe(200);
  });

  test('is counted from a client of their own, once instrumented', async () => {
    const { url } = await serve();
    const own = `
    rate: 50,
    setup: ({ client, endpoint, tableName, instrument }) => {
      const Theirs = client.constructor;
      const theirs = new Theirs({
        endpoint: endpoint.url,
        region: endpoint.region,
        credentials: { accessKeyId: 'dynoload', secretAccessKey: 'dynoload' },
      });
      instrument(theirs);
      return { theirs: instrument(theirs), PutItemCommand: LIB.PutItemCommand, TableName: tableName('main') };
    },
    run: ({ theirs, PutItemCommand, TableName }, { seq }) =>
      theirs.send(new PutItemCommand({ TableName, Item: { PK: { S: 'a' + seq } } })),`.replace(
      'LIB',
      `process.getBuiltinModule('node:module').createRequire(${JSON.stringify(import.meta.url)})('@aws-sdk/client-dynamodb')`,
    );
    const { w } = await run(await scenarioOf(own), url);
    expect(w.measured.outcomes.ok).toBe(100);
    expect(w.measured.requests).toBe(100);
    expect(finished).toHaveLength(100);
    expect(unitsOf(w)).toEqual(serverUnits());
  });

  test('many at once belong to their operation, without a warning of Node', async () => {
    const { url } = await serve();
    const fanOut = mixed.replace(
      /run: async[^]*$/,
      `run: (orders, { seq }) => Promise.all(Array.from({ length: 20 }, (_, n) => orders.put({ PK: seq + '-' + n }))),`,
    );
    const { w, end } = await run(await scenarioOf(fanOut.replace('rate: 100', 'rate: 5')), url);
    expect(w.metrics['requestsPerOperation']).toBe(20);
    expect(w.measured.requests).toBe(200);
    expect(end.stderr).not.toMatch(/Warning/);
  });
});

describe('the user’s own code', () => {
  test('that throws by itself fails its operation, and the run goes on', async () => {
    const { url } = await serve();
    const throwing = mixed.replace(
      'run: async (orders, { seq }) => {',
      '$& if (seq % 4 === 0) throw new TypeError("no such order");',
    );
    const { w, end } = await run(await scenarioOf(throwing), url);
    expect(w.measured.outcomes).toMatchObject({ ok: 150, failed: 50 });
    expect(w.errors).toMatchObject([
      {
        code: 'ScenarioThrew',
        count: 50,
        messages: Array.from({ length: 5 }, () => ({ message: 'TypeError: no such order' })),
      },
    ]);
    expect(end.stdout).toContain('ScenarioThrew');
  });

  test('that throws in setup ends the command with the place, and leaves no table', async () => {
    const { url } = await serve();
    const scenario = await scenarioOf(
      `rate: 1, setup: () => { throw new RangeError('no model'); }, run: async () => 1`,
    );
    const { code, stderr } = await runCli(['run', scenario, '--target', url], { cwd: folder });
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /SCENARIO_FUNCTION_THREW {2}setup of workload "w" threw RangeError: no model\n {2}why: thrown at .*own\.ts:\d+:\d+/,
    );
    expect(await tableNames(url)).toEqual([]);
  });

  test('that writes to a table of somebody else ends the run before anything is sent', async () => {
    const { url } = await serve();
    const foreign = mixed.replace(
      'const TableName = tableName();',
      `const TableName = 'not-main-of-this-run';`,
    );
    const scenario = await scenarioOf(foreign);
    const { code, stderr } = await runCli(['run', scenario, '--target', url, '--no-discard'], {
      cwd: folder,
    });
    expect(code).toBe(5);
    expect(stderr).toMatch(/REFUSED_WRITE .*not-main-of-this-run/);
    expect(finished.filter(({ api }) => api !== 'GetItem')).toEqual([]);
  });

  test.skipIf(process.platform === 'win32')(
    'is told of Ctrl-C, and the command ends at once',
    { retry: 2 },
    async () => {
      const { url } = await serve();
      const waiting = `
    rate: 10,
    setup: () => 0,
    run: (_, { signal }) => new Promise((resolve) => {
      signal.addEventListener('abort', () => { console.error('told of the end'); resolve(0); });
    }),`;
      const scenario = await scenarioOf(waiting);
      const cli = new RunningCli(['run', scenario, '--target', url, '--no-discard', '--duration', '10m'], {
        cwd: folder,
      });
      await cli.untilStderr(/variant 1 of 1 .*steady/);
      const sentMs = performance.now();
      cli.signal('SIGINT');
      const { code, stderr, stdout } = await cli.ended;
      expect(performance.now() - sentMs).toBeLessThan(3_000);
      expect(code).toBe(130);
      expect(stderr).toContain('told of the end');
      expect(stdout).toContain('INTERRUPTED');
      expect(await tableNames(url)).toEqual([]);
    },
  );
});

describe('ElectroDB', () => {
  const scenario = join(packageRoot, 'test', 'types', 'accepted', 'own-data-layer.ts');
  const short = ['--no-discard', '--duration', '2s', '--json'];

  // A machine that others keep busy drops much of the load: then it is tried again.
  const timed = { retry: 2 };

  test('runs against --target serve', timed, async () => {
    const { stdout } = await runCli(['run', scenario, '--target', 'serve', ...short], { cwd: folder });
    expectOrders(JSON.parse(stdout) as RunResult); // The schema of --json has its own test.
  });

  test('runs against Dynoxide', timed, async (context) => {
    const other = await startDynoxide();
    if ('unavailable' in other) return context.skip(other.unavailable);
    const { stdout } = await runCli(['run', scenario, '--target', other.url, ...short], { cwd: folder });
    await other.stop();
    expectOrders(JSON.parse(stdout) as RunResult);
  });

  /** Each order is one put of under 1 KB on the table and one on the index of states, all on one key there. */
  function expectOrders({ variants }: RunResult): void {
    const [variant] = variants;
    const create = variant?.workloads[0];
    expect(create?.measured.planned).toBe(400);
    const { ok = 0, dropped = 0, timedOut = 0 } = create?.measured.outcomes ?? {};
    expect(ok + dropped + timedOut).toBe(400);
    expect(ok).toBeGreaterThan(200);
    expect(create?.steps.map(({ label }) => label)).toEqual(['PutItem']);
    expect(create?.metrics).toMatchObject({ requestsPerOperation: 1, writeUnitsPerOperation: 2 });
    const [, index] = variant?.resources ?? [];
    expect(index?.keys[0]?.key).toBe('$shop#status_pending');
  }
});
