// Aim: the verdict over variants, with and without a gate, and the choice of the cheapest. Method: variants
// in one line each: validity, goals, cost.
import { describe, expect, test } from 'vitest';
import type { GoalResult, VariantResult } from '../../../src/analysis/run-result.ts';
import { judgeRun, variantCostPerMillion } from '../../../src/analysis/verdict.ts';
import { buildTotals, buildVariant, buildWorkload } from '../../support/run-result-builder.ts';

type Status = GoalResult['status'];

function variant(
  name: string,
  goals: Status[],
  more: {
    validity?: 'valid' | 'suspect' | 'invalid';
    cost?: number | null;
    status?: VariantResult['status'];
    units?: number;
  } = {},
): VariantResult {
  const validity = more.validity ?? 'valid';
  const reason = { code: 'transient', text: 'it was not steady', advice: '' };
  return buildVariant({
    name,
    index: Number(name.slice(1)),
    status: more.status ?? 'complete',
    goals: goals.map((status, index) => ({
      text: `w.goal${index} < 1`,
      workload: 'w',
      metric: 'throttledRatio',
      status,
      value: null,
      limit: 1,
    })),
    validity: {
      status: validity,
      reasons: validity === 'valid' ? [] : [{ ...reason, status: validity }],
    },
    workloads: [
      buildWorkload({
        measured: buildTotals({
          outcomes: { ok: 10 },
          units: [{ resource: 't', readUnits: 0, writeUnits: more.units ?? 10 }],
        }),
        metrics: { costPerMillion: more.cost === undefined ? 1 : more.cost },
      }),
    ],
  });
}

const met = (name: string, more = {}) => variant(name, ['met', 'met'], more);
const missed = (name: string, more = {}) => variant(name, ['met', 'missed'], more);

describe('without a gate', () => {
  test.each<[string, VariantResult[], string, string | null]>([
    ['one variant meets all goals', [missed('v0'), met('v1')], 'pass', 'v1'],
    ['none does', [missed('v0'), missed('v1')], 'fail', null],
    ['a metric is missing', [variant('v0', ['met', 'missing'])], 'fail', null],
    [
      'the cheapest of several is not the first',
      [met('v0', { cost: 3 }), met('v1', { cost: 2 })],
      'pass',
      'v1',
    ],
    [
      'costs are equal and the second spends less',
      [met('v0', { units: 9 }), met('v1', { units: 8 })],
      'pass',
      'v1',
    ],
    ['all is equal', [met('v0'), met('v1')], 'pass', 'v0'],
    ['the cost of one is not known', [met('v0', { cost: null }), met('v1', { cost: 9 })], 'pass', 'v1'],
    ['no cost is known', [met('v0', { cost: null }), met('v1', { cost: null })], 'pass', 'v0'],
    [
      'the only one that meets them is invalid',
      [missed('v0'), met('v1', { validity: 'invalid' })],
      'inconclusive',
      null,
    ],
    ['all are invalid', [met('v0', { validity: 'invalid' })], 'inconclusive', null],
    [
      'the only one that meets them is suspect',
      [missed('v0'), met('v1', { validity: 'suspect' })],
      'pass',
      'v1',
    ],
    ['those left did not run', [missed('v0'), met('v1', { status: 'notRun' })], 'inconclusive', null],
    ['nothing is measurable here', [variant('v0', ['notMeasurableHere'])], 'inconclusive', null],
    ['a part is not measurable here', [variant('v0', ['met', 'notMeasurableHere'])], 'pass', null],
    [
      'a part is not measurable and the rest missed',
      [variant('v0', ['missed', 'notMeasurableHere'])],
      'fail',
      null,
    ],
    ['there are no goals', [variant('v0', [])], 'pass', null],
    [
      'there are no goals and nothing is valid',
      [variant('v0', [], { validity: 'invalid' })],
      'inconclusive',
      null,
    ],
    ['no variant ran', [], 'inconclusive', null],
  ])('where %s', (_, variants, status, recommendedVariant) => {
    expect(judgeRun(variants, { gate: false })).toMatchObject({ status, recommendedVariant });
  });

  test('a suspect variant passes with its doubt named', () => {
    const { reasons } = judgeRun([met('v0', { validity: 'suspect' })], { gate: false });
    expect(reasons).toContain('v0 is suspect: it was not steady');
  });
});

describe('with a gate', () => {
  test.each<[string, VariantResult[], true | string[], string]>([
    ['on all, and one misses', [missed('v0'), met('v1')], true, 'fail'],
    ['on all, and all meet', [met('v0'), met('v1')], true, 'pass'],
    ['on one that meets', [missed('v0'), met('v1')], ['v1'], 'pass'],
    ['on one that misses', [missed('v0'), met('v1')], ['v0'], 'fail'],
    ['on one that is invalid', [met('v0', { validity: 'invalid' }), met('v1')], ['v0'], 'inconclusive'],
    ['on one that is suspect', [met('v0', { validity: 'suspect' })], ['v0'], 'pass'],
    ['on one that did not run', [met('v0', { status: 'notRun' }), met('v1')], ['v0'], 'inconclusive'],
    [
      'on one of which nothing is measurable',
      [variant('v0', ['notMeasurableHere']), met('v1')],
      ['v0'],
      'inconclusive',
    ],
    ['on a name that is no variant', [met('v0')], ['v7'], 'inconclusive'],
    ['on an empty list, which means all', [missed('v0'), met('v1')], [], 'fail'],
  ])('%s', (_, variants, gate, status) => {
    expect(judgeRun(variants, { gate }).status).toBe(status);
  });
});

describe('a run that is not complete', () => {
  test.each<[string, VariantResult[], boolean, string]>([
    ['is inconclusive where no variant so far meets its goals', [missed('v0')], false, 'inconclusive'],
    ['passes where one so far does', [missed('v0'), met('v1')], false, 'pass'],
    ['is inconclusive under a gate on all, though all so far meet', [met('v0')], true, 'inconclusive'],
    ['fails a gate on all that one has missed already', [met('v0'), missed('v1')], true, 'fail'],
  ])('%s', (_, variants, gate, status) => {
    expect(judgeRun(variants, { gate, isPartial: true }).status).toBe(status);
  });
});

test('the cost of a variant weighs its workloads by what was planned of them', () => {
  const workload = (planned: number, cost: number | null) =>
    buildWorkload({
      measured: buildTotals({ outcomes: { ok: planned } }),
      metrics: { costPerMillion: cost },
    });
  // (3,000 × 1.25 + 1,000 × 0.25) ÷ 4,000
  expect(variantCostPerMillion({ workloads: [workload(3_000, 1.25), workload(1_000, 0.25)] })).toBe(1);
  expect(variantCostPerMillion({ workloads: [workload(3_000, 1.25), workload(1_000, null)] })).toBeNull();
  expect(variantCostPerMillion({ workloads: [workload(3_000, 1.25), workload(0, null)] })).toBe(1.25);
});
