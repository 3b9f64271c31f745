// Aim: each of DynamoDB's sixteen throttling reasons is reached by load alone, under settings that a scenario
// can have, and comes with the ARN of what refused and its exception. Method: for each a scenario of one
// workload, planned as the command plans it; its operations go to the simulated database at their moments.
import { describe, expect, test } from 'vitest';
import { capacityModels } from '../../src/capacity/capacity-model.ts';
import { throttlingReasonTexts } from '../../src/dynamodb/throttling-reason.ts';
import type { Request } from '../../src/dynamodb/operation.ts';
import { defineScenario, filler, get, preload, put, query, update } from '../../src/index.ts';
import { planRuns } from '../../src/scenario/plan.ts';
import type { PlannedOperation, RunPlan } from '../../src/scenario/run-plan.ts';
import { validateScenario } from '../../src/scenario/validate.ts';
import { SimulatedDatabase } from '../../src/simulator/simulated-database.ts';
import { US_PER_SECOND } from '../../src/units.ts';

/** Throughput of the table or index under which a limit gives way first; nothing else of it does. */
const settings = {
  KeyRange: { billing: 'on-demand' },
  Provisioned: { billing: { provisioned: { readUnits: 100, writeUnits: 100 } } },
  MaxOnDemand: { billing: { onDemand: { maximumReadUnits: 100, maximumWriteUnits: 100 } } },
  // Warm for twice the quota, so that the quota is met before any partition's ceiling.
  Account: { billing: 'on-demand', starts: { warmReadUnits: 80_000, warmWriteUnits: 80_000 } },
} as const;
type Limit = keyof typeof settings;

/** The table under an index that is to refuse: it never does. One billing mode holds for a table and its indexes. */
const roomy = {
  onDemand: settings.Account,
  provisioned: { billing: { provisioned: { readUnits: 10_000, writeUnits: 10_000 } } },
} as const;
const SECONDS = 6;

/**
 * Units asked for per second: more than the limit, in operations of a hundred units where they are many.
 * KeyRange: one key beyond a partition's ceiling.
 */
const load = {
  KeyRange: { Read: { ratePerSec: 50, units: 100 }, Write: { ratePerSec: 20, units: 100 } },
  Provisioned: { Read: { ratePerSec: 400, units: 1 }, Write: { ratePerSec: 200, units: 1 } },
  MaxOnDemand: { Read: { ratePerSec: 400, units: 1 }, Write: { ratePerSec: 200, units: 1 } },
  Account: { Read: { ratePerSec: 1_200, units: 100 }, Write: { ratePerSec: 600, units: 100 } },
} as const;

interface Case {
  readonly resource: 'Table' | 'Index';
  readonly operation: 'Read' | 'Write';
  readonly limit: Limit;
}

/** The scenario of a case, as a user would write it. */
function scenarioOf({ resource, operation, limit }: Case): unknown {
  const { ratePerSec: rate, units } = load[limit][operation];
  const isTable = resource === 'Table';
  const keyCount = limit === 'KeyRange' ? 1 : 2_000;
  // A read unit is 4 KB, half of that where an index is read; a write unit is 1 KB; less the names and keys.
  const bytesOf = (unitBytes: number) => filler(`${units * unitBytes - 200} B`);
  const indexKey = (index: number) => `STATUS#${index % keyCount}`;
  return defineScenario({
    question: 'Which limit refuses?',
    tables: () => ({
      keys: { partition: 'PK', sort: 'SK' },
      ...(isTable ? settings[limit] : limit === 'Provisioned' ? roomy.provisioned : roomy.onDemand),
      ...(isTable
        ? {}
        : { indexes: { GSI1: { partition: 'G', sort: 'SK', projection: 'ALL', ...settings[limit] } } }),
    }),
    data: () => ({
      items: preload({
        count: limit === 'KeyRange' ? 10 : 2_000,
        item: ({ index }) => ({
          PK: isTable ? indexKey(index) : `CUST#${index}`,
          SK: isTable && limit === 'KeyRange' ? `${index}` : 'ORDER',
          G: indexKey(index),
          body: bytesOf(operation === 'Read' ? 4_096 : 1_024),
        }),
      }),
    }),
    workloads: (_, { items }) => {
      if (operation === 'Read' && isTable)
        return {
          load: get({ rate, consistent: true, key: ({ random }) => keyOf(items.pick(random)) }),
        };
      if (operation === 'Read')
        return {
          load: query({ rate, index: 'GSI1', partition: ({ random }) => indexKey(random.int(keyCount)) }),
        };
      // An index key that moves costs twice on the index: its quota is passed before the table's.
      if (!isTable && limit === 'Account')
        return {
          load: update({
            rate: rate / 2,
            key: ({ random }) => keyOf(items.pick(random)),
            set: ({ seq }) => ({ G: `MOVED#${seq}` }),
          }),
        };
      return {
        load: put({
          rate,
          item: ({ seq, random }) => ({
            PK: isTable ? indexKey(random.int(1_000_000)) : `CUST#${seq}`,
            SK: `ORDER#${seq}`,
            G: indexKey(random.int(1_000_000)),
            body: bytesOf(1_024),
          }),
        }),
      };
    },
  });
}

