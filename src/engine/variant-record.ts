// Turns what was recorded of a variant into the values of the run record: plain data, complete, in a fixed
// order.
import type {
  GeneratorHealth,
  HistogramResult,
  StageTotals,
  WorkloadResult,
} from '../analysis/run-result.ts';
import type { Retries } from '../analysis/records/retries.ts';
import type { Clock } from '../clock.ts';
import { outcomeKinds } from '../dynamodb/outcome.ts';
import type { PlannedStage, PlannedWorkload, RunPlan } from '../scenario/run-plan.ts';
import { retryText } from '../scenario/read-retry.ts';
import { LatencyHistogram } from '../stats/histogram.ts';
import { US_PER_SECOND } from '../units.ts';
import type { HealthReadings } from './generator-health.ts';
import { loadText } from './load-text.ts';
import type { VariantMeasurement } from './run-variant.ts';
import { type FinishedKind, StageRecorder } from './stage-recorder.ts';
import type { SessionObservation } from './target.ts';
import { seriesColumn, type WorkloadRecorder } from './workload-recorder.ts';

/** Seconds of the measured stages that a run reached. */
export function measuredSeconds(plan: Pick<RunPlan, 'stages'>, reachedUs: number): number {
  let sumUs = 0;
  for (const stage of plan.stages) {
    if (stage.isMeasured) sumUs += Math.max(0, Math.min(reachedUs, stage.endUs) - stage.startUs);
  }
  return sumUs / US_PER_SECOND;
}

/** The span from the first measured stage's start to the last one's end, in µs. */
export function measuredSpan(plan: RunPlan): { fromUs: number; untilUs: number } {
  const measured = plan.stages.filter((stage) => stage.isMeasured);
  return { fromUs: measured[0]?.startUs ?? 0, untilUs: measured.at(-1)?.endUs ?? 0 };
}

/** What the record of a workload tells of its plan. */
export type WorkloadFrame = Pick<WorkloadResult, 'name' | 'kind' | 'isWrite' | 'load' | 'policy' | 'notes'>;

/** What records need of a plan; plain data. */
export interface RecordedPlan {
  readonly stages: readonly PlannedStage[];
  readonly workloads: readonly WorkloadFrame[];
}

/** The part of a plan that its record needs. */
export function recordedPlan({ stages, workloads }: RunPlan): RecordedPlan {
  return { stages, workloads: workloads.map(workloadFrame) };
}

function workloadFrame(workload: PlannedWorkload): WorkloadFrame {
  return {
    name: workload.name,
    kind: workload.kind,
    isWrite: workload.isWrite,
    load: {
      kind: workload.load.kind,
      text: loadText(workload.load),
      concurrency: workload.load.kind === 'closed' ? workload.load.concurrency : null,
    },
    policy: {
      ...workload.policy,
      retry: retryText(workload.policy.retry),
      expect: [...workload.policy.expect],
    },
    notes: [...workload.notes],
  };
}

type Recorded = Pick<VariantMeasurement, 'recorders' | 'reachedUs'>;

/** The record of each workload, metrics left empty: they are computed from it. */
export function workloadRecords(plan: RunPlan, measurement: Recorded): WorkloadResult[] {
  return recordedWorkloads(recordedPlan(plan), measurement);
}

/** As `workloadRecords`, from the part of the plan that is kept. */
export function recordedWorkloads(plan: RecordedPlan, measurement: Recorded): WorkloadResult[] {
  const endUs = offeredUntilUs(plan, measurement);
  return plan.workloads.map((workload, index) =>
    workloadRecord(plan, workload, { recorder: measurement.recorders[index] as WorkloadRecorder, endUs }),
  );
}

/** When the last operation might have been due: a workload that fell silent before is shown as silent. */
function offeredUntilUs(plan: RecordedPlan, { reachedUs }: Recorded): number {
  return Math.min(reachedUs, plan.stages.at(-1)?.endUs ?? 0);
}

/** The generator's own share, from the process's readings and the recorders. */
export function generatorHealth(
  measurement: VariantMeasurement,
  readings: HealthReadings,
  observation: SessionObservation,
  clockKind: Clock['kind'],
): GeneratorHealth {
  const lateness = new LatencyHistogram();
  let planned = 0;
  for (const recorder of measurement.recorders) {
    for (const stage of recorder.stages) {
      lateness.add(stage.lateness);
      planned += stage.planned;
    }
  }
  const isMeasured = clockKind === 'wall-clock' && lateness.count > 0;
  const { machine, ...ofProcess } = readings;
  return {
    ...ofProcess,
    operationsPerCpuSecond: readings.cpuSeconds > 0 ? planned / readings.cpuSeconds : 0,
    latenessP50Us: isMeasured ? lateness.quantile(0.5) : null,
    latenessP99Us: isMeasured ? lateness.quantile(0.99) : null,
    latenessMaxUs: isMeasured ? lateness.maxUs : null,
    // In virtual time the loop is busy by design: its delay says nothing.
    eventLoopDelayP99Ms: clockKind === 'virtual' ? null : readings.eventLoopDelayP99Ms,
    eventLoopDelayMaxMs: clockKind === 'virtual' ? null : readings.eventLoopDelayMaxMs,
    eventLoopUtilization: clockKind === 'virtual' ? null : readings.eventLoopUtilization,
    ...(clockKind === 'virtual' || machine === undefined ? {} : { machine }),
    connectionsOpened: observation.connectionsOpened,
    resentRequests: observation.resentRequests,
    ...(observation.attemptTimes === undefined ? {} : { attemptTimes: observation.attemptTimes }),
  };
}

