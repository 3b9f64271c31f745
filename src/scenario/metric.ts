// The published list of metrics: what goals, comparisons and reports may name. A metric that is not here does
// not exist.

/** Whether more is better. */
export type Orientation = 'higher-is-better' | 'lower-is-better' | 'neither';

/** The unit of a metric: ratios are 0–1, times µs, costs USD. */
export type MetricUnit = 'ratio' | 'us' | 'perSecond' | 'units' | 'requests' | 'usd';

/** One metric of the published list. */
export interface MetricDefinition {
  readonly name: MetricName;
  readonly unit: MetricUnit;
  readonly orientation: Orientation;
  /** What is counted, over what. */
  readonly population: string;
  /** Depends on time measured or modelled, so equal runs on a wall clock differ. */
  readonly isTiming: boolean;
  /** Meaningless on a target that does not throttle. */
  readonly needsEnforcedThroughput: boolean;
}

const latencyStatistics = ['mean', 'p50', 'p90', 'p99', 'p99.9', 'max'] as const;
/** Of response and service times. */
export type LatencyStatistic = (typeof latencyStatistics)[number];

/** Outcomes whose share of started operations is a metric. */
const ratioNames = [
  'throttledRatio',
  'attemptThrottledRatio',
  'failedRatio',
  'conflictRatio',
  'conditionFailedRatio',
  'unprocessedRatio',
  'droppedRatio',
] as const;
type RatioName = (typeof ratioNames)[number];

/** All names that goals, comparison rules and reports may use. */
export type MetricName =
  | RatioName
  | `${'response' | 'service'}.${LatencyStatistic}`
  | 'plannedPerSecond'
  | 'startedPerSecond'
  | 'achievedPerSecond'
  | 'writeUnitsPerOperation'
  | 'readUnitsPerOperation'
  | 'readUnitsPerReturnedItem'
  | 'requestsPerOperation'
  | 'costPerMillion';

const ratioPopulations: Readonly<Record<RatioName, string>> = {
  throttledRatio: 'operations whose last outcome is throttled ÷ operations started',
  attemptThrottledRatio: 'attempts that were throttled ÷ attempts sent',
  failedRatio:
    'operations that failed or timed out, or had an outcome not expected by the workload, ÷ operations started',
  conflictRatio: 'operations that met a transaction conflict ÷ operations started',
  conditionFailedRatio: 'operations whose condition did not hold ÷ operations started',
  unprocessedRatio: 'items returned unprocessed ÷ items sent in batches',
  droppedRatio: 'operations dropped because too many were in flight ÷ operations planned',
};

const ratios: readonly MetricDefinition[] = ratioNames.map((name) => ({
  name,
  unit: 'ratio',
  orientation: 'lower-is-better',
  population: ratioPopulations[name],
  isTiming: name === 'droppedRatio',
  needsEnforcedThroughput:
    name === 'throttledRatio' || name === 'attemptThrottledRatio' || name === 'unprocessedRatio',
}));

const latencies: readonly MetricDefinition[] = (['response', 'service'] as const).flatMap((kind) =>
  latencyStatistics.map(
    (statistic): MetricDefinition => ({
      name: `${kind}.${statistic}`,
      unit: 'us',
      orientation: 'lower-is-better',
      population:
        kind === 'response'
          ? 'operations with outcome ok, from the moment due to the end'
          : 'operations with outcome ok, from the moment sent to the end',
      isTiming: true,
      needsEnforcedThroughput: false,
    }),
  ),
);

function plain(
  name: MetricName,
  unit: MetricUnit,
  orientation: Orientation,
  population: string,
): MetricDefinition {
  return {
    name,
    unit,
    orientation,
    population,
    isTiming: unit === 'perSecond',
    needsEnforcedThroughput: false,
  };
}

/** Every metric, in the order in which reports list them. */
export const metrics: readonly MetricDefinition[] = [
  plain('plannedPerSecond', 'perSecond', 'neither', 'operations due ÷ seconds of the measured stages'),
  plain(
    'startedPerSecond',
    'perSecond',
    'higher-is-better',
    'operations sent ÷ seconds of the measured stages',
  ),
  plain(
    'achievedPerSecond',
    'perSecond',
    'higher-is-better',
    'operations that ended ok within the measured stages ÷ seconds of those stages',
  ),
  ...ratios,
  ...latencies,
  plain(
    'writeUnitsPerOperation',
    'units',
    'lower-is-better',
    'write units consumed on table and indexes ÷ operations finished',
  ),
  plain(
    'readUnitsPerOperation',
    'units',
    'lower-is-better',
    'read units consumed on table and indexes ÷ operations finished',
  ),
  plain('readUnitsPerReturnedItem', 'units', 'lower-is-better', 'read units consumed ÷ items returned'),
  plain('requestsPerOperation', 'requests', 'lower-is-better', 'requests sent ÷ operations finished'),
  plain(
    'costPerMillion',
    'usd',
    'lower-is-better',
    'on-demand price of the units consumed per million operations with outcome ok',
  ),
];

const byName: ReadonlyMap<string, MetricDefinition> = new Map(metrics.map((metric) => [metric.name, metric]));

/** The metric of that name, or undefined. */
export function findMetric(name: string): MetricDefinition | undefined {
  return byName.get(name);
}

/** Fewest ok samples for a percentile to be reported; fewer is *missing*. */
export const MINIMUM_SAMPLES = 100;
/** Fewest ok samples for the 99.9th percentile to be reported: of a thousand, one lies above it. */
export const MINIMUM_SAMPLES_P99_9 = 1_000;
