// The rows of a comparison: each quantity that both runs have, before and after. Which are exact and which are
// noisy is decided here; how a noisy one is judged, in stats/compare-samples.ts.
import { streamKey } from '../prng.ts';
import { type MetricDefinition, metrics, type MetricUnit } from '../scenario/metric.ts';
import {
  adjustByHolm,
  type Change,
  compareExact,
  type Effect,
  isUnchanged,
  judgeEffect,
  measureEffect,
  medianOf,
  type PairedSamples,
} from '../stats/compare-samples.ts';
import type { Orientation } from '../stats/estimate.ts';
import { groupBy } from './group-by.ts';
import { isUsableRepeat } from './merge-repeats.ts';
import { readableResource } from './resource-name.ts';
import type { ResourceResult, VariantResult, WorkloadResult } from './run-result.ts';

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
   * that are only shown, and totals of runs of different seeds.
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

const orientations = {
  'higher-is-better': 'higher',
  'lower-is-better': 'lower',
  neither: 'neutral',
} as const satisfies Record<MetricDefinition['orientation'], Orientation>;

/**
 * Exact rows of a simulated variant: every metric but the latencies, which are modelled and so never compared,
 * and counts behind them.
 * @param seedsDiffer  then a difference may be chance, and is inconclusive
 */
export function exactRows(pair: VariantPair, { seedsDiffer }: { seedsDiffer: boolean }): ComparisonRow[] {
  const workloads = workloadPairs(pair);
  const facts = [
    ...workloads.flatMap(([before, after]) => metricFacts(before, after)),
    ...workloads.flatMap(([before, after]) => countFacts(before, after)),
    ...resourceFacts(pair),
    ...placementFacts(pair),
  ];
  return facts.map((fact) => exactRow(pair.name, fact, seedsDiffer));
}

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

interface Fact {
  readonly subject: string;
  readonly metric: string;
  readonly unit: MetricUnit | 'count';
  readonly orientation: Orientation;
  readonly before: number | null;
  readonly after: number | null;
}

function metricFacts(before: WorkloadResult, after: WorkloadResult): Fact[] {
  return metrics
    .filter((metric) => metric.unit !== 'us')
    .map((metric) => ({
      ...describe(metric),
      subject: before.name,
      before: before.metrics[metric.name] ?? null,
      after: after.metrics[metric.name] ?? null,
    }));
}

function describe({
  name,
  unit,
  orientation,
}: MetricDefinition): Pick<Fact, 'metric' | 'unit' | 'orientation'> {
  return { metric: name, unit, orientation: orientations[orientation] };
}

function countFacts(before: WorkloadResult, after: WorkloadResult): Fact[] {
  const count = (metric: string, orientation: Orientation, of: (one: WorkloadResult) => number): Fact => ({
    subject: before.name,
    metric,
    unit: 'count',
    orientation,
    before: of(before),
    after: of(after),
  });
  const reasons = [before, after].flatMap(({ measured }) => measured.throttles.map((one) => one.reason));
  return [
    ...[...new Set(reasons)].map((reason) =>
      count(`throttles.${reason}`, 'lower', ({ measured }) =>
        measured.throttles.reduce((sum, one) => sum + (one.reason === reason ? one.count : 0), 0),
      ),
    ),
    count('requests', 'neutral', ({ measured }) => measured.requests),
    count('itemsReturned', 'neutral', ({ measured }) => measured.itemsReturned),
    count('itemsScanned', 'lower', ({ measured }) => measured.itemsScanned),
  ];
}

