// Run plans for tests of the engine, in two lines each: one table, simple puts, and what the test wants to be
// different.
import type { Request } from '../../src/dynamodb/operation.ts';
import type { TableSpec } from '../../src/dynamodb/table-spec.ts';
import type {
  OperationGenerator,
  PlannedLoad,
  PlannedOperation,
  PlannedPolicy,
  PlannedStage,
  PlannedWorkload,
  RunPlan,
} from '../../src/scenario/run-plan.ts';
import { US_PER_SECOND } from '../../src/units.ts';

export const plainTable: TableSpec = {
  tableName: 't',
  logicalName: 'main',
  keys: { partition: { name: 'PK', type: 'S' } },
  globalIndexes: [],
  localIndexes: [],
  billing: { mode: 'on-demand' },
  start: { kind: 'warm', warmReadUnits: 12_000, warmWriteUnits: 4_000 },
};

export function putRequest(key: string): Request {
  return { api: 'PutItem', input: { TableName: 't', Item: { PK: { S: key } } } };
}

/** One put per operation, of a key of its own. */
function putOperation(sequence: number): PlannedOperation {
  return { kind: 'request', request: putRequest(`k${sequence}`) };
}

export function stagesOf(
  ...stages: { seconds: number; isMeasured?: boolean; rateFactor?: number }[]
): PlannedStage[] {
  let startUs = 0;
  return stages.map(({ seconds, isMeasured = true, rateFactor = 1 }, index) => {
    const endUs = startUs + seconds * US_PER_SECOND;
    const stage = { index, name: `stage ${index}`, startUs, endUs, isMeasured, rateFactor };
    startUs = endUs;
    return stage;
  });
}

export function perSecond(rate: number, spacing: 'even' | 'poisson' = 'even'): PlannedLoad {
  return { kind: 'open', shape: { kind: 'constant', perSecond: rate }, spacing };
}

export interface WorkloadWishes {
  name?: string;
  load?: PlannedLoad;
  policy?: Partial<PlannedPolicy>;
  next?(sequence: number, dueUs: number): PlannedOperation;
  acknowledge?: OperationGenerator['acknowledge'];
}

export function workloadOf(wishes: WorkloadWishes, index = 0): PlannedWorkload {
  const {
    name = `w${index}`,
    load = perSecond(100),
    policy,
    next = putOperation,
    acknowledge = () => undefined,
  } = wishes;
  return {
    index,
    name,
    kind: 'put',
    isWrite: true,
    load,
    policy: { maxInFlight: 1_000, timeoutUs: 10 * US_PER_SECOND, retry: 'none', expect: [], ...policy },
    notes: [],
    createGenerator: () => ({ next, acknowledge }),
  };
}

export function planOf(wishes: {
  stages?: PlannedStage[];
  workloads?: WorkloadWishes[];
  seed?: number;
  abortConditions?: RunPlan['abortConditions'];
}): RunPlan {
  const { stages = stagesOf({ seconds: 10 }), workloads = [{}], seed = 1, abortConditions = [] } = wishes;
  return {
    scenarioName: 'test',
    variant: { name: 'default', index: 0, parameters: {} },
    seed,
    startsAtMs: 0,
    tables: [plainTable],
    preloads: [],
    stages,
    workloads: workloads.map(workloadOf),
    goals: [],
    abortConditions,
    onlyReads: false,
    sharesTables: false,
  };
}
