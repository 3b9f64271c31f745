// What stands around the load of one variant: who makes it, what shadows it, and who writes down what it records.
import type { SegmentsLine } from '../analysis/records/segments.ts';
import type { RunResult } from '../analysis/run-result.ts';
import type { Clock } from '../clock.ts';
import type { LoadOrder, LoadRun } from '../engine/load-run.ts';
import { SegmentRecorder } from '../engine/segment-recorder.ts';
import { ShadowTarget } from '../engine/shadow-capacity.ts';
import type { Target, TargetSession } from '../engine/target.ts';
import { ThreadLoad } from '../engine/thread-load.ts';
import type { RunPlan } from '../scenario/run-plan.ts';
import type { Execution } from './repeat-order.ts';
import type { RunParts } from './run-parts.ts';
import { variantLine } from './segment-lines.ts';

/** The load of a variant: made by others if there are any, else in this thread. */
export function openLoad({ crew, probe }: RunParts, order: LoadOrder, target: Target): LoadRun {
  if (crew !== undefined) return crew.open(order);
  const { plan, session, isDiscarded } = order;
  return new ThreadLoad({
    plan,
    clock: session.clock,
    target,
    sdk: session.sdk,
    knowsHeat: session.knowsHeat || isDiscarded,
    probe,
    connect: session.warmUp,
  });
}

/** The shadow of a live target, if one is asked for. */
export async function shadowOf(
  { model, turn }: RunParts,
  plan: RunPlan,
  session: TargetSession,
): Promise<ShadowTarget | undefined> {
  if (model === undefined || session.clock.kind === 'virtual') return undefined;
  const shadow = new ShadowTarget(session.target, plan, model);
  await shadow.preload(turn);
  return shadow;
}

interface SegmentParts {
  readonly execution: Execution;
  readonly target: RunResult['target'];
  readonly load: LoadRun;
  readonly clock: Clock;
  readonly write: (line: SegmentsLine) => void;
}

/** Begins to write what a report needs to know of a variant that never comes to its end. */
export function beginSegments({ execution, target, load, clock, write }: SegmentParts): SegmentRecorder {
  write(variantLine(execution, target));
  const endUs = execution.plan.stages.at(-1)?.endUs ?? 0;
  const recorder = new SegmentRecorder({ clock, recorders: load.recorders, endUs, write });
  recorder.start();
  return recorder;
}
