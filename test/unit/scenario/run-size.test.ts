// Aim: a run that could never end or fit is refused before it starts, and told why; what is merely large is
// planned. Method: one absurd figure per row; texts of the refusal.
import { expect, test } from 'vitest';
import { DynoLoadError, formatError } from '../../../src/errors.ts';
import { bursts, preload, put, type Rate, sine } from '../../../src/index.ts';
import { defineScenario, type Item } from '../../../src/index.ts';
import { planRuns } from '../../../src/scenario/plan.ts';
import type { PlanOptions } from '../../../src/scenario/plan-variant.ts';
import { validateScenario } from '../../../src/scenario/validate.ts';

interface Size {
  readonly rate?: Rate;
  readonly duration?: `${number}h` | `${number}s`;
  readonly items?: number;
  readonly options?: Partial<PlanOptions>;
}

function planned({ rate = 10, duration = '10s', items = 0, options = {} }: Size): string {
  const scenario = defineScenario({
    question: 'q',
    tables: () => ({ keys: { partition: 'PK' }, indexes: { GSI1: { partition: 'G' } } }),
    stages: [{ name: 'steady', duration }],
    data: () => ({
      items: preload<Item>({ count: items, item: () => ({ PK: 'a', text: 'x'.repeat(400) }) }),
    }),
    workloads: () => ({ w: put({ rate, item: { PK: 'a' } }) }),
  });
  try {
    planRuns(validateScenario(scenario, { file: 'hot.ts' }), { scenarioName: 'hot', ...options });
    return 'planned';
  } catch (error) {
    if (error instanceof DynoLoadError) return formatError(error);
    throw error;
  }
}

test.each<[string, Size, readonly string[]]>([
  [
    'a rate of 10^12',
    { rate: 1e12 },
    ['hot.ts plans 10,000,000,000,000 operations over 1 variant', '500,000,000', '--rate-factor'],
  ],
  ['a rate factor of 10^9', { options: { rateFactor: 1e9 } }, ['plans 100,000,000,000 operations']],
  ['a stage of 900 hours at 1,000/s', { rate: 1_000, duration: '900h' }, ['plans 3,240,000,000 operations']],
  [
    'stages of more than 1,000 hours',
    { rate: 0.001, options: { measuredDurationUs: 1e17 } },
    ['stages in hot.ts last', '1,000 hours', '--duration'],
  ],
  [
    'bursts by the million',
    { rate: bursts({ rate: 1, for: '1ms', pause: '1ms' }), duration: '10h' },
    ['workloads.w.rate in hot.ts repeats 18,000,000 times'],
  ],
  [
    'waves by the million',
    { rate: sine({ mean: 1, amplitude: 1, period: '1ms' }), duration: '1h' },
    ['repeats 3,600,000 times'],
  ],
  [
    'a billion preloaded items',
    { items: 1e9 },
    ['data in hot.ts preloads 1,000,000,000 items', 'at most 500,000,000'],
  ],
])('%s is refused', (_, size, texts) => {
  const told = planned(size);
  expect(told).toMatch(/^RUN_TOO_LARGE/);
  for (const text of texts) expect(told).toContain(text);
});

test.each<[string, Size]>([
  ['40,000 units for an hour', { rate: 40_000, duration: '1h' }],
  ['five million items on a target with memory of its own', { items: 5e6 }],
])('%s is planned', (_, size) => {
  expect(planned(size)).toBe('planned');
});

test('a rate so low that nothing is due while it is measured is noted', () => {
  const scenario = defineScenario({
    question: 'q',
    tables: () => ({ keys: { partition: 'PK' } }),
    stages: [
      { name: 'warm-up', duration: '1s', measured: false },
      { name: 'steady', duration: '10s' },
    ],
    workloads: () => ({
      seldom: put({ rate: 1e-9, item: { PK: 'a' } }),
      often: put({ rate: 1, item: { PK: 'a' } }),
    }),
  });
  const { plans } = planRuns(validateScenario(scenario, { file: 'hot.ts' }), { scenarioName: 'hot' });
  expect(plans[0]?.workloads.map(({ notes }) => notes)).toEqual([
    [expect.stringContaining('no operation is due in the measured stages')],
    [],
  ]);
});
