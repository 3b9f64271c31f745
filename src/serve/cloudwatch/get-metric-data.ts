// GetMetricData: many metrics over one span of time, in pages.
// @see GetMetricData in the documentation of `@aws-sdk/client-cloudwatch` 3.1164.0, read 2026-11-30
import { metricFacts } from '../../simulator/metrics/metric-list.ts';
import type { MetricKey } from '../../simulator/metrics/service-metrics.ts';
import { byPeriod, type Statistic, statisticOf } from '../../simulator/metrics/statistics.ts';
import { CloudWatchError, type CloudWatchErrorType } from './cloudwatch-error.ts';
import { type Input, readPeriod, readSpan, type RequestedSpan } from './input.ts';
import { readMetric } from './metric-input.ts';
import { readToken, writeToken } from './next-token.ts';
import { type PublishedMetrics, publishedPoints } from './published-metrics.ts';
import { Timestamp, type WireObject } from './wire-values.ts';

const MAX_QUERIES = 500;
/** Points on one page, unless fewer are asked for. */
const MAX_DATAPOINTS = 100_800;

/** What this operation calls a parameter that is wrong. */
const INVALID: CloudWatchErrorType = 'ValidationException';

interface Query {
  readonly id: string;
  readonly label: string;
  readonly key: MetricKey | undefined;
  readonly periodMinutes: number;
  readonly stat: string;
  readonly statistic: Statistic;
}

interface Series {
  readonly query: Query;
  readonly timestamps: readonly Timestamp[];
  readonly values: readonly number[];
}

export function getMetricData(published: PublishedMetrics, input: Input): WireObject {
  const queries = readQueries(input);
  const span = readSpan(input, INVALID);
  const isAscending = readOrder(input) === 'TimestampAscending';
  const pageSize = readPageSize(input);
  const request = JSON.stringify([span, isAscending, queries]);
  const place = readToken(input.text('NextToken'), request, published.horizonMinute);
  const seen = { ...published, horizonMinute: place.horizonMinute };
  const all = queries.map((query) => seriesOf(seen, query, span, isAscending));
  const end = place.offset + pageSize;
  const count = all.reduce((sum, { values }) => sum + values.length, 0);
  return {
    MetricDataResults: pageOf(all, place.offset, end),
    Messages: [],
    ...(end < count && { NextToken: writeToken({ ...place, offset: end }, request) }),
  };
}

function readQueries(input: Input): readonly Query[] {
  const entries = input.objects('MetricDataQueries');
  if (entries.length === 0) input.required('MetricDataQueries', undefined);
  if (entries.length > MAX_QUERIES)
    throw invalid(`The collection MetricDataQueries must not have a size greater than ${MAX_QUERIES}.`);
  const ids = entries.map(readId);
  if (new Set(ids).size < ids.length)
    throw invalid('The values for parameter id in MetricDataQueries must be unique.');
  const queries = entries.map((entry, index) => readQuery(entry, ids[index] as string)); // One id for each entry.
  const returned = queries.filter((_query, index) => entries[index]?.flag('ReturnData') !== false);
  if (returned.length === 0)
    throw invalid('At least one of the elements in MetricDataQueries must have ReturnData set to true.');
  return returned;
}

function readId(entry: Input): string {
  const id = entry.required('Id', entry.text('Id'));
  if (!/^[a-z][a-zA-Z0-9_]{0,254}$/.test(id))
    throw invalid(
      `The value ${id} for parameter ${entry.nameOf('Id')} is not matching the expected pattern ^[a-z][a-zA-Z0-9_]*$.`,
    );
  return id;
}

function readQuery(entry: Input, id: string): Query {
  if (entry.has('Expression')) {
    if (entry.has('MetricStat'))
      throw invalid(`Either Expression or MetricStat is allowed in ${entry.nameOf('Id')}, not both.`);
    throw invalid(
      `dyno-load does not compute Expression in ${entry.nameOf('Id')}: ask for its metrics with MetricStat.`,
    );
  }
  const stat = entry.required('MetricStat', entry.object('MetricStat'), INVALID);
  const metric = stat.required('Metric', stat.object('Metric'));
  const { metricName, key } = readMetric(metric, INVALID);
  const periodMinutes = readPeriod(stat, INVALID);
  const name = stat.required('Stat', stat.text('Stat'));
  const statistic = statisticOf(name);
  if (statistic === undefined)
    throw invalid(
      `The value ${name} for parameter ${stat.nameOf('Stat')} is not supported: use Sum, Average, Minimum, Maximum, SampleCount or a percentile such as p99.`,
    );
  const unit = stat.text('Unit');
  const isOtherUnit = unit !== undefined && unit !== metricFacts(metricName)?.unit;
  const label = entry.text('Label') ?? metricName;
  return { id, label, key: isOtherUnit ? undefined : key, periodMinutes, stat: name, statistic };
}

function readOrder(input: Input): string {
  const order = input.text('ScanBy') ?? 'TimestampDescending';
  if (order !== 'TimestampDescending' && order !== 'TimestampAscending')
    throw invalid(`The value ${order} for parameter ScanBy is not supported.`);
  return order;
}

function readPageSize(input: Input): number {
  const size = input.number('MaxDatapoints') ?? MAX_DATAPOINTS;
  if (!Number.isInteger(size) || size < 1 || size > MAX_DATAPOINTS)
    throw invalid(`The value of the parameter MaxDatapoints must be between 1 and ${MAX_DATAPOINTS}.`);
  return size;
}

function seriesOf(
  published: PublishedMetrics,
  query: Query,
  span: RequestedSpan,
  isAscending: boolean,
): Series {
  const points = publishedPoints(published, query.key, span);
  const periods = byPeriod(points, span.fromMinute, query.periodMinutes);
  const known = periods.flatMap(({ minute, point }) => {
    const value = query.statistic(point);
    return value === undefined ? [] : [{ timestamp: Timestamp.ofMinute(minute), value }];
  });
  if (!isAscending) known.reverse();
  return {
    query,
    timestamps: known.map(({ timestamp }) => timestamp),
    values: known.map(({ value }) => value),
  };
}

/**
 * The results that have points between two places in the row of all points, and on the first page those that
 * have none. A result that goes on behind the page is partial.
 */
function pageOf(all: readonly Series[], from: number, until: number): readonly WireObject[] {
  const results: WireObject[] = [];
  let start = 0;
  for (const { query, timestamps, values } of all) {
    const end = start + values.length;
    const isHere = values.length === 0 ? from === 0 : start < until && end > from;
    if (isHere)
      results.push({
        Id: query.id,
        Label: query.label,
        Timestamps: timestamps.slice(Math.max(0, from - start), Math.max(0, until - start)),
        Values: values.slice(Math.max(0, from - start), Math.max(0, until - start)),
        StatusCode: values.length > 0 && end > until ? 'PartialData' : 'Complete',
      });
    start = end;
  }
  return results;
}

function invalid(message: string): CloudWatchError {
  return new CloudWatchError(INVALID, message);
}
