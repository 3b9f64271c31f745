// A recorder as it was, put together from the segments that were taken of it: the inverse of segment-source.ts.
import type { StageDelta, WorkloadSegment } from '../analysis/records/segments.ts';
import { counterNames, type StageRecorder } from './stage-recorder.ts';
import type { WorkloadRecorder } from './workload-recorder.ts';

/**
 * Adds one segment to a recorder that holds all segments before it.
 * @throws DynoLoadError RUN_FOLDER_INVALID for an unreadable histogram
 */
export function restoreSegment(recorder: WorkloadRecorder, segment: WorkloadSegment): void {
  for (const delta of segment.stages) restoreStage(recorder.stage(delta.stage), delta);
  if (segment.series !== undefined) recorder.series.putSeconds(segment.series);
  recorder.throttles.putSeconds(segment.throttleSeconds);
  for (const sample of segment.errors ?? []) recorder.errors.set(sample.code, sample);
  if (segment.slowest !== undefined) recorder.slowest.splice(0, recorder.slowest.length, ...segment.slowest);
  for (const { label, ...totals } of segment.steps ?? []) recorder.steps.set(label, totals);
}

/**
 * Adds what was counted of one stage in one span.
 * @throws DynoLoadError RUN_FOLDER_INVALID for an unreadable histogram
 */
export function restoreStage(stage: StageRecorder, delta: StageDelta): void {
  for (const name of counterNames) stage[name] += delta.counters[name] ?? 0;
  for (const [index, requests] of (delta.attempts ?? []).entries()) stage.countAttempts(index + 1, requests);
  for (const kind of outcomeNames) {
    const counted = delta.outcomes[kind];
    if (counted === undefined) continue;
    const outcome = stage.outcome(kind);
    outcome.count += counted.response.count;
    outcome.response.addSpan(counted.response);
    outcome.service.addSpan(counted.service);
  }
  for (const { reason, resource, count } of delta.throttles) stage.addThrottle(reason, resource, count);
  for (const row of delta.units) stage.units.addRow(row);
  for (const row of delta.estimatedUnits) stage.estimatedUnits.addRow(row);
  if (delta.lateness !== undefined) stage.lateness.addSpan(delta.lateness);
}

const outcomeNames = [
  'ok',
  'throttled',
  'partial',
  'conditionFailed',
  'conflict',
  'failed',
  'timedOut',
] as const satisfies readonly (keyof StageDelta['outcomes'])[];
