// Aim: the scenarios that ship and those of the API's contract are sound: they validate, plan and generate
// operations that DynamoDB would take, and the sharded orders cost one write unit each, on which their
// question rests. Method: every file is imported, planned in all variants and checked; sizes of generated
// items are counted.
import { describe, expect, test } from 'vitest';
import { itemSizeBytes } from '../../../src/dynamodb/item-size.ts';
import { checkOperations } from '../../../src/scenario/check-operations.ts';
import { planRuns } from '../../../src/scenario/plan.ts';
import type { RunPlan } from '../../../src/scenario/run-plan.ts';
import { validateScenario } from '../../../src/scenario/validate.ts';

async function plansOf(path: string): Promise<readonly RunPlan[]> {
  const { default: exported }: { default: unknown } = await import(/* @vite-ignore */ path);
  const { plans } = planRuns(validateScenario(exported, { file: path }), { scenarioName: 'test' });
  await checkOperations(plans, { file: path });
  return plans;
}

const contract = '../../types/accepted';
const shipped = '../../../scenarios';

describe('plans and operations of', () => {
  test.each([
    { path: `${contract}/event-log.ts`, variants: 3 },
    { path: `${contract}/every-operation.ts`, variants: 8 },
    { path: `${contract}/flow-with-index.ts`, variants: 1 },
    { path: `${contract}/flow-without-index.ts`, variants: 1 },
    { path: `${contract}/order-placement.ts`, variants: 2 },
    { path: `${contract}/page-view.ts`, variants: 2 },
    { path: `${contract}/query-vs-scan.ts`, variants: 4 },
    { path: `${contract}/status-shards.ts`, variants: 9 },
    { path: `${shipped}/sharding.ts`, variants: 4 },
    { path: `${shipped}/cold-table.ts`, variants: 2 },
    { path: `${shipped}/split-for-heat.ts`, variants: 2 },
    { path: `${shipped}/query-vs-scan.ts`, variants: 4 },
  ])('$path', { timeout: 30_000 }, async ({ path, variants }) => {
    expect(await plansOf(path)).toHaveLength(variants);
  });
});

test('the user’s own data layer validates, and needs a wall clock to run', async () => {
  await expect(plansOf(`${contract}/own-data-layer.ts`)).rejects.toMatchObject({ code: 'NEEDS_WALL_CLOCK' });
});

test.each(['sharding', 'cold-table'])('an order of %s costs one write unit', async (name) => {
  for (const plan of await plansOf(`${shipped}/${name}.ts`)) {
    const generator = plan.workloads[0]?.createGenerator();
    for (let sequence = 0; sequence < 120_000; sequence += 1_000) {
      const operation = generator?.next(sequence, sequence * 333);
      if (operation?.kind !== 'request' || operation.request.api !== 'PutItem')
        throw new Error('a put was expected');
      const sizeBytes = itemSizeBytes(operation.request.input.Item);
      expect(sizeBytes).toBeGreaterThan(700);
      expect(sizeBytes).toBeLessThanOrEqual(1_024);
    }
  }
});

test('the orders of query-vs-scan.ts are spread over customers and states as its comment says', async () => {
  const [plan] = await plansOf(`${shipped}/query-vs-scan.ts`);
  const [preload] = plan?.preloads ?? [];
  const items = Array.from({ length: preload?.count ?? 0 }, (_, index) => preload?.itemAt(index) ?? {});
  const theirs = items.filter(({ PK }) => PK?.S === 'CUST#7');
  expect(theirs).toHaveLength(100);
  expect(theirs.filter(({ status }) => status?.S === 'PENDING')).toHaveLength(20);
  expect(new Set(theirs.map(({ SK }) => SK?.S)).size).toBe(100);
  const averageBytes = items.reduce((sum, item) => sum + itemSizeBytes(item), 0) / items.length;
  expect(averageBytes).toBeGreaterThan(480);
  expect(averageBytes).toBeLessThan(520);
});
