// The ports between the engine and whatever answers. The engine cannot tell which target it drives.
import type { CloudWatchRecord } from '../analysis/records/cloudwatch.ts';
import type { ContributorInsightsRecord } from '../analysis/records/contributor-insights.ts';
import type { AttemptTimesResult, ResourceResult, TableResult } from '../analysis/run-result.ts';
import type { ResourceObservation } from '../capacity/resource-observation.ts';
import type { Clock } from '../clock.ts';
import type { Units } from '../dynamodb/consumed-capacity.ts';
import type { Request } from '../dynamodb/operation.ts';
import type { Outcome } from '../dynamodb/outcome.ts';
import type { DynoLoadError } from '../errors.ts';
import type { Sdk } from '../scenario/operations/custom.ts';
import type { PlannedWorkload, RunPlan } from '../scenario/run-plan.ts';
import type { ModelRecord } from './model-record.ts';

/** A request with its place in the run: random draws and event order follow from it, whatever the target. */
export interface TargetRequest {
  readonly request: Request;
  readonly workloadIndex: number;
  readonly sequence: number;
  /** 0 for the first request of an operation, then counting up over pages, branches, flow steps and attempts. */
  readonly part: number;
  /** False where nobody looks at the items of the answer, only at counts and units: a target may leave them out. */
  readonly keepsItems?: boolean;
  /**
   * Present where a client of the user's own has sent the request: the target sends nothing, and hands over `done`,
   * which is called with the answer. So whatever stands around a target sees these requests too.
   */
  readonly underWay?: (done: Done) => void;
}

/** Answers a request: the outcome and when it ended, in µs of the engine's clock. */
export type Done = (outcome: Outcome, endUs: number) => void;

/** Takes requests. */
export interface Target {
  /** Sends one request. `done` is called exactly once, at once or later; neither it nor `send` ever throws. */
  send(request: TargetRequest, startUs: number, done: Done): void;
}

/** Whether a target can answer a question. `unknown` until there is evidence. */
export type Capability = 'yes' | 'no' | 'unknown';

/** What a target can do; found out by probing, or known of our own. */
export interface TargetCapabilities {
  /** Throttles by partition and table limits, as DynamoDB does. */
  readonly enforcesThroughput: Capability;
  readonly reportsIndexUnits: Capability;
  readonly transactions: Capability;
  readonly parallelScan: Capability;
}

/** What a report says of a target. */
export interface TargetDescription {
  readonly kind: 'simulated' | 'endpoint';
  readonly time: 'virtual' | 'wall-clock';
  /** For example `dynalite at http://127.0.0.1:4567`. */
  readonly label: string;
  readonly capabilities: TargetCapabilities;
  readonly notes: readonly string[];
  readonly model: ModelRecord | null;
}

/** How far setting up has come. */
export interface PrepareProgress {
  readonly what: string;
  readonly done: number;
  readonly of: number;
  /** What is counted, where it is seconds; absent: things. */
  readonly unit?: 's';
}

/** Opens a session for each variant, one after another. */
export interface TargetProvider {
  readonly description: TargetDescription;
  /**
   * Creates the variant's tables and puts the preloaded items in place; where all variants share them, the
   * first time.
   * @param signal  ends it early; the session is then closed at once
   * @throws DynoLoadError where the tables cannot be made or filled
   */
  open(
    plan: RunPlan,
    progress: (state: PrepareProgress) => void,
    signal: AbortSignal,
  ): Promise<TargetSession>;
  /** What would stay behind if the process ended now, a sentence each; absent where nothing can. */
  leftBehind?(): readonly string[];
  /** Releases what sessions share. @throws DynoLoadError where tables that all variants read cannot be deleted */
  close(): Promise<void>;
}

/** One variant's tables, ready for load, and what is known of them afterwards. */
export interface TargetSession {
  readonly target: Target;
  /** Whether `observe` tells the heat of keys; otherwise it is counted from the requests. */
  readonly knowsHeat: boolean;
  /** The clock of this variant, at 0. */
  readonly clock: Clock;
  /** For `custom` workloads; present where the target can be reached by other clients. */
  readonly sdk?: SdkAccess;
  /** Opens connections ahead of load, so that no first request waits for one. Absent where there are none. */
  warmUp?(connections: number): Promise<void>;
  /** What happened on tables and indexes, up to where load ended. */
  observe(reachedUs: number): SessionObservation;
  /** Asks the service itself for what it counted; called once load is over. Absent where nobody wants to know. */
  collect?(progress: (state: PrepareProgress) => void, signal: AbortSignal): Promise<ServiceRecords>;
  /** For threads that send the load by themselves; absent where only this thread can. */
  readonly threads?: ThreadAccess;
  /** Whether an earlier variant wrote to the same table. */
  readonly isCarriedOver?: boolean;
  /** Deletes what `open` made, and puts back what it changed, unless variants to come share it. */
  close(): Promise<void>;
}

/** How other threads send the load of a session, and what the session wants to hear of it. */
export interface ThreadAccess {
  /** What a thread needs to make a target of its own: plain data, understood by whoever opened the session. */
  settings(): unknown;
  /** Newer ones in place of what grows old in the settings: credentials. Plain data. */
  renewed(): unknown;
  /** Units that threads have consumed since they last said so. */
  consumed(units: Units): void;
  /** A thread's rule of safety refused a request. */
  refused(error: DynoLoadError): void;
  /** What a thread's own target counted besides, once its load is over: plain data. */
  counted(counts: unknown): void;
}

export interface SessionObservation {
  readonly tables: readonly TableResult[];
  /** Empty where the target does not know them. */
  readonly resources: readonly ResourceResult[];
  /** Full observations for placing keys anew; empty where the target does not know its partitions. */
  readonly placeable: readonly ResourceObservation[];
  readonly connectionsOpened: number | null;
  readonly resentRequests: number | null;
  /** Present where a lean client sent the load. */
  readonly attemptTimes?: AttemptTimesResult;
}

/** Clients of the AWS SDK that tell what they send. */
export interface SdkAccess {
  /** Clients of one workload. `elsewhere` is told of requests that belong to no operation. */
  open(workload: PlannedWorkload, elsewhere: RequestScope): Sdk;
  /**
   * Runs the user's code; the requests that it sends meanwhile, and what it starts sends later, are told to
   * `scope`.
   */
  run(scope: RequestScope, body: () => Promise<unknown>): Promise<unknown>;
  /** One line about what the user's code threw, without credentials or signatures. */
  describe(error: unknown): string;
}

/** Whom requests of the user's own code belong to. */
export interface RequestScope {
  /** Ends requests of our clients; undefined where nothing does. */
  readonly signal: AbortSignal | undefined;
  /**
   * Told of a request before its first attempt.
   * @param api  its name, for example `PutItem`, or of an API that is not for data
   * @param request  undefined where it is none of the data APIs, or not as the service defines them
   */
  begin(api: string, request: Request | undefined): SentRequest;
}

/** A request on its way, with all its attempts. */
export interface SentRequest {
  /**
   * An attempt is about to go out.
   * @returns to be called once, with its outcome; undefined: the target refuses it, and it must not go out
   */
  attempt(): ((outcome: Outcome) => void) | undefined;
}

/** What the service counted, where it was asked; null where it could not be. */
export interface ServiceRecords {
  readonly cloudWatch: CloudWatchRecord | null;
  readonly contributorInsights: ContributorInsightsRecord | null;
}
