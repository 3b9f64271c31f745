// Writes CBOR as answers need it: objects and lists of known length, numbers as doubles unless they are counts.
// @see RFC 8949 section 3, https://www.rfc-editor.org/rfc/rfc8949, read 2026-11-30
import { Entries, isList, Timestamp, WholeNumber, type WireValue } from '../wire-values.ts';

/** What a data item is: the three highest bits of its first byte. */
export const major = {
  whole: 0,
  negative: 1,
  bytes: 2,
  text: 3,
  list: 4,
  map: 5,
  tag: 6,
  simple: 7,
} as const;
type Major = (typeof major)[keyof typeof major];

/** The tag of seconds since 1970. */
export const EPOCH_TAG = 1;

/** First bytes of what needs no argument, and of a double. */
const FALSE = 0xf4;
const TRUE = 0xf5;
const DOUBLE = 0xfb;

/** A value in CBOR. */
export function encodeCbor(value: WireValue): Buffer {
  const writer = new CborWriter();
  writer.write(value);
  return writer.bytes;
}

class CborWriter {
  #buffer: Buffer = Buffer.allocUnsafe(1_024);
  #length = 0;

  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  write(value: WireValue): void {
    if (typeof value === 'string') this.#text(value);
    else if (typeof value === 'number') this.#double(value);
    else if (typeof value === 'boolean') this.#byte(value ? TRUE : FALSE);
    else if (value instanceof Timestamp) {
      this.#head(major.tag, EPOCH_TAG);
      // A double even where it is whole: some readers take nothing else behind this tag.
      this.#double(value.seconds);
    } else if (value instanceof WholeNumber) this.#head(major.whole, value.value);
    else if (value instanceof Entries) this.#map(value.pairs);
    else if (isList(value)) {
      this.#head(major.list, value.length);
      for (const each of value) this.write(each);
    } else this.#map(Object.entries(value));
  }

  #map(pairs: readonly (readonly [string, WireValue | undefined])[]): void {
    const present = pairs.filter(([, value]) => value !== undefined);
    this.#head(major.map, present.length);
    for (const [name, value] of present) {
      this.#text(name);
      this.write(value as WireValue); // Those that are undefined are out.
    }
  }

  #text(text: string): void {
    const length = Buffer.byteLength(text);
    this.#head(major.text, length);
    this.#reserve(length);
    this.#buffer.write(text, this.#length);
    this.#length += length;
  }

  #double(value: number): void {
    this.#byte(DOUBLE);
    this.#reserve(8);
    this.#length = this.#buffer.writeDoubleBE(value, this.#length);
  }

  /** The first byte and its argument, in as few bytes as it takes. */
  #head(kind: Major, argument: number): void {
    const first = kind << 5;
    this.#reserve(9);
    if (argument < 24) {
      this.#byte(first + argument);
    } else if (argument < 0x100) {
      this.#byte(first + 24);
      this.#byte(argument);
    } else if (argument < 0x1_0000) {
      this.#byte(first + 25);
      this.#length = this.#buffer.writeUInt16BE(argument, this.#length);
    } else if (argument < 0x1_0000_0000) {
      this.#byte(first + 26);
      this.#length = this.#buffer.writeUInt32BE(argument, this.#length);
    } else {
      this.#byte(first + 27);
      this.#length = this.#buffer.writeBigUInt64BE(BigInt(argument), this.#length);
    }
  }

  #byte(byte: number): void {
    this.#reserve(1);
    this.#buffer[this.#length++] = byte;
  }

  #reserve(length: number): void {
    if (this.#length + length <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * this.#buffer.length, this.#length + length));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}
