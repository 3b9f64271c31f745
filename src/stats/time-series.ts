// What happened in each second: sums of named counters and the longest latency, in one growing array of
// numbers. What the counters mean is the caller's business; a report gets at most as many windows as it asks
// for.
import { assert } from '../errors.ts';
import { US_PER_SECOND } from '../units.ts';

/**
 * A time series as reported. Window `i` covers `windowSeconds` from `i × windowSeconds`; the last may be
 * shorter.
 */
export interface CompactedSeries {
  readonly windowSeconds: number;
  readonly windowCount: number;
  /** By counter, then by window: the sum of the window's seconds. */
  readonly totals: readonly (readonly number[])[];
  /**
   * By counter, then by window: the second with the most in it, which is the worst one of throttles, drops
   * and units.
   */
  readonly highestSeconds: readonly (readonly number[])[];
  /**
   * By counter, then by window: the whole second with the least in it, which is the worst one of successes.
   */
  readonly lowestSeconds: readonly (readonly number[])[];
  /** The longest latency of each window, in µs; 0 where there was none. */
  readonly maximumLatencyUs: readonly number[];
}

/** Windows in a report at most: half an hour of seconds. */
const MAXIMUM_WINDOWS = 1_800;

const FIRST_CAPACITY = 64;

/**
 * Counters and longest latency per second. `add` allocates only when time passes what fits, and then doubles.
 */
export class TimeSeries {
  readonly counterCount: number;
  readonly #stride: number;
  #cells: Float64Array;
  #windowCount = 0;
  /** Seconds before this one are as `takeChanged` last told them. */
  #firstChanged = 0;

  /** @param counterCount  how many counters; callers know them by their place, 0 … counterCount − 1 */
  constructor(counterCount: number) {
    this.counterCount = counterCount;
    this.#stride = counterCount + 1;
    this.#cells = new Float64Array(FIRST_CAPACITY * this.#stride);
  }

  /** Seconds from the start up to the last one that holds something. */
  get windowCount(): number {
    return this.#windowCount;
  }

