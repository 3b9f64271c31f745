// Aim: a simulated run says what CloudWatch and Contributor Insights would, in the sections and in the terms
// of a live run, and both agree with what dyno-load counted. Method: the command itself on the scenario that
// ships, in virtual time; its record is held against its own counts and against arithmetic on minutes.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunResult, VariantResult } from '../../src/analysis/run-result.ts';
import { removeFolder, temporaryFolder } from '../support/cli.ts';
import { InProcessCli } from '../support/in-process-cli.ts';

let folder: string;
let result: RunResult;

beforeAll(async () => {
  folder = await temporaryFolder();
  const options = ['--set', 'count=1,10', '--rate-factor', '0.4', '--cloudwatch', '--contributor-insights'];
  const cli = new InProcessCli(['run', 'sharding', '--json', ...options], { cwd: folder, world: {} });
  await cli.ended;
  result = JSON.parse(cli.stdout) as RunResult; // What the same process wrote by its own schema.
}, 120_000);

afterAll(() => removeFolder(folder));

function variant(name: string): VariantResult {
  const found = result.variants.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no variant ${name}`);
  return found;
}

test('stages fill whole minutes, and the first measured one begins on a minute', () => {
  expect(result.scenario.stages.map(({ durationUs }) => durationUs / 1_000_000)).toEqual([10, 120]);
  // 10 s of warm-up before the first whole minute from the start of 2026 on.
  expect(result.scenario.startsAt).toBe('2026-01-01T00:00:50.000Z');
  expect(variant('count=1').cloudWatch).toMatchObject({
    from: '2025-12-31T23:59:00.000Z',
    measuredFrom: '2026-01-01T00:01:00.000Z',
    measuredUntil: '2026-01-01T00:03:00.000Z',
    isSettled: true,
    isTableShared: false,
  });
  expect(result.target.notes.join()).toContain('Stage steady lasts 2 min instead of 30 s');
});

describe.each(['count=1', 'count=10'])('%s', (name) => {
  test('every row of the reconciliation agrees', () => {
    const rows = variant(name).reconciliation?.rows ?? [];
    expect(rows.map(({ status }) => status)).toEqual(rows.map(() => 'agrees'));
    expect(new Set(rows.map(({ quantity }) => quantity))).toContain('writeUnits');
  });

  test('CloudWatch tells the modelled service times of each operation', () => {
    const latencies = variant(name).cloudWatch?.series.filter(
      ({ metric, statistic }) => metric === 'SuccessfulRequestLatency' && statistic === 'p99',
    );
    expect(latencies?.map(({ operation }) => operation).sort()).toEqual(['PutItem', 'Query']);
    for (const { measured } of latencies ?? []) expect(measured).toBeGreaterThan(1);
  });
});

test('Contributor Insights names the one key that throttles, with as many throttles as there were', () => {
  const { contributorInsights, workloads } = variant('count=1');
  const rule = contributorInsights?.rules.find(
    ({ indexName, counts, by }) => indexName === 'GSI1' && counts === 'throttled' && by === 'partitionKey',
  );
  const throttled = workloads.flatMap(({ stages }) => stages.map(({ totals }) => totals.throttledRequests));
  expect(rule?.contributors.map(({ keys, total }) => [keys, total])).toEqual([
    [['STATUS#PENDING'], throttled.reduce((sum, one) => sum + one, 0)],
  ]);
});

test('Contributor Insights names all ten shards as the most accessed', () => {
  const rule = variant('count=10').contributorInsights?.rules.find(
    ({ indexName, counts, by }) => indexName === 'GSI1' && counts === 'accessed' && by === 'partitionKey',
  );
  const shards = Array.from({ length: 10 }, (_, shard) => `STATUS#PENDING#${shard}`);
  expect(rule?.contributors.map(({ keys }) => keys[0]).sort()).toEqual(shards);
});
