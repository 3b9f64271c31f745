// What can be seen of the metrics at a moment: a minute is published as a whole, some time after it has
// ended.
import type { MinutePoint } from '../../simulator/metrics/minute-series.ts';
import type { MetricKey, ServiceMetrics } from '../../simulator/metrics/service-metrics.ts';
import type { RequestedSpan } from './input.ts';

/** The metrics up to a moment. */
export interface PublishedMetrics {
  readonly metrics: ServiceMetrics;
  /** First minute that is not published. */
  readonly horizonMinute: number;
}

/** The first minute that is not published: the last that had ended `delayMs` ago is. */
export function horizonAt(nowMs: number, delayMs: number): number {
  return Math.floor((nowMs - delayMs) / 60_000);
}

/** The points of a metric in a span, as far as they are published; none for a metric that is unknown. */
export function publishedPoints(
  { metrics, horizonMinute }: PublishedMetrics,
  key: MetricKey | undefined,
  { fromMinute, untilMinute }: RequestedSpan,
): readonly MinutePoint[] {
  if (key === undefined) return [];
  const range = { fromMinute, untilMinute: Math.min(untilMinute, horizonMinute) };
  return metrics.points(key, range, horizonMinute);
}
