// One metric of one set of dimensions, minute by minute: a statistic set for each minute in which something
// happened, for as long as CloudWatch keeps one-minute points.
// @see GetMetricStatistics in the documentation of `@aws-sdk/client-cloudwatch` 3.1164.0, read 2026-11-30,
//   for how long points are kept and when percentiles are known
import { LatencyBuckets } from './latency-buckets.ts';

/** Minutes for which one-minute points are kept: 15 days. */
export const RETENTION_MINUTES = 15 * 24 * 60;

/**
 * Minutes for which percentiles of latencies are kept: a day. Their counts weigh about 2 KB a minute, so that
 * 15 days of ten busy operations would take 400 MB; older minutes keep sum, count and extremes.
 */
export const PERCENTILE_MINUTES = 24 * 60;

/** What is known of the values of one minute, or of several together. */
export interface MetricPoint {
  readonly sum: number;
  readonly count: number;
  readonly min: number;
  readonly max: number;
  /** Present for latencies; in µs, while the other members are in the metric's unit. */
  readonly latencies?: LatencyBuckets;
}

/** A point with its minute, counted from 1970. */
export interface MinutePoint {
  readonly minute: number;
  readonly point: MetricPoint;
}

/** Minutes since 1970: from `fromMinute` up to and not including `untilMinute`. */
export interface MinuteRange {
  readonly fromMinute: number;
  readonly untilMinute: number;
}

type GrowingPoint = { -readonly [member in keyof MetricPoint]: MetricPoint[member] };

/** Values by minute. Minutes come in order; a value for an earlier minute finds its place as well. */
export class MinuteSeries {
  readonly #points = new Map<number, GrowingPoint>();
  #minute = Number.NaN;
  #point: GrowingPoint = { sum: 0, count: 0, min: 0, max: 0 };
  #strippedUntil = 0;

  get firstMinute(): number | undefined {
    const first = this.#points.keys().next();
    return first.done ? undefined : first.value;
  }

  add(minute: number, value: number): void {
    this.#grow(minute, value);
  }

  /** Adds a latency, given in µs and counted in ms. */
  addLatency(minute: number, us: number): void {
    const point = this.#grow(minute, us / 1_000);
    point.latencies ??= new LatencyBuckets();
    point.latencies.record(us);
  }

  at(minute: number): MetricPoint | undefined {
    return this.#points.get(minute);
  }

  /** Points of the minutes from `from` up to and not including `until`, in order. */
  between(from: number, until: number): readonly MinutePoint[] {
    const found: MinutePoint[] = [];
    for (const [minute, point] of this.#points)
      if (minute >= from && minute < until) found.push({ minute, point });
    return found.sort((left, right) => left.minute - right.minute);
  }

  #grow(minute: number, value: number): GrowingPoint {
    if (minute !== this.#minute) this.#turnTo(minute, value);
    const point = this.#point;
    point.sum += value;
    point.count++;
    if (value < point.min) point.min = value;
    if (value > point.max) point.max = value;
    return point;
  }

  #turnTo(minute: number, value: number): void {
    this.#minute = minute;
    const known = this.#points.get(minute);
    this.#point = known ?? { sum: 0, count: 0, min: value, max: value };
    if (known !== undefined) return;
    this.#points.set(minute, this.#point);
    this.#forgetBefore(minute);
  }

  #forgetBefore(minute: number): void {
    for (const first of this.#points.keys()) {
      if (first >= minute - RETENTION_MINUTES) break;
      this.#points.delete(first);
    }
    const old = minute - PERCENTILE_MINUTES;
    if (old <= this.#strippedUntil) return;
    for (const [each, point] of this.#points) {
      if (each >= old) break;
      delete point.latencies;
    }
    this.#strippedUntil = old + STRIP_EVERY_MINUTES;
  }
}

/** How often old percentiles are looked for; between two times a few minutes more of them are kept. */
const STRIP_EVERY_MINUTES = 60;

/** Several points as one. */
export function mergePoints(points: readonly MetricPoint[]): MetricPoint {
  const [first] = points;
  if (first !== undefined && points.length === 1) return first;
  const merged: GrowingPoint = { sum: 0, count: 0, min: Infinity, max: -Infinity };
  for (const { sum, count, min, max } of points) {
    merged.sum += sum;
    merged.count += count;
    merged.min = Math.min(merged.min, min);
    merged.max = Math.max(merged.max, max);
  }
  if (points.every(({ latencies }) => latencies !== undefined)) {
    merged.latencies = new LatencyBuckets();
    for (const { latencies } of points) if (latencies) merged.latencies.addAll(latencies);
  }
  return merged;
}

/**
 * The value that the share `quantile` (0…1) does not exceed, in the metric's unit. As in CloudWatch it is
 * known where values were kept, and where all values are equal; else undefined.
 */
export function quantileOf({ latencies, min, max }: MetricPoint, quantile: number): number | undefined {
  if (min === max || (quantile === 0 && latencies !== undefined)) return min;
  return latencies && Math.min(max, Math.max(min, latencies.quantile(quantile) / 1_000));
}
