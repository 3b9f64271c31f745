// GetMetricStatistics: one metric over one span of time, several statistics at once, in no promised order.
// @see GetMetricStatistics in the documentation of `@aws-sdk/client-cloudwatch` 3.1164.0, read 2026-11-30
import type { MetricPoint } from '../../simulator/metrics/minute-series.ts';
import { metricFacts } from '../../simulator/metrics/metric-list.ts';
import { CloudWatchError, type CloudWatchErrorType, invalidValue } from './cloudwatch-error.ts';
import { type Input, readPeriod, readSpan } from './input.ts';
import { readMetric } from './metric-input.ts';
import { type PublishedMetrics, publishedPoints } from './published-metrics.ts';
import { Entries, Timestamp, type WireObject } from './wire-values.ts';
import { byPeriod, namedStatistics, percentileOf, statisticOf } from '../../simulator/metrics/statistics.ts';

const MAX_DATAPOINTS = 1_440;
const INVALID: CloudWatchErrorType = 'InvalidParameterValueException';

export function getMetricStatistics(published: PublishedMetrics, input: Input): WireObject {
  const { metricName, key } = readMetric(input, INVALID);
  const span = readSpan(input, INVALID);
  const periodMinutes = readPeriod(input, INVALID);
  const names = readStatistics(input);
  const asked = Math.ceil((span.untilMinute - span.fromMinute) / periodMinutes);
  if (asked > MAX_DATAPOINTS)
    throw new CloudWatchError(
      'InvalidParameterCombinationException',
      `You have requested up to ${asked} datapoints, which exceeds the limit of ${MAX_DATAPOINTS}. You may reduce the datapoints requested by increasing Period, or decreasing the time range.`,
    );
  const unit = metricFacts(metricName)?.unit;
  const askedUnit = input.text('Unit');
  const isOtherUnit = askedUnit !== undefined && askedUnit !== unit;
  const points = isOtherUnit ? [] : publishedPoints(published, key, span);
  const periods = byPeriod(points, span.fromMinute, periodMinutes);
  return {
    Label: metricName,
    Datapoints: periods.map(({ minute, point }) => ({
      Timestamp: Timestamp.ofMinute(minute),
      ...statisticsOf(point, names),
      Unit: unit,
    })),
  };
}

interface StatisticNames {
  readonly named: readonly string[];
  readonly percentiles: readonly string[];
}

function readStatistics(input: Input): StatisticNames {
  const named = input.texts('Statistics');
  const percentiles = input.texts('ExtendedStatistics');
  if ((named.length === 0) === (percentiles.length === 0))
    throw new CloudWatchError(
      'InvalidParameterCombinationException',
      'Either Statistics or ExtendedStatistics must be specified, and not both.',
    );
  const unknown =
    named.find((name) => !namedStatistics.includes(name)) ??
    percentiles.find((name) => percentileOf(name) === undefined);
  if (unknown !== undefined)
    throw invalidValue(
      `The value ${unknown} is not a supported statistic: use ${namedStatistics.join(', ')}, and percentiles such as p99 as ExtendedStatistics.`,
    );
  return { named, percentiles };
}

function statisticsOf(point: MetricPoint, { named, percentiles }: StatisticNames): WireObject {
  const extended = valuesOf(point, percentiles);
  return {
    ...Object.fromEntries(valuesOf(point, named)),
    ...(extended.length > 0 && { ExtendedStatistics: new Entries(extended) }),
  };
}

function valuesOf(point: MetricPoint, names: readonly string[]): Entries['pairs'] {
  return names.flatMap((name): Entries['pairs'] => {
    const value = statisticOf(name)?.(point);
    return value === undefined ? [] : [[name, value]];
  });
}
