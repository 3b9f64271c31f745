// What the functions of a workload are given: sequence, random numbers, and the moment at which the operation
// is due.
import type { StreamKey } from '../prng.ts';
import { MS_PER_SECOND, US_PER_MS } from '../units.ts';
import type { Context } from '../workload/item.ts';
import type { KeyChoice } from '../workload/key-choice.ts';
import { OperationRandom } from '../workload/operation-random.ts';

/** What a date ends in, by its milliseconds: `000Z` … `999Z`. */
const millisecondTexts = Array.from({ length: MS_PER_SECOND }, (_, ms) => `${String(ms).padStart(3, '0')}Z`);

/**
 * A context that moves from operation to operation: one object serves a whole workload, and dates are made
 * only where they are asked for.
 */
export class OperationContext implements Context {
  readonly random: OperationRandom;
  readonly #startsAtMs: number;
  #seq = 0;
  #nowMs = 0;
  #isoMs = Number.NaN;
  #iso = '';
  #isoSecond = Number.NaN;
  /** The text of that second up to its milliseconds. */
  #isoStart = '';

  /** @param chosen  is told of keys that are picked by a named distribution */
  constructor(stream: StreamKey, startsAtMs: number, chosen?: (choice: KeyChoice) => void) {
    this.random = new OperationRandom(stream);
    this.random.chosen = chosen;
    this.#startsAtMs = startsAtMs;
  }

  /** @param drawOffset  opens further random numbers of the same operation */
  moveTo(sequence: number, dueUs: number, drawOffset = 0): this {
    this.#seq = sequence;
    this.#nowMs = this.#startsAtMs + Math.floor(dueUs / US_PER_MS);
    this.random.dueUs = dueUs;
    this.random.seek(sequence, drawOffset);
    return this;
  }

  get seq(): number {
    return this.#seq;
  }

  get now(): Date {
    return new Date(this.#nowMs);
  }

  /**
   * Operations share seconds and often milliseconds; a whole date each time was nearly half of what making an
   * item cost.
   */
  get nowIso(): string {
    const nowMs = this.#nowMs;
    if (this.#isoMs === nowMs) return this.#iso;
    this.#isoMs = nowMs;
    const second = Math.floor(nowMs / MS_PER_SECOND);
    if (this.#isoSecond !== second) {
      this.#isoSecond = second;
      this.#isoStart = new Date(second * MS_PER_SECOND).toISOString().slice(0, -'000Z'.length);
    }
    this.#iso = this.#isoStart + millisecondTexts[nowMs - second * MS_PER_SECOND];
    return this.#iso;
  }
}
