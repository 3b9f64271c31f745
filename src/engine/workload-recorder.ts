// Everything recorded of one workload: its stages, a time series per second, the first errors per code, and
// the slowest operations. Memory depends on stages, seconds and distinct codes, never on the count of
// operations.
import type { ConsumedCapacity } from '../dynamodb/consumed-capacity.ts';
import type { Outcome } from '../dynamodb/outcome.ts';
import type { PlannedStage } from '../scenario/run-plan.ts';
import { TimeSeries } from '../stats/time-series.ts';
import { ThrottleSeries } from './throttle-series.ts';
import { type FinishedKind, StageRecorder } from './stage-recorder.ts';
import { totalUnits } from './units-by-resource.ts';

/** Counters of the time series and their columns. */
export const seriesColumn = {
  planned: 0,
  started: 1,
  ok: 2,
  throttled: 3,
  otherOutcomes: 4,
  dropped: 5,
  readUnits: 6,
  writeUnits: 7,
} as const;

/** Messages kept of each error code. */
export const MESSAGES_PER_CODE = 5;
/** Operations kept as the slowest. */
export const SLOWEST_KEPT = 20;

/** The errors of one code: how many, and what the first of them said. */
export interface ErrorSample {
  readonly code: string;
  count: number;
  readonly messages: { message: string; requestId: string | null }[];
}

/** One of the slowest operations; times in µs, `dueUs` since the start of load. */
export interface SlowOperation {
  readonly sequence: number;
  readonly dueUs: number;
  readonly responseUs: number;
  readonly serviceUs: number;
  readonly outcome: FinishedKind;
}

/** What the steps of one label spent, in all flows together. */
export interface StepTotals {
  requests: number;
  readUnits: number;
  writeUnits: number;
}

/** When an operation was due, sent and over; which stage it belongs to. */
export interface OperationTimes {
  readonly sequence: number;
  readonly stageIndex: number;
  readonly dueUs: number;
  readonly startedUs: number;
  /** Of that, spent on attempts that were sent again and on waiting to do so; absent: none. */
  readonly waitedUs?: number;
}

/** The record of one workload while it runs. Told once of each thing that happens to an operation. */
export class WorkloadRecorder {
  readonly stages: readonly StageRecorder[];
  readonly series = new TimeSeries(Object.keys(seriesColumn).length);
  readonly throttles = new ThrottleSeries();
  readonly errors = new Map<string, ErrorSample>();
  /** Counts what ends from now on as well, where somebody watches; measured stages only. */
  lately: StageRecorder | undefined = undefined;
  readonly slowest: SlowOperation[] = [];
  /** Flow steps by label, measured stages only. */
  readonly steps = new Map<string, StepTotals>();
  readonly #isMeasured: readonly boolean[];
  readonly #isVirtual: boolean;
  readonly #stageEndsUs: readonly number[];
  readonly #units = { readUnits: 0, writeUnits: 0 };
  #slowestFloorUs = -1;

  constructor(stages: readonly PlannedStage[], isVirtual: boolean) {
    this.stages = stages.map(() => new StageRecorder());
    this.#isMeasured = stages.map((stage) => stage.isMeasured);
    this.#isVirtual = isVirtual;
    this.#stageEndsUs = stages.map((stage) => stage.endUs);
  }

  stage(index: number): StageRecorder {
    return this.stages[index] as StageRecorder;
  }

