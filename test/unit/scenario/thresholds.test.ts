// Aim: goals in the user's units become limits in base units, without rounding noise.
// Method: rows of text, unit and limit.
import { describe, expect, test } from 'vitest';
import { formatError } from '../../../src/errors.ts';
import { IssueList } from '../../../src/scenario/issues.ts';
import type { MetricUnit } from '../../../src/scenario/metric.ts';
import { parseGoal, readAbortConditions, readThresholds } from '../../../src/scenario/thresholds.ts';

const rows: readonly { text: string; unit: MetricUnit; comparator: string; limit: number }[] = [
  { text: '< 0.1%', unit: 'ratio', comparator: '<', limit: 0.001 },
  { text: '<= 0.07', unit: 'ratio', comparator: '<=', limit: 0.07 },
  { text: '< 7%', unit: 'ratio', comparator: '<', limit: 0.07 },
  { text: '< 50 ms', unit: 'us', comparator: '<', limit: 50_000 },
  { text: '<= 1.5 s', unit: 'us', comparator: '<=', limit: 1_500_000 },
  { text: '> 2900 /s', unit: 'perSecond', comparator: '>', limit: 2900 },
  { text: '>= 2900/s', unit: 'perSecond', comparator: '>=', limit: 2900 },
  { text: '<= 5', unit: 'requests', comparator: '<=', limit: 5 },
  { text: '< 0.5', unit: 'units', comparator: '<', limit: 0.5 },
  { text: '< 3 USD', unit: 'usd', comparator: '<', limit: 3 },
];

test.each(rows)('$text of a $unit', ({ text, unit, comparator, limit }) => {
  expect(parseGoal(text, unit)).toEqual({ comparator, limit });
});

test.each([
  { text: '< 50', unit: 'us' as const, why: 'unit ms or s, not none' },
  { text: '< 5 ms', unit: 'ratio' as const, why: 'unit % or none, not ms' },
  { text: '= 5', unit: 'units' as const, why: 'a goal is <, <=, > or >=' },
  { text: '< -5', unit: 'units' as const, why: 'a goal is <, <=, > or >=' },
])('$text of a $unit is refused', ({ text, unit, why }) => {
  expect(parseGoal(text, unit)).toEqual({ why: expect.stringContaining(why) });
});

test('a goal keeps the text as written, and its metric with dots', () => {
  const issues = new IssueList('hot.ts');
  expect(readThresholds({ 'read.response.p99.9': '< 1 s' }, ['read'], issues)).toEqual([
    {
      workload: 'read',
      metric: 'response.p99.9',
      comparator: '<',
      limit: 1_000_000,
      text: 'read.response.p99.9 < 1 s',
    },
  ]);
  expect(issues.count).toBe(0);
});

describe('conditions that end a variant', () => {
  test('are read as goals are', () => {
    const issues = new IssueList('hot.ts');
    const conditions = readAbortConditions({ 'read.throttledRatio': '> 50%' }, ['read'], issues);
    expect(conditions).toMatchObject([{ metric: 'throttledRatio', comparator: '>', limit: 0.5 }]);
    expect(issues.count).toBe(0);
  });

  test('may be about validity, beside goals', () => {
    const issues = new IssueList('hot.ts');
    const written = { validity: 'invalid', 'read.throttledRatio': '> 50%' };
    const conditions = readAbortConditions(written, ['read'], issues);
    expect(conditions).toMatchObject([
      { metric: 'throttledRatio' },
      { validity: 'invalid', text: 'validity invalid' },
    ]);
    expect(issues.count).toBe(0);
  });

  test.each([
    { value: { validity: 'suspect' }, text: 'abort.validity in hot.ts is "suspect"' },
    { value: 5, text: 'abort in hot.ts is 5' },
    { value: { 'red.throttledRatio': '> 50%' }, text: 'is about the workload "red"' },
    { value: { 'read.response.p99': '> 50%' }, text: 'abort["read.response.p99"]' },
    { value: { 'read.costPerMillion': '> 1 USD' }, text: 'abort["read.costPerMillion"] in hot.ts is about' },
    { value: { 'read.attemptThrottledRatio': '> 1%' }, text: 'is about attemptThrottledRatio' },
  ])('$text', ({ value, text }) => {
    const issues = new IssueList('hot.ts');
    readAbortConditions(value, ['read'], issues);
    expect(formatError(issues.toError())).toContain(text);
  });
});
