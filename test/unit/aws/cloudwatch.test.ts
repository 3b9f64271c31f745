// Aim: metrics are whole however CloudWatch cuts them into calls and pages, and are read until late data is in.
// Method: a fake CloudWatch that pages as it likes; time is counted, not spent.
import type { GetMetricDataCommand, GetMetricDataCommandOutput } from '@aws-sdk/client-cloudwatch';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  meetsExpectations,
  type MetricsPort,
  readMetrics,
  readUntilSettled,
} from '../../../src/aws/cloudwatch.ts';
import { cloudWatchRecord } from '../../../src/engine/service-counts/cloudwatch-record.ts';
import type { LiveTime } from '../../../src/aws/live-time.ts';
import { MS_PER_MINUTE } from '../../../src/units.ts';
import { metricDataQuery } from '../../../src/aws/metric-data-query.ts';
import { type MetricQuery, metricQueries } from '../../../src/engine/service-counts/metric-queries.ts';
import { plainTable } from '../../support/plan-builder.ts';

const fromMs = Date.UTC(2026, 10, 30, 12, 1);
const span = { fromMs, untilMs: fromMs + 3 * MS_PER_MINUTE };

function query(metric: string): MetricQuery {
  return { metric, statistic: 'Sum', tableName: 't', indexName: null, operation: null };
}

type Page = Omit<GetMetricDataCommandOutput, '$metadata'>;

function cloudWatch(answer: (input: GetMetricDataCommand['input']) => Page): MetricsPort & {
  readonly inputs: GetMetricDataCommand['input'][];
} {
  const inputs: GetMetricDataCommand['input'][] = [];
  return {
    inputs,
    send: async ({ input }) => {
      inputs.push(input);
      return { ...answer(input), $metadata: {} };
    },
  };
}

const minute = (index: number): Date => new Date(fromMs + index * MS_PER_MINUTE);

test('asks for at most 500 metrics a call', async () => {
  const port = cloudWatch(() => ({ MetricDataResults: [] }));
  await readMetrics(
    port,
    Array.from({ length: 1_201 }, () => query('m')),
    span,
  );
  expect(port.inputs.map(({ MetricDataQueries }) => MetricDataQueries?.length)).toEqual([500, 500, 201]);
  const ids = port.inputs.flatMap(({ MetricDataQueries = [] }) => MetricDataQueries.map(({ Id }) => Id));
  expect(new Set(ids).size).toBe(1_201);
  for (const id of ids) expect(id).toMatch(/^[a-z]\w*$/);
});

test('puts the points of a metric together however they are spread over pages and in whatever order', async () => {
  const points = [0, 1, 2].flatMap((queryIndex) =>
    [0, 1, 2].map((at) => ({ queryIndex, at, value: queryIndex * 10 + at })),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray(points, { minLength: points.length, maxLength: points.length }),
      fc.integer({ min: 1, max: 9 }),
      async (shuffled, pageSize) => {
        const pages = Array.from({ length: Math.ceil(shuffled.length / pageSize) }, (_, page) =>
          shuffled.slice(page * pageSize, (page + 1) * pageSize),
        );
        const port = cloudWatch(({ NextToken = '0' }) => {
          const page = Number(NextToken);
          const isLast = page === pages.length - 1;
          return {
            MetricDataResults: (pages[page] ?? []).map(({ queryIndex, at, value }) => ({
              Id: `m${queryIndex}`,
              Timestamps: [minute(at)],
              Values: [value],
              StatusCode: isLast ? ('Complete' as const) : ('PartialData' as const),
            })),
            ...(isLast ? {} : { NextToken: String(page + 1) }),
          };
        });
        const { values } = await readMetrics(port, ['a', 'b', 'c'].map(query), span);
        expect(values).toEqual([
          [0, 1, 2],
          [10, 11, 12],
          [20, 21, 22],
        ]);
      },
    ),
  );
});

test('tells a minute without a data point from one of zero, and leaves out what lies outside', async () => {
  const port = cloudWatch(() => ({
    MetricDataResults: [
      { Id: 'm0', Timestamps: [minute(-1), minute(1), minute(3)], Values: [7, 0, 9], StatusCode: 'Complete' },
    ],
  }));
  const reading = await readMetrics(port, [query('a'), query('b')], span);
  expect(reading).toEqual({
    values: [
      [null, 0, null],
      [null, null, null],
    ],
    isComplete: true,
  });
});

test.each([
  ['Complete', true],
  ['PartialData', false],
  ['InternalError', false],
] as const)('a metric whose last page is %s', async (StatusCode, isComplete) => {
  const port = cloudWatch(() => ({
    MetricDataResults: [{ Id: 'm0', Timestamps: [], Values: [], StatusCode }],
  }));
  expect((await readMetrics(port, [query('a')], span)).isComplete).toBe(isComplete);
});

