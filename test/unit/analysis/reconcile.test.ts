// Aim: counts of the service and of dyno-load are held against each other without counting anything twice, and each
// difference gets the reading it deserves. Method: records built by hand, sums in comments.
import { expect, test } from 'vitest';
import { analyzeVariant } from '../../../src/analysis/analyze-run.ts';
import { findDifferingCounts } from '../../../src/analysis/findings/service-counts-differ.ts';
import { reconcile } from '../../../src/analysis/reconcile.ts';
import type {
  CloudWatchRecord,
  MetricSeries,
  OperationCount,
} from '../../../src/analysis/records/cloudwatch.ts';
import type { StageTotals } from '../../../src/analysis/run-result.ts';
import {
  buildMeasuredRun,
  buildMeasuredVariant,
  buildTotals,
  buildVariant,
  buildWorkload,
  idleHealth,
} from '../../support/run-result-builder.ts';

function series(metric: string, total: number | null, given: Partial<MetricSeries> = {}): MetricSeries {
  return {
    metric,
    statistic: 'Sum',
    tableName: 't',
    indexName: null,
    operation: null,
    minutes: [total],
    total: total ?? 0,
    measured: total,
    highestPerSecond: null,
    ...given,
  };
}

function requestsOf(given: Partial<OperationCount>): OperationCount {
  return {
    tableName: 't',
    operation: 'PutItem',
    sent: 0,
    ok: 0,
    throttled: 0,
    partial: 0,
    conditionFailed: 0,
    conflict: 0,
    refused: 0,
    unanswered: 0,
    ...given,
  };
}

function cloudWatch(given: Partial<CloudWatchRecord>): CloudWatchRecord {
  return {
    from: '2026-11-30T12:00:00.000Z',
    until: '2026-11-30T12:05:00.000Z',
    measuredFrom: '2026-11-30T12:02:00.000Z',
    measuredUntil: '2026-11-30T12:04:00.000Z',
    pulls: 3,
    isSettled: true,
    series: [],
    requests: [],
    isTableShared: false,
    notes: [],
    ...given,
  };
}

function rowsOf(
  given: Partial<CloudWatchRecord>,
  { totals = {}, resentRequests = 0 }: { totals?: Partial<StageTotals>; resentRequests?: number } = {},
) {
  const stage = buildTotals(totals);
  return reconcile({
    cloudWatch: cloudWatch(given),
    workloads: [{ stages: [{ name: 'steady', totals: stage }], measured: stage }],
    generatorHealth: { resentRequests },
  })?.rows;
}

const units = (resource: string, writeUnits: number) => ({ resource, readUnits: 0, writeUnits });
const writes = 'ConsumedWriteCapacityUnits';

test('says nothing where CloudWatch was not asked', () => {
  expect(reconcile({ workloads: [], generatorHealth: { resentRequests: 0 } })).toBeUndefined();
});

test('counts warm-up and measured stages together, and the measured ones beside them', () => {
  const warmUp = buildTotals({ units: [units('t', 100)] });
  const steady = buildTotals({ units: [units('t', 900)] });
  const reconciliation = reconcile({
    cloudWatch: cloudWatch({ series: [series(writes, 1_000, { measured: 899 })] }),
    workloads: [
      {
        stages: [
          { name: 'warm-up', totals: warmUp },
          { name: 'steady', totals: steady },
        ],
        measured: steady,
      },
    ],
    generatorHealth: { resentRequests: 0 },
  });
  expect(reconciliation).toMatchObject({
    isExact: true,
    rows: [{ client: 1_000, service: 1_000, status: 'agrees', measured: { client: 900, service: 899 } }],
  });
});

test('local indexes are part of their table, global ones stand by themselves', () => {
  const totals = { units: [units('t', 10), units('t/local', 4), units('t/GSI1', 7)] };
  const rows = rowsOf({ series: [series(writes, 14), series(writes, 7, { indexName: 'GSI1' })] }, { totals });
  expect(rows).toMatchObject([
    { resource: 't', client: 14, status: 'agrees' },
    { resource: 't/GSI1', client: 7, status: 'agrees' },
  ]);
});

