// One definition of suffixed keys for the writer and the reader: `STATUS#PENDING#0` … `STATUS#PENDING#9`.
import { DynoLoadError } from '../errors.ts';
import type { Random } from '../prng.ts';

/** The keys that one logical key is spread over. */
export interface Shards {
  /** All keys in the order of their suffixes; the base alone for one shard. */
  readonly keys: readonly string[];
  /**
   * A shard by chance; one draw whatever the count, so that variants with other counts draw the same numbers
   * afterwards.
   */
  random(random: Random): string;
  /** The shard that belongs to a value, always the same one: a calculated suffix. */
  of(value: string | number): string;
}

/** How suffixes look and how values choose among them. */
export interface ShardOptions {
  /** Between base and suffix; `#` unless given. */
  readonly separator?: string;
  /** The first suffix; 0 unless given. */
  readonly firstSuffix?: number;
  /** Suffixes are filled with zeros on the left to this many digits. */
  readonly width?: number;
  /**
   * A whole number for a value; its remainder by the count chooses the shard. `hashShardValue` unless given.
   */
  hash?(value: string): number;
}

const MOST_SHARDS = 100_000;

// Scenario files call shards(...) for every operation, mostly with few bases; equal calls get the same
// object. Bases that differ for each operation (a tenant, a minute) would fill the cache: it is emptied when
// full.
const known = new Map<string, ShardSet[]>();
const MOST_BASES = 1_024;
const MOST_FORMS = 16;

/**
 * The shards of a key.
 * @param count  whole number 1 … 100,000; with 1 the base itself is the only key, without a suffix
 * @throws DynoLoadError SCENARIO_INVALID
 */
export function shards(base: string, count: number, options?: ShardOptions): Shards {
  const ofBase = known.get(base);
  if (ofBase !== undefined)
    for (const candidate of ofBase) if (candidate.isFor(count, options)) return candidate;
  const made = new ShardSet(base, count, options);
  if (ofBase !== undefined && ofBase.length < MOST_FORMS) ofBase.push(made);
  else {
    if (known.size >= MOST_BASES) known.clear();
    known.set(base, [made]);
  }
  return made;
}

/**
 * The default hash for calculated suffixes, the same on all platforms and in all releases: FNV-1a (32 bits,
 * offset 2166136261, prime 16777619) over the value's UTF-8 bytes, then the finisher h ^= h >>> 16, h *=
 * 0x85ebca6b, h ^= h >>> 13, h *= 0xc2b2ae35, h ^= h >>> 16 in 32 bits, without which values that differ in
 * their last digit would fall into a pattern.
 * @returns 0 … 2^32 − 1; lone surrogates count as U+FFFD, as in every UTF-8 encoder
 */
export function hashShardValue(value: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < value.length; index++) {
    const unit = value.charCodeAt(index);
    if (unit < 0x80) {
      hash = Math.imul(hash ^ unit, 0x01000193);
      continue;
    }
    const isPair = unit >= 0xd800 && unit < 0xdc00 && isLowSurrogate(value.charCodeAt(index + 1));
    const isLone = !isPair && unit >= 0xd800 && unit < 0xe000;
    hash = addCodePoint(hash, isLone ? 0xfffd : (value.codePointAt(index) as number));
    if (isPair) index++;
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}

/** Adds the UTF-8 bytes of a code point above 0x7f. */
function addCodePoint(start: number, codePoint: number): number {
  const followers = codePoint < 0x800 ? 1 : codePoint < 0x10000 ? 2 : 3;
  const lead = [0xc0, 0xe0, 0xf0][followers - 1] as number;
  let hash = Math.imul(start ^ (lead | (codePoint >>> (6 * followers))), 0x01000193);
  for (let shift = 6 * (followers - 1); shift >= 0; shift -= 6)
    hash = Math.imul(hash ^ (0x80 | ((codePoint >>> shift) & 0x3f)), 0x01000193);
  return hash;
}

/** Makes each key when it is first wanted: a base used once does not pay for all its keys. */
class ShardSet implements Shards {
  readonly #prefix: string;
  readonly #count: number;
  readonly #separator: string;
  readonly #firstSuffix: number;
  readonly #width: number;
  readonly #hash: (value: string) => number;
  readonly #keys: (string | undefined)[];

  constructor(base: string, count: number, options: ShardOptions = {}) {
    const { separator = '#', firstSuffix = 0, width = 0, hash = hashShardValue } = options;
    check(base, count, { firstSuffix, width });
    this.#prefix = count === 1 ? base : base + separator;
    this.#count = count;
    this.#separator = separator;
    this.#firstSuffix = firstSuffix;
    this.#width = width;
    this.#hash = hash;
    this.#keys = new Array<string | undefined>(count).fill(undefined);
  }

  get keys(): readonly string[] {
    for (let index = 0; index < this.#count; index++) this.#key(index);
    // Every place has just been filled.
    return this.#keys as string[];
  }

  random(random: Random): string {
    return this.#key(random.int(this.#count));
  }

  of(value: string | number): string {
    const hash = this.#hash(String(value));
    const index = hash % this.#count;
    if (!Number.isInteger(index))
      throw new DynoLoadError('SCENARIO_INVALID', {
        what: `the hash of shards('${this.#prefix}…') gave ${hash} for ${JSON.stringify(value)}`,
        why: 'the remainder of a hash chooses the shard, so a hash is a whole number',
        fix: 'return an integer, or leave hash out for the built-in one',
      });
    return this.#key(index < 0 ? index + this.#count : index);
  }

  /** Whether a call with these arguments means this set. */
  isFor(count: number, options: ShardOptions | undefined): boolean {
    return (
      count === this.#count &&
      this.#separator === (options?.separator ?? '#') &&
      this.#firstSuffix === (options?.firstSuffix ?? 0) &&
      this.#width === (options?.width ?? 0) &&
      this.#hash === (options?.hash ?? hashShardValue)
    );
  }

  #key(index: number): string {
    return (this.#keys[index] ??= this.#makeKey(index));
  }

  #makeKey(index: number): string {
    if (this.#count === 1) return this.#prefix;
    const suffix = String(this.#firstSuffix + index);
    return this.#prefix + (this.#width === 0 ? suffix : suffix.padStart(this.#width, '0'));
  }
}

function check(base: string, count: number, { firstSuffix, width }: { firstSuffix: number; width: number }) {
  const isCount = Number.isInteger(count) && count >= 1 && count <= MOST_SHARDS;
  const isSuffix = Number.isInteger(firstSuffix) && firstSuffix >= 0;
  const isWidth = Number.isInteger(width) && width >= 0 && width <= 32;
  if (typeof base === 'string' && base !== '' && isCount && isSuffix && isWidth) return;
  throw new DynoLoadError('SCENARIO_INVALID', {
    what: `shards(${JSON.stringify(base)}, ${count}, { firstSuffix: ${firstSuffix}, width: ${width} })`,
    why: `base is text, count a whole number 1 … ${MOST_SHARDS}, firstSuffix one from 0 on, width one of 0 … 32`,
    fix: "write for example shards('STATUS#PENDING', 10)",
  });
}
