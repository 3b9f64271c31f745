// Requests of the data plane: from the text of a body to the simulated database and back. A request takes
// effect at once, or after a modelled service time.
import { ApiError } from '../dynamodb/api-error.ts';
import { type DataApi, dataApis, type Request } from '../dynamodb/operation.ts';
import type { Outcome } from '../dynamodb/outcome.ts';
import { CounterRandom, streamKey } from '../prng.ts';
import { serviceTimeUs } from '../simulator/service-time.ts';
import { pageTimeUs, serviceWorkOf } from '../simulator/service-work.ts';
import { US_PER_MS } from '../units.ts';
import { dataAnswer } from './data-answer.ts';
import type { FinishedListener } from './finished-request.ts';
import { conformStructure } from './input/conform.ts';
import { checkConstraints } from './input/constraints.ts';
import { dataShapes } from './input/data-shapes.ts';
import { parseBody } from './input/parse-body.ts';
import { withPlainTableNames } from './table-names.ts';
import type { Administration } from './tables/administration.ts';
import { checkUsable } from './tables/usable.ts';
import { apiErrorAnswer, internalError, type WireAnswer } from './wire-answer.ts';

export type Respond = (answer: WireAnswer) => void;

/** Whether answers come at once or after a modelled service time. */
export type Latency = 'none' | 'modelled';

export interface DataPlaneOptions {
  readonly administration: Administration;
  readonly latency: Latency;
  readonly seed: number;
  readonly onFinished?: FinishedListener;
  /** Is told of errors that are ours. */
  readonly onBug: (error: unknown) => void;
}

export class DataPlane {
  readonly #administration: Administration;
  readonly #latency: Latency;
  readonly #random: CounterRandom;
  readonly #onFinished: FinishedListener | undefined;
  readonly #onBug: (error: unknown) => void;
  #sequence = 0;

  constructor({ administration, latency, seed, onFinished, onBug }: DataPlaneOptions) {
    this.#administration = administration;
    this.#latency = latency;
    this.#random = new CounterRandom(streamKey(seed, 'service:serve'));
    this.#onFinished = onFinished;
    this.#onBug = onBug;
  }

  static readonly apis: readonly DataApi[] = dataApis;

  /** Answers one request; `respond` is called once, perhaps later. */
  handle(api: DataApi, body: Buffer, respond: Respond): void {
    const startUs = this.#administration.nowUs();
    let request: Request;
    try {
      request = readRequest(api, body);
      if (this.#administration.transitionUs > 0) checkUsable(this.#administration, request);
    } catch (error) {
      this.#refuse(api, error, startUs, respond);
      return;
    }
    if (this.#latency === 'modelled') this.#handleLater(request, startUs, respond);
    else this.#finish(request, this.#administration.database.handle(request, startUs), startUs, respond);
  }

  #handleLater(request: Request, startUs: number, respond: Respond): void {
    const { database } = this.#administration;
    const uniform = this.#random.seek(this.#sequence++, 0).float();
    const serviceUs = serviceTimeUs(request.api, uniform, serviceWorkOf(request));
    const early = database.begin(request, startUs);
    this.#later(serviceUs, respond, () => {
      const outcome = early ?? database.complete(request, this.#administration.nowUs());
      const extraUs = pageTimeUs(request, outcome);
      if (extraUs === 0) this.#finish(request, outcome, startUs, respond);
      else this.#later(extraUs, respond, () => this.#finish(request, outcome, startUs, respond));
    });
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
function readRequest(api: DataApi, body: Buffer): Request {
  const shape = dataShapes[api];
  const input = conformStructure(parseBody(body), shape);
  checkConstraints(input, shape);
  // The shape of each API is that of its input; the compiler cannot see it through the table of shapes.
  return withPlainTableNames({ api, input } as unknown as Request);
}
