// Random numbers as a pure function of (seed, stream, sequence, draw). There is no state to advance: the
// operation with sequence 7 of the workload `placeOrder` draws the same numbers whatever else runs, on any
// worker, in any order. Not for cryptography.

/**
 * What generators draw from. Each call consumes a fixed count of draws, so that one value's range never
 * shifts the next value.
 */
export interface Random {
  /** A whole number in 0 … belowExclusive − 1; throws a RangeError below 1. */
  int(belowExclusive: number): number;
  /** A number in [0, 1) with 53 bits. */
  float(): number;
  /** One element; throws a RangeError on an empty list. */
  pick<V>(from: readonly V[]): V;
  /** A version 4 UUID. */
  uuid(): string;
  /** A string of `length` characters out of 0–9 and a–z. */
  id(length: number): string;
}

const GOLDEN = 0x9e3779b9;

/**
 * A 32-bit mix with full avalanche (constants of the "lowbias32" family, found by exhaustive search by C.
 * Wellons, 2018).
 */
export function mix32(value: number): number {
  let h = value | 0;
  h = Math.imul(h ^ (h >>> 16), 0x21f0aaad);
  h = Math.imul(h ^ (h >>> 15), 0x735a2d97);
  return (h ^ (h >>> 15)) >>> 0;
}

/** A 32-bit hash of a text, keyed by `salt`. Both halves of each UTF-16 unit count. */
export function hashText(text: string, salt: number): number {
  let h = mix32(salt ^ GOLDEN);
  for (let index = 0; index < text.length; index++) {
    h = Math.imul(h ^ text.charCodeAt(index), 0x01000193);
    h ^= h >>> 13;
  }
  return mix32(h ^ text.length);
}

/** Two 32-bit words that name a stream of random numbers. */
export interface StreamKey {
  readonly high: number;
  readonly low: number;
}

/** The stream of (seed, name): one for each workload, preload or placement. */
export function streamKey(seed: number, name: string): StreamKey {
  const seedWord = mix32((seed >>> 0) ^ mix32(Math.floor(seed / 0x1_0000_0000)));
  return { high: hashText(name, seedWord), low: hashText(name, mix32(seedWord + GOLDEN)) };
}

/** Random numbers of one operation: set the place with `seek`, then draw. One object serves a whole workload. */
export class CounterRandom implements Random {
  readonly #stream: StreamKey;
  #high = 0;
  #low = 0;
  #draw = 0;
  #sequence = 0;

  constructor(stream: StreamKey) {
    this.#stream = stream;
    this.seek(0);
  }

  /**
   * Goes to the first draw of operation `sequence`; `offset` opens a disjoint range of draws for later
   * moments of the same operation.
   */
  seek(sequence: number, offset = 0): this {
    this.#sequence = sequence;
    const low = mix32((sequence | 0) ^ this.#stream.low);
    this.#low = low;
    this.#high = mix32(Math.floor(sequence / 0x1_0000_0000) ^ this.#stream.high ^ Math.imul(low, GOLDEN));
    this.#draw = offset;
    return this;
  }

  /** The operation whose numbers are drawn, as given to `seek`. */
  get sequence(): number {
    return this.#sequence;
  }

  #word(draw: number): number {
    return mix32(mix32((this.#low + Math.imul(draw, GOLDEN)) | 0) ^ this.#high);
  }

  float(): number {
    const draw = this.#draw++;
    const word = this.#word(draw);
    const second = mix32(word ^ this.#low ^ GOLDEN);
    return ((word >>> 5) * 67_108_864 + (second >>> 6)) / 9_007_199_254_740_992;
  }

  int(belowExclusive: number): number {
    if (!(belowExclusive >= 1))
      throw new RangeError(`random.int(${belowExclusive}) has no number to choose from`);
    return Math.floor(this.float() * belowExclusive);
  }

  pick<V>(from: readonly V[]): V {
    if (from.length === 0) throw new RangeError('random.pick needs at least one element');
    return from[this.int(from.length)] as V;
  }

  uuid(): string {
    let hex = '';
    for (let word = 0; word < 4; word++)
      hex += this.#word(this.#draw++)
        .toString(16)
        .padStart(8, '0');
    const variant = ((Number.parseInt(hex[16] as string, 16) & 0x3) | 0x8).toString(16);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
  }

  id(length: number): string {
    let text = '';
    while (text.length < length) text += this.int(60_466_176).toString(36).padStart(5, '0');
    return text.slice(0, length);
  }
}
