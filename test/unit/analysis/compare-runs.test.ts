// Aim: two runs are compared by what is comparable, and how they differ in their making is said first. Method:
// frozen runs and made-up repeats, changed in one place per test.
import { describe, expect, test } from 'vitest';
import type { ComparisonRow } from '../../../src/analysis/compare-row.ts';
import { compareRuns, countChanges } from '../../../src/analysis/compare-runs.ts';
import type { RunResult } from '../../../src/analysis/run-result.ts';
import { shardingRun } from '../../support/frozen-runs.ts';
import { repeatedRun } from '../../support/repeated-run.ts';

function rowOf(rows: readonly ComparisonRow[], metric: string, variant?: string): ComparisonRow {
  const row = rows.find((one) => one.metric === metric && (variant ?? one.variant) === one.variant);
  if (row === undefined)
    throw new Error(`no row ${metric} among ${rows.map((one) => one.metric).join(', ')}`);
  return row;
}

/** The sharding run with one metric of placeOrder in the first variant changed. */
function withMetric(metric: string, value: number | null): RunResult {
  const run = shardingRun();
  const [first, ...others] = run.variants;
  if (first === undefined) throw new Error('the frozen run has variants');
  const workloads = first.workloads.map((workload) =>
    workload.name === 'placeOrder'
      ? { ...workload, metrics: { ...workload.metrics, [metric]: value } }
      : workload,
  );
  return { ...run, variants: [{ ...first, workloads }, ...others] };
}

/** Medians around `middle` with a spread of 4 %, in another order for each `turn`. */
function medians(middle: number, count: number, turn = 0): number[] {
  return Array.from({ length: count }, (_, index) =>
    Math.round(middle * (0.98 + ((index * 7 + turn * 3) % 10) / 250)),
  );
}

