// Opens the simulated target for each variant: a fresh database with the variant's tables and preloaded
// items, on a clock of its own.
import type { CapacityModel } from '../capacity/capacity-model.ts';
import { type Scheduler, VirtualClock } from '../clock.ts';
import type { RunPlan } from '../scenario/run-plan.ts';
import type { ServiceTimes } from '../simulator/service-times.ts';
import { SimulatedDatabase } from '../simulator/simulated-database.ts';
import { modelRecord } from './model-record.ts';
import { observeDatabase } from './observed-database.ts';
import { type ServiceQuestions, SimulatedService } from './service-counts/simulated-service.ts';
import { SimulatedTarget } from './simulated-target.ts';
import type { PrepareProgress, TargetDescription, TargetProvider, TargetSession } from './target.ts';
import { measuredSpan } from './variant-record.ts';

const PRELOAD_SLICE = 5_000;

/** Sessions on simulated tables. Equal plans on equal models see equal answers. */
export class SimulatedProvider implements TargetProvider {
  readonly description: TargetDescription;
  readonly #model: CapacityModel;
  readonly #scheduler: Scheduler;
  readonly #questions: ServiceQuestions | undefined;
  readonly #times: ServiceTimes | undefined;

  /**
   * @param observed  what the simulated service is to report of its load, and what to note of the run;
   *   absent: nothing
   * @param latency  how long it takes, and the file from which that is; absent: modelled
   */
  constructor(
    model: CapacityModel,
    scheduler: Scheduler,
    observed?: { readonly questions: ServiceQuestions; readonly notes: readonly string[] },
    latency?: { readonly times: ServiceTimes; readonly source: string | undefined },
  ) {
    this.#times = latency?.times;
    this.#model = model;
    this.#scheduler = scheduler;
    this.#questions = observed?.questions;
    this.description = {
      kind: 'simulated',
      time: 'virtual',
      label:
        latency?.source === undefined
          ? 'simulated table'
          : `simulated table with service times drawn from ${latency.source}`,
      capabilities: {
        enforcesThroughput: 'yes',
        reportsIndexUnits: 'yes',
        transactions: 'yes',
        parallelScan: 'yes',
      },
      notes: observed?.notes ?? [],
      model: modelRecord(model),
    };
  }

  async open(
    plan: RunPlan,
    progress: (state: PrepareProgress) => void,
    signal: AbortSignal,
  ): Promise<TargetSession> {
    const service = this.#questions && new SimulatedService(this.#questions, plan);
    const database = new SimulatedDatabase({
      model: this.#model,
      seed: plan.seed,
      wallMsAtZero: plan.startsAtMs,
      ...(service && { listener: service.listener }),
    });
    const keepsItems = plan.workloads.some(({ looksAtItems = true }) => looksAtItems);
    for (const table of plan.tables) database.createTable(table, { keepsItems });
    await this.#preload(plan, database, progress, signal);
    const { fromUs, untilUs } = measuredSpan(plan);
    for (const table of plan.tables) database.markMeasured(table.tableName, fromUs, untilUs);
    const clock = new VirtualClock(this.#scheduler);
    const workloadNames = plan.workloads.map((workload) => workload.name);
    const target = new SimulatedTarget({
      database,
      clock,
      seed: plan.seed,
      workloadNames,
      times: this.#times,
    });
    const endUs = plan.stages.at(-1)?.endUs ?? 0;
    return {
      target: service?.watch(target) ?? target,
      clock,
      knowsHeat: true,
      observe: (reachedUs) => observeDatabase(database, plan.tables, reachedUs),
      ...(service && { collect: async () => service.collect(Math.max(clock.nowUs(), endUs)) }),
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