test.each([
  [
    'a metric that may not be read',
    () => ({ MetricDataResults: [{ Id: 'm0', StatusCode: 'Forbidden' as const }] }),
  ],
  [
    'a refused call',
    () => {
      throw Object.assign(new Error('no'), { name: 'AccessDeniedException' });
    },
  ],
])('%s names the permission that is missing', async (_, answer) => {
  await expect(readMetrics(cloudWatch(answer), [query('a')], span)).rejects.toMatchObject({
    code: 'CLOUDWATCH_REFUSED',
    fix: expect.stringContaining('cloudwatch:GetMetricData'),
  });
});

test('gives metrics the dimensions that DynamoDB publishes them with', () => {
  const index = {
    name: 'GSI1',
    keys: plainTable.keys,
    projection: { kind: 'ALL' as const },
    billing: plainTable.billing,
    start: plainTable.start,
  };
  const queries = metricQueries(
    [{ ...plainTable, globalIndexes: [index] }],
    [{ tableName: 't', operation: 'Query' }],
  );
  const dimensions = (metric: string) =>
    queries
      .map(metricDataQuery)
      .filter(({ MetricStat }) => MetricStat?.Metric?.MetricName === metric)
      .map(({ MetricStat }) =>
        MetricStat?.Metric?.Dimensions?.map(({ Name, Value }) => `${Name}=${Value}`).join(),
      );
  expect(dimensions('ConsumedWriteCapacityUnits')).toEqual([
    'TableName=t',
    'TableName=t,GlobalSecondaryIndexName=GSI1',
  ]);
  expect(dimensions('WriteKeyRangeThroughputThrottleEvents')).toHaveLength(2);
  expect(dimensions('ThrottledRequests')).toEqual(['TableName=t,Operation=Query']);
  expect(dimensions('ReturnedItemCount')).toEqual(['TableName=t,Operation=Query']);
  expect(dimensions('ConditionalCheckFailedRequests')).toEqual(['TableName=t']);
});

function countedTime(): LiveTime & { spentMs: number } {
  const time = {
    spentMs: 0,
    wallMs: () => time.spentMs,
    scheduler: {
      monotonicMs: () => time.spentMs,
      after: (delayMs: number, callback: () => void) => {
        time.spentMs += delayMs;
        queueMicrotask(callback);
        return () => undefined;
      },
      soon: (callback: () => void) => queueMicrotask(callback),
    },
  };
  return time;
}

async function settle(readings: readonly number[], signal = new AbortController().signal) {
  const time = countedTime();
  let index = 0;
  const settled = await readUntilSettled(async () => readings[Math.min(index++, readings.length - 1)] ?? 0, {
    isWhole: (reading) => reading >= 10,
    time,
    signal,
    progress: () => undefined,
  });
  return { settled, spentMs: time.spentMs };
}

test.each([
  ['whole and equal at once', [10, 10], { reading: 10, readings: 2, isSettled: true }, 30],
  ['growing, then equal', [3, 7, 12, 12], { reading: 12, readings: 4, isSettled: true }, 90],
  ['equal but not whole, then whole', [5, 5, 5, 11, 11], { reading: 11, readings: 5, isSettled: true }, 120],
  ['never whole: ten minutes', [5], { reading: 5, readings: 21, isSettled: false }, 600],
])('data that is %s', async (_, readings, expected, seconds) => {
  const { settled, spentMs } = await settle(readings);
  expect(settled).toEqual(expected);
  expect(spentMs / 1_000).toBe(seconds);
});

test('a signal ends the wait for data', async () => {
  expect((await settle([5], AbortSignal.abort())).settled).toBeUndefined();
});

test('a reading is whole when it holds what answers told', () => {
  const reading = { values: [[1, null, 4]], isComplete: true };
  expect(meetsExpectations(reading, [{ queryIndex: 0, atLeast: 5 }])).toBe(true);
  expect(meetsExpectations(reading, [{ queryIndex: 0, atLeast: 5.5 }])).toBe(false);
  expect(meetsExpectations({ ...reading, isComplete: false }, [])).toBe(false);
});

test('derives sums and rates from minutes and keeps the minutes', () => {
  const record = cloudWatchRecord({
    queries: [
      query('ConsumedWriteCapacityUnits'),
      { ...query('SuccessfulRequestLatency'), statistic: 'Average' },
    ],
    values: [
      [0, 600, 1_200],
      [null, 4, 6],
    ],
    pulls: 2,
    isSettled: true,
    span,
    measured: { fromMs: fromMs + MS_PER_MINUTE, untilMs: fromMs + 3 * MS_PER_MINUTE },
    requests: [],
    isTableShared: false,
    notes: [],
  });
  expect(record.series).toMatchObject([
    { minutes: [0, 600, 1_200], total: 1_800, measured: 1_800, highestPerSecond: 20 },
    { minutes: [null, 4, 6], total: null, measured: 5, highestPerSecond: null },
  ]);
});
