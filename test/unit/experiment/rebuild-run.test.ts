// Aim: a run that was cut off is put together by the rules of its own record. Method: a record of one
// variant, and the lines of a run that began a second one. The counts themselves are tested with the files,
// end to end.
import { expect, test } from 'vitest';
import { analyzeRun } from '../../../src/analysis/analyze-run.ts';
import { usEast1Prices } from '../../../src/analysis/cost.ts';
import {
  SEGMENTS_VERSION,
  type SegmentsLine,
  type VariantLine,
} from '../../../src/analysis/records/segments.ts';
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

const { finishedAt: _, repetition: __, ...environment } = recorded.environment;
const head: readonly SegmentsLine[] = [
  { kind: 'environment', segmentsVersion: SEGMENTS_VERSION, environment },
  {
    kind: 'run',
    schemaVersion: recorded.schemaVersion,
    tool: recorded.tool,
    scenario: recorded.scenario,
    order: ['v0', 'v1'],
    repeats: 1,
  },
];
const end = { lastWrittenAt: '2026-11-30T12:00:30.000Z', isCut: false };

test('a run that was cut off keeps the prices of its record, and why a variant was ended', () => {
  const rebuilt = rebuildRun({ lines: [...head, lineOf(0), lineOf(1)], recorded, ...end });
  expect(rebuilt?.variants).toHaveLength(2);
  expect(rebuilt?.prices).toEqual(prices);
  expect(rebuilt?.variants[0]?.workloads[0]?.metrics.costPerMillion).toBeCloseTo(10, 9);
  expect(rebuilt?.variants[0]?.abort).toEqual(abort);
  expect(rebuilt?.verdict.status).toBe('inconclusive');
});

test.each([
  { name: 'with the reason', abort },
  { name: 'without one, as files of before have none', abort: undefined },
])('a run that was cut off right behind the end of a variant has it $name', ({ abort: known }) => {
  const over: SegmentsLine = {
    kind: 'end',
    status: 'interrupted',
    reachedUs: abort.atUs,
    ...(known === undefined ? {} : { abort: known }),
  };
  const steady = { index: 0, name: 'steady', startUs: 0, endUs: 20e6, isMeasured: true, rateFactor: 1 };
  const begun = { ...lineOf(0), stages: [steady] };
  const rebuilt = rebuildRun({ lines: [...head, begun, over], recorded: undefined, ...end });
  expect(rebuilt?.variants[0]?.abort).toEqual(known);
  const reasons = rebuilt?.variants[0]?.validity.reasons.map(({ code }) => code) ?? [];
  expect(reasons.includes('aborted')).toBe(known !== undefined);
});
