// The keys of one table or index: all of them while they are few, and of the hottest also what was asked of
// them by second. Memory is bounded: of too many keys the coldest are dropped (their units stay in the
// totals), and 256 keys have series.
import type { KeyState } from './key-state.ts';

/** Keys that are listed one by one; beyond, the colder half is dropped. */
export const MAX_LISTED_KEYS = 200_000;
/** Keys whose demand is kept by second. */
export const MAX_HEAVY_KEYS = 256;
/** Requests after which a key is first compared with the heavy ones; then each time they have doubled. */
const FIRST_COMPARISON = 16;
/**
 * A newcomer must be this much hotter than the coldest heavy key to take its place, lest two keys take turns.
 */
const TAKEOVER_RATIO = 2;

/** A count of requests that no key meets again. */
const NEVER = 0;

/** How many keys are kept at most, and how many of those with a series by second. */
export interface KeyListBounds {
  readonly maxListedKeys: number;
  readonly maxHeavyKeys: number;
}

/** The keys of one table or index that were asked for, found by their text. */
export class KeyList {
  readonly #keys = new Map<string, KeyState>();
  readonly #heavy: KeyState[] = [];
  readonly #bounds: KeyListBounds;
  #added = 0;
  /**
   * At most the heat of the coldest heavy key: heat only rises, so that an old minimum stays a lower bound.
   */
  #coldestHeat = 0;
  #isExact = true;

  constructor(bounds: KeyListBounds) {
    this.#bounds = bounds;
  }

  /** False once keys were dropped: a dropped key that comes again counts as a new one. */
  get isExact(): boolean {
    return this.#isExact;
  }

  /** Keys seen; an upper bound where not exact. */
  get distinctCount(): number {
    return this.#added;
  }

  get listed(): Iterable<KeyState> {
    return this.#keys.values();
  }

  get heavy(): readonly KeyState[] {
    return this.#heavy;
  }

  get(text: string): KeyState | undefined {
    return this.#keys.get(text);
  }

  add(key: KeyState): void {
    if (this.#keys.size >= this.#bounds.maxListedKeys) this.#dropColderHalf();
    key.compareAtRequest = FIRST_COMPARISON;
    this.#keys.set(key.text, key);
    this.#added++;
  }

  /** Makes a listed key a heavy one while there is room, whatever was asked of it. */
  keepHeavy(key: KeyState): void {
    if (key.isHeavy || this.#heavy.length >= this.#bounds.maxHeavyKeys) return;
    this.#heavy.push(key);
    this.#watch(key);
  }

  /**
   * Adds the demand of one request to a key's heat, and sees now and then whether it has become a heavy one.
   */
  warm(key: KeyState, heat: number): void {
    key.heat += heat;
    key.requests++;
    if (key.requests === key.compareAtRequest) this.#compare(key);
  }

  #compare(key: KeyState): void {
    const heavy = this.#heavy;
    if (heavy.length < this.#bounds.maxHeavyKeys) {
      this.keepHeavy(key);
      return;
    }
    key.compareAtRequest *= 2;
    if (key.heat <= TAKEOVER_RATIO * this.#coldestHeat) return;
    const coldest = heavy.reduce(
      (index, _, at) => (heatAt(heavy, at) < heatAt(heavy, index) ? at : index),
      0,
    );
    this.#coldestHeat = heatAt(heavy, coldest);
    if (key.heat <= TAKEOVER_RATIO * this.#coldestHeat) return;
    unwatch(heavy[coldest] as KeyState);
    heavy[coldest] = key;
    this.#watch(key);
  }

  #watch(key: KeyState): void {
    key.isHeavy = true;
    key.compareAtRequest = NEVER;
    key.read?.watch();
    key.write?.watch();
    if (key.isListed) return;
    key.isListed = true;
    this.#keys.set(key.text, key);
  }

  #dropColderHalf(): void {
    this.#isExact = false;
    const heats = Float64Array.from(this.#keys.values(), (key) => key.heat).sort();
    const limit = heats[heats.length >> 1] as number;
    let left = heats.length >> 1;
    for (const key of this.#keys.values()) {
      if (left === 0) return;
      if (key.isHeavy || key.heat > limit) continue;
      key.isListed = false;
      this.#keys.delete(key.text);
      left--;
    }
  }
}

/** A key that is cut inside is never let go: requests go to its parts, so that it could not come back. */
function heatAt(keys: readonly KeyState[], index: number): number {
  const { sorts, heat } = keys[index] as KeyState;
  return sorts?.isCut === true ? Number.POSITIVE_INFINITY : heat;
}

function unwatch(key: KeyState): void {
  key.isHeavy = false;
  key.compareAtRequest = 2 * key.requests;
  key.read?.unwatch();
  key.write?.unwatch();
}
