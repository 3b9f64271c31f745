// Aim: what a plan will consume is estimated before it runs, and what cannot be told is said to be missing. Method:
// plans by hand, sums in comments.
import { expect, test } from 'vitest';
import type { TableSpec } from '../../../src/dynamodb/table-spec.ts';
import { plannedUnits } from '../../../src/scenario/planned-units.ts';
import type { PlannedOperation, RunPlan } from '../../../src/scenario/run-plan.ts';
import { perSecond, plainTable, planOf, stagesOf } from '../../support/plan-builder.ts';

const indexed: TableSpec = {
  ...plainTable,
  keys: { partition: { name: 'PK', type: 'S' }, sort: { name: 'SK', type: 'S' } },
  globalIndexes: [
    {
      name: 'GSI1',
      keys: { partition: { name: 'G', type: 'S' } },
      projection: { kind: 'ALL' },
      billing: { mode: 'on-demand' },
      start: { kind: 'new' },
    },
  ],
};

function putOf(bytes: number): PlannedOperation {
  const Item = { PK: { S: 'p' }, SK: { S: 's' }, G: { S: 'g' }, x: { S: 'x'.repeat(bytes) } };
  return { kind: 'request', request: { api: 'PutItem', input: { TableName: 't', Item } } };
}

function queryOf(index?: string): PlannedOperation {
  const input = { TableName: 't', KeyConditionExpression: 'G = :g', ...(index ? { IndexName: index } : {}) };
  return { kind: 'request', request: { api: 'Query', input } };
}

function plan(operation: PlannedOperation, given: Partial<RunPlan> = {}): RunPlan {
  const stages = stagesOf({ seconds: 10, isMeasured: false, rateFactor: 0.5 }, { seconds: 30 });
  const workloads = [{ load: perSecond(100), next: () => operation }];
  return { ...planOf({ stages, workloads }), tables: [indexed], ...given };
}

test('operations of all stages, on table and index', () => {
  // 50 a second for 10 s, 100 for 30 s: 3,500 puts of 1.5 KB, two units on the table and two on the index.
  expect(plannedUnits(plan(putOf(1_500)))).toEqual({
    load: { readUnits: 0, writeUnits: 3_500 * 4 },
    preload: { readUnits: 0, writeUnits: 0 },
    provisioned: { readUnits: 0, writeUnits: 0 },
    // One item on the table, counted twice for its sort key, and one on the index.
    accessEvents: 3_500 * 3,
    isLowerBound: false,
    unknownWorkloads: [],
  });
});

test('provisioned tables and indexes hold their units and are not paid by request', () => {
  const billing = { mode: 'provisioned', readUnits: 10, writeUnits: 20 } as const;
  const table = { ...indexed, billing };
  expect(plannedUnits(plan(putOf(10), { tables: [table] }))).toMatchObject({
    load: { readUnits: 0, writeUnits: 3_500 },
    provisioned: { readUnits: 10, writeUnits: 20 },
  });
});

test('a query whose size is not known costs at least half a unit, and more is said to be possible', () => {
  expect(plannedUnits(plan(queryOf('GSI1')))).toMatchObject({
    load: { readUnits: 1_750, writeUnits: 0 },
    isLowerBound: true,
    accessEvents: 3_500,
  });
});

test('shards are read one by one', () => {
  const { request } = queryOf('GSI1') as Extract<PlannedOperation, { kind: 'request' }>;
  const branches = [request, request, request] as Extract<PlannedOperation, { kind: 'fanOut' }>['branches'];
  const fanOut: PlannedOperation = { kind: 'fanOut', branches, parallel: 3, maximumPages: 1, wantedItems: 5 };
  expect(plannedUnits(plan(fanOut)).load.readUnits).toBe(3 * 1_750);
});

test('a closed loop has no number of operations', () => {
  const workloads = [{ name: 'fast', load: { kind: 'closed', concurrency: 8, pauseUs: 0 } as const }];
  const { unknownWorkloads, isLowerBound, load } = plannedUnits({ ...planOf({ workloads }) });
  expect({ unknownWorkloads, isLowerBound, load }).toEqual({
    unknownWorkloads: ['fast'],
    isLowerBound: true,
    load: { readUnits: 0, writeUnits: 0 },
  });
});

test('preloads are counted, items of different sizes by a sample', () => {
  const itemAt = (index: number) => ({ PK: { S: `${index}` }, SK: { S: 's' }, x: { S: 'x'.repeat(2_000) } });
  const preloads = [{ name: 'orders', tableName: 't', count: 1_000, itemAt }];
  expect(plannedUnits(plan(putOf(10), { preloads })).preload).toEqual({ readUnits: 0, writeUnits: 2_000 });
});
