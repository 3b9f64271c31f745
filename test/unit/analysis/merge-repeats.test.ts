// Aim: repeats of a variant are one variant to those who judge and report. Method: repeats with figures that
// add up in the head.
import { describe, expect, test } from 'vitest';
import { usEast1Prices } from '../../../src/analysis/cost.ts';
import { mergeRepeats } from '../../../src/analysis/merge-repeats.ts';
import { mergeResources } from '../../../src/analysis/merge-resources.ts';
import type { Goal } from '../../../src/scenario/goal.ts';
import { repeatedRun } from '../../support/repeated-run.ts';
import { buildKey, buildResource } from '../../support/run-result-builder.ts';

const goal: Goal = {
  workload: 'write',
  metric: 'response.p50',
  comparator: '<=',
  limit: 3_000,
  text: 'write.response.p50 <= 3 ms',
};

describe('mergeRepeats', () => {
  test('leaves a variant that ran once as it is', () => {
    const { variants } = repeatedRun([{ name: 'a', mediansUs: [1_000] }]);
    expect(mergeRepeats(variants)[0]).toBe(variants[0]);
  });

  test('sums counts and seconds, merges histograms and takes metrics anew', () => {
    const { variants } = repeatedRun([{ name: 'a', mediansUs: [1_000, 3_000] }]);
    const [merged, ...others] = mergeRepeats(variants);
    expect(others).toEqual([]);
    expect(merged).toMatchObject({ name: 'a', measuredSeconds: 20, validity: { status: 'valid' } });
    expect(merged).not.toHaveProperty('repeat');
    const workload = merged?.workloads[0];
    expect(workload?.measured.outcomes.ok).toBe(800);
    expect(workload?.measured.response.ok?.count).toBe(800);
    // 500 … 1,500 and 1,500 … 4,500: half of all lies below the border of the two.
    expect(workload?.metrics['response.p50']).toBeCloseTo(1_500, -1);
    expect(workload?.metrics.achievedPerSecond).toBe(40);
    expect(workload?.metrics.writeUnitsPerOperation).toBe(1);
  });

  test('keeps the order of the scenario, whatever the order of the repeats', () => {
    const { variants } = repeatedRun([
      { name: 'a', mediansUs: [1_000, 1_000] },
      { name: 'b', mediansUs: [1_000, 1_000] },
    ]);
    const [first, second, third, fourth] = variants;
    const shuffled = [second, first, fourth, third].filter((variant) => variant !== undefined);
    expect(mergeRepeats(shuffled).map((variant) => variant.name)).toEqual(['a', 'b']);
  });

  test.each([
    ['met by the merged metric, though one repeat missed it', [1_000, 3_100], 'met'],
    ['missed by the merged metric, though one repeat met it', [2_500, 9_000], 'missed'],
  ])('a goal is %s', (_, mediansUs, status) => {
    const { variants } = repeatedRun([{ name: 'a', mediansUs }], { goals: [goal] });
    expect(mergeRepeats(variants)[0]?.goals).toMatchObject([{ text: goal.text, status }]);
  });

  test('takes costs at the prices of the record', () => {
    const { variants, prices } = repeatedRun([{ name: 'a', mediansUs: [1_000, 1_000] }]);
    const dear = { ...usEast1Prices, ...prices, onDemandWriteUsdPerMillion: 10 };
    expect(mergeRepeats(variants, dear)[0]?.workloads[0]?.metrics.costPerMillion).toBeCloseTo(10, 9);
  });

  test.each([0, 1])('keeps what ended repeat %i early', (aborted) => {
    const { variants } = repeatedRun([{ name: 'a', mediansUs: [1_000, 1_000] }]);
    const abort = { condition: 'write.throttledRatio > 50%', value: 0.6, atUs: 9_000_000 };
    const ended = variants.map((one, index) => (index === aborted ? { ...one, abort } : one));
    expect(mergeRepeats(ended)[0]?.abort).toEqual(abort);
  });

  test('leaves out one invalid repeat of four and says so', () => {
    const { variants } = repeatedRun([
      { name: 'a', mediansUs: [1_000, 1_000, 1_000, 9_000], invalidRepeats: [3] },
    ]);
    expect(variants[3]?.validity.status).toBe('invalid');
    const [merged] = mergeRepeats(variants);
    expect(merged?.workloads[0]?.measured.planned).toBe(1_200);
    expect(merged?.validity.status).toBe('suspect');
    expect(merged?.validity.reasons.map((reason) => reason.text)).toContain(
      '1 of 4 repeats are invalid and left out',
    );
  });

  test('is invalid where more than a quarter of the repeats are', () => {
    const { variants, verdict } = repeatedRun([
      { name: 'a', mediansUs: [1_000, 1_000, 1_000], invalidRepeats: [1] },
    ]);
    expect(mergeRepeats(variants)[0]?.validity.status).toBe('invalid');
    expect(verdict.status).toBe('inconclusive');
  });
});

test('the verdict on a run names each variant once', () => {
  const { verdict } = repeatedRun(
    [
      { name: 'a', mediansUs: [1_000, 1_000, 1_000] },
      { name: 'b', mediansUs: [9_000, 9_000, 9_000] },
    ],
    { goals: [goal] },
  );
  expect(verdict).toMatchObject({ status: 'pass', recommendedVariant: 'a' });
  expect(verdict.reasons[0]).toBe('a alone meets all goals');
});

test('a key’s share is weighted by the demand of the repeat in which it was seen', () => {
  const repeat = (writeUnits: number, writeShare: number) => [
    buildResource({
      writeUnits,
      keys: [buildKey('hot', { writeUnits: writeUnits * writeShare, writeShare })],
    }),
  ];
  const [merged] = mergeResources([repeat(300, 1), repeat(100, 0)]);
  expect(merged).toMatchObject({
    writeUnits: 400,
    keys: [{ key: 'hot', writeUnits: 300, writeShare: 0.75 }],
  });
});
