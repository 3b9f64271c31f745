// Aim: cells and values with units. Method: a row per unit, and what is missing in each.
import { expect, test } from 'vitest';
import {
  distanceText,
  metricText,
  millisecondsCell,
  numberCell,
  percentCell,
} from '../../../src/report/number-format.ts';
import type { MetricUnit } from '../../../src/scenario/metric.ts';

test.each<[number, MetricUnit, string]>([
  [0.667, 'ratio', '66.7 %'],
  [18_300, 'us', '18.3 ms'],
  [2_999.7, 'perSecond', '3,000/s'],
  [0.5, 'units', '0.5 units'],
  [1, 'units', '1 unit'],
  [4, 'requests', '4 requests'],
  [1, 'requests', '1 request'],
  [1.275, 'usd', '1.27 USD'],
])('%d of unit %s reads %s', (value, unit, text) => {
  expect(metricText(value, unit)).toBe(text);
});

test.each<[number, MetricUnit, string]>([
  [0.0657, 'ratio', '6.57 points'],
  [0.01, 'ratio', '1 point'],
  [0.00001, 'ratio', '<0.01 points'],
  [31_700, 'us', '31.7 ms'],
])('a distance of %d in unit %s reads %s', (distance, unit, text) => {
  expect(distanceText(distance, unit)).toBe(text);
});

test.each([[null], [undefined], [Number.NaN], [Number.POSITIVE_INFINITY]])(
  '%s is a dash in any cell',
  (value) => {
    expect([numberCell(value), millisecondsCell(value), percentCell(value)]).toEqual(['–', '–', '–']);
  },
);

test.each([
  [0, '0'],
  [0.4, '0.000'],
  [850, '0.850'],
  [3_600, '3.60'],
  [9_996, '10.0'],
  [22_000, '22.0'],
  [99_960, '100'],
  [1_802_000, '1,802'],
])('%d µs stand as %s milliseconds, three digits that count', (us, text) => {
  expect(millisecondsCell(us)).toBe(text);
});
