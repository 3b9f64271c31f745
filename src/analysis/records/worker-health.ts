// Where load was made, in the record of a run: by how many worker threads and why so many, and how each of
// them fared.
import * as z from 'zod';

/** One worker thread under load. */
export const workerHealth = z.strictObject({
  /** It was gone before its load was over: what it did after its last word is missing. */
  isLost: z.boolean(),
  eventLoopDelayP99Ms: z.number().nonnegative().nullable(),
  eventLoopUtilization: z.number().nonnegative().nullable(),
});

export type WorkerHealth = z.infer<typeof workerHealth>;

/** How many threads made the load; with one it is made in the main thread. */
export const workerChoice = z.strictObject({ count: z.int().positive(), why: z.string() });

export type WorkerChoice = z.infer<typeof workerChoice>;
