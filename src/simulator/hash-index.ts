// Finds numbers by the hash of what they stand for; whether one really stands for it is for the caller to see.
// Flat and without pointers: a Map waits for memory at each step of a chain, and the collector walks through all
// of it.

/** A slot: the hash, and the number + 1 (0: free). */
const SLOT_WORDS = 2;
const FIRST_SLOT_COUNT = 1_024;

/**
 * Open addressing in steps of one slot; at most two thirds of the slots are taken, so that runs stay short. Hashes
 * are 32-bit numbers with sign. Places hold until the next `add`.
 */
export class HashIndex {
  #slots = new Int32Array(FIRST_SLOT_COUNT * SLOT_WORDS);
  #count = 0;

  /** The first place at which a number of this hash stands; −1 where there is none. */
  first(hash: number): number {
    return this.#from(homeOf(hash, this.#slots), hash);
  }

  /** The place behind another at which a number of the same hash stands; −1 where there is none. */
  next(place: number, hash: number): number {
    return this.#from(behind(place, this.#slots), hash);
  }

  numberAt(place: number): number {
    return (this.#slots[place + 1] as number) - 1;
  }

  /** Notes a whole number from 0 to 2^31 − 2 under a hash; several may share one. */
  add(hash: number, number: number): void {
    this.#count++;
    if (3 * this.#count * SLOT_WORDS > 2 * this.#slots.length) this.#grow();
    put(this.#slots, hash, number + 1);
  }

  #from(start: number, hash: number): number {
    const slots = this.#slots;
    let place = start;
    while (slots[place + 1] !== 0) {
      if (slots[place] === hash) return place;
      place = behind(place, slots);
    }
    return -1;
  }

  #grow(): void {
    const before = this.#slots;
    const slots = new Int32Array(2 * before.length);
    for (let place = 0; place < before.length; place += SLOT_WORDS) {
      const taken = before[place + 1] as number;
      if (taken !== 0) put(slots, before[place] as number, taken);
    }
    this.#slots = slots;
  }
}

function put(slots: Int32Array, hash: number, taken: number): void {
  let place = homeOf(hash, slots);
  while (slots[place + 1] !== 0) place = behind(place, slots);
  slots[place] = hash;
  slots[place + 1] = taken;
}

/** Where a hash stands if nothing is in its way. */
function homeOf(hash: number, slots: Int32Array): number {
  return Math.imul(hash, SLOT_WORDS) & (slots.length - 1);
}

function behind(place: number, slots: Int32Array): number {
  return (place + SLOT_WORDS) & (slots.length - 1);
}
