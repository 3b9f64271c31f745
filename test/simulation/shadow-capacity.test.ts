// Aim: the shadow refuses what the simulated target would refuse of the same load, and changes nothing of the
// live run.
// Method: the same plan over the simulated target and over a scripted target with a shadow, both in virtual
// time.
import { expect, test } from 'vitest';
import { capacityModels } from '../../src/capacity/capacity-model.ts';
import { VirtualClock } from '../../src/clock.ts';
import type { GlobalIndexSpec, TableSpec } from '../../src/dynamodb/table-spec.ts';
import { VariantRun } from '../../src/engine/run-variant.ts';
import { ShadowTarget } from '../../src/engine/shadow-capacity.ts';
import { SimulatedTarget } from '../../src/engine/simulated-target.ts';
import type { PlannedOperation, RunPlan } from '../../src/scenario/run-plan.ts';
import { SimulatedDatabase } from '../../src/simulator/simulated-database.ts';
import { perSecond, plainTable, planOf, stagesOf } from '../support/plan-builder.ts';
import { ScriptedTarget } from '../support/scripted-target.ts';

const statusIndex: GlobalIndexSpec = {
  name: 'GSI1',
  keys: { partition: { name: 'status', type: 'S' } },
  projection: { kind: 'ALL' },
  billing: { mode: 'on-demand' },
  start: plainTable.start,
};
const table: TableSpec = { ...plainTable, globalIndexes: [statusIndex] };

function putPending(sequence: number): PlannedOperation {
  const Item = { PK: { S: `k${sequence}` }, status: { S: 'PENDING' } };
  return { kind: 'request', request: { api: 'PutItem', input: { TableName: 't', Item } } };
}

const plan: RunPlan = {
  ...planOf({
    stages: stagesOf({ seconds: 5, isMeasured: false }, { seconds: 20 }),
    workloads: [{ load: perSecond(1_500), next: putPending }],
  }),
  tables: [table],
};

test('a hot index key is refused as often in the shadow as by the simulated table', async () => {
  const clock = new VirtualClock();
  const live = new ScriptedTarget(clock);
  const shadow = new ShadowTarget(live, plan, capacityModels.default);
  const measurement = await new VariantRun(plan, clock, shadow).run();
  const { shadow: seen, placeable } = shadow.result(measurement.reachedUs);

  const simulatedClock = new VirtualClock();
  const database = new SimulatedDatabase({ model: capacityModels.default, seed: plan.seed });
  database.createTable(table);
  const simulated = new SimulatedTarget({
    database,
    clock: simulatedClock,
    seed: plan.seed,
    workloadNames: ['w0'],
  });
  const truth = await new VariantRun(plan, simulatedClock, simulated).run();
  const stage = truth.recorders[0]?.stages[1];

  const [workload] = seen.workloads;
  const ratio = (workload?.throttledOperations ?? 0) / (workload?.operations ?? 1);
  const trueRatio = (stage?.outcomes.get('throttled')?.count ?? 0) / (stage?.started ?? 1);
  // 1,500 writes a second on one key of 1,000: a third is refused.
  expect(trueRatio).toBeGreaterThan(0.32);
  expect(Math.abs(ratio - trueRatio)).toBeLessThan(0.001);
  expect(workload?.throttles).toEqual([
    {
      reason: 'IndexWriteKeyRangeThroughputExceeded',
      resource: 't/GSI1',
      count: workload?.throttledOperations,
    },
  ]);
  expect(seen.resources.find((one) => one.resource === 't/GSI1')?.keys[0]?.key).toBe('PENDING');
  expect(placeable).toHaveLength(2);
  // The live target saw every request and answered all of them.
  expect(measurement.recorders[0]?.stages[1]?.outcomes.get('ok')?.count).toBe(30_000);
});
