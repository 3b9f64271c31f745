// Heat of keys over time in the record of a run: what was asked of the hottest keys of a table or index, in a
// bounded number of windows. Who counts it is the target's business; drawing it, the report's.
import * as z from 'zod';

/** Windows at most; longer runs have longer windows. */
export const MOST_HEAT_WINDOWS = 60;

/** Keys at most, the hottest. */
export const MOST_HEAT_KEYS = 25;

/** Keys below this share of all demand in the windows are left out: they are not hot, however they rank. */
export const LEAST_HEAT_RATIO = 0.005;

const unitsPerSecond = z.array(z.number().nonnegative());

/**
 * Units asked of keys, spent or refused, in windows of `windowSeconds` from the start of the first measured
 * stage. One mean rate per window, in units per second, as shares of a partition's ceiling; empty where a key
 * saw none on that side.
 */
export const heatOverTime = z.strictObject({
  windowSeconds: z.int().positive(),
  /** The hottest first. */
  keys: z.array(z.strictObject({ key: z.string(), read: unitsPerSecond, write: unitsPerSecond })),
});

export type HeatOverTime = z.infer<typeof heatOverTime>;
