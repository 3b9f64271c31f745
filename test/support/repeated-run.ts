// Runs whose variants were repeated on a wall clock, with latencies and counts made up: for tests of merging and
// comparing. The histograms are real ones, so that they can be merged.
import { analyzeRun } from '../../src/analysis/analyze-run.ts';
import type { RunResult } from '../../src/analysis/run-result.ts';
import type { Goal } from '../../src/scenario/goal.ts';
import { LatencyHistogram } from '../../src/stats/histogram.ts';
import {
  buildMeasuredRun,
  buildMeasuredVariant,
  buildSeries,
  buildTotals,
  buildWorkload,
  endpointTarget,
} from './run-result-builder.ts';

export interface RepeatedVariant {
  readonly name: string;
  /** Median latency of each repeat, µs. */
  readonly mediansUs: readonly number[];
  /** Write units of each operation. */
  readonly writeUnits?: number;
  /** Repeats in which half of the operations failed to be sent, so that they are invalid. */
  readonly invalidRepeats?: readonly number[];
}

const OPERATIONS = 400;

/** A run of one workload, `write`, 10 s measured in each repeat. */
export function repeatedRun(
  variants: readonly RepeatedVariant[],
  options: {
    readonly goals?: readonly Goal[];
    readonly startedAt?: string;
    readonly finishedAt?: string;
  } = {},
): RunResult {
  const base = buildMeasuredRun();
  const repeats = Math.max(...variants.map((variant) => variant.mediansUs.length));
  const measured = Array.from({ length: repeats }, (_, repeat) =>
    variants.flatMap((variant, index) => {
      const medianUs = variant.mediansUs[repeat];
      return medianUs === undefined
        ? []
        : [measuredRepeat(variant, { index, repeat, medianUs, repeats, ...options })];
    }),
  ).flat();
  return analyzeRun(
    {
      ...base,
      scenario: {
        ...base.scenario,
        name: 'writes',
        question: 'How fast?',
        goals: (options.goals ?? []).map((goal) => goal.text),
      },
      target: endpointTarget,
      variants: measured,
      environment: {
        ...base.environment,
        startedAt: options.startedAt ?? '2026-11-30T12:00:00.000Z',
        finishedAt: options.finishedAt ?? '2026-11-30T12:10:00.000Z',
        repetition: { repeats, order: measured.map((one) => one.name), discarded: null },
      },
    },
    { gate: false },
  );
}

function measuredRepeat(
  { name, writeUnits = 1, invalidRepeats = [] }: RepeatedVariant,
  given: { index: number; repeat: number; medianUs: number; repeats: number; goals?: readonly Goal[] },
) {
  const { index, repeat, medianUs, repeats, goals = [] } = given;
  const latencies = new LatencyHistogram();
  // Evenly from half to one and a half times the median.
  for (let count = 0; count < OPERATIONS; count++)
    latencies.record(Math.round(medianUs * (0.5 + (count + 0.5) / OPERATIONS)));
  const isInvalid = invalidRepeats.includes(repeat);
  const measured = buildTotals({
    planned: OPERATIONS,
    outcomes: { ok: isInvalid ? OPERATIONS / 2 : OPERATIONS },
    units: [{ resource: 'dyno-load-main', readUnits: 0, writeUnits: writeUnits * OPERATIONS }],
    response: { ok: latencies.toRecord() },
    service: { ok: latencies.toRecord() },
  });
  return buildMeasuredVariant({
    name,
    index,
    ...(repeats > 1 ? { repeat } : {}),
    parameters: { variant: name },
    measuredSeconds: 10,
    goals: [...goals],
    workloads: [buildWorkload({ name: 'write', measured, series: buildSeries(10, { ok: 40 }) })],
  });
}
