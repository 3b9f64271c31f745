// Turns the counters of a table or index into the values that are read after a run.
import type { Billing } from '../dynamodb/table-spec.ts';
import type { ThrottlingLimit } from '../dynamodb/throttling-reason.ts';
import { US_PER_SECOND } from '../units.ts';
import type { KeyList } from './key-list.ts';
import { HEAT_PER_WRITE_UNIT, type KeyState, type KeyUse } from './key-state.ts';
import type { LivePartitions } from './live-partitions.ts';
import { hashShare, type Partition, type PartitionSide } from './partition.ts';
import type {
  DemandSeries,
  KeyObservation,
  KeyUseObservation,
  PartitionObservation,
  PartitionUse,
  ResourceObservation,
  SideTotals,
} from './resource-observation.ts';
import type { ResourceSide } from './resource-side.ts';
import { limitBits } from './throttling.ts';

/** Keys listed in an observation. */
const TOP_KEYS = 100;

export interface ObservedState {
  readonly settings: {
    readonly name: string;
    readonly arn: string;
    readonly resource: 'Table' | 'Index';
    readonly billing: Billing;
  };
  /** The measured window as far as it was reached. */
  readonly fromUs: number;
  readonly untilUs: number;
  readonly partitions: LivePartitions;
  readonly keys: KeyList;
  readonly read: ResourceSide;
  readonly write: ResourceSide;
}

/** What is known of a table or index at the end; nothing in it changes any more. */
export function observeResource(state: ObservedState): ResourceObservation {
  const { name, arn, resource, billing } = state.settings;
  const { keys, read, write, partitions } = state;
  const windowSeconds = (state.untilUs - state.fromUs) / US_PER_SECOND;
  const seconds = Math.ceil(windowSeconds);
  return {
    name,
    arn,
    resource,
    billing,
    windowSeconds,
    read: sideTotals(read, seconds),
    write: sideTotals(write, seconds),
    partitions: partitions.everMade.flatMap((partition) => partitionObservation(partition, state)),
    topKeys: topKeys(state),
    distinctKeys: keys.distinctCount,
    isExact: keys.isExact,
    readDemand: demandSeries(state, read, seconds, (key) => key.read),
    writeDemand: demandSeries(state, write, seconds, (key) => key.write),
  };
}

function sideTotals(side: ResourceSide, seconds: number): SideTotals {
  const { requests, units, throttledRequests, throttledUnits, refusedElsewhere } = side;
  return {
    requests,
    units,
    throttledRequests,
    throttledUnits,
    refusedElsewhere,
    throttledByLimit: {
      Account: throttledBy(side, 'Account'),
      MaxOnDemand: throttledBy(side, 'MaxOnDemand'),
      Provisioned: throttledBy(side, 'Provisioned'),
      KeyRange: throttledBy(side, 'KeyRange'),
    },
    unitsPerSecond: side.consumed.toArray(seconds),
  };
}

function throttledBy(side: ResourceSide, limit: ThrottlingLimit): number {
  const bit = limitBits[limit];
  return side.throttledByMask.reduce((sum, count, mask) => ((mask & bit) === 0 ? sum : sum + count), 0);
}

/** None where the partition served at no time of the window. */
function partitionObservation(
  partition: Partition,
  { fromUs, untilUs }: Pick<ObservedState, 'fromUs' | 'untilUs'>,
): PartitionObservation[] {
  const bornUs = Math.max(fromUs, partition.bornAtUs);
  const endUs = Math.min(untilUs, partition.endedAtUs);
  if (endUs <= bornUs && untilUs > fromUs) return [];
  const servedSeconds = Math.max(0, endUs - bornUs) / US_PER_SECOND;
  return [
    {
      id: partition.id,
      hashRangeRatio: hashShare(partition),
      fromSecond: (bornUs - fromUs) / US_PER_SECOND,
      untilSecond: (bornUs - fromUs) / US_PER_SECOND + servedSeconds,
      isServing: partition.endedAtUs >= untilUs,
      read: partitionUse(partition.read, servedSeconds),
      write: partitionUse(partition.write, servedSeconds),
    },
  ];
}

