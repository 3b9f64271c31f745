// Request ids as DynamoDB's look: 52 characters of base 32. The same seed and the same order of requests give
// the same ids.
import { hashText } from '../prng.ts';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUV';
const LENGTH = 52;
const COUNTER_LENGTH = 13;

export class RequestIds {
  readonly #tail: string;
  #count = 0;

  constructor(seed: number) {
    let tail = '';
    for (let part = 0; tail.length < LENGTH - COUNTER_LENGTH; part++)
      tail += inBase32(hashText(`request ${seed}`, part), 6);
    this.#tail = tail.slice(0, LENGTH - COUNTER_LENGTH);
  }

  next(): string {
    this.#count++;
    const low = this.#count >>> 0;
    // A multiplicative hash (Knuth's, by the golden ratio) makes neighbours look unlike; the count keeps them
    // apart.
    return inBase32(Math.imul(low, 0x9e37_79b1) >>> 0, 6) + inBase32(low, 7) + this.#tail;
  }
}

/** The lowest `length` digits in base 32. */
function inBase32(value: number, length: number): string {
  let text = '';
  let rest = value;
  for (let digit = 0; digit < length; digit++) {
    text = DIGITS.charAt(rest & 31) + text;
    rest >>>= 5;
  }
  return text;
}
