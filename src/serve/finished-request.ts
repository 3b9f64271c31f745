// What the server tells of each request of the data plane once it has ended, for whoever counts.
import type { DataApi, Request } from '../dynamodb/operation.ts';
import type { Outcome } from '../dynamodb/outcome.ts';

export interface FinishedRequest {
  readonly api: DataApi;
  /** Undefined where the body was no request at all; the outcome is then `failed`. */
  readonly request: Request | undefined;
  readonly outcome: Outcome;
  /** Time of the database, µs. */
  readonly startUs: number;
  readonly endUs: number;
}

/** Called before the answer goes out. */
export type FinishedListener = (finished: FinishedRequest) => void;