describe('simulated runs', () => {
  test('a run and itself show no difference', () => {
    const comparison = compareRuns(shardingRun(), shardingRun());
    expect(comparison).toMatchObject({ incomparable: null, setting: [], unmatched: [], answers: [] });
    expect(comparison.rows.length).toBeGreaterThan(50);
    const judged = comparison.rows.filter((row) => row.isJudged);
    expect(judged.length).toBeGreaterThan(50);
    expect(new Set(judged.map((row) => row.change))).toEqual(new Set(['same']));
  });

  test.each([
    ['throttledRatio', 0.9, 'worse'],
    ['throttledRatio', 0, 'better'],
    ['achievedPerSecond', 1, 'worse'],
    ['writeUnitsPerOperation', 99, 'worse'],
    ['plannedPerSecond', 1, 'changed'],
    ['writeUnitsPerOperation', null, 'changed'],
  ])('%s at %s is %s', (metric, value, change) => {
    const { rows } = compareRuns(shardingRun(), withMetric(metric, value));
    expect(rowOf(rows, metric, shardingRun().variants[0]?.name)).toMatchObject({
      method: 'exact',
      after: value,
      change,
    });
    expect(rows.filter((row) => row.isJudged && row.change !== 'same')).toHaveLength(1);
  });

  test('a figure that is missing in both runs is not the same, and not judged', () => {
    const run = withMetric('writeUnitsPerOperation', null);
    const { rows } = compareRuns(run, run);
    const row = rowOf(rows, 'writeUnitsPerOperation', run.variants[0]?.name);
    expect(row).toMatchObject({ change: 'inconclusive', isJudged: false, reason: 'missing in both' });
    const missing = rows.filter(({ before, after }) => before === null && after === null).length;
    expect(countChanges(rows)).toMatchObject({ same: rows.length - missing, inconclusive: 0 });
  });

  test('latencies are modelled, so they are not compared, and that is said', () => {
    const { rows, notes } = compareRuns(shardingRun(), withMetric('response.p99', 1));
    expect(rows.some((row) => /^(response|service)\./.test(row.metric))).toBe(false);
    expect(countChanges(rows)).toMatchObject({ worse: 0, better: 0, changed: 0, inconclusive: 0 });
    expect(notes.join()).toContain('modelled and never compared');
  });

  test('counts behind the metrics are compared too: throttles by reason, units and balance of each index', () => {
    const { rows } = compareRuns(shardingRun(), shardingRun());
    const names = new Set(rows.map((row) => `${row.subject} ${row.metric}`));
    expect(names).toContain('placeOrder throttles.IndexWriteKeyRangeThroughputExceeded');
    expect(names).toContain('GSI1 writeUnits');
    expect(names).toContain('GSI1 busiestPartition.write');
  });

  test('with another seed a difference may be chance, so it is inconclusive', () => {
    const head = withMetric('throttledRatio', 0.9);
    const { rows, setting, notes } = compareRuns(shardingRun(), {
      ...head,
      scenario: { ...head.scenario, seed: 7 },
    });
    expect(setting).toEqual([{ what: 'seed', before: '42', after: '7' }]);
    expect(rowOf(rows, 'throttledRatio')).toMatchObject({
      change: 'inconclusive',
      reason: expect.stringContaining('seeds differ'),
    });
    expect(notes.join()).toContain('same seed');
  });

  test('with another seed what follows the load is not judged, what operations cost is', () => {
    const run = shardingRun();
    const { rows } = compareRuns(run, { ...run, scenario: { ...run.scenario, seed: 7 } });
    const judged = rows.filter((row) => row.isJudged).map((row) => row.metric);
    expect(judged).toEqual(expect.arrayContaining(['throttledRatio', 'writeUnitsPerOperation']));
    for (const metric of ['writeUnits', 'requests', 'achievedPerSecond', 'busiestPartition.write'])
      expect(judged).not.toContain(metric);
  });

  test('over unequal times totals are not judged, rates and what operations cost are', () => {
    const run = shardingRun();
    const variants = run.variants.map((variant) => ({
      ...variant,
      measuredSeconds: variant.measuredSeconds * 5,
      resources: variant.resources.map((resource) => ({
        ...resource,
        writeUnits: resource.writeUnits * 5,
      })),
    }));
    const { rows, notes } = compareRuns(run, { ...run, variants });
    const totals = rows.filter(({ metric }) => metric === 'writeUnits');
    expect(totals.length).toBeGreaterThan(2);
    for (const total of totals)
      expect(total).toMatchObject({
        isJudged: false,
        change: 'inconclusive',
        reason: expect.stringContaining('unequal times'),
      });
    const judged = rows.filter((row) => row.isJudged).map((row) => row.metric);
    expect(judged).toEqual(expect.arrayContaining(['throttledRatio', 'achievedPerSecond']));
    expect(notes.join()).toContain('totals are not judged');
  });

  test('a quotient that differs in its last digit is the same', () => {
    const cost = shardingRun().variants[0]?.workloads[0]?.metrics.costPerMillion ?? 0;
    expect(cost).toBeGreaterThan(0);
    const off = cost * (1 + 2 * Number.EPSILON);
    expect(off).not.toBe(cost);
    const { rows } = compareRuns(shardingRun(), withMetric('costPerMillion', off));
    expect(rowOf(rows, 'costPerMillion').change).toBe('same');
  });

  test('another recommendation is told', () => {
    const head = shardingRun();
    const { answers } = compareRuns(shardingRun(), {
      ...head,
      verdict: { ...head.verdict, recommendedVariant: 'count=2' },
    });
    expect(answers).toMatchObject([{ what: 'recommended variant', after: 'count=2' }]);
  });

  test('variants that only one run has are named and not compared', () => {
    const head = shardingRun();
    const [gone] = head.variants;
    const { rows, unmatched } = compareRuns(shardingRun(), { ...head, variants: head.variants.slice(1) });
    expect(unmatched).toEqual([`variant ${gone?.name ?? ''}, only before`]);
    expect(rows.some((row) => row.variant === gone?.name)).toBe(false);
  });
});

