// Runs with figures set by hand, analysed by the code under test and frozen as run.json files under
// test/support/runs. Golden tests of every report format read those files; UPDATE_GOLDEN=1 writes them anew
// from here.
import { analyzeRun, type MeasuredVariant } from '../../src/analysis/analyze-run.ts';
import type { RunResult, WorkloadResult } from '../../src/analysis/run-result.ts';
import type { Goal } from '../../src/scenario/goal.ts';
import {
  buildHistogram,
  buildKey,
  buildMeasuredRun,
  buildMeasuredVariant,
  buildPartitions,
  buildResource,
  buildSeries,
  buildTable,
  buildTotals,
  buildWorkload,
  endpointTarget,
} from './run-result-builder.ts';

const goals: readonly Goal[] = [
  {
    workload: 'placeOrder',
    metric: 'throttledRatio',
    comparator: '<',
    limit: 0.001,
    text: 'placeOrder.throttledRatio < 0.1%',
  },
  {
    workload: 'readPending',
    metric: 'response.p99',
    comparator: '<',
    limit: 50_000,
    text: 'readPending.response.p99 < 50 ms',
  },
];

const SECONDS = 60;
const PLANNED_PER_SECOND = 3_000;

/**
 * `sharding` on the simulated table: 1, 2, 5 and 10 shards of STATUS#PENDING at 3,000 orders a second on 20
 * partitions.
 */
export function shardingRun(): RunResult {
  const run = buildMeasuredRun({
    variants: [
      shardingVariant({ shards: 1, index: 0, acceptedPerSecond: 1_000, perPartition: [[1_000, 2_000]] }),
      shardingVariant({
        shards: 2,
        index: 1,
        acceptedPerSecond: 2_000,
        perPartition: [
          [1_000, 500],
          [1_000, 500],
        ],
      }),
      shardingVariant({
        shards: 5,
        index: 2,
        acceptedPerSecond: 2_800,
        perPartition: [
          [1_000, 200],
          [600, 0],
          [600, 0],
          [600, 0],
        ],
      }),
      shardingVariant({
        shards: 10,
        index: 3,
        acceptedPerSecond: 3_000,
        perPartition: [
          [900, 0],
          [600, 0],
          [600, 0],
          [300, 0],
          [300, 0],
          [300, 0],
        ],
      }),
    ],
  });
  const scenario = {
    ...run.scenario,
    question: 'How many shards does STATUS#PENDING need at 3,000 orders a second?',
    parameters: { count: [1, 2, 5, 10] },
    goals: goals.map((goal) => goal.text),
  };
  return analyzeRun({ ...run, scenario }, { gate: false });
}

interface ShardingFigures {
  readonly shards: number;
  readonly index: number;
  readonly acceptedPerSecond: number;
  /** Write units per second accepted and rejected, of the partitions in use; the rest of 20 are idle. */
  readonly perPartition: readonly (readonly [accepted: number, rejected: number])[];
}

