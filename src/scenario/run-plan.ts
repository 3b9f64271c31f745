// A scenario resolved for one variant: nothing optional is left open and no default is applied later. The
// engine reads this and nothing else of a scenario. Times are µs since the start of the variant's load.
import type { ApiOutput } from '../dynamodb/api-output.ts';
import type { AttributeMap } from '../dynamodb/attribute-value.ts';
import type { Request } from '../dynamodb/operation.ts';
import type { TableSpec } from '../dynamodb/table-spec.ts';
import type { RateShape } from '../workload/arrival.ts';
import type { KeyChoice } from '../workload/key-choice.ts';
import type { AbortCondition, Goal } from './goal.ts';
import type { Sdk } from './operations/custom.ts';

export interface RunPlan {
  readonly scenarioName: string;
  readonly variant: Variant;
  readonly seed: number;
  /** Wall time that the scenario's clock shows at its start, ms since 1970. */
  readonly startsAtMs: number;
  readonly tables: readonly TableSpec[];
  readonly preloads: readonly PlannedPreload[];
  readonly stages: readonly PlannedStage[];
  readonly workloads: readonly PlannedWorkload[];
  readonly goals: readonly Goal[];
  /** Any of them ends the variant once it holds over ten seconds of measured stages. */
  readonly abortConditions: readonly AbortCondition[];
  /** No workload writes. */
  readonly onlyReads: boolean;
  /** All variants only read, and from equal tables with equal items: one set of tables serves the whole run. */
  readonly sharesTables: boolean;
}

/** One combination of parameter values. */
export interface Variant {
  /** For example `count=5, suffix=random`; `default` where the scenario has no parameters. */
  readonly name: string;
  readonly index: number;
  readonly parameters: Readonly<Record<string, string | number | boolean>>;
}

/** Stages lie end to end; the first starts at 0. */
export interface PlannedStage {
  readonly index: number;
  readonly name: string;
  readonly startUs: number;
  readonly endUs: number;
  readonly isMeasured: boolean;
  /** Scales every rate during this stage. */
  readonly rateFactor: number;
}

/** Items put in place before load. */
export interface PlannedPreload {
  /** Name of the data entry, for progress and errors. */
  readonly name: string;
  readonly tableName: string;
  readonly count: number;
  itemAt(index: number): AttributeMap;
}

export type PlannedLoad =
  | { readonly kind: 'open'; readonly shape: RateShape; readonly spacing: 'even' | 'poisson' }
  | { readonly kind: 'closed'; readonly concurrency: number; readonly pauseUs: number };

/** Who sends a request again, and how often. */
export type RetryRule = 'none' | 'sdk' | 'sdk-before-2026' | OwnRetryRule;

/** Retries by the user's own figures. */
export interface OwnRetryRule {
  /** The first one included. */
  readonly attempts: number;
  readonly baseMs: number;
  readonly maxMs: number;
  readonly on: readonly ('throttled' | 'failed')[];
}

export interface PlannedPolicy {
  readonly maxInFlight: number;
  readonly timeoutUs: number;
  readonly retry: RetryRule;
  /** Outcomes that do not count as failures. */
  readonly expect: readonly ('conditionFailed' | 'conflict')[];
}

export type WorkloadKind =
  | 'put'
  | 'get'
  | 'update'
  | 'remove'
  | 'query'
  | 'queryShards'
  | 'scan'
  | 'batchGet'
  | 'batchWrite'
  | 'transactGet'
  | 'transactWrite'
  | 'partiql'
  | 'partiqlBatch'
  | 'partiqlTransaction'
  | 'flow'
  | 'custom';

export interface PlannedWorkload {
  readonly index: number;
  readonly name: string;
  readonly kind: WorkloadKind;
  readonly isWrite: boolean;
  /** False where nothing that it does depends on what items hold, as for puts without a condition; absent: it may. */
  readonly looksAtItems?: boolean;
  readonly load: PlannedLoad;
  readonly policy: PlannedPolicy;
  /** What the user should know of how the plan came about, for example how a rate in units was converted. */
  readonly notes: readonly string[];
  /**
   * A fresh generator; it owns the random numbers and pools of one run of this workload.
   * @param chosen  is told of keys that are picked by a named distribution
   */
  createGenerator(chosen?: (choice: KeyChoice) => void): OperationGenerator;
}

/**
 * Makes the operations of one workload. Pure in (seed, workload, sequence), save for pools, which hold what
 * was acknowledged.
 */
export interface OperationGenerator {
  /** The operation with this sequence, due at `dueUs`. */
  next(sequence: number, dueUs: number): PlannedOperation;
  /** Told once when an operation ended with outcome ok; fills pools. */
  acknowledge(operation: PlannedOperation, sequence: number, dueUs: number): void;
  /**
   * Of `custom` workloads only: makes the user's own layer; to be awaited before the first `next`.
   * @param describe  one line about what was thrown, fit to print: messages of the SDK may hold signatures
   * @throws DynoLoadError SCENARIO_FUNCTION_THREW
   */
  setUp?(sdk: Sdk, describe: (error: unknown) => string): Promise<void>;
}

export type PlannedOperation =
  | RequestOperation
  | PagesOperation
  | FanOutOperation
  | FlowOperation
  | CustomOperation
  | SkippedOperation;

/** One request. */
export interface RequestOperation {
  readonly kind: 'request';
  readonly request: Request;
  /** The native item that a put wrote, kept where the workload remembers what was acknowledged. */
  readonly remembered?: unknown;
}

/** A request whose answer may be a page of several. */
export type PagedRequest = Extract<Request, { api: 'Query' | 'Scan' | 'ExecuteStatement' }>;

/** A Query or Scan that follows LastEvaluatedKey, or a SELECT that follows NextToken, one page after another. */
export interface PagesOperation {
  readonly kind: 'pages';
  /** The first page. */
  readonly request: PagedRequest;
  /** Infinity: until the end. */
  readonly maximumPages: number;
}

/** Several paged reads as one operation: the shards of a key, or the segments of a Scan. */
export interface FanOutOperation {
  readonly kind: 'fanOut';
  /** First page of each branch. */
  readonly branches: readonly Extract<Request, { api: 'Query' | 'Scan' }>[];
  /** Branches under way at once. */
  readonly parallel: number;
  /** Per branch; Infinity: until the end. */
  readonly maximumPages: number;
  /** Items wanted after the merge; a branch stops paging once it has as many. Infinity: all. */
  readonly wantedItems: number;
  /** Sort attribute by which branches are merged; absent for scans, whose segments are joined in order. */
  readonly mergeBy?: { readonly attribute: string; readonly newestFirst: boolean };
}

/** The user's own sequence of requests. */
export interface FlowOperation {
  readonly kind: 'flow';
  run(port: FlowPort): Promise<void>;
}

/** The user's own code with an SDK client; on the wall clock only. */
export interface CustomOperation {
  readonly kind: 'custom';
  /** Settles as the user's code does. `signal` is aborted once nobody waits for it any more. */
  run(signal: AbortSignal): Promise<unknown>;
}

/** An operation that consists of requests and nothing else. */
export type RequestsOperation = RequestOperation | PagesOperation | FanOutOperation;

/** Nothing to send, for example because a pool is still empty. */
export interface SkippedOperation {
  readonly kind: 'skipped';
  readonly why: string;
}

/** What a flow sends its requests through; the engine provides it. */
export interface FlowPort {
  /** Resolves with the merged answer of one step. Rejects with a FlowStepError when its outcome is not ok. */
  send(label: string, operation: RequestsOperation): Promise<ApiOutput>;
}
