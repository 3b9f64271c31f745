// What was observed of a table whose keys ask for the same units in every second, written down without
// running anything.
import type {
  DemandSeries,
  ResourceObservation,
  SideTotals,
} from '../../src/capacity/resource-observation.ts';
import type { Billing } from '../../src/dynamodb/table-spec.ts';
import type { SessionObservation } from '../../src/engine/target.ts';
import { onDemand, tableArn } from './throughput.ts';

/** Of a session that knows nothing of its tables. */
export const nothingObserved: SessionObservation = {
  tables: [],
  resources: [],
  placeable: [],
  connectionsOpened: null,
  resentRequests: null,
};

export interface ObservedDemand {
  /** Write units per second of each heavy key. */
  readonly keys: Readonly<Record<string, number>>;
  /** Write units per second of all other keys. */
  readonly tail?: number;
  /** Those of the keys whose collection a split may cut. */
  readonly divisible?: readonly string[];
  /** Read units per second of each heavy key. */
  readonly readKeys?: Readonly<Record<string, number>>;
  readonly partitions: number;
  readonly seconds: number;
  readonly billing?: Billing;
  /** Writes that touch the resource; default: one per unit. */
  readonly writes?: number;
  /** Writes that limits of the whole resource refused; default: none. */
  readonly refusedWrites?: number;
}

export function observationOf(demand: ObservedDemand): ResourceObservation {
  const { seconds } = demand;
  const writeDemand = constantDemand(demand.keys, demand.tail ?? 0, seconds, demand.divisible);
  const readDemand = constantDemand(demand.readKeys ?? {}, 0, seconds);
  return {
    name: 'orders',
    arn: tableArn,
    resource: 'Table',
    billing: demand.billing ?? onDemand,
    windowSeconds: seconds,
    read: totals(readDemand),
    write: refusedOf(
      { ...totals(writeDemand), ...(demand.writes === undefined ? {} : { requests: demand.writes }) },
      demand.refusedWrites ?? 0,
    ),
    partitions: Array.from({ length: demand.partitions }, (_, id) => ({
      id,
      hashRangeRatio: 1 / demand.partitions,
      fromSecond: 0,
      untilSecond: seconds,
      isServing: true,
      read: unusedPartition(3_000),
      write: unusedPartition(1_000),
    })),
    topKeys: [],
    distinctKeys: Object.keys(demand.keys).length,
    isExact: true,
    readDemand,
    writeDemand,
  };
}

function refusedOf(side: SideTotals, refused: number): SideTotals {
  const throttledByLimit = { ...side.throttledByLimit, Provisioned: refused };
  return { ...side, requests: side.requests - refused, throttledRequests: refused, throttledByLimit };
}

function constantDemand(
  keys: Readonly<Record<string, number>>,
  tail: number,
  seconds: number,
  divisible: readonly string[] = [],
): DemandSeries {
  const everySecond = (units: number) => Array.from({ length: seconds }, () => units);
  const total = Object.values(keys).reduce((sum, units) => sum + units, tail);
  return {
    totalUnitsPerSecond: everySecond(total),
    heavyKeys: Object.entries(keys).map(([key, units]) => ({
      key,
      unitsPerSecond: everySecond(units),
      ...(divisible.includes(key) && { isDivisible: true }),
    })),
  };
}

function totals({ totalUnitsPerSecond }: DemandSeries): SideTotals {
  const units = totalUnitsPerSecond.reduce((sum, value) => sum + value, 0);
  return {
    requests: units,
    units,
    throttledRequests: 0,
    throttledUnits: 0,
    refusedElsewhere: 0,
    throttledByLimit: { Account: 0, MaxOnDemand: 0, Provisioned: 0, KeyRange: 0 },
    unitsPerSecond: totalUnitsPerSecond,
  };
}

function unusedPartition(ceilingUnits: number) {
  return { units: 0, throttledUnits: 0, peakUnitsPerSecond: 0, ceilingUnits, utilizationRatio: 0 };
}
