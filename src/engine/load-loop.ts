// The two ways to offer load have this in common.

/** Offers the operations of one workload. */
export interface LoadLoop {
  /** No further operation will be offered. */
  readonly isExhausted: boolean;
  start(): void;
  /** Offers nothing more, from now on. */
  stop(): void;
}
