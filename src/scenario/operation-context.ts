// What the functions of a workload are given: sequence, random numbers, and the moment at which the operation
// is due.
import type { StreamKey } from '../prng.ts';
import { US_PER_MS } from '../units.ts';
import type { Context } from '../workload/item.ts';
import type { KeyChoice } from '../workload/key-choice.ts';
import { OperationRandom } from '../workload/operation-random.ts';

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

  /** Operations share milliseconds, so the text is kept until the next one. */
  get nowIso(): string {
    if (this.#isoMs !== this.#nowMs) {
      this.#isoMs = this.#nowMs;
      this.#iso = new Date(this.#nowMs).toISOString();
    }
    return this.#iso;
  }
}
