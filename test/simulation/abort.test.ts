// Aim: a variant ends early when, and only when, a condition holds over ten seconds of measured load. Method:
// virtual time and a scripted target whose trouble begins at a known moment.
import { expect, test } from 'vitest';
import { judgeValidity } from '../../src/analysis/validity.ts';
import { VirtualClock } from '../../src/clock.ts';
import type { Outcome } from '../../src/dynamodb/outcome.ts';
import { VariantRun } from '../../src/engine/run-variant.ts';
import type { AbortCondition, Goal } from '../../src/scenario/goal.ts';
import { perSecond, planOf, putRequest, stagesOf, type WorkloadWishes } from '../support/plan-builder.ts';
import { buildVariant } from '../support/run-result-builder.ts';
import { okOutcome, type Script, ScriptedTarget, throttledOutcome } from '../support/scripted-target.ts';

const throttled: Goal = {
  workload: 'w0',
  metric: 'throttledRatio',
  comparator: '>',
  limit: 0.5,
  text: 'w0.throttledRatio > 50%',
};
const slow: Goal = {
  workload: 'w0',
  metric: 'response.p99',
  comparator: '>',
  limit: 100_000,
  text: 'w0.response.p99 > 100 ms',
};

const invalid: AbortCondition = { validity: 'invalid', text: 'validity invalid' };

async function run(conditions: readonly AbortCondition[], script: Script, wishes: WorkloadWishes = {}) {
  const plan = planOf({
    stages: stagesOf({ seconds: 20, isMeasured: false }, { seconds: 60 }),
    workloads: [{ load: perSecond(100), ...wishes }, { load: perSecond(5) }],
    abortConditions: conditions,
  });
  const clock = new VirtualClock();
  return new VariantRun(plan, clock, new ScriptedTarget(clock, script)).run();
}

const throttlesFrom = (fromUs: number): Script => ({
  outcome: ({ workloadIndex }, startUs) =>
    workloadIndex === 0 && startUs >= fromUs ? throttledOutcome : okOutcome,
});

test.each([
  // Half of ten seconds is throttled at 45 s; above half, one second later.
  { name: 'throttles from 40 s on', script: throttlesFrom(40_000_000), atSeconds: 46 },
  { name: 'throttles from the start: after ten measured seconds', script: throttlesFrom(0), atSeconds: 30 },
])('$name end it at $atSeconds s', async ({ script, atSeconds }) => {
  const { status, abort, reachedUs } = await run([slow, throttled], script);
  expect(status).toBe('interrupted');
  expect(abort).toMatchObject({ condition: throttled.text, atUs: atSeconds * 1_000_000 });
  expect(abort?.value).toBeGreaterThan(0.5);
  expect(reachedUs).toBe(atSeconds * 1_000_000);
});

test('a percentile of ten seconds ends it as well', async () => {
  // 11 of 1,000 operations in ten seconds are slow once 0.11 s of them have ended.
  const { abort } = await run([slow], {
    serviceUs: (_, startUs) => (startUs >= 50_000_000 ? 500_000 : 1_000),
  });
  expect(abort).toMatchObject({ condition: slow.text, atUs: 51_000_000 });
});

test.each([
  {
    name: 'what happens in the warm-up alone',
    script: {
      outcome: (_: unknown, startUs: number) => (startUs < 20_000_000 ? throttledOutcome : okOutcome),
    },
  },
  {
    name: 'half of the operations, where more than half is asked for',
    script: {
      outcome: ({ sequence }: { sequence: number }) => (sequence % 2 === 0 ? throttledOutcome : okOutcome),
    },
  },
  {
    name: 'trouble of another workload',
    script: {
      outcome: ({ workloadIndex }: { workloadIndex: number }) =>
        workloadIndex === 1 ? throttledOutcome : okOutcome,
    },
  },
])('$name does not end it', async ({ script }) => {
  const measurement = await run([throttled], script);
  expect([measurement.status, measurement.abort]).toEqual(['complete', undefined]);
});

const failed: Outcome = { kind: 'failed', code: 'InternalServerError', message: 'no' };
const failsFrom = (fromUs: number, every = 1): Script => ({
  outcome: ({ sequence }, startUs) => (startUs >= fromUs && sequence % every === 0 ? failed : okOutcome),
});
const emptyFrom =
  (fromSequence: number): NonNullable<WorkloadWishes['next']> =>
  (sequence) =>
    sequence >= fromSequence
      ? { kind: 'skipped', why: 'empty pool' }
      : { kind: 'request', request: putRequest(`k${sequence}`) };

test.each<{ name: string; script: Script; wishes: WorkloadWishes; atSeconds: number; because: RegExp }>([
  {
    name: 'more than half fails from 40 s on',
    script: failsFrom(40_000_000),
    wishes: {},
    atSeconds: 46,
    because: /of w0's operations failed, mostly with InternalServerError/,
  },
  {
    // A hundred a second need one slot where each takes 1 ms, and a hundred where each takes 1 s.
    name: 'operations find no slot from 40 s on',
    script: { serviceUs: (_, startUs) => (startUs >= 40_000_000 ? 1_000_000 : 1_000) },
    wishes: { policy: { maxInFlight: 10 } },
    atSeconds: 41,
    because: /of w0's planned operations were dropped/,
  },
  {
    name: 'the pool is empty from 40 s on',
    script: {},
    // The one due at 45 s counts at once, as there is nothing to wait for: 501 of a thousand.
    wishes: { next: emptyFrom(4_000) },
    atSeconds: 45,
    because: /of w0's planned operations were skipped/,
  },
])('invalid figures end it: $name', async ({ script, wishes, atSeconds, because }) => {
  const { abort } = await run([slow, invalid], script, wishes);
  expect(abort).toMatchObject({ value: null, atUs: atSeconds * 1_000_000 });
  expect(abort?.condition).toMatch(/^validity invalid \(/);
  expect(abort?.condition).toMatch(because);
});

test.each<{ name: string; script: Script; wishes: WorkloadWishes }>([
  { name: 'a tenth that fails is suspect, and', script: failsFrom(0, 10), wishes: {} },
  {
    name: 'all that fails of nine a second is too little to judge and',
    script: failsFrom(0),
    wishes: { load: perSecond(9) },
  },
  { name: 'what is throttled is an answer, and', script: throttlesFrom(0), wishes: {} },
])('$name does not end it', async ({ script, wishes }) => {
  expect((await run([invalid], script, wishes)).status).toBe('complete');
});

test('without conditions nothing is watched', async () => {
  expect((await run([], throttlesFrom(0))).status).toBe('complete');
});

test('its figures are suspect, with the condition and the moment', () => {
  const variant = buildVariant({
    status: 'interrupted',
    abort: { condition: throttled.text, value: 0.6, atUs: 46_000_000 },
    measuredSeconds: 26,
  });
  const target = {
    kind: 'simulated',
    time: 'virtual',
    capabilities: {
      enforcesThroughput: 'yes',
      reportsIndexUnits: 'yes',
      transactions: 'yes',
      parallelScan: 'yes',
    },
  } as const;
  const { status, reasons } = judgeValidity({ variant, target, stages: [] });
  expect(status).toBe('suspect');
  expect(reasons[0]).toMatchObject({ code: 'aborted', text: expect.stringContaining('46 s') as string });
  expect(reasons[0]?.text).toContain(throttled.text);
});
