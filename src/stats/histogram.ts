// Latencies as counts: three significant digits, integer microseconds, mergeable, of bounded size. The
// counting is ours (bucket arithmetic by leading zeros, 6 ns a record; hdr-histogram-js needs 140 ns because
// it takes a logarithm and two powers each time); the format on disk is HdrHistogram's, see
// histogram-encoding.ts. Labels and stages are the recorder's business.
import { assert } from '../errors.ts';
import { US_PER_MINUTE } from '../units.ts';
import {
  BUCKETS_PER_DOUBLING,
  bucketIndex,
  highestOfBucket,
  middleOfBucket,
  SINGLE_UNIT_VALUES,
} from './histogram-buckets.ts';
import { decodeCounts, encodeCounts } from './histogram-encoding.ts';

/**
 * The longest latency told apart, in µs: one hour. Longer ones count as one hour in quantiles, and in
 * `overflowCount`.
 */
export const LONGEST_LATENCY_US = 60 * US_PER_MINUTE;

/** A histogram in figures; all times in µs, all zero where nothing was recorded. */
export interface LatencySummary {
  readonly count: number;
  readonly minUs: number;
  readonly meanUs: number;
  readonly p50Us: number;
  readonly p90Us: number;
  readonly p99Us: number;
  readonly p99_9Us: number;
  readonly maxUs: number;
}

/**
 * A histogram as stored or sent between threads: its figures, and its counts as compressed HdrHistogram V2 in
 * base64.
 */
export interface HistogramRecord extends LatencySummary {
  readonly encoded: string;
}

/**
 * What a histogram counted within a span of time: `encoded` holds that span's counts, as HdrHistogram V2 in base64,
 * and minimum and maximum are those of all time, since of a span they are not known exactly.
 */
export interface HistogramDelta {
  readonly count: number;
  readonly sumUs: number;
  readonly minUs: number;
  readonly maxUs: number;
  /** The longest latency of the span, within three digits. */
  readonly spanMaxUs: number;
  readonly encoded: string;
}

/** Size, mean and standard deviation of a sample; see `momentsOf` in confidence.ts for plain numbers. */
export interface Moments {
  readonly n: number;
  readonly mean: number;
  readonly standardDeviation: number;
}

/**
 * Counts of latencies. An empty one takes 16 KB and the largest 190 KB: create one when its first value
 * comes.
 */
export class LatencyHistogram {
  #counts = new Float64Array(SINGLE_UNIT_VALUES);
  #count = 0;
  #sumUs = 0;
  #minUs = Number.POSITIVE_INFINITY;
  #maxUs = 0;
  #overflowCount = 0;

