// What workloads counted over several repeats: counts and units are summed, histograms added up. Which repeats are
// merged is decided in merge-repeats.ts.
import { LatencyHistogram } from '../stats/histogram.ts';
import { groupBy } from './group-by.ts';
import { mergeRetries } from './records/retries.ts';
import type { HistogramResult, StageTotals, WorkloadResult } from './run-result.ts';
import { sumOf } from './sum-of.ts';

const MESSAGES_KEPT = 5;

/**
 * Sums totals.
 * @param options.keepHistograms  false: the result has counts only, which is a thousand times quicker
 */
export function mergeTotals(
  totals: readonly StageTotals[],
  { keepHistograms }: { readonly keepHistograms: boolean },
): StageTotals {
  const sum = (pick: (one: StageTotals) => number): number => sumOf(totals, pick);
  const first = totals[0] as StageTotals;
  const outcomes = { ...first.outcomes };
  for (const kind of Object.keys(outcomes) as (keyof typeof outcomes)[])
    outcomes[kind] = sum((one) => one.outcomes[kind]);
  const isEndKnown = totals.every((one) => one.okWithinStage !== undefined);
  const retries = mergeRetries(totals.map((one) => one.retries));
  return {
    planned: sum((one) => one.planned),
    started: sum((one) => one.started),
    finished: sum((one) => one.finished),
    outcomes,
    ...(isEndKnown ? { okWithinStage: sum((one) => one.okWithinStage ?? 0) } : {}),
    throttles: mergeThrottles(totals),
    requests: sum((one) => one.requests),
    throttledRequests: sum((one) => one.throttledRequests),
    itemsReturned: sum((one) => one.itemsReturned),
    itemsScanned: sum((one) => one.itemsScanned),
    itemsSent: sum((one) => one.itemsSent),
    itemsUnprocessed: sum((one) => one.itemsUnprocessed),
    units: mergeUnits(totals.map((one) => one.units)),
    estimatedUnits: mergeUnits(totals.map((one) => one.estimatedUnits)),
    response: keepHistograms ? mergeByOutcome(totals.map((one) => one.response)) : {},
    service: keepHistograms ? mergeByOutcome(totals.map((one) => one.service)) : {},
    lateness: keepHistograms ? mergeHistograms(totals.map((one) => one.lateness)) : null,
    ...(retries === undefined ? {} : { retries }),
  };
}

/** Requests and units of each step of a flow. */
export function mergeSteps(lists: readonly WorkloadResult['steps'][]): WorkloadResult['steps'] {
  return [...groupBy(lists.flat(), (step) => step.label)].map(([label, same]) => ({
    label,
    requests: sumOf(same, (step) => step.requests),
    readUnits: sumOf(same, (step) => step.readUnits),
    writeUnits: sumOf(same, (step) => step.writeUnits),
  }));
}

/** Errors by code, with the first messages of all. */
export function mergeErrors(lists: readonly WorkloadResult['errors'][]): WorkloadResult['errors'] {
  return [...groupBy(lists.flat(), (error) => error.code)].map(([code, same]) => ({
    code,
    count: sumOf(same, (error) => error.count),
    messages: same.flatMap((error) => error.messages).slice(0, MESSAGES_KEPT),
  }));
}

function mergeThrottles(totals: readonly StageTotals[]): StageTotals['throttles'] {
  const all = totals.flatMap((one) => one.throttles);
  return [...groupBy(all, ({ reason, resource }) => `${reason} ${resource}`).values()]
    .map((same) => ({
      reason: same[0]?.reason ?? '',
      resource: same[0]?.resource ?? '',
      count: sumOf(same, (one) => one.count),
    }))
    .sort((a, b) => b.count - a.count || (a.reason + a.resource < b.reason + b.resource ? -1 : 1));
}

function mergeUnits(lists: readonly StageTotals['units'][]): StageTotals['units'] {
  return [...groupBy(lists.flat(), (row) => row.resource)].map(([resource, same]) => ({
    resource,
    readUnits: sumOf(same, (row) => row.readUnits),
    writeUnits: sumOf(same, (row) => row.writeUnits),
  }));
}

type ByOutcome = StageTotals['response'];

function mergeByOutcome(all: readonly ByOutcome[]): ByOutcome {
  const merged: ByOutcome = {};
  for (const kind of new Set(all.flatMap((one) => Object.keys(one) as (keyof ByOutcome)[]))) {
    const histogram = mergeHistograms(all.map((one) => one[kind] ?? null));
    if (histogram !== null) merged[kind] = histogram;
  }
  return merged;
}

function mergeHistograms(histograms: readonly (HistogramResult | null)[]): HistogramResult | null {
  const known = histograms.filter((histogram) => histogram !== null);
  if (known.length < 2) return known[0] ?? null;
  const merged = new LatencyHistogram();
  for (const one of known) merged.add(decoded(one));
  return merged.toRecord();
}

/**
 * Decoding takes a millisecond, and a run of many repeats is analysed anew after each: what was decoded is kept
 * as long as the record it came from.
 */
const alreadyDecoded = new WeakMap<HistogramResult, LatencyHistogram>();

function decoded(record: HistogramResult): LatencyHistogram {
  const known = alreadyDecoded.get(record);
  if (known !== undefined) return known;
  const histogram = LatencyHistogram.fromRecord(record);
  alreadyDecoded.set(record, histogram);
  return histogram;
}
