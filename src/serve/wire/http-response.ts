// A response as it goes over a connection, with the headers that DynamoDB sends: request id, checksum, date.
import { crc32 } from 'node:zlib';
import { MS_PER_SECOND } from '../../units.ts';
import { RequestIds } from '../request-ids.ts';

export interface HttpResponse {
  /** 0: none is sent, and the connection ends. */
  readonly status: number;
  readonly body: string | Uint8Array;
  /** In place of, or besides, those that every response has; names in small letters. */
  readonly headers?: { readonly [name: string]: string };
  /** Where the body tells it; else the writer makes one. */
  readonly requestId?: string;
}

/** Status line, headers and body in one. */
export interface ResponseBytes {
  readonly content: string | Uint8Array;
  readonly encoding: 'latin1' | 'utf8';
}

export interface ResponseWriterSettings {
  /** For the header `Server`. */
  readonly server: string;
  readonly seed: number;
  /** Time of day, ms since 1970. */
  readonly wallMs: () => number;
}

const reasons: Readonly<Record<number, string>> = {
  200: 'OK',
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  408: 'Request Timeout',
  413: 'Content Too Large',
  417: 'Expectation Failed',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};
const JSON_1_0 = 'application/x-amz-json-1.0';

export class ResponseWriter {
  readonly #ids: RequestIds;
  readonly #wallMs: () => number;
  readonly #server: string;
  #second = Number.NaN;
  #date = '';

  constructor({ server, seed, wallMs }: ResponseWriterSettings) {
    this.#ids = new RequestIds(seed);
    this.#wallMs = wallMs;
    this.#server = server;
  }

  /** The id of a request whose answer tells it in its body. */
  nextRequestId(): string {
    return this.#ids.next();
  }

  /** @param isLast  whether the connection ends behind it */
  bytesOf({ status, body, headers, requestId }: HttpResponse, isLast: boolean): ResponseBytes {
    const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
    const head =
      `HTTP/1.1 ${status} ${reasons[status] ?? ''}\r\nServer: ${this.#server}\r\nDate: ${this.#dateNow()}\r\n` +
      `Content-Length: ${length}\r\nx-amzn-RequestId: ${requestId ?? this.#ids.next()}\r\nx-amz-crc32: ${crc32(body)}\r\n` +
      `${isLast ? 'Connection: close' : 'Connection: keep-alive'}\r\n${headerLines(headers)}\r\n`;
    if (typeof body !== 'string')
      return { content: Buffer.concat([Buffer.from(head, 'latin1'), body]), encoding: 'latin1' };
    // A text as long as its bytes is ASCII, which is written faster as such.
    return { content: head + body, encoding: length === body.length ? 'latin1' : 'utf8' };
  }

  /** The date changes once a second and takes longer to write than the rest. */
  #dateNow(): string {
    const wallMs = this.#wallMs();
    const second = Math.floor(wallMs / MS_PER_SECOND);
    if (second !== this.#second) {
      this.#second = second;
      this.#date = new Date(second * MS_PER_SECOND).toUTCString();
    }
    return this.#date;
  }
}

function headerLines(headers: HttpResponse['headers']): string {
  if (headers === undefined) return `Content-Type: ${JSON_1_0}\r\n`;
  const lines = Object.entries({ 'content-type': JSON_1_0, ...headers });
  return lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
}
