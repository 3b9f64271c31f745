// Aim: whoever stops a run early still gets a report and a readable record, at once, and no table is left
// behind. Method: signals to the built command in the middle of long runs, simulated and live; what should be
// gone is asked of the server.
import { createServer, request as httpRequest, type Server } from 'node:http';
import { writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type CliResult, onlyRecord, removeFolder, RunningCli, temporaryFolder } from '../support/cli.ts';
import { type IndependentServer, startDynalite } from '../support/independent-servers.ts';
import { tableNames } from '../support/tables.ts';

let folder = '';
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => removeFolder(folder));

// On Windows a signal ends a process without asking it.
const isDeaf = process.platform === 'win32';

// A second is long for what is to be done, and short on a machine that others keep busy: then it is tried again.
const timed = { retry: 2 };

const underLoad = /variant 1 of \d+ .*(warm-up|steady)/;

/** Sends a signal and waits for the end. */
async function stopped(
  cli: RunningCli,
  signal: NodeJS.Signals,
): Promise<CliResult & { readonly afterMs: number }> {
  const sentMs = performance.now();
  cli.signal(signal);
  const end = await cli.ended;
  return { ...end, afterMs: performance.now() - sentMs };
}

describe.skipIf(isDeaf)('a simulated run', () => {
  const long = ['run', 'sharding', '--duration', '10m'];

  test.each([
    { signal: 'SIGINT', code: 130 },
    { signal: 'SIGTERM', code: 143 },
  ] as const)(
    'ends on $signal within a second with a partial report and exit code $code',
    timed,
    async ({ signal, code }) => {
      const cli = new RunningCli(long, { cwd: folder });
      await cli.untilStderr(underLoad);
      const end = await stopped(cli, signal);
      expect(end.afterMs).toBeLessThan(1_000);
      expect(end.code).toBe(code);
      expect(end.stdout).toMatch(/^Target: simulated table[^]{1,150}INTERRUPTED/);
      expect(end.stdout).toContain('count=1');
      expect(end.stdout).toContain('Record: reports/sharding/');
      const result = await onlyRecord(folder, 'sharding');
      expect(result.status).toBe('interrupted');
      expect(result.variants.map(({ status }) => status)).toEqual(['interrupted']);
      expect(result.variants[0]?.workloads[0]?.stages[0]?.totals.planned).toBeGreaterThan(0);
      expect(result.verdict.status).toBe('inconclusive');
    },
  );
});

test.skipIf(isDeaf).each([
  { signal: 'SIGINT', code: 130 },
  { signal: 'SIGTERM', code: 143 },
] as const)(
  '$signal before anything is run ends in one line and exit code $code',
  async ({ signal, code }) => {
    // A module that never ends loading keeps the command in its start-up.
    await writeFile(
      join(folder, 'slow.mjs'),
      "process.stderr.write('loading\\n'); await new Promise((go) => setTimeout(go, 60_000));",
    );
    const cli = new RunningCli(['run', './slow.mjs'], { cwd: folder });
    await cli.untilStderr(/loading/);
    const end = await stopped(cli, signal);
    expect(end.code).toBe(code);
    expect(end.stdout).toBe('');
    expect(end.stderr).toBe(`loading\n${signal} before anything was run: nothing was measured.\n`);
  },
);

