// One client's connection: request after request, each answered before the next is looked at. Slow clients
// run against deadlines; a client that does not read its answers gets no more of them.
import type { Socket } from 'node:net';
import type { HttpResponse, ResponseBytes } from './http-response.ts';
import type { RequestHead } from './request-head.ts';
import { RequestParser } from './request-parser.ts';

/** A whole request. */
export interface HttpRequest {
  readonly head: RequestHead;
  readonly body: Buffer;
}

/** Why what came is no request: not HTTP, an unknown expectation, a body beyond the limit, or too slow. */
export type RefusalReason = 'invalid' | 'unmeetable' | 'tooLarge' | 'timeout';

/** What a connection asks of the server it belongs to. */
export interface ConnectionOwner {
  readonly maxBodyBytes: number;
  /** Answers a request; `respond` is called once, perhaps later. */
  handle(request: HttpRequest, respond: (response: HttpResponse) => void): void;
  /** The answer to what is no request, after which the connection ends. */
  refuse(reason: RefusalReason, problem: string): HttpResponse;
  /** A response as it goes over the connection. @param isLast  whether the connection ends behind it */
  bytesOf(response: HttpResponse, isLast: boolean): ResponseBytes;
  /** Whether connections end after the answer under way, as the server is stopping. */
  isStopping(): boolean;
  closed(connection: ServerConnection): void;
}

/** Seconds, in ticks of the server's own sweep. */
const REQUEST_TICKS = 30;
const IDLE_TICKS = 90;
const LINGER_TICKS = 2;

type State = 'reading' | 'answering' | 'draining' | 'ending';

export class ServerConnection {
  readonly #socket: Socket;
  readonly #owner: ConnectionOwner;
  readonly #parser: RequestParser;
  #state: State = 'reading';
  #ticksLeft = IDLE_TICKS;
  #hasAskedForBody = false;
  #hasClientEnded = false;

  constructor(socket: Socket, owner: ConnectionOwner) {
    this.#socket = socket;
    this.#owner = owner;
    this.#parser = new RequestParser(owner.maxBodyBytes);
    socket.setNoDelay(true);
    socket.on('data', (piece: Buffer) => this.#take(piece));
    socket.on('drain', () => this.#drained());
    // Half-open connections are of no use to a client that waits for answers.
    socket.on('end', () => this.#clientEnded());
    // Whatever went wrong is over: 'close' follows.
    socket.on('error', () => undefined);
    socket.on('close', () => owner.closed(this));
  }

  /** One second has passed. */
  tick(): void {
    if (this.#state === 'answering') return;
    this.#ticksLeft--;
    if (this.#ticksLeft > 0) return;
    if (this.#state === 'reading' && this.#parser.state !== 'idle') {
      this.#refuse('timeout', 'the request did not come whole within 30 seconds');
      return;
    }
    this.#socket.destroy();
  }

  /** The server is stopping: an idle connection ends now, another after its answer. */
  stop(): void {
    if (this.#state === 'reading' && this.#parser.state === 'idle') this.#socket.destroy();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #take(piece: Buffer): void {
    if (this.#state === 'ending') return; // Read and thrown away, so that the client sees our last answer.
    if (this.#parser.state === 'idle') this.#ticksLeft = REQUEST_TICKS;
    this.#parser.push(piece);
    if (this.#state === 'reading') this.#goOn();
    else this.#socket.pause();
  }

  /** Answers what is complete, until something has to be waited for. */
  #goOn(): void {
    for (;;) {
      switch (this.#parser.state) {
        case 'idle':
          this.#ticksLeft = IDLE_TICKS;
          return;
        case 'incomplete':
          return;
        case 'head':
          this.#giveLeave();
          return;
        case 'invalid':
          this.#refuse('invalid', this.#parser.problem);
          return;
        case 'unmeetable':
          this.#refuse('unmeetable', this.#parser.problem);
          return;
        case 'tooLarge':
          this.#refuse('tooLarge', '');
          return;
        case 'complete':
          if (!this.#answer()) return;
      }
    }
  }

  /** @returns whether the next request may be looked at */
  #answer(): boolean {
    const { head, body } = this.#parser;
    if (head === undefined) return false;
    this.#state = 'answering';
    let isAtOnce = true;
    this.#owner.handle({ head, body }, (response) => {
      this.#send(response, head);
      if (isAtOnce || this.#state !== 'reading') return;
      this.#socket.resume();
      this.#goOn();
    });
    isAtOnce = false;
    return (this.#state as State) === 'reading';
  }

  #send(response: HttpResponse, { isKeptAlive }: RequestHead): void {
    const socket = this.#socket;
    if (socket.destroyed) return;
    if (response.status === 0) {
      socket.destroy();
      return;
    }
    const isLast = !isKeptAlive || this.#hasClientEnded || this.#owner.isStopping();
    const { content, encoding } = this.#owner.bytesOf(response, isLast);
    const isTaken = socket.write(content, encoding);
    if (isLast) {
      this.#end();
      return;
    }
    this.#hasAskedForBody = false;
    this.#ticksLeft = REQUEST_TICKS;
    this.#state = isTaken ? 'reading' : 'draining';
    if (!isTaken) socket.pause();
    this.#parser.next();
  }

  #drained(): void {
    if (this.#state !== 'draining') return;
    this.#state = 'reading';
    this.#socket.resume();
    this.#goOn();
  }

  #giveLeave(): void {
    if (this.#hasAskedForBody || this.#parser.head?.isAskingFirst !== true) return;
    this.#hasAskedForBody = true;
    this.#socket.write('HTTP/1.1 100 Continue\r\n\r\n', 'latin1');
  }

  #refuse(reason: RefusalReason, problem: string): void {
    const { content, encoding } = this.#owner.bytesOf(this.#owner.refuse(reason, problem), true);
    this.#socket.write(content, encoding);
    this.#end();
  }

  /**
   * Ends our side and goes on reading for a moment: closing at once, with unread bytes of the client about,
   * would reset the connection and take the answer away from it.
   */
  #end(): void {
    this.#state = 'ending';
    this.#ticksLeft = LINGER_TICKS;
    this.#socket.end();
    this.#socket.resume();
  }

  #clientEnded(): void {
    this.#hasClientEnded = true;
    if (this.#state === 'reading') this.#socket.end();
    else if (this.#state === 'draining') this.#socket.destroy();
  }
}
