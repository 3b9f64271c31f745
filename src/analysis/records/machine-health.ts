// What the machine did to the load generator while load ran. Null: the platform does not tell.
import * as z from 'zod';

const ratio = z.number().nonnegative();

/** Readings over the load of one variant. */
export const machineHealth = z.strictObject({
  cores: z.int().nonnegative(),
  /** Cores that the process may use: by its affinity, and by the CPU limit of its cgroup, which may be a fraction. */
  usableCores: z.number().nonnegative(),
  /** That limit alone, in cores. */
  cpuLimitCores: z.number().nonnegative().nullable(),
  /** Share of the time of all cores in which they were not idle, whoever used them. */
  busyRatio: ratio.nullable(),
  /** Share of the time of all cores that a hypervisor gave to others. */
  stolenRatio: ratio.nullable(),
  /**
   * Share of the periods (of 100 ms, as a rule) in which the CPU limit was spent before their end, so that
   * the process stood still.
   */
  limitedRatio: ratio.nullable(),
  /** How often cores slowed down because of heat. */
  thermalThrottles: z.int().nonnegative().nullable(),
  /** The highest clock allowed at the end ÷ that at the start, of the most limited core. */
  frequencyLimitRatio: ratio.nullable(),
});

export type MachineHealth = z.infer<typeof machineHealth>;

/** Pauses for garbage collection; all of them stop the generator. */
export const garbageCollection = z.strictObject({
  collections: z.int().nonnegative(),
  seconds: z.number().nonnegative(),
  longestMs: z.number().nonnegative(),
});

export type GarbageCollection = z.infer<typeof garbageCollection>;
