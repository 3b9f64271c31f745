// The record of a run as it stands: what was measured so far, with what is known of target, order and end.
import { analyzeRun, type MeasuredVariant } from '../analysis/analyze-run.ts';
import type { Repetition } from '../analysis/records/repetition.ts';
import type { RunResult } from '../analysis/run-result.ts';
import type { TargetProvider } from '../engine/target.ts';
import type { RunPlan } from '../scenario/run-plan.ts';
import type { Execution } from './repeat-order.ts';
import type { RunParts } from './run-parts.ts';
import { whatOf } from './target-trouble.ts';

/** How far a run has come. */
export interface RunState {
  readonly variants: readonly MeasuredVariant[];
  readonly executions: readonly Execution[];
  readonly discarded: RunPlan | undefined;
  readonly isStopped: boolean;
  /** What stopped the run; undefined where nothing did, or the user. */
  readonly stoppedBy: unknown;
  /** Trouble with cleaning up, one sentence each. */
  readonly troubles: Iterable<string>;
}

/** Analyses the variants that are done. */
export function runRecord(parts: RunParts, state: RunState): RunResult {
  const { frame, analysis, timeOfDay, provider } = parts;
  const { variants, executions, isStopped, stoppedBy, troubles } = state;
  const isWhole =
    !isStopped && variants.length === executions.length && variants.every((one) => one.status === 'complete');
  return analyzeRun(
    {
      ...frame,
      status: isWhole ? 'complete' : 'interrupted',
      ...(stoppedBy === undefined ? {} : { stoppedBy: whatOf(stoppedBy) }),
      target: targetRecord(provider, troubles),
      variants,
      environment: { ...frame.environment, finishedAt: timeOfDay(), ...repetitionRecord(parts, state) },
    },
    analysis,
  );
}

/** What the record says of the target. */
export function targetRecord(
  { description }: TargetProvider,
  troubles: Iterable<string>,
): RunResult['target'] {
  const { model, notes } = description;
  return {
    ...description,
    notes: [...notes, ...troubles],
    model: model === null ? null : { preset: model.preset, constants: [...model.constants] },
  };
}

function repetitionRecord(
  { repetition }: RunParts,
  { executions, discarded }: RunState,
): { repetition?: Repetition } {
  if (repetition === undefined) return {};
  const durationUs = discarded?.stages[0]?.endUs ?? 0;
  return {
    repetition: {
      repeats: repetition.repeats,
      order: executions.map(({ plan }) => plan.variant.name),
      discarded: discarded === undefined ? null : { variant: discarded.variant.name, durationUs },
    },
  };
}
