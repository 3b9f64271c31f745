// The bytes of a histogram: HdrHistogram's V2 format inside a zlib stream inside base64, which every
// HdrHistogram tool reads. Written by our own few lines with stored (not deflated) blocks, because the
// deflate of different Node versions and processors gives different bytes for equal counts, and equal runs
// must be equal files everywhere. It costs a third to a half more text.
import { decodeFromCompressedBase64, type JsHistogram } from 'hdr-histogram-js';
import { DynoLoadError } from '../errors.ts';

const PLAIN_COOKIE = 0x1c849313;
const COMPRESSED_COOKIE = 0x1c849314;
const SIGNIFICANT_DIGITS = 3;
const LOWEST_DISCERNIBLE = 1;
const ONE_AS_DOUBLE_HIGH_WORD = 0x3ff00000;
const STORED_BLOCK_BYTES = 65_535;
const ADLER_MODULUS = 65_521;

/** A bucket that holds something: any value of the bucket, in µs, and how often such values were recorded. */
export interface FilledBucket {
  readonly valueUs: number;
  readonly count: number;
}

/**
 * Counts of a three-digit histogram as compressed V2 base64. Equal counts give equal text on every platform.
 * @param counts  by bucket index; counts up to 2^52
 * @param length  how many of them to write: one more than the last index that is not zero
 * @param highestUs  the highest value that the last bucket stands for; readers size their arrays by it
 */
export function encodeCounts(counts: Float64Array, length: number, highestUs: number): string {
  const payload: number[] = [];
  for (let index = 0; index < length; index++) {
    const start = index;
    while (index < length && counts[index] === 0) index++;
    const zeros = index - start;
    if (zeros > 0) pushZigZag(payload, zeros === 1 ? 0 : -zeros);
    if (index < length) pushZigZag(payload, counts[index] as number);
  }
  const bytes: number[] = [];
  pushInt32(bytes, PLAIN_COOKIE);
  pushInt32(bytes, payload.length);
  pushInt32(bytes, 0);
  pushInt32(bytes, SIGNIFICANT_DIGITS);
  pushInt64(bytes, LOWEST_DISCERNIBLE);
  pushInt64(bytes, highestUs);
  pushInt32(bytes, ONE_AS_DOUBLE_HIGH_WORD);
  pushInt32(bytes, 0);
  for (const byte of payload) bytes.push(byte);
  return toBase64(wrap(bytes));
}

/**
 * The filled buckets of a histogram in compressed V2 base64, whoever wrote it and with however many digits.
 * @throws DynoLoadError RUN_FOLDER_INVALID where the text is no such histogram
 */
export function decodeCounts(text: string): FilledBucket[] {
  const histogram = readForeign(text);
  const filled: FilledBucket[] = [];
  for (let index = 0; index < histogram.countsArrayLength; index++) {
    const count = histogram.getCountAtIndex(index);
    if (count > 0)
      filled.push({ valueUs: histogram.medianEquivalentValue(histogram.valueFromIndex(index)), count });
  }
  return filled;
}

// 64-bit counters: the library does not notice when its 32-bit ones wrap. WebAssembly histograms are never
// used: they must be freed by hand.
function readForeign(text: string): JsHistogram {
  try {
    // With the WebAssembly flag off the library builds its plain class, which its return type does not say.
    return decodeFromCompressedBase64(text, 64, false) as JsHistogram;
  } catch (cause) {
    throw new DynoLoadError('RUN_FOLDER_INVALID', {
      what: `a recorded histogram cannot be read: "${text.slice(0, 24)}…"`,
      why: 'it is not a compressed HdrHistogram V2 in base64, or it was cut off or changed',
      fix: 'run the scenario again, or restore the file',
      cause,
    });
  }
}

/** ZigZag, then little-endian groups of seven bits; at most nine bytes, the ninth with all eight bits. */
function pushZigZag(bytes: number[], value: number): void {
  let rest = value >= 0 ? value * 2 : -value * 2 - 1;
  while (rest >= 128) {
    bytes.push((rest % 128) | 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
}

function pushInt32(bytes: number[], value: number): void {
  bytes.push((value >>> 24) & 255, (value >>> 16) & 255, (value >>> 8) & 255, value & 255);
}

function pushInt64(bytes: number[], value: number): void {
  pushInt32(bytes, Math.floor(value / 0x1_0000_0000));
  pushInt32(bytes, value % 0x1_0000_0000);
}

function wrap(content: readonly number[]): number[] {
  const stream = storeAsZlib(content);
  const bytes: number[] = [];
  pushInt32(bytes, COMPRESSED_COOKIE);
  pushInt32(bytes, stream.length);
  for (const byte of stream) bytes.push(byte);
  return bytes;
}

/**
 * A zlib stream of stored blocks (RFC 1950 and 1951): header, blocks with their length and its complement,
 * Adler-32.
 */
function storeAsZlib(content: readonly number[]): number[] {
  const bytes = [0x78, 0x01];
  for (let from = 0; from < content.length; from += STORED_BLOCK_BYTES) {
    const length = Math.min(STORED_BLOCK_BYTES, content.length - from);
    const isLast = from + length === content.length;
    bytes.push(isLast ? 1 : 0, length & 255, length >>> 8, ~length & 255, (~length >>> 8) & 255);
    for (let index = from; index < from + length; index++) bytes.push(content[index] as number);
  }
  pushInt32(bytes, adler32(content));
  return bytes;
}

function adler32(content: readonly number[]): number {
  let low = 1;
  let high = 0;
  for (const byte of content) {
    low = (low + byte) % ADLER_MODULUS;
    high = (high + low) % ADLER_MODULUS;
  }
  return (high << 16) | low;
}

function toBase64(bytes: readonly number[]): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
