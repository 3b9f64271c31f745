// One record out of the parts of several workers, as they come in: what a stage counted is added; of what a
// worker tells as it stands (seconds, errors, slowest, steps) its last word is kept, and the whole is made of
// all last words. Exact, in whatever order parts come.
import type { StageDelta, WorkloadSegment } from '../analysis/records/segments.ts';
import { restoreSegment, restoreStage } from '../engine/restore-recorder.ts';
import { StageRecorder } from '../engine/stage-recorder.ts';
import { MESSAGES_PER_CODE, SLOWEST_KEPT, WorkloadRecorder } from '../engine/workload-recorder.ts';
import { type SecondRows, TimeSeries } from '../stats/time-series.ts';

/** Adds parts to the recorders of all workloads. */
export class PartMerger {
  readonly #workloads: readonly WorkloadMerger[];

  /**
   * @param recorders  of the whole, empty as yet
   * @param isMeasured  by stage, for those who watch what ends lately
   */
  constructor(recorders: readonly WorkloadRecorder[], isMeasured: readonly boolean[]) {
    this.#workloads = recorders.map((recorder) => new WorkloadMerger(recorder, isMeasured));
  }

  /**
   * Adds what one worker recorded since its last part.
   * @throws DynoLoadError RUN_FOLDER_INVALID for an unreadable histogram
   */
  add(worker: number, parts: readonly WorkloadSegment[]): void {
    for (const part of parts) this.#workloads[part.workload]?.add(worker, part);
  }
}

class WorkloadMerger {
  readonly #whole: WorkloadRecorder;
  readonly #isMeasured: readonly boolean[];
  /** By worker: its last word on whatever is told as it stands; without stages, which only add up. */
  readonly #lastWords = new Map<number, WorkloadRecorder>();

  constructor(whole: WorkloadRecorder, isMeasured: readonly boolean[]) {
    this.#whole = whole;
    this.#isMeasured = isMeasured;
  }

  add(worker: number, part: WorkloadSegment): void {
    const own = this.#lastWords.get(worker) ?? new WorkloadRecorder([], false);
    this.#lastWords.set(worker, own);
    restoreSegment(own, { ...part, stages: [] });
    for (const delta of part.stages) this.#addStage(delta);
    if (part.series !== undefined) this.#sumSeries(part.series);
    this.#sumThrottles(part.throttleSeconds);
    if (part.errors !== undefined) this.#sumErrors();
    if (part.slowest !== undefined) this.#pickSlowest();
    if (part.steps !== undefined) this.#sumSteps();
  }

  #addStage(delta: StageDelta): void {
    restoreStage(this.#whole.stage(delta.stage), delta);
    const { lately } = this.#whole;
    if (lately && this.#isMeasured[delta.stage]) addLately(lately, delta);
  }

  #sumSeries({ from, rows }: SecondRows): void {
    const parts = [...this.#lastWords.values()].map(({ series }) => series);
    this.#whole.series.putSeconds(TimeSeries.sumSeconds(parts, { from, count: rows.length }));
  }

  #sumThrottles(changed: WorkloadSegment['throttleSeconds']): void {
    for (const { reason, arn, seconds } of changed) {
      const { from, rows } = seconds;
      const parts = [...this.#lastWords.values()].map(({ throttles }) => throttles.seriesOf(reason, arn));
      const sum = TimeSeries.sumSeconds(parts, { from, count: rows.length });
      this.#whole.throttles.putSeconds([{ reason, arn, seconds: sum }]);
    }
  }

  #sumErrors(): void {
    const { errors } = this.#whole;
    errors.clear();
    for (const own of this.#lastWords.values()) {
      for (const { code, count, messages } of own.errors.values()) {
        const before = errors.get(code);
        errors.set(code, {
          code,
          count: (before?.count ?? 0) + count,
          messages: [...(before?.messages ?? []), ...messages].slice(0, MESSAGES_PER_CODE),
        });
      }
    }
  }

  #pickSlowest(): void {
    const all = [...this.#lastWords.values()].flatMap(({ slowest }) => slowest);
    all.sort((a, b) => b.responseUs - a.responseUs || a.dueUs - b.dueUs || a.sequence - b.sequence);
    this.#whole.slowest.splice(0, this.#whole.slowest.length, ...all.slice(0, SLOWEST_KEPT));
  }

  #sumSteps(): void {
    const { steps } = this.#whole;
    steps.clear();
    for (const own of this.#lastWords.values()) {
      for (const [label, { requests, readUnits, writeUnits }] of own.steps) {
        const before = steps.get(label) ?? { requests: 0, readUnits: 0, writeUnits: 0 };
        steps.set(label, {
          requests: before.requests + requests,
          readUnits: before.readUnits + readUnits,
          writeUnits: before.writeUnits + writeUnits,
        });
      }
    }
  }
}

/** As a recorder counts lately: what has ended is the whole of which shares are taken. */
function addLately(lately: StageRecorder, delta: StageDelta): void {
  const ended = new StageRecorder();
  const { planned = 0, dropped = 0, skipped = 0, finished = 0 } = delta.counters;
  const counters = {
    planned,
    dropped,
    skipped,
    finished,
    started: finished,
    okWithinStage: delta.outcomes.ok?.response.count ?? 0,
  };
  restoreStage(ended, {
    stage: delta.stage,
    counters,
    outcomes: delta.outcomes,
    throttles: [],
    units: [],
    estimatedUnits: [],
    ...(delta.lateness === undefined ? {} : { lateness: delta.lateness }),
  });
  lately.mergeFrom(ended);
}
