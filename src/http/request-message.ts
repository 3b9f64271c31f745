// A request as the text on its connection: the request line, the headers that HTTP asks for, those of the caller,
// the body. A proxy that relays reads line and headers first, so they are made for it.
import type { Exchange } from './exchange.ts';
import { proxyAuthorization } from './proxy.ts';

/** Writes the messages of one pool. */
export class RequestMessages {
  readonly #host: string;
  /** What stands before the path, and before the other headers, where a proxy relays plain requests. */
  readonly #prefix: string;
  readonly #proxyLines: string;
  #sentBytes = 0;

  /** @param proxy  relays where the origin is plain HTTP; to others it is a tunnel, and no message is for it */
  constructor(origin: URL, proxy: URL | undefined) {
    this.#host = origin.host;
    const relay = origin.protocol === 'http:' ? proxy : undefined;
    this.#prefix = relay ? origin.origin : '';
    this.#proxyLines = relay ? proxyAuthorization(relay) : '';
  }

  /** Bytes of all bodies so far. */
  get sentBytes(): number {
    return this.#sentBytes;
  }

  /** The text of a request; notes in the exchange whether it is plain ASCII. */
  write(exchange: Exchange): string {
    const { request } = exchange;
    const bodyBytes = Buffer.byteLength(request.body);
    exchange.isAscii = bodyBytes === request.body.length;
    this.#sentBytes += bodyBytes;
    return (
      `POST ${this.#prefix}${request.path} HTTP/1.1\r\nhost: ${this.#host}\r\n` +
      `${this.#proxyLines}${request.headerLines}` +
      `content-length: ${bodyBytes}\r\n\r\n${request.body}`
    );
  }
}
