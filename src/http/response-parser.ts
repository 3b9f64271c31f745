// Puts one answer together from the pieces in which the network delivers it. One parser serves a connection,
// answer after answer. The usual case (a whole answer in one piece, with a content-length) takes a short way:
// one look, one copy of the body.
import type { HttpAnswer, HttpFailure } from './attempt.ts';
import { ChunkedBody } from './chunked-body.ts';
import { type ResponseHead, readResponseHead } from './response-head.ts';

const MAX_HEAD_BYTES = 65_536;
/**
 * Each chunk costs about 200 bytes besides its content. An answer may have this many, and one more for each
 * BYTES_PER_CHUNK: so what an answer takes in memory stays within a few times its size, however finely a
 * server slices it.
 */
const MAX_SMALL_CHUNKS = 16_384;
const BYTES_PER_CHUNK = 64;
const HEAD_END = Buffer.from('\r\n\r\n');
const PROTOCOL = Buffer.from('HTTP/1.');
const NOTHING = Buffer.alloc(0);

/** What is known after a piece: nothing yet, a whole answer, or that none will come. */
export type ParserState = 'incomplete' | 'complete' | 'invalid';

/** Feed it pieces until it is complete or invalid, take the answer or the failure, and begin the next. */
export class ResponseParser {
  readonly #maxAnswerBytes: number;
  #state: ParserState = 'incomplete';
  #pending: Buffer = NOTHING;
  #headText = '';
  #head: ResponseHead | undefined;
  #parts: Buffer[] = [];
  #partBytes = 0;
  #chunked: ChunkedBody | undefined;
  #answer: HttpAnswer | undefined;
  #failure: HttpFailure | undefined;
  #hasExcess = false;

  constructor(maxAnswerBytes: number) {
    this.#maxAnswerBytes = maxAnswerBytes;
  }

  /** The answer; only when complete. */
  get answer(): HttpAnswer | undefined {
    return this.#answer;
  }

  /** Why there is no answer; only when invalid. */
  get failure(): HttpFailure | undefined {
    return this.#failure;
  }

  /** Whether the connection may carry another request after this complete answer. */
  get isReusable(): boolean {
    return this.#head?.isKeptAlive === true && !this.#hasExcess;
  }

