// Rows that are compared exactly: in virtual time a count either changed or it did not.
import { compareExact } from '../stats/compare-samples.ts';
import { exactFacts } from './compare-facts.ts';
import {
  type ComparisonRow,
  deltas,
  type Fact,
  missingInBoth,
  type VariantPair,
  whichIsMissing,
} from './compare-row.ts';

/**
 * Exact rows of a simulated variant: every metric but the latencies, which are modelled and so never compared,
 * and counts behind them.
 * @param seedsDiffer  then a difference may be chance, and is inconclusive
 */
export function exactRows(pair: VariantPair, { seedsDiffer }: { seedsDiffer: boolean }): ComparisonRow[] {
  const rows = exactFacts(pair).map((fact) => exactRow(pair.name, fact, seedsDiffer));
  return pair.before.measuredSeconds === pair.after.measuredSeconds ? rows : rows.map(overUnequalTime);
}

/** Totals of unequal times differ by these alone; rates and what an operation costs do not. */
function overUnequalTime(row: ComparisonRow): ComparisonRow {
  if (row.unit !== 'count' || row.delta === null) return row;
  const reason = 'the runs measured unequal times';
  return { ...row, isJudged: false, change: 'inconclusive', reason };
}

/** Quotients of equal counts may differ in their last digits. */
const ROUNDING_RATIO = 1e-12;

/** The row of one quantity. */
export function exactRow(variant: string, fact: Fact, seedsDiffer: boolean): ComparisonRow {
  const isJudged = !seedsDiffer || isByOperation(fact);
  const row = { variant, ...fact, method: 'exact', isJudged, ...deltas(fact) } as const;
  const settled = { effect: null, adjustedPValue: null, pairsNeeded: null };
  const { before, after, orientation } = fact;
  if (before === null && after === null) return { ...row, ...settled, ...missingInBoth };
  if (before === null || after === null)
    return { ...row, ...settled, change: 'changed', reason: whichIsMissing(before) };
  const change = compareExact(before, after, { orientation, toleranceRatio: ROUNDING_RATIO });
  if (change !== 'same' && seedsDiffer)
    return { ...row, ...settled, change: 'inconclusive', reason: 'the seeds differ, so this may be chance' };
  return { ...row, ...settled, change, reason: change === 'same' ? 'equal' : 'exact counts differ' };
}

/**
 * What operations cost and how they end. Totals, rates and balance follow the load, which another seed draws
 * anew.
 */
function isByOperation({ unit, orientation }: Fact): boolean {
  return unit !== 'count' && unit !== 'perSecond' && orientation !== 'neutral';
}
