// The load of one variant, wherever its operations are made: in this thread (thread-load.ts) or in several
// that count for one. Whoever runs a scenario sees no difference.
import type { ResourceResult } from '../analysis/run-result.ts';
import type { RunPlan } from '../scenario/run-plan.ts';
import type { HealthReadings } from './generator-health.ts';
import type { RunProgress } from './run-progress.ts';
import type { VariantMeasurement } from './run-variant.ts';
import type { SessionObservation, TargetSession } from './target.ts';
import type { WorkloadRecorder } from './workload-recorder.ts';

/** In this order: `setUp`, `warmUp`, `run`, `known`. `interrupt` may come at any time. */
export interface LoadRun {
  /** What each workload has recorded so far. */
  readonly recorders: readonly WorkloadRecorder[];
  /** Lets `custom` workloads make their layers. @throws DynoLoadError SCENARIO_FUNCTION_THREW */
  setUp(): Promise<void>;
  /** Opens connections ahead of load. */
  warmUp(): Promise<void>;
  /** Resolves when every operation is over, or soon after `interrupt`. */
  run(): Promise<VariantMeasurement>;
  /** Offers nothing more and ends at once; operations in flight stay unfinished in the record. */
  interrupt(): void;
  progress(): RunProgress;
  /** What is known besides the recorders, once it is over. */
  known(): LoadKnowledge;
}

/** What is known once load is over, besides the record of the operations. */
export interface LoadKnowledge {
  /** Our own share of what was measured. */
  readonly readings: HealthReadings;
  /** Heat of keys as counted from requests; undefined where the target tells it. */
  readonly resources: readonly ResourceResult[] | undefined;
  /** Where others than the session's own target have sent the load: their connections. */
  readonly connections?: ConnectionKnowledge;
}

export type ConnectionKnowledge = Pick<
  SessionObservation,
  'connectionsOpened' | 'resentRequests' | 'attemptTimes'
>;

/** Which load is to be made. */
export interface LoadOrder {
  readonly plan: RunPlan;
  readonly session: TargetSession;
  /** A short run of the plan of which nothing is recorded. */
  readonly isDiscarded: boolean;
}

/** Makes load elsewhere than in this thread. */
export interface LoadCrew {
  /** The load of one variant; the one before must be over. */
  open(order: LoadOrder): LoadRun;
  /** Lets everybody go. */
  close(): Promise<void>;
}
