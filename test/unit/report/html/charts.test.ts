// Aim: charts show the record's figures and no others: percentiles from the counts, rates per second, only
// what happened. Method: small runs built by hand.
import { describe, expect, test } from 'vitest';
import type { RunResult, WorkloadResult } from '../../../../src/analysis/run-result.ts';
import { spectrumFigures } from '../../../../src/report/html/spectrum.ts';
import { timelines } from '../../../../src/report/html/time-charts.ts';
import { LatencyHistogram } from '../../../../src/stats/histogram.ts';
import { shardingRun } from '../../../support/frozen-runs.ts';
import {
  buildHistogram,
  buildMeasuredRun,
  buildSeries,
  buildTotals,
  buildVariant,
  buildWorkload,
} from '../../../support/run-result-builder.ts';

function runOf(...workloads: readonly Partial<WorkloadResult>[]): RunResult {
  const variants = workloads.map((workload, index) =>
    buildVariant({ name: `v${index}`, index, workloads: [buildWorkload(workload)] }),
  );
  return { ...shardingRun(), scenario: buildMeasuredRun().scenario, variants, findings: [] };
}

function recorded(latenciesUs: readonly number[]): ReturnType<LatencyHistogram['toRecord']> {
  const histogram = new LatencyHistogram();
  for (const us of latenciesUs) histogram.record(us);
  return histogram.toRecord();
}

describe('the spectrum', () => {
  const thousand = recorded(Array.from({ length: 1_000 }, (_, index) => 1_000 * (index + 1)));

  test('reads each percentile from the counts, and ends where the sample does', () => {
    const run = runOf({ measured: buildTotals({ response: { ok: thousand } }) });
    const spec = spectrumFigures(run)[0]?.spec;
    const at = (nines: number) => spec?.lines[0]?.values[spec.x.values.indexOf(nines)];
    expect([at(0), at(1), at(2), at(3)]).toEqual([1, 900, 990, 1_000].map((ms) => expect.closeTo(ms, 0)));
    expect(spec?.x.values.at(-1)).toBe(3);
  });

  test('ends the curve of a smaller sample earlier', () => {
    const run = runOf(
      { measured: buildTotals({ response: { ok: thousand } }) },
      { measured: buildTotals({ response: { ok: recorded(Array.from({ length: 100 }, () => 5_000)) } }) },
    );
    const spec = spectrumFigures(run)[0]?.spec;
    expect(spec?.lines.map((line) => line.values.at(-1))).toEqual([1_000, null]);
  });

  test('shows service times by dashes only where they differ', () => {
    const same = { response: { ok: thousand }, service: { ok: thousand } };
    const late = { response: { ok: thousand }, service: { ok: recorded([1_000, 2_000, 3_000]) } };
    const lines = (totals: object) =>
      spectrumFigures(runOf({ measured: buildTotals(totals) }))[0]?.spec.lines;
    expect(lines(same)?.map((line) => line.isDashed)).toEqual([false]);
    expect(lines(late)?.map((line) => line.isDashed)).toEqual([false, true]);
  });

  test('falls back on the recorded quantiles where there are no counts', () => {
    const run = runOf({ measured: buildTotals({ response: { ok: buildHistogram(1_000, 2_000) } }) });
    const spec = spectrumFigures(run)[0]?.spec;
    expect(spec?.lines[0]?.values[spec.x.values.indexOf(2)]).toBe(6);
  });

  test('has no chart for a workload without successes', () => {
    expect(spectrumFigures(runOf({ measured: buildTotals() }))).toEqual([]);
  });
});

describe('over time', () => {
  const figuresOf = (run: RunResult) => timelines(run)[0]?.figures ?? [];
  const titled = (run: RunResult, title: string) =>
    figuresOf(run).find((one) => one.title.startsWith(title))?.spec;

  test('counts become rates, whatever the length of a window', () => {
    const series = { ...buildSeries(14, { ok: 500, planned: 500 }), windowSeconds: 5 };
    const spec = titled(runOf({ series }), 'achieved');
    expect(spec?.x.values).toEqual(Array.from({ length: 14 }, (_, window) => 5 * window));
    expect(spec?.lines[0]?.values[3]).toBe(100);
  });

  test('the load that all variants share is one grey dashed line', () => {
    const series = buildSeries(70, { ok: 90, planned: 100 });
    const lines = titled(runOf({ series }, { series }), 'achieved')?.lines;
    expect(lines?.map(({ label, variantIndex, isDashed }) => [label, variantIndex, isDashed])).toEqual([
      ['v0', 0, false],
      ['v1', 1, false],
      ['offered', null, true],
    ]);
  });

  test('a closed loop is offered nothing', () => {
    const load = { kind: 'closed', text: '2 at once', concurrency: 2 } as const;
    const run = runOf({ load, series: buildSeries(70, { ok: 9 }) });
    expect(titled(run, 'achieved')?.lines.map((line) => line.label)).toEqual(['v0']);
  });

  test('the warm-up is shaded, and the drain after the last stage left out', () => {
    const spec = titled(runOf({ series: buildSeries(75, { ok: 1 }) }), 'achieved');
    expect(spec?.shaded).toEqual([{ from: 0, to: 10, label: 'warmUp' }]);
    expect(spec?.x.values.at(-1)).toBe(69);
  });

  test('throttles have a chart for each reason and resource, the most frequent first', () => {
    const series = buildSeries(70, { ok: 1, throttled: 3 });
    const each = (value: number) => Array.from({ length: 70 }, () => value);
    const run = runOf({
      series,
      throttleSeries: [
        { reason: 'IndexWriteKeyRangeThroughputExceeded', resource: 'dyno-load-main/GSI1', counts: each(1) },
        { reason: 'TableWriteKeyRangeThroughputExceeded', resource: 'dyno-load-main', counts: each(2) },
      ],
    });
    const titles = figuresOf(run).map((one) => one.title);
    expect(titles.filter((title) => title.startsWith('throttled'))).toEqual([
      'throttled: TableWriteKeyRangeThroughputExceeded on table, requests/s',
      'throttled: IndexWriteKeyRangeThroughputExceeded on GSI1, requests/s',
    ]);
  });

  test('a record without reasons still shows throttled operations', () => {
    const run = runOf({ series: buildSeries(70, { ok: 1, throttled: 3 }) });
    expect(titled(run, 'throttled')?.lines[0]?.values[20]).toBe(3);
  });

  test('nothing is charted that did not happen, and each chart has a place of its own', () => {
    const figures = figuresOf(runOf({ series: buildSeries(70, { ok: 5, maxResponseUs: 9_000 }) }));
    expect(figures.map((one) => one.title)).toEqual([
      'achieved (dashed: offered), operations/s',
      'slowest response in each window, ms',
    ]);
    expect(new Set(figures.map((one) => one.spec.id)).size).toBe(figures.length);
  });
});
