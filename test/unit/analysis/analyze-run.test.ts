// Aim: the analysis as a whole on the frozen runs: what a reader should conclude. Method: the conclusion
// spelled out, the details left to others.
import { describe, expect, test } from 'vitest';
import { analyzeRun, analyzeVariant } from '../../../src/analysis/analyze-run.ts';
import { usEast1Prices } from '../../../src/analysis/cost.ts';
import { emulatorRun, shardingRun } from '../../support/frozen-runs.ts';
import {
  buildMeasuredRun,
  buildMeasuredVariant,
  buildTotals,
  buildWorkload,
  endpointTarget,
} from '../../support/run-result-builder.ts';

describe('the sharding run', () => {
  const run = shardingRun();

  test('passes with 10 shards, the only variant that meets its goals', () => {
    expect(run.verdict).toEqual({
      status: 'pass',
      reasons: ['count=10 alone meets all goals'],
      recommendedVariant: 'count=10',
    });
  });

  test('finds the hot key of 1 and 2 shards and the shared partition of 5', () => {
    expect(run.findings.map(({ code, variants }) => [code, variants])).toEqual([
      ['hot-index-key', ['count=1', 'count=2']],
      ['shards-share-a-partition', ['count=5']],
    ]);
  });

  test('is valid throughout', () => {
    expect(run.variants.map((variant) => variant.validity.status)).toEqual([
      'valid',
      'valid',
      'valid',
      'valid',
    ]);
  });
});

test('the record holds the prices behind its costs', () => {
  const prices = { ...usEast1Prices, region: 'eu-west-1', onDemandWriteUsdPerMillion: 0.7 };
  const measured = buildTotals({
    outcomes: { ok: 100 },
    units: [{ resource: 't', readUnits: 0, writeUnits: 100 }],
  });
  const variants = [buildMeasuredVariant({ workloads: [buildWorkload({ measured })] })];
  const run = analyzeRun(buildMeasuredRun({ variants }), { gate: false, prices });
  expect(run.prices).toEqual(prices);
  expect(run.variants[0]?.workloads[0]?.metrics.costPerMillion).toBeCloseTo(0.7, 10);
});

test.each([
  ['interrupted', 0.009, null],
  ['interrupted', 0.999, null],
  ['interrupted', 1, 1],
  ['complete', 0.5, 2],
] as const)('a variant that is %s after %d s has %s operations due each second', (status, seconds, rate) => {
  const workloads = [buildWorkload({ measured: buildTotals({ planned: 1, outcomes: { ok: 1 } }) })];
  const one = buildMeasuredVariant({ status, measuredSeconds: seconds, workloads });
  const { variants } = analyzeRun(buildMeasuredRun({ variants: [one] }), { gate: false });
  expect(variants[0]?.workloads[0]?.metrics).toMatchObject({
    plannedPerSecond: rate,
    startedPerSecond: rate,
    achievedPerSecond: rate,
    failedRatio: 0,
  });
});

test.each([true, false])(
  'a run without goals that did not come to its end passes nothing (gate: %s)',
  (gate) => {
    const variants = [buildMeasuredVariant({ goals: [], status: 'interrupted', measuredSeconds: 5 })];
    const run = analyzeRun(buildMeasuredRun({ status: 'interrupted', variants }), { gate });
    expect(run.verdict.status).toBe('inconclusive');
  },
);

test('the emulator run recommends nothing', () => {
  expect(emulatorRun().verdict).toMatchObject({ status: 'inconclusive', recommendedVariant: null });
});

test('a throttle anywhere in the run makes throttling goals measurable on a target that says nothing of itself', () => {
  const goal = {
    workload: 'placeOrder',
    metric: 'throttledRatio',
    comparator: '<',
    limit: 0.001,
    text: 'placeOrder.throttledRatio < 0.1%',
  } as const;
  const capabilities = { ...endpointTarget.capabilities, enforcesThroughput: 'unknown' } as const;
  const run = buildMeasuredRun({ target: { ...endpointTarget, capabilities } });
  const measured = buildTotals({ outcomes: { ok: 1_000 } });
  const variant = buildMeasuredVariant({ goals: [goal], workloads: [buildWorkload({ measured })] });
  const statusWith = (wereThrottlesSeen: boolean) =>
    analyzeVariant(variant, run, { wereThrottlesSeen }).goals.map((one) => one.status);
  expect([statusWith(false), statusWith(true)]).toEqual([['notMeasurableHere'], ['met']]);
});
