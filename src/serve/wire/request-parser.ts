// Puts requests together from the pieces in which the network delivers them, one after another. A whole
// request in one piece, the usual case, is not copied. Nothing is kept beyond the limits.
import { ChunkedBody } from '../../http/chunked-body.ts';
import { type RequestHead, readRequestHead } from './request-head.ts';

const MAX_HEAD_BYTES = 16_384;
/** Chunks of a body; more are no sensible way to send 16 MB, and each costs memory. */
const MAX_CHUNKS = 65_536;
const HEAD_END = Buffer.from('\r\n\r\n');
const NOTHING = Buffer.alloc(0);

/**
 * `head`: the head is there and the body is not yet; `unmeetable`: it expects what the server does not do.
 */
export type ParserState = 'idle' | 'incomplete' | 'head' | 'complete' | 'invalid' | 'unmeetable' | 'tooLarge';

export class RequestParser {
  readonly #maxBodyBytes: number;
  #state: ParserState = 'idle';
  #pending: Buffer = NOTHING;
  #head: RequestHead | undefined;
  #body: Buffer = NOTHING;
  #parts: Buffer[] = [];
  #partBytes = 0;
  #chunked: ChunkedBody | undefined;
  #problem = '';

  constructor(maxBodyBytes: number) {
    this.#maxBodyBytes = maxBodyBytes;
  }

  get state(): ParserState {
    return this.#state;
  }

  /** The head of the request; from state `head` on. */
  get head(): RequestHead | undefined {
    return this.#head;
  }

  /** The whole body; only when complete. */
  get body(): Buffer {
    return this.#body;
  }

  /** What is wrong; only when invalid or unmeetable. */
  get problem(): string {
    return this.#problem;
  }

  /** Whether bytes of a further request are here already. */
  get hasMore(): boolean {
    return this.#pending.length > 0;
  }

  /** Takes the next piece. In state `complete`, what comes is kept for the next request. */
  push(piece: Buffer): ParserState {
    if (this.#state === 'complete') this.#pending = joined(this.#pending, piece);
    else if (this.#head !== undefined) this.#pushBody(piece, 0);
    else this.#pushHead(piece);
    return this.#state;
  }

  /** Goes on to the next request, with what is here of it. */
  next(): ParserState {
    const rest = this.#pending;
    this.#state = 'idle';
    this.#pending = NOTHING;
    this.#head = undefined;
    this.#body = NOTHING;
    this.#chunked = undefined;
    if (this.#parts.length > 0) this.#parts = [];
    this.#partBytes = 0;
    if (rest.length > 0) this.#pushHead(rest);
    return this.#state;
  }

  #pushHead(piece: Buffer): void {
    const bytes = joined(this.#pending, piece);
    const searchFrom = Math.max(0, this.#pending.length - 3);
    this.#pending = NOTHING;
    const start = this.#state === 'idle' ? afterBlankLines(bytes) : 0;
    const headEnd = bytes.indexOf(HEAD_END, Math.max(start, searchFrom));
    if ((headEnd < 0 ? bytes.length : headEnd) - start > MAX_HEAD_BYTES) {
      this.#fail(`the head of the request is larger than ${MAX_HEAD_BYTES} bytes`);
      return;
    }
    // A client that speaks TLS sends no line, and would wait for ever.
    if (start < bytes.length && !isLetter(bytes[start])) {
      this.#fail('the request does not begin with a method; this server speaks http, not https');
      return;
    }
    if (headEnd < 0) {
      this.#pending = bytes.subarray(start);
      this.#state = this.#pending.length === 0 ? 'idle' : 'incomplete';
      return;
    }
    const head = readRequestHead(bytes.toString('latin1', start, headEnd));
    if ('problem' in head) this.#fail(head.problem, head.isExpectation ? 'unmeetable' : 'invalid');
    else this.#startBody(head, bytes, headEnd + HEAD_END.length);
  }

  #startBody(head: RequestHead, bytes: Buffer, offset: number): void {
    this.#head = head;
    const { bodyEnd } = head;
    if (bodyEnd === 'chunked') this.#chunked = new ChunkedBody();
    else if (bodyEnd > this.#maxBodyBytes) {
      this.#state = 'tooLarge';
      return;
    }
    this.#pushBody(bytes, offset);
  }

  #pushBody(bytes: Buffer, offset: number): void {
    if (this.#chunked !== undefined) {
      this.#pushChunked(this.#chunked, bytes, offset);
      return;
    }
    const length = this.#head?.bodyEnd as number; // Not chunked, so it is one.
    const missing = length - this.#partBytes;
    if (bytes.length - offset < missing) {
      if (bytes.length > offset) this.#parts.push(bytes.subarray(offset));
      this.#partBytes += bytes.length - offset;
      this.#state = 'head';
      return;
    }
    const last = bytes.subarray(offset, offset + missing);
    this.#finish(
      this.#partBytes === 0 ? last : Buffer.concat([...this.#parts, last]),
      bytes,
      offset + missing,
    );
  }

  #pushChunked(chunked: ChunkedBody, bytes: Buffer, offset: number): void {
    const end = chunked.push(bytes, offset);
    if (chunked.state === 'invalid') this.#fail('the chunks of the body are malformed');
    else if (chunked.parts.length > MAX_CHUNKS) this.#fail('the body comes in too many chunks');
    else if (chunked.sizeBytes > this.#maxBodyBytes) this.#state = 'tooLarge';
    else if (chunked.state === 'done') this.#finish(Buffer.concat(chunked.parts), bytes, end);
    else this.#state = 'head';
  }

  #finish(body: Buffer, bytes: Buffer, end: number): void {
    this.#body = body;
    this.#pending = end < bytes.length ? bytes.subarray(end) : NOTHING;
    this.#state = 'complete';
  }

  #fail(problem: string, state: 'invalid' | 'unmeetable' = 'invalid'): void {
    this.#problem = problem;
    this.#state = state;
  }
}

function joined(first: Buffer, second: Buffer): Buffer {
  return first.length === 0 ? second : Buffer.concat([first, second]);
}

/** Blank lines before a request are overlooked (RFC 9112 section 2.2). */
function isLetter(byte = 0): boolean {
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

function afterBlankLines(bytes: Buffer): number {
  let at = 0;
  while (bytes[at] === 13 || bytes[at] === 10) at++;
  return at;
}
