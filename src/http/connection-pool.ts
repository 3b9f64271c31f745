// Keep-alive connections to one origin, one request at a time on each. Grows with the requests under way up to a
// bound; beyond it requests wait in order. What a request looks like on its connection is request-message.ts.
import type { AttemptDone, HttpFailure, HttpRequest } from './attempt.ts';
import { Connection, type ConnectionLimits, type ConnectionOwner, type OpeningTimes } from './connection.ts';
import { Exchange, ExchangeQueue } from './exchange.ts';
import { type OpenSocket, socketOpener } from './open-socket.ts';
import { RequestMessages } from './request-message.ts';

/** How a pool behaves. Times come from `nowUs`, so that attempts carry the caller's clock. */
export interface PoolOptions {
  /** Scheme, host and port; a path is ignored. */
  readonly origin: URL;
  readonly nowUs: () => number;
  /** An attempt ends after this long, waiting for a connection included. */
  readonly timeoutMs: number;
  /**
   * Default 1,024: enough for 5,000 requests a second at 200 ms each, and within what most systems let a
   * process open.
   */
  readonly maxConnections?: number;
  /** Default 64 MiB: a 16 MB answer of BatchGetItem with its JSON escapes fits. */
  readonly maxAnswerBytes?: number;
  /** Told of each connection that opened. */
  readonly onOpened?: ((times: OpeningTimes) => void) | undefined;
  /** Requests go through this proxy. */
  readonly proxy?: URL | undefined;
  /** How sockets are opened; the default follows the origin's scheme and the proxy. */
  readonly open?: OpenSocket;
}

/** What a pool did so far: evidence for the share of the generator in what was measured. */
export interface PoolCounters {
  readonly requests: number;
  readonly opened: number;
  readonly open: number;
  /** Requests sent a second time because a stale connection closed before any byte of an answer. */
  readonly resent: number;
  /** Requests that found every connection busy. */
  readonly waited: number;
  readonly maxWaiting: number;
  readonly sentBytes: number;
}

const DEFAULT_MAX_CONNECTIONS = 1_024;
const DEFAULT_MAX_ANSWER_BYTES = 64 * 1_024 ** 2;
// More would overflow the listen queue of a server on the same machine (511 by default in Node), and each
// overflow costs it a second.
const MAX_OPENING = 128;

/** How a connection ends that its server closed while it lay idle. */
const staleCodes: ReadonlySet<string> = new Set(['CONNECTION_CLOSED', 'ECONNRESET', 'EPIPE']);

const poolClosed: HttpFailure = { code: 'POOL_CLOSED', message: 'the connections were closed on our side' };
const waitedTooLong: HttpFailure = {
  code: 'ATTEMPT_TIMED_OUT',
  message: 'no connection became free in time',
};
const noneOpened: HttpFailure = { code: 'ATTEMPT_TIMED_OUT', message: 'no connection opened in time' };

interface WarmUp {
  readonly count: number;
  attempted: number;
  readonly resolve: () => void;
}

/**
 * The connections of one client. Every request ends once, by an answer or a failure; it is sent a second time only
 * where a connection that had been used before closed without a byte of the answer.
 */
export class ConnectionPool {
  readonly #messages: RequestMessages;
  readonly #options: PoolOptions;
  readonly #open: OpenSocket;
  readonly #maxConnections: number;
  readonly #limits: ConnectionLimits;
  readonly #timeoutUs: number;
  readonly #connections = new Set<Connection>();
  readonly #idle: Connection[] = [];
  readonly #queue = new ExchangeQueue();
  readonly #owner: ConnectionOwner;
  #opening = 0;
  #warming: WarmUp | undefined;
  #isClosed = false;
  #queueTimer: NodeJS.Timeout | undefined;
  #requests = 0;
  #opened = 0;
  #resent = 0;
  #waited = 0;
  #maxWaiting = 0;

