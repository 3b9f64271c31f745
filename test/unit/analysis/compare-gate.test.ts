// Aim: a gate fails on what surely breaks a rule, passes on what surely keeps it, and says what cannot be told.
// Method: rules against comparisons of frozen and made-up runs.
import { describe, expect, test } from 'vitest';
import { checkRules, combineStatus, judgeGate, statusWithGates } from '../../../src/analysis/compare-gate.ts';
import { parseFailRule } from '../../../src/analysis/compare-rule.ts';
import { compareRuns } from '../../../src/analysis/compare-runs.ts';
import type { RunResult } from '../../../src/analysis/run-result.ts';
import type { Goal } from '../../../src/scenario/goal.ts';
import { shardingRun } from '../../support/frozen-runs.ts';
import { repeatedRun } from '../../support/repeated-run.ts';

function gate(base: RunResult, head: RunResult, ...texts: string[]) {
  const rules = texts.map(parseFailRule);
  const namedMetrics = rules.flatMap((rule) => (rule.kind === 'metric' ? [rule.metric.name] : []));
  return judgeGate(compareRuns(base, head, { namedMetrics }), rules);
}

/** The sharding run with a metric of placeOrder changed in every variant. */
function changed(metric: string, change: (value: number) => number | null): RunResult {
  const run = shardingRun();
  return {
    ...run,
    variants: run.variants.map((variant) => ({
      ...variant,
      workloads: variant.workloads.map((workload) =>
        workload.name === 'placeOrder'
          ? { ...workload, metrics: { ...workload.metrics, [metric]: change(workload.metrics[metric] ?? 0) } }
          : workload,
      ),
    })),
  };
}

const grown = changed('writeUnitsPerOperation', (units) => units * 1.5);

describe('exact', () => {
  test.each([
    ['worse', grown, 'fail'],
    ['any', grown, 'fail'],
    ['none', grown, 'pass'],
    ['placeOrder.writeUnitsPerOperation > 0', grown, 'fail'],
    ['placeOrder.writeUnitsPerOperation > +49%', grown, 'fail'],
    ['placeOrder.writeUnitsPerOperation > +50%', grown, 'pass'],
    ['placeOrder.writeUnitsPerOperation > +2 units', grown, 'pass'],
    ['placeOrder.throttledRatio > 0', grown, 'pass'],
    ['worse', changed('writeUnitsPerOperation', (units) => units / 2), 'pass'],
    ['any', changed('writeUnitsPerOperation', (units) => units / 2), 'fail'],
    [
      'placeOrder.writeUnitsPerOperation < -10%',
      changed('writeUnitsPerOperation', (units) => units / 2),
      'fail',
    ],
    // From none to some is more than any percentage.
    ['placeOrder.failedRatio > +900%', changed('failedRatio', () => 0.01), 'fail'],
    // Missing counts as missed.
    ['placeOrder.writeUnitsPerOperation > 0', changed('writeUnitsPerOperation', () => null), 'fail'],
    ['worse', shardingRun(), 'pass'],
    ['any', shardingRun(), 'pass'],
  ] as const)('"%s" ends as expected', (rule, head, status) => {
    expect(gate(shardingRun(), head, rule).status).toBe(status);
  });

  test('a rule on a figure that is missing in both runs cannot be told, though no other is in doubt', () => {
    const run = changed('writeUnitsPerOperation', () => null);
    const { status, rules } = gate(run, run, 'placeOrder.writeUnitsPerOperation > 0', 'worse');
    expect(rules.map((rule) => rule.status)).toEqual(['inconclusive', 'met']);
    expect(rules[0]?.reasons).toContain('missing in both');
    expect(status).toBe('inconclusive');
  });

  test('names the rows that break the rule, with before and after', () => {
    const [rule] = gate(shardingRun(), grown, 'placeOrder.writeUnitsPerOperation > 0').rules;
    expect(rule?.status).toBe('missed');
    expect(rule?.rows).toHaveLength(4);
    expect(rule?.rows[0]).toMatchObject({
      subject: 'placeOrder',
      metric: 'writeUnitsPerOperation',
      deltaRatio: expect.closeTo(0.5, 9),
    });
  });

  test('one rule missed fails, whatever the others say', () => {
    const { status, rules } = gate(shardingRun(), grown, 'placeOrder.response.p99 > +10%', 'worse');
    expect(rules.map((rule) => rule.status)).toEqual(['inconclusive', 'missed']);
    expect(status).toBe('fail');
  });

  test('a rule on modelled latencies cannot be told, and says why', () => {
    const { status, rules } = gate(shardingRun(), grown, 'placeOrder.response.p99 > +10%');
    expect(status).toBe('inconclusive');
    expect(rules[0]?.reasons.join()).toContain('modelled');
  });

  test('runs of different scenarios cannot be told apart', () => {
    const head = { ...shardingRun(), scenario: { ...shardingRun().scenario, name: 'other' } };
    expect(gate(shardingRun(), head, 'worse').status).toBe('inconclusive');
  });

  test('another seed cannot be told where figures differ', () => {
    const head = { ...grown, scenario: { ...grown.scenario, seed: 7 } };
    expect(gate(shardingRun(), head, 'placeOrder.writeUnitsPerOperation > 0').status).toBe('inconclusive');
  });
});