/** Units and balance of tables and indexes, matched by the names that the scenario gives them. */
function resourceFacts({ before, after }: VariantPair): Fact[] {
  const nameOf = (variant: VariantResult, resource: ResourceResult): string =>
    readableResource(resource.resource, variant.tables);
  const others = groupBy(after.resources, (resource) => nameOf(after, resource));
  return before.resources.flatMap((resource) => {
    const subject = nameOf(before, resource);
    const other = others.get(subject)?.[0];
    if (other === undefined) return [];
    const fact = (metric: string, unit: Fact['unit'], of: (one: ResourceResult) => number | null): Fact => ({
      subject,
      metric,
      unit,
      orientation: 'neutral',
      before: of(resource),
      after: of(other),
    });
    return [
      fact('readUnits', 'count', (one) => one.readUnits),
      fact('writeUnits', 'count', (one) => one.writeUnits),
      fact('throttledReadUnits', 'count', (one) => one.throttledReadUnits),
      fact('throttledWriteUnits', 'count', (one) => one.throttledWriteUnits),
      fact('distinctKeys', 'count', (one) => one.distinctKeys),
      fact('busiestPartition.write', 'ratio', (one) => busiest(one, 'writeUtilization')),
      fact('busiestPartition.read', 'ratio', (one) => busiest(one, 'readUtilization')),
    ];
  });
}

function busiest(
  { partitions }: ResourceResult,
  side: 'readUtilization' | 'writeUtilization',
): number | null {
  return partitions === null ? null : Math.max(0, ...partitions.map((partition) => partition[side]));
}

function placementFacts({ before, after }: VariantPair): Fact[] {
  if (before.placement === null && after.placement === null) return [];
  const fact = (metric: string, of: (one: NonNullable<VariantResult['placement']>) => number): Fact => ({
    subject: 'placement',
    metric,
    unit: 'ratio',
    orientation: 'higher',
    before: before.placement === null ? null : of(before.placement),
    after: after.placement === null ? null : of(after.placement),
  });
  return [
    fact('metFromFirstSecond', (one) => one.shareMeetingGoalFromFirstSecond),
    fact('metSettled', (one) => one.shareMeetingGoalSettled),
  ];
}

function exactRow(variant: string, fact: Fact, seedsDiffer: boolean): ComparisonRow {
  const isJudged = !seedsDiffer || isByOperation(fact);
  const row = { variant, ...fact, method: 'exact', isJudged, ...deltas(fact) } as const;
  const settled = { effect: null, adjustedPValue: null, pairsNeeded: null };
  const { before, after, orientation } = fact;
  if (before === null && after === null) return { ...row, ...settled, ...missingInBoth };
  if (before === null || after === null)
    return { ...row, ...settled, change: 'changed', reason: whichIsMissing(before) };
  const change = compareExact(before, after, { orientation });
  if (change !== 'same' && seedsDiffer)
    return { ...row, ...settled, change: 'inconclusive', reason: 'the seeds differ, so this may be chance' };
  return { ...row, ...settled, change, reason: change === 'same' ? 'equal' : 'exact counts differ' };
}

/** Nothing is known of it: neither that it changed nor that it did not. */
const missingInBoth = { isJudged: false, change: 'inconclusive', reason: 'missing in both' } as const;

function whichIsMissing(before: number | null): string {
  return before === null ? 'missing before' : 'missing after';
}

/** What operations cost and how they end. Totals, rates and balance follow the load, which another seed draws anew. */
function isByOperation({ unit, orientation }: Fact): boolean {
  return unit !== 'count' && unit !== 'perSecond' && orientation !== 'neutral';
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

function workloadPairs({ before, after }: VariantPair): [WorkloadResult, WorkloadResult][] {
  return before.workloads.flatMap((workload): [WorkloadResult, WorkloadResult][] => {
    const other = after.workloads.find((one) => one.name === workload.name);
    return other === undefined ? [] : [[workload, other]];
  });
}

function deltas({
  before,
  after,
}: Pick<Fact, 'before' | 'after'>): Pick<ComparisonRow, 'delta' | 'deltaRatio'> {
  if (before === null || after === null) return { delta: null, deltaRatio: null };
  return { delta: after - before, deltaRatio: before === 0 ? null : (after - before) / Math.abs(before) };
}
