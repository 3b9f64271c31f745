// The simulated database as a target in virtual time: a request is answered after a modelled service time, and takes effect at that moment.
import { type Clock, type ClockEvent, eventRank } from '../clock.ts';
import type { Request } from '../dynamodb/operation.ts';
import type { Outcome } from '../dynamodb/outcome.ts';
import { CounterRandom, streamKey } from '../prng.ts';
import { serviceTimeUs } from '../simulator/service-time.ts';
import type { SimulatedDatabase } from '../simulator/simulated-database.ts';
import type { Done, Target, TargetRequest } from './target.ts';

/** Draws of one operation are told apart by the number of its request. */
export class SimulatedTarget implements Target {
  readonly #database: SimulatedDatabase;
  readonly #clock: Clock;
  readonly #randoms: readonly CounterRandom[];

  constructor(parts: {
    database: SimulatedDatabase;
    clock: Clock;
    seed: number;
    workloadNames: readonly string[];
  }) {
    this.#database = parts.database;
    this.#clock = parts.clock;
    this.#randoms = parts.workloadNames.map(
      (name) => new CounterRandom(streamKey(parts.seed, `service:${name}`)),
    );
  }

  send({ request, workloadIndex, sequence, part }: TargetRequest, startUs: number, done: Done): void {
    const random = this.#randoms[workloadIndex] as CounterRandom;
    const serviceUs = serviceTimeUs(request.api, random.seek(sequence, part).float());
    const early = this.#database.begin(request, startUs);
    const answer = new PendingAnswer(this.#database, request, early, done);
    this.#clock.schedule(startUs + serviceUs, eventRank(workloadIndex, sequence), answer);
  }
}

class PendingAnswer implements ClockEvent {
  readonly #database: SimulatedDatabase;
  readonly #request: Request;
  readonly #early: Outcome | undefined;
  readonly #done: Done;

  constructor(database: SimulatedDatabase, request: Request, early: Outcome | undefined, done: Done) {
    this.#database = database;
    this.#request = request;
    this.#early = early;
    this.#done = done;
  }

  fire(nowUs: number): void {
    this.#done(this.#early ?? this.#database.complete(this.#request, nowUs), nowUs);
  }
}
