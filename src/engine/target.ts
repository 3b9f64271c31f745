// The port between the engine and whatever answers. The engine cannot tell which target it drives.
import type { ConsumedCapacity } from '../dynamodb/consumed-capacity.ts';
import type { Request, TouchedKey } from '../dynamodb/operation.ts';
import type { Outcome } from '../dynamodb/outcome.ts';

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

/** One variant's tables, ready for load. */
export interface Target {
  /** Sends one request. `done` is called exactly once, at once or later; it never throws and neither does `send`. */
  send(request: TargetRequest, startUs: number, done: Done): void;
}

/** Whether a target can answer a question. `unknown` until there is evidence. */
export type Capability = 'yes' | 'no' | 'unknown';

export interface TargetCapabilities {
  readonly enforcesThroughput: Capability;
  readonly reportsIndexUnits: Capability;
  readonly transactions: Capability;
  readonly parallelScan: Capability;
}

export type { ConsumedCapacity, Outcome, Request, TouchedKey };
