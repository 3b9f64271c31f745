// Which keys take how much: exact up to a bound of keys, beyond it a Space-Saving sketch (Metwally, Agrawal,
// El Abbadi: "Efficient Computation of Frequent and Top-k Elements in Data Streams", 2005) that never misses
// a key holding more than 1 ÷ bound of all.

/** One key. Its true amount lies between `amount − overcountAtMost` and `amount`. */
export interface KeyAmount {
  readonly key: string;
  readonly amount: number;
  readonly overcountAtMost: number;
}

/** All of a sketch in a form that threads can carry; keys side by side with their amounts. */
export interface HeavyHittersRecord {
  readonly maximumKeys: number;
  readonly total: number;
  readonly errorBound: number;
  readonly keys: readonly string[];
  readonly amounts: readonly number[];
  readonly overcounts: readonly number[];
}

/** Keys told apart exactly unless another bound is given. */
const MAXIMUM_KEYS = 100_000;

/** Amounts by key, mergeable. */
export class HeavyHitters {
  readonly maximumKeys: number;
  readonly #slots = new Map<string, number>();
  readonly #keys: string[] = [];
  readonly #amounts: number[] = [];
  readonly #overcounts: number[] = [];
  /** A binary heap of slots, least amount first; built when the first key must give way. */
  #heap: Int32Array | undefined;
  #places: Int32Array | undefined;
  #total = 0;
  #forgotten = 0;

  constructor(maximumKeys = MAXIMUM_KEYS) {
    this.maximumKeys = maximumKeys;
  }

  /** The sum of all amounts, always exact. */
  get total(): number {
    return this.#total;
  }

  /** Keys held; all keys ever seen while `isExact`. */
  get keyCount(): number {
    return this.#keys.length;
  }

  /** Whether every amount is exact, because no key had to give way. */
  get isExact(): boolean {
    return this.#forgotten === 0;
  }

  /**
   * The most that a key which is not held can have had, and the most by which a held one is overcounted: at
   * most total ÷ maximumKeys.
   */
  get errorBound(): number {
    return this.#forgotten;
  }

