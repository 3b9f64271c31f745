// Aim: two loads of one scenario have equal digests, and whatever would make workers share out different
// things is seen. Method: plans that differ in one thing.
import { describe, expect, test } from 'vitest';
import type { PlannedOperation, RunPlan } from '../../../src/scenario/run-plan.ts';
import { differenceOf, digestPlan } from '../../../src/workers/plan-digest.ts';
import { perSecond, planOf, putRequest, stagesOf, type WorkloadWishes } from '../../support/plan-builder.ts';

const stages = stagesOf({ seconds: 3 });
const planWith = (workload: WorkloadWishes, more: Partial<Parameters<typeof planOf>[0]> = {}): RunPlan =>
  planOf({ stages, workloads: [workload], ...more });
const put = (key: string): PlannedOperation => ({ kind: 'request', request: putRequest(key) });

const difference = (ours: RunPlan, theirs: RunPlan) => differenceOf(digestPlan(ours), digestPlan(theirs));

test('the same plan twice does not differ', () => {
  expect(difference(planWith({}), planWith({}))).toBeUndefined();
});

describe('differs', () => {
  test.each([
    { name: 'a rate', theirs: planWith({ load: perSecond(101) }) },
    { name: 'a policy', theirs: planWith({ policy: { maxInFlight: 3 } }) },
    { name: 'a stage', theirs: planWith({}, { stages: stagesOf({ seconds: 4 }) }) },
    { name: 'the seed', theirs: planWith({}, { seed: 2 }) },
    { name: 'the name of a workload', theirs: planWith({ name: 'other' }) },
  ])('$name', ({ theirs }) => {
    expect(difference(planWith({}), theirs)).toBe('tables, stages or workloads');
  });

  test('what chance at the top of the file decides', () => {
    const ours = planWith({ next: (sequence) => put(`a${sequence}`) });
    const theirs = planWith({ next: (sequence) => put(`b${sequence}`) });
    expect(difference(ours, theirs)).toBe('operations of workload "w0"');
  });
});

describe('does not differ', () => {
  test('what is another each time it is made: each operation is still made once', () => {
    let calls = 0;
    const next = () => put(`c${calls++}`);
    expect(digestPlan(planWith({ next })).workloads[0]?.operations).toBeNull();
    expect(difference(planWith({ next }), planWith({ next }))).toBeUndefined();
  });

  test('what a reader is told', () => {
    const plan = planWith({});
    const workloads = plan.workloads.map((workload) => ({ ...workload, notes: ['the hottest key has 3 %'] }));
    expect(difference(plan, { ...plan, workloads })).toBeUndefined();
  });

  test('a function that throws, which is told when its operation is due', () => {
    const next = () => {
      throw new Error('no');
    };
    expect(difference(planWith({ next }), planWith({ next }))).toBeUndefined();
  });
});

test.each([
  { name: 'big integers', ours: 1n, theirs: 2n },
  { name: 'sets', ours: new Set(['a']), theirs: new Set(['b']) },
  { name: 'maps', ours: new Map([['a', 1]]), theirs: new Map([['a', 2]]) },
  { name: 'bytes', ours: new Uint8Array([1]), theirs: new Uint8Array([2]) },
  { name: 'infinity', ours: Number.POSITIVE_INFINITY, theirs: null },
])('$name in operations are told apart', ({ ours, theirs }) => {
  const planOfValue = (remembered: unknown) =>
    planWith({ next: (sequence) => ({ kind: 'request', request: putRequest(`k${sequence}`), remembered }) });
  expect(difference(planOfValue(ours), planOfValue(ours))).toBeUndefined();
  expect(difference(planOfValue(ours), planOfValue(theirs))).toBe('operations of workload "w0"');
});