  /**
   * Counts one latency.
   * @param us  integer ≥ 0; above `LONGEST_LATENCY_US` it is counted as overflow and as that longest latency
   * @throws DynoLoadError INTERNAL for a negative or missing number
   */
  record(us: number): void {
    if (!(us >= 0)) assert(false, `a latency of ${us} µs was recorded`);
    if (us > LONGEST_LATENCY_US) this.#overflowCount++;
    const index = bucketIndex(us > LONGEST_LATENCY_US ? LONGEST_LATENCY_US : us);
    if (index >= this.#counts.length) this.#grow(index);
    (this.#counts[index] as number)++;
    this.#count++;
    this.#sumUs += us;
    if (us < this.#minUs) this.#minUs = us;
    if (us > this.#maxUs) this.#maxUs = us;
  }

  get count(): number {
    return this.#count;
  }

  get minUs(): number {
    return this.#count === 0 ? 0 : this.#minUs;
  }

  get maxUs(): number {
    return this.#maxUs;
  }

  /** The mean of what was recorded, exact and not from buckets. */
  get meanUs(): number {
    return this.#count === 0 ? 0 : this.#sumUs / this.#count;
  }

  /** How many latencies were longer than `LONGEST_LATENCY_US`. */
  get overflowCount(): number {
    return this.#overflowCount;
  }

  /**
   * The latency that the share `quantile` of all records does not exceed, too high by less than 0.1 % and
   * never above the recorded maximum.
   * @param quantile  a ratio 0…1, not percent; 0 is the minimum
   */
  quantile(quantile: number): number {
    assert(quantile >= 0 && quantile <= 1, `quantile ${quantile} lies outside 0…1`);
    return this.valueAtRank(rankOf(quantile, this.#count));
  }

  /** The `rank`-th smallest latency (1 … count) within three digits; 0 where nothing was recorded. */
  valueAtRank(rank: number): number {
    if (this.#count === 0) return 0;
    if (rank <= 1) return this.#minUs;
    let seen = 0;
    for (let index = 0; index < this.#counts.length; index++) {
      seen += this.#counts[index] as number;
      if (seen >= rank) return Math.min(this.#maxUs, Math.max(this.#minUs, highestOfBucket(index)));
    }
    return this.#maxUs;
  }

  /** How many latencies lay above `us`, those of its own bucket left out. */
  countAbove(us: number): number {
    let count = 0;
    for (let index = bucketIndex(Math.min(us, LONGEST_LATENCY_US)) + 1; index < this.#counts.length; index++)
      count += this.#counts[index] as number;
    return count;
  }

  /** Adds all that `other` counted. The order in which histograms are added up makes no difference. */
  add(other: LatencyHistogram): void {
    if (other.#counts.length > this.#counts.length) this.#grow(other.#counts.length - 1);
    for (let index = 0; index < other.#counts.length; index++)
      (this.#counts[index] as number) += other.#counts[index] as number;
    this.#count += other.#count;
    this.#sumUs += other.#sumUs;
    this.#minUs = Math.min(this.#minUs, other.#minUs);
    this.#maxUs = Math.max(this.#maxUs, other.#maxUs);
    this.#overflowCount += other.#overflowCount;
  }

  /**
   * What was counted since `taken`, a copy of this histogram as it was then; the copy is brought up to date, save its
   * minimum and maximum. One pass without calls: it runs each second beside the load.
   * @returns undefined, at no cost, where nothing was counted since
   */
  takeSince(taken: LatencyHistogram): HistogramDelta | undefined {
    const count = this.#count - taken.#count;
    if (count === 0) return undefined;
    const now = this.#counts;
    if (taken.#counts.length < now.length) taken.#grow(now.length - 1);
    const before = taken.#counts;
    const span = new Float64Array(now.length);
    let last = 0;
    for (let index = 0; index < now.length; index++) {
      const counted = now[index] as number;
      const more = counted - (before[index] as number);
      if (more === 0) continue;
      span[index] = more;
      before[index] = counted;
      last = index;
    }
    const sumUs = this.#sumUs - taken.#sumUs;
    taken.#count = this.#count;
    taken.#sumUs = this.#sumUs;
    const spanMaxUs = highestOfBucket(last);
    return {
      count,
      sumUs,
      minUs: this.#minUs,
      maxUs: this.#maxUs,
      spanMaxUs: Math.min(spanMaxUs, this.#maxUs),
      encoded: encodeCounts(span, last + 1, Math.max(SINGLE_UNIT_VALUES - 1, spanMaxUs)),
    };
  }

  /** The inverse of `takeSince`: adds what was counted in one span. @throws DynoLoadError RUN_FOLDER_INVALID */
  addSpan({ sumUs, minUs, maxUs, encoded }: Omit<HistogramDelta, 'count' | 'spanMaxUs'>): void {
    const span = LatencyHistogram.decode(encoded);
    span.#sumUs = sumUs;
    span.#minUs = minUs;
    span.#maxUs = maxUs;
    this.add(span);
  }

  /** Size, mean and standard deviation (µs); the deviation is taken from the middles of the buckets. */
  moments(): Moments {
    const mean = this.meanUs;
    let squares = 0;
    for (let index = 0; index < this.#counts.length; index++) {
      const count = this.#counts[index] as number;
      if (count > 0) squares += count * (middleOfBucket(index) - mean) ** 2;
    }
    const standardDeviation = this.#count > 1 ? Math.sqrt(squares / (this.#count - 1)) : 0;
    return { n: this.#count, mean, standardDeviation };
  }

  summarize(): LatencySummary {
    return {
      count: this.#count,
      minUs: this.minUs,
      meanUs: this.meanUs,
      p50Us: this.quantile(0.5),
      p90Us: this.quantile(0.9),
      p99Us: this.quantile(0.99),
      p99_9Us: this.quantile(0.999),
      maxUs: this.maxUs,
    };
  }

  /** The counts as compressed HdrHistogram V2 base64; equal counts give equal text. */
  encode(): string {
    const last = this.#count === 0 ? -1 : bucketIndex(Math.min(this.#maxUs, LONGEST_LATENCY_US));
    const highestUs = Math.max(SINGLE_UNIT_VALUES - 1, highestOfBucket(last));
    return encodeCounts(this.#counts, last + 1, highestUs);
  }

  /**
   * Reads what `encode`, or any other HdrHistogram tool, wrote.
   * @param exact  figures that counts alone keep only to three digits; without them minimum, maximum and mean
   * are such
   * @throws DynoLoadError RUN_FOLDER_INVALID
   */
  static decode(text: string, exact?: Pick<LatencySummary, 'minUs' | 'meanUs' | 'maxUs'>): LatencyHistogram {
    const histogram = new LatencyHistogram();
    for (const { valueUs, count } of decodeCounts(text)) histogram.#recordMany(valueUs, count);
    if (exact && histogram.#count > 0) {
      histogram.#minUs = exact.minUs;
      histogram.#maxUs = exact.maxUs;
      histogram.#sumUs = Math.round(exact.meanUs * histogram.#count);
    }
    return histogram;
  }

  /** All of it, save the count of overflows, in a form that JSON and threads can carry. */
  toRecord(): HistogramRecord {
    return { ...this.summarize(), encoded: this.encode() };
  }

  /**
   * The inverse of `toRecord`: the same counts, summary and text.
   * @throws DynoLoadError RUN_FOLDER_INVALID
   */
  static fromRecord(record: HistogramRecord): LatencyHistogram {
    return LatencyHistogram.decode(record.encoded, record);
  }

  #recordMany(us: number, count: number): void {
    this.record(us);
    const more = count - 1;
    (this.#counts[bucketIndex(Math.min(us, LONGEST_LATENCY_US))] as number) += more;
    this.#count += more;
    this.#sumUs += us * more;
    if (us > LONGEST_LATENCY_US) this.#overflowCount += more;
  }

  #grow(index: number): void {
    const length = (Math.floor(index / BUCKETS_PER_DOUBLING) + 1) * BUCKETS_PER_DOUBLING;
    const counts = new Float64Array(length);
    counts.set(this.#counts);
    this.#counts = counts;
  }
}

/**
 * The rank of a quantile among `count` sorted values: the smallest rank that covers the share, at least 1.
 */
export function rankOf(quantile: number, count: number): number {
  // 0.07 × 100 is 7.000000000000001 in floating point; the small factor keeps such a product from skipping a
  // rank.
  return Math.max(1, Math.ceil(quantile * count * (1 - 4 * Number.EPSILON)));
}