  /** Makes ready for the next answer. */
  reset(): void {
    this.#state = 'incomplete';
    this.#pending = NOTHING;
    this.#head = undefined;
    this.#chunked = undefined;
    this.#answer = undefined;
    this.#failure = undefined;
    this.#hasExcess = false;
    if (this.#parts.length > 0) this.#parts = [];
    this.#partBytes = 0;
  }

  /** Takes the next piece. Nothing of it is kept, only copied: its memory may be used again at once. */
  push(piece: Buffer): ParserState {
    if (this.#state !== 'incomplete') {
      this.#hasExcess = true;
      return this.#state;
    }
    return this.#head ? this.#pushBody(piece, 0) : this.#pushHead(piece);
  }

  /** The server has closed its side. */
  end(): ParserState {
    if (this.#state === 'incomplete' && this.#head?.bodyEnd === 'close') return this.#finish(this.#joined());
    if (this.#state === 'incomplete')
      return this.#fail('CONNECTION_CLOSED', 'the server closed the connection before the answer was whole');
    return this.#state;
  }

  #pushHead(piece: Buffer): ParserState {
    let bytes = this.#pending.length === 0 ? piece : Buffer.concat([this.#pending, piece]);
    let searchFrom = Math.max(0, this.#pending.length - 3);
    this.#pending = NOTHING;
    for (;;) {
      const headEnd = bytes.indexOf(HEAD_END, searchFrom);
      if ((headEnd < 0 ? bytes.length : headEnd) > MAX_HEAD_BYTES)
        return this.#fail('NOT_HTTP', 'the head of the answer does not end');
      if (headEnd < 0) {
        if (!startsAsHttp(bytes)) return this.#failNotHttp(bytes);
        this.#pending = Buffer.from(bytes);
        return 'incomplete';
      }
      const text = bytes.toString('latin1', 0, headEnd);
      const head = readResponseHead(text);
      if (head === undefined) return this.#failNotHttp(bytes);
      if (head.status >= 200) return this.#startBody(head, text, bytes, headEnd + 4);
      // An interim answer (100 Continue) announces the real one.
      bytes = bytes.subarray(headEnd + 4);
      searchFrom = 0;
    }
  }

  #startBody(head: ResponseHead, text: string, bytes: Buffer, offset: number): ParserState {
    this.#head = head;
    this.#headText = text;
    if (head.bodyEnd === bytes.length - offset) return this.#finish(Buffer.from(bytes.subarray(offset)));
    if (typeof head.bodyEnd === 'number' && head.bodyEnd > this.#maxAnswerBytes) return this.#failTooLarge();
    if (head.bodyEnd === 'chunked') this.#chunked = new ChunkedBody();
    return this.#pushBody(bytes, offset);
  }

  #pushBody(bytes: Buffer, offset: number): ParserState {
    if (this.#chunked) return this.#pushChunked(this.#chunked, bytes, offset);
    const bodyEnd = this.#head?.bodyEnd;
    const missing = typeof bodyEnd === 'number' ? bodyEnd - this.#partBytes : Number.POSITIVE_INFINITY;
    const part = Buffer.from(bytes.subarray(offset, Math.min(bytes.length, offset + missing)));
    this.#parts.push(part);
    this.#partBytes += part.length;
    if (this.#partBytes > this.#maxAnswerBytes) return this.#failTooLarge();
    if (part.length < missing) return 'incomplete';
    this.#hasExcess = bytes.length > offset + missing;
    return this.#finish(this.#joined());
  }

  #pushChunked(chunked: ChunkedBody, bytes: Buffer, offset: number): ParserState {
    const end = chunked.push(bytes, offset);
    if (chunked.state === 'invalid') return this.#fail('NOT_HTTP', 'the chunks of the answer are malformed');
    if (chunked.sizeBytes > this.#maxAnswerBytes) return this.#failTooLarge();
    if (chunked.parts.length > MAX_SMALL_CHUNKS + chunked.sizeBytes / BYTES_PER_CHUNK)
      return this.#fail('ANSWER_TOO_LARGE', 'the answer comes in too many chunks');
    if (chunked.state !== 'done') return 'incomplete';
    this.#hasExcess = end < bytes.length;
    return this.#finish(Buffer.concat(chunked.parts));
  }

  #joined(): Buffer {
    return this.#parts.length === 1 ? (this.#parts[0] ?? NOTHING) : Buffer.concat(this.#parts);
  }

  #finish(body: Buffer): ParserState {
    this.#answer = { status: this.#head?.status ?? 0, head: this.#headText, body };
    this.#state = 'complete';
    return this.#state;
  }

  #failNotHttp(bytes: Buffer): ParserState {
    return this.#fail('NOT_HTTP', `the server sent ${preview(bytes)}`);
  }

  #failTooLarge(): ParserState {
    return this.#fail('ANSWER_TOO_LARGE', `the answer is larger than ${this.#maxAnswerBytes} bytes`);
  }

  #fail(code: string, message: string): ParserState {
    this.#failure = { code, message };
    this.#state = 'invalid';
    return this.#state;
  }
}

function startsAsHttp(bytes: Buffer): boolean {
  const length = Math.min(bytes.length, PROTOCOL.length);
  return bytes.compare(PROTOCOL, 0, length, 0, length) === 0;
}

/** The first bytes of something that is not HTTP, safe to print. */
function preview(bytes: Buffer): string {
  const text = bytes.toString('latin1', 0, 40).replace(/[^\x20-\x7e]/g, '.');
  return `"${text}${bytes.length > 40 ? '…' : ''}" where an HTTP status line should be`;
}