describe.skipIf(isDeaf)('a live run', () => {
  let server: IndependentServer;
  beforeAll(async () => {
    server = await startDynalite();
  });
  afterAll(() => server.stop());

  const long = ['--duration', '10m', '--rate-factor', '0.1'];

  test(
    'ends on SIGINT within a second with a partial report, exit code 130 and no table left',
    timed,
    async () => {
      const cli = new RunningCli(['run', 'sharding', '--target', server.url, ...long, '--no-discard'], {
        cwd: folder,
      });
      await cli.untilStderr(underLoad);
      const end = await stopped(cli, 'SIGINT');
      expect(end.afterMs).toBeLessThan(1_000);
      expect(end.code).toBe(130);
      expect(end.stdout).toMatch(/^Target: dynalite at [^]{1,150}INTERRUPTED/);
      const result = await onlyRecord(folder, 'sharding');
      expect(result.status).toBe('interrupted');
      expect(result.variants[0]?.workloads[0]?.stages[0]?.totals.outcomes.ok).toBeGreaterThan(0);
      expect(await tableNames(server.url)).toEqual([]);
    },
  );

  test('ends on SIGINT while items are put in place, and leaves no table', async () => {
    const cli = new RunningCli(['run', 'query-vs-scan', '--target', server.url], { cwd: folder });
    await cli.untilStderr(/preload orders [1-9]/);
    const end = await stopped(cli, 'SIGINT');
    expect(end.code).toBe(130);
    expect((await onlyRecord(folder, 'query-vs-scan')).status).toBe('interrupted');
    expect(await tableNames(server.url)).toEqual([]);
  });

  test(
    'that cannot delete its tables prints its report on SIGINT all the same, and names them',
    timed,
    async () => {
      const stuck = await proxyThatNeverDeletes(server.url);
      const cli = new RunningCli(['run', 'sharding', '--target', stuck.url, ...long, '--no-discard'], {
        cwd: folder,
      });
      await cli.untilStderr(underLoad);
      const sentMs = performance.now();
      cli.signal('SIGINT');
      await cli.untilStdout(/INTERRUPTED[^]*Record: /);
      expect(performance.now() - sentMs).toBeLessThan(1_000);
      const end = await cli.ended;
      expect(performance.now() - sentMs).toBeLessThan(5_000);
      expect(end.code).toBe(130);
      expect(end.stderr).toMatch(/Not deleted in [^]*: dyno-load-sharding-/);
      stuck.server.closeAllConnections();
      stuck.server.close();
    },
  );

  test('says what stopped it where the server went away, and not that its tables stay', async () => {
    const lost = await startDynalite();
    const args = ['--duration', '5s', '--rate-factor', '0.1', '--no-discard'];
    const cli = new RunningCli(['run', 'sharding', '--target', lost.url, ...args], { cwd: folder });
    await cli.untilStderr(/steady/);
    await lost.stop();
    const end = await cli.ended;
    expect(end.code).toBe(3);
    expect(end.stdout.replaceAll(/\s+/g, ' ')).toContain(
      'STOPPED BY AN ERROR: the target was lost while count=1',
    );
    expect(end.stdout).not.toContain('INTERRUPTED');
    expect(end.stderr).toMatch(/^TARGET_UNREACHABLE {2}the target was lost while count=1 ran/m);
    expect(end.stderr).toContain('Not deleted in ');
  });

  test('ends at once on a second SIGINT, with what was measured before written down', timed, async () => {
    const stuck = await proxyThatNeverDeletes(server.url);
    const args = ['--duration', '1s', '--set', 'count=1,2', '--rate-factor', '0.1', '--no-discard'];
    const cli = new RunningCli(['run', 'sharding', '--target', stuck.url, ...args], { cwd: folder });
    await stuck.asked; // The first variant is measured, and the request to delete its table hangs.
    cli.signal('SIGINT');
    const isOver = await Promise.race([cli.ended.then(() => true), pause(1_000).then(() => false)]);
    expect(isOver).toBe(false);
    const end = await stopped(cli, 'SIGINT');
    expect(end.afterMs).toBeLessThan(500);
    expect(end.code).toBe(130);
    expect(end.stderr).toMatch(/reports\/sharding\/\S+run\.json holds count=1;/);
    const result = await onlyRecord(folder, 'sharding');
    expect(result.status).toBe('interrupted');
    expect(result.variants.map(({ name, status }) => [name, status])).toEqual([['count=1', 'complete']]);
    stuck.server.closeAllConnections();
    stuck.server.close();
  });
});

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Passes everything on to a server, save DeleteTable, which gets no answer. */
async function proxyThatNeverDeletes(
  url: string,
): Promise<{ readonly url: string; readonly asked: Promise<void>; readonly server: Server }> {
  let heard: () => void;
  const asked = new Promise<void>((resolve) => {
    heard = resolve;
  });
  const server = createServer((request, answer) => {
    if (request.headers['x-amz-target']?.includes('DeleteTable')) return heard();
    const onward = httpRequest(url, { method: request.method, headers: request.headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 500, reply.headers);
      reply.pipe(answer);
    });
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // A TCP server's address is an object.
  return { url: `http://127.0.0.1:${port}`, asked, server };
}
