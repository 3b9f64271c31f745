// One keep-alive connection: carries one request at a time, watches its deadline, and tells its pool when it
// is free or gone.
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { HttpFailure } from './attempt.ts';
import type { Exchange } from './exchange.ts';
import type { OpenSocket } from './open-socket.ts';
import { ResponseParser } from './response-parser.ts';

/** What a connection needs of its pool. */
export interface ConnectionOwner {
  nowUs(): number;
  /** The bytes to write for a request. */
  message(exchange: Exchange): string;
  /** Each connection that opened; for counting. */
  onOpened?: ((times: OpeningTimes) => void) | undefined;
  /** Opened, and carries nothing yet. */
  onOpen(connection: Connection): void;
  /** The answer has been read; called before the exchange's own callback. */
  onFree(connection: Connection): void;
  /** Closed for good, with the exchange it carried, if any. `failure` says why. */
  onGone(connection: Connection, exchange: Exchange | undefined, failure: HttpFailure): void;
}

const hungUp: HttpFailure = { code: 'CONNECTION_CLOSED', message: 'the server closed the connection' };
const notOpened: HttpFailure = { code: 'ATTEMPT_TIMED_OUT', message: 'the connection did not open in time' };
const notAnswered: HttpFailure = { code: 'ATTEMPT_TIMED_OUT', message: 'no whole answer came in time' };

/** What a connection is told by its pool. */
export interface ConnectionLimits {
  readonly maxAnswerBytes: number;
  readonly connectTimeoutMs: number;
}

/** How long a connection took to open, µs of the process's clock. */
export interface OpeningTimes {
  /** Until TLS began, or until it was ready where there is none. */
  readonly connectUs: number;
  /** Undefined without TLS. */
  readonly tlsUs: number | undefined;
}

/**
 * One socket for its whole life; what becomes of an exchange that it carried when it closed is for its pool
 * to say.
 */
export class Connection {
  readonly #owner: ConnectionOwner;
  readonly #parser: ResponseParser;
  readonly #startedAtMs = performance.now();
  readonly #giveUp: () => void;
  /** Undefined until it is open. */
  #socket: Socket | undefined;
  #connectedAtMs = 0;
  #opening: OpeningTimes = { connectUs: 0, tlsUs: undefined };
  #hasLainIdle = false;
  #isGone = false;
  #answerCount = 0;
  #exchange: Exchange | undefined;
  #deadline: NodeJS.Timeout | undefined;

