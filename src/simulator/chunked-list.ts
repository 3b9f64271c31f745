// An ordered list in chunks: appending is a push, and an insert or removal anywhere moves at most one chunk,
// so that collections of millions of entries stay cheap. A single flat array was measured slower from about
// 50,000 entries on; a B-tree would save only the directory's copy.

const CHUNK_LENGTH = 256;
/** Positions are chunk × this + offset, so that a position is one number. */
const POSITION_BASE = 1_024;

/**
 * Values in the order of `order`; no two values are equal in it. Positions hold until the next insert or
 * removal.
 */
export abstract class ChunkedList<V> {
  readonly #chunks: V[][] = [];
  #count = 0;

  /** Negative, 0 or positive as `left` stands before, at or after `right`. */
  protected abstract order(left: V, right: V): number;

  get count(): number {
    return this.#count;
  }

  /** Whether a value stands behind all of the list. */
  isBehindLast(value: V): boolean {
    const lastChunk = this.#chunks[this.#chunks.length - 1];
    return lastChunk === undefined || this.order(value, lastChunk[lastChunk.length - 1] as V) > 0;
  }

  /** Inserts a value that is not in the list yet. */
  add(value: V): void {
    this.#count++;
    const chunks = this.#chunks;
    const lastChunk = chunks[chunks.length - 1];
    if (lastChunk === undefined) {
      chunks.push([value]);
    } else if (this.order(value, lastChunk[lastChunk.length - 1] as V) > 0) {
      // A full last chunk stays full: lists that only grow at the end, as those by time do, waste no room.
      if (lastChunk.length < CHUNK_LENGTH) lastChunk.push(value);
      else chunks.push([value]);
    } else {
      this.#insert(value);
    }
  }

  /** The value that equals `probe` in order, if any. */
  find(probe: V): V | undefined {
    const chunkIndex = this.#chunkOf(probe);
    const chunk = this.#chunks[chunkIndex];
    if (chunk === undefined) return undefined;
    const found = chunk[this.#offsetIn(chunk, probe)];
    return found !== undefined && this.order(found, probe) === 0 ? found : undefined;
  }

  /** Takes the value that equals `probe` out; undefined where there is none. */
  remove(probe: V): V | undefined {
    const chunkIndex = this.#chunkOf(probe);
    const chunk = this.#chunks[chunkIndex];
    if (chunk === undefined) return undefined;
    const offset = this.#offsetIn(chunk, probe);
    const found = chunk[offset];
    if (found === undefined || this.order(found, probe) !== 0) return undefined;
    chunk.splice(offset, 1);
    if (chunk.length === 0) this.#chunks.splice(chunkIndex, 1);
    this.#count--;
    return found;
  }

  /**
   * Position of the first value for which `isFrom` holds; `endPosition` where it holds for none.
   * @param isFrom  false for a first part of the list, true for the rest
   */
  firstPosition(isFrom: (value: V) => boolean): number {
    const chunks = this.#chunks;
    let low = 0;
    let high = chunks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const chunk = chunks[middle] as V[];
      if (isFrom(chunk[chunk.length - 1] as V)) high = middle;
      else low = middle + 1;
    }
    const chunk = chunks[low];
    if (chunk === undefined) return this.endPosition;
    let offset = 0;
    let end = chunk.length;
    while (offset < end) {
      const middle = (offset + end) >>> 1;
      if (isFrom(chunk[middle] as V)) end = middle;
      else offset = middle + 1;
    }
    return low * POSITION_BASE + offset;
  }

  /** The position behind the last value. */
  get endPosition(): number {
    return this.#chunks.length * POSITION_BASE;
  }

  /** The value at a position; undefined at the end and before the start. */
  at(position: number): V | undefined {
    if (position < 0) return undefined;
    return this.#chunks[Math.floor(position / POSITION_BASE)]?.[position % POSITION_BASE];
  }

  /** The position after this one. */
  after(position: number): number {
    const chunkIndex = Math.floor(position / POSITION_BASE);
    const chunk = this.#chunks[chunkIndex] as V[];
    return (position % POSITION_BASE) + 1 < chunk.length ? position + 1 : (chunkIndex + 1) * POSITION_BASE;
  }

  /** The position before this one; negative before the first. */
  before(position: number): number {
    if (position % POSITION_BASE > 0) return position - 1;
    const chunkIndex = Math.floor(position / POSITION_BASE) - 1;
    if (chunkIndex < 0) return -1;
    return chunkIndex * POSITION_BASE + (this.#chunks[chunkIndex] as V[]).length - 1;
  }

  #insert(value: V): void {
    const chunkIndex = this.#chunkOf(value);
    const chunk = this.#chunks[chunkIndex] as V[];
    chunk.splice(this.#offsetIn(chunk, value), 0, value);
    if (chunk.length <= CHUNK_LENGTH) return;
    this.#chunks.splice(chunkIndex + 1, 0, chunk.splice(CHUNK_LENGTH >> 1));
  }

  /** Index of the first chunk whose last value is not before `probe`. */
  #chunkOf(probe: V): number {
    const chunks = this.#chunks;
    let low = 0;
    let high = chunks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const chunk = chunks[middle] as V[];
      if (this.order(chunk[chunk.length - 1] as V, probe) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #offsetIn(chunk: readonly V[], probe: V): number {
    let low = 0;
    let high = chunk.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.order(chunk[middle] as V, probe) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
