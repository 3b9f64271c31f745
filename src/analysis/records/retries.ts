// What retries did in a stage: how often requests were sent, and where the time of ok operations went.
import * as z from 'zod';

const count = z.int().nonnegative();
const sumUs = z.number().nonnegative();

/** The three sums make up the response times of all ok operations. */
export const retries = z.strictObject({
  /** Requests by how often they were sent: once, twice … */
  attempts: z.array(count),
  /** From due to sent. */
  okLatenessUs: sumUs,
  /** Attempts that were sent again, and the waits between. */
  okWaitUs: sumUs,
  /** The rest: attempts that were not sent again. */
  okServiceUs: sumUs,
});

export type Retries = z.infer<typeof retries>;

/** The sum of several; undefined where none of them has any. */
export function mergeRetries(all: readonly (Retries | undefined)[]): Retries | undefined {
  const known = all.filter((one) => one !== undefined);
  if (known.length === 0) return undefined;
  const sum = (pick: (one: Retries) => number): number => known.reduce((total, one) => total + pick(one), 0);
  const length = Math.max(...known.map((one) => one.attempts.length));
  return {
    attempts: Array.from({ length }, (_, index) => sum((one) => one.attempts[index] ?? 0)),
    okLatenessUs: sum((one) => one.okLatenessUs),
    okWaitUs: sum((one) => one.okWaitUs),
    okServiceUs: sum((one) => one.okServiceUs),
  };
}
