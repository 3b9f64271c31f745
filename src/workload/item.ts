// What scenario files are written in: values and items as plain JavaScript, and what a generator function is
// given. Turning them into DynamoDB's wire form is left to the scenario's operations.
import type { Random } from '../prng.ts';

/**
 * A string of so many bytes whose content does not matter: counted, and written out only where it must cross
 * a wire. See `filler`.
 */
export interface Filler {
  readonly fillerBytes: number;
}

/**
 * An attribute value as users write it.
 * Numbers and bigints become N, `Uint8Array` B, sets SS, NS or BS, arrays L, plain objects M; `undefined`
 * members are left out.
 */
export type Value =
  | string
  | number
  | bigint
  | boolean
  | null
  | Uint8Array
  | Filler
  | ReadonlySet<string>
  | ReadonlySet<number | bigint>
  | ReadonlySet<Uint8Array>
  | readonly Value[]
  | { readonly [name: string]: Value | undefined };

/** An item, a key, or the values of an expression: attributes by name. */
export interface Item {
  readonly [name: string]: Value | undefined;
}

/** What a generator function knows of its operation. */
export interface Context {
  /** 0, 1, 2 … within the workload. */
  readonly seq: number;
  /** Numbers that depend only on the seed, the workload and `seq`. */
  readonly random: Random;
  /** The moment at which the operation is due. */
  readonly now: Date;
  /** `now` as `2026-01-01T00:00:00.000Z`. */
  readonly nowIso: string;
}
