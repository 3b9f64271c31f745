// Opens the simulated target for each variant: a fresh database with the variant's tables and preloaded items, on a clock of its own.
import type { ResourceResult } from '../analysis/run-result.ts';
import { type CapacityModel, describeModel } from '../capacity/capacity-model.ts';
import type { KeyObservation, ResourceObservation } from '../capacity/resource-observation.ts';
import { type Scheduler, VirtualClock } from '../clock.ts';
import { resourceName, type TableSpec } from '../dynamodb/table-spec.ts';
import type { RunPlan } from '../scenario/run-plan.ts';
import { SimulatedDatabase } from '../simulator/simulated-database.ts';
import { heatOf } from './heat-record.ts';
import { billingText, startText } from './live-heat.ts';
import { SimulatedTarget } from './simulated-target.ts';
import type {
  PrepareProgress,
  SessionObservation,
  TargetDescription,
  TargetProvider,
  TargetSession,
} from './target.ts';
import { measuredSpan } from './variant-record.ts';

const KEYS_REPORTED = 25;
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
      observe: () => observeDatabase(database, plan.tables, clock.nowUs()),
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

function observeDatabase(
  database: SimulatedDatabase,
  tables: readonly TableSpec[],
  endUs: number,
): SessionObservation {
  const observations = tables.map((table) => ({ table, seen: database.observe(table.tableName, endUs) }));
  return {
    tables: observations.map(({ table, seen }) => ({
      tableName: table.tableName,
      logicalName: table.logicalName,
      itemCount: seen.itemCount,
      replacedPuts: seen.replacedPuts,
      largestItemBytes: seen.largestItemBytes,
    })),
    resources: observations.flatMap(({ table, seen }) =>
      seen.resources.map((resource) => resourceRecord(table, resource)),
    ),
    placeable: observations.flatMap(({ seen }) => seen.resources),
    connectionsOpened: null,
    resentRequests: null,
  };
}

function resourceRecord(table: TableSpec, seen: ResourceObservation): ResourceResult {
  const index = table.globalIndexes.find((one) => resourceName(table.tableName, one.name) === seen.name);
  const { billing, start } = index ?? table;
  const heat = heatOf(seen);
  return {
    resource: seen.name,
    tableName: table.tableName,
    indexName: index?.name ?? null,
    billing: billingText(billing),
    start: startText(start),
    readUnits: seen.read.units,
    writeUnits: seen.write.units,
    throttledReadUnits: seen.read.throttledUnits,
    throttledWriteUnits: seen.write.throttledUnits,
    distinctKeys: seen.distinctKeys,
    isExact: seen.isExact,
    keys: seen.topKeys.slice(0, KEYS_REPORTED).map(keyRecord),
    partitions: seen.partitions.map((partition) => ({
      id: String(partition.id),
      readUnitsPerSecond: perSecond(partition.read.units, seen),
      writeUnitsPerSecond: perSecond(partition.write.units, seen),
      readUtilization: partition.read.utilizationRatio,
      writeUtilization: partition.write.utilizationRatio,
      throttledReadUnits: partition.read.throttledUnits,
      throttledWriteUnits: partition.write.throttledUnits,
    })),
    ...(heat === undefined ? {} : { heat }),
  };
}

function keyRecord(key: KeyObservation): ResourceResult['keys'][number] {
  return {
    key: key.key,
    requests:
      key.read.requests + key.write.requests + key.read.throttledRequests + key.write.throttledRequests,
    readUnits: key.read.units,
    writeUnits: key.write.units,
    throttledRequests: key.read.throttledRequests + key.write.throttledRequests,
    readShare: key.read.demandRatio,
    writeShare: key.write.demandRatio,
  };
}

function perSecond(units: number, { windowSeconds }: ResourceObservation): number {
  return windowSeconds > 0 ? units / windowSeconds : 0;
}
