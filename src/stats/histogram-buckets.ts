// HdrHistogram's layout for three digits: values below 2,048 have a bucket each; above, every doubling has 1,024
// buckets. Arithmetic by leading zeros; logarithms would cost twenty times as much.

/** Values below it are told apart one by one. */
export const SINGLE_UNIT_VALUES = 2_048;
/** Buckets from a power of two to the next. */
export const BUCKETS_PER_DOUBLING = 1_024;

/** The bucket of a value, an integer ≥ 0. */
export function bucketIndex(us: number): number {
  if (us < SINGLE_UNIT_VALUES) return us | 0;
  const doublings = 21 - Math.clz32(us);
  return doublings * BUCKETS_PER_DOUBLING + (us >>> doublings);
}

/** The smallest value of a bucket. */
function lowestOfBucket(index: number): number {
  const doublings = doublingsOf(index);
  return (index - doublings * BUCKETS_PER_DOUBLING) * 2 ** doublings;
}

/** The largest value of a bucket. */
export function highestOfBucket(index: number): number {
  return lowestOfBucket(index) + 2 ** doublingsOf(index) - 1;
}

/** The value that stands for a bucket in sums. */
export function middleOfBucket(index: number): number {
  return (lowestOfBucket(index) + highestOfBucket(index)) / 2;
}

function doublingsOf(index: number): number {
  return Math.max(0, Math.floor(index / BUCKETS_PER_DOUBLING) - 1);
}
