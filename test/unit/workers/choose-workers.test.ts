// Aim: as many workers as the planned rate needs and the machine has cores for, each with something to do;
// what cannot be is refused with its reason. Method: plans in two lines each.
import { describe, expect, test } from 'vitest';
import type { PlannedLoad } from '../../../src/scenario/run-plan.ts';
import { chooseWorkers } from '../../../src/workers/choose-workers.ts';
import { perSecond, planOf, stagesOf } from '../../support/plan-builder.ts';

const wishes = { asked: undefined, coreCount: 8, hasShadow: false };
const policy = { maxInFlight: 10_000 };
const closed: PlannedLoad = { kind: 'closed', concurrency: 500, pauseUs: 0 };

function plansOf(...loads: PlannedLoad[]) {
  return [planOf({ stages: stagesOf({ seconds: 1 }), workloads: loads.map((load) => ({ load, policy })) })];
}

describe('unasked', () => {
  test.each([
    { name: 'a low rate has one', loads: [perSecond(800)], count: 1 },
    { name: '10,000 a second have one', loads: [perSecond(10_000)], count: 1 },
    { name: 'more have two', loads: [perSecond(10_001)], count: 2 },
    { name: 'workloads add up', loads: [perSecond(9_000), perSecond(9_000), perSecond(9_000)], count: 3 },
    { name: 'a core is left free', loads: [perSecond(200_000)], count: 7 },
    { name: 'closed loops have one, as their rate is the target’s', loads: [closed], count: 1 },
  ])('$name', ({ loads, count }) => {
    expect(chooseWorkers(plansOf(...loads), wishes).count).toBe(count);
  });

  test('the variant with the highest rate decides', () => {
    const plans = [...plansOf(perSecond(10)), ...plansOf(perSecond(35_000))];
    expect(chooseWorkers(plans, wishes)).toEqual({
      count: 4,
      why: '35,000 operations a second are planned, and a worker takes 10,000',
    });
  });

  test('one or two cores have one, and the reason says what would be wanted', () => {
    for (const [coreCount, cores] of [
      [1, 'one core'],
      [2, '2 cores'],
    ] as const)
      expect(chooseWorkers(plansOf(perSecond(30_000)), { ...wishes, coreCount })).toMatchObject({
        count: 1,
        why: expect.stringContaining(`3 would be wanted, and a machine with ${cores} allows 1`),
      });
  });

  test('the user’s own code counts four times', () => {
    const [plan] = plansOf(perSecond(10_000));
    const workloads = plan?.workloads.map((workload) => ({ ...workload, kind: 'custom' as const })) ?? [];
    expect(chooseWorkers(plan === undefined ? [] : [{ ...plan, workloads }], wishes).count).toBe(4);
  });

  test('each has something to send of each open loop', () => {
    const plans = [planOf({ workloads: [{ load: perSecond(90_000), policy: { maxInFlight: 3 } }] })];
    expect(chooseWorkers(plans, wishes)).toMatchObject({
      count: 3,
      why: expect.stringContaining('maxInFlight 3'),
    });
  });

  test('a shadow sees all requests in one thread', () => {
    expect(chooseWorkers(plansOf(perSecond(90_000)), { ...wishes, hasShadow: true }).count).toBe(1);
  });
});

describe('as asked', () => {
  const plans = plansOf(perSecond(10));

  test.each([
    { asked: 1, coreCount: 8, why: 'as asked for' },
    { asked: 3, coreCount: 8, why: 'as asked for' },
    { asked: 3, coreCount: 2, why: 'as asked for; with 2 cores they take turns' },
  ])('$asked on $coreCount cores', ({ asked, coreCount, why }) => {
    expect(chooseWorkers(plans, { ...wishes, asked, coreCount })).toEqual({ count: asked, why });
  });

  test.each([
    { name: 'with a shadow', plans, asked: 2, hasShadow: true, what: '--workers 2 with --shadow-capacity' },
    {
      name: 'with less in flight than workers',
      plans: [planOf({ workloads: [{ load: perSecond(10), policy: { maxInFlight: 2 } }] })],
      asked: 3,
      hasShadow: false,
      what: '--workers 3, and a workload has maxInFlight 2',
    },
  ])('is refused $name', ({ plans, asked, hasShadow, what }) => {
    const choose = () => chooseWorkers(plans, { ...wishes, asked, hasShadow });
    expect(choose).toThrow(expect.objectContaining({ code: 'USAGE', what }));
  });

  test('one with a shadow is fine', () => {
    expect(chooseWorkers(plans, { ...wishes, asked: 1, hasShadow: true }).count).toBe(1);
  });
});
