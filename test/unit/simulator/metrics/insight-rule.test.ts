// Aim: a rule's report is right over minutes, periods and more keys than it keeps. Method: amounts given by
// hand.
import { describe, expect, test } from 'vitest';
import { InsightRule, RULE_MINUTES } from '../../../../src/simulator/metrics/insight-rule.ts';

function rule(): InsightRule {
  return new InsightRule({ name: 'r', kind: 'PKC', tableName: 't', indexName: undefined, fromMs: 0 });
}

const range = { fromMinute: 100, untilMinute: 110 };
const options = { periodMinutes: 1, maxContributors: 10, orderBy: 'Sum' } as const;

describe('a report', () => {
  test('puts the largest sum first, or the largest period where asked for', () => {
    const counted = rule();
    for (const minute of [100, 101, 102]) counted.add(minute, 'steady', undefined, 4);
    counted.add(101, 'burst', undefined, 9);
    const order = (orderBy: 'Sum' | 'Maximum') =>
      counted.report(range, { ...options, orderBy }).contributors.map(({ keys }) => keys[0]);
    expect(order('Sum')).toEqual(['steady', 'burst']);
    expect(order('Maximum')).toEqual(['burst', 'steady']);
  });

  test('gathers minutes into periods counted from its start, only those in which a key was there', () => {
    const counted = rule();
    for (const minute of [100, 104, 105, 109]) counted.add(minute, 'a', undefined, minute);
    const { contributors, periods } = counted.report(range, { ...options, periodMinutes: 5 });
    expect(contributors[0]?.datapoints).toEqual([
      { minute: 100, amount: 204 },
      { minute: 105, amount: 214 },
    ]);
    expect(periods).toEqual([
      { minute: 100, largestKeyAmount: 204, largestAccess: 104 },
      { minute: 105, largestKeyAmount: 214, largestAccess: 109 },
    ]);
  });

  test('tells total and count of keys beyond those it lists', () => {
    const counted = rule();
    for (let key = 0; key < 30; key++) counted.add(100, `k${key}`, undefined, 2);
    expect(counted.report(range, options)).toMatchObject({ total: 60, distinctKeys: 30 });
    expect(counted.report(range, options).contributors).toHaveLength(10);
  });

  test('leaves out minutes outside its span', () => {
    const counted = rule();
    for (const minute of [99, 100, 109, 110]) counted.add(minute, 'a', undefined, 1);
    expect(counted.report(range, options).total).toBe(2);
  });

  test('finds the hot key among 100,000 others, and about how many there were', () => {
    const counted = rule();
    for (let key = 0; key < 100_000; key++) {
      counted.add(100, `k${key}`, undefined, 1);
      if (key % 100 === 0) counted.add(100, 'hot', undefined, 1);
    }
    counted.add(101, 'hot', undefined, 1);
    const { contributors, total, distinctKeys } = counted.report(range, options);
    expect(contributors[0]).toMatchObject({ keys: ['hot'], amount: 1_001 });
    expect(total).toBe(101_001);
    // 3 % is one standard deviation of the estimate.
    expect(Math.abs(distinctKeys / 100_001 - 1)).toBeLessThan(0.1);
  });

  test('does not run together pairs whose texts join to the same', () => {
    const pairs = new InsightRule({ ...rule().settings, kind: 'SKC' });
    pairs.add(100, 'a', 'bc', 1);
    pairs.add(100, 'ab', 'c', 1);
    expect(pairs.report(range, options).distinctKeys).toBe(2);
  });

  test('forgets after a day', () => {
    const counted = rule();
    for (const minute of [0, 1, RULE_MINUTES + 1]) counted.add(minute, 'a', undefined, 1);
    expect(counted.report({ fromMinute: 0, untilMinute: 2 }, options).total).toBe(1);
  });
});
