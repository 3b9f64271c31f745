// Aim: the first placement is the run's own, so what is reckoned for it is what the run measured. Method:
// whole variants on the simulated table, throttled by one key range, by two that lie on a table and its
// index, and by provisioned units.
import { expect, test } from 'vitest';
import { capacityModels } from '../../src/capacity/capacity-model.ts';
import { processScheduler } from '../../src/clock.ts';
import type { Billing } from '../../src/dynamodb/table-spec.ts';
import { VariantRun } from '../../src/engine/run-variant.ts';
import { SimulatedProvider } from '../../src/engine/simulated-provider.ts';
import { placementOutlook } from '../../src/experiment/placement-outlook.ts';
import type { RunPlan } from '../../src/scenario/run-plan.ts';
import { perSecond, plainTable, planOf, stagesOf } from '../support/plan-builder.ts';
import { onDemand, warmFor } from '../support/throughput.ts';

const model = capacityModels.default;

interface Case {
  readonly name: string;
  readonly tableKeys: number;
  readonly indexKeys: number;
  readonly rate: number;
  readonly partitions?: number;
  readonly billing?: Billing;
  readonly isWarm?: boolean;
}

const provisioned: Billing = { mode: 'provisioned', readUnits: 100, writeUnits: 2_000 };

test.each<Case>([
  { name: 'one key of an index', tableKeys: 10_000, indexKeys: 1, rate: 2_500 },
  { name: 'one key of a table and one of its index', tableKeys: 1, indexKeys: 1, rate: 2_500 },
  { name: 'one key of both after a warm-up', tableKeys: 1, indexKeys: 1, rate: 2_500, isWarm: true },
  { name: 'keys of a table and others of its index', tableKeys: 2, indexKeys: 3, rate: 4_000 },
  { name: 'few partitions', tableKeys: 5, indexKeys: 7, rate: 6_000, partitions: 4 },
  { name: 'provisioned units', tableKeys: 10_000, indexKeys: 10_000, rate: 2_600, billing: provisioned },
])('throttled by $name, the first placement gives what was measured', async (row) => {
  const { measured, reckoned } = await ratiosOf(row);
  expect(measured).toBeGreaterThan(0.05);
  expect(Math.abs(reckoned.worst - measured)).toBeLessThan(0.02);
});

async function ratiosOf({ isWarm = false, ...row }: Case) {
  const plan = planFor({ ...row, isWarm });
  const session = await new SimulatedProvider(model, processScheduler).open(
    plan,
    () => undefined,
    new AbortController().signal,
  );
  const measurement = await new VariantRun(plan, session.clock, session.target).run();
  const observations = session.observe(measurement.reachedUs).placeable;
  await session.close();
  const write = observations[0]?.write;
  const all = write === undefined ? 0 : write.requests + write.throttledRequests + write.refusedElsewhere;
  const input = { observations, operation: 'Write', model, goalThrottledRatio: 0.001, isWarm } as const;
  return {
    measured: 1 - (write?.requests ?? 0) / all,
    reckoned: placementOutlook({ ...input, seed: plan.seed, placements: 1 }).throttledRatio,
  };
}

function planFor({ tableKeys, indexKeys, rate, partitions = 20, billing = onDemand, isWarm }: Case): RunPlan {
  const bought = { billing, start: warmFor(partitions) };
  const index = {
    ...bought,
    name: 'GSI1',
    keys: { partition: { name: 'status', type: 'S' } },
    projection: { kind: 'ALL' },
  } as const;
  const stages = isWarm
    ? stagesOf({ seconds: 5, isMeasured: false }, { seconds: 15 })
    : stagesOf({ seconds: 15 });
  const keys = { ...plainTable.keys, sort: { name: 'SK', type: 'N' } } as const;
  const workload = {
    load: perSecond(rate),
    policy: { maxInFlight: 100_000 },
    next: (sequence: number) => ({
      kind: 'request' as const,
      request: {
        api: 'PutItem' as const,
        input: {
          TableName: plainTable.tableName,
          Item: {
            PK: { S: `USER#${sequence % tableKeys}` },
            SK: { N: String(sequence) },
            status: { S: `STATUS#${sequence % indexKeys}` },
          },
        },
      },
    }),
  };
  return {
    ...planOf({ stages, workloads: [workload] }),
    tables: [{ ...plainTable, ...bought, keys, globalIndexes: [index] }],
  };
}
