// Aim: a plan says how hot the hottest key of each chosen distribution is expected to be, once per choice,
// and says nothing of keys that nobody chose so. Method: scenarios from source to plan; shares worked out by
// hand.
import { describe, expect, test } from 'vitest';
import { checkOperations } from '../../../src/scenario/check-operations.ts';
import { KeyChoices } from '../../../src/scenario/key-choices.ts';
import { planRuns } from '../../../src/scenario/plan.ts';
import { validateScenario } from '../../../src/scenario/validate.ts';
import { defineScenario, flow, get, preload } from '../../../src/index.ts';
import {
  type Distribution,
  exponential,
  gaussian,
  hotspot,
  latest,
  observed,
  sequential,
  uniform,
  zipfian,
} from '../../../src/workload/distribution.ts';

async function notesOf(
  by: Distribution | undefined,
  kind: 'get' | 'flow' = 'get',
): Promise<readonly string[]> {
  const scenario = defineScenario({
    question: 'Which key is hot?',
    tables: () => ({ keys: { partition: 'PK' } }),
    data: () => ({ users: preload({ count: 100, item: ({ index }) => ({ PK: `u${index}` }) }) }),
    workloads: (_, { users }) => ({
      read:
        kind === 'get'
          ? get({ rate: 1, key: ({ random }) => users.pick(random, by) })
          : flow({
              rate: 1,
              run: async (db, { random }) => void (await db.get('user', { key: users.pick(random, by) })),
            }),
    }),
  });
  const valid = validateScenario(scenario, { file: 'hot.ts' });
  const { plans } = planRuns(valid, { scenarioName: 'hot', wallClock: false });
  const choices = new KeyChoices();
  await checkOperations(plans, { file: 'hot.ts', choices });
  return plans
    .map((plan) => choices.noted(plan))
    .flatMap(({ workloads }) => workloads.flatMap(({ notes }) => notes));
}

describe('a choice is noted once, with the expected share of its hottest key', () => {
  test.each([
    ['uniform()', uniform(), '1 %'],
    ['sequential()', sequential(), '1 %'],
    // 1 ÷ (1 + 1/2 + … + 1/100) = 1 ÷ 5.1874.
    ['zipfian(1)', zipfian(1), '19.3 %'],
    ['latest(1)', latest(1), '19.3 %'],
    // 80 % on 10 keys.
    ['hotspot({ share: 0.8, of: 0.1 })', hotspot({ share: 0.8, of: 0.1 }), '8 %'],
    [
      "hotspot({ share: 0.8, of: 0.1, moveEvery: '30s' })",
      hotspot({ share: 0.8, of: 0.1, moveEvery: '30s' }),
      '8 %',
    ],
    ['weights of 2 parts', observed([0.25]), '25 %'],
  ])('%s: %s', async (text, by, share) => {
    expect(await notesOf(by)).toEqual([
      `picks of data.users by ${text}: the hottest of 100 is expected to get ${share} of them`,
    ]);
  });

  test.each([
    ['gaussian({ mean: 0.5, deviation: 0.15 })', gaussian()],
    ['exponential() that falls off by', exponential()],
  ])('%s', async (text, by) => {
    const notes = await notesOf(by);
    expect(notes).toHaveLength(1);
    expect(notes[0]).toContain(`picks of data.users by ${text}`);
  });

  test('in a flow too', async () => {
    expect(await notesOf(hotspot({ share: 0.8, of: 0.1 }), 'flow')).toHaveLength(1);
  });
});

test('keys picked without a distribution are not noted', async () => {
  expect(await notesOf(undefined)).toEqual([]);
});