  /** Adds `amount` (> 0) to a key. */
  add(key: string, amount = 1): void {
    this.#total += amount;
    const slot = this.#slots.get(key);
    if (slot === undefined) this.#addNew(key, amount);
    else {
      (this.#amounts[slot] as number) += amount;
      if (this.#heap) this.#sink(this.#places?.[slot] as number);
    }
  }

  /** The amount of one key as far as known; for a key that is not held, nothing is known but `errorBound`. */
  amountOf(key: string): KeyAmount {
    const slot = this.#slots.get(key);
    return slot === undefined
      ? { key, amount: this.#forgotten, overcountAtMost: this.#forgotten }
      : this.#read(slot);
  }

  /** A key's share of the total, 0…1, never below the true one. */
  share(key: string): number {
    return this.#total === 0 ? 0 : this.amountOf(key).amount / this.#total;
  }

  /** The `count` largest keys, largest first; equal ones in the order of their text. */
  top(count: number): KeyAmount[] {
    return this.#all().slice(0, count);
  }

  /**
   * Adds all that `other` saw. While both are exact the order of merging makes no difference; the error
   * bounds add up.
   */
  merge(other: HeavyHitters): void {
    const merged = new Map<string, KeyAmount>();
    for (const ours of this.#all()) merged.set(ours.key, sum(ours, other.amountOf(ours.key)));
    for (const theirs of other.#all())
      if (!merged.has(theirs.key)) merged.set(theirs.key, sum(theirs, this.amountOf(theirs.key)));
    const sorted = [...merged.values()].sort(largestFirst);
    const bound = this.#forgotten + other.#forgotten;
    this.#total += other.#total;
    this.#replaceAll(sorted.slice(0, this.maximumKeys));
    this.#forgotten = Math.max(bound, sorted[this.maximumKeys]?.amount ?? 0);
  }

  toRecord(): HeavyHittersRecord {
    return {
      maximumKeys: this.maximumKeys,
      total: this.#total,
      errorBound: this.#forgotten,
      keys: [...this.#keys],
      amounts: [...this.#amounts],
      overcounts: [...this.#overcounts],
    };
  }

  /** The inverse of `toRecord`. */
  static fromRecord(record: HeavyHittersRecord): HeavyHitters {
    const { maximumKeys, total, errorBound, keys, amounts, overcounts } = record;
    const restored = new HeavyHitters(maximumKeys);
    for (const [slot, key] of keys.entries())
      restored.#append(key, amounts[slot] as number, overcounts[slot] as number);
    restored.#total = total;
    restored.#forgotten = errorBound;
    return restored;
  }

  #all(): KeyAmount[] {
    return this.#keys.map((_, slot) => this.#read(slot)).sort(largestFirst);
  }

  #read(slot: number): KeyAmount {
    return {
      key: this.#keys[slot] as string,
      amount: this.#amounts[slot] as number,
      overcountAtMost: this.#overcounts[slot] as number,
    };
  }

  #replaceAll(entries: readonly KeyAmount[]): void {
    this.#slots.clear();
    this.#keys.length = this.#amounts.length = this.#overcounts.length = 0;
    this.#heap = this.#places = undefined;
    for (const { key, amount, overcountAtMost } of entries) this.#append(key, amount, overcountAtMost);
  }

  #addNew(key: string, amount: number): void {
    if (this.#keys.length < this.maximumKeys) {
      this.#append(key, this.#forgotten + amount, this.#forgotten);
      return;
    }
    this.#heap ??= this.#buildHeap();
    const slot = this.#heap[0] as number;
    this.#forgotten = Math.max(this.#forgotten, this.#amounts[slot] as number);
    this.#slots.delete(this.#keys[slot] as string);
    this.#slots.set(key, slot);
    this.#keys[slot] = key;
    this.#amounts[slot] = this.#forgotten + amount;
    this.#overcounts[slot] = this.#forgotten;
    this.#sink(0);
  }

  #append(key: string, amount: number, overcount: number): void {
    this.#slots.set(key, this.#keys.length);
    this.#keys.push(key);
    this.#amounts.push(amount);
    this.#overcounts.push(overcount);
  }

  #buildHeap(): Int32Array {
    const heap = Int32Array.from(this.#keys.keys());
    this.#places = Int32Array.from(heap);
    this.#heap = heap;
    for (let place = (heap.length >> 1) - 1; place >= 0; place--) this.#sink(place);
    return heap;
  }

  /** Restores the heap after the amount at `place` grew; amounts never shrink. */
  #sink(place: number): void {
    const heap = this.#heap as Int32Array;
    const places = this.#places as Int32Array;
    const slot = heap[place] as number;
    const amount = this.#amounts[slot] as number;
    for (let child = 2 * place + 1; child < heap.length; child = 2 * place + 1) {
      if (child + 1 < heap.length && this.#amountAt(child + 1) < this.#amountAt(child)) child++;
      if (this.#amountAt(child) >= amount) break;
      heap[place] = heap[child] as number;
      places[heap[place] as number] = place;
      place = child;
    }
    heap[place] = slot;
    places[slot] = place;
  }

  #amountAt(place: number): number {
    return this.#amounts[(this.#heap as Int32Array)[place] as number] as number;
  }
}

function sum(left: KeyAmount, right: KeyAmount): KeyAmount {
  return {
    key: left.key,
    amount: left.amount + right.amount,
    overcountAtMost: left.overcountAtMost + right.overcountAtMost,
  };
}

function largestFirst(left: KeyAmount, right: KeyAmount): number {
  if (left.amount !== right.amount) return right.amount - left.amount;
  return left.key < right.key ? -1 : 1;
}
