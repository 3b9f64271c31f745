// One row of a comparison: a quantity that both runs have, before and after, and how it changed.
import type { MetricUnit } from '../scenario/metric.ts';
import type { Change, Effect } from '../stats/compare-samples.ts';
import type { Orientation } from '../stats/estimate.ts';
import type { VariantResult } from './run-result.ts';

/** One figure before and after, with what may be said of its change. */
export interface ComparisonRow {
  readonly variant: string;
  /** A workload, a table or index, or `placement`. */
  readonly subject: string;
  /** A metric of the published list, or an exact count such as `throttles.<reason>` or `writeUnits`. */
  readonly metric: string;
  readonly unit: MetricUnit | 'count';
  readonly orientation: Orientation;
  readonly method: 'exact' | 'noisy';
  /** Medians of the repeats where `effect` comes from pairs of them, else over all repeats; null where missing. */
  readonly before: number | null;
  readonly after: number | null;
  readonly delta: number | null;
  /** delta ÷ before; null where before is 0 or one is missing. */
  readonly deltaRatio: number | null;
  readonly change: Change;
  /**
   * Whether `change` counts where no rule names the metric. Not so: what is missing in both runs, noisy metrics
   * that are only shown, and totals of runs of different seeds or of unequal measured time.
   */
  readonly isJudged: boolean;
  readonly reason: string;
  /** Of noisy rows with a pair of repeats. */
  readonly effect: Effect | null;
  /** Adjusted for all that is judged together; null where nothing was tested. */
  readonly adjustedPValue: number | null;
  readonly pairsNeeded: number | null;
}

/** One variant as both runs have it. */
export interface VariantPair {
  readonly name: string;
  /** Repeats merged. */
  readonly before: VariantResult;
  readonly after: VariantResult;
  /** Each repeat by itself, in the order in which they ran. */
  readonly repeatsBefore: readonly VariantResult[];
  readonly repeatsAfter: readonly VariantResult[];
}

/** A quantity before and after, not yet judged. */
export interface Fact {
  readonly subject: string;
  readonly metric: string;
  readonly unit: MetricUnit | 'count';
  readonly orientation: Orientation;
  readonly before: number | null;
  readonly after: number | null;
}

/** Nothing is known of it: neither that it changed nor that it did not. */
export const missingInBoth = { isJudged: false, change: 'inconclusive', reason: 'missing in both' } as const;

/** Of two values, which one the record lacks. @param before  null: that one */
export function whichIsMissing(before: number | null): string {
  return before === null ? 'missing before' : 'missing after';
}

/** What lies between before and after, where neither is missing. */
export function deltas({
  before,
  after,
}: Pick<Fact, 'before' | 'after'>): Pick<ComparisonRow, 'delta' | 'deltaRatio'> {
  if (before === null || after === null) return { delta: null, deltaRatio: null };
  return { delta: after - before, deltaRatio: before === 0 ? null : (after - before) / Math.abs(before) };
}
