// Everything that sends the load of one variant to an endpoint: the lean client, the guard of writes in front
// of it, and clients of the SDK for the user's own code. Which tables there are, and whether they may be
// written to, is decided before.
import type { ReturnConsumedCapacity } from '../dynamodb/operation.ts';
import type { TableSpec } from '../dynamodb/table-spec.ts';
import type { SessionObservation, Target } from '../engine/target.ts';
import type { DynoLoadError } from '../errors.ts';
import type { RunPlan } from '../scenario/run-plan.ts';
import { US_PER_MS } from '../units.ts';
import { AttemptTimesRecorder } from './attempt-times.ts';
import { CustomSdk } from './custom-sdk.ts';
import { DynamoDbTarget } from './dynamodb-target.ts';
import type { Endpoint } from './endpoint.ts';
import { WriteGuard } from './safety.ts';

export interface LoadTargetOptions {
  readonly endpoint: Endpoint;
  readonly accounting: ReturnConsumedCapacity;
  readonly tables: readonly TableSpec[];
  /** Names of those that may be written to. */
  readonly writable: ReadonlySet<string>;
  /** An attempt is given up after so long, ms. */
  readonly attemptTimeoutMs: number;
  /** The engine's clock. */
  readonly nowUs: () => number;
  /** Wall-clock time for signatures; absent: the system's. */
  readonly wallMs?: () => number;
  /** Ends the run for a rule of safety. */
  readonly refuse: ((error: DynoLoadError) => void) | undefined;
  /** Put around what is guarded, for example to meter what it spends. */
  readonly around: ((target: Target) => Target) | undefined;
}

/** The longest that an operation of the plan may take, ms: no attempt need last longer. */
export function longestTimeoutMs({ workloads }: Pick<RunPlan, 'workloads'>): number {
  return Math.max(...workloads.map((workload) => workload.policy.timeoutUs)) / US_PER_MS;
}

/** To be closed after the load. */
export class LoadTarget {
  /** Writes to allowed tables only, whatever a scenario's own functions make of names. */
  readonly target: Target;
  /** The target around them guards and meters what the user's own code sends too. */
  readonly sdk: CustomSdk;
  readonly #lean: DynamoDbTarget;
  readonly #times = new AttemptTimesRecorder();

  constructor(options: LoadTargetOptions) {
    const { endpoint, accounting, tables, writable, attemptTimeoutMs, nowUs, wallMs, refuse, around } =
      options;
    this.#lean = new DynamoDbTarget({
      endpoint,
      nowUs,
      attemptTimeoutMs,
      accounting,
      times: this.#times,
      ...(wallMs === undefined ? {} : { wallMs }),
    });
    const guarded = new WriteGuard(this.#lean, writable, (error) => refuse?.(error));
    this.target = around?.(guarded) ?? guarded;
    this.sdk = new CustomSdk({ endpoint, accounting, tables, ...(refuse === undefined ? {} : { refuse }) });
  }

  /** Opens connections ahead of load. */
  warmUp(connections: number): Promise<void> {
    return this.#lean.warmUp(connections);
  }

  /** What is known of the connections so far. */
  observe(): Pick<SessionObservation, 'connectionsOpened' | 'resentRequests' | 'attemptTimes'> {
    return {
      connectionsOpened: this.#lean.counters.opened,
      resentRequests: this.#lean.counters.resent,
      attemptTimes: this.#times.result,
    };
  }

  /** As `observe`, in a form that adds up with that of other threads. */
  parts(): { opened: number; resent: number; times: ReturnType<AttemptTimesRecorder['spans']> } {
    const { opened, resent } = this.#lean.counters;
    return { opened, resent, times: this.#times.spans() };
  }

  /** Ends what is still under way. */
  close(): void {
    this.sdk.close();
    this.#lean.close();
  }
}
