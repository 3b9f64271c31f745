// How many different texts were seen, without keeping them: HyperLogLog with 1,024 registers, 3 % off at one
// standard deviation, and mergeable (Flajolet, Fusy, Gandouet, Meunier: "HyperLogLog", 2007).
import { hashText, mix32 } from '../../prng.ts';

const REGISTER_BITS = 10;
const REGISTERS = 2 ** REGISTER_BITS;
/** Bias correction of the estimate for this many registers. */
const ALPHA = 0.7213 / (1 + 1.079 / REGISTERS);

/** A count of different texts in 1 KB. */
export class DistinctCount {
  readonly #registers = new Uint8Array(REGISTERS);

  add(text: string): void {
    const hash = hashText(text, 0);
    const register = hash >>> (32 - REGISTER_BITS);
    // The rank comes from a second mix: what is left of 32 bits would be short for millions of texts.
    const rank = Math.clz32(mix32(hash ^ 0x5bd1_e995)) + 1;
    if (rank > (this.#registers[register] as number)) this.#registers[register] = rank;
  }

  merge(other: DistinctCount): void {
    other.#registers.forEach((rank, register) => {
      if (rank > (this.#registers[register] as number)) this.#registers[register] = rank;
    });
  }

  /** The estimate, a whole number. */
  get estimate(): number {
    let sum = 0;
    let empty = 0;
    for (const rank of this.#registers) {
      sum += 2 ** -rank;
      if (rank === 0) empty++;
    }
    const raw = (ALPHA * REGISTERS * REGISTERS) / sum;
    // Few texts leave registers empty, and counting those is more exact.
    return Math.round(raw <= 2.5 * REGISTERS && empty > 0 ? REGISTERS * Math.log(REGISTERS / empty) : raw);
  }
}
