// Parts of a run record for tests: every field has a quiet default, a test names only what it is about.
// Nothing here computes what the analysis computes: metrics, goals and validity come from the code under
// test.
import type { MeasuredRun, MeasuredVariant } from '../../src/analysis/analyze-run.ts';
import type {
  GeneratorHealth,
  HistogramResult,
  PlacementResult,
  ResourceResult,
  RunResult,
  StageTotals,
  TableResult,
  VariantResult,
  WorkloadResult,
} from '../../src/analysis/run-result.ts';

/** A latency histogram around a median; the tail is a fixed multiple of it unless named. */
export function buildHistogram(
  count: number,
  p50Us: number,
  tail: Partial<HistogramResult> = {},
): HistogramResult {
  return {
    count,
    minUs: Math.round(p50Us * 0.6),
    meanUs: Math.round(p50Us * 1.1),
    p50Us,
    p90Us: Math.round(p50Us * 1.5),
    p99Us: p50Us * 3,
    p99_9Us: p50Us * 5,
    maxUs: p50Us * 8,
    encoded: '',
    ...tail,
  };
}

/**
 * Totals of a stage; without `started` and `finished` given, all planned operations that were not dropped or
 * skipped were answered.
 */
export function buildTotals(
  given: Partial<Omit<StageTotals, 'outcomes'>> & { outcomes?: Partial<StageTotals['outcomes']> } = {},
): StageTotals {
  const outcomes = { ...noOutcomes, ...given.outcomes };
  const answered =
    Object.values(outcomes).reduce((sum, count) => sum + count, 0) - outcomes.dropped - outcomes.skipped;
  const started = given.started ?? answered;
  return {
    planned: started + outcomes.dropped + outcomes.skipped,
    started,
    finished: started,
    throttles: [],
    requests: started,
    throttledRequests: outcomes.throttled,
    itemsReturned: 0,
    itemsScanned: 0,
    itemsSent: 0,
    itemsUnprocessed: 0,
    units: [],
    estimatedUnits: [],
    response: {},
    service: {},
    lateness: null,
    ...given,
    outcomes,
  };
}

const noOutcomes: StageTotals['outcomes'] = {
  ok: 0,
  throttled: 0,
  partial: 0,
  conditionFailed: 0,
  conflict: 0,
  failed: 0,
  timedOut: 0,
  dropped: 0,
  skipped: 0,
};

/** A series of equal windows, one per second. */
export function buildSeries(
  seconds: number,
  given: { planned?: number; ok?: number; throttled?: number; maxResponseUs?: number } = {},
): WorkloadResult['series'] {
  const each = (value: number): number[] => Array.from({ length: seconds }, () => value);
  const ok = given.ok ?? 0;
  const throttled = given.throttled ?? 0;
  return {
    windowSeconds: 1,
    planned: each(given.planned ?? ok + throttled),
    started: each(ok + throttled),
    ok: each(ok),
    throttled: each(throttled),
    otherOutcomes: each(0),
    dropped: each(0),
    readUnits: each(0),
    writeUnits: each(0),
    maxResponseUs: each(given.maxResponseUs ?? 0),
    worstSecondThrottled: each(throttled),
  };
}

/** An open-loop put workload that did nothing. */
export function buildWorkload(given: Partial<WorkloadResult> = {}): WorkloadResult {
  const measured = given.measured ?? buildTotals();
  return {
    name: 'placeOrder',
    kind: 'put',
    isWrite: true,
    load: { kind: 'open', text: '3,000/s', concurrency: null },
    policy: { maxInFlight: 12_000, timeoutUs: 10_000_000, retry: 'none', expect: [] },
    notes: [],
    stages: [{ name: 'steady', totals: measured }],
    measured,
    metrics: {},
    steps: [],
    series: buildSeries(0),
    errors: [],
    slowest: [],
    ...given,
  };
}

export function buildResource(given: Partial<ResourceResult> = {}): ResourceResult {
  return {
    resource: 'dyno-load-main',
    tableName: 'dyno-load-main',
    indexName: null,
    billing: 'on-demand',
    start: 'warm: 12,000 read and 20,000 write units per second',
    readUnits: 0,
    writeUnits: 0,
    throttledReadUnits: 0,
    throttledWriteUnits: 0,
    distinctKeys: given.keys?.length ?? 0,
    isExact: true,
    keys: [],
    partitions: null,
    ...given,
  };
}

type KeyRow = ResourceResult['keys'][number];
type PartitionRow = NonNullable<ResourceResult['partitions']>[number];

