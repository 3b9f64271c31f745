// The ports between the engine and whatever answers. The engine cannot tell which target it drives.
import type { ResourceResult, TableResult } from '../analysis/run-result.ts';
import type { ResourceObservation } from '../capacity/resource-observation.ts';
import type { Clock } from '../clock.ts';
import type { Request } from '../dynamodb/operation.ts';
import type { Outcome } from '../dynamodb/outcome.ts';
import type { RunPlan } from '../scenario/run-plan.ts';

/** A request with its place in the run: random draws and event order follow from it, whatever the target. */
export interface TargetRequest {
  readonly request: Request;
  readonly workloadIndex: number;
  readonly sequence: number;
  /** 0 for the first request of an operation, then counting up over pages, branches, flow steps and attempts. */
  readonly part: number;
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
  readonly model: {
    readonly preset: string;
    readonly constants: readonly { name: string; value: string; unit: string; isPublished: boolean }[];
  } | null;
}

/** How far setting up has come. */
export interface PrepareProgress {
  readonly what: string;
  readonly done: number;
  readonly of: number;
}

/** Opens a session for each variant, one after another. */
export interface TargetProvider {
  readonly description: TargetDescription;
  /**
   * Creates the variant's tables and puts the preloaded items in place.
   * @param signal  ends it early; the session is then closed at once
   * @throws DynoLoadError where the tables cannot be made or filled
   */
  open(
    plan: RunPlan,
    progress: (state: PrepareProgress) => void,
    signal: AbortSignal,
  ): Promise<TargetSession>;
  /** Releases what sessions share. */
  close(): Promise<void>;
}

/** One variant's tables, ready for load, and what is known of them afterwards. */
export interface TargetSession {
  readonly target: Target;
  /** Whether `observe` tells the heat of keys; otherwise it is counted from the requests. */
  readonly knowsHeat: boolean;
  /** The clock of this variant, at 0. */
  readonly clock: Clock;
  /** What happened on tables and indexes between two moments of the clock. */
  observe(): SessionObservation;
  /** Deletes what `open` made. */
  close(): Promise<void>;
}

export interface SessionObservation {
  readonly tables: readonly TableResult[];
  /** Empty where the target does not know them. */
  readonly resources: readonly ResourceResult[];
  /** Full observations for placing keys anew; empty where the target does not know its partitions. */
  readonly placeable: readonly ResourceObservation[];
  readonly connectionsOpened: number | null;
  readonly resentRequests: number | null;
}
