// A sum over items: what merging repeats does most.

/** The sum of one figure of each item; 0 where there is none. */
export function sumOf<T>(all: readonly T[], pick: (one: T) => number): number {
  return all.reduce((sum, one) => sum + pick(one), 0);
}
