// Aim: each published metric means what its population says. Method: totals with round figures, the quotient
// in the row.
import { describe, expect, test } from 'vitest';
import { computeMetrics, consumedUnits } from '../../../src/analysis/metrics.ts';
import { type MetricName, metrics } from '../../../src/scenario/metric.ts';
import { buildHistogram, buildTotals, buildWorkload } from '../../support/run-result-builder.ts';

// 1,000 planned in 10 s: 700 ok, 100 throttled, 50 conditions unmet, 20 conflicts, 20 failed, 10 timed out;
// 60 dropped, 40 skipped.
const measured = buildTotals({
  outcomes: {
    ok: 700,
    throttled: 100,
    conditionFailed: 50,
    conflict: 20,
    failed: 20,
    timedOut: 10,
    dropped: 60,
    skipped: 40,
  },
  requests: 1_800,
  throttledRequests: 450,
  itemsReturned: 350,
  itemsSent: 200,
  itemsUnprocessed: 30,
  units: [
    { resource: 't', readUnits: 700, writeUnits: 800 },
    { resource: 't/GSI1', readUnits: 0, writeUnits: 600 },
  ],
  estimatedUnits: [{ resource: 't', readUnits: 0, writeUnits: 40 }],
  response: { ok: buildHistogram(700, 5_000) },
  service: { ok: buildHistogram(700, 4_000) },
});
const policy = buildWorkload().policy;

describe('computeMetrics', () => {
  test.each<[MetricName, number | null, string]>([
    ['plannedPerSecond', 100, '1,000 ÷ 10 s'],
    ['startedPerSecond', 90, '900 ÷ 10 s'],
    ['achievedPerSecond', 70, '700 ok ÷ 10 s'],
    ['throttledRatio', 100 / 900, 'of the 900 started, not of the 1,000 planned'],
    ['attemptThrottledRatio', 0.25, '450 of 1,800 attempts'],
    ['failedRatio', 100 / 900, 'failed, timed out, and unmet conditions and conflicts that nobody expects'],
    ['conflictRatio', 20 / 900, '20 of 900'],
    ['conditionFailedRatio', 50 / 900, '50 of 900'],
    ['unprocessedRatio', 0.15, '30 of 200 items'],
    ['droppedRatio', 0.06, '60 of 1,000 planned'],
    ['response.p50', 5_000, 'of ok operations'],
    ['service.p99', 12_000, 'of ok operations'],
    ['response.p99.9', null, '700 samples are fewer than 1,000'],
    ['writeUnitsPerOperation', 1.6, '1,440 reported and estimated ÷ 900 finished'],
    ['readUnitsPerOperation', 700 / 900, '700 ÷ 900'],
    ['readUnitsPerReturnedItem', 2, '700 ÷ 350 items'],
    ['requestsPerOperation', 2, '1,800 ÷ 900'],
    // (1,440 × 0.625 + 700 × 0.125) USD ÷ 700 operations, per million of each
    ['costPerMillion', (1_440 * 0.625 + 700 * 0.125) / 700, 'priced per ok operation'],
  ])('%s is %s: %s', (name, expected) => {
    const value = computeMetrics({ measured, policy }, 10)[name];
    if (expected === null) expect(value).toBeNull();
    else expect(value).toBeCloseTo(expected, 12);
  });

  test('an outcome that the workload expects is no failure', () => {
    const expecting = { ...policy, expect: ['conditionFailed', 'conflict'] };
    expect(computeMetrics({ measured, policy: expecting }, 10).failedRatio).toBeCloseTo(30 / 900, 12);
  });

  test.each([
    [99, null, null],
    [100, 5_000, null],
    [999, 5_000, null],
    [1_000, 5_000, 25_000],
  ])('with %i ok samples p50 is %s and p99.9 is %s', (count, p50, tail) => {
    const totals = buildTotals({ outcomes: { ok: count }, response: { ok: buildHistogram(count, 5_000) } });
    const values = computeMetrics({ measured: totals, policy }, 10);
    expect([values['response.p50'], values['response.p99.9']]).toEqual([p50, tail]);
  });

  test('a workload that did nothing has no ratio, latency or cost, and rates of zero', () => {
    const values = computeMetrics({ measured: buildTotals(), policy }, 10);
    const known = Object.entries(values).filter(([, value]) => value !== null);
    expect(known).toEqual([
      ['plannedPerSecond', 0],
      ['startedPerSecond', 0],
      ['achievedPerSecond', 0],
    ]);
  });

  test('exactly the published metrics are computed', () => {
    const names = Object.keys(computeMetrics({ measured, policy }, 10)).toSorted();
    expect(names).toEqual(metrics.map((metric) => metric.name).toSorted());
  });
});

test('consumed units are the sum over tables and indexes, reported and estimated', () => {
  expect(consumedUnits(measured)).toEqual({ readUnits: 700, writeUnits: 1_440 });
});
