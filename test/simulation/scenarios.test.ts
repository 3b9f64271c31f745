// Aim: every scenario that the API contract accepts, and every one that ships, runs on the simulated table
// from file to record, and nothing is lost or made up on the way. Method: all variants of each, shortened, in
// virtual time; the books of the engine (per workload), those of the capacity model (per table and index) and
// those of the simulated CloudWatch (by minute) are kept apart by the code and compared here.
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import type { CloudWatchRecord } from '../../src/analysis/records/cloudwatch.ts';
import type { ResourceResult, StageTotals } from '../../src/analysis/run-result.ts';
import { capacityModels } from '../../src/capacity/capacity-model.ts';
import type { ResourceObservation } from '../../src/capacity/resource-observation.ts';
import { processScheduler } from '../../src/clock.ts';
import { loadScenario } from '../../src/cli/load-scenario.ts';
import { resourceName } from '../../src/dynamodb/table-spec.ts';
import { VariantRun } from '../../src/engine/run-variant.ts';
import { SimulatedProvider } from '../../src/engine/simulated-provider.ts';
import { workloadRecords } from '../../src/engine/variant-record.ts';
import { assert } from '../../src/errors.ts';
import { checkOperations } from '../../src/scenario/check-operations.ts';
import { planRuns } from '../../src/scenario/plan.ts';
import type { RunPlan } from '../../src/scenario/run-plan.ts';
import { validateScenario } from '../../src/scenario/validate.ts';
import { US_PER_SECOND } from '../../src/units.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

interface Case {
  /** own-data-layer.ts is left out: it needs a wall clock. */
  readonly file: string;
  readonly rateFactor?: number;
  /** Workloads whose operations DynamoDB refuses: the file is about types, not sense. */
  readonly refused?: readonly string[];
  /** An empty page of a Scan reports half a unit, and the model takes it from no partition. */
  readonly scansNothing?: boolean;
}

const scenarios: readonly Case[] = [
  { file: 'scenarios/sharding.ts' },
  { file: 'scenarios/cold-table.ts' },
  { file: 'scenarios/query-vs-scan.ts' },
  { file: 'scenarios/split-for-heat.ts' },
  { file: 'test/types/accepted/event-log.ts' },
  { file: 'test/types/accepted/order-placement.ts' },
  { file: 'test/types/accepted/page-view.ts' },
  { file: 'test/types/accepted/query-vs-scan.ts' },
  { file: 'test/types/accepted/status-shards.ts', rateFactor: 0.3 },
  { file: 'test/types/accepted/every-operation.ts', refused: ['rawUpdate'], scansNothing: true },
  { file: 'test/types/accepted/flow-with-index.ts', scansNothing: true },
  { file: 'test/types/accepted/flow-without-index.ts', scansNothing: true },
];

describe.each(scenarios)('$file', ({ file, rateFactor = 1, refused = [], scansNothing = false }) => {
  let runs: readonly VariantBooks[] = [];

  beforeAll(async () => {
    runs = await runAll(file, rateFactor);
  }, 120_000);

  test('does work in every variant and workload', () => {
    for (const { workloads } of runs)
      for (const { name, totals } of workloads) {
        const seen = { name, isStarted: totals.started > 0, isRefused: totals.outcomes.failed > 0 };
        expect(seen).toEqual({ name, isStarted: true, isRefused: refused.includes(name) });
      }
  });

  test('accounts for every planned operation once', () => {
    for (const { workloads } of runs)
      for (const { name, totals } of workloads) {
        const { dropped, skipped, ...ended } = totals.outcomes;
        const { planned, started, finished } = totals;
        const counted = { name, planned: started + dropped + skipped, started: sum(Object.values(ended)) };
        expect(counted).toEqual({ name, planned, started });
        expect(finished).toBe(started);
      }
  });

  test('spends on each table and index what its workloads are charged', () => {
    for (const { workloads, resources } of runs)
      for (const { resource, readUnits, writeUnits } of resources) {
        const charged = chargedTo(resource, workloads, resources);
        const expectedReads = scansNothing ? atLeast(readUnits) : readUnits;
        expect({ resource, ...charged }).toEqual({ resource, readUnits: expectedReads, writeUnits });
      }
  });

  test('is charged and throttled by CloudWatch as by the capacity model', () => {
    for (const { model, cloudWatch } of runs)
      for (const { name, read, write } of model)
        expect({ name, ...totalsOf(cloudWatch, name) }).toEqual({
          name,
          readUnits: scansNothing ? atLeast(read.units) : read.units,
          writeUnits: write.units,
          throttledRequests: read.throttledRequests + write.throttledRequests,
        });
  });

  test('has an idle minute before and after its load, in which CloudWatch counts nothing', () => {
    for (const { cloudWatch } of runs)
      for (const { metric, minutes } of cloudWatch.series) {
        const idle = [minutes[0], minutes.at(-1)];
        const expected = metric.startsWith('Consumed') ? [0, 0] : [null, null];
        expect({ metric, idle }).toEqual({ metric, idle: expected });
      }
  });
});

