// Key-range throttling of one resource taken apart: what was asked of it and of its hottest key, what its
// partitions took, and which of the possible causes that leaves. Findings put a case into words.
import { PARTITION_READ_UNITS, PARTITION_WRITE_UNITS } from '../dynamodb/limits.ts';
import { exceededUnits } from './exceeded-units.ts';
import { type LogicalKey, logicalKeyOf } from './logical-key.ts';
import { servedSeconds, servingAtEnd } from './partition-life.ts';
import type { PartitionResult } from './records/resource.ts';
import { readableResource, resourceInWords } from './resource-name.ts';
import type { ResourceResult, VariantResult } from './run-result.ts';
import { type KeyDemand, TARGET_UTILIZATION } from './shards-needed.ts';
import { type LimitThrottles, throttlesBy } from './throttles.ts';

/**
 * `scan`: a scan reads partition after partition as fast as it is answered, whatever the keys. `hotKey`:
 * one key asks for more than a partition gives. `growth`: no key does, and on demand all partitions are in
 * use alike. `tooFewPartitions`: they are not, and there are fewer partitions than hot keys, or too few for
 * the demand as a whole. `sharedPartition`: enough partitions, but hot keys fell on the same one. `unknown`:
 * too little is known.
 */
export type KeyRangeCause = 'scan' | 'hotKey' | 'growth' | 'tooFewPartitions' | 'sharedPartition' | 'unknown';

/** Throttles by the limits of partitions, on one side of one resource, with their likeliest cause. */
export interface KeyRangeCase {
  readonly cause: KeyRangeCause;
  readonly throttles: LimitThrottles;
  readonly throttledRatio: number;
  /** Of the read units consumed there, 0–1; 0 for writes. */
  readonly scanRatio: number;
  /** `GSI1`, and `index GSI1` or `the table` in a sentence. */
  readonly name: string;
  readonly nameInWords: string;
  readonly isIndex: boolean;
  readonly unit: 'WCU/s' | 'RCU/s';
  readonly ceilingUnits: number;
  /** Units asked for per second, consumed and rejected. */
  readonly demandUnits: number;
  readonly hottest: HottestKey | null;
  readonly partitions: PartitionFacts | null;
  /** Whether keys are exact counts; otherwise estimated by a sketch. */
  readonly isExact: boolean;
}

/** The key that was asked for most there; units per second, ratios 0–1. */
export interface HottestKey {
  readonly key: string;
  readonly shareRatio: number;
  readonly demandUnits: number;
  readonly logical: LogicalKey;
  /** Demand on the logical key, for the arithmetic of shards. */
  readonly demand: KeyDemand;
}

/** The partitions there, as far as they are known; units per second, ratios 0–1. */
export interface PartitionFacts {
  readonly count: number;
  readonly busiestRatio: number;
  /** Asked of the busiest per second, consumed and rejected. */
  readonly busiestDemandUnits: number;
  /** Of all partitions together. */
  readonly meanRatio: number;
  /** Of the least used of those that load met first: others come as an answer to it. */
  readonly leastRatio: number;
  /** Where load grows, DynamoDB adds partitions by itself. */
  readonly isOnDemand: boolean;
  readonly start: string;
}

/** Share of requests that must be throttled before a case is worth words. */
const NOTEWORTHY_RATIO = 0.001;

/** From this share of the reads on a scan is what throttles: the keys are hot because it passes them. */
const SCAN_RATIO = 0.5;

/** From this share of the ceiling on a key throttles by itself, for the seconds are not all alike. */
const HOT_KEY_RATIO = 0.9;

/** Where no partition is used less, load is spread and has outgrown them all. */
const EVENLY_USED_RATIO = 0.8;

/** From this use on a partition counts as full. */
const FULL_PARTITION_RATIO = 0.95;

/** The cases of one variant, most throttled first. */
export function keyRangeCases(variant: VariantResult): KeyRangeCase[] {
  return throttlesBy('KeyRange', variant)
    .filter(({ count, requests }) => requests > 0 && count / requests >= NOTEWORTHY_RATIO)
    .toSorted((a, b) => b.count - a.count)
    .flatMap((throttles) => {
      const resource = variant.resources.find((one) => one.resource === throttles.resource);
      return resource === undefined ? [] : [describe(throttles, resource, variant)];
    })
    .filter((found) => !isForUnits(found, variant));
}

/**
 * Causes that are told by how demand and partitions compare; where a limit of the whole resource is passed,
 * that one tells more, and no partition helps.
 */
const partitionCauses: ReadonlySet<KeyRangeCause> = new Set([
  'growth',
  'tooFewPartitions',
  'sharedPartition',
  'unknown',
]);

function isForUnits({ cause, throttles }: KeyRangeCase, variant: VariantResult): boolean {
  return (
    partitionCauses.has(cause) &&
    exceededUnits(variant).some(
      ({ resource, side }) => resource === throttles.resource && side === throttles.side,
    )
  );
}

function describe(throttles: LimitThrottles, resource: ResourceResult, variant: VariantResult): KeyRangeCase {
  const isWrite = throttles.side === 'write';
  const asked = isWrite
    ? resource.writeUnits + resource.throttledWriteUnits
    : resource.readUnits + resource.throttledReadUnits;
  const facts = {
    throttles,
    throttledRatio: throttles.count / throttles.requests,
    scanRatio: throttles.side === 'read' ? scanRatio(throttles, variant) : 0,
    name: readableResource(throttles.resource, variant.tables),
    nameInWords: resourceInWords(throttles.resource, variant.tables),
    isIndex: resource.indexName !== null,
    unit: isWrite ? ('WCU/s' as const) : ('RCU/s' as const),
    ceilingUnits: isWrite ? PARTITION_WRITE_UNITS : PARTITION_READ_UNITS,
    demandUnits: asked / variant.measuredSeconds,
    isExact: resource.isExact,
  };
  const unitsPerOperation = unitsPerRequest(throttles, variant);
  const hottest = hottestKey(resource, { ...facts, side: throttles.side, unitsPerOperation });
  const partitions = partitionFacts(resource, throttles.side, variant.measuredSeconds);
  return { ...facts, hottest, partitions, cause: causeOf({ ...facts, hottest, partitions }) };
}

