// What the recorders of a variant counted since the last look, as plain data that adds up to the whole.
// Counts and latencies come as sums of the span; rows of seconds and short lists as they now stand, since a
// later word on them replaces the one before. What is looked at lies in copies of the recorders, so that
// recording itself costs nothing more.
import type { StageDelta, WorkloadSegment } from '../analysis/records/segments.ts';
import { counterNames, StageRecorder } from './stage-recorder.ts';
import type { UnitsByResource } from './units-by-resource.ts';
import type { WorkloadRecorder } from './workload-recorder.ts';

/** Takes segments of a variant's workloads, one after another. */
export class SegmentSource {
  readonly #workloads: readonly WorkloadSource[];

  constructor(recorders: readonly WorkloadRecorder[]) {
    this.#workloads = recorders.map((recorder) => new WorkloadSource(recorder));
  }

  /** Operations planned since the last segment, in all workloads. */
  get plannedSince(): number {
    return this.#workloads.reduce((sum, workload) => sum + workload.plannedSince, 0);
  }

  /** What was recorded since the last call; workloads of which nothing was are left out. */
  take(): WorkloadSegment[] {
    return this.#workloads
      .map((workload, index) => ({ workload: index, ...workload.take() }))
      .filter(hasContent);
  }
}

function hasContent({ stages, throttleSeconds, series, errors, slowest, steps }: WorkloadSegment): boolean {
  return stages.length + throttleSeconds.length > 0 || Boolean(series ?? errors ?? slowest ?? steps);
}

/** One workload with a copy of what was taken of it. */
class WorkloadSource {
  readonly #recorder: WorkloadRecorder;
  readonly #taken: readonly StageRecorder[];
  #errorCount = 0;
  #stepCount = 0;
  #slowest = '';

  constructor(recorder: WorkloadRecorder) {
    this.#recorder = recorder;
    this.#taken = recorder.stages.map(() => new StageRecorder());
  }

  get plannedSince(): number {
    return this.#recorder.stages.reduce(
      (sum, stage, index) => sum + stage.planned - (this.#taken[index] as StageRecorder).planned,
      0,
    );
  }

  take(): Omit<WorkloadSegment, 'workload'> {
    const { stages, series, throttles } = this.#recorder;
    const seconds = series.takeChanged();
    return {
      stages: stages
        .map((stage, index) => takeStage(index, stage, this.#taken[index] as StageRecorder))
        .filter((delta) => delta !== undefined),
      ...(seconds === undefined ? {} : { series: seconds }),
      throttleSeconds: throttles.takeChanged(),
      ...this.#changedLists(),
    };
  }

  #changedLists(): Pick<WorkloadSegment, 'errors' | 'slowest' | 'steps'> {
    const { errors, slowest, steps } = this.#recorder;
    const errorCount = sum([...errors.values()].map(({ count }) => count));
    const stepCount = sum([...steps.values()].map(({ requests }) => requests));
    const slowestNow = slowest.map(({ sequence }) => sequence).join();
    const lists = {
      ...(errorCount === this.#errorCount
        ? {}
        : { errors: [...errors.values()].map((one) => ({ ...one, messages: [...one.messages] })) }),
      ...(slowestNow === this.#slowest ? {} : { slowest: [...slowest] }),
      ...(stepCount === this.#stepCount
        ? {}
        : { steps: [...steps].map(([label, totals]) => ({ label, ...totals })) }),
    };
    this.#errorCount = errorCount;
    this.#stepCount = stepCount;
    this.#slowest = slowestNow;
    return lists;
  }
}

function takeStage(index: number, now: StageRecorder, taken: StageRecorder): StageDelta | undefined {
  const counters: StageDelta['counters'] = {};
  for (const name of counterNames) {
    if (now[name] !== taken[name]) counters[name] = now[name] - taken[name];
    taken[name] = now[name];
  }
  const lateness = now.lateness.takeSince(taken.lateness);
  const delta: StageDelta = {
    stage: index,
    counters,
    ...takeAttempts(now, taken),
    outcomes: takeOutcomes(now, taken),
    throttles: takeThrottles(now, taken),
    units: takeUnits(now.units, taken.units),
    estimatedUnits: takeUnits(now.estimatedUnits, taken.estimatedUnits),
    ...(lateness === undefined ? {} : { lateness }),
  };
  return isEmpty(delta) ? undefined : delta;
}

function isEmpty({ counters, outcomes, throttles, units, estimatedUnits, attempts }: StageDelta): boolean {
  return (
    Object.keys(counters).length + Object.keys(outcomes).length === 0 &&
    throttles.length + units.length + estimatedUnits.length === 0 &&
    attempts === undefined
  );
}

function takeAttempts(now: StageRecorder, taken: StageRecorder): Pick<StageDelta, 'attempts'> {
  const attempts = now.attempts.map((requests, index) => requests - (taken.attempts[index] ?? 0));
  if (attempts.every((requests) => requests === 0)) return {};
  for (const [index, requests] of attempts.entries()) taken.countAttempts(index + 1, requests);
  return { attempts };
}

function takeOutcomes(now: StageRecorder, taken: StageRecorder): StageDelta['outcomes'] {
  const outcomes: StageDelta['outcomes'] = {};
  for (const [kind, recorder] of now.outcomes) {
    const before = taken.outcome(kind);
    const response = recorder.response.takeSince(before.response);
    const service = recorder.service.takeSince(before.service);
    if (response !== undefined && service !== undefined) outcomes[kind] = { response, service };
  }
  return outcomes;
}

function takeThrottles(now: StageRecorder, taken: StageRecorder): StageDelta['throttles'] {
  const rows: StageDelta['throttles'] = [];
  for (const [reason, resources] of now.throttles) {
    for (const [resource, count] of resources) {
      const more = count - (taken.throttles.get(reason)?.get(resource) ?? 0);
      if (more === 0) continue;
      rows.push({ reason, resource, count: more });
      taken.addThrottle(reason, resource, more);
    }
  }
  return rows;
}

/** A resource that appears for the first time is told even where it took no units: the record names it too. */
function takeUnits(now: UnitsByResource, taken: UnitsByResource): StageDelta['units'] {
  const before = new Map(taken.rows().map((row) => [row.resource, row]));
  const rows: StageDelta['units'] = [];
  for (const { resource, readUnits, writeUnits } of now.rows()) {
    const old = before.get(resource);
    const more = {
      resource,
      readUnits: readUnits - (old?.readUnits ?? 0),
      writeUnits: writeUnits - (old?.writeUnits ?? 0),
    };
    if (old !== undefined && more.readUnits === 0 && more.writeUnits === 0) continue;
    rows.push(more);
    taken.addRow(more);
  }
  return rows;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
