// Why a metric has no value in a variant, and what would give it one: `missing` alone leaves a reader to
// guess between a run that was too short and a question that has no answer.
import { findMetric, MINIMUM_SAMPLES, MINIMUM_SAMPLES_P99_9 } from '../scenario/metric.ts';
import type { StageTotals, VariantResult } from './run-result.ts';
import { formatNumber } from './wording.ts';

/** What a metric is a share of, and what to say where there was none of it. */
const denominators: Readonly<
  Record<string, readonly [count: (totals: StageTotals) => number, text: string]>
> = {
  attemptThrottledRatio: [({ requests }) => requests, 'no request was sent'],
  unprocessedRatio: [({ itemsSent }) => itemsSent, 'no item was sent in a batch'],
  droppedRatio: [({ planned }) => planned, 'no operation was due'],
  writeUnitsPerOperation: [({ finished }) => finished, 'no operation came to an end'],
  readUnitsPerOperation: [({ finished }) => finished, 'no operation came to an end'],
  requestsPerOperation: [({ finished }) => finished, 'no operation came to an end'],
  readUnitsPerReturnedItem: [({ itemsReturned }) => itemsReturned, 'no item was returned'],
  costPerMillion: [({ outcomes }) => outcomes.ok, 'no operation succeeded'],
};

/**
 * A phrase for a goal or figure that is missing, for example
 * `10 of the 100 samples that p99 needs; measure at least 50 s`.
 */
export function whyMissing(
  { workload: name, metric }: { readonly workload: string; readonly metric: string },
  { workloads, measuredSeconds }: Pick<VariantResult, 'workloads' | 'measuredSeconds'>,
): string {
  if (measuredSeconds <= 0) return 'no measured stage was reached';
  const workload = workloads.find((one) => one.name === name);
  if (workload === undefined) return `this variant has no workload ${name}`;
  const { measured } = workload;
  if (measured.planned === 0) return 'no operation was due';
  if (measured.started === 0) return 'no operation was sent';
  const [kind, ...statistic] = metric.split('.');
  if (kind === 'response' || kind === 'service') {
    return tooFewSamples(statistic.join('.'), measured.outcomes.ok, measuredSeconds);
  }
  const denominator = denominators[metric];
  if (denominator !== undefined && denominator[0](measured) === 0) return denominator[1];
  return findMetric(metric) === undefined ? 'there is no such metric' : 'nothing of the kind was measured';
}

function tooFewSamples(statistic: string, samples: number, seconds: number): string {
  if (samples === 0) return 'no operation succeeded';
  const needed = statistic === 'p99.9' ? MINIMUM_SAMPLES_P99_9 : MINIMUM_SAMPLES;
  const enoughSeconds = Math.ceil((needed * seconds) / samples);
  return (
    `${formatNumber(samples)} of the ${formatNumber(needed)} samples that ${statistic} needs; ` +
    `measure at least ${formatNumber(enoughSeconds)} s`
  );
}
