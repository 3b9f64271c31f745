// How much load a workload offers and under which rules: rates, concurrency and policy, as a scenario writes
// them.
import type { Duration } from '../units.ts';

/** A rate that changes while the load runs; made by `ramp`, `steps`, `bursts`, `sine` and `trace`. */
export type Shape = RampShape | StepsShape | BurstsShape | SineShape | TraceShape;

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

/** Load that comes in bursts; each lasts `for` and is followed by `pause`. */
export interface BurstsOptions {
  /** Operations per second during a burst. */
  readonly rate: number;
  readonly for: Duration;
  readonly pause: Duration;
  /** Operations per second during a pause; 0 unless given. */
  readonly baseRate?: number;
}

export interface BurstsShape extends BurstsOptions {
  readonly shape: 'bursts';
}

/** Operations per second around `mean`, up and down by `amplitude`, once in a `period`. */
export interface SineOptions {
  readonly mean: number;
  /** At most the mean. */
  readonly amplitude: number;
  readonly period: Duration;
}

export interface SineShape extends SineOptions {
  readonly shape: 'sine';
}

/** What was observed: operations in each second, or the moment of each operation. */
export type TraceOptions =
  | { readonly perSecond: readonly number[]; readonly timestampsMs?: never }
  /** Ascending, ms since the start of the measured stages. */
  | { readonly timestampsMs: readonly number[]; readonly perSecond?: never };

export type TraceShape = TraceOptions & { readonly shape: 'trace' };

/**
 * Bursts with pauses between them, over and over during the measured stages; the first burst starts with them,
 * and a warm-up before has the rate of a burst.
 */
export function bursts(options: BurstsOptions): BurstsShape {
  return { shape: 'bursts', ...options };
}

/**
 * A wave over the measured stages: it starts at its mean and rises first; a warm-up before them has the rate
 * `mean`.
 */
export function sine(options: SineOptions): SineShape {
  return { shape: 'sine', ...options };
}

/**
 * A recorded load from the start of the measured stages: `perSecond` gives the rate of one second after
 * another, `timestampsMs` the moment of each operation. After its end nothing is due. With `--rate-factor 2`
 * each timestamp stands for two operations.
 */
export function trace(options: TraceOptions): TraceShape {
  return { shape: 'trace', ...options };
}

/**
 * How often an operation is due. A number: operations per second, evenly spaced. `wcu` or `rcu`: units per
 * second on the table or, by `of`, on an index, converted when the run is planned. `poisson`: arrivals of
 * independent users.
 */
export type Rate = number | UnitsPerSecond | Shape | { readonly poisson: number | UnitsPerSecond | Shape };

/** Write or read units a second on the table, or on the index that `of` names. */
export type UnitsPerSecond =
  | { readonly wcu: number; readonly of?: string }
  | { readonly rcu: number; readonly of?: string };

/**
 * Open loop (`rate`: arrivals do not wait for answers) or closed loop (`concurrency`: so many at once, each
 * followed by `pause`).
 */
export type Load =
  | { readonly concurrency: number; readonly pause?: Duration; readonly rate?: never }
  | { readonly rate: Rate; readonly concurrency?: never; readonly pause?: never };

/** Retries by your own figures: before attempt n + 1 a random wait below `baseMs` × 2^(n − 1), at most `maxMs`. */
export interface Retry {
  /** How often a request is sent at most, the first time included; 2…100. */
  readonly attempts: number;
  readonly baseMs: number;
  /** 20,000 unless given. */
  readonly maxMs?: number;
  /**
   * What is tried again: throttled requests, and those that failed by a fault of server or network. Both
   * unless given.
   */
  readonly on?: readonly ('throttled' | 'failed')[];
}

/** The rules of one workload; each has a default. */
export interface Policy {
  /**
   * Operations under way at once; more are dropped and counted. Default: 4 s of the peak rate, within 256 and
   * 20,000.
   */
  readonly maxInFlight?: number;
  /** Default 10 s. */
  readonly timeout?: Duration;
  /**
   * `none` (default) shows every throttle; `sdk` retries as the AWS SDK for JavaScript does since November 2026,
   * `sdk-before-2026` as it did before. Or figures of your own. `custom` workloads take `none` and `sdk` only.
   */
  readonly retry?: 'none' | 'sdk' | 'sdk-before-2026' | Retry;
  /** Outcomes that are part of the plan and no failure. */
  readonly expect?: readonly ('conditionFailed' | 'conflict')[];
}
