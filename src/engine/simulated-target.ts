// The simulated database as a target in virtual time: a request is answered after a modelled service time,
// and takes effect at that moment.
import type { Clock } from '../clock.ts';
import type { Request } from '../dynamodb/operation.ts';
import type { Outcome } from '../dynamodb/outcome.ts';
import { type ClockEvent, eventRank } from '../event-heap.ts';
import { CounterRandom, streamKey } from '../prng.ts';
import { modelledTimes, type ServiceTimes } from '../simulator/service-times.ts';
import type { SimulatedDatabase } from '../simulator/simulated-database.ts';
import type { Done, Target, TargetRequest } from './target.ts';

/** Draws of one operation are told apart by the number of its request. */
export class SimulatedTarget implements Target {
  readonly #database: SimulatedDatabase;
  readonly #clock: Clock;
  readonly #randoms: readonly CounterRandom[];
  readonly #times: ServiceTimes;

  constructor(parts: {
    database: SimulatedDatabase;
    clock: Clock;
    seed: number;
    workloadNames: readonly string[];
    /** Default: modelled. */
    times?: ServiceTimes | undefined;
  }) {
    this.#times = parts.times ?? modelledTimes;
    this.#database = parts.database;
    this.#clock = parts.clock;
    this.#randoms = parts.workloadNames.map(
      (name) => new CounterRandom(streamKey(parts.seed, `service:${name}`)),
    );
  }

  send(
    { request, workloadIndex, sequence, part, keepsItems }: TargetRequest,
    startUs: number,
    done: Done,
  ): void {
    const random = this.#randoms[workloadIndex] as CounterRandom;
    const uniform = random.seek(sequence, part).float();
    const serviceUs = this.#times.untilEffectUs(request, uniform);
    const early = this.#database.begin(request, startUs);
    const rank = eventRank(workloadIndex, sequence);
    const clock = this.#clock;
    clock.schedule(
      startUs + serviceUs,
      rank,
      new PendingAnswer(this.#database, this.#times, clock, request, keepsItems !== false, rank, early, done),
    );
  }
}

/**
 * One request between its start and its answer. A page that evaluates much data is answered that much later
 * than it takes effect.
 */
class PendingAnswer implements ClockEvent {
  readonly #database: SimulatedDatabase;
  readonly #times: ServiceTimes;
  readonly #clock: Clock;
  readonly #request: Request;
  readonly #keepsItems: boolean;
  readonly #rank: number;
  readonly #early: Outcome | undefined;
  readonly #done: Done;

  constructor(
    database: SimulatedDatabase,
    times: ServiceTimes,
    clock: Clock,
    request: Request,
    keepsItems: boolean,
    rank: number,
    early: Outcome | undefined,
    done: Done,
  ) {
    this.#database = database;
    this.#times = times;
    this.#clock = clock;
    this.#request = request;
    this.#keepsItems = keepsItems;
    this.#rank = rank;
    this.#early = early;
    this.#done = done;
  }

  fire(nowUs: number): void {
    const outcome = this.#early ?? this.#database.complete(this.#request, nowUs, this.#keepsItems);
    const extraUs = this.#times.afterEffectUs(this.#request, outcome);
    if (extraUs === 0) this.#done(outcome, nowUs);
    else this.#clock.schedule(nowUs + extraUs, this.#rank, { fire: (endUs) => this.#done(outcome, endUs) });
  }
}
