// ListMetrics: the metrics that have points, filtered by name and dimensions, 500 to a page.
// @see ListMetrics in the documentation of `@aws-sdk/client-cloudwatch` 3.1164.0, read 2026-11-30
import type { MetricKey } from '../../simulator/metrics/service-metrics.ts';
import { invalidValue } from './cloudwatch-error.ts';
import type { Input } from './input.ts';
import { dimensionsOf, NAMESPACE } from './metric-input.ts';
import { readToken, writeToken } from './next-token.ts';
import { type PublishedMetrics, publishedPoints } from './published-metrics.ts';
import type { WireObject } from './wire-values.ts';

const PAGE_SIZE = 500;
/** The one span that RecentlyActive knows. */
const RECENT = { name: 'PT3H', minutes: 180 };

export function listMetrics(published: PublishedMetrics, input: Input): WireObject {
  const filter = readFilter(input);
  const request = JSON.stringify(filter);
  const { offset, horizonMinute } = readToken(input.text('NextToken'), request, published.horizonMinute);
  const seen = { ...published, horizonMinute };
  const found = seen.metrics.list(horizonMinute).filter((key) => isWanted(seen, filter, key));
  const end = offset + PAGE_SIZE;
  return {
    Metrics: found.slice(offset, end).map((key) => ({
      Namespace: NAMESPACE,
      MetricName: key.metricName,
      Dimensions: dimensionsOf(key),
    })),
    ...(end < found.length && { NextToken: writeToken({ offset: end, horizonMinute }, request) }),
  };
}

interface Filter {
  readonly namespace: string | undefined;
  readonly metricName: string | undefined;
  readonly dimensions: readonly { readonly name: string; readonly value: string | undefined }[];
  readonly isRecent: boolean;
}

function readFilter(input: Input): Filter {
  const recent = input.text('RecentlyActive');
  if (recent !== undefined && recent !== RECENT.name)
    throw invalidValue(`The parameter RecentlyActive must be ${RECENT.name}.`);
  return {
    namespace: input.text('Namespace'),
    metricName: input.text('MetricName'),
    dimensions: input.objects('Dimensions').map((dimension) => ({
      name: dimension.required('Name', dimension.text('Name')),
      value: dimension.text('Value'),
    })),
    isRecent: recent !== undefined,
  };
}

function isWanted(published: PublishedMetrics, filter: Filter, key: MetricKey): boolean {
  const { namespace, metricName, dimensions, isRecent } = filter;
  if (namespace !== undefined && namespace !== NAMESPACE) return false;
  if (metricName !== undefined && metricName !== key.metricName) return false;
  const has = dimensionsOf(key);
  const fits = dimensions.every(({ name, value }) =>
    has.some((each) => each.Name === name && (value === undefined || each.Value === value)),
  );
  if (!fits || !isRecent) return fits;
  const untilMinute = published.horizonMinute;
  const span = { fromMinute: untilMinute - RECENT.minutes, untilMinute };
  return publishedPoints(published, key, span).length > 0;
}
