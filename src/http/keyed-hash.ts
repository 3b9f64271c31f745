// HMAC-SHA-256 with one key over many short texts. `createHmac` makes an object and a key for each text,
// which takes twice as long as the two hashes themselves (2.1 µs beside 1.1 µs for a signature of AWS).
// @see RFC 2104 section 2, https://www.rfc-editor.org/rfc/rfc2104#section-2, read 2026-11-30
import { hash } from 'node:crypto';

const BLOCK_BYTES = 64;
const HASH_BYTES = 32;
const INNER_PAD = 0x36;
const OUTER_PAD = 0x5c;

/** Longest text that a hash is made of without `Buffer.from`; what AWS has one sign is half of it. */
const MAX_TEXT_BYTES = 512;

/** One key, made ready for many texts; its buffers serve one text after the other. */
export class KeyedHash {
  readonly #inner = Buffer.alloc(BLOCK_BYTES + MAX_TEXT_BYTES);
  readonly #outer = Buffer.alloc(BLOCK_BYTES + HASH_BYTES);
  /** Texts come in few lengths: a view of the inner buffer for each. */
  readonly #views = new Map<number, Buffer>();

  /** @param key  at most 64 bytes */
  constructor(key: Buffer) {
    for (let index = 0; index < BLOCK_BYTES; index++) {
      const byte = key[index] ?? 0;
      this.#inner[index] = byte ^ INNER_PAD;
      this.#outer[index] = byte ^ OUTER_PAD;
    }
  }

  /** The HMAC of an ASCII text of at most 512 characters, in hexadecimal. */
  hex(text: string): string {
    this.#inner.write(text, BLOCK_BYTES, 'latin1');
    this.#outer.write(hash('sha256', this.#innerOf(text.length), 'binary'), BLOCK_BYTES, 'latin1');
    return hash('sha256', this.#outer, 'hex');
  }

  #innerOf(textBytes: number): Buffer {
    let view = this.#views.get(textBytes);
    if (view === undefined) {
      view = this.#inner.subarray(0, BLOCK_BYTES + textBytes);
      this.#views.set(textBytes, view);
    }
    return view;
  }
}
