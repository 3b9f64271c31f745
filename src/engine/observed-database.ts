// What a simulated database knows after a run, as values of the record: tables, and tables and indexes with
// their keys and partitions.
import type { PartitionResult } from '../analysis/records/resource.ts';
import type { ResourceResult } from '../analysis/run-result.ts';
import type {
  KeyObservation,
  PartitionObservation,
  ResourceObservation,
} from '../capacity/resource-observation.ts';
import { resourceName, type TableSpec } from '../dynamodb/table-spec.ts';
import type { SimulatedDatabase } from '../simulator/simulated-database.ts';
import { heatOf } from './heat-record.ts';
import { billingText, KEYS_REPORTED, limitRecord, startText } from './live-heat.ts';
import type { SessionObservation } from './target.ts';

/** Observes the tables up to `endUs`, where load ended. */
export function observeDatabase(
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
    ...limitRecord(billing),
    start: startText(start),
    readUnits: seen.read.units,
    writeUnits: seen.write.units,
    throttledReadUnits: seen.read.throttledUnits,
    throttledWriteUnits: seen.write.throttledUnits,
    distinctKeys: seen.distinctKeys,
    isExact: seen.isExact,
    keys: seen.topKeys.slice(0, KEYS_REPORTED).map(keyRecord),
    partitions: seen.partitions.map((partition) => partitionRecord(partition, seen)),
    ...(heat === undefined ? {} : { heat }),
  };
}

function partitionRecord(
  partition: PartitionObservation,
  { windowSeconds }: ResourceObservation,
): PartitionResult {
  const { id, read, write, fromSecond, untilSecond, isServing } = partition;
  const seconds = untilSecond - fromSecond;
  const perSecond = (units: number): number => (seconds > 0 ? units / seconds : 0);
  return {
    id: String(id),
    readUnitsPerSecond: perSecond(read.units),
    writeUnitsPerSecond: perSecond(write.units),
    readUtilization: read.utilizationRatio,
    writeUtilization: write.utilizationRatio,
    throttledReadUnits: read.throttledUnits,
    throttledWriteUnits: write.throttledUnits,
    ...(seconds < windowSeconds && { served: { fromSecond, untilSecond, isSplit: !isServing } }),
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
