// Aim: the verdict over variants, with and without a gate, and its reasons in words. Method: variants in one
// line each: validity, goals, cost.
import { describe, expect, test } from 'vitest';
import type { GoalResult, VariantResult } from '../../../src/analysis/run-result.ts';
import { judgeRun } from '../../../src/analysis/verdict.ts';
import {
  buildPlacement,
  buildTotals,
  buildVariant,
  buildWorkload,
} from '../../support/run-result-builder.ts';

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

  test.each([
    ['no goals', []],
    ['goals that it misses', ['missed'] as const],
  ])('a run that is not complete with %s is inconclusive', (_, goals) => {
    const one = variant('v0', [...goals]);
    expect(judgeRun([one], { gate: false, isPartial: true }).status).toBe('inconclusive');
    expect(judgeRun([one], { gate: true, isPartial: true }).status).not.toBe('pass');
  });

  test('a suspect variant passes with its doubt named', () => {
    const { reasons } = judgeRun([met('v0', { validity: 'suspect' })], { gate: false });
    expect(reasons).toContain('v0 is suspect (transient)');
  });
});

describe('the reasons', () => {
  const twoOfOneCode = (name: string) => {
    const one = met(name, { validity: 'invalid' });
    return {
      ...one,
      validity: { ...one.validity, reasons: [...one.validity.reasons, ...one.validity.reasons] },
    };
  };

  test.each<[string, VariantResult[], string]>([
    [
      'name a code once that two workloads share',
      [twoOfOneCode('v0')],
      'no variant is valid: v0 is invalid (transient)',
    ],
    [
      'name variants together that have the same doubts',
      [twoOfOneCode('v0'), twoOfOneCode('v1'), met('v2', { status: 'notRun' })],
      'no variant is valid: v0 and v1 are invalid (transient); v2 did not run',
    ],
    ['name the goals missed', [missed('v0'), variant('v1', ['missed', 'met'])], 'v1 misses w.goal0 < 1'],
    [
      'say once what all miss',
      [missed('v0'), missed('v1')],
      'no variant meets all goals: each misses w.goal1 < 1',
    ],
    ['count goals where there are many', [variant('v0', Array(4).fill('missed'))], 'v0 misses 4 of 4 goals'],
    ['say that one is alone', [missed('v0'), met('v1')], 'v1 alone meets all goals'],
    ['say that both meet', [met('v0'), met('v1')], 'both variants meet all goals'],
    ['say that all meet', [met('v0'), met('v1'), met('v2')], 'all 3 variants meet all goals'],
    ['count some', [met('v0'), met('v1'), missed('v2')], '2 of 3 variants meet all goals: v0 and v1'],
    ['leave the count out where there is one', [met('v0')], 'v0 meets all goals'],
  ])('%s', (_, variants, text) => {
    expect(judgeRun(variants, { gate: false }).reasons).toContain(text);
  });

  test('say of a variant with a rare bad placement that it was unlucky', () => {
    const bad = { ...missed('v0'), placement: buildPlacement(0.98) };
    const [goal0, goal1] = bad.goals as [GoalResult, GoalResult];
    expect(judgeRun([bad], { gate: false }).reasons.at(-1)).toMatch(
      /^v0 was unlucky with where its keys fell: at most 0\.1 % is throttled in 98 % of 200 placements/,
    );
    const latency = { ...bad, goals: [goal0, { ...goal1, metric: 'response.p99' }] };
    expect(judgeRun([latency], { gate: false }).reasons.join()).not.toContain('unlucky');
    const placed = { ...buildPlacement(1) };
    expect(judgeRun([{ ...bad, placement: placed }], { gate: false }).reasons.join()).not.toContain(
      'unlucky',
    );
    const usual = { ...bad, placement: buildPlacement(0.94) };
    expect(judgeRun([usual], { gate: false }).reasons.join()).not.toContain('unlucky');
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
