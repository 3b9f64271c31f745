// Decodes a body sent with `Transfer-Encoding: chunked` as it arrives, cut anywhere. Extensions and trailers
// are skipped.
// @see RFC 9112 section 7.1, https://www.rfc-editor.org/rfc/rfc9112#section-7.1, read 2026-11-30

const MAX_LINE_CHARACTERS = 8_192;
const MAX_TRAILER_CHARACTERS = 65_536;

type State = 'size' | 'data' | 'dataEnd' | 'trailer' | 'done' | 'invalid';

/**
 * A body that is being decoded. Feed it with `push` until `state` is `done` or `invalid`; what it is fed it
 * copies.
 */
export class ChunkedBody {
  readonly parts: Buffer[] = [];
  sizeBytes = 0;
  #state: State = 'size';
  #line = '';
  #remainingBytes = 0;
  #trailerCharacters = 0;

  get state(): State {
    return this.#state;
  }

  /** Takes bytes from `offset` on; returns the offset behind the last byte that belongs to the body. */
  push(bytes: Buffer, offset: number): number {
    let at = offset;
    while (at < bytes.length && this.#state !== 'done' && this.#state !== 'invalid')
      at = this.#state === 'data' ? this.#takeData(bytes, at) : this.#takeLine(bytes, at);
    return at;
  }

  #takeData(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + this.#remainingBytes);
    this.parts.push(Buffer.from(bytes.subarray(at, end)));
    this.sizeBytes += end - at;
    this.#remainingBytes -= end - at;
    if (this.#remainingBytes === 0) this.#state = 'dataEnd';
    return end;
  }

  #takeLine(bytes: Buffer, at: number): number {
    const feedAt = bytes.indexOf(10, at);
    const end = feedAt < 0 ? bytes.length : feedAt + 1;
    this.#line += bytes.toString('latin1', at, end);
    if (this.#line.length > MAX_LINE_CHARACTERS) this.#state = 'invalid';
    else if (feedAt >= 0) this.#endLine();
    return end;
  }

  #endLine(): void {
    const line = this.#line;
    this.#line = '';
    if (!line.endsWith('\r\n')) this.#state = 'invalid';
    else if (this.#state === 'size') this.#openChunk(line);
    else if (this.#state === 'dataEnd') this.#state = line === '\r\n' ? 'size' : 'invalid';
    else if (line === '\r\n') this.#state = 'done';
    else if ((this.#trailerCharacters += line.length) > MAX_TRAILER_CHARACTERS) this.#state = 'invalid';
  }

  #openChunk(line: string): void {
    const digits = /^([0-9a-f]{1,8})[ \t]*(?:;.*)?\r\n$/i.exec(line)?.[1];
    if (digits === undefined) {
      this.#state = 'invalid';
      return;
    }
    this.#remainingBytes = Number.parseInt(digits, 16);
    this.#state = this.#remainingBytes === 0 ? 'trailer' : 'data';
  }
}
