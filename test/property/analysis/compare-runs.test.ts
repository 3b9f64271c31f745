// Aim: a run compared with itself shows no difference, whatever it holds, and exchanging two runs exchanges
// better and worse. Method: random metrics, missing ones and zeros among them, in random numbers of variants,
// workloads and repeats, simulated and on a wall clock.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { judgeGate } from '../../../src/analysis/compare-gate.ts';
import { parseFailRule } from '../../../src/analysis/compare-rule.ts';
import { compareRuns } from '../../../src/analysis/compare-runs.ts';
import type { RunResult } from '../../../src/analysis/run-result.ts';
import { metrics } from '../../../src/scenario/metric.ts';
import { shardingRun } from '../../support/frozen-runs.ts';
import {
  buildVariant,
  buildWorkload,
  endpointTarget,
  simulatedTarget,
} from '../../support/run-result-builder.ts';

const metricValue = fc.oneof(
  fc.constant(null),
  fc.constant(0),
  fc.double({ min: 0, max: 1e9, noNaN: true, noDefaultInfinity: true }),
);

const metricValues = fc.record(Object.fromEntries(metrics.map(({ name }) => [name, metricValue])));

const shape = fc.record({
  isSimulated: fc.boolean(),
  variantCount: fc.integer({ min: 1, max: 3 }),
  workloadCount: fc.integer({ min: 1, max: 2 }),
});

/** A run of that shape; each variant once, so that no histograms need merging. */
const runOf = (given: { isSimulated: boolean; variantCount: number; workloadCount: number }) =>
  fc
    .array(fc.array(metricValues, { minLength: given.workloadCount, maxLength: given.workloadCount }), {
      minLength: given.variantCount,
      maxLength: given.variantCount,
    })
    .map((values): RunResult => {
      const run = shardingRun();
      return {
        ...run,
        target: given.isSimulated ? simulatedTarget : endpointTarget,
        variants: values.map((workloads, index) =>
          buildVariant({
            name: `v${index}`,
            index,
            workloads: workloads.map((one, place) => buildWorkload({ name: `w${place}`, metrics: one })),
          }),
        ),
      };
    });

const oneRun = shape.chain(runOf);
const twoRuns = shape.chain((given) => fc.tuple(runOf(given), runOf(given)));
const rules = ['worse', 'any', ...metrics.map(({ name }) => `w0.${name} > 0`)].map(parseFailRule);

test('compare(a, a) shows no difference, and no rule fails on it', () => {
  fc.assert(
    fc.property(oneRun, (run) => {
      const comparison = compareRuns(run, structuredClone(run));
      expect(comparison).toMatchObject({ incomparable: null, setting: [], unmatched: [], answers: [] });
      for (const row of comparison.rows.filter((one) => one.isJudged)) expect(row.change).toBe('same');
      expect(judgeGate(comparison, rules).status).not.toBe('fail');
      expect(judgeGate(comparison, rules.slice(0, 1)).status).toBe('pass');
    }),
    { numRuns: 60 },
  );
});

test('exchanging the runs exchanges better and worse, and nothing else', () => {
  const exchanged = {
    better: 'worse',
    worse: 'better',
    same: 'same',
    changed: 'changed',
    inconclusive: 'inconclusive',
  };
  fc.assert(
    fc.property(twoRuns, ([base, head]) => {
      const there = compareRuns(base, head).rows;
      const back = compareRuns(head, base).rows;
      expect(back.map((row) => row.change)).toEqual(there.map((row) => exchanged[row.change]));
    }),
    { numRuns: 60 },
  );
});