test.each([
  [
    'failed conditions in full',
    105,
    { totals: { estimatedUnits: [units('t', 5)] } },
    'explained',
    /^5 for failed conditions/,
  ],
  [
    'failed conditions in part',
    103,
    { totals: { estimatedUnits: [units('t', 5)] } },
    'explained',
    /^3 for failed conditions/,
  ],
  [
    'requests that were sent again',
    102,
    { resentRequests: 2 },
    'explained',
    /^up to 2 for 2 requests sent again/,
  ],
  ['nothing', 103, {}, 'unexplained', /^3 that nothing here explains; no other client/],
  [
    'failed conditions, and more',
    110,
    { totals: { estimatedUnits: [units('t', 4)] }, resentRequests: 1 },
    'unexplained',
    /^4 for failed.*up to 1 for 1 request sent again.*; 5 that nothing/,
  ],
])(
  'units that exceed ours by %s',
  (_, service, {
    totals = {},
    resentRequests = 0,
  }: Parameters<typeof rowsOf>[1] & object, status, because) => {
    const rows = rowsOf(
      { series: [series(writes, service)], requests: [requestsOf({ sent: 100, ok: 100 })] },
      { totals: { units: [units('t', 100)], ...totals }, resentRequests },
    );
    expect(rows).toMatchObject([{ client: 100, service, difference: service - 100, status }]);
    expect(rows?.[0]?.because).toMatch(because);
  },
);

test('requests without an answer explain what they may have done, and no more', () => {
  // 100 answered requests spent 200 units, two each; three without an answer may have spent six.
  const of = (service: number) =>
    rowsOf(
      { series: [series(writes, service)], requests: [requestsOf({ sent: 103, ok: 100, unanswered: 3 })] },
      { totals: { units: [units('t', 200)] } },
    )?.[0];
  expect(of(206)).toMatchObject({ status: 'explained' });
  expect(of(206)?.because).toMatch(/^up to 6 for 3 requests without an answer in time/);
  expect(of(207)).toMatchObject({ status: 'unexplained' });
});

test('writes that failed explain units that no error tells, on their own table', () => {
  // 100 writes spent 200 units, two each; five failed conditions may have spent twice that each, twenty.
  const of = (service: number, failed: Partial<OperationCount>) =>
    rowsOf(
      {
        series: [series(writes, service)],
        requests: [requestsOf({ ok: 100 }), requestsOf({ operation: 'TransactWriteItems', ...failed })],
      },
      { totals: { units: [units('t', 200)] } },
    )?.[0];
  const conditions = { operation: 'UpdateItem', conditionFailed: 5 };
  expect(of(220, conditions)).toMatchObject({ status: 'explained' });
  expect(of(220, conditions)?.because).toMatch(
    /^up to 20 for 5 failed conditions and cancelled transactions, which are charged and not reported/,
  );
  expect(of(221, conditions)).toMatchObject({ status: 'unexplained' });
  expect(of(204, { throttled: 1 })).toMatchObject({ status: 'explained' });
  expect(of(204, { refused: 1 })).toMatchObject({ status: 'explained' });
  expect(of(204, { operation: 'PutItem', throttled: 9 })).toMatchObject({ status: 'unexplained' });
  expect(of(204, { ...conditions, tableName: 'other' })).toMatchObject({ status: 'unexplained' });
  expect(of(204, { operation: 'TransactGetItems', conflict: 9 })).toMatchObject({ status: 'unexplained' });
});

test('throttled transactions explain throttle events of no known limit', () => {
  const of = (count: number) =>
    rowsOf({
      series: [series('WriteThrottleEvents', 200)],
      requests: [requestsOf({ operation: 'TransactWriteItems', throttled: count })],
    })?.[0];
  expect(of(2)).toMatchObject({ status: 'explained' });
  expect(of(2)?.because).toMatch(/^up to 200 for 2 transactions that were cancelled without naming a limit/);
  expect(of(1)).toMatchObject({ status: 'unexplained' });
});

test.each([
  [
    'data had not all come in',
    false,
    'incomplete',
    /less than answers told: data had not all come in after 3 readings/,
  ],
  ['all data was in', true, 'unexplained', /counted 10 less than its own answers told/],
])('less than ours, where %s', (_, isSettled, status, because) => {
  const rows = rowsOf({ series: [series(writes, 90)], isSettled }, { totals: { units: [units('t', 100)] } });
  expect(rows).toMatchObject([{ status, difference: -10 }]);
  expect(rows?.[0]?.because).toMatch(because);
});

test('other clients are named where the table is not ours alone', () => {
  const given = { series: [series(writes, 300)], isTableShared: true };
  const rows = rowsOf(given, { totals: { units: [units('t', 100)] } });
  expect(rows?.[0]?.because).toContain('other clients may have used the table');
});

