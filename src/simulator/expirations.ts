// Items that expire: which are due when, and their deletion in the background. A deletion takes no units, and
// the entries in indexes go with the item. It happens at the first look at the database after it is due, which
// nobody can tell from the moment itself, so that equal requests have equal answers.
// @see "Using time to live (TTL) in DynamoDB",
//   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TTL.html, read 2026-11-30
import { attributeOf } from '../dynamodb/attribute-value.ts';
import { US_PER_MS, US_PER_SECOND } from '../units.ts';
import type { StoredEntry } from './stored-entry.ts';
import type { SimulatedTable } from './simulated-table.ts';
import { applyWrite, planWrite } from './write-plan.ts';

/** An item whose expiry lies further back than this is never deleted: the value is taken for a mistake. */
const MAX_AGE_SECONDS = 5 * 365 * 86_400;

/** An item that expires: when it stands in the queue, and when it is to be deleted, which may be later. */
interface Noted {
  readonly queuedUs: number;
  dueUs: number;
}

/** One item that will be looked at; by then it may be gone, or due later. */
interface Due {
  readonly dueUs: number;
  /** Keeps items that are due at one moment in the order in which they were noted. */
  readonly sequence: number;
  readonly table: SimulatedTable;
  readonly entry: StoredEntry;
}

export interface ExpirySettings {
  /** ms since 1970 at the database's moment 0. */
  readonly wallMsAtZero: number;
  readonly delaySeconds: number;
  /** Is told of each deletion. */
  readonly onDeleted: (tableName: string, atUs: number) => void;
}

/** The expiring items of all tables. */
export class Expirations {
  readonly #wallSecondsAtZero: number;
  readonly #delayUs: number;
  readonly #onDeleted: ExpirySettings['onDeleted'];
  readonly #queue = new DueQueue();
  /** A record of the queue that does not stand here is out of date. */
  readonly #noted = new Map<StoredEntry, Noted>();
  #nowUs = 0;
  #sequence = 0;
  /** Whether any table has had an expiry attribute: until then nothing here costs anything. */
  isUsed = false;

  constructor({ wallMsAtZero, delaySeconds, onDeleted }: ExpirySettings) {
    this.#wallSecondsAtZero = (wallMsAtZero * US_PER_MS) / US_PER_SECOND;
    this.#delayUs = delaySeconds * US_PER_SECOND;
    this.#onDeleted = onDeleted;
  }

  /** Notes what a write has left of an item in a table that has an expiry attribute. */
  note(table: SimulatedTable, entry: StoredEntry): void {
    const dueUs = this.#dueOf(table, entry);
    const noted = this.#noted.get(entry);
    if (dueUs === undefined) this.#noted.delete(entry);
    // An item that is due later than it stands in the queue is queued anew when it comes up: most items that
    // live on are written often, and need not fill the queue each time.
    else if (noted !== undefined && noted.queuedUs <= dueUs) noted.dueUs = dueUs;
    else this.#add(table, entry, dueUs);
  }

  /** Notes all items of a table that has an expiry attribute from now on. */
  noteAll(table: SimulatedTable, atUs: number): void {
    this.isUsed = true;
    this.#nowUs = Math.max(this.#nowUs, atUs);
    table.store.visit((entry) => this.note(table, entry));
  }

  /** Deletes what is due by a moment. */
  advance(atUs: number): void {
    for (let due = this.#queue.first; due !== undefined && due.dueUs <= atUs; due = this.#queue.first) {
      this.#queue.takeFirst();
      this.#nowUs = Math.max(this.#nowUs, due.dueUs);
      const noted = this.#noted.get(due.entry);
      if (noted?.queuedUs === due.dueUs) this.#comeUp(due, noted);
    }
    this.#nowUs = Math.max(this.#nowUs, atUs);
  }

  #comeUp({ table, entry, dueUs: atUs }: Due, noted: Noted): void {
    this.#noted.delete(entry);
    const collection = table.store.collection(entry.partition);
    if (table.timeToLive === undefined || collection?.find(entry) !== entry) return;
    if (noted.dueUs > atUs) {
      this.#add(table, entry, noted.dueUs);
      return;
    }
    applyWrite(planWrite({ table, probe: entry, collection, before: entry }, undefined, 0));
    this.#onDeleted(table.spec.tableName, atUs);
  }

  /** When an item is to be deleted; undefined where it does not expire. */
  #dueOf(table: SimulatedTable, entry: StoredEntry): number | undefined {
    const expiresUs = this.#expiryUs(table, entry);
    return expiresUs === undefined ? undefined : Math.max(expiresUs, this.#nowUs) + this.#delayUs;
  }

  /** The moment at which an item expires: its attribute is a number of seconds since 1970. */
  #expiryUs({ timeToLive }: SimulatedTable, { item }: StoredEntry): number | undefined {
    if (timeToLive === undefined) return undefined;
    const seconds = Number(attributeOf(item, timeToLive)?.N ?? Number.NaN) - this.#wallSecondsAtZero;
    const nowSeconds = this.#nowUs / US_PER_SECOND;
    return seconds >= nowSeconds - MAX_AGE_SECONDS ? Math.ceil(seconds * US_PER_SECOND) : undefined;
  }

  #add(table: SimulatedTable, entry: StoredEntry, dueUs: number): void {
    this.#noted.set(entry, { queuedUs: dueUs, dueUs });
    this.#queue.add({ dueUs, sequence: this.#sequence++, table, entry });
  }
}

/** A heap: what is due first is on top. */
class DueQueue {
  readonly #heap: Due[] = [];

  get first(): Due | undefined {
    return this.#heap[0];
  }

  add(due: Due): void {
    const heap = this.#heap;
    let place = heap.length;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = heap[above] as Due; // Places below the length hold something, here and below.
      if (isBefore(parent, due)) break;
      heap[place] = parent;
      place = above;
    }
    heap[place] = due;
  }

  takeFirst(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let place = 0;
    for (let child = 1; child < heap.length; child = 2 * place + 1) {
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Due, heap[child] as Due)) child++;
      if (isBefore(last, heap[child] as Due)) break;
      heap[place] = heap[child] as Due;
      place = child;
    }
    heap[place] = last;
  }
}

function isBefore(one: Due, other: Due): boolean {
  return one.dueUs === other.dueUs ? one.sequence < other.sequence : one.dueUs < other.dueUs;
}
