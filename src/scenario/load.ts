// How much load a workload offers and under which rules: rates, concurrency and policy, as a scenario writes
// them.
import type { Duration } from '../units.ts';

/** A rate that changes while the load runs; made by `ramp` and `steps`. */
export type Shape = RampShape | StepsShape;

export interface RampShape {
  readonly shape: 'ramp';
  readonly from: number;
  readonly to: number;
}

export interface Step {
  readonly rate: number;
  readonly for: Duration;
}

export interface StepsShape {
  readonly shape: 'steps';
  readonly steps: readonly Step[];
}

/**
 * Operations per second from `from` to `to` in a straight line over the measured stages; a warm-up before
 * them has the rate `from`.
 */
export function ramp(options: { readonly from: number; readonly to: number }): RampShape {
  return { shape: 'ramp', ...options };
}

/**
 * Operations per second in steps, one after another over the measured stages; the last rate holds until their
 * end.
 */
export function steps(list: readonly Step[]): StepsShape {
  return { shape: 'steps', steps: list };
}

/**
 * How often an operation is due. A number: operations per second, evenly spaced. `wcu` or `rcu`: units per
 * second on the table or, by `of`, on an index, converted when the run is planned. `poisson`: arrivals of
 * independent users.
 */
export type Rate =
  | number
  | { readonly wcu: number; readonly of?: string }
  | { readonly rcu: number; readonly of?: string }
  | Shape
  | { readonly poisson: number | Shape };

/**
 * Open loop (`rate`: arrivals do not wait for answers) or closed loop (`concurrency`: so many at once, each
 * followed by `pause`).
 */
export type Load =
  | { readonly concurrency: number; readonly pause?: Duration; readonly rate?: never }
  | { readonly rate: Rate; readonly concurrency?: never; readonly pause?: never };

/** The rules of one workload; each has a default. */
export interface Policy {
  /**
   * Operations under way at once; more are dropped and counted. Default: 4 s of the peak rate, within 256 and
   * 20,000.
   */
  readonly maxInFlight?: number;
  /** Default 10 s. */
  readonly timeout?: Duration;
  /** `none` (default) shows every throttle; `sdk` retries as the AWS SDK does. */
  readonly retry?: 'none' | 'sdk';
  /** Outcomes that are part of the plan and no failure. */
  readonly expect?: readonly ('conditionFailed' | 'conflict')[];
}
