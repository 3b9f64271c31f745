// What a simulated database knows after a run, as values of the record: tables, and tables and indexes with their keys and partitions.
import type { ResourceResult } from '../analysis/run-result.ts';
import type { KeyObservation, ResourceObservation } from '../capacity/resource-observation.ts';
import { resourceName, type TableSpec } from '../dynamodb/table-spec.ts';
import type { SimulatedDatabase } from '../simulator/simulated-database.ts';
import { heatOf } from './heat-record.ts';
import { billingText, limitRecord, startText } from './live-heat.ts';
import type { SessionObservation } from './target.ts';

const KEYS_REPORTED = 25;

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