/** What CloudWatch counted of a table or global index in all its minutes. */
function totalsOf({ series }: CloudWatchRecord, resource: string) {
  const total = (metric: string) =>
    sum(
      series
        .filter(
          (one) =>
            one.metric === metric && resourceName(one.tableName, one.indexName ?? undefined) === resource,
        )
        .flatMap(({ minutes }) => minutes.map((value) => value ?? 0)),
    );
  return {
    readUnits: total('ConsumedReadCapacityUnits'),
    writeUnits: total('ConsumedWriteCapacityUnits'),
    throttledRequests: total('ReadThrottleEvents') + total('WriteThrottleEvents'),
  };
}

function atLeast(least: number): unknown {
  return expect.toSatisfy((value: number) => value >= least, `at least ${least}`);
}

interface VariantBooks {
  /** What the engine counted, warm-up included. */
  readonly workloads: readonly { readonly name: string; readonly totals: StageTotals }[];
  /** What the capacity model counted from the first request to the last. */
  readonly resources: readonly ResourceResult[];
  readonly model: readonly ResourceObservation[];
  readonly cloudWatch: CloudWatchRecord;
}

async function runAll(file: string, rateFactor: number): Promise<readonly VariantBooks[]> {
  const scenario = validateScenario(await loadScenario(join(root, file)), { file });
  const { plans } = planRuns(scenario, {
    scenarioName: basename(file, '.ts'),
    wallClock: false,
    measuredDurationUs: US_PER_SECOND,
    rateFactor,
  });
  await checkOperations(plans, { file });
  const books: VariantBooks[] = [];
  for (const plan of plans) books.push(await run(plan));
  return books;
}

async function run(plan: RunPlan): Promise<VariantBooks> {
  const provider = new SimulatedProvider(capacityModels.default, processScheduler, {
    questions: { cloudWatch: true, insights: undefined },
    notes: [],
  });
  const { signal } = new AbortController();
  const session = await provider.open(observedThroughout(plan), () => undefined, signal);
  const measurement = await new VariantRun(plan, session.clock, session.target).run();
  expect(measurement.error).toBeUndefined();
  expect(measurement.status).toBe('complete');
  const allMeasured = { ...plan, stages: plan.stages.map((stage) => ({ ...stage, isMeasured: true })) };
  const workloads = workloadRecords(allMeasured, measurement).map(({ name, measured }) => ({
    name,
    totals: measured,
  }));
  const { resources, placeable } = session.observe(measurement.reachedUs);
  const { cloudWatch } = (await session.collect?.(() => undefined, signal)) ?? {};
  await session.close();
  assert(cloudWatch, 'the simulated service was asked for its metrics');
  return { workloads, resources, model: placeable, cloudWatch };
}

/** The same plan with one measured stage that outlasts the drain, so that the model's books cover every request. */
function observedThroughout(plan: RunPlan): RunPlan {
  const endUs = (plan.stages.at(-1)?.endUs ?? 0) + 60 * US_PER_SECOND;
  return { ...plan, stages: [{ index: 0, name: 'all', startUs: 0, endUs, isMeasured: true, rateFactor: 1 }] };
}

/**
 * Units that operations reported or, where DynamoDB charges without reporting, that we estimate; a local
 * index is paid by its table.
 */
function chargedTo(
  name: string,
  workloads: VariantBooks['workloads'],
  resources: readonly ResourceResult[],
): { readonly readUnits: number; readonly writeUnits: number } {
  const isPaidBy = (resource: string) =>
    resource === name ||
    (resource.startsWith(`${name}/`) && !resources.some((one) => one.resource === resource));
  const own = workloads
    .flatMap(({ totals }) => [...totals.units, ...totals.estimatedUnits])
    .filter(({ resource }) => isPaidBy(resource));
  return {
    readUnits: sum(own.map(({ readUnits }) => readUnits)),
    writeUnits: sum(own.map(({ writeUnits }) => writeUnits)),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
