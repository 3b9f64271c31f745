// What the main thread and its workers say to each other: plain data that threads can carry. One load is
// under way at a time.
import type { WorkloadSegment } from '../analysis/records/segments.ts';
import type { HealthReadings } from '../engine/generator-health.ts';
import type { ResourceHeatRecord } from '../engine/live-heat.ts';
import { DynoLoadError, type ErrorCode, type ErrorIssue } from '../errors.ts';
import type { HistogramDelta } from '../stats/histogram.ts';
import type { PlanDigest } from './plan-digest.ts';

/** Which load a worker is to make its share of. */
export interface WorkOrder {
  /** Of the plan, in the order of the run. */
  readonly planIndex: number;
  /** The short run before all others. */
  readonly isDiscarded: boolean;
  /** As the session that was opened gives them; see `ThreadAccess`. */
  readonly settings: unknown;
}

/** What the main thread says to a worker. */
export type ToWorker =
  | { readonly kind: 'open'; readonly order: WorkOrder }
  /** Load begins at this reading of the clock that all threads share, ms. */
  | { readonly kind: 'start'; readonly originMs: number }
  | { readonly kind: 'interrupt' }
  | { readonly kind: 'renewed'; readonly settings: unknown };

/** What a worker says to the main thread. */
export type FromWorker =
  /** The scenario is planned here too. */
  | { readonly kind: 'planned'; readonly digests: readonly PlanDigest[] }
  /** The load that was asked for can start. */
  | { readonly kind: 'ready' }
  /** Nothing can start: what went wrong while planning or opening. */
  | { readonly kind: 'failed'; readonly error: PlainError }
  /** What was recorded since the last such message; the last one comes before `over`. */
  | { readonly kind: 'part'; readonly workloads: readonly WorkloadSegment[] }
  | { readonly kind: 'refused'; readonly error: PlainError }
  | { readonly kind: 'renew' }
  | { readonly kind: 'over'; readonly end: WorkerEnd };

/** How the share of one worker ended. */
export interface WorkerEnd {
  readonly status: 'complete' | 'interrupted';
  readonly reachedUs: number;
  readonly mostInFlight: number;
  readonly error?: PlainError;
  readonly readings: HealthReadings;
  readonly heat: readonly ResourceHeatRecord[];
  readonly connections: WorkerConnections;
}

/** What a worker's own target counted. */
export interface WorkerConnections {
  readonly opened: number;
  readonly resent: number;
  /** By name as in the record of attempt times; those of which nothing was counted are left out. */
  readonly times: { readonly [name: string]: HistogramDelta | undefined };
  /** For the session that was opened; see `ThreadAccess.counted`. */
  readonly counts: unknown;
}

/** How a share ended that never began. */
export const nothingDone: WorkerEnd = {
  status: 'interrupted',
  reachedUs: 0,
  mostInFlight: 0,
  readings: {
    wallSeconds: 0,
    cpuSeconds: 0,
    eventLoopDelayP99Ms: null,
    eventLoopDelayMaxMs: null,
    eventLoopUtilization: null,
  },
  heat: [],
  connections: { opened: 0, resent: 0, times: {}, counts: undefined },
};

/** An error as threads can carry it. */
export interface PlainError {
  /** null: not one of ours. */
  readonly code: ErrorCode | null;
  readonly what: string;
  readonly why: string;
  readonly fix: string;
  readonly issues: readonly ErrorIssue[];
  readonly stack: string | undefined;
}

/** Takes an error apart. */
export function plainError(error: unknown): PlainError {
  const stack = error instanceof Error ? error.stack : undefined;
  if (error instanceof DynoLoadError) {
    const { code, what, why, fix, issues } = error;
    return { code, what, why, fix, issues, stack };
  }
  const what = error instanceof Error ? error.message : String(error);
  return { code: null, what, why: '', fix: '', issues: [], stack };
}

/** The inverse of `plainError`. */
export function errorOf({ code, stack, ...facts }: PlainError): Error {
  const error = code === null ? new Error(facts.what) : new DynoLoadError(code, facts);
  if (stack !== undefined) error.stack = stack;
  return error;
}