function causeOf(
  facts: Pick<KeyRangeCase, 'scanRatio' | 'ceilingUnits' | 'demandUnits' | 'hottest' | 'partitions'>,
): KeyRangeCause {
  const { hottest, partitions, ceilingUnits, demandUnits } = facts;
  if (facts.scanRatio >= SCAN_RATIO) return 'scan';
  if (hottest !== null && hottest.demandUnits >= HOT_KEY_RATIO * ceilingUnits) return 'hotKey';
  if (partitions === null) return 'unknown';
  if (partitions.isOnDemand && partitions.leastRatio >= EVENLY_USED_RATIO) return 'growth';
  const isShort = demandUnits > TARGET_UTILIZATION * partitions.count * ceilingUnits;
  if (isShort) return 'tooFewPartitions';
  if (hottest === null || partitions.busiestRatio < FULL_PARTITION_RATIO) return 'unknown';
  if (partitions.busiestDemandUnits <= 1.05 * hottest.demandUnits) return 'unknown';
  return partitions.count < hottest.logical.shardCount ? 'tooFewPartitions' : 'sharedPartition';
}

/** By units consumed; where nothing got through, by whether the workload throttled most is a scan. */
function scanRatio({ resource, workloads }: LimitThrottles, variant: VariantResult): number {
  const readBy = (chosen: VariantResult['workloads']): number =>
    chosen
      .flatMap((workload) => workload.measured.units)
      .filter((row) => row.resource === resource)
      .reduce((sum, row) => sum + row.readUnits, 0);
  const all = readBy(variant.workloads);
  const scans = variant.workloads.filter((workload) => workload.kind === 'scan');
  if (all > 0) return readBy(scans) / all;
  return scans.some((scan) => scan.name === workloads[0]) ? 1 : 0;
}

function hottestKey(
  resource: ResourceResult,
  about: {
    readonly side: 'read' | 'write';
    readonly demandUnits: number;
    readonly ceilingUnits: number;
    readonly unitsPerOperation: number;
  },
): HottestKey | null {
  const share = (key: ResourceResult['keys'][number]): number =>
    about.side === 'read' ? key.readShare : key.writeShare;
  const hottest = resource.keys.toSorted((a, b) => share(b) - share(a))[0];
  const logical = logicalKeyOf(resource, about.side);
  if (hottest === undefined || logical === null) return null;
  return {
    key: hottest.key,
    shareRatio: share(hottest),
    demandUnits: share(hottest) * about.demandUnits,
    logical,
    demand: {
      operationsPerSecond: (logical.shareRatio * about.demandUnits) / about.unitsPerOperation,
      unitsPerOperation: about.unitsPerOperation,
      ceilingUnits: about.ceilingUnits,
    },
  };
}

/**
 * Units that one successful operation spends on the resource, over the workloads that were throttled there; 1
 * where none succeeded.
 */
function unitsPerRequest({ resource, side, workloads }: LimitThrottles, variant: VariantResult): number {
  let units = 0;
  let operations = 0;
  for (const { name, measured } of variant.workloads) {
    if (!workloads.includes(name)) continue;
    operations += measured.outcomes.ok;
    for (const row of measured.units) {
      if (row.resource === resource) units += side === 'read' ? row.readUnits : row.writeUnits;
    }
  }
  return units > 0 && operations > 0 ? units / operations : 1;
}

function partitionFacts(
  resource: ResourceResult,
  side: 'read' | 'write',
  measuredSeconds: number,
): PartitionFacts | null {
  if (resource.partitions === null || resource.partitions.length === 0) return null;
  const uses = resource.partitions.map((partition) => partitionUse(partition, side, measuredSeconds));
  const servedSeconds = uses.reduce((sum, use) => sum + use.seconds, 0);
  return {
    count: servingAtEnd(resource.partitions).length,
    busiestRatio: Math.max(...uses.map((use) => use.ratio)),
    busiestDemandUnits: Math.max(...uses.map((use) => use.demandUnits)),
    leastRatio: Math.min(...uses.filter((use) => use.isFirst).map((use) => use.ratio)),
    meanRatio:
      servedSeconds === 0 ? 0 : uses.reduce((sum, use) => sum + use.ratio * use.seconds, 0) / servedSeconds,
    isOnDemand: resource.billing.startsWith('on-demand'),
    start: resource.start,
  };
}

/** What one partition gave and was asked for while it served. */
function partitionUse(partition: PartitionResult, side: 'read' | 'write', measuredSeconds: number) {
  const seconds = servedSeconds(partition, measuredSeconds);
  const isRead = side === 'read';
  const refused = isRead ? partition.throttledReadUnits : partition.throttledWriteUnits;
  const given = isRead ? partition.readUnitsPerSecond : partition.writeUnitsPerSecond;
  return {
    seconds,
    isFirst: partition.served === undefined || partition.served.fromSecond === 0,
    ratio: isRead ? partition.readUtilization : partition.writeUtilization,
    demandUnits: seconds === 0 ? 0 : given + refused / seconds,
  };
}
