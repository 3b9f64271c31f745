// Rows of a wall-clock variant: what its repeats say in pairs, and then whether that is a change. The test
// itself is in stats/compare-samples.ts.
import { streamKey } from '../prng.ts';
import { type MetricDefinition, metrics } from '../scenario/metric.ts';
import {
  adjustByHolm,
  compareExact,
  type Effect,
  isUnchanged,
  judgeEffect,
  measureEffect,
  medianOf,
  type PairedSamples,
} from '../stats/compare-samples.ts';
import { exactRow } from './compare-exact.ts';
import { describe, workloadPairs } from './compare-facts.ts';
import {
  type ComparisonRow,
  deltas,
  missingInBoth,
  type VariantPair,
  whichIsMissing,
} from './compare-row.ts';
import { isUsableRepeat } from './merge-repeats.ts';
import type { VariantResult, WorkloadResult } from './run-result.ts';

/** Least changes worth a word, on a wall clock: of latencies, of other positive quantities, of shares. */
const LEAST_LATENCY_CHANGE_RATIO = 0.05;
const LEAST_CHANGE_RATIO = 0.01;
const LEAST_SHARE_CHANGE = 0.001;

/**
 * Noisy metrics that are judged: each tells something of its own. The others are shown, and judged when a rule
 * names them; the more are judged together, the more repeats each needs.
 */
const judgedByDefault: readonly string[] = [
  'achievedPerSecond',
  'throttledRatio',
  'failedRatio',
  'response.p50',
  'response.p99',
  'service.p50',
  'service.p99',
  'writeUnitsPerOperation',
  'readUnitsPerOperation',
  'requestsPerOperation',
];

interface NoisyOptions {
  /** Metrics that a rule names. */
  readonly named: ReadonlySet<string>;
  /** Of the run before. */
  readonly seed: number;
  readonly seedsDiffer: boolean;
}

/** Rows of a wall-clock variant, without judgement: see `judgeRows`. */
export function noisyRows(
  pair: VariantPair,
  options: NoisyOptions & { readonly isThrottling: boolean },
): ComparisonRow[] {
  return workloadPairs(pair).flatMap(([before, after]) =>
    metrics
      .filter((metric) => options.isThrottling || !metric.needsEnforcedThroughput)
      .map((metric) => noisyRow(pair, { before, after, metric }, options)),
  );
}

/** Judges all noisy rows of a comparison together: the more there are, the surer each must be. */
export function judgeRows(rows: readonly ComparisonRow[]): ComparisonRow[] {
  const tested = rows.filter(isTested);
  const adjusted = adjustByHolm(tested.map((row) => row.effect?.pValue ?? 1));
  const byRow = new Map(tested.map((row, index) => [row, adjusted[index] ?? 1]));
  return rows.map((row) => judgeRow(row, byRow.get(row) ?? null, tested.length));
}

/** Rows that are equal in every pair need no test, and none of the doubt that is shared out. */
function isTested({ isJudged, effect }: ComparisonRow): boolean {
  return isJudged && effect !== null && !isUnchanged(effect);
}

function judgeRow(row: ComparisonRow, adjusted: number | null, familySize: number): ComparisonRow {
  const { effect, orientation } = row;
  if (row.method === 'exact' || effect === null || row.reason !== '') return row;
  if (!row.isJudged) return { ...row, reason: 'shown, not judged' };
  const minimumEffect = leastEffect(row, effect);
  const judged = judgeEffect(effect, adjusted ?? 1, { orientation, minimumEffect, familySize });
  return { ...row, ...judged, adjustedPValue: adjusted };
}

/** On the scale of the effect: the share of the value before where a relative change could not be taken. */
function leastEffect({ unit, before }: ComparisonRow, effect: Effect): number {
  if (unit === 'ratio') return LEAST_SHARE_CHANGE;
  const least = unit === 'us' ? LEAST_LATENCY_CHANGE_RATIO : LEAST_CHANGE_RATIO;
  return effect.scale === 'relative' ? least : least * Math.abs(before ?? 0);
}

