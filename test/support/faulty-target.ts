// A target for tests in virtual time that goes wrong in every way a table can, as often as it is told, and
// keeps its own books: what it was sent and what it answered, to hold against what the engine recorded. Each
// fault is a function of the seed and the request.
import type { Clock } from '../../src/clock.ts';
import type { Outcome, OutcomeKind } from '../../src/dynamodb/outcome.ts';
import type { Done, Target, TargetRequest } from '../../src/engine/target.ts';
import { itemsIn } from '../../src/engine/request-sender.ts';
import { eventRank } from '../../src/event-heap.ts';
import { CounterRandom, streamKey } from '../../src/prng.ts';
import { okOutcome, throttledOutcome } from './scripted-target.ts';

/** Of a hundred requests so many, each fault in turn; what is left is answered well. */
export interface Faults {
  /** Never answered: the connection is gone and nobody says so. */
  readonly silent: number;
  /** The connection drops, and that is noticed. */
  readonly dropped: number;
  readonly throttled: number;
  /** Of a batch some items come back; other requests fail on the server's side. */
  readonly partial: number;
  readonly conditionFailed: number;
  readonly conflict: number;
  /** Answered well, after up to ten times as long. */
  readonly slow: number;
}

/** What a target was sent, and how it answered, by workload. */
export class TargetBooks {
  readonly sent = new Set<string>();
  sentItems = 0;
  answered = 0;
  readonly answers = new Map<OutcomeKind, number>();
  unprocessedItems = 0;
  writeUnits = 0;
  estimatedUnits = 0;
}

const estimated = [{ tableName: 't', table: { readUnits: 0, writeUnits: 2 } }];

export class FaultyTarget implements Target {
  readonly #clock: Clock;
  readonly #faults: Faults;
  readonly #random: CounterRandom;
  readonly #serviceUs: number;
  readonly #books = new Map<number, TargetBooks>();

  /** @param parts.serviceUs  of what goes well, at most */
  constructor(
    clock: Clock,
    parts: { readonly seed: number; readonly faults: Faults; readonly serviceUs: number },
  ) {
    this.#clock = clock;
    this.#faults = parts.faults;
    this.#serviceUs = parts.serviceUs;
    this.#random = new CounterRandom(streamKey(parts.seed, 'faults'));
  }

  books(workloadIndex: number): TargetBooks {
    const books = this.#books.get(workloadIndex) ?? new TargetBooks();
    this.#books.set(workloadIndex, books);
    return books;
  }

  send(request: TargetRequest, startUs: number, done: Done): void {
    const { workloadIndex, sequence, part } = request;
    const books = this.books(workloadIndex);
    const name = `${sequence}.${part}`;
    if (books.sent.has(name)) throw new Error(`request ${name} was sent twice`);
    books.sent.add(name);
    books.sentItems += itemsIn(request.request);
    const random = this.#random.seek(sequence * 8 + workloadIndex, part);
    const fault = this.#draw(random.float() * 100);
    if (fault === 'silent') return;
    const slowness = fault === 'slow' ? 1 + 9 * random.float() : random.float();
    const endUs = startUs + Math.ceil(this.#serviceUs * slowness);
    const outcome = answer(fault, itemsIn(request.request), random.float());
    this.#clock.schedule(endUs, eventRank(workloadIndex, sequence), {
      fire: (nowUs) => {
        enter(books, outcome);
        done(outcome, nowUs);
      },
    });
  }

  /** The fault whose share of a hundred the number falls into. */
  #draw(percent: number): keyof Faults | undefined {
    let upTo = 0;
    for (const [name, share] of Object.entries(this.#faults)) {
      upTo += share;
      // The names of an object that has these members and no other.
      if (percent < upTo) return name as keyof Faults;
    }
    return undefined;
  }
}

function answer(fault: keyof Faults | undefined, items: number, draw: number): Outcome {
  switch (fault) {
    case 'throttled':
      return throttledOutcome;
    case 'dropped':
      return { kind: 'failed', code: 'ECONNRESET', message: 'socket hang up' };
    case 'conditionFailed':
      return { kind: 'conditionFailed', estimated };
    case 'conflict':
      return { kind: 'conflict' };
    case 'partial':
      if (items === 0) return { kind: 'failed', code: 'InternalServerError', message: 'no', httpStatus: 500 };
      return {
        kind: 'partial',
        sentItems: items,
        unprocessedItems: 1 + Math.floor(draw * items),
        consumed: [{ tableName: 't', table: { readUnits: 0, writeUnits: items } }],
        output: {},
      };
    case 'silent':
    case 'slow':
    case undefined:
      return okOutcome;
  }
}

function enter(books: TargetBooks, outcome: Outcome): void {
  books.answered++;
  books.answers.set(outcome.kind, (books.answers.get(outcome.kind) ?? 0) + 1);
  if (outcome.kind === 'partial') books.unprocessedItems += outcome.unprocessedItems;
  if (outcome.kind === 'ok' || outcome.kind === 'partial') books.writeUnits += units(outcome.consumed);
  if (outcome.kind === 'conditionFailed') books.estimatedUnits += units(outcome.estimated ?? []);
}

function units(consumed: readonly { readonly table: { readonly writeUnits: number } }[]): number {
  return consumed.reduce((sum, { table }) => sum + table.writeUnits, 0);
}
