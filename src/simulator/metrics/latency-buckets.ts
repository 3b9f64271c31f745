// Latencies of one minute of one operation as counts, for percentiles within 1.6 %: 64 buckets to each
// doubling, kept only between the shortest and the longest, about 2 KB a minute. CloudWatch's own percentiles
// are approximate as well.

const BUCKETS_PER_DOUBLING = 64;
const LOG2_OF_BUCKETS = 6;
const LONGEST_US = 0xffff_ffff;

/** Counts of integer microseconds. */
export class LatencyBuckets {
  #first = 0;
  #counts = new Uint32Array(0);

  /** @param us  integer ≥ 0; above 2³² − 1 (71 minutes) it counts as that */
  record(us: number): void {
    this.#add(bucketOf(Math.min(us, LONGEST_US)), 1);
  }

  addAll(other: LatencyBuckets): void {
    other.#counts.forEach((count, offset) => {
      if (count > 0) this.#add(other.#first + offset, count);
    });
  }

  /**
   * The latency in µs that the share `quantile` (0…1) of all does not exceed: the top of its bucket; 0 where
   * nothing was recorded.
   */
  quantile(quantile: number): number {
    let count = 0;
    for (const each of this.#counts) count += each;
    const rank = Math.max(1, Math.ceil(quantile * count));
    let seen = 0;
    for (let offset = 0; offset < this.#counts.length; offset++) {
      seen += this.#counts[offset] as number;
      if (seen >= rank) return topOf(this.#first + offset);
    }
    return 0;
  }

  #add(bucket: number, count: number): void {
    this.#stretchTo(bucket);
    (this.#counts[bucket - this.#first] as number) += count;
  }

  #stretchTo(bucket: number): void {
    const length = this.#counts.length;
    if (length === 0) this.#first = bucket;
    const from = Math.min(this.#first, bucket);
    const until = Math.max(this.#first + length, bucket + 1);
    if (until - from === length) return;
    const counts = new Uint32Array(until - from);
    counts.set(this.#counts, this.#first - from);
    this.#counts = counts;
    this.#first = from;
  }
}

/** Below 128 each µs has its bucket; above, buckets grow with the value. */
function bucketOf(us: number): number {
  if (us < 2 * BUCKETS_PER_DOUBLING) return us;
  const shift = 31 - Math.clz32(us) - LOG2_OF_BUCKETS;
  return shift * BUCKETS_PER_DOUBLING + (us >>> shift);
}

function topOf(bucket: number): number {
  if (bucket < 2 * BUCKETS_PER_DOUBLING) return bucket;
  const shift = Math.floor(bucket / BUCKETS_PER_DOUBLING) - 1;
  return (bucket - shift * BUCKETS_PER_DOUBLING + 1) * 2 ** shift - 1;
}
