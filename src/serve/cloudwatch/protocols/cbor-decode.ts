// Reads CBOR as requests come in it: well-formed items whose maps have texts as keys. Whatever else comes is
// an error: bytes are never read past their end, nor memory taken for lengths that are only claimed.
// @see RFC 8949 section 3 and appendix A, https://www.rfc-editor.org/rfc/rfc8949, read 2026-11-30
import { isUtf8 } from 'node:buffer';
import { Timestamp } from '../wire-values.ts';
import { EPOCH_TAG, major } from './cbor-encode.ts';

/** Thrown where bytes are not CBOR, or none of ours; its message goes on behind a colon. */
export class CborError extends Error {}

/** Items within items; requests have eight levels. */
const MAX_DEPTH = 32;
/**
 * Items and pieces of strings. 500 queries for metrics of 30 dimensions, the most that an operation takes,
 * are 60,000.
 */
const MAX_ITEMS = 200_000;
/** In place of an argument: the length is not known beforehand. */
const INDEFINITE = 31;
/** Ends what is of indefinite length. */
const BREAK = 0xff;

/**
 * The one item that the bytes are. Maps become objects, numbers the nearest double, epoch times a Timestamp; other
 * tags are left out, `undefined` is null, and byte strings stay bytes.
 * @throws CborError
 */
export function decodeCbor(bytes: Buffer): unknown {
  const reader = new CborReader(bytes);
  const value = reader.read(0);
  if (!reader.isAtEnd) throw new CborError('there are bytes behind its end');
  return value;
}

class CborReader {
  readonly #bytes: Buffer;
  #at = 0;
  #itemCount = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  read(depth: number): unknown {
    if (depth > MAX_DEPTH) throw new CborError(`it has more than ${MAX_DEPTH} levels`);
    this.#countItem();
    const first = this.#byte();
    const info = first & 31;
    switch (first >> 5) {
      case major.whole:
        return this.#argument(info);
      case major.negative:
        return -1 - this.#argument(info);
      case major.bytes:
        return this.#string(major.bytes, info);
      case major.text:
        return this.#text(info);
      case major.list:
        return this.#list(info, depth);
      case major.map:
        return this.#map(info, depth);
      case major.tag:
        return this.#tagged(this.#argument(info), depth);
      default:
        return this.#simple(info);
    }
  }

  #list(info: number, depth: number): unknown[] {
    const values: unknown[] = [];
    for (let left = this.#count(info); !this.#isOver(left); left--) values.push(this.read(depth + 1));
    return values;
  }

  #map(info: number, depth: number): object {
    const members: [string, unknown][] = [];
    for (let left = this.#count(info); !this.#isOver(left); left--) {
      const first = this.#byte();
      if (first >> 5 !== major.text) throw new CborError('a key is no text');
      members.push([this.#text(first & 31), this.read(depth + 1)]);
    }
    // Defines members, whatever their names: none is taken for a prototype.
    return Object.fromEntries(members);
  }

  /** How many items follow; without end where that is not known. */
  #count(info: number): number {
    return info === INDEFINITE ? Number.POSITIVE_INFINITY : this.#argument(info);
  }

  /** Whether there is no further item; takes the sign that says so. */
  #isOver(left: number): boolean {
    if (Number.isFinite(left)) return left <= 0;
    if (this.#bytes[this.#at] !== BREAK) return false;
    this.#at++;
    return true;
  }

  #tagged(tag: number, depth: number): unknown {
    const value = this.read(depth + 1);
    if (tag !== EPOCH_TAG) return value;
    if (typeof value !== 'number') throw new CborError('a time is no number');
    return new Timestamp(value);
  }

  #text(info: number): string {
    const bytes = this.#string(major.text, info);
    if (!isUtf8(bytes)) throw new CborError('a text is not UTF-8');
    return bytes.toString();
  }

  /** The bytes of a string, put together where it comes in pieces. */
  #string(kind: number, info: number): Buffer {
    if (info !== INDEFINITE) return this.#take(this.#argument(info));
    const pieces: Buffer[] = [];
    for (let first = this.#byte(); first !== BREAK; first = this.#byte()) {
      if (first >> 5 !== kind) throw new CborError('a string has a piece of another kind');
      this.#countItem();
      pieces.push(this.#take(this.#argument(first & 31)));
    }
    return Buffer.concat(pieces);
  }

  /** Millions of items would keep all others waiting for seconds. */
  #countItem(): void {
    this.#itemCount++;
    if (this.#itemCount > MAX_ITEMS) throw new CborError(`it has more than ${MAX_ITEMS} items`);
  }

  #simple(info: number): unknown {
    switch (info) {
      case 20:
        return false;
      case 21:
        return true;
      case 22:
      case 23:
        return null;
      case 25:
        return half(this.#take(2).readUInt16BE());
      case 26:
        return this.#take(4).readFloatBE();
      case 27:
        return this.#take(8).readDoubleBE();
      default:
        throw new CborError(`there is no simple value ${info}`);
    }
  }

  #argument(info: number): number {
    if (info < 24) return info;
    switch (info) {
      case 24:
        return this.#byte();
      case 25:
        return this.#take(2).readUInt16BE();
      case 26:
        return this.#take(4).readUInt32BE();
      case 27:
        return Number(this.#take(8).readBigUInt64BE());
      default:
        throw new CborError(`no item begins with ${info} in its low bits here`);
    }
  }

  #byte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw new CborError('it ends too soon');
    this.#at++;
    return byte;
  }

  #take(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new CborError('it ends too soon');
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }
}

/** A floating-point number of 16 bits: sign, five bits of exponent, ten of fraction. */
function half(bits: number): number {
  const sign = bits >> 15 === 0 ? 1 : -1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1_023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1_024 + fraction) * 2 ** (exponent - 25);
}
