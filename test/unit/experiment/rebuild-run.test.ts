// Aim: a run that was cut off is put together by the rules of its own record. Method: a record of one variant, and the
// lines of a run that began a second one. The counts themselves are tested with the files, end to end.
import { expect, test } from 'vitest';
import { analyzeRun } from '../../../src/analysis/analyze-run.ts';
import { usEast1Prices } from '../../../src/analysis/cost.ts';
import { SEGMENTS_VERSION, type VariantLine } from '../../../src/analysis/records/segments.ts';
import { rebuildRun } from '../../../src/experiment/rebuild-run.ts';
import {
  buildMeasuredRun,
  buildMeasuredVariant,
  buildTotals,
  buildWorkload,
} from '../../support/run-result-builder.ts';

const abort = { condition: 'placeOrder.throttledRatio > 50%', value: 0.6, atUs: 9_000_000 };
const prices = { ...usEast1Prices, region: 'eu-west-1', onDemandWriteUsdPerMillion: 10 };
const measured = buildTotals({
  outcomes: { ok: 100 },
  units: [{ resource: 't', readUnits: 0, writeUnits: 100 }],
});
const run = buildMeasuredRun({
  variants: [buildMeasuredVariant({ index: 0, abort, workloads: [buildWorkload({ measured })] })],
});
const recorded = analyzeRun(run, { gate: false, prices });

function lineOf(index: number): VariantLine {
  return {
    kind: 'variant',
    name: `v${index}`,
    index,
    parameters: {},
    target: recorded.target,
    tables: [],
    stages: [],
    workloads: [],
    goals: [],
  };
}

test('a run that was cut off keeps the prices of its record, and why a variant was ended', () => {
  const { finishedAt: _, repetition: __, ...environment } = recorded.environment;
  const rebuilt = rebuildRun({
    lines: [
      { kind: 'environment', segmentsVersion: SEGMENTS_VERSION, environment },
      {
        kind: 'run',
        schemaVersion: recorded.schemaVersion,
        tool: recorded.tool,
        scenario: recorded.scenario,
        order: ['v0', 'v1'],
        repeats: 1,
      },
      lineOf(0),
      lineOf(1),
    ],
    recorded,
    lastWrittenAt: '2026-11-30T12:00:30.000Z',
    isCut: false,
  });
  expect(rebuilt?.variants).toHaveLength(2);
  expect(rebuilt?.prices).toEqual(prices);
  expect(rebuilt?.variants[0]?.workloads[0]?.metrics.costPerMillion).toBeCloseTo(10, 9);
  expect(rebuilt?.variants[0]?.abort).toEqual(abort);
  expect(rebuilt?.verdict.status).toBe('inconclusive');
});
