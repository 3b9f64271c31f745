// How many items the load of a variant leaves in its tables that were not there before, and what one of them
// is like: by a sample of the operations to come. What flows, `custom` code, statements and updates write is
// not told before they run, nor how often a workload under concurrency comes to its turn; they count as
// nothing.
import { NEW_TABLE_PARTITIONS, PARTITION_WRITE_UNITS } from '../dynamodb/limits.ts';
import { type Billing, resourceName, type Start, type TableSpec } from '../dynamodb/table-spec.ts';
import { highestPerSecond } from '../workload/arrival.ts';
import { type PutTally, PutSample, sampleRow, sampleSpread } from './put-sample.ts';
import type { OperationGenerator, PlannedWorkload, RunPlan, WorkloadKind } from './run-plan.ts';
import { operationsOf } from './run-size.ts';

/** Operations by which the most is told that a workload can write. */
const FIRST_LOOK = 100;

/** Operations by which keys that come again are found: of ten million keys, some twenty show. */
const SECOND_LOOK = 20_000;

/** Operations in a row, for keys that come again right after each other. */
const ROW = 200;

/** With fewer partition keys, all of them may lie in one partition. */
const MANY_KEYS = 100;

/** What one workload writes to one table. */
export interface NewItems {
  readonly tableName: string;
  /** If the table takes everything. */
  readonly most: number;
  /** Of those, what the table surely has the throughput for; 0 where items may go again. */
  readonly least: number;
  /** Keys come again, so that some of the items may have been there before. */
  readonly comeAgain: boolean;
  /** Bytes of an item as JSON, and of its primary key as text, on average. */
  readonly itemTextBytes: number;
  readonly keyTextBytes: number;
}

/**
 * What the workloads of a variant put into its tables.
 * @param isLarge  whether that many are worth a longer look, some 0.1 s for a workload
 */
export function newItemsOf(
  plan: RunPlan,
  isLarge: (items: readonly NewItems[]) => boolean,
): readonly NewItems[] {
  const first = look(plan, FIRST_LOOK);
  return isLarge(first) ? look(plan, SECOND_LOOK) : first;
}

function look(plan: RunPlan, operations: number): readonly NewItems[] {
  const specs = new Map(plan.tables.map((table) => [table.tableName, table]));
  // All of them: the generators of one round share pools.
  const generators = plan.workloads.map((workload) => workload.createGenerator());
  const samples = plan.workloads.flatMap((workload, index) => {
    const generator = generators[index];
    const planned = operationsOf(workload, plan.stages);
    if (generator === undefined || planned === 0 || !puts.has(workload.kind)) return [];
    return [sampleOf({ workload, generator, planned, operations, specs, seed: plan.seed })];
  });
  const mayGoAgain = plan.workloads.some(mayDelete) || samples.some(({ spread }) => spread.deletes);
  return plan.tables.flatMap((table) => {
    const isKept = !mayGoAgain && table.timeToLive === undefined;
    const share = isKept ? sureShare(table, plan, samples) : 0;
    return samples.flatMap((sample) => newItems(table.tableName, sample, share) ?? []);
  });
}

const puts: ReadonlySet<WorkloadKind> = new Set(['put', 'batchWrite', 'transactWrite']);

/** Writers of which the plan does not tell what they write. */
const unknown: ReadonlySet<WorkloadKind> = new Set([
  'remove',
  'partiql',
  'partiqlBatch',
  'partiqlTransaction',
  'flow',
  'custom',
]);

function mayDelete({ kind, isWrite }: PlannedWorkload): boolean {
  return isWrite && unknown.has(kind);
}

interface Sampling {
  readonly workload: PlannedWorkload;
  readonly generator: OperationGenerator;
  readonly planned: number;
  readonly operations: number;
  readonly specs: ReadonlyMap<string, TableSpec>;
  readonly seed: number;
}

interface Sample {
  readonly workload: PlannedWorkload;
  readonly planned: number;
  /** Operations in `spread`. */
  readonly count: number;
  readonly spread: PutSample;
  readonly row: PutSample;
}

function sampleOf({ workload, generator, planned, operations, specs, seed }: Sampling): Sample {
  const count = Math.min(planned, operations);
  const sample = { workload, planned, count, spread: new PutSample(specs), row: new PutSample(specs) };
  sampleSpread(sample.spread, { generator, planned, count }, seed);
  sampleRow(sample.row, { generator, planned, count: ROW });
  return sample;
}

/** @param share  of the puts that are surely taken */
function newItems(tableName: string, sample: Sample, share: number): NewItems | undefined {
  const tally = sample.spread.byTable.get(tableName);
  if (tally === undefined) return undefined;
  const all = (tally.puts * sample.planned) / sample.count / putsPerKey(sample.row.byTable.get(tableName));
  const most = distinctOf(all, tally);
  return {
    tableName,
    most,
    least: Math.min(most, distinctOf(all * share, tally)),
    comeAgain: most < all,
    itemTextBytes: tally.itemTextBytes / tally.puts,
    keyTextBytes: tally.keyTextBytes / tally.puts,
  };
}

function putsPerKey(row: PutTally | undefined): number {
  return row === undefined ? 1 : row.puts / row.keys.size;
}

/**
 * How many different keys `all` puts have, by a sample: as if each were drawn from so many equally likely
 * keys. Of keys that are not equally likely there are more, so that this is never too many.
 */
function distinctOf(all: number, { puts: drawn, keys: { size: seen } }: PutTally): number {
  if (seen >= drawn) return all;
  const expected = (keys: number, draws: number) => -keys * Math.expm1(-draws / keys);
  let low = seen;
  let high = drawn ** 2;
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (expected(middle, drawn) < seen) low = middle;
    else high = middle;
  }
  return Math.min(all, expected(high, all));
}

/** The share of puts that a table surely takes, by its throughput and that of its global indexes. */
function sureShare(table: TableSpec, plan: RunPlan, samples: readonly Sample[]): number {
  const own = { name: resourceName(table.tableName), billing: table.billing, start: table.start };
  const indexes = table.globalIndexes.map(({ name, billing, start }) => ({
    name: resourceName(table.tableName, name),
    billing,
    start,
  }));
  return Math.min(...[own, ...indexes].map((one) => shareOf(one, plan, samples)));
}

interface Offer {
  readonly name: string;
  readonly billing: Billing;
  readonly start: Start;
}

function shareOf({ name, billing, start }: Offer, { stages }: RunPlan, samples: readonly Sample[]): number {
  const keys = new Set<string>();
  let unitsPerSecond = 0;
  for (const { workload, count, spread } of samples) {
    const touched = spread.byResource.get(name);
    if (touched === undefined || workload.load.kind === 'closed') continue;
    for (const key of touched.keys) keys.add(key);
    unitsPerSecond += (touched.writeUnits / count) * highestPerSecond(workload.load.shape, stages);
  }
  const offered =
    keys.size < MANY_KEYS
      ? Math.min(PARTITION_WRITE_UNITS, sureUnits(billing, start))
      : sureUnits(billing, start);
  // Of more than is offered only half of it is sure: how much is refused depends on where keys fall.
  return unitsPerSecond <= offered ? 1 : offered / unitsPerSecond / 2;
}

function sureUnits(billing: Billing, start: Start): number {
  if (billing.mode === 'provisioned') return billing.writeUnits;
  const atStart = start.kind === 'warm' ? start.warmWriteUnits : NEW_TABLE_PARTITIONS * PARTITION_WRITE_UNITS;
  return Math.min(atStart, billing.maximumWriteUnits ?? Number.POSITIVE_INFINITY);
}