function shardingVariant(figures: ShardingFigures): MeasuredVariant {
  const { shards, index, acceptedPerSecond, perPartition } = figures;
  const tableName = `dyno-load-sharding-count-${shards}-main`;
  const accepted = acceptedPerSecond * SECONDS;
  const rejected = (PLANNED_PER_SECOND - acceptedPerSecond) * SECONDS;
  const reads = 20 * SECONDS;
  const readUnits = reads * shards * 5;
  const keys = Array.from({ length: shards }, (_, shard) =>
    buildKey(shards === 1 ? 'STATUS#PENDING' : `STATUS#PENDING#${shard}`, {
      requests: accepted / shards,
      writeUnits: accepted / shards,
      writeShare: 1 / shards,
      readShare: 1 / shards,
      throttledRequests: Math.round(rejected / shards),
    }),
  );
  const idle = Array.from({ length: 20 - perPartition.length }, () => ({ writeUnitsPerSecond: 0 }));
  return buildMeasuredVariant({
    name: `count=${shards}`,
    index,
    parameters: { count: shards },
    goals,
    tables: [buildTable({ tableName, itemCount: accepted, replacedPuts: 0, largestItemBytes: 812 })],
    resources: [
      buildResource({
        resource: tableName,
        tableName,
        writeUnits: accepted,
        distinctKeys: 100_000,
        keys: [buildKey('USER#4711', { requests: 9, writeUnits: 9, writeShare: 0.00005 })],
        partitions: buildPartitions(
          Array.from({ length: 20 }, () => ({ writeUnitsPerSecond: acceptedPerSecond / 20 })),
        ),
      }),
      buildResource({
        resource: `${tableName}/GSI1`,
        tableName,
        indexName: 'GSI1',
        writeUnits: accepted,
        readUnits,
        throttledWriteUnits: rejected,
        keys,
        partitions: buildPartitions([
          ...perPartition.map(([took, refused]) => ({
            writeUnitsPerSecond: took,
            throttledWriteUnits: refused * SECONDS,
          })),
          ...idle,
        ]),
      }),
    ],
    workloads: [orders(tableName, accepted, rejected), pendingReads(tableName, reads, readUnits)],
    placement: {
      placements: 200,
      goalThrottledRatio: 0.001,
      shareMeetingGoalFromFirstSecond: [0, 0, 0.58, 0.98][index] ?? 0,
      shareMeetingGoalSettled: [0, 0, 0.995, 1][index] ?? 0,
      throttledRatioFromFirstSecond: {
        median: [0.667, 0.333, 0, 0][index] ?? 0,
        p90: [0.667, 0.667, 0.067, 0][index] ?? 0,
        worst: [0.667, 0.667, 0.267, 0.067][index] ?? 0,
      },
      throttledRatioSettled: {
        median: [0.667, 0.333, 0, 0][index] ?? 0,
        p90: [0.667, 0.333, 0, 0][index] ?? 0,
        worst: [0.667, 0.333, 0.03, 0][index] ?? 0,
      },
    },
  });
}

function orders(tableName: string, accepted: number, rejected: number): WorkloadResult {
  const row = { readUnits: 0, writeUnits: accepted };
  return buildWorkload({
    measured: buildTotals({
      outcomes: { ok: accepted, throttled: rejected },
      throttles:
        rejected > 0
          ? [
              {
                reason: 'IndexWriteKeyRangeThroughputExceeded',
                resource: `${tableName}/GSI1`,
                count: rejected,
              },
            ]
          : [],
      units: [
        { resource: tableName, ...row },
        { resource: `${tableName}/GSI1`, ...row },
      ],
      response: { ok: buildHistogram(accepted, 4_200) },
      service: { ok: buildHistogram(accepted, 4_200) },
    }),
    series: buildSeries(70, { ok: accepted / SECONDS, throttled: rejected / SECONDS, maxResponseUs: 21_000 }),
  });
}

function pendingReads(tableName: string, reads: number, readUnits: number): WorkloadResult {
  return buildWorkload({
    name: 'readPending',
    kind: 'queryShards',
    isWrite: false,
    load: { kind: 'open', text: '20/s', concurrency: null },
    measured: buildTotals({
      outcomes: { ok: reads },
      requests: readUnits / 5,
      itemsReturned: reads * 50,
      itemsScanned: (readUnits / 5) * 50,
      units: [{ resource: `${tableName}/GSI1`, readUnits, writeUnits: 0 }],
      response: { ok: buildHistogram(reads, 6_100) },
      service: { ok: buildHistogram(reads, 6_100) },
    }),
    series: buildSeries(70, { ok: 20, maxResponseUs: 30_500 }),
  });
}

/**
 * An emulator on a wall clock with what goes wrong there: one variant valid, one saturated, one cut short; a
 * closed loop; failures; too few samples for percentiles; units of indexes not reported; two parameters with
 * long names; two tables.
 */
