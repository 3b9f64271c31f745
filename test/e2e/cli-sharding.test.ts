// Aim: the main job answers its question, and the same seed gives the same answer byte for byte. Method: the
// built command runs the scenario that ships, in a folder of its own; figures are read from run.json, words
// from the report.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunResult, VariantResult } from '../../src/analysis/run-result.ts';
import {
  type CliResult,
  onlyRecord,
  removeFolder,
  runCli,
  runFolders,
  temporaryFolder,
  variantOf,
  workloadOf,
} from '../support/cli.ts';

/** Write units a second that a variant's index took in its measured stages. */
function indexWriteRate(variant: VariantResult): number {
  const index = variant.resources.find(({ indexName }) => indexName === 'GSI1');
  return (index?.writeUnits ?? Number.NaN) / variant.measuredSeconds;
}

function acceptedOrders(variant: VariantResult): number {
  return workloadOf(variant, 'placeOrder').measured.outcomes.ok;
}

describe('run sharding.ts', () => {
  let folder = '';
  let end: CliResult;
  let result: RunResult;

  beforeAll(async () => {
    folder = await temporaryFolder();
    end = await runCli(['run', 'sharding.ts'], { cwd: folder });
    result = await onlyRecord(folder, 'sharding');
  });
  afterAll(() => removeFolder(folder));

  test('says in its first line what was driven, in which time, and that latencies are modelled', () => {
    const [first = ''] = end.stdout.split('\n');
    expect(first).toMatch(/^Target: simulated table, virtual time/);
    expect(first).toMatch(/latencies are modelled, not measured/);
  });

  test('takes what one partition gives without shards, and throttles the rest on the index', () => {
    const unsharded = variantOf(result, 'count=1');
    const { measured } = workloadOf(unsharded, 'placeOrder');
    expect(indexWriteRate(unsharded)).toBeGreaterThanOrEqual(985);
    expect(indexWriteRate(unsharded)).toBeLessThanOrEqual(1_015);
    expect(measured.outcomes.ok + measured.outcomes.throttled).toBe(measured.planned);
    expect(measured.planned).toBe(90_000);
    expect(measured.throttles).toEqual([
      {
        reason: 'IndexWriteKeyRangeThroughputExceeded',
        resource: expect.stringMatching(/\/GSI1$/),
        count: measured.outcomes.throttled,
      },
    ]);
    expect(end.stdout).toMatch(/count=1 +placeOrder +66\.\d % +IndexWriteKeyRangeThroughputExceeded +GSI1/);
  });

  test('never takes fewer orders with more shards', () => {
    const accepted = [1, 2, 5, 10].map((count) => acceptedOrders(variantOf(result, `count=${count}`)));
    expect(accepted).toEqual(accepted.toSorted((a, b) => a - b));
    expect(accepted[3]).toBeGreaterThan(2.9 * (accepted[0] ?? Number.POSITIVE_INFINITY));
  });

  test('passes with ten shards, which it recommends, and with no fewer', () => {
    const meeting = result.variants.filter(({ goals }) => goals.every(({ status }) => status === 'met'));
    expect(meeting.map(({ name }) => name)).toEqual(['count=10']);
    expect(result.verdict).toMatchObject({ status: 'pass', recommendedVariant: 'count=10' });
    expect(end.stdout).toContain('PASS · recommended: count=10');
    expect(end.code).toBe(0);
  });

  test('names the hot key and the cure', () => {
    const finding = result.findings.find(({ code }) => code === 'hot-index-key');
    expect(finding?.variants).toContain('count=1');
    expect(finding?.seen).toContain('STATUS#PENDING');
    expect(finding?.seen).toContain('GSI1');
    expect(finding?.advice).toMatch(/spread STATUS#PENDING over \d+ shards/);
    expect(end.stdout).toContain('hot-index-key');
  });

  test('says where the record lies, and `report` prints the same report from it again', async () => {
    const [run = ''] = await runFolders(folder, 'sharding');
    expect(end.stdout).toContain(`Record: ${join(run, 'run.json')}`);
    const again = await runCli(['report', run], { cwd: folder });
    expect(again).toEqual({ code: 0, stdout: end.stdout, stderr: '' });
  });

  test('writes no escape codes where there is no terminal', () => {
    expect(end.stdout).not.toContain('\u001b');
    expect(end.stderr).not.toContain('\u001b');
  });
});

describe('the seed', () => {
  const short = ['run', 'sharding', '--duration', '2s', '--set', 'count=2,5'];
  let folder = '';

  beforeAll(async () => {
    folder = await temporaryFolder();
  });
  afterAll(() => removeFolder(folder));

  /** What must be equal: everything but `environment` and each `generatorHealth`. */
  async function comparable(out: string, seed: string): Promise<string> {
    await runCli([...short, '--seed', seed, '--out', out], { cwd: folder });
    const [run = ''] = await runFolders(folder, 'sharding', out);
    const text = await readFile(join(folder, run, 'run.json'), 'utf8');
    return JSON.stringify(JSON.parse(text), (key, value: unknown) =>
      key === 'environment' || key === 'generatorHealth' ? undefined : value,
    );
  }

  test('gives equal bytes when equal, and other figures when not', async () => {
    const [first, second, other] = [
      await comparable('first', '7'),
      await comparable('second', '7'),
      await comparable('other', '8'),
    ];
    expect(first.length).toBeGreaterThan(1_000);
    expect(second).toBe(first);
    expect(other).not.toBe(first);
    // Not only the seed's own field differs.
    expect(other.replace('"seed":8', '"seed":7')).not.toBe(first);
  });
});

test('run cold-table shows that ten shards throttle where there are too few partitions', async () => {
  const folder = await temporaryFolder();
  const { code, stdout } = await runCli(['run', 'cold-table', '--json'], { cwd: folder });
  await removeFolder(folder);
  const result = JSON.parse(stdout) as RunResult; // The schema was checked above for the same writer.
  const cold = result.variants.filter(({ parameters }) => parameters.starts === 'new');
  const warm = result.variants.filter(({ parameters }) => parameters.starts === 'warm');
  const throttledRatio = (variant: VariantResult) =>
    workloadOf(variant, 'placeOrder').metrics.throttledRatio ?? Number.NaN;
  const coldWithTen = cold.find(({ parameters }) => parameters.count === 10);
  expect(coldWithTen && throttledRatio(coldWithTen)).toBeGreaterThan(0.001);
  const finding = result.findings.find(({ code }) => code === 'enough-shards-too-few-partitions');
  expect(finding?.variants).toContain(coldWithTen?.name);
  expect(finding?.advice).toMatch(/warm/);
  expect(warm.map(throttledRatio)).toContain(0);
  expect(result.verdict.recommendedVariant).toMatch(/starts=warm/);
  expect(code).toBe(0);
});