  constructor(options: PoolOptions) {
    this.#options = options;
    const { origin, proxy } = options;
    this.#messages = new RequestMessages(origin, proxy);
    this.#open = options.open ?? socketOpener(origin, { proxy });
    this.#maxConnections = options.maxConnections ?? DEFAULT_MAX_CONNECTIONS;
    this.#limits = {
      maxAnswerBytes: options.maxAnswerBytes ?? DEFAULT_MAX_ANSWER_BYTES,
      connectTimeoutMs: options.timeoutMs,
    };
    this.#timeoutUs = options.timeoutMs * 1_000;
    this.#owner = {
      nowUs: options.nowUs,
      onOpened: options.onOpened,
      message: (exchange) => this.#messages.write(exchange),
      onOpen: (connection) => {
        this.#opening -= 1;
        this.#onFree(connection);
        this.#continueWarmUp();
      },
      onFree: (connection) => this.#onFree(connection),
      onGone: (connection, exchange, failure) => this.#onGone(connection, exchange, failure),
    };
  }

  get counters(): PoolCounters {
    return {
      requests: this.#requests,
      opened: this.#opened,
      open: this.#connections.size,
      resent: this.#resent,
      waited: this.#waited,
      maxWaiting: this.#maxWaiting,
      sentBytes: this.#messages.sentBytes,
    };
  }

  /** Sends one request. `done` is called exactly once, after this has returned. */
  request(request: HttpRequest, done: AttemptDone): void {
    const nowUs = this.#options.nowUs();
    const exchange = new Exchange(request, done, nowUs, nowUs + this.#timeoutUs);
    this.#requests += 1;
    const connection = this.#idle.pop();
    if (connection) connection.carry(exchange);
    else if (this.#isClosed) queueMicrotask(() => exchange.fail(poolClosed, this.#options.nowUs()));
    else this.#wait(exchange);
  }

  /**
   * Opens connections ahead of load, up to the bound, so that no first request waits for one. Sends nothing.
   * Ends when they are open or have failed to: what is wrong then, the first request will say.
   */
  warmUp(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.#warming = { count: Math.min(count, this.#maxConnections), attempted: 0, resolve };
      this.#continueWarmUp();
    });
  }

  /** Hangs up everywhere; requests under way and waiting fail with POOL_CLOSED. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#queueTimer);
    for (const connection of [...this.#connections]) connection.destroy(poolClosed);
    for (let exchange = this.#queue.shift(); exchange; exchange = this.#queue.shift())
      exchange.fail(poolClosed, this.#options.nowUs());
  }

  #wait(exchange: Exchange): void {
    this.#queue.push(exchange);
    this.#grow();
    if (this.#connections.size >= this.#maxConnections) this.#waited += 1;
    if (this.#queue.count > this.#maxWaiting) this.#maxWaiting = this.#queue.count;
    this.#watchQueue();
  }

  #continueWarmUp(): void {
    const warming = this.#warming;
    if (warming === undefined) return;
    while (
      !this.#isClosed &&
      warming.attempted < warming.count &&
      this.#connections.size < warming.count &&
      this.#opening < MAX_OPENING
    ) {
      warming.attempted += 1;
      this.#opening += 1;
      this.#connect();
    }
    if (this.#opening > 0) return;
    this.#warming = undefined;
    warming.resolve();
  }

  // A waiting request takes whichever comes first, the connection opened for it or one that becomes free.
  #grow(): void {
    if (this.#opening >= this.#queue.count || this.#opening >= MAX_OPENING) return;
    if (this.#connections.size >= this.#maxConnections || this.#isClosed) return;
    this.#opening += 1;
    this.#connect();
  }

  #connect(): Connection {
    this.#opened += 1;
    const connection = new Connection(this.#owner, this.#open, this.#limits);
    this.#connections.add(connection);
    return connection;
  }

  #onFree(connection: Connection): void {
    const exchange = this.#queue.shift();
    if (exchange === undefined) {
      connection.rest();
      this.#idle.push(connection);
      return;
    }
    connection.carry(exchange);
    this.#grow();
  }

  #onGone(connection: Connection, carried: Exchange | undefined, failure: HttpFailure): void {
    this.#connections.delete(connection);
    const idleAt = this.#idle.lastIndexOf(connection);
    if (idleAt >= 0) this.#idle.splice(idleAt, 1);
    let exchange = carried;
    if (!connection.wasOpened && carried === undefined) {
      this.#opening -= 1;
      exchange = this.#queue.shift();
    }
    if (exchange === undefined) this.#grow();
    else if (isStale(connection, exchange, failure)) this.#resend(exchange);
    else {
      this.#grow();
      exchange.fail(failure, this.#options.nowUs());
    }
    this.#continueWarmUp();
  }

  // On a connection of its own: whatever closed this one may have closed all idle ones.
  #resend(exchange: Exchange): void {
    this.#resent += 1;
    exchange.isResent = true;
    this.#connect().carry(exchange);
  }

  #watchQueue(): void {
    const first = this.#queue.first;
    if (first === undefined || this.#queueTimer !== undefined) return;
    const delayMs = Math.max(1, Math.ceil((first.deadlineUs - this.#options.nowUs()) / 1_000));
    this.#queueTimer = setTimeout(() => this.#expireQueue(), delayMs);
    this.#queueTimer.unref();
  }

  #expireQueue(): void {
    this.#queueTimer = undefined;
    const nowUs = this.#options.nowUs();
    while ((this.#queue.first?.deadlineUs ?? Number.POSITIVE_INFINITY) <= nowUs)
      this.#queue.shift()?.fail(this.#opening < this.#connections.size ? waitedTooLong : noneOpened, nowUs);
    this.#watchQueue();
  }
}

function isStale(connection: Connection, exchange: Exchange, failure: HttpFailure): boolean {
  return (
    connection.isReused && exchange.firstByteAtUs === 0 && !exchange.isResent && staleCodes.has(failure.code)
  );
}
