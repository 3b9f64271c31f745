// Opens the simulated target for each variant: a fresh database with the variant's tables and preloaded items, on a clock of its own.
import { type CapacityModel, describeModel } from '../capacity/capacity-model.ts';
import { type Scheduler, VirtualClock } from '../clock.ts';
import type { RunPlan } from '../scenario/run-plan.ts';
import { SimulatedDatabase } from '../simulator/simulated-database.ts';
import { observeDatabase } from './observed-database.ts';
import { SimulatedTarget } from './simulated-target.ts';
import type { PrepareProgress, TargetDescription, TargetProvider, TargetSession } from './target.ts';
import { measuredSpan } from './variant-record.ts';

const PRELOAD_SLICE = 5_000;

export class SimulatedProvider implements TargetProvider {
  readonly description: TargetDescription;
  readonly #model: CapacityModel;
  readonly #scheduler: Scheduler;

  constructor(model: CapacityModel, scheduler: Scheduler) {
    this.#model = model;
    this.#scheduler = scheduler;
    this.description = {
      kind: 'simulated',
      time: 'virtual',
      label: 'simulated table',
      capabilities: {
        enforcesThroughput: 'yes',
        reportsIndexUnits: 'yes',
        transactions: 'yes',
        parallelScan: 'yes',
      },
      notes: [],
      model: {
        preset: model.preset,
        constants: describeModel(model).map(({ name, value, unit, isPublished }) => ({
          name,
          value: String(value),
          unit,
          isPublished,
        })),
      },
    };
  }

  async open(
    plan: RunPlan,
    progress: (state: PrepareProgress) => void,
    signal: AbortSignal,
  ): Promise<TargetSession> {
    const database = new SimulatedDatabase({ model: this.#model, seed: plan.seed });
    for (const table of plan.tables) database.createTable(table);
    await this.#preload(plan, database, progress, signal);
    const { fromUs, untilUs } = measuredSpan(plan);
    for (const table of plan.tables) database.markMeasured(table.tableName, fromUs, untilUs);
    const clock = new VirtualClock(this.#scheduler);
    const workloadNames = plan.workloads.map((workload) => workload.name);
    return {
      target: new SimulatedTarget({ database, clock, seed: plan.seed, workloadNames }),
      clock,
      knowsHeat: true,
      observe: (reachedUs) => observeDatabase(database, plan.tables, reachedUs),
      close: async () => undefined,
    };
  }

  async close(): Promise<void> {
    // Nothing outlives a session.
  }

  async #preload(
    plan: RunPlan,
    database: SimulatedDatabase,
    progress: (state: PrepareProgress) => void,
    signal: AbortSignal,
  ): Promise<void> {
    for (const preload of plan.preloads) {
      for (let index = 0; index < preload.count; index++) {
        if (signal.aborted) return;
        if (index % PRELOAD_SLICE === 0) {
          progress({ what: `preload ${preload.name}`, done: index, of: preload.count });
          await new Promise<void>((resolve) => this.#scheduler.soon(resolve));
        }
        database.preload(preload.tableName, preload.itemAt(index));
      }
    }
  }
}