  planned(stageIndex: number, dueUs: number): void {
    this.stage(stageIndex).planned++;
    if (this.lately && this.#isMeasured[stageIndex]) this.lately.planned++;
    this.series.add(dueUs, seriesColumn.planned, 1);
  }

  dropped(stageIndex: number, dueUs: number): void {
    this.stage(stageIndex).dropped++;
    if (this.lately && this.#isMeasured[stageIndex]) this.lately.dropped++;
    this.series.add(dueUs, seriesColumn.dropped, 1);
  }

  skipped(stageIndex: number): void {
    this.stage(stageIndex).skipped++;
    if (this.lately && this.#isMeasured[stageIndex]) this.lately.skipped++;
  }

  started(times: OperationTimes): void {
    const stage = this.stage(times.stageIndex);
    stage.started++;
    this.series.add(times.dueUs, seriesColumn.started, 1);
    // In virtual time an operation is sent at the moment it is due: its lateness is zero by construction and
    // not worth a histogram.
    if (this.#isVirtual) return;
    stage.lateness.record(times.startedUs - times.dueUs);
    if (this.lately && this.#isMeasured[times.stageIndex])
      this.lately.lateness.record(times.startedUs - times.dueUs);
  }

  /** An operation that had started turned out to have nothing to do. */
  skippedAfterStart(times: OperationTimes): void {
    const stage = this.stage(times.stageIndex);
    stage.started--;
    stage.skipped++;
    if (this.lately && this.#isMeasured[times.stageIndex]) this.lately.skipped++;
    this.series.add(times.dueUs, seriesColumn.started, -1);
  }

  /** One request was answered; `label` names the step of a flow. */
  requested(stageIndex: number, outcome: Outcome, endUs: number, label: string | undefined): void {
    this.stage(stageIndex).countRequest(outcome);
    if (outcome.kind === 'failed') this.#keepError(outcome);
    else if (outcome.kind === 'throttled') this.throttles.add(endUs, outcome);
    const consumed = consumedBy(outcome);
    if (consumed === undefined && label === undefined) return;
    const units = this.#units;
    units.readUnits = 0;
    units.writeUnits = 0;
    if (consumed !== undefined) totalUnits(consumed, units);
    if (units.readUnits > 0) this.series.add(endUs, seriesColumn.readUnits, units.readUnits);
    if (units.writeUnits > 0) this.series.add(endUs, seriesColumn.writeUnits, units.writeUnits);
    if (label !== undefined && this.#isMeasured[stageIndex]) this.#countStep(label, units);
  }

  /** An operation failed by itself, with no request to blame. */
  failedUnsent(outcome: Extract<Outcome, { kind: 'failed' }>): void {
    this.#keepError(outcome);
  }

  finished(times: OperationTimes, kind: FinishedKind, endUs: number): void {
    const responseUs = endUs - times.dueUs;
    const serviceUs = endUs - times.startedUs;
    const stage = this.stage(times.stageIndex);
    stage.finish(kind, responseUs, serviceUs);
    if (this.lately && this.#isMeasured[times.stageIndex]) {
      // What has ended is the whole of which a share is taken: what is under way may still end well.
      this.lately.started++;
      this.lately.finish(kind, responseUs, serviceUs);
      if (kind === 'ok') this.lately.okWithinStage++;
    }
    if (kind === 'ok') {
      stage.splitOk(times.startedUs - times.dueUs, times.waitedUs ?? 0, serviceUs);
      this.#countEnded(times.stageIndex, endUs);
    }
    const counter =
      kind === 'ok'
        ? seriesColumn.ok
        : kind === 'throttled'
          ? seriesColumn.throttled
          : seriesColumn.otherOutcomes;
    this.series.add(times.dueUs, counter, 1);
    if (kind === 'ok') this.series.noteLatency(times.dueUs, responseUs);
    if (responseUs > this.#slowestFloorUs && this.#isMeasured[times.stageIndex]) {
      this.#keepSlow({ sequence: times.sequence, dueUs: times.dueUs, responseUs, serviceUs, outcome: kind });
    }
  }

  /** A backlog ends after its stage: what the target achieves in a stage is what ends in it. */
  #countEnded(dueStageIndex: number, endUs: number): void {
    let index = dueStageIndex;
    while (index < this.stages.length && endUs > (this.#stageEndsUs[index] as number)) index++;
    if (index < this.stages.length) this.stage(index).okWithinStage++;
  }

  #keepSlow(operation: SlowOperation): void {
    const slowest = this.slowest;
    const at = slowest.findIndex((one) => one.responseUs < operation.responseUs);
    slowest.splice(at === -1 ? slowest.length : at, 0, operation);
    if (slowest.length > SLOWEST_KEPT) slowest.pop();
    if (slowest.length === SLOWEST_KEPT)
      this.#slowestFloorUs = (slowest[SLOWEST_KEPT - 1] as SlowOperation).responseUs;
  }

  #keepError(outcome: Extract<Outcome, { kind: 'failed' }>): void {
    const sample = this.errors.get(outcome.code) ?? { code: outcome.code, count: 0, messages: [] };
    this.errors.set(outcome.code, sample);
    sample.count++;
    if (sample.messages.length >= MESSAGES_PER_CODE) return;
    sample.messages.push({ message: outcome.message, requestId: outcome.requestId ?? null });
  }

  #countStep(label: string, units: { readUnits: number; writeUnits: number }): void {
    const step = this.steps.get(label) ?? { requests: 0, readUnits: 0, writeUnits: 0 };
    this.steps.set(label, step);
    step.requests++;
    step.readUnits += units.readUnits;
    step.writeUnits += units.writeUnits;
  }
}

function consumedBy(outcome: Outcome): readonly ConsumedCapacity[] | undefined {
  if (outcome.kind === 'ok' || outcome.kind === 'partial') return outcome.consumed;
  if (outcome.kind === 'conditionFailed' || outcome.kind === 'conflict') return outcome.estimated;
  return undefined;
}
