// What `dyno-load run` was asked for, as values; the texts of its options are in main.ts.
import type { ModelPreset } from '../capacity/capacity-model.ts';
import type { SetParameter } from '../scenario/parameters.ts';
import type { BaselineOptions } from './baseline.ts';
import type { LiveOptions } from './live/live-options.ts';

/** The options of `run`. */
export interface RunOptions extends BaselineOptions, LiveOptions {
  readonly target?: string;
  readonly set: readonly SetParameter[];
  /** Length of each measured stage, µs. */
  readonly duration?: number;
  readonly rateFactor?: number;
  readonly seed?: number;
  readonly preset: ModelPreset;
  /**
   * How long the simulated table takes to answer: `aws`, or a file; absent: modelled, and no time behind the
   * wire protocol.
   */
  readonly latency?: string;
  /** true: all variants; names: those. */
  readonly gate?: boolean | readonly string[];
  /** Where to write an HTML report; true: in the folder of the run. */
  readonly html?: string | true;
  readonly json?: boolean;
  readonly out: string;
  /** Runs of each variant on a wall clock. */
  readonly repeat?: number;
  /** Threads that make the load on a wall clock; absent: as many as the planned rate needs. */
  readonly workers?: number;
  /** false: nothing runs before the first variant. */
  readonly discard: boolean;
  /** Shadow a live target with the capacity model; `gate`: judge throttling goals by it. */
  readonly shadowCapacity?: true | 'gate';
}

/** The target that needs nothing but this process, in virtual time. */
export const SIMULATED = 'simulated';

/** The simulated table behind the wire protocol, in this process. */
export const SERVED = 'serve';