function keyOf({ PK, SK }: { readonly PK: string; readonly SK: string }) {
  return { PK, SK };
}

interface Refusal {
  readonly reason: string;
  readonly arn: string | undefined;
  readonly exception: string;
}

/** All refusals that the scenario's load meets, in order. */
function refusalsOf(plan: RunPlan): readonly Refusal[] {
  const database = new SimulatedDatabase({ model: capacityModels.default, seed: plan.seed });
  for (const table of plan.tables) database.createTable(table);
  for (const { tableName, count, itemAt } of plan.preloads)
    for (let index = 0; index < count; index++) database.preload(tableName, itemAt(index));
  const [workload] = plan.workloads;
  if (workload?.load.kind !== 'open' || workload.load.shape.kind !== 'constant') throw new Error('no rate');
  const { perSecond } = workload.load.shape;
  const generator = workload.createGenerator();
  const refusals: Refusal[] = [];
  for (let sequence = 0; sequence < perSecond * SECONDS; sequence++) {
    const atUs = Math.floor((sequence * US_PER_SECOND) / perSecond);
    const outcome = database.handle(requestOf(generator.next(sequence, atUs)), atUs);
    if (outcome.kind !== 'throttled') continue;
    for (const { reason, arn } of outcome.reasons)
      refusals.push({ reason, arn, exception: outcome.exception });
  }
  return refusals;
}

function requestOf(operation: PlannedOperation): Request {
  if (operation.kind !== 'request' && operation.kind !== 'pages') throw new Error(operation.kind);
  return operation.request;
}

const cases: readonly (Case & { readonly reason: string })[] = (['Table', 'Index'] as const).flatMap(
  (resource) =>
    (['Read', 'Write'] as const).flatMap((operation) =>
      (['KeyRange', 'Provisioned', 'MaxOnDemand', 'Account'] as const).map((limit) => ({
        resource,
        operation,
        limit,
        reason: `${resource}${operation}${limit === 'Account' ? 'AccountLimit' : `${limit}Throughput`}Exceeded`,
      })),
    ),
);

/** Over the quota a request is told so, unless it is a write that an index holds back. */
function exceptionOf({ resource, operation, limit }: Case): string {
  if (limit === 'Provisioned') return 'ProvisionedThroughputExceededException';
  const isHeldBack = resource === 'Index' && operation === 'Write';
  return limit === 'Account' && !isHeldBack ? 'RequestLimitExceeded' : 'ThrottlingException';
}

test('there is a case for each reason', () => {
  expect(cases.map(({ reason }) => reason).sort()).toEqual([...throttlingReasonTexts].sort());
});

describe.each(cases)('$reason', (row) => {
  const scenario = validateScenario(scenarioOf(row), { file: 'reasons.ts' });
  const { plans } = planRuns(scenario, { scenarioName: 'reasons' });
  const refusals = refusalsOf(plans[0] as RunPlan); // A scenario without parameters has one variant.
  const named = refusals.filter(({ reason }) => reason === row.reason);

  test('is what load under these settings is refused for', () => {
    expect(named.length).toBeGreaterThan(20);
    // At the quota, keys that happen to crowd on one partition meet its ceiling too.
    const others = refusals.length - named.length;
    if (row.limit === 'Account') expect(others).toBeLessThan(named.length);
    else expect(others).toBe(0);
  });

  test('names what refused, by the exception of its limit', () => {
    const tableName = plans[0]?.tables[0]?.tableName;
    const table = `arn:aws:dynamodb:us-east-1:000000000000:table/${tableName}`;
    const arn = row.resource === 'Table' ? table : `${table}/index/GSI1`;
    const exception = exceptionOf(row);
    for (const one of named) expect(one).toEqual({ reason: row.reason, arn, exception });
  });
});
