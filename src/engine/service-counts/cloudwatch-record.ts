// Readings of CloudWatch → the record: raw minutes, and the sums and rates that follow from them.
import type { CloudWatchRecord, MetricSeries, OperationCount } from '../../analysis/records/cloudwatch.ts';
import { MS_PER_MINUTE } from '../../units.ts';
import type { MetricQuery } from './metric-queries.ts';

/** A span of whole minutes on the service's clock, ms since 1970; the end is not part of it. */
export interface MinuteSpan {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Values of one query by minute of the span; null where there is no data point. */
export type MinuteValues = readonly (number | null)[];

/** What was read of CloudWatch, and of which minutes. */
export interface CloudWatchFacts {
  readonly queries: readonly MetricQuery[];
  /** In the order of the queries. */
  readonly values: readonly MinuteValues[];
  /** How often it was read, and whether data no longer changed. */
  readonly pulls: number;
  readonly isSettled: boolean;
  /** From the idle minute before load to the one after it. */
  readonly span: MinuteSpan;
  readonly measured: MinuteSpan;
  readonly requests: readonly OperationCount[];
  readonly isTableShared: boolean;
  readonly notes: readonly string[];
}

/** The record of a reading: sums and rates beside the raw minutes. */
export function cloudWatchRecord(facts: CloudWatchFacts): CloudWatchRecord {
  const { queries, values, span, measured, requests } = facts;
  return {
    from: iso(span.fromMs),
    until: iso(span.untilMs),
    measuredFrom: iso(measured.fromMs),
    measuredUntil: iso(measured.untilMs),
    pulls: facts.pulls,
    isSettled: facts.isSettled,
    series: queries.map((query, index) =>
      metricSeries(query, values[index] ?? [], {
        first: (measured.fromMs - span.fromMs) / MS_PER_MINUTE,
        end: (measured.untilMs - span.fromMs) / MS_PER_MINUTE,
      }),
    ),
    requests: [...requests],
    isTableShared: facts.isTableShared,
    notes: [...facts.notes],
  };
}

function metricSeries(
  query: MetricQuery,
  minutes: MinuteValues,
  measured: { readonly first: number; readonly end: number },
): MetricSeries {
  const addsUp = query.statistic === 'Sum' || query.statistic === 'SampleCount';
  const during = minutes.slice(measured.first, measured.end).filter((value) => value !== null);
  const mean = during.length === 0 ? null : sum(during) / during.length;
  const known = minutes.filter((value) => value !== null);
  return {
    ...query,
    minutes: [...minutes],
    total: addsUp ? sum(known) : null,
    measured: addsUp ? sum(during) : mean,
    highestPerSecond: addsUp ? Math.max(0, ...known) / (MS_PER_MINUTE / 1_000) : null,
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
