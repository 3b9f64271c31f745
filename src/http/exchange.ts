// One request on its way through the pool: waiting, written, answered. Plain state, shared by the pool and
// the connection that carries it.
import type { Attempt, AttemptDone, HttpAnswer, HttpFailure, HttpRequest } from './attempt.ts';

/** A request with its times so far; becomes the `Attempt` that its caller receives. */
export class Exchange implements Attempt {
  readonly request: HttpRequest;
  readonly startedAtUs: number;
  readonly deadlineUs: number;
  sentAtUs = 0;
  firstByteAtUs = 0;
  endedAtUs = 0;
  connectUs = 0;
  tlsUs = 0;
  isResent = false;
  /** The body is plain ASCII, which is several times quicker to write; set with the message. */
  isAscii = false;
  answer: HttpAnswer | undefined = undefined;
  failure: HttpFailure | undefined = undefined;
  /** The next one in the queue of those that wait for a connection. */
  next: Exchange | undefined = undefined;
  readonly #done: AttemptDone;

  constructor(request: HttpRequest, done: AttemptDone, startedAtUs: number, deadlineUs: number) {
    this.request = request;
    this.#done = done;
    this.startedAtUs = startedAtUs;
    this.deadlineUs = deadlineUs;
  }

  succeed(answer: HttpAnswer, nowUs: number): void {
    this.answer = answer;
    this.endedAtUs = nowUs;
    this.#done(this);
  }

  fail(failure: HttpFailure, nowUs: number): void {
    this.failure = failure;
    this.endedAtUs = nowUs;
    this.#done(this);
  }
}

/** First in, first out; linked through the exchanges, so that waiting allocates nothing. */
export class ExchangeQueue {
  #first: Exchange | undefined;
  #last: Exchange | undefined;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  get first(): Exchange | undefined {
    return this.#first;
  }

  push(exchange: Exchange): void {
    if (this.#last) this.#last.next = exchange;
    else this.#first = exchange;
    this.#last = exchange;
    this.#count += 1;
  }

  shift(): Exchange | undefined {
    const exchange = this.#first;
    if (exchange === undefined) return undefined;
    this.#first = exchange.next;
    if (this.#first === undefined) this.#last = undefined;
    exchange.next = undefined;
    this.#count -= 1;
    return exchange;
  }
}
