// Requests of the data plane: from the text of a body to the simulated database and back. A request takes
// effect at once, or after a modelled service time.
import { ApiError } from '../dynamodb/api-error.ts';
import { type DataApi, dataApis, type Request } from '../dynamodb/operation.ts';
import type { Outcome } from '../dynamodb/outcome.ts';
import { CounterRandom, streamKey } from '../prng.ts';
import type { ServiceTimes } from '../simulator/service-times.ts';
import { US_PER_MS } from '../units.ts';
import { dataAnswer } from './data-answer.ts';
import {
  type Fault,
  type FaultEnding,
  type FaultInjector,
  madeUpThrottle,
  serverFailure,
} from './faults/fault-injector.ts';
import { partialBatch } from './faults/partial-batch.ts';
import type { FinishedListener } from './finished-request.ts';
import { conformStructure } from './input/conform.ts';
import { checkConstraints } from './input/constraints.ts';
import { dataShapes } from './input/data-shapes.ts';
import { parseBody } from './input/parse-body.ts';
import { type PlainRequest, withGivenNames, withPlainTableNames } from './table-names.ts';
import type { Administration } from './tables/administration.ts';
import { checkUsable } from './tables/usable.ts';
import { apiErrorAnswer, dropped, internalError, type WireAnswer } from './wire-answer.ts';

export type Respond = (answer: WireAnswer) => void;

/** Answers at once; for requests that are late by a fault alone. */
const noTimes: ServiceTimes = { untilEffectUs: () => 0, afterEffectUs: () => 0 };

export interface DataPlaneOptions {
  readonly administration: Administration;
  /** How long requests take; absent: answers come at once. */
  readonly times: ServiceTimes | undefined;
  /** Makes requests fail on purpose; absent: none does. */
  readonly faults: FaultInjector | undefined;
  readonly seed: number;
  readonly onFinished?: FinishedListener;
  /** Is told of errors that are ours. */
  readonly onBug: (error: unknown) => void;
}

export class DataPlane {
  readonly #administration: Administration;
  readonly #times: ServiceTimes | undefined;
  readonly #faults: FaultInjector | undefined;
  readonly #random: CounterRandom;
  readonly #onFinished: FinishedListener | undefined;
  readonly #onBug: (error: unknown) => void;
  #sequence = 0;

  constructor({ administration, times, faults, seed, onFinished, onBug }: DataPlaneOptions) {
    this.#administration = administration;
    this.#times = times;
    this.#faults = faults;
    this.#random = new CounterRandom(streamKey(seed, 'service:serve'));
    this.#onFinished = onFinished;
    this.#onBug = onBug;
  }

  static readonly apis: readonly DataApi[] = dataApis;

  /** Answers one request; `respond` is called once, perhaps later. */
  handle(api: DataApi, body: Buffer, answerTo: Respond): void {
    const startUs = this.#administration.nowUs();
    let respond = answerTo;
    let request: Request;
    try {
      const { request: read, arns } = readRequest(api, body);
      request = read;
      if (arns !== undefined) respond = (answer) => answerTo(withGivenNames(answer, arns));
      if (this.#administration.transitionUs > 0) checkUsable(this.#administration, request);
    } catch (error) {
      this.#refuse(api, error, startUs, respond);
      return;
    }
    const fault = this.#faults?.next(request);
    if (fault !== undefined) this.#handleFault(request, fault, startUs, respond);
    else if (this.#times !== undefined) this.#handleLater(request, this.#times, startUs, respond, 0);
    else this.#finish(request, this.#administration.database.handle(request, startUs), startUs, respond);
  }

  #handleLater(
    request: Request,
    times: ServiceTimes,
    startUs: number,
    respond: Respond,
    faultUs: number,
  ): void {
    const { database } = this.#administration;
    const uniform = this.#random.seek(this.#sequence++, 0).float();
    const early = database.begin(request, startUs);
    this.#later(faultUs + times.untilEffectUs(request, uniform), respond, () => {
      const outcome = early ?? database.complete(request, this.#administration.nowUs());
      const extraUs = times.afterEffectUs(request, outcome);
      if (extraUs === 0) this.#finish(request, outcome, startUs, respond);
      else this.#later(extraUs, respond, () => this.#finish(request, outcome, startUs, respond));
    });
  }

  /** A request that is late, fails, is served in part, or loses its connection, as the fault wants it. */
  #handleFault(request: Request, fault: Fault, startUs: number, respond: Respond): void {
    const { latencyUs, ending } = fault;
    if (ending === undefined) {
      this.#handleLater(request, this.#times ?? noTimes, startUs, respond, latencyUs);
      return;
    }
    const end = () => this.#endInFault(request, fault, ending, startUs, respond);
    if (latencyUs === 0) end();
    else this.#later(latencyUs, respond, end);
  }

  #endInFault(
    request: Request,
    { takesEffect, choice }: Fault,
    ending: FaultEnding,
    startUs: number,
    respond: Respond,
  ): void {
    const { database } = this.#administration;
    const served = (what: Request) => database.handle(what, this.#administration.nowUs());
    switch (ending) {
      case 'throttle':
        this.#finish(request, madeUpThrottle(request, this.#administration), startUs, respond);
        return;
      case '5xx':
        if (takesEffect) served(request);
        this.#finish(request, serverFailure(choice), startUs, respond);
        return;
      case 'partial': {
        const part = partialBatch(request, choice);
        const outcome = part === undefined ? served(request) : part.whole(served(part.request));
        this.#finish(request, outcome, startUs, respond);
        return;
      }
      case 'drop':
        // Where nothing takes effect, the request has never arrived.
        if (takesEffect) this.#finish(request, served(request), startUs, () => respond(dropped));
        else respond(dropped);
    }
  }

  /** Goes on after a while. Nobody stands around a timer to catch what goes wrong in it. */
  #later(delayUs: number, respond: Respond, goOn: () => void): void {
    setTimeout(() => {
      try {
        goOn();
      } catch (error) {
        this.#onBug(error);
        respond(internalError);
      }
    }, delayUs / US_PER_MS);
  }

  #finish(request: Request, outcome: Outcome, startUs: number, respond: Respond): void {
    this.#onFinished?.({
      api: request.api,
      request,
      outcome,
      startUs,
      endUs: this.#administration.nowUs(),
    });
    respond(dataAnswer(request, outcome));
  }

  #refuse(api: DataApi, error: unknown, startUs: number, respond: Respond): void {
    if (!(error instanceof ApiError)) throw error;
    const { type: code, message } = error;
    this.#onFinished?.({
      api,
      request: undefined,
      outcome: { kind: 'failed', code, message, httpStatus: 400 },
      startUs,
      endUs: this.#administration.nowUs(),
    });
    respond(apiErrorAnswer(error));
  }
}

/** @throws ApiError SerializationException, ValidationException */
function readRequest(api: DataApi, body: Buffer): PlainRequest {
  const shape = dataShapes[api];
  const input = conformStructure(parseBody(body), shape);
  checkConstraints(input, shape);
  // The shape of each API is that of its input; the compiler cannot see it through the table of shapes.
  return withPlainTableNames({ api, input } as unknown as Request);
}