describe('noisy', () => {
  const medians = (middle: number, count: number, turn = 0) =>
    Array.from({ length: count }, (_, index) =>
      Math.round(middle * (0.98 + ((index * 7 + turn * 3) % 10) / 250)),
    );
  const run = (middle: number, count = 20, turn = 0) =>
    repeatedRun([{ name: 'a', mediansUs: medians(middle, count, turn) }]);

  test.each([
    ['worse', 1_300, 'fail'],
    ['worse', 1_000, 'pass'],
    ['worse', 700, 'pass'],
    ['write.response.p50 > +10%', 1_300, 'fail'],
    ['write.response.p50 > +50%', 1_300, 'pass'],
    ['write.response.p50 > +30%', 1_300, 'inconclusive'],
    ['write.response.p50 > +0.1 ms', 1_300, 'fail'],
    ['write.response.p50 > +0.6 ms', 1_300, 'pass'],
    ['write.response.mean > +10%', 1_300, 'fail'],
    ['write.writeUnitsPerOperation > 0', 1_300, 'pass'],
    ['write.throttledRatio > 0', 1_300, 'inconclusive'],
    ['any', 1_300, 'inconclusive'],
  ])('"%s" at a median of %i µs after 1,000 before', (rule, after, status) => {
    expect(gate(run(1_000), run(after, 20, 1), rule).status).toBe(status);
  });

  test.each([
    ['write.writeUnitsPerOperation > 0', 'fail'],
    ['write.writeUnitsPerOperation > +100%', 'pass'],
    ['write.costPerMillion > 0', 'fail'],
    ['any', 'fail'],
  ])('"%s" after write units doubled in each of two repeats', (rule, status) => {
    const [base, head] = [1, 2].map((writeUnits) =>
      repeatedRun([{ name: 'a', mediansUs: [1_000, 1_001], writeUnits }]),
    );
    if (base === undefined || head === undefined) throw new Error('there are two');
    expect(gate(base, head, rule).status).toBe(status);
  });

  test('a latency that is missing in both runs cannot be told', () => {
    const few = run(1_000);
    const none = {
      ...few,
      variants: few.variants.map((variant) => ({
        ...variant,
        workloads: variant.workloads.map((workload) => ({
          ...workload,
          measured: { ...workload.measured, response: {} },
          metrics: { ...workload.metrics, 'response.p99': null },
        })),
      })),
    };
    expect(gate(none, none, 'write.response.p99 > +10%').status).toBe('inconclusive');
  });

  test('three repeats cannot tell, and say how many would', () => {
    const { status, rules } = gate(run(1_000, 3), run(1_300, 3, 1), 'write.response.p50 > +10%');
    expect(status).toBe('inconclusive');
    expect(rules[0]?.reasons.join('; ')).toMatch(
      /3 repeats are too few to tell; about \d+ repeats would be needed/,
    );
  });
});

test('combineStatus: what is inconclusive outranks what failed, as in the exit codes', () => {
  expect(combineStatus('pass', 'pass')).toBe('pass');
  expect(combineStatus('pass', 'fail')).toBe('fail');
  expect(combineStatus('inconclusive', 'fail')).toBe('inconclusive');
});

describe('goals of which the target can measure none', () => {
  const goal: Goal = {
    workload: 'write',
    metric: 'throttledRatio',
    comparator: '<',
    limit: 0.001,
    text: 'write.throttledRatio < 0.1%',
  };
  const run = repeatedRun([{ name: 'a', mediansUs: [1_000, 1_001] }], { goals: [goal] });
  const slower = repeatedRun([{ name: 'a', mediansUs: [1_000, 1_001], writeUnits: 2 }], { goals: [goal] });
  const units = 'write.writeUnitsPerOperation > 0';

  test.each<[string, RunResult, string, boolean, string]>([
    ['a rule that is kept passes', run, units, false, 'pass'],
    ['a rule that is missed fails', slower, units, false, 'fail'],
    ['a rule that cannot be told is inconclusive', run, 'write.response.p99.9 > 0', false, 'inconclusive'],
    ['to look only leaves the goals to decide', run, 'none', false, 'inconclusive'],
    ['goals that are asked for decide', run, units, true, 'inconclusive'],
    [
      'a run that is not whole is inconclusive',
      { ...run, status: 'interrupted' },
      units,
      false,
      'inconclusive',
    ],
  ])('%s', (_, head, rule, areGoalsGated, status) => {
    expect(head.verdict.status).toBe('inconclusive');
    expect(statusWithGates(head, [gate(run, head, rule)], { areGoalsGated })).toBe(status);
  });

  test('an invalid run stays inconclusive', () => {
    const invalid = repeatedRun([{ name: 'a', mediansUs: [1_000, 1_001], invalidRepeats: [0, 1] }], {
      goals: [goal],
    });
    expect(statusWithGates(invalid, [gate(run, run, units)], { areGoalsGated: false })).toBe('inconclusive');
  });

  test('a run without a baseline stays inconclusive', () => {
    expect(statusWithGates(run, [], { areGoalsGated: false })).toBe('inconclusive');
  });
});

test('checkRules refuses a workload that no variant has', () => {
  const rules = [parseFailRule('placeOrdr.response.p99 > +10%')];
  expect(() => checkRules(rules, shardingRun().variants)).toThrow(/is about the workload "placeOrdr"/);
  expect(() => checkRules([parseFailRule('worse')], [])).not.toThrow();
});
