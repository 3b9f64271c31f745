// Aim: met, missed, missing or not measurable, each where it should be. Method: one goal against one value
// per row.
import { describe, expect, test } from 'vitest';
import { judgeGoals, sawThrottles } from '../../../src/analysis/judge-goals.ts';
import type { Comparator, Goal } from '../../../src/scenario/goal.ts';
import { buildTotals, buildWorkload } from '../../support/run-result-builder.ts';

const throttling: Goal = {
  workload: 'w',
  metric: 'throttledRatio',
  comparator: '<',
  limit: 0.001,
  text: 'w.throttledRatio < 0.1%',
};
const enforcing = { enforcesThroughput: 'yes', wereThrottlesSeen: false } as const;

describe('judgeGoals', () => {
  test.each<[number, Comparator, number, string]>([
    [0.0009, '<', 0.001, 'met'],
    [0.001, '<', 0.001, 'missed'],
    [0.001, '<=', 0.001, 'met'],
    [0.0011, '<=', 0.001, 'missed'],
    [3_000, '>', 2_990, 'met'],
    [2_990, '>', 2_990, 'missed'],
    [2_990, '>=', 2_990, 'met'],
    [2_989, '>=', 2_990, 'missed'],
  ])('%d %s %d is %s', (value, comparator, limit, status) => {
    const goal = { ...throttling, comparator, limit };
    expect(judgeGoals([goal], [{ name: 'w', metrics: { throttledRatio: value } }], enforcing)).toMatchObject([
      { status, value },
    ]);
  });

  test.each([
    ['the metric is null', [{ name: 'w', metrics: { throttledRatio: null } }]],
    ['the variant lacks the workload', [{ name: 'other', metrics: { throttledRatio: 0 } }]],
  ])('it is missing where %s', (_, workloads) => {
    expect(judgeGoals([throttling], workloads, enforcing)).toMatchObject([
      { status: 'missing', value: null },
    ]);
  });

  test.each([
    ['no', false, 'notMeasurableHere'],
    ['unknown', false, 'notMeasurableHere'],
    ['unknown', true, 'met'],
    ['yes', false, 'met'],
  ] as const)(
    'a throttling goal on a target that enforces: %s, throttles seen: %s, is %s',
    (enforcesThroughput, wereThrottlesSeen, status) => {
      const workloads = [{ name: 'w', metrics: { throttledRatio: 0 } }];
      expect(judgeGoals([throttling], workloads, { enforcesThroughput, wereThrottlesSeen })).toMatchObject([
        { status },
      ]);
    },
  );

  test('a latency goal is measurable on a target that does not throttle', () => {
    const goal: Goal = { ...throttling, metric: 'response.p99', limit: 50_000 };
    const workloads = [{ name: 'w', metrics: { 'response.p99': 20_000 } }];
    const evidence = { enforcesThroughput: 'no', wereThrottlesSeen: false } as const;
    expect(judgeGoals([goal], workloads, evidence)).toMatchObject([{ status: 'met' }]);
  });
});

test('throttles in the warm-up are evidence too', () => {
  const warmUp = { name: 'warmUp', totals: buildTotals({ outcomes: { throttled: 1 } }) };
  expect(sawThrottles([buildWorkload({ stages: [warmUp] })])).toBe(true);
  expect(sawThrottles([buildWorkload()])).toBe(false);
});
