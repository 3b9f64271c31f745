// What a run is made of, what its caller hears of it, and what it ends with; running it is for run-scenario.ts.
import type { AnalysisOptions, MeasuredRun, MeasuredVariant } from '../analysis/analyze-run.ts';
import type { SegmentsLine } from '../analysis/records/segments.ts';
import type { RunResult } from '../analysis/run-result.ts';
import type { CapacityModel } from '../capacity/capacity-model.ts';
import type { HealthProbe } from '../engine/generator-health.ts';
import type { LoadCrew } from '../engine/load-run.ts';
import type { RunProgress } from '../engine/run-progress.ts';
import type { PrepareProgress, TargetProvider } from '../engine/target.ts';
import type { RunPlan } from '../scenario/run-plan.ts';

/** Which of a run's parts is under way; `repeat` counts from 0 and is absent where each variant runs once. */
export type RunPart =
  | { readonly kind: 'discarded' }
  | { readonly kind: 'measured'; readonly repeat: number | undefined; readonly repeats: number };

/** What the caller hears while a run goes on. */
export interface RunListener {
  preparing(plan: RunPlan, state: PrepareProgress, part: RunPart): void;
  running(plan: RunPlan, progress: () => RunProgress, part: RunPart): void;
  /** The record as it stands; called after each run of a variant. */
  recorded(result: RunResult): Promise<void>;
}

/** Everything of the record that does not depend on what is measured. */
export type RunFrame = Omit<MeasuredRun, 'variants' | 'status' | 'target' | 'environment'> & {
  readonly environment: Omit<RunResult['environment'], 'finishedAt'>;
};

export interface RunParts {
  readonly plans: readonly RunPlan[];
  readonly frame: RunFrame;
  readonly provider: TargetProvider;
  /** Makes load on a wall clock in other threads; absent: it is made in this one. */
  readonly crew?: LoadCrew;
  readonly probe: HealthProbe;
  readonly analysis: AnalysisOptions;
  /** For placing keys anew: the model behind a simulated target, or the one to shadow a live target with. */
  readonly model: CapacityModel | undefined;
  readonly listener: RunListener;
  /** On a wall clock: runs of each variant, and whether a short one that is not recorded goes before them. */
  readonly repetition?: { readonly repeats: number; readonly discardsFirst: boolean };
  /** Hides in what was measured what the record may not show. */
  readonly redact?: (variant: MeasuredVariant) => MeasuredVariant;
  /** Takes what is recorded while the run goes on; must not throw. */
  readonly segments?: (line: SegmentsLine) => void;
  /**
   * Resolves once a run that was stopped has waited long enough for its target; absent: it waits as long as
   * it takes.
   */
  readonly patience?: () => Promise<void>;
  /** Comes back after the event loop had its turn. */
  turn(): Promise<void>;
  /** The time of day as ISO text, for the environment. */
  timeOfDay(): string;
}

export interface RunEnd {
  readonly result: RunResult;
  /** What stopped the run; the result holds what was measured before. */
  readonly error?: unknown;
  /**
   * Resolves when all that was made is gone, or cannot be: a run that was stopped does not wait for that.
   * Never rejects.
   */
  readonly cleanedUp: Promise<void>;
}
