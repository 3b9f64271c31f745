// A table of the server as a snapshot keeps it, and back: settings, tags, expiry, insights, partitions; items are beside
// it. What lasts for minutes only is left out: states on the way, capacity saved up, heat, decreases used up today.
import type { TableSpec } from '../../dynamodb/table-spec.ts';
import { tableArn } from '../../dynamodb/table-spec.ts';
import type { InsightsMode } from '../../simulator/metrics/resource-insights.ts';
import type { NamedPartitions } from '../../simulator/table-partitions.ts';
import type { Administration } from '../tables/administration.ts';
import { scaledSpec } from '../tables/scaled-spec.ts';
import { ServedTable } from '../tables/served-table.ts';
import type { TableTraits } from '../tables/table-input.ts';

export interface TableRecord {
  readonly spec: TableSpec;
  readonly id: string;
  readonly createdAtMs: number;
  readonly traits: TableTraits;
  readonly tags: readonly (readonly [key: string, value: string])[];
  readonly timeToLive?: {
    readonly attribute: string;
    readonly isEnabled: boolean;
    readonly changedAtMs: number;
  };
  readonly onDemandSinceMs?: number;
  readonly modeSwitches: readonly number[];
  /** Where Contributor Insights is on; without `indexName` it is the table's. */
  readonly insights: readonly { readonly indexName?: string; readonly mode?: InsightsMode }[];
  /** Of the table and its global indexes; absent in snapshots of version 1. */
  readonly partitions?: readonly NamedPartitions[];
}

/** The tables that are there to stay. */
export function tableRecords(administration: Administration): readonly TableRecord[] {
  const { tables, nowUs } = administration;
  const atUs = nowUs();
  return tables
    .names(atUs)
    .map((name) => tables.get(name, atUs))
    .filter((table) => table.status(atUs) !== 'DELETING')
    .map((table) => recordOf(administration, table));
}

function recordOf({ activity, database, nowUs, wallMs }: Administration, table: ServedTable): TableRecord {
  const { spec, id, createdAtMs, traits, tags, timeToLive, onDemandSinceMs, modeSwitches } = table;
  const insights = activity.insights
    .list(table.name, wallMs())
    .filter(({ status }) => status === 'ENABLED' || status === 'ENABLING')
    .map(({ indexName, mode }) => ({ ...(indexName !== undefined && { indexName }), ...(mode && { mode }) }));
  // What is due is there, whether or not a request has come since.
  database.advancePartitions(table.name, nowUs());
  return {
    spec,
    id,
    createdAtMs,
    traits,
    tags: [...tags],
    ...(timeToLive && {
      timeToLive: {
        attribute: timeToLive.attribute,
        isEnabled: timeToLive.isEnabled,
        changedAtMs: timeToLive.changedAtMs,
      },
    }),
    ...(onDemandSinceMs !== undefined && { onDemandSinceMs }),
    modeSwitches,
    insights,
    partitions: database.partitions(table.name),
  };
}

/** Makes the table again, empty and active. @throws ApiError where the name is taken */
export function restoreTable(administration: Administration, record: TableRecord): void {
  const { database, tables, activity, place, throughputScale } = administration;
  const { spec, id, createdAtMs } = record;
  const nowUs = administration.nowUs();
  const table = new ServedTable(
    spec,
    { arn: tableArn(spec.tableName, place), id, createdAtMs },
    record.traits,
  );
  for (const [key, value] of record.tags) table.tags.set(key, value);
  table.onDemandSinceMs = record.onDemandSinceMs;
  table.modeSwitches = record.modeSwitches;
  database.createTable(scaledSpec(spec, throughputScale), { createdAtUs: nowUs });
  database.markMeasured(spec.tableName, 0, 0);
  activity.setTable(spec, nowUs);
  tables.add(table);
  for (const { indexName, mode } of record.insights)
    activity.insights.update(
      { tableName: spec.tableName, indexName, action: 'ENABLE', mode },
      administration.wallMs(),
    );
}

/** Cuts the table as it was cut; once the items are there, since partitions hold what they held. */
export function restorePartitions(
  { database, nowUs }: Administration,
  { spec, partitions = [] }: TableRecord,
): void {
  database.restorePartitions(spec.tableName, partitions, nowUs());
}

/** Switches expiry on again; once the items are there, so that each is looked at. */
export function restoreTimeToLive(administration: Administration, { spec, timeToLive }: TableRecord): void {
  if (timeToLive === undefined) return;
  const nowUs = administration.nowUs();
  administration.tables.get(spec.tableName, nowUs).timeToLive = { ...timeToLive, doneAtUs: nowUs };
  if (timeToLive.isEnabled)
    administration.database.setTimeToLive(spec.tableName, timeToLive.attribute, nowUs);
}
