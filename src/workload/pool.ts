// What the run itself wrote and may read back: only writes that were acknowledged, the newest of them, in a
// ring.
import { DynoLoadError } from '../errors.ts';
import type { Random } from '../prng.ts';
import type { Context, Item } from './item.ts';
import type { Distribution } from './distribution.ts';
import { pickIndex } from './key-distribution.ts';

/**
 * Acknowledged writes. With an empty pool `pick` and `take` throw `PoolEmpty`, which ends the operation as
 * `skipped`.
 */
export interface Pool<E> {
  /**
   * An entry by chance, by exactly one draw; it stays in the pool. The oldest has index 0; `latest()` prefers
   * the newest.
   */
  pick(random: Random, by?: Distribution): E;
  /** Takes the oldest entry out, so that no other operation gets it. */
  take(): E;
}

/** Which pool a write goes to once it is acknowledged, and as what. */
export interface Remember<E> {
  readonly in: Pool<E>;
  as(item: Item, context: Context): E;
}

const KEPT_UNLESS_GIVEN = 10_000;

// Symbols of the registry and not `instanceof`: a scenario may have loaded another copy of this module.
const addSymbol = Symbol.for('dyno-load.pool.add');
const emptySymbol = Symbol.for('dyno-load.pool.empty');

/** Thrown where a pool has nothing to give. Not a failure: the engine records the operation as skipped. */
export class PoolEmpty extends Error {
  readonly [emptySymbol] = true;

  constructor() {
    super('the pool is empty: nothing that feeds it has been acknowledged yet, or all was taken');
    this.name = 'PoolEmpty';
  }
}

// One for all: an empty pool may be asked thousands of times a second, and a new error each time would record
// a stack.
const poolEmpty = new PoolEmpty();

/** Whether an error means that a pool was empty, whichever copy of this module threw it. */
export function isPoolEmpty(error: unknown): boolean {
  return typeof error === 'object' && error !== null && emptySymbol in error;
}

/**
 * A pool of acknowledged writes.
 * @param keep  how many of the newest are kept; whole number ≥ 1
 * @throws DynoLoadError SCENARIO_INVALID
 */
export function pool<E>({ keep = KEPT_UNLESS_GIVEN }: { keep?: number } = {}): Pool<E> {
  if (!Number.isSafeInteger(keep) || keep < 1)
    throw new DynoLoadError('SCENARIO_INVALID', {
      what: `pool({ keep: ${keep} })`,
      why: 'a pool keeps a whole number of entries, at least one',
      fix: `set keep to 1 or more, or leave it out for ${KEPT_UNLESS_GIVEN}`,
    });
  return new Ring<E>(keep);
}

/** Whether a member of a scenario's `data` is a pool, whichever copy of this module made it. */
export function isPool(value: unknown): value is Pool<unknown> {
  return typeof value === 'object' && value !== null && addSymbol in value;
}

/**
 * Adds an acknowledged write; when the pool is full the oldest gives way. For the engine, not for scenarios.
 */
export function addToPool<E>(to: Pool<E>, entry: E): void {
  // The symbol is set on our own class only, and there it is this method.
  if (addSymbol in to) (to as Ring<E>)[addSymbol](entry);
}

/** A ring of at most `keep` entries that grows up to that. */
class Ring<E> implements Pool<E> {
  readonly #keep: number;
  #entries: (E | undefined)[] = [];
  #first = 0;
  #size = 0;

  constructor(keep: number) {
    this.#keep = keep;
  }

  [addSymbol](entry: E): void {
    if (this.#size === this.#entries.length && this.#size < this.#keep) this.#grow();
    const place = (this.#first + this.#size) % this.#entries.length;
    this.#entries[place] = entry;
    if (this.#size < this.#entries.length) this.#size++;
    else this.#first = (this.#first + 1) % this.#entries.length;
  }

  pick(random: Random, by?: Distribution): E {
    if (this.#size === 0) throw poolEmpty;
    const index = pickIndex(by, random, this.#size);
    // Places from #first on hold entries, as many as #size says.
    return this.#entries[(this.#first + index) % this.#entries.length] as E;
  }

  take(): E {
    if (this.#size === 0) throw poolEmpty;
    const entry = this.#entries[this.#first] as E;
    this.#entries[this.#first] = undefined;
    this.#first = (this.#first + 1) % this.#entries.length;
    this.#size--;
    return entry;
  }

  /** Doubles the room, with the oldest entry at the front again. */
  #grow(): void {
    const inOrder = [...this.#entries.slice(this.#first), ...this.#entries.slice(0, this.#first)];
    inOrder.length = Math.min(this.#keep, Math.max(16, 2 * inOrder.length));
    this.#entries = inOrder;
    this.#first = 0;
  }
}
