// Aim: repeats are interleaved so that drift hits all variants alike, in an order that the seed fixes, and the
// run that is not recorded is short. Method: orders of small plans, looked at whole.
import { describe, expect, test } from 'vitest';
import { discardedPlan, orderRepeats } from '../../../src/experiment/repeat-order.ts';
import type { RunPlan } from '../../../src/scenario/run-plan.ts';
import { planOf } from '../../support/plan-builder.ts';

function plansNamed(names: readonly string[], seed = 1): RunPlan[] {
  return names.map((name, index) => ({ ...planOf({}), seed, variant: { name, index, parameters: {} } }));
}

const named = (plans: readonly RunPlan[], repeats: number): string =>
  orderRepeats(plans, repeats)
    .map(({ plan }) => plan.variant.name)
    .join(' ');

describe('orderRepeats', () => {
  test('once each: the order of the scenario, and no number', () => {
    const order = orderRepeats(plansNamed(['A', 'B', 'C']), 1);
    expect(order.map(({ plan, repeat }) => [plan.variant.name, repeat])).toEqual([
      ['A', undefined],
      ['B', undefined],
      ['C', undefined],
    ]);
  });

  test('two variants run A B B A or B A A B, as the seed says', () => {
    const orders = new Set(Array.from({ length: 20 }, (_, seed) => named(plansNamed(['A', 'B'], seed), 2)));
    expect([...orders].sort()).toEqual(['A B B A', 'B A A B']);
  });

  test('equal seeds give equal orders', () => {
    expect(named(plansNamed(['A', 'B', 'C'], 7), 6)).toBe(named(plansNamed(['A', 'B', 'C'], 7), 6));
  });

  test('in each pair of repeats every variant has the same mean place', () => {
    const order = orderRepeats(plansNamed(['A', 'B', 'C'], 3), 6).map(({ plan }) => plan.variant.name);
    for (let pair = 0; pair < 3; pair++) {
      const places = order.slice(pair * 6, pair * 6 + 6);
      for (const name of ['A', 'B', 'C']) expect(places.indexOf(name) + places.lastIndexOf(name)).toBe(5);
    }
  });

  test('over three pairs each of three variants begins once', () => {
    const order = orderRepeats(plansNamed(['A', 'B', 'C'], 5), 6).map(({ plan }) => plan.variant.name);
    expect(new Set([order[0], order[6], order[12]])).toEqual(new Set(['A', 'B', 'C']));
  });
});

test('the discarded run is the first measured stage, 2 s of it, with a part of the preload', () => {
  const plan: RunPlan = {
    ...planOf({}),
    preloads: [{ name: 'users', tableName: 't', count: 50_000, itemAt: () => ({}) }],
    stages: [
      { index: 0, name: 'warm-up', startUs: 0, endUs: 5_000_000, isMeasured: false, rateFactor: 0.5 },
      { index: 1, name: 'steady', startUs: 5_000_000, endUs: 65_000_000, isMeasured: true, rateFactor: 1 },
    ],
  };
  const { stages, preloads } = discardedPlan(plan);
  expect(stages).toEqual([
    { index: 0, name: 'discarded', startUs: 0, endUs: 2_000_000, isMeasured: true, rateFactor: 1 },
  ]);
  expect(preloads[0]?.count).toBe(1_000);
});

test('the run that is discarded fills tables that are shared for all that follow', () => {
  const preloads = [{ name: 'orders', tableName: 't', count: 50_000, itemAt: () => ({}) }];
  const plan: RunPlan = { ...planOf({}), onlyReads: true, sharesTables: true, preloads };
  expect(discardedPlan(plan).preloads).toEqual(preloads);
});
