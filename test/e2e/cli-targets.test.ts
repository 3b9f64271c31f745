// Aim: the command that answers on the simulated table also drives real servers, says what they cannot show,
// and cleans up after itself.
// Method: dynalite and Dynoxide on free ports, the scenarios that ship, figures from run.json.
import { availableParallelism, loadavg } from 'node:os';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RunResult, StageTotals, VariantResult } from '../../src/analysis/run-result.ts';
import { onlyRecord, removeFolder, runCli, temporaryFolder, variantOf, workloadOf } from '../support/cli.ts';
import { type IndependentServer, startDynalite, startDynoxide } from '../support/independent-servers.ts';
import { tableNames } from '../support/tables.ts';

let folder = '';
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => removeFolder(folder));

/**
 * A tenth of the load on fewest and most shards; what lies between does nothing else to a server that does
 * not throttle.
 */
const tenth = ['--rate-factor', '0.1', '--duration', '5s', '--set', 'count=1,10'];

const measured = { retry: 2 };

/**
 * Reasons of a variant's validity, less our own delays where other programs keep the machine busy: then it is
 * rightly called suspect.
 */
function doubts({ validity }: VariantResult): readonly string[] {
  const isBusy = (loadavg()[0] ?? 0) > availableParallelism();
  const ours = ['generator-late', 'event-loop-delayed'];
  const reasons = validity.reasons.filter(
    ({ code, status }) => !(isBusy && status === 'suspect' && ours.includes(code)),
  );
  return reasons.map(({ status, text }) => `${status}: ${text}`);
}

describe.each([
  { name: 'dynalite', start: startDynalite },
  { name: 'Dynoxide', start: startDynoxide },
])('$name', ({ name, start }) => {
  let server: IndependentServer | undefined;
  let missing = '';

  beforeAll(async () => {
    const started = await start();
    if ('unavailable' in started) missing = started.unavailable;
    else server = started;
  });
  afterAll(() => server?.stop());

  test(
    'carries a tenth of the load of sharding.ts: valid, throttle goal not measurable',
    measured,
    async (context) => {
      if (server === undefined) return context.skip(missing);
      const end = await runCli(['run', 'sharding.ts', '--target', server.url, ...tenth], { cwd: folder });
      const result = await onlyRecord(folder, 'sharding');
      const notes = result.target.notes.join(' ');
      expect(notes).toContain('This server does not warm tables.');
      expect(notes).not.toMatch(/billed|--allow-warm-throughput/);
      expect(end.stdout.split('\n')[0]).toMatch(
        new RegExp(`^Target: ${name} at ${server.url}, wall-clock time`, 'i'),
      );
      expect(result.variants.map(doubts)).toEqual([[], []]);
      for (const variant of result.variants) {
        const { measured, metrics } = workloadOf(variant, 'placeOrder');
        expect(measured.planned).toBe(1_500);
        expect(measured.outcomes.ok).toBeGreaterThanOrEqual(0.99 * measured.planned);
        expect(metrics['response.p50']).toBeGreaterThan(0);
        const goal = variant.goals.find(({ metric }) => metric === 'throttledRatio');
        expect(goal?.status).toBe('notMeasurableHere');
      }
      expect(end.stdout).toContain('placeOrder.throttledRatio < 0.1%         –  ? not measurable here');
      expect(result.verdict.recommendedVariant).toBeNull();
      expect(end.stdout).not.toMatch(/recommended:|spread STATUS#PENDING over/);
      expect(end.stderr).not.toMatch(/NodeDeprecationWarning|AWS SDK/);
      expect(await tableNames(server.url)).toEqual([]);
    },
  );
});

test('the same answers from the simulator and from Dynoxide for query-vs-scan', async (context) => {
  const server = await startDynoxide();
  if ('unavailable' in server) return context.skip(server.unavailable);
  const args = ['run', 'query-vs-scan', '--duration', '3s', '--json'];
  const simulated = JSON.parse((await runCli(args, { cwd: folder })).stdout) as RunResult; // The schema of --json has its own test.
  const live = await runCli([...args, '--target', server.url, '--no-discard'], { cwd: folder });
  await server.stop();
  const real = JSON.parse(live.stdout) as RunResult;

  for (const how of ['query', 'query-filter']) {
    const name = `how=${how}, segments=1`;
    expect(perOperation(real, name)).toEqual(perOperation(simulated, name));
  }
  for (const name of ['how=scan-filter, segments=1', 'how=parallel-scan, segments=8']) {
    const [ours, theirs] = [perOperation(simulated, name), perOperation(real, name)];
    expect(theirs.returned).toBe(ours.returned);
    expect(Math.abs(theirs.scanned - ours.scanned)).toBeLessThanOrEqual(ours.pages);
    expect(Math.abs(theirs.readUnits - ours.readUnits)).toBeLessThanOrEqual(0.5 * ours.pages);
  }
});

interface Cost {
  readonly pages: number;
  readonly returned: number;
  readonly scanned: number;
  readonly readUnits: number;
}

/**
 * What one operation of a variant's only workload reads, on average over the measured stages: whole numbers
 * where all are alike.
 */
function perOperation(result: RunResult, variant: string): Cost {
  const totals: StageTotals = workloadOf(variantOf(result, variant), 'ask').measured;
  const operations = totals.outcomes.ok;
  expect(operations).toBeGreaterThan(0);
  expect(operations).toBe(totals.finished);
  const readUnits = totals.units.reduce((sum, units) => sum + units.readUnits, 0);
  return {
    pages: totals.requests / operations,
    returned: totals.itemsReturned / operations,
    scanned: totals.itemsScanned / operations,
    readUnits: readUnits / operations,
  };
}

describe('a server and', () => {
  let server: IndependentServer;
  beforeAll(async () => {
    server = await startDynalite();
  });
  afterAll(() => server.stop());

  // Thirty thousand a second: several times what one process of dynalite answers on any machine. At ten times
  // the rate of the run above, 3,000 a second, a quick machine still keeps up.
  test('far more load than it can answer: invalid, target saturated, exit code 4', async () => {
    const args = ['--rate-factor', '10', '--set', 'count=1', '--duration', '2s', '--no-discard'];
    const end = await runCli(['run', 'sharding', '--target', server.url, ...args], { cwd: folder });
    const { variants, verdict } = await onlyRecord(folder, 'sharding');
    const validity = variants[0]?.validity;
    expect(validity?.status).toBe('invalid');
    const saturated = validity?.reasons.find(({ code }) => code === 'target-saturated');
    expect(saturated?.advice).toMatch(/lower the rate \(--rate-factor\)/);
    expect(end.stdout).toMatch(/target is saturated by placeOrder/);
    expect(verdict.status).toBe('inconclusive');
    expect(end.code).toBe(4);
    expect(await tableNames(server.url)).toEqual([]);
  });

  test('--keep-tables: the tables stay, under names that say whose they are', async () => {
    const args = [
      '--rate-factor',
      '0.01',
      '--duration',
      '1s',
      '--set',
      'count=1,2',
      '--no-discard',
      '--keep-tables',
    ];
    await runCli(['run', 'sharding', '--target', server.url, ...args], { cwd: folder });
    const names = await tableNames(server.url);
    expect(names).toHaveLength(2);
    for (const name of names) expect(name).toMatch(/^dyno-load-sharding-count-[12]-main-\w+$/);
  });
});
