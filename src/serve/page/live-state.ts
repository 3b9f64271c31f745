// What the live page shows, as plain data: tables with their partitions, what was asked of each, and throttles. All
// figures are sums since something came into being; the page makes rates of two looks at them.
import type { FaultCount, FaultInjector } from '../faults/fault-injector.ts';
import type { Administration } from '../tables/administration.ts';
import type { ServedTable } from '../tables/served-table.ts';
import type { TrafficCounts } from './traffic-counts.ts';

/** Tables and partitions that are told of at most: a page can show no more. */
const MAX_TABLES = 200;
const MAX_PARTITIONS = 400;

export interface LiveState {
  /** Time of the database, ms. */
  readonly atMs: number;
  readonly preset: string;
  readonly throughputScale: number;
  /** What one partition serves a second, the scale included. */
  readonly partition: { readonly readUnits: number; readonly writeUnits: number };
  readonly requests: number;
  readonly throttles: number;
  readonly errors: number;
  readonly faults: readonly FaultCount[];
  readonly tableCount: number;
  readonly tables: readonly LiveTable[];
}

export interface LiveTable {
  readonly name: string;
  readonly status: string;
  readonly billing: string;
  readonly items: number;
  readonly requests: number;
  readonly throttles: number;
  /** The table, then its global indexes. */
  readonly resources: readonly LiveResource[];
}

export interface LiveResource {
  readonly name: string;
  readonly partitionCount: number;
  /** Heat that a partition serves in a second: read units, a write unit counting as three. */
  readonly ceilingPerSecond: number;
  /** In the order of the hash range: id, where it ends (0–1), heat since it was made. */
  readonly partitions: readonly (readonly [id: number, until: number, heat: number])[];
}

export interface LiveParts {
  readonly administration: Administration;
  readonly traffic: TrafficCounts;
  readonly faults: FaultInjector | undefined;
}

/** The state at this moment. */
export function liveState({ administration, traffic, faults }: LiveParts): LiveState {
  const { tables, model, throughputScale } = administration;
  const nowUs = administration.nowUs();
  const names = tables.names(nowUs);
  traffic.keep(names);
  return {
    atMs: nowUs / 1_000,
    preset: model.preset,
    throughputScale,
    partition: {
      readUnits: model.partitionReadUnits * throughputScale,
      writeUnits: model.partitionWriteUnits * throughputScale,
    },
    requests: traffic.requests,
    throttles: traffic.throttles,
    errors: traffic.errors,
    faults: faults?.counts ?? [],
    tableCount: names.length,
    tables: names.slice(0, MAX_TABLES).flatMap((name) => {
      const table = tables.find(name, nowUs);
      return table === undefined || table.status(nowUs) === 'DELETING'
        ? []
        : [liveTable(administration, table, traffic)];
    }),
  };
}

function liveTable(administration: Administration, table: ServedTable, traffic: TrafficCounts): LiveTable {
  const { database, model, throughputScale } = administration;
  const { name } = table;
  // Reads and writes have ceilings of their own; heat counts both in read units.
  const ceilingPerSecond = model.partitionReadUnits * throughputScale;
  database.advancePartitions(name, administration.nowUs());
  return {
    name,
    status: table.status(administration.nowUs()),
    billing: billingText(table),
    items: database.itemCount(name),
    ...traffic.of(name),
    resources: database.heat(name).map((resource) => ({
      name: resource.name,
      partitionCount: resource.partitions.length,
      ceilingPerSecond,
      partitions: resource.partitions
        .slice(0, MAX_PARTITIONS)
        .map(({ id, untilRatio, heat }) => [id, untilRatio, Math.round(heat * 10) / 10] as const),
    })),
  };
}

function billingText({ spec: { billing } }: ServedTable): string {
  if (billing.mode === 'on-demand') return 'on demand';
  return `provisioned, ${billing.readUnits} RCU, ${billing.writeUnits} WCU`;
}
