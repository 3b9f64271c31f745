// The first operations of each variant against a simulated table of its own, before any load: DynamoDB's rules
// for expressions are known to the simulator, and a request that it refuses would be refused every time.
import type { CapacityModel } from '../capacity/capacity-model.ts';
import { ApiError } from '../dynamodb/api-error.ts';
import type { Request } from '../dynamodb/operation.ts';
import type { TableSpec } from '../dynamodb/table-spec.ts';
import { IssueList } from '../scenario/issues.ts';
import type { OperationGenerator, PlannedPreload, PlannedWorkload, RunPlan } from '../scenario/run-plan.ts';
import { SimulatedDatabase } from '../simulator/simulated-database.ts';
import { US_PER_SECOND } from '../units.ts';

/** Few are enough: an expression is wrong in its text, which hardly changes from one operation to the next. */
const OPERATIONS = 20;
const PRELOADED_ITEMS = 20;
const MOST_VARIANTS = 50;

/**
 * Sends the first operations of each workload through a scratch database and tells what it refuses as invalid.
 * Flows and `custom` workloads are left out: what they send depends on what they read.
 * @param options.file  the scenario file as the user named it
 * @throws DynoLoadError OPERATION_INVALID with DynamoDB's message, by workload and variant
 */
export function tryOperations(
  plans: readonly RunPlan[],
  { file, model }: { readonly file: string; readonly model: CapacityModel },
): void {
  const issues = new IssueList(file);
  // Of very many variants those at even distances stand for all.
  const step = Math.max(1, Math.ceil(plans.length / MOST_VARIANTS));
  for (let index = 0; index < plans.length; index += step) {
    const plan = plans[index] as RunPlan; // Below the length.
    issues.enterVariant(plan.variant.name);
    tryVariant(plan, model, issues);
    issues.enterVariant(undefined);
  }
  issues.throwIfAny();
}

function tryVariant(plan: RunPlan, model: CapacityModel, issues: IssueList): void {
  const database = new SimulatedDatabase({ model, seed: plan.seed });
  for (const table of plan.tables) database.createTable(withoutLimits(table));
  for (const preload of plan.preloads) tryPreload(preload, database, issues);
  // All of them, also those that are not tried: the generators of one round share pools.
  const generators = plan.workloads.map((workload) => ({ workload, generator: workload.createGenerator() }));
  // Writers first, so that pools have something for readers.
  generators.sort((a, b) => Number(b.workload.isWrite) - Number(a.workload.isWrite));
  const trial = new Trial(database, issues);
  for (const { workload, generator } of generators)
    if (workload.kind !== 'flow' && workload.kind !== 'custom') trial.run(workload, generator);
}

/** The table on demand, indexes too: nothing here is about throughput. */
function withoutLimits(table: TableSpec): TableSpec {
  const unlimited = { billing: { mode: 'on-demand' }, start: { kind: 'new' } } as const;
  const globalIndexes = table.globalIndexes.map((index) => ({ ...index, ...unlimited }));
  return { ...table, ...unlimited, globalIndexes };
}

function tryPreload(
  { name, tableName, count, itemAt }: PlannedPreload,
  database: SimulatedDatabase,
  issues: IssueList,
): void {
  for (let index = 0; index < Math.min(count, PRELOADED_ITEMS); index++) {
    try {
      database.preload(tableName, itemAt(index));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      issues.add({ at: `data.${name}`, is: `(item ${index}) is refused: ${error.message}`, ...refusedItem });
      return;
    }
  }
}

const refusedItem = {
  why: 'DynamoDB would not take this item',
  fix: 'correct what the message names',
  code: 'OPERATION_INVALID',
} as const;

class Trial {
  readonly #database: SimulatedDatabase;
  readonly #issues: IssueList;
  /** Each request comes a second after the last, so that none is throttled. */
  #atUs = 0;

  constructor(database: SimulatedDatabase, issues: IssueList) {
    this.#database = database;
    this.#issues = issues;
  }

  run({ name }: PlannedWorkload, generator: OperationGenerator): void {
    for (let sequence = 0; sequence < OPERATIONS; sequence++) {
      const operation = generator.next(sequence, 0);
      if (operation.kind !== 'request' && operation.kind !== 'pages' && operation.kind !== 'fanOut') continue;
      for (const request of operation.kind === 'fanOut' ? operation.branches : [operation.request]) {
        const message = this.#refusal(request);
        if (message === undefined) continue;
        this.#issues.add({
          at: `workloads.${name}`,
          is: `(operation ${sequence}) is refused: ${message}`,
          why: `DynamoDB answers this ${request.api} with a ValidationException, whatever the load`,
          fix: 'correct the expression or the key that the message names',
          code: 'OPERATION_INVALID',
        });
        return;
      }
      generator.acknowledge(operation, sequence, 0);
    }
  }

  #refusal(request: Request): string | undefined {
    this.#atUs += US_PER_SECOND;
    const outcome = this.#database.handle(request, this.#atUs);
    if (outcome.kind !== 'failed' || outcome.code !== 'ValidationException') return undefined;
    return dependsOnData.test(outcome.message) ? undefined : outcome.message;
  }
}

/** Refusals that follow from what an item holds or lacks; only a few items are in place here. */
const dependsOnData =
  /attribute that does not exist in the item|incorrect data type|document path provided in the update|Item size to update/;
