// The plans of a run on AWS → what is said of it beforehand: units, duration, price.
import { type PlannedSpend, priceRun } from '../../analysis/run-cost.ts';
import type { InsightsMode } from '../../aws/contributor-insights.ts';
import { variantWallMs } from '../../engine/service-counts/load-minutes.ts';
import { metricQueries } from '../../engine/service-counts/metric-queries.ts';
import { writesToTables } from '../../aws/safety.ts';
import type { TableSpec } from '../../dynamodb/table-spec.ts';
import { type PlannedUnits, plannedUnits } from '../../scenario/planned-units.ts';
import type { RunPlan } from '../../scenario/run-plan.ts';
import { MS_PER_HOUR, US_PER_MS } from '../../units.ts';
import type { RunStatement } from '../consent.ts';

export interface StatementInput {
  readonly billing: RunStatement['billing'];
  readonly accountId: string | undefined;
  readonly region: string;
  readonly endpoint: string;
  readonly plans: readonly RunPlan[];
  /** Runs of each variant. */
  readonly repeats: number;
  readonly isTableExisting: boolean;
  readonly keepTables: boolean;
  readonly isWarmingAllowed: boolean;
  readonly cloudWatch: boolean;
  readonly insights: InsightsMode | undefined;
  readonly maximumUsd: number | undefined;
  readonly remarks: readonly string[];
}

/** How often metrics are read until their data is in, as a guess for the price. */
const EXPECTED_PULLS = 6;

/** What is planned, priced and put in words. */
export function runStatement(input: StatementInput): RunStatement {
  const { plans, repeats } = input;
  const units = plans.map(plannedUnits);
  const spend = plannedSpend(input, units);
  return {
    billing: input.billing,
    accountId: input.accountId,
    region: input.region,
    endpoint: input.endpoint,
    tables: [...new Set(plans.flatMap(({ tables }) => tables.map(({ tableName }) => tableName)))],
    tableUse: tableUse(input),
    readUnits: spend.load.readUnits + spend.preload.readUnits,
    writeUnits: spend.load.writeUnits + spend.preload.writeUnits,
    duration: runDuration(plans, { repeats, isObserved: isObserved(input) }),
    cost: priceRun(spend),
    maximumUsd: input.maximumUsd,
    remarks: [...remarksOn(input, units), ...input.remarks],
  };
}

function isObserved({ cloudWatch, insights }: StatementInput): boolean {
  return cloudWatch || insights !== undefined;
}

/** How long all variants take, ms, with their idle minutes where the service is asked for its counts. */
export function runDuration(
  plans: readonly RunPlan[],
  { repeats, isObserved }: { readonly repeats: number; readonly isObserved: boolean },
): RunStatement['duration'] {
  let leastMs = 0;
  let mostMs = 0;
  for (const plan of plans) {
    const loadMs = loadMsOf(plan);
    const wall = isObserved ? variantWallMs(loadMs) : { leastMs: loadMs, mostMs: loadMs };
    leastMs += wall.leastMs * repeats;
    mostMs += wall.mostMs * repeats;
  }
  return { leastMs, mostMs };
}

function loadMsOf({ stages }: RunPlan): number {
  return (stages.at(-1)?.endUs ?? 0) / US_PER_MS;
}

function tableUse({ isTableExisting, keepTables, plans }: StatementInput): RunStatement['tableUse'] {
  if (isTableExisting) return plans.some(writesToTables) ? 'written' : 'read';
  return keepTables ? 'createdAndKept' : 'created';
}

function plannedSpend(input: StatementInput, units: readonly PlannedUnits[]): PlannedSpend {
  const { plans, repeats, isTableExisting, insights } = input;
  const total = (pick: (one: PlannedUnits) => number): number =>
    repeats * units.reduce((sum, one) => sum + pick(one), 0);
  const tables = plans.flatMap((plan) => plan.tables);
  // What is shared is made and filled once, by the first variant.
  const isShared = plans.every(({ sharesTables }) => sharesTables);
  const makers = isShared ? 1 : plans.length;
  const times = isShared ? 1 : repeats;
  const made = plans.slice(0, makers).flatMap((plan) => plan.tables);
  const totalMade = (pick: (one: PlannedUnits) => number): number =>
    times * units.slice(0, makers).reduce((sum, one) => sum + pick(one), 0);
  const rules =
    insights === undefined ? 0 : times * made.reduce((sum, table) => sum + rulesOf(table, insights), 0);
  return {
    load: { readUnits: total((one) => one.load.readUnits), writeUnits: total((one) => one.load.writeUnits) },
    preload: { readUnits: 0, writeUnits: totalMade((one) => one.preload.writeUnits) },
    provisioned: {
      // The capacity of an existing table is paid for without us.
      readUnits: isTableExisting ? 0 : totalMade((one) => one.provisioned.readUnits),
      writeUnits: isTableExisting ? 0 : totalMade((one) => one.provisioned.writeUnits),
      hours: Math.max(1, ...tableMs(input, isShared).map((ms) => Math.ceil(ms / MS_PER_HOUR))),
    },
    isLowerBound: units.some((one) => one.isLowerBound),
    warmedResources: input.isWarmingAllowed && !isTableExisting ? times * made.reduce(countWarm, 0) : 0,
    insights:
      insights === undefined
        ? null
        : { events: total((one) => one.accessEvents), rules, onlyThrottled: insights === 'throttled' },
    cloudWatchMetrics: input.cloudWatch ? EXPECTED_PULLS * repeats * metricQueries(tables, []).length : 0,
  };
}

/** How long each set of tables lives, ms. */
function tableMs(input: StatementInput, isShared: boolean): readonly number[] {
  const { plans, repeats } = input;
  return isShared
    ? [runDuration(plans, { repeats, isObserved: isObserved(input) }).mostMs]
    : plans.map(loadMsOf);
}

/** Rules by partition key, and by both keys where there is a sort key; each for accesses and for throttles. */
function rulesOf(table: TableSpec, mode: InsightsMode): number {
  const perKey = mode === 'accessed' ? 2 : 1;
  return [table, ...table.globalIndexes].reduce(
    (sum, { keys }) => sum + perKey * (keys.sort === undefined ? 1 : 2),
    0,
  );
}

function countWarm(sum: number, table: TableSpec): number {
  return sum + [table, ...table.globalIndexes].filter(({ start }) => start.kind === 'warm').length;
}

function remarksOn(input: StatementInput, units: readonly PlannedUnits[]): string[] {
  const { plans, insights, isTableExisting, isWarmingAllowed } = input;
  const remarks: string[] = [];
  const unknown = new Set(units.flatMap((one) => one.unknownWorkloads));
  if (unknown.size > 0)
    remarks.push(
      `${[...unknown].join(', ')}: as many operations as the service lets through, so not in the figures`,
    );
  const warm = plans.flatMap((plan) => plan.tables).reduce(countWarm, 0);
  if (warm > 0 && !isTableExisting)
    remarks.push(
      isWarmingAllowed
        ? 'warm throughput is billed once, and cannot be lowered while the table exists'
        : 'tables start new, not warm as the scenario says: that is billed, and needs --allow-warm-throughput',
    );
  if (insights !== undefined)
    remarks.push(
      'Contributor Insights publishes keys outside the encryption of the table; it is put back to what it was',
    );
  if (isTableExisting) remarks.push('units are priced on demand, whatever the billing of the existing table');
  return remarks;
}