export function buildKey(key: string, given: Partial<KeyRow> = {}): KeyRow {
  return {
    key,
    requests: 0,
    readUnits: 0,
    writeUnits: 0,
    throttledRequests: 0,
    readShare: 0,
    writeShare: 0,
    ...given,
  };
}

/** Partitions from the write units per second that each took and the write units that each refused in all. */
export function buildPartitions(
  rows: readonly { writeUnitsPerSecond: number; throttledWriteUnits?: number }[],
): PartitionRow[] {
  return rows.map(({ writeUnitsPerSecond, throttledWriteUnits = 0 }, index) => ({
    id: String(index),
    readUnitsPerSecond: 0,
    writeUnitsPerSecond,
    readUtilization: 0,
    writeUtilization: writeUnitsPerSecond / 1_000,
    throttledReadUnits: 0,
    throttledWriteUnits,
  }));
}

export function buildTable(given: Partial<TableResult> = {}): TableResult {
  return {
    tableName: 'dyno-load-main',
    logicalName: 'main',
    itemCount: null,
    replacedPuts: null,
    largestItemBytes: null,
    ...given,
  };
}

/** How often a throttling goal of 0.1 % holds over 200 placements; all of them hold once settled. */
export function buildPlacement(fromFirstSecond: number): PlacementResult {
  const none = { median: 0, p90: 0, worst: 0 };
  return {
    placements: 200,
    goalThrottledRatio: 0.001,
    shareMeetingGoalFromFirstSecond: fromFirstSecond,
    shareMeetingGoalSettled: 1,
    throttledRatioFromFirstSecond: { ...none, worst: fromFirstSecond < 1 ? 0.3 : 0 },
    throttledRatioSettled: none,
  };
}

export const idleHealth: GeneratorHealth = {
  wallSeconds: 10,
  cpuSeconds: 1,
  operationsPerCpuSecond: 100_000,
  latenessP50Us: null,
  latenessP99Us: null,
  latenessMaxUs: null,
  eventLoopDelayP99Ms: null,
  eventLoopUtilization: null,
  connectionsOpened: null,
  resentRequests: null,
};

/** A complete variant of one table, 60 s measured. */
export function buildMeasuredVariant(given: Partial<MeasuredVariant> = {}): MeasuredVariant {
  return {
    name: 'default',
    index: 0,
    parameters: {},
    status: 'complete',
    measuredSeconds: 60,
    tables: [buildTable()],
    resources: [],
    workloads: [],
    goals: [],
    placement: null,
    generatorHealth: idleHealth,
    ...given,
  };
}

/** The same after analysis, for code that reads judged variants. */
export function buildVariant(given: Partial<VariantResult> = {}): VariantResult {
  const measured = buildMeasuredVariant();
  return {
    ...measured,
    workloads: [],
    goals: [],
    validity: { status: 'valid', reasons: [] },
    ...given,
  };
}

export const simulatedTarget: RunResult['target'] = {
  kind: 'simulated',
  time: 'virtual',
  label: 'simulated table',
  capabilities: {
    enforcesThroughput: 'yes',
    reportsIndexUnits: 'yes',
    transactions: 'yes',
    parallelScan: 'yes',
  },
  notes: [],
  model: { preset: 'default', constants: [] },
};

export const endpointTarget: RunResult['target'] = {
  kind: 'endpoint',
  time: 'wall-clock',
  label: 'dynalite at http://127.0.0.1:4567',
  capabilities: {
    enforcesThroughput: 'no',
    reportsIndexUnits: 'no',
    transactions: 'no',
    parallelScan: 'yes',
  },
  notes: [],
  model: null,
};

/** A complete run of a 10 s warm-up and a 60 s measured stage on the simulated table. */
export function buildMeasuredRun(given: Partial<MeasuredRun> = {}): MeasuredRun {
  return {
    schemaVersion: 1,
    tool: { name: 'dyno-load', version: '0.1.0' },
    status: 'complete',
    scenario: {
      name: 'sharding',
      question: 'How many shards?',
      seed: 42,
      startsAt: '2026-01-01T00:00:00.000Z',
      parameters: {},
      stages: [
        { name: 'warmUp', durationUs: 10_000_000, isMeasured: false, rateFactor: 1 },
        { name: 'steady', durationUs: 60_000_000, isMeasured: true, rateFactor: 1 },
      ],
      goals: [],
      rateFactor: 1,
    },
    target: simulatedTarget,
    variants: [],
    environment: {
      startedAt: '2026-11-30T12:00:00.000Z',
      finishedAt: '2026-11-30T12:00:05.000Z',
      node: 'v20.19.0',
      platform: 'linux x64',
      cpu: 'any',
      cpuCount: 2,
      sdkVersion: null,
      tableNameSuffix: null,
    },
    ...given,
  };
}
