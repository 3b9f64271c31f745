// The key texts of very many items, in pages of bytes that the collector need not look into. None is ever taken
// out.
import { assert } from '../errors.ts';

const PAGE_BYTES = 2 ** 18;
/** Of one UTF-16 unit; half a surrogate pair stands for itself. */
const MAX_UNIT_BYTES = 3;

/**
 * Pairs of texts, each its length and then its units, all on one page. Lengths and units take a byte for each seven
 * bits, the lowest first. A place is page × PAGE_BYTES + offset.
 */
export class KeyTexts {
  readonly #pages: Uint8Array[] = [];
  #page = new Uint8Array(0);
  #used = 0;

  /** Adds the two texts of a key, shorter than a page; gives back their place. */
  add(partition: string, sort: string): number {
    const mostBytes = (2 + partition.length + sort.length) * MAX_UNIT_BYTES;
    if (this.#used + mostBytes > this.#page.length) this.#open(mostBytes);
    const place = (this.#pages.length - 1) * PAGE_BYTES + this.#used;
    this.#write(partition);
    this.#write(sort);
    return place;
  }

  /** Whether these are the texts at a place. */
  isAt(place: number, partition: string, sort: string): boolean {
    const page = this.#pages[Math.floor(place / PAGE_BYTES)] as Uint8Array; // Places come from `add`.
    const behindPartition = behindText(page, place % PAGE_BYTES, partition);
    return behindPartition >= 0 && behindText(page, behindPartition, sort) >= 0;
  }

  #write(text: string): void {
    this.#writeUnit(text.length);
    for (let index = 0; index < text.length; index++) this.#writeUnit(text.charCodeAt(index));
  }

  #writeUnit(unit: number): void {
    const page = this.#page;
    let rest = unit;
    for (; rest > LAST_BITS; rest >>>= BITS) page[this.#used++] = (rest & LAST_BITS) | MORE;
    page[this.#used++] = rest;
  }

  #open(mostBytes: number): void {
    assert(mostBytes <= PAGE_BYTES, 'keys are far shorter than a page');
    this.#page = new Uint8Array(PAGE_BYTES);
    this.#pages.push(this.#page);
    this.#used = 0;
  }
}

const BITS = 7;
const LAST_BITS = 0x7f;
/** Marks a byte behind which more of the unit follows. */
const MORE = 0x80;

/** The offset behind a text, if that is what stands at an offset; else −1. */
function behindText(page: Uint8Array, offset: number, text: string): number {
  let at = behindUnit(page, offset, text.length);
  for (let index = 0; at >= 0 && index < text.length; index++)
    at = behindUnit(page, at, text.charCodeAt(index));
  return at;
}

function behindUnit(page: Uint8Array, offset: number, unit: number): number {
  let at = offset;
  let rest = unit;
  for (; rest > LAST_BITS; rest >>>= BITS) if (page[at++] !== ((rest & LAST_BITS) | MORE)) return -1;
  return page[at] === rest ? at + 1 : -1;
}