  constructor(owner: ConnectionOwner, open: OpenSocket, limits: ConnectionLimits) {
    this.#owner = owner;
    this.#parser = new ResponseParser(limits.maxAnswerBytes);
    this.#giveUp = open({
      connected: () => {
        this.#connectedAtMs = performance.now();
      },
      ready: (socket) => this.#onOpen(socket),
      received: (piece) => this.#onData(piece),
      failed: (error) => this.#leave(failureOf(error)),
    });
    this.#deadline = setTimeout(() => this.#leave(notOpened), limits.connectTimeoutMs);
  }

  /** Whether it ever opened; stays true when it is gone. */
  get wasOpened(): boolean {
    return this.#socket !== undefined;
  }

  /** Whether it was open before its present request came; such a connection may have gone stale unnoticed. */
  get isReused(): boolean {
    return this.#answerCount > 0 || this.#hasLainIdle;
  }

  /** There is nothing to carry for now. */
  rest(): void {
    this.#hasLainIdle = true;
  }

  /** Carries a request: at once, or as soon as the connection is open. */
  carry(exchange: Exchange): void {
    this.#exchange = exchange;
    if (this.#socket) this.#write(this.#socket, exchange);
  }

  /** Hangs up. The exchange under way, if any, fails with this. */
  destroy(failure: HttpFailure): void {
    this.#leave(failure);
  }

  #write(socket: Socket, exchange: Exchange): void {
    this.#parser.reset();
    socket.ref();
    this.#watchDeadline(exchange);
    if (!this.isReused) {
      exchange.connectUs = this.#opening.connectUs;
      exchange.tlsUs = this.#opening.tlsUs ?? 0;
    }
    exchange.sentAtUs = this.#owner.nowUs();
    exchange.firstByteAtUs = 0;
    const message = this.#owner.message(exchange);
    socket.write(message, exchange.isAscii ? 'latin1' : 'utf8');
  }

  #onOpen(socket: Socket): void {
    this.#socket = socket;
    socket.on('end', () => this.#onEnd());
    socket.on('error', (error) => this.#leave(failureOf(error)));
    socket.on('close', () => this.#leave(hungUp));
    clearTimeout(this.#deadline);
    this.#deadline = undefined;
    // Not the owner's clock, which stands still before load, while connections are opened ahead of it.
    this.#opening = {
      connectUs: microseconds(this.#connectedAtMs - this.#startedAtMs),
      tlsUs: socket instanceof TLSSocket ? microseconds(performance.now() - this.#connectedAtMs) : undefined,
    };
    this.#owner.onOpened?.(this.#opening);
    if (this.#exchange) {
      this.#write(socket, this.#exchange);
      return;
    }
    socket.unref();
    this.#owner.onOpen(this);
  }

  #onData(piece: Buffer): void {
    const exchange = this.#exchange;
    if (exchange === undefined) {
      this.#leave({ code: 'NOT_HTTP', message: 'the server sent bytes that nobody asked for' });
      return;
    }
    const nowUs = this.#owner.nowUs();
    if (exchange.firstByteAtUs === 0) exchange.firstByteAtUs = nowUs;
    const state = this.#parser.push(piece);
    if (state === 'complete') this.#onAnswer(exchange, nowUs);
    else if (state === 'invalid') this.#leave(this.#parser.failure ?? hungUp);
  }

  #onAnswer(exchange: Exchange, nowUs: number): void {
    const answer = this.#parser.answer;
    if (answer === undefined) return;
    this.#exchange = undefined;
    this.#answerCount += 1;
    if (this.#parser.isReusable) {
      this.#socket?.unref();
      this.#owner.onFree(this);
    } else this.#leave(hungUp);
    exchange.succeed(answer, nowUs);
  }

  #onEnd(): void {
    const exchange = this.#exchange;
    const isPartial = exchange !== undefined && exchange.firstByteAtUs > 0;
    if (isPartial && this.#parser.end() === 'complete') this.#onAnswer(exchange, this.#owner.nowUs());
    this.#leave((isPartial ? this.#parser.failure : undefined) ?? hungUp);
  }

  #leave(failure: HttpFailure): void {
    if (this.#isGone) return;
    this.#isGone = true;
    clearTimeout(this.#deadline);
    if (this.#socket) this.#socket.destroy();
    else this.#giveUp();
    const exchange = this.#exchange;
    this.#exchange = undefined;
    this.#owner.onGone(this, exchange, failure);
  }

  // One timer per connection, moved only when it fires: requests that are answered in time cost no timer at all.
  #watchDeadline(exchange: Exchange): void {
    if (this.#deadline !== undefined) return;
    const delayMs = Math.max(1, Math.ceil((exchange.deadlineUs - this.#owner.nowUs()) / 1_000));
    this.#deadline = setTimeout(() => this.#onTimer(), delayMs).unref();
  }

  #onTimer(): void {
    this.#deadline = undefined;
    const exchange = this.#exchange;
    if (exchange === undefined) return;
    if (this.#owner.nowUs() < exchange.deadlineUs) this.#watchDeadline(exchange);
    else this.#leave(notAnswered);
  }
}

function microseconds(ms: number): number {
  return Math.round(ms * 1_000);
}

function failureOf(error: Error): HttpFailure {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'SOCKET_ERROR';
  return { code, message: error.message || code };
}
