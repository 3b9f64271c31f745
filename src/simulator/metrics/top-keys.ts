// Which keys took how much in one minute, in bounded memory: exact up to a bound of keys, beyond it the
// smaller half of the keys is dropped each time it doubles. What a key had before it was dropped is missing
// if it comes back, so that amounts are never too high; a key that leads by far is never dropped.

/** One key: one or two texts, and its amount. */
export interface KeyTotal {
  readonly keys: readonly string[];
  readonly amount: number;
}

interface GrowingTotal extends KeyTotal {
  amount: number;
}

/** Keys held while a minute lasts; up to twice as many between two cuts. */
const MAX_KEYS = 10_000;

/** Amounts by key. */
export class TopKeys {
  readonly #maxKeys: number;
  #totals = new Map<string, GrowingTotal>();
  #isComplete = true;

  constructor(maxKeys = MAX_KEYS) {
    this.#maxKeys = maxKeys;
  }

  /** Whether no key had to be dropped. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** @param second  the sort key, where the rule is about both */
  add(first: string, second: string | undefined, amount: number): void {
    const text = second === undefined ? first : `${first.length}:${first}${second}`;
    const known = this.#totals.get(text);
    if (known !== undefined) {
      known.amount += amount;
      return;
    }
    this.#totals.set(text, { keys: second === undefined ? [first] : [first, second], amount });
    if (this.#totals.size >= 2 * this.#maxKeys) this.keepTop(this.#maxKeys);
  }

  /** Drops all but the `count` largest. */
  keepTop(count: number): void {
    if (this.#totals.size <= count) return;
    this.#isComplete = false;
    const sorted = [...this.#totals].sort(([, left], [, right]) => right.amount - left.amount);
    this.#totals = new Map(sorted.slice(0, count));
  }

  /** All keys held, each with a text that is unique to it. */
  entries(): Iterable<readonly [string, KeyTotal]> {
    return this.#totals;
  }
}