function noisyRow(
  pair: VariantPair,
  { before, after, metric }: { before: WorkloadResult; after: WorkloadResult; metric: MetricDefinition },
  { named, seed, seedsDiffer }: NoisyOptions,
): ComparisonRow {
  const merged = { before: before.metrics[metric.name] ?? null, after: after.metrics[metric.name] ?? null };
  const fact = { subject: before.name, ...describe(metric), ...merged };
  const row = {
    variant: pair.name,
    ...fact,
    method: 'noisy',
    ...deltas(merged),
    change: 'inconclusive',
    isJudged: judgedByDefault.includes(metric.name) || named.has(metric.name),
    adjustedPValue: null,
    pairsNeeded: null,
  } as const;
  if (merged.before === null && merged.after === null) return { ...row, effect: null, ...missingInBoth };
  if (merged.before === null || merged.after === null)
    return { ...row, effect: null, reason: whichIsMissing(merged.before) };
  const invalid = [pair.before, pair.after].find((variant) => variant.validity.status === 'invalid');
  if (invalid !== undefined) return { ...row, effect: null, reason: whyInvalid(pair, invalid) };
  const stream = streamKey(seed, `compare ${pair.name} ${before.name} ${metric.name}`);
  const scale = metric.unit === 'ratio' ? 'absolute' : 'relative';
  const paired = pairedValues(pair, before.name, metric);
  const settled = isCounted(metric) && !seedsDiffer ? settledValues(paired) : undefined;
  if (settled !== undefined)
    return { ...exactRow(pair.name, { ...fact, ...settled }, false), isJudged: row.isJudged };
  const effect = measureEffect(paired, scale, stream) ?? null;
  if (effect === null) return { ...row, effect, reason: 'no repeat has it in both runs' };
  // The change is that of the pairs: merged percentiles beside it could say the opposite.
  const medians = { before: medianOf(paired.before), after: medianOf(paired.after) };
  return { ...row, ...medians, ...deltas(medians), effect, reason: '' };
}

/** Units and requests of an operation are counts of the target, which no clock makes noisy. */
function isCounted({ unit }: MetricDefinition): boolean {
  return unit === 'units' || unit === 'requests' || unit === 'usd';
}

/** Sums of decimal fractions differ in their last digits. */
const ROUNDING_RATIO = 1e-9;

/**
 * The one value of each side where all its repeats agree: then the load leaves nothing to chance, and the two are
 * compared exactly.
 * @returns undefined where repeats differ, or where one alone could not
 */
function settledValues(paired: PairedSamples): { before: number; after: number } | undefined {
  const [before, after] = [commonValue(paired.before), commonValue(paired.after)];
  if (before === undefined || after === undefined) return undefined;
  const isSame =
    compareExact(before, after, { orientation: 'neutral', toleranceRatio: ROUNDING_RATIO }) === 'same';
  return { before, after: isSame ? before : after };
}

function commonValue(values: readonly number[]): number | undefined {
  const [lowest, highest] = [Math.min(...values), Math.max(...values)];
  return values.length > 1 && highest - lowest <= ROUNDING_RATIO * highest ? lowest : undefined;
}

function whyInvalid(pair: VariantPair, invalid: VariantResult): string {
  const codes = invalid.validity.reasons.filter((one) => one.status === 'invalid').map((one) => one.code);
  return `the variant is invalid ${invalid === pair.before ? 'before' : 'after'} (${codes.join(', ')})`;
}

/** Values of repeats that are complete and usable in both runs: repeat k before and repeat k after. */
function pairedValues(
  { repeatsBefore, repeatsAfter }: VariantPair,
  workload: string,
  { name }: MetricDefinition,
): { before: number[]; after: number[] } {
  const paired = { before: [] as number[], after: [] as number[] };
  const valueIn = (variant: VariantResult | undefined): number | null => {
    if (variant === undefined || variant.status !== 'complete' || !isUsableRepeat(variant)) return null;
    return variant.workloads.find((one) => one.name === workload)?.metrics[name] ?? null;
  };
  for (const repeat of repeatsBefore) {
    const other = repeatsAfter.find((one) => (one.repeat ?? 0) === (repeat.repeat ?? 0));
    const [before, after] = [valueIn(repeat), valueIn(other)];
    if (before === null || after === null) continue;
    paired.before.push(before);
    paired.after.push(after);
  }
  return paired;
}
