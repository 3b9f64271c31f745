// Aim: a request that DynamoDB would refuse by its expression is told before load with workload, variant and
// message; what only depends on data is not. Method: scenarios with one fault each, tried as a command does.
import { expect, test } from 'vitest';
import { capacityModels } from '../../../src/capacity/capacity-model.ts';
import { DynoLoadError, formatError } from '../../../src/errors.ts';
import { tryOperations } from '../../../src/experiment/try-operations.ts';
import { defineScenario, pool, preload, put, query, update, type Workload } from '../../../src/index.ts';
import { planRuns } from '../../../src/scenario/plan.ts';
import type { RunPlan } from '../../../src/scenario/run-plan.ts';
import { validateScenario } from '../../../src/scenario/validate.ts';

function planned(workload: (mode: string) => Workload): readonly RunPlan[] {
  const scenario = defineScenario({
    question: 'q',
    parameters: { mode: ['good', 'bad'] },
    tables: () => ({
      keys: { partition: 'PK', sort: 'SK' },
      billing: { provisioned: { readUnits: 1, writeUnits: 1 } },
    }),
    data: () => ({
      items: preload({ count: 5_000, item: ({ index }) => ({ PK: `k${index}`, SK: 'a', n: 1 }) }),
    }),
    workloads: ({ mode }) => ({ w: workload(mode) }),
  });
  return planRuns(validateScenario(scenario, { file: 'hot.ts' }), { scenarioName: 'hot' }).plans;
}

function tried(plans: readonly RunPlan[]): string {
  try {
    tryOperations(plans, { file: 'hot.ts', model: capacityModels.default });
    return 'ok';
  } catch (error) {
    if (error instanceof DynoLoadError) return formatError(error);
    throw error;
  }
}

const rate = 1;
const key = { PK: 'k1', SK: 'a' };

test.each<[string, Workload, RegExp]>([
  [
    'a function that does not exist',
    put({ rate, item: key, condition: { expression: 'attribute_not_exist(PK)' } }),
    /Invalid function name; function: attribute_not_exist/,
  ],
  [
    'a reserved word',
    query({ rate, partition: 'k1', filter: { expression: 'status = :s', values: { ':s': 1 } } }),
    /reserved keyword: status/,
  ],
  ['a key attribute that is set', update({ rate, key, set: { SK: 'b' } }), /part of the key/],
  [
    'a filter on a key attribute',
    query({ rate, partition: 'k1', filter: { expression: 'SK = :s', values: { ':s': 'a' } } }),
    /primary key attribute/i,
  ],
  ['bounds in the wrong order', query({ rate, partition: 'k1', sort: { between: ['b', 'a'] } }), /BETWEEN/],
  ['a text that is added', update({ rate, key, add: { n: 'x' } }), /operator: ADD, operand type: STRING/],
])('%s', (_, workload, message) => {
  const told = tried(planned((mode) => (mode === 'bad' ? workload : put({ rate, item: key }))));
  expect(told).toMatch(/^OPERATION_INVALID {2}workloads\.w in hot\.ts \(operation 0\) is refused: /);
  expect(told).toContain('(variant mode=bad)');
  expect(told).toMatch(message);
});

const names = pool<string>();
test.each<[string, Workload]>([
  [
    'an attribute of an item that is not among the first',
    update({
      rate,
      key: { PK: 'k4000', SK: 'a' },
      update: { expression: 'SET n = n + :one', values: { ':one': 1 } },
    }),
  ],
  [
    'more writes than the table takes',
    put({ rate, item: ({ seq }) => ({ PK: 'k', SK: `s${seq}`, text: 'x'.repeat(9_000) }) }),
  ],
  ['a pool that is empty', query({ rate, partition: ({ random }) => names.pick(random) })],
])('%s is no fault', (_, workload) => {
  expect(tried(planned(() => workload))).toBe('ok');
});
