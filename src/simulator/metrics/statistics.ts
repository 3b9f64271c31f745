// Statistics of metrics by their CloudWatch names, and points gathered into periods.
// @see GetMetricStatistics in the documentation of `@aws-sdk/client-cloudwatch` 3.1164.0, read 2026-11-30
import { type MetricPoint, type MinutePoint, mergePoints, quantileOf } from './minute-series.ts';

/** The value of a statistic in a point; undefined where it is not known. */
export type Statistic = (point: MetricPoint) => number | undefined;

const named: ReadonlyMap<string, Statistic> = new Map<string, Statistic>([
  ['Sum', ({ sum }) => sum],
  ['Average', ({ sum, count }) => sum / count],
  ['Minimum', ({ min }) => min],
  ['Maximum', ({ max }) => max],
  ['SampleCount', ({ count }) => count],
]);

/** The statistics that have a name. */
export const namedStatistics: readonly string[] = [...named.keys()];

/** A statistic by name, or a percentile such as `p99` or `p99.9`; undefined for others. */
export function statisticOf(name: string): Statistic | undefined {
  return named.get(name) ?? percentileOf(name);
}

/** A percentile by name, `p0` to `p100` with up to ten decimals. */
export function percentileOf(name: string): Statistic | undefined {
  const match = /^p(\d{1,2}(?:\.\d{1,10})?|100(?:\.0{1,10})?)$/.exec(name);
  if (match === null) return undefined;
  const quantile = Number(match[1]) / 100;
  return (point) => quantileOf(point, quantile);
}

/**
 * Points by period. Periods are counted from the first minute of the request, as in CloudWatch; those without
 * a point are left out.
 */
export function byPeriod(
  points: readonly MinutePoint[],
  fromMinute: number,
  periodMinutes: number,
): readonly MinutePoint[] {
  const groups = new Map<number, MetricPoint[]>();
  for (const { minute, point } of points) {
    const start = minute - ((minute - fromMinute) % periodMinutes);
    const group = groups.get(start);
    if (group === undefined) groups.set(start, [point]);
    else group.push(point);
  }
  return [...groups].map(([minute, group]) => ({ minute, point: mergePoints(group) }));
}