  /** Adds `amount` to a counter in the second of `atUs` (≥ 0). */
  add(atUs: number, counterIndex: number, amount = 1): void {
    const cell = this.#rowAt(atUs) + counterIndex;
    (this.#cells[cell] as number) += amount;
  }

  /** Notes a latency in the second of `atUs`, of which the longest is kept. */
  noteLatency(atUs: number, latencyUs: number): void {
    const cell = this.#rowAt(atUs) + this.#stride - 1;
    if (latencyUs > (this.#cells[cell] as number)) this.#cells[cell] = latencyUs;
  }

  /**
   * One counter's value in each full second of a span, for tests of steadiness.
   * @param fromUs, toUs  a partial second at either end is left out, as its rate would be too low
   */
  perSecond(counterIndex: number, { fromUs, toUs }: { fromUs: number; toUs: number }): number[] {
    const values: number[] = [];
    const end = Math.floor(toUs / US_PER_SECOND);
    for (let second = Math.ceil(fromUs / US_PER_SECOND); second < end; second++)
      values.push(this.#valueAt(second, counterIndex));
    return values;
  }

  /**
   * The seconds that may have changed since the last call, as they stand now: the later word on a second holds.
   * @returns rows of the counters and the longest latency, from second `from` on; undefined where nothing changed
   */
  takeChanged(): SecondRows | undefined {
    const from = this.#firstChanged;
    if (from >= this.#windowCount) return undefined;
    this.#firstChanged = this.#windowCount;
    const rows: number[][] = [];
    for (let second = from; second < this.#windowCount; second++)
      rows.push([...this.#cells.subarray(second * this.#stride, (second + 1) * this.#stride)]);
    return { from, rows };
  }

  /** The inverse of `takeChanged`: puts the rows in place of what was there. */
  putSeconds({ from, rows }: SecondRows): void {
    for (const [index, row] of rows.entries()) {
      assert(row.length === this.#stride, 'a row has a cell for each counter and one for the latency');
      const at = this.#rowAt((from + index) * US_PER_SECOND); // First: it may put larger cells in place.
      this.#cells.set(row, at);
    }
  }

  /**
   * Some seconds of several series with the same counters, added up: the longest latency is the longest of all.
   * @param count  of seconds from `from` on; what a series does not reach is 0
   */
  static sumSeconds(
    parts: readonly TimeSeries[],
    { from, count }: { from: number; count: number },
  ): SecondRows {
    const [first] = parts;
    const stride = first === undefined ? 1 : first.#stride;
    const rows = Array.from({ length: count }, (_, index) =>
      Array.from({ length: stride }, (_, column) => {
        const values = parts.map((part) => part.#valueAt(from + index, column));
        return column === stride - 1 ? Math.max(...values) : values.reduce((sum, value) => sum + value, 0);
      }),
    );
    return { from, rows };
  }

  /** Adds all of `other`, which must have the same counters. */
  merge(other: TimeSeries): void {
    assert(other.counterCount === this.counterCount, 'merged time series have the same counters');
    if (other.#windowCount === 0) return;
    this.#rowAt((other.#windowCount - 1) * US_PER_SECOND);
    const latency = this.#stride - 1;
    for (let cell = 0; cell < other.#windowCount * this.#stride; cell++) {
      const theirs = other.#cells[cell] as number;
      const ours = this.#cells[cell] as number;
      this.#cells[cell] = cell % this.#stride === latency ? Math.max(ours, theirs) : ours + theirs;
    }
  }

  /**
   * The series in at most `maximumWindows` windows of equal whole seconds.
   * @param endUs  when the time covered ended: silence up to there is shown, and a last partial second is
   * nobody's lowest
   */
  compact({ maximumWindows = MAXIMUM_WINDOWS, endUs = 0 } = {}): CompactedSeries {
    const secondCount = Math.max(this.#windowCount, Math.ceil(endUs / US_PER_SECOND));
    const secondsPerWindow = Math.max(1, Math.ceil(secondCount / maximumWindows));
    const windowCount = Math.ceil(secondCount / secondsPerWindow);
    const partial = endUs % US_PER_SECOND === 0 ? secondCount : Math.floor(endUs / US_PER_SECOND);
    const spans = Array.from({ length: windowCount }, (_, window) => ({
      from: window * secondsPerWindow,
      to: Math.min(secondCount, (window + 1) * secondsPerWindow),
      partial,
    }));
    const columns = Array.from({ length: this.counterCount }, (_, index) => index);
    const highest = (column: number) => spans.map((span) => this.#highest(column, span));
    return {
      windowSeconds: secondsPerWindow,
      windowCount,
      totals: columns.map((column) => spans.map((span) => this.#sum(column, span))),
      highestSeconds: columns.map(highest),
      lowestSeconds: columns.map((column) => spans.map((span) => this.#lowest(column, span))),
      maximumLatencyUs: highest(this.#stride - 1),
    };
  }

  #sum(column: number, { from, to }: Span): number {
    let sum = 0;
    for (let second = from; second < to; second++) sum += this.#valueAt(second, column);
    return sum;
  }

  #highest(column: number, { from, to }: Span): number {
    let highest = 0;
    for (let second = from; second < to; second++) highest = Math.max(highest, this.#valueAt(second, column));
    return highest;
  }

  #lowest(column: number, { from, to, partial }: Span): number {
    let lowest = this.#valueAt(from, column);
    for (let second = from + 1; second < to && second < partial; second++)
      lowest = Math.min(lowest, this.#valueAt(second, column));
    return lowest;
  }

  #valueAt(second: number, column: number): number {
    return second < this.#windowCount ? (this.#cells[second * this.#stride + column] as number) : 0;
  }

  /** Where the row of this moment begins; makes room for it. */
  #rowAt(atUs: number): number {
    const second = Math.floor(atUs / US_PER_SECOND);
    if (second >= this.#windowCount) this.#extend(second);
    if (second < this.#firstChanged) this.#firstChanged = second;
    return second * this.#stride;
  }

  #extend(second: number): void {
    this.#windowCount = second + 1;
    const needed = this.#windowCount * this.#stride;
    if (needed <= this.#cells.length) return;
    const cells = new Float64Array(Math.max(needed, 2 * this.#cells.length));
    cells.set(this.#cells);
    this.#cells = cells;
  }
}

/** Consecutive seconds of a series, beginning with second `from`: of each its counters, then its longest latency. */
export interface SecondRows {
  readonly from: number;
  readonly rows: number[][];
}

/** Seconds `from` … `to − 1`; from `partial` on they are not whole. */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly partial: number;
}