function partitionUse(side: PartitionSide, servedSeconds: number): PartitionUse {
  const { units, throttledUnits, peakUnits, ceilingUnits } = side;
  const utilizationRatio = servedSeconds === 0 ? 0 : units / servedSeconds / ceilingUnits;
  return { units, throttledUnits, peakUnitsPerSecond: peakUnits, ceilingUnits, utilizationRatio };
}

function topKeys(state: ObservedState): KeyObservation[] {
  const readDemand = state.read.units + state.read.throttledUnits;
  const writeDemand = state.write.units + state.write.throttledUnits;
  return hottest(state.keys.listed, TOP_KEYS).map((key) =>
    keyObservation(key, state.partitions.of(key).id, readDemand, writeDemand),
  );
}

/**
 * The hottest keys of many, hottest first, equal ones by text; sorts a few times over a short list, not once
 * over all.
 */
function hottest(keys: Iterable<KeyState>, count: number): KeyState[] {
  let kept: { readonly key: KeyState; readonly demand: number }[] = [];
  let floor = 0;
  const cut = () => {
    kept.sort((a, b) => b.demand - a.demand || (a.key.text < b.key.text ? -1 : 1));
    kept = kept.slice(0, count);
    if (kept.length === count) floor = kept.at(-1)?.demand ?? 0;
  };
  for (const key of keys) {
    const demand = usedAndRefused(key.read) + HEAT_PER_WRITE_UNIT * usedAndRefused(key.write);
    if (demand === 0 || demand < floor) continue;
    kept.push({ key, demand });
    if (kept.length >= 16 * count) cut();
  }
  cut();
  return kept.map(({ key }) => key);
}

function usedAndRefused(use: KeyUse | undefined): number {
  return use === undefined ? 0 : use.units + use.throttledUnits;
}

function keyObservation(
  key: KeyState,
  partitionId: number,
  readDemand: number,
  writeDemand: number,
): KeyObservation {
  const read = keyUse(key.read, readDemand);
  const write = keyUse(key.write, writeDemand);
  const demand = usedAndRefused(key.read) + HEAT_PER_WRITE_UNIT * usedAndRefused(key.write);
  const demandRatio = ratio(demand, readDemand + HEAT_PER_WRITE_UNIT * writeDemand);
  return { key: key.text, partitionId, read, write, demandRatio };
}

function keyUse(use: KeyUse | undefined, resourceDemand: number): KeyUseObservation {
  const { requests, units, throttledRequests, throttledUnits } = use ?? unused;
  const demandRatio = ratio(units + throttledUnits, resourceDemand);
  return { requests, units, throttledRequests, throttledUnits, demandRatio };
}

const unused = { requests: 0, units: 0, throttledRequests: 0, throttledUnits: 0 };

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

function demandSeries(
  { keys, partitions }: ObservedState,
  side: ResourceSide,
  seconds: number,
  useOf: (key: KeyState) => KeyUse | undefined,
): DemandSeries {
  const heavyKeys = keys.heavy.flatMap((key) => {
    const use = useOf(key);
    const units = use === undefined ? [] : placedDemand(use, seconds);
    const isDivisible = partitions.wouldCutInside(key);
    return units.length === 0
      ? []
      : [{ key: key.text, unitsPerSecond: units, ...(isDivisible && { isDivisible }) }];
  });
  heavyKeys.sort((a, b) => (a.key < b.key ? -1 : 1));
  return { totalUnitsPerSecond: side.demand.toArray(seconds), heavyKeys };
}

/**
 * A heavy key's demand by second. What was asked of it before it proved heavy is known in sum only, and is
 * laid on its seconds in proportion; for a steady key that is a second's fraction at the start.
 */
function placedDemand(use: KeyUse, seconds: number): number[] {
  const placed = use.demand?.total ?? 0;
  if (use.demand === undefined || placed === 0) return [];
  const scale = (placed + use.unplacedUnits) / placed;
  return use.demand.toArray(seconds).map((units) => units * scale);
}