describe('what cannot be compared', () => {
  const run = shardingRun();
  test.each<[string, RunResult, string]>([
    [
      'another scenario',
      { ...run, scenario: { ...run.scenario, name: 'other' } },
      'the scenarios are different ones',
    ],
    ['another question', { ...run, scenario: { ...run.scenario, question: 'Why?' } }, 'different questions'],
    ['another kind of time', { ...run, target: { ...run.target, time: 'wall-clock' } }, 'virtual time'],
  ])('%s leaves no rows', (_, head, why) => {
    const comparison = compareRuns(run, head);
    expect(comparison.incomparable).toContain(why);
    expect(comparison.rows).toEqual([]);
    expect(comparison.setting.length).toBeGreaterThan(0);
  });
});

describe('the setting', () => {
  test.each<[string, (run: RunResult) => RunResult, string]>([
    ['rate factor', (run) => ({ ...run, scenario: { ...run.scenario, rateFactor: 2 } }), 'rate factor'],
    ['version', (run) => ({ ...run, tool: { ...run.tool, version: '9.9.9' } }), 'dyno-load'],
    ['machine', (run) => ({ ...run, environment: { ...run.environment, cpuCount: 64 } }), 'machine'],
    ['server', (run) => ({ ...run, target: { ...run.target, label: 'other' } }), 'target'],
    ['stages', (run) => ({ ...run, scenario: { ...run.scenario, stages: [] } }), 'stages'],
  ])('another %s is told', (_, change, what) => {
    const run = repeatedRun([{ name: 'a', mediansUs: medians(1_000, 6) }]);
    expect(compareRuns(run, change(run)).setting.map((difference) => difference.what)).toEqual([what]);
  });

  test('in virtual time the machine changes nothing and is not told', () => {
    const run = shardingRun();
    const head = { ...run, environment: { ...run.environment, node: 'v99', cpuCount: 64 } };
    expect(compareRuns(run, head).setting).toEqual([]);
  });

  test('runs one after the other are told, runs side by side are not', () => {
    const base = repeatedRun([{ name: 'a', mediansUs: medians(1_000, 6) }]);
    const at = (startedAt: string, finishedAt: string) =>
      compareRuns(base, {
        ...base,
        environment: { ...base.environment, startedAt, finishedAt },
      }).notes.join();
    expect(at('2026-11-30T12:10:01.000Z', '2026-11-30T12:20:00.000Z')).toContain('one after the other');
    expect(at('2026-11-30T12:00:01.000Z', '2026-11-30T12:10:01.000Z')).not.toContain('one after the other');
  });
});

