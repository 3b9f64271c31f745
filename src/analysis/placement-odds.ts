// How likely is it that no partition gets too many of the hot keys? Keys are hashed, so shards fall on
// partitions as balls into bins: several share one partition until splits part them.

/**
 * Probability that no partition holds more than `keysPerPartition` of the keys, for partitions of equal width
 * and a uniform hash.
 *
 * @param keyCount  hot keys of equal demand (shards)
 * @returns for 1 … `partitionCount` partitions, at index partitions − 1
 */
export function placementOdds(
  keyCount: number,
  partitionCount: number,
  keysPerPartition: number,
): Float64Array {
  const odds = new Float64Array(partitionCount);
  // fits[n]: probability that n keys over the partitions looked at so far respect the bound.
  let fits = new Float64Array(keyCount + 1);
  for (let n = 0; n <= Math.min(keysPerPartition, keyCount); n++) fits[n] = 1;
  odds[0] = fits[keyCount] ?? 0;
  for (let partitions = 2; partitions <= partitionCount; partitions++) {
    fits = withOnePartitionMore(fits, partitions, keysPerPartition);
    odds[partitions - 1] = fits[keyCount] ?? 0;
  }
  return odds;
}

/**
 * Of n keys, j fall on the new partition with binomial probability 1 ÷ partitions; the others spread over the
 * rest as before.
 */
function withOnePartitionMore(
  before: Float64Array,
  partitions: number,
  keysPerPartition: number,
): Float64Array<ArrayBuffer> {
  const share = 1 / partitions;
  const after = new Float64Array(before.length);
  for (let n = 0; n < before.length; n++) {
    let probability = (1 - share) ** n;
    let sum = 0;
    for (let j = 0; j <= Math.min(n, keysPerPartition); j++) {
      sum += probability * (before[n - j] as number); // n − j lies in 0 … n.
      probability *= ((n - j) / (j + 1)) * (share / (1 - share));
    }
    after[n] = sum;
  }
  return after;
}
