// The quantities that two runs of a variant have in common: metrics and counts of workloads, units and
// balance of tables and indexes, the outlook over placements. How they are compared is for the rows.
import { type MetricDefinition, metrics } from '../scenario/metric.ts';
import type { Orientation } from '../stats/estimate.ts';
import type { Fact, VariantPair } from './compare-row.ts';
import { groupBy } from './group-by.ts';
import { readableResource } from './resource-name.ts';
import type { ResourceResult, VariantResult, WorkloadResult } from './run-result.ts';

const orientations = {
  'higher-is-better': 'higher',
  'lower-is-better': 'lower',
  neither: 'neutral',
} as const satisfies Record<MetricDefinition['orientation'], Orientation>;

/** All of a variant but its latencies, which are modelled where counts are exact. */
export function exactFacts(pair: VariantPair): Fact[] {
  const workloads = workloadPairs(pair);
  return [
    ...workloads.flatMap(([before, after]) => metricFacts(before, after)),
    ...workloads.flatMap(([before, after]) => countFacts(before, after)),
    ...resourceFacts(pair),
    ...placementFacts(pair),
  ];
}

/** Workloads that both runs have, by their names. */
export function workloadPairs({ before, after }: VariantPair): [WorkloadResult, WorkloadResult][] {
  return before.workloads.flatMap((workload): [WorkloadResult, WorkloadResult][] => {
    const other = after.workloads.find((one) => one.name === workload.name);
    return other === undefined ? [] : [[workload, other]];
  });
}

function metricFacts(before: WorkloadResult, after: WorkloadResult): Fact[] {
  return metrics
    .filter((metric) => metric.unit !== 'us')
    .map((metric) => ({
      ...describe(metric),
      subject: before.name,
      before: before.metrics[metric.name] ?? null,
      after: after.metrics[metric.name] ?? null,
    }));
}

/** A metric of the published list as a quantity. */
export function describe({
  name,
  unit,
  orientation,
}: MetricDefinition): Pick<Fact, 'metric' | 'unit' | 'orientation'> {
  return { metric: name, unit, orientation: orientations[orientation] };
}

function countFacts(before: WorkloadResult, after: WorkloadResult): Fact[] {
  const count = (metric: string, orientation: Orientation, of: (one: WorkloadResult) => number): Fact => ({
    subject: before.name,
    metric,
    unit: 'count',
    orientation,
    before: of(before),
    after: of(after),
  });
  const reasons = [before, after].flatMap(({ measured }) => measured.throttles.map((one) => one.reason));
  return [
    ...[...new Set(reasons)].map((reason) =>
      count(`throttles.${reason}`, 'lower', ({ measured }) =>
        measured.throttles.reduce((sum, one) => sum + (one.reason === reason ? one.count : 0), 0),
      ),
    ),
    count('requests', 'neutral', ({ measured }) => measured.requests),
    count('itemsReturned', 'neutral', ({ measured }) => measured.itemsReturned),
    count('itemsScanned', 'lower', ({ measured }) => measured.itemsScanned),
  ];
}

/** Units and balance of tables and indexes, matched by the names that the scenario gives them. */
function resourceFacts({ before, after }: VariantPair): Fact[] {
  const nameOf = (variant: VariantResult, resource: ResourceResult): string =>
    readableResource(resource.resource, variant.tables);
  const others = groupBy(after.resources, (resource) => nameOf(after, resource));
  return before.resources.flatMap((resource) => {
    const subject = nameOf(before, resource);
    const other = others.get(subject)?.[0];
    if (other === undefined) return [];
    const fact = (metric: string, unit: Fact['unit'], of: (one: ResourceResult) => number | null): Fact => ({
      subject,
      metric,
      unit,
      orientation: 'neutral',
      before: of(resource),
      after: of(other),
    });
    return [
      fact('readUnits', 'count', (one) => one.readUnits),
      fact('writeUnits', 'count', (one) => one.writeUnits),
      fact('throttledReadUnits', 'count', (one) => one.throttledReadUnits),
      fact('throttledWriteUnits', 'count', (one) => one.throttledWriteUnits),
      fact('distinctKeys', 'count', (one) => one.distinctKeys),
      fact('busiestPartition.write', 'ratio', (one) => busiest(one, 'writeUtilization')),
      fact('busiestPartition.read', 'ratio', (one) => busiest(one, 'readUtilization')),
    ];
  });
}

function busiest(
  { partitions }: ResourceResult,
  side: 'readUtilization' | 'writeUtilization',
): number | null {
  return partitions === null ? null : Math.max(0, ...partitions.map((partition) => partition[side]));
}

function placementFacts({ before, after }: VariantPair): Fact[] {
  if (before.placement === null && after.placement === null) return [];
  const fact = (metric: string, of: (one: NonNullable<VariantResult['placement']>) => number): Fact => ({
    subject: 'placement',
    metric,
    unit: 'ratio',
    orientation: 'higher',
    before: before.placement === null ? null : of(before.placement),
    after: after.placement === null ? null : of(after.placement),
  });
  return [
    fact('metFromFirstSecond', (one) => one.shareMeetingGoalFromFirstSecond),
    fact('metSettled', (one) => one.shareMeetingGoalSettled),
  ];
}
