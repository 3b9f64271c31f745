// The sizes of items by key, for tables of which nobody looks at an item: enough to charge a put that replaces one.
// All of it lies in a few large arrays. As two objects for each item it made finding and collecting a third of the
// cost of a bare put.
import { hashText } from '../prng.ts';
import { HashIndex } from './hash-index.ts';
import { KeyTexts } from './key-texts.ts';

const FIRST_CAPACITY = 1_024;

/** Items have numbers in the order in which they came; none is ever removed. */
export class ItemSizes {
  readonly #index = new HashIndex();
  readonly #texts = new KeyTexts();
  /** Bytes of each item. */
  #sizes = new Int32Array(FIRST_CAPACITY);
  /** Where its key stands in `#texts`. */
  #places = new Float64Array(FIRST_CAPACITY);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Bytes of all items; each is looked at. */
  get totalBytes(): number {
    let sizeBytes = 0;
    for (let number = 0; number < this.#count; number++) sizeBytes += this.bytesOf(number);
    return sizeBytes;
  }

  /**
   * The number of the item with this key; −1 where there is none.
   * @param sort  the sort text; '' where the key schema has no sort key
   */
  find(partition: string, sort: string): number {
    const index = this.#index;
    const hash = hashOf(partition, sort);
    for (let place = index.first(hash); place >= 0; place = index.next(place, hash)) {
      const number = index.numberAt(place);
      if (this.#texts.isAt(this.#places[number] as number, partition, sort)) return number;
    }
    return -1;
  }

  bytesOf(number: number): number {
    return this.#sizes[number] as number;
  }

  setBytes(number: number, sizeBytes: number): void {
    this.#sizes[number] = sizeBytes;
  }

  /** Adds an item whose key is not present. */
  add(partition: string, sort: string, sizeBytes: number): void {
    if (this.#count === this.#sizes.length) this.#grow();
    const number = this.#count++;
    this.#sizes[number] = sizeBytes;
    this.#places[number] = this.#texts.add(partition, sort);
    this.#index.add(hashOf(partition, sort), number);
  }

  #grow(): void {
    const sizes = new Int32Array(2 * this.#count);
    sizes.set(this.#sizes);
    this.#sizes = sizes;
    const places = new Float64Array(2 * this.#count);
    places.set(this.#places);
    this.#places = places;
  }
}

function hashOf(partition: string, sort: string): number {
  return hashText(sort, hashText(partition, 0)) | 0;
}