test('throttles are compared by cause and in all, on the resource that the reason names', () => {
  const totals = {
    throttles: [
      { reason: 'IndexWriteKeyRangeThroughputExceeded', resource: 't/GSI1', count: 30 },
      { reason: 'IndexWriteProvisionedThroughputExceeded', resource: 't/GSI1', count: 5 },
      { reason: 'TableReadKeyRangeThroughputExceeded', resource: 't', count: 2 },
    ],
  };
  const index = { indexName: 'GSI1' };
  const rows = rowsOf(
    {
      series: [
        series('WriteThrottleEvents', 35, index),
        series('WriteKeyRangeThroughputThrottleEvents', 30, index),
        series('WriteProvisionedThroughputThrottleEvents', 5, index),
        series('WriteMaxOnDemandThroughputThrottleEvents', null, index),
        series('ReadThrottleEvents', 2),
        series('ReadKeyRangeThroughputThrottleEvents', 2),
        series('WriteThrottleEvents', null),
      ],
    },
    { totals },
  );
  expect(rows?.map(({ metric, resource, client, status }) => [metric, resource, client, status])).toEqual([
    ['WriteThrottleEvents', 't/GSI1', 35, 'agrees'],
    ['WriteKeyRangeThroughputThrottleEvents', 't/GSI1', 30, 'agrees'],
    ['WriteProvisionedThroughputThrottleEvents', 't/GSI1', 5, 'agrees'],
    ['ReadThrottleEvents', 't', 2, 'agrees'],
    ['ReadKeyRangeThroughputThrottleEvents', 't', 2, 'agrees'],
  ]);
});

test('items that a batch gave back explain throttle events without a reason', () => {
  const rows = rowsOf({ series: [series('WriteThrottleEvents', 12)] }, { totals: { itemsUnprocessed: 12 } });
  expect(rows).toMatchObject([{ client: 0, service: 12, status: 'explained' }]);
});

test('throttled and successful requests are compared by operation; partial batches succeed', () => {
  const put = { operation: 'BatchWriteItem' };
  const rows = rowsOf({
    series: [
      series('ThrottledRequests', 3, put),
      series('SuccessfulRequestLatency', 9, { ...put, statistic: 'SampleCount' }),
      series('SuccessfulRequestLatency', 4, { ...put, statistic: 'p99' }),
    ],
    requests: [requestsOf({ ...put, sent: 12, ok: 7, partial: 2, throttled: 3 })],
  });
  expect(rows).toMatchObject([
    { quantity: 'throttledRequests', operation: 'BatchWriteItem', client: 3, status: 'agrees' },
    { quantity: 'successfulRequests', client: 9, status: 'agrees' },
  ]);
});

test('no data and none counted is no row; no data and something counted is one', () => {
  expect(rowsOf({ series: [series(writes, null)] })).toEqual([]);
  const rows = rowsOf({ series: [series(writes, null)] }, { totals: { units: [units('t', 1)] } });
  expect(rows).toMatchObject([{ client: 1, service: null, status: 'unexplained' }]);
});

test('a difference that nothing explains becomes a finding, the largest first', () => {
  const rows = rowsOf(
    { series: [series(writes, 150), series('ConsumedReadCapacityUnits', 1)] },
    { totals: { units: [{ resource: 't', readUnits: 0.5, writeUnits: 100 }] } },
  );
  const variant = buildVariant({
    cloudWatch: cloudWatch({}),
    reconciliation: { isExact: true, rows: rows ?? [] },
  });
  expect(findDifferingCounts(variant)).toMatchObject([
    { code: 'service-counts-differ', evidence: { metric: 'ConsumedReadCapacityUnits' } },
  ]);
  expect(findDifferingCounts(buildVariant())).toEqual([]);
});

test('the record of a variant that used a table after another is suspect', () => {
  const totals = buildTotals({ outcomes: { ok: 100 } });
  const workloads = [buildWorkload({ measured: totals })];
  const judged = (isCarriedOver: boolean) =>
    analyzeVariant(
      buildMeasuredVariant({ workloads, generatorHealth: idleHealth, isCarriedOver }),
      buildMeasuredRun(),
    ).validity.reasons.map(({ code }) => code);
  expect(judged(true)).toContain('carry-over');
  expect(judged(false)).not.toContain('carry-over');
});
