// Counts and histograms of one workload → every metric of the published list. A value is null (missing) where
// there are too few samples or no event of the kind; a missing metric never passes a goal.
import type { Units } from '../dynamodb/consumed-capacity.ts';
import {
  type LatencyStatistic,
  type MetricName,
  MINIMUM_SAMPLES,
  MINIMUM_SAMPLES_P99_9,
} from '../scenario/metric.ts';
import { costPerMillion, type Prices, usEast1Prices } from './cost.ts';
import type { HistogramResult, StageTotals, VariantResult, WorkloadResult } from './run-result.ts';

/** Every metric of the list; null where it has no meaning, or too few samples. */
export type MetricValues = Record<MetricName, number | null>;

/**
 * Every metric of one workload over its measured stages.
 * @param measuredSeconds  length of the measured stages as far as they ran, without the drain
 * @returns values in each metric's unit (see scenario/metric.ts); null where missing
 */
export function computeMetrics(
  workload: Pick<WorkloadResult, 'measured' | 'policy'>,
  measuredSeconds: number,
  prices: Prices = usEast1Prices,
): MetricValues {
  const totals = workload.measured;
  const units = consumedUnits(totals);
  return {
    plannedPerSecond: ratio(totals.planned, measuredSeconds),
    startedPerSecond: ratio(totals.started, measuredSeconds),
    // Records of before do not tell when operations ended.
    achievedPerSecond: ratio(totals.okWithinStage ?? totals.outcomes.ok, measuredSeconds),
    ...outcomeRatios(workload),
    ...latencies('response', totals.response.ok),
    ...latencies('service', totals.service.ok),
    writeUnitsPerOperation: ratio(units.writeUnits, totals.finished),
    readUnitsPerOperation: ratio(units.readUnits, totals.finished),
    readUnitsPerReturnedItem: ratio(units.readUnits, totals.itemsReturned),
    requestsPerOperation: ratio(totals.requests, totals.finished),
    costPerMillion: costPerMillion(units, totals.outcomes.ok, prices),
  };
}

/** Less time than this, cut off, is no basis for a rate: the one operation of a millisecond is not 1,000/s. */
const LEAST_SECONDS_CUT_OFF = 1;

/**
 * The seconds over which the rates of a variant are taken.
 * @returns 0, which makes rates missing, for one that was interrupted before a second was measured
 */
export function secondsOfRates({
  status,
  measuredSeconds,
}: Pick<VariantResult, 'status' | 'measuredSeconds'>): number {
  return status === 'complete' || measuredSeconds >= LEAST_SECONDS_CUT_OFF ? measuredSeconds : 0;
}

/**
 * Units consumed on all tables and indexes: reported, and estimated where DynamoDB charges without saying so.
 */
export function consumedUnits(totals: Pick<StageTotals, 'units' | 'estimatedUnits'>): Units {
  let readUnits = 0;
  let writeUnits = 0;
  for (const row of [...totals.units, ...totals.estimatedUnits]) {
    readUnits += row.readUnits;
    writeUnits += row.writeUnits;
  }
  return { readUnits, writeUnits };
}

function outcomeRatios({ measured, policy }: Pick<WorkloadResult, 'measured' | 'policy'>) {
  const { outcomes, started } = measured;
  // An unmet condition or a conflict is a failure unless the workload says that it expects them; a throttle
  // has a metric of its own.
  const unexpected = (['conditionFailed', 'conflict'] as const)
    .filter((kind) => !policy.expect.includes(kind))
    .reduce((sum, kind) => sum + outcomes[kind], 0);
  return {
    throttledRatio: ratio(outcomes.throttled, started),
    attemptThrottledRatio: ratio(measured.throttledRequests, measured.requests),
    failedRatio: ratio(outcomes.failed + outcomes.timedOut + unexpected, started),
    conflictRatio: ratio(outcomes.conflict, started),
    conditionFailedRatio: ratio(outcomes.conditionFailed, started),
    unprocessedRatio: ratio(measured.itemsUnprocessed, measured.itemsSent),
    droppedRatio: ratio(outcomes.dropped, measured.planned),
  };
}

type LatencyMetrics<K extends 'response' | 'service'> = Record<`${K}.${LatencyStatistic}`, number | null>;

function latencies<K extends 'response' | 'service'>(
  kind: K,
  histogram: HistogramResult | undefined,
): LatencyMetrics<K> {
  const enough = histogram !== undefined && histogram.count >= MINIMUM_SAMPLES ? histogram : null;
  const enoughForTail = enough !== null && enough.count >= MINIMUM_SAMPLES_P99_9 ? enough : null;
  // The computed keys are exactly the six of the type; TypeScript widens them to string.
  return {
    [`${kind}.mean`]: enough?.meanUs ?? null,
    [`${kind}.p50`]: enough?.p50Us ?? null,
    [`${kind}.p90`]: enough?.p90Us ?? null,
    [`${kind}.p99`]: enough?.p99Us ?? null,
    [`${kind}.p99.9`]: enoughForTail?.p99_9Us ?? null,
    [`${kind}.max`]: enough?.maxUs ?? null,
  } as LatencyMetrics<K>;
}

function ratio(part: number, whole: number): number | null {
  return whole > 0 ? part / whole : null;
}
