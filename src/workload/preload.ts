// Items that are in place before load starts. They are regenerated from their index whenever needed and never
// stored: a reader of the 50,000th item makes that one item again. Writing them to a table is the target's
// part.
import { DynoLoadError } from '../errors.ts';
import { CounterRandom, type Random, type StreamKey, streamKey } from '../prng.ts';
import type { Item } from './item.ts';
import type { Distribution } from './distribution.ts';
import { tellChoice } from './key-choice.ts';
import { pickIndex } from './key-distribution.ts';

/** What the generator of preloaded items knows. */
export interface PreloadContext {
  readonly index: number;
  /** Numbers that depend only on the seed, the preload's name and `index`. */
  readonly random: Random;
  /** When load starts. */
  readonly nowIso: string;
}

/** Items that are in a table before load; item `index` is made anew wherever it is needed, and never kept. */
export interface PreloadSpec<I extends Item> {
  /** The logical table; the scenario's only one where absent. */
  readonly table?: string;
  /** Whole number ≥ 0. */
  readonly count: number;
  item(context: PreloadContext): I;
}

/** Preloaded items by index. */
export interface Preload<I> {
  /** The logical table; the scenario's only one where undefined. */
  readonly table: string | undefined;
  readonly count: number;
  /** The item with this index, 0 … count − 1, made anew. @throws DynoLoadError SCENARIO_INVALID */
  at(index: number): I;
  /**
   * An item by chance, by exactly one draw; all alike unless a distribution is given. Index 0 is the hottest,
   * and the oldest.
   */
  pick(random: Random, by?: Distribution): I;
}

/** What a preload learns when its scenario is planned. */
export interface PreloadBinding {
  /** The member of `data` that holds it. */
  readonly name: string;
  readonly seed: number;
  readonly startsAtMs: number;
}

const unbound: PreloadBinding = { name: '', seed: 1, startsAtMs: Date.UTC(2026, 0, 1) };

// A symbol of the registry and not `instanceof`: a scenario may have loaded another copy of this module.
const bindSymbol = Symbol.for('dyno-load.preload.bind');

/**
 * Items to put in place before load.
 * @throws DynoLoadError SCENARIO_INVALID where the count is not a whole number ≥ 0
 */
export function preload<I extends Item>(spec: PreloadSpec<I>): Preload<I> {
  if (!Number.isSafeInteger(spec.count) || spec.count < 0)
    throw new DynoLoadError('SCENARIO_INVALID', {
      what: `preload({ count: ${spec.count} })`,
      why: 'a preload has a whole number of items',
      fix: 'set count to 0, 1, 2 …',
    });
  return new GeneratedItems(spec);
}

/** Whether a member of a scenario's `data` is a preload, whichever copy of this module made it. */
export function isPreload(value: unknown): value is Preload<Item> {
  return typeof value === 'object' && value !== null && bindSymbol in value;
}

/**
 * Tells a preload its name, seed and start: from then on it makes the items of that run. Does nothing to
 * other values.
 */
export function bindPreload(bound: Preload<Item>, binding: PreloadBinding): void {
  // The symbol is set on our own class only, and there it is this method.
  if (bindSymbol in bound) (bound as GeneratedItems<Item>)[bindSymbol](binding);
}

class GeneratedItems<I extends Item> implements Preload<I> {
  readonly table: string | undefined;
  readonly count: number;
  readonly #item: (context: PreloadContext) => I;
  #stream: StreamKey = { high: 0, low: 0 };
  #random = new CounterRandom(this.#stream);
  #nowIso = '';
  #name = '';
  #isMaking = false;

  constructor(spec: PreloadSpec<I>) {
    this.table = spec.table;
    this.count = spec.count;
    this.#item = (context) => spec.item(context);
    this[bindSymbol](unbound);
  }

  [bindSymbol]({ name, seed, startsAtMs }: PreloadBinding): void {
    this.#name = name;
    this.#stream = streamKey(seed, `preload:${name}`);
    this.#random = new CounterRandom(this.#stream);
    this.#nowIso = new Date(startsAtMs).toISOString();
  }

  at(index: number): I {
    if (!Number.isInteger(index) || index < 0 || index >= this.count) throw noSuchItem(index, this.count);
    // An item may be made out of another one of the same preload; the shared random numbers would lose their
    // place.
    if (this.#isMaking) return this.#make(index, new CounterRandom(this.#stream));
    this.#isMaking = true;
    try {
      return this.#make(index, this.#random);
    } finally {
      this.#isMaking = false;
    }
  }

  pick(random: Random, by?: Distribution): I {
    if (by !== undefined) tellChoice(random, by, this.#name, this.count);
    return this.at(this.count === 0 ? 0 : pickIndex(by, random, this.count));
  }

  #make(index: number, random: CounterRandom): I {
    return this.#item({ index, random: random.seek(index), nowIso: this.#nowIso });
  }
}

function noSuchItem(index: number, count: number): DynoLoadError {
  return new DynoLoadError('SCENARIO_INVALID', {
    what: `item ${index} of a preload with ${count} items was asked for`,
    why: 'items are numbered from 0 to count − 1',
    fix:
      count === 0 ? 'preload at least one item' : 'use preload.pick(random), or an index below preload.count',
  });
}
