// How often each variant ran on a wall clock, in which order, and what ran before it for nothing, in the
// record of a run. It says how the figures came about and nothing of what they are.
import * as z from 'zod';

export const repetition = z.strictObject({
  /** Runs of each variant, each with fresh tables unless all variants only read. */
  repeats: z.int().positive(),
  /** Names of the variants in the order in which they were to run, repeats included. */
  order: z.array(z.string()),
  /** What ran first and was not recorded: it warms up code, connections and the server; null: nothing. */
  discarded: z.strictObject({ variant: z.string(), durationUs: z.number() }).nullable(),
});

export type Repetition = z.infer<typeof repetition>;