describe('runs on a wall clock', () => {
  const compare = (before: number[], after: number[], named: string[] = []) =>
    compareRuns(
      repeatedRun([{ name: 'a', mediansUs: before }]),
      repeatedRun([{ name: 'a', mediansUs: after }]),
      {
        namedMetrics: named,
      },
    ).rows;

  test('a slowdown by 30 % over 20 repeats is worse, with its interval', () => {
    const row = rowOf(compare(medians(1_000, 20), medians(1_300, 20, 1)), 'response.p50');
    expect(row).toMatchObject({ method: 'noisy', change: 'worse', isJudged: true });
    expect(row.effect?.lo).toBeGreaterThan(0.25);
    expect(row.effect?.hi).toBeLessThan(0.35);
    expect(row.adjustedPValue).toBeLessThan(0.001);
  });

  test('equal speeds over 20 repeats are the same', () => {
    const rows = compare(medians(1_000, 20), medians(1_000, 20, 1));
    expect(new Set(rows.filter((row) => row.isJudged).map((row) => row.change))).toEqual(new Set(['same']));
  });

  test('one repeat each is inconclusive, and says how many it takes', () => {
    const row = rowOf(compare([1_000], [1_300]), 'response.p50');
    expect(row).toMatchObject({
      change: 'inconclusive',
      reason: 'one repeat does not show how much repeats differ',
    });
    expect(row.pairsNeeded).toBeGreaterThanOrEqual(6);
  });

  test('metrics that tell the same again are shown, and judged when a rule names them', () => {
    const [before, after] = [medians(1_000, 20), medians(1_300, 20, 1)];
    expect(rowOf(compare(before, after), 'response.p90')).toMatchObject({
      isJudged: false,
      change: 'inconclusive',
    });
    expect(rowOf(compare(before, after, ['response.p90']), 'response.p90')).toMatchObject({
      isJudged: true,
      change: 'worse',
    });
  });

  test('units of each operation that doubled are worse', () => {
    const [base, head] = [1, 2].map((writeUnits) =>
      repeatedRun([{ name: 'a', mediansUs: medians(1_000, 10), writeUnits }]),
    );
    if (base === undefined || head === undefined) throw new Error('there are two');
    expect(rowOf(compareRuns(base, head).rows, 'writeUnitsPerOperation')).toMatchObject({
      before: 1,
      after: 2,
      change: 'worse',
    });
  });

  describe('units of each operation, equal in all repeats of a run', () => {
    const run = (writeUnits: number, repeats: number) =>
      repeatedRun([{ name: 'a', mediansUs: medians(1_000, repeats), writeUnits }]);
    const units = (base: RunResult, head: RunResult) =>
      rowOf(compareRuns(base, head).rows, 'writeUnitsPerOperation');

    test.each([
      [1, 2, 2, 'exact', 'worse'],
      [2, 1, 2, 'exact', 'better'],
      [1, 1, 2, 'exact', 'same'],
      [0, 0, 2, 'exact', 'same'],
      [0, 1, 3, 'exact', 'worse'],
      [1, 2, 1, 'noisy', 'inconclusive'],
    ])('%i before and %i after in %i repeats are %s: %s', (before, after, repeats, method, change) => {
      expect(units(run(before, repeats), run(after, repeats))).toMatchObject({
        before,
        after,
        method,
        change,
        isJudged: true,
      });
    });

    test('with another seed they may follow the load, and stay noisy', () => {
      const head = run(2, 2);
      expect(units(run(1, 2), { ...head, scenario: { ...head.scenario, seed: 7 } }).method).toBe('noisy');
    });
  });

  test('before and after are medians of repeats, which a single slow repeat does not turn round', () => {
    // Merged, the run before is the slower one, by one repeat; in four pairs of five the run after is.
    const before = [100, 100, 100, 100, 100_000];
    const row = rowOf(compare(before, [120, 120, 120, 120, 120]), 'response.p99');
    expect(row.before).toBeCloseTo(149, 0);
    expect(row.after).toBeGreaterThan(row.before ?? 0);
    expect(row.effect?.value).toBeGreaterThan(0);
    expect(row.deltaRatio).toBeGreaterThan(0);
  });

  test('throttling is not compared on targets that do not throttle', () => {
    expect(compare([1_000], [1_000]).some((row) => row.metric === 'throttledRatio')).toBe(false);
  });

  test('repeats that are invalid in one run count in neither', () => {
    const base = repeatedRun([{ name: 'a', mediansUs: medians(1_000, 10) }]);
    const head = repeatedRun([{ name: 'a', mediansUs: medians(1_000, 10), invalidRepeats: [2, 5] }]);
    expect(rowOf(compareRuns(base, head).rows, 'response.p50').effect?.n).toBe(8);
  });

  test('a variant that is invalid as a whole is inconclusive, whatever its figures', () => {
    const base = repeatedRun([{ name: 'a', mediansUs: medians(1_000, 10) }]);
    const head = repeatedRun([{ name: 'a', mediansUs: medians(1_300, 10), invalidRepeats: [0, 1, 2, 3, 4] }]);
    const row = rowOf(compareRuns(base, head).rows, 'response.p50');
    expect(row).toMatchObject({ change: 'inconclusive', reason: expect.stringMatching(/invalid after/) });
  });
});