function workloadRecord(
  plan: RecordedPlan,
  frame: WorkloadFrame,
  { recorder, endUs }: { readonly recorder: WorkloadRecorder; readonly endUs: number },
): WorkloadResult {
  const series = seriesRecord(recorder, endUs);
  const throttles = recorder.throttles.rows(series.windowSeconds, series.planned.length);
  return {
    ...frame,
    stages: plan.stages.map((stage) => ({
      name: stage.name,
      totals: stageTotals(recorder.stage(stage.index)),
    })),
    measured: stageTotals(measuredStages(plan, recorder)),
    metrics: {},
    steps: [...recorder.steps].map(([label, totals]) => ({ label, ...totals })),
    series,
    ...(throttles.length === 0 ? {} : { throttleSeries: throttles }),
    errors: [...recorder.errors.values()].map((sample) => ({ ...sample, messages: [...sample.messages] })),
    slowest: [...recorder.slowest],
  };
}

function measuredStages(plan: RecordedPlan, recorder: WorkloadRecorder): StageRecorder {
  const merged = new StageRecorder();
  for (const stage of plan.stages) if (stage.isMeasured) merged.mergeFrom(recorder.stage(stage.index));
  return merged;
}

/** The record of a stage's counts. */
export function stageTotals(stage: StageRecorder): StageTotals {
  const counts = Object.fromEntries(outcomeKinds.map((kind) => [kind, 0])) as StageTotals['outcomes'];
  const response: StageTotals['response'] = {};
  const service: StageTotals['service'] = {};
  for (const kind of outcomeKinds) {
    const recorder = kind === 'dropped' || kind === 'skipped' ? undefined : stage.outcomes.get(kind);
    if (recorder === undefined) continue;
    counts[kind] = recorder.count;
    response[kind as FinishedKind] = histogramResult(recorder.response);
    service[kind as FinishedKind] = histogramResult(recorder.service);
  }
  counts.dropped = stage.dropped;
  counts.skipped = stage.skipped;
  return {
    planned: stage.planned,
    started: stage.started,
    finished: stage.finished,
    outcomes: counts,
    okWithinStage: stage.okWithinStage,
    throttles: throttleRows(stage),
    requests: stage.requests,
    throttledRequests: stage.throttledRequests,
    itemsReturned: stage.itemsReturned,
    itemsScanned: stage.itemsScanned,
    itemsSent: stage.itemsSent,
    itemsUnprocessed: stage.itemsUnprocessed,
    units: stage.units.rows(),
    estimatedUnits: stage.estimatedUnits.rows(),
    response,
    service,
    lateness: stage.lateness.count === 0 ? null : histogramResult(stage.lateness),
    ...(stage.attempts.length === 0 ? {} : { retries: retriesOf(stage) }),
  };
}

function retriesOf({ attempts, okLatenessUs, okWaitUs, okServiceUs }: StageRecorder): Retries {
  return { attempts: [...attempts], okLatenessUs, okWaitUs, okServiceUs };
}

function throttleRows(stage: StageRecorder): StageTotals['throttles'] {
  return [...stage.throttles]
    .flatMap(([reason, resources]) =>
      [...resources].map(([resource, count]) => ({ reason, resource, count })),
    )
    .sort((a, b) => b.count - a.count || (a.reason + a.resource < b.reason + b.resource ? -1 : 1));
}

function histogramResult(histogram: LatencyHistogram): HistogramResult {
  return histogram.toRecord();
}

function seriesRecord(recorder: WorkloadRecorder, endUs: number): WorkloadResult['series'] {
  const { windowSeconds, totals, highestSeconds, maximumLatencyUs } = recorder.series.compact({ endUs });
  const column = (name: keyof typeof seriesColumn) => [...(totals[seriesColumn[name]] ?? [])];
  return {
    windowSeconds,
    planned: column('planned'),
    started: column('started'),
    ok: column('ok'),
    throttled: column('throttled'),
    otherOutcomes: column('otherOutcomes'),
    dropped: column('dropped'),
    readUnits: column('readUnits'),
    writeUnits: column('writeUnits'),
    maxResponseUs: [...maximumLatencyUs],
    worstSecondThrottled: [...(highestSeconds[seriesColumn.throttled] ?? [])],
  };
}
