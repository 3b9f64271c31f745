// Aim: what a freeze of two seconds does to a minute of load at 1,000/s, as the arithmetic has it. Method:
// virtual time and a scripted target; the same on the wall clock, against a process that really stands still,
// is test/e2e/stall.test.ts.
import { expect, test } from 'vitest';
import { VirtualClock } from '../../src/clock.ts';
import { VariantRun } from '../../src/engine/run-variant.ts';
import { workloadRecords } from '../../src/engine/variant-record.ts';
import { perSecond, planOf, stagesOf } from '../support/plan-builder.ts';
import { ScriptedTarget } from '../support/scripted-target.ts';

const SERVICE_US = 1_000;
const FREEZE_FROM_US = 30_000_000;
const FREEZE_UNTIL_US = 32_000_000;

/** What is sent during the freeze is answered after it, all at once: a server with an endless supply of hands. */
async function runWithFreeze() {
  const plan = planOf({
    stages: stagesOf({ seconds: 30 }, { seconds: 5 }, { seconds: 25 }),
    workloads: [{ load: perSecond(1_000), policy: { maxInFlight: 4_000 } }],
  });
  const clock = new VirtualClock();
  const target = new ScriptedTarget(clock, {
    serviceUs: (_, startUs) =>
      startUs + SERVICE_US > FREEZE_FROM_US && startUs < FREEZE_UNTIL_US
        ? FREEZE_UNTIL_US - startUs + SERVICE_US
        : SERVICE_US,
  });
  const measurement = await new VariantRun(plan, clock, target).run();
  const [record] = workloadRecords(plan, measurement);
  if (record === undefined) throw new Error('a plan of one workload gives one record');
  return { record, measurement };
}

test('of 60,000 operations none is dropped, and the freeze shows in full', async () => {
  const { record, measurement } = await runWithFreeze();
  expect(record.measured).toMatchObject({ planned: 60_000, started: 60_000, finished: 60_000 });
  expect(record.measured.outcomes).toMatchObject({ ok: 60_000, dropped: 0 });
  // One a millisecond over two seconds, all of them in flight when it thaws, and the one that is due then.
  expect(measurement.mostInFlight).toBe(2_001);
});

/*
 * The operation due t µs into the freeze waits 2,000,000 − t, then is served in 1,000 µs. Of 60,000 operations 2,000 are due in the freeze, at
 * t = 0, 1,000, … 1,999,000: their responses are 2,001,000, 2,000,000 … 2,000 µs, and all others take 1,000 µs. The 99th percentile is the
 * value of rank 59,400 of 60,000: 600 are slower, those of t < 600,000. It is thus the response at t = 600,000: 1,401,000 µs. The histogram
 * keeps three digits: at most 0.1 % above that.
 */
test.each([
  ['p99', 0.99, 600],
  // Rank 59,940: sixty are slower.
  ['p99.9', 0.999, 60],
])(
  '%s of the responses leaves out the worst hundredth, or thousandth, and no more',
  async (_, quantile, slower) => {
    const { record } = await runWithFreeze();
    const exactUs = 2_000_000 - slower * 1_000 + SERVICE_US;
    const { p99Us = 0, p99_9Us = 0 } = record.measured.response.ok ?? {};
    const foundUs = quantile === 0.99 ? p99Us : p99_9Us;
    expect(foundUs).toBeGreaterThanOrEqual(exactUs);
    expect(foundUs).toBeLessThanOrEqual(exactUs * 1.001);
  },
);

test('a minute has the median of a server at rest, and its mean shows the freeze', async () => {
  const { record } = await runWithFreeze();
  expect(record.measured.response.ok?.p50Us).toBe(SERVICE_US);
  // 2,000 operations wait 1,000 … 2,000,000 µs, on average 1,000,500: spread over 60,000, 33,350 µs more.
  expect(record.measured.response.ok?.meanUs).toBeCloseTo(SERVICE_US + 33_350, 6);
});

test('stages before the freeze and three seconds after the thaw know nothing of it', async () => {
  const { record } = await runWithFreeze();
  const [before, freeze, after] = record.stages.map(({ totals }) => totals.service.ok?.maxUs);
  expect([before, freeze, after]).toEqual([SERVICE_US, 2_001_000, SERVICE_US]);
});