export function emulatorRun(): RunResult {
  const run = buildMeasuredRun({
    status: 'interrupted',
    target: {
      ...endpointTarget,
      notes: ['Throughput is not enforced by this server; throttling goals are not measurable here.'],
    },
    variants: [
      emulatorVariant({ name: 'count=1, suffix=calculated', index: 0, growthUs: 0, status: 'complete' }),
      emulatorVariant({
        name: 'count=20, suffix=calculated',
        index: 1,
        growthUs: 90_000,
        status: 'complete',
      }),
      emulatorVariant({ name: 'count=20, suffix=random', index: 2, growthUs: 0, status: 'interrupted' }),
      buildMeasuredVariant({
        name: 'count=50, suffix=random',
        index: 3,
        status: 'notRun',
        measuredSeconds: 0,
        goals,
      }),
    ],
  });
  const scenario = {
    ...run.scenario,
    name: 'status-shards',
    question: 'How many shards, and random or calculated suffix, for STATUS#PENDING at 300 orders a second?',
    rateFactor: 0.1,
    goals: goals.map((goal) => goal.text),
  };
  return analyzeRun({ ...run, scenario }, { gate: false });
}

function emulatorVariant(given: {
  name: string;
  index: number;
  growthUs: number;
  status: 'complete' | 'interrupted';
}): MeasuredVariant {
  const { name, index, growthUs, status } = given;
  const seconds = status === 'complete' ? SECONDS : 7.5;
  const ok = 300 * seconds;
  const tableName = `dyno-load-orders-${index}`;
  const series = buildSeries(Math.floor(10 + seconds), { ok: 300, maxResponseUs: 9_000 });
  const orders = buildWorkload({
    load: { kind: 'open', text: '300/s', concurrency: null },
    measured: buildTotals({
      outcomes: { ok },
      units: [{ resource: tableName, readUnits: 0, writeUnits: ok }],
      response: { ok: buildHistogram(ok, 1_900 + growthUs * 20) },
      service: { ok: buildHistogram(ok, 1_800 + growthUs * 20) },
      lateness: buildHistogram(ok, 180),
    }),
    series: { ...series, maxResponseUs: series.maxResponseUs.map((us, second) => us + growthUs * second) },
  });
  const report = buildWorkload({
    name: 'dailyReport',
    kind: 'scan',
    isWrite: false,
    load: { kind: 'closed', text: '2 at once', concurrency: 2 },
    measured: buildTotals({
      outcomes: { ok: 88, failed: 2 },
      itemsReturned: 880,
      itemsScanned: 176_000,
      units: [{ resource: tableName, readUnits: 11_000, writeUnits: 0 }],
      response: { ok: buildHistogram(88, 480_000) },
      service: { ok: buildHistogram(88, 480_000) },
    }),
    series: buildSeries(Math.floor(10 + seconds), { ok: 1 }),
    errors: [{ code: 'ECONNRESET', count: 2, messages: [{ message: 'socket hang up', requestId: null }] }],
  });
  return buildMeasuredVariant({
    name,
    index,
    status,
    measuredSeconds: seconds,
    goals,
    tables: [
      buildTable({ tableName, logicalName: 'orders', replacedPuts: null }),
      buildTable({ tableName: `${tableName}-log`, logicalName: 'log' }),
    ],
    resources: [
      buildResource({
        resource: tableName,
        tableName,
        writeUnits: ok,
        readUnits: 11_000,
        isExact: false,
        keys: [
          buildKey('TENANT#2f1c7a52-2f5e-4f39-9d5b-0c64a4a2a1f3#ORDERS', { requests: 40, writeShare: 0.021 }),
        ],
      }),
      buildResource({ resource: `${tableName}/GSI1`, tableName, indexName: 'GSI1', isExact: false }),
    ],
    workloads: [orders, report],
    generatorHealth: {
      wallSeconds: 72,
      cpuSeconds: 9,
      operationsPerCpuSecond: 2_000,
      latenessP50Us: 180,
      latenessP99Us: 540,
      latenessMaxUs: 1_440,
      eventLoopDelayP99Ms: 11,
      eventLoopUtilization: 0.11,
      connectionsOpened: 16,
      resentRequests: 0,
    },
  });
}
