// What a plan will consume, before it runs: a sample of operations is generated, its units are estimated and
// multiplied by the operations that are due. What a request does not tell is left out, and said to be.
import type { Units } from '../dynamodb/consumed-capacity.ts';
import { itemSizeBytes } from '../dynamodb/item-size.ts';
import type { Request } from '../dynamodb/operation.ts';
import type { TableSpec } from '../dynamodb/table-spec.ts';
import { plannedCount } from '../workload/arrival.ts';
import { estimateUnits, type Resource } from './estimate-units.ts';
import type { PlannedOperation, PlannedPreload, PlannedWorkload, RunPlan } from './run-plan.ts';

/** Units of one variant, from the first stage to the last. */
export interface PlannedUnits {
  /** On tables and global indexes that are paid by request. */
  readonly load: Units;
  readonly preload: Units;
  /** Units per second that are held by provisioned tables and indexes. */
  readonly provisioned: Units;
  /**
   * Items read and written by resource, counted twice where the resource has a sort key: what Contributor
   * Insights bills.
   */
  readonly accessEvents: number;
  /** Whether some operations could not be told, or may need more than the estimate. */
  readonly isLowerBound: boolean;
  /** Closed loops: how many operations they will do is not known, and they are left out. */
  readonly unknownWorkloads: readonly string[];
}

const SAMPLE_OPERATIONS = 200;
const SAMPLE_ITEMS = 50;
/** One eventually consistent read of up to 4 KB, the least a Query costs. */
const LEAST_READ_UNITS = 0.5;

/** Estimates what a plan consumes. */
export function plannedUnits(plan: RunPlan): PlannedUnits {
  const resources = plan.tables.flatMap((table) => resourcesOf(table, plan.preloads));
  const load = new UnitSum();
  const unknownWorkloads: string[] = [];
  for (const workload of plan.workloads) {
    const operations = plannedOperations(workload, plan);
    if (operations === undefined) unknownWorkloads.push(workload.name);
    else addWorkload(load, workload, { operations, resources });
  }
  const preload = new UnitSum();
  for (const one of plan.preloads) addPreload(preload, one, resources);
  return {
    load: load.units,
    preload: preload.units,
    provisioned: provisionedUnits(plan.tables),
    accessEvents: Math.round(load.events),
    isLowerBound: load.isLowerBound || unknownWorkloads.length > 0,
    unknownWorkloads,
  };
}

class UnitSum {
  readUnits = 0;
  writeUnits = 0;
  events = 0;
  isLowerBound = false;

  get units(): Units {
    return { readUnits: this.readUnits, writeUnits: this.writeUnits };
  }
}

function resourcesOf(table: TableSpec, preloads: readonly PlannedPreload[]): Resource[] {
  const items = preloads
    .filter(({ tableName }) => tableName === table.tableName)
    .flatMap((preload) => sampleIndices(preload.count).map((index) => itemSizeBytes(preload.itemAt(index))));
  const itemBytes =
    items.length === 0 ? undefined : items.reduce((sum, size) => sum + size, 0) / items.length;
  return [undefined, ...table.globalIndexes].map((index) => ({ table, index, itemBytes }));
}

function plannedOperations({ load }: PlannedWorkload, { stages }: RunPlan): number | undefined {
  if (load.kind === 'closed') return undefined;
  return stages.reduce((sum, stage) => sum + plannedCount(load.shape, stages, stage.index), 0);
}

function addWorkload(
  sum: UnitSum,
  workload: PlannedWorkload,
  { operations, resources }: { operations: number; resources: readonly Resource[] },
): void {
  const generator = workload.createGenerator();
  const sample = new UnitSum();
  const size = Math.min(SAMPLE_OPERATIONS, operations);
  for (let sequence = 0; sequence < size; sequence++) {
    const operation = generator.next(sequence, 0);
    addOperation(sample, operation, resources);
    if (operation.kind !== 'skipped') generator.acknowledge(operation, sequence, 0);
  }
  const factor = size === 0 ? 0 : operations / size;
  sum.readUnits += sample.readUnits * factor;
  sum.writeUnits += sample.writeUnits * factor;
  sum.events += sample.events * factor;
  sum.isLowerBound ||= sample.isLowerBound;
}

function addOperation(sum: UnitSum, operation: PlannedOperation, resources: readonly Resource[]): void {
  switch (operation.kind) {
    case 'request':
      addRequest(sum, operation.request, resources);
      return;
    case 'pages':
      sum.isLowerBound ||= operation.maximumPages > 1;
      addRequest(sum, operation.request, resources);
      return;
    case 'fanOut':
      sum.isLowerBound ||= operation.maximumPages > 1;
      for (const branch of operation.branches) addRequest(sum, branch, resources);
      return;
    default:
      // A pool that is empty at the start fills; flows and the user's own code are not known beforehand.
      sum.isLowerBound = true;
  }
}

function addRequest(sum: UnitSum, request: Request, resources: readonly Resource[]): void {
  const operation = { kind: 'request', request } as const;
  for (const resource of resources) {
    const reads = unitsOrLeast(sum, estimateUnits(operation, 'read', resource), LEAST_READ_UNITS);
    const writes = unitsOrLeast(sum, estimateUnits(operation, 'write', resource), 0);
    if (reads + writes === 0) continue;
    const { keys, billing } = resource.index ?? resource.table;
    sum.events += itemsOf(request, resource) * (keys.sort === undefined ? 1 : 2);
    if (billing.mode !== 'on-demand') continue;
    sum.readUnits += reads;
    sum.writeUnits += writes;
  }
}

function unitsOrLeast(sum: UnitSum, units: number | undefined, least: number): number {
  if (units === undefined) sum.isLowerBound = true;
  return units ?? least;
}

/** Items that Contributor Insights counts for a request: a Query is one, however many it returns. */
function itemsOf(request: Request, { table }: Resource): number {
  switch (request.api) {
    case 'BatchWriteItem':
      return request.input.RequestItems[table.tableName]?.length ?? 0;
    case 'BatchGetItem':
      return request.input.RequestItems[table.tableName]?.Keys.length ?? 0;
    case 'TransactWriteItems':
    case 'TransactGetItems':
      return request.input.TransactItems.length;
    // Contributor Insights does not see statements of PartiQL.
    case 'ExecuteStatement':
    case 'BatchExecuteStatement':
    case 'ExecuteTransaction':
      return 0;
    default:
      return 1;
  }
}

function addPreload(sum: UnitSum, preload: PlannedPreload, resources: readonly Resource[]): void {
  const indices = sampleIndices(preload.count);
  const sample = new UnitSum();
  for (const index of indices) {
    const input = { TableName: preload.tableName, Item: preload.itemAt(index) };
    addRequest(sample, { api: 'PutItem', input }, resources);
  }
  const factor = indices.length === 0 ? 0 : preload.count / indices.length;
  sum.writeUnits += sample.writeUnits * factor;
}

/** Indices spread evenly over a preload. */
function sampleIndices(count: number): readonly number[] {
  const length = Math.min(count, SAMPLE_ITEMS);
  return Array.from({ length }, (_, index) => Math.floor((index * count) / length));
}

function provisionedUnits(tables: readonly TableSpec[]): Units {
  let readUnits = 0;
  let writeUnits = 0;
  for (const { billing } of tables.flatMap((table) => [table, ...table.globalIndexes])) {
    if (billing.mode !== 'provisioned') continue;
    readUnits += billing.readUnits;
    writeUnits += billing.writeUnits;
  }
  return { readUnits, writeUnits };
}
