// Figures as they stand in table cells, where the column head carries the unit. Sentences use
// analysis/wording.ts.
import type { MetricUnit } from '../scenario/metric.ts';
import { countOf, formatLatency, formatNumber, formatPercent, formatUsd } from '../analysis/wording.ts';

/** Stands for a figure that is missing or not known; a footnote explains it. */
export const MISSING = '–';

/** A rate or count; units per second from 100 up are whole. */
export function numberCell(value: number | null | undefined): string {
  return isKnown(value) ? formatNumber(value) : MISSING;
}

/**
 * µs as milliseconds with three significant digits, zeros at the end too: a column of figures is of one
 * kind.
 */
export function millisecondsCell(us: number | null | undefined): string {
  if (!isKnown(us)) return MISSING;
  const milliseconds = us / 1_000;
  const size = Math.abs(milliseconds);
  if (size >= 99.95 || size === 0) return formatNumber(milliseconds);
  return milliseconds.toFixed(size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3);
}

/** A ratio of 0–1 in percent; a dash where it is not known. */
export function percentCell(ratio: number | null | undefined): string {
  return isKnown(ratio) ? formatPercent(ratio) : MISSING;
}

/** A metric's value with its unit, for example `66.7 %`, `12.3 ms`, `1.43 USD`. */
export function metricText(value: number, unit: MetricUnit): string {
  switch (unit) {
    case 'ratio':
      return formatPercent(value);
    case 'us':
      return formatLatency(value);
    case 'perSecond':
      return `${formatNumber(value)}/s`;
    case 'usd':
      return formatUsd(value);
    case 'units':
      return countOf(value, 'unit');
    case 'requests':
      return countOf(value, 'request');
  }
}

/** The distance between two values of a metric; ratios differ by percentage points, not by percent. */
export function distanceText(distance: number, unit: MetricUnit): string {
  if (unit !== 'ratio') return metricText(distance, unit);
  const points = distance * 100;
  return points !== 0 && points < 0.01 ? '<0.01 points' : countOf(points, 'point');
}

function isKnown(value: number | null | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
