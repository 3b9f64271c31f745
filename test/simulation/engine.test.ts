// Aim: the engine keeps its schedule, bounds what is in flight, ends what takes too long, and loses no count.
// Method: virtual time and a scripted target; the arithmetic of each expectation stands beside it.
import { describe, expect, test } from 'vitest';
import { computeMetrics } from '../../src/analysis/metrics.ts';
import { VirtualClock } from '../../src/clock.ts';
import { Execution } from '../../src/engine/execution.ts';
import { type VariantMeasurement, VariantRun } from '../../src/engine/run-variant.ts';
import type { StageRecorder } from '../../src/engine/stage-recorder.ts';
import { workloadRecords } from '../../src/engine/variant-record.ts';
import type { Target } from '../../src/engine/target.ts';
import { DynoLoadError } from '../../src/errors.ts';
import { CounterRandom, streamKey } from '../../src/prng.ts';
import type { PlannedOperation, RunPlan } from '../../src/scenario/run-plan.ts';
import type { RateShape } from '../../src/workload/arrival.ts';
import { pool } from '../../src/workload/pool.ts';
import { perSecond, planOf, putRequest, stagesOf } from '../support/plan-builder.ts';
import { okOutcome, type Script, ScriptedTarget, throttledOutcome } from '../support/scripted-target.ts';

async function runPlan(plan: RunPlan, script: Script = {}) {
  const clock = new VirtualClock();
  const target = new ScriptedTarget(clock, script);
  const measurement = await new VariantRun(plan, clock, target).run();
  return { measurement, target };
}

function stageOf(measurement: VariantMeasurement, stage = 0, workload = 0): StageRecorder {
  const recorder = measurement.recorders[workload]?.stages[stage];
  if (recorder === undefined) throw new Error('no such stage');
  return recorder;
}

const outcomeCount = (stage: StageRecorder) =>
  [...stage.outcomes.values()].reduce((sum, recorder) => sum + recorder.count, 0);

describe('open loop', () => {
  test('starts the planned operations of each stage at their planned moments', async () => {
    const stages = stagesOf(
      { seconds: 2, isMeasured: false },
      { seconds: 5 },
      { seconds: 1, rateFactor: 0.5 },
    );
    const { measurement, target } = await runPlan(planOf({ stages, workloads: [{ load: perSecond(100) }] }));
    expect([0, 1, 2].map((stage) => stageOf(measurement, stage).planned)).toEqual([200, 500, 50]);
    expect(target.sent.slice(0, 3).map((sent) => sent.startUs)).toEqual([0, 10_000, 20_000]);
    expect(measurement.status).toBe('complete');
  });

  test.each<[string, RateShape, readonly number[]]>([
    ['a constant rate of 33.3/s', { kind: 'constant', perSecond: 33.3 }, [4 * 33.3, 6 * 33.3]],
    // 10/s + 10/s a second: 10 t + 5 t².
    ['a ramp', { kind: 'ramp', fromPerSecond: 10, toPerSecond: 110 }, [120, 480]],
    [
      'steps',
      {
        kind: 'steps',
        steps: [
          { perSecond: 50, durationUs: 3_300_000 },
          { perSecond: 120.5, durationUs: 6_700_000 },
        ],
      },
      [3.3 * 50 + 0.7 * 120.5, 6 * 120.5],
    ],
  ])('%s sends in each stage what its integral says, give or take one', async (_name, shape, expected) => {
    const load = { kind: 'open', shape, spacing: 'even' } as const;
    const stages = stagesOf({ seconds: 4 }, { seconds: 6 });
    const { measurement, target } = await runPlan(planOf({ stages, workloads: [{ load }] }));
    const inSecond = target.sent.filter(({ startUs }) => startUs >= 4_000_000).length;
    const sent = [target.sent.length - inSecond, inSecond];
    expect([0, 1].map((stage) => stageOf(measurement, stage).started)).toEqual(sent);
    for (const [stage, count] of sent.entries())
      expect(Math.abs(count - (expected[stage] ?? 0))).toBeLessThanOrEqual(1);
  });

  test('does not wait for slow answers', async () => {
    const { measurement } = await runPlan(planOf({ workloads: [{ load: perSecond(100) }] }), {
      serviceUs: () => 3_000_000,
    });
    // Little: 100/s × 3 s in flight at once.
    expect(measurement.mostInFlight).toBe(300);
    expect(stageOf(measurement).finished).toBe(1_000);
  });

  test('drops what finds no slot, counts it, and is never late instead', async () => {
    const { measurement, target } = await runPlan(
      planOf({ workloads: [{ load: perSecond(100), policy: { maxInFlight: 50 } }] }),
      { serviceUs: () => 1_000_000 },
    );
    const stage = stageOf(measurement);
    // 50 slots of 1 s each carry 50/s of the 100/s.
    expect(stage.dropped).toBe(500);
    expect(stage.started).toBe(500);
    expect(stage.planned).toBe(stage.started + stage.dropped);
    expect(target.mostInFlight).toBe(50);
  });

  test('a target that freezes for 2 s shows in the response percentiles and not in the rate', async () => {
    const freeze = { fromUs: 4_000_000, untilUs: 6_000_000 };
    const { measurement } = await runPlan(
      planOf({ workloads: [{ load: perSecond(1_000), policy: { maxInFlight: 5_000 } }] }),
      {
        serviceUs: (_, startUs) =>
          startUs >= freeze.fromUs && startUs < freeze.untilUs ? freeze.untilUs - startUs + 1_000 : 1_000,
      },
    );
    const response = stageOf(measurement).outcomes.get('ok')?.response;
    // 2,000 of 10,000 operations wait uniformly up to 2 s: the slowest 1 % of all are the slowest 5 % of
    // those, from 1.9 s on.
    expect(response?.quantile(0.99)).toBeGreaterThan(1_890_000);
    expect(response?.quantile(0.5)).toBeLessThan(1_100);
    expect(stageOf(measurement).started).toBe(10_000);
  });

  test('Poisson arrivals stay within four standard deviations', async () => {
    const { measurement } = await runPlan(
      planOf({ stages: stagesOf({ seconds: 100 }), workloads: [{ load: perSecond(100, 'poisson') }] }),
    );
    expect(Math.abs(stageOf(measurement).planned - 10_000)).toBeLessThan(400);
  });
});

describe('what is achieved', () => {
  /** A server that works on one operation at a time, first come, first served. */
  function oneAtATime(eachUs: number): Script {
    let freeUs = 0;
    return {
      serviceUs: (_, startUs) => {
        freeUs = Math.max(freeUs, startUs) + eachUs;
        return freeUs - startUs;
      },
    };
  }
  const overloaded = { load: perSecond(100), policy: { maxInFlight: 10_000, timeoutUs: 1e9 } };

  test('of a saturated target is what it ends in time, though its backlog ends well in the drain', async () => {
    const plan = planOf({ workloads: [overloaded] });
    const { measurement } = await runPlan(plan, oneAtATime(20_000));
    const [record] = workloadRecords(plan, measurement);
    expect(record?.measured).toMatchObject({ planned: 1_000, okWithinStage: 500 });
    expect(record?.measured.outcomes.ok).toBe(1_000);
    expect(record && computeMetrics(record, 10).achievedPerSecond).toBe(50);
  });

  test('counts in a stage what an earlier one left behind, so that a steady rate loses nothing at the edges', async () => {
    const plan = planOf({
      stages: stagesOf({ seconds: 2, isMeasured: false }, { seconds: 10 }, { seconds: 1, isMeasured: false }),
      workloads: [{ load: perSecond(100) }],
    });
    const { measurement } = await runPlan(plan, { serviceUs: () => 55_000 });
    const [record] = workloadRecords(plan, measurement);
    expect(record?.stages.map(({ totals }) => totals.okWithinStage)).toEqual([195, 1_000, 100]);
    expect(record?.measured.okWithinStage).toBe(1_000);
  });
});

test('a complete run lasts to the end of its last stage, however early its last operation ends', async () => {
  const { measurement } = await runPlan(
    planOf({ stages: stagesOf({ seconds: 3 }), workloads: [{ load: perSecond(2) }] }),
  );
  expect(measurement.reachedUs).toBe(3_000_000);
});

describe('closed loop', () => {
  test('keeps its concurrency and begins the next operation after the pause', async () => {
    const { measurement, target } = await runPlan(
      planOf({ workloads: [{ load: { kind: 'closed', concurrency: 4, pauseUs: 5_000 } }] }),
      { serviceUs: () => 5_000 },
    );
    // Each slot takes 10 ms a turn: 100/s × 4 × 10 s.
    expect(stageOf(measurement).finished).toBe(4_000);
    expect(target.mostInFlight).toBe(4);
  });

  test('operations that have nothing to do are skipped and do not stop time', async () => {
    const { measurement } = await runPlan(
      planOf({
        stages: stagesOf({ seconds: 1 }),
        workloads: [
          {
            load: { kind: 'closed', concurrency: 1, pauseUs: 0 },
            next: () => ({ kind: 'skipped', why: 'empty pool' }),
          },
        ],
      }),
    );
    const stage = stageOf(measurement);
    expect(stage.skipped).toBe(stage.planned);
    expect(stage.skipped).toBe(10_000);
    expect(stage.started).toBe(0);
  });
});

describe('timeouts', () => {
  test('what is never answered ends as timed out after the timeout, the last ones in the drain', async () => {
    const { measurement } = await runPlan(planOf({ workloads: [{ policy: { timeoutUs: 2_000_000 } }] }), {
      serviceUs: ({ sequence }) => (sequence % 10 === 0 ? undefined : 1_000),
    });
    const stage = stageOf(measurement);
    expect(stage.outcomes.get('timedOut')?.count).toBe(100);
    expect(stage.outcomes.get('timedOut')?.service.minUs).toBe(2_000_000);
    expect(stage.outcomes.get('ok')?.count).toBe(900);
    // The last one never answered is due at 9.9 s.
    expect(measurement.reachedUs).toBe(11_900_000);
  });

  test('a late answer is counted as a request and not as a second outcome', async () => {
    const { measurement } = await runPlan(
      planOf({ stages: stagesOf({ seconds: 1 }), workloads: [{ policy: { timeoutUs: 100_000 } }] }),
      { serviceUs: ({ sequence }) => (sequence === 0 ? 500_000 : 1_000) },
    );
    const stage = stageOf(measurement);
    expect(stage.requests).toBe(100);
    expect(stage.finished).toBe(100);
    expect(stage.outcomes.get('timedOut')?.count).toBe(1);
  });

  test.each([
    ['at the timeout', 'timedOut', 100_000],
    ['a millisecond before', 'failed', 99_000],
  ] as const)('what a client gives up %s, before the engine looks, is %s', async (_, kind, afterUs) => {
    const clock = new VirtualClock();
    const policy = { timeoutUs: 100_000 };
    const plan = planOf({ stages: stagesOf({ seconds: 1 }), workloads: [{ policy }, { policy }] });
    const target: Target = {
      send: (_request, startUs, done) =>
        clock.schedule(startUs + afterUs, 0, {
          fire: (nowUs) => done({ kind: 'failed', code: 'ATTEMPT_TIMED_OUT', message: 'no answer' }, nowUs),
        }),
    };
    const measurement = await new VariantRun(plan, clock, target).run();
    // The sweep of the second workload comes after all events of the first one's rank.
    expect([...stageOf(measurement, 0, 1).outcomes.keys()]).toEqual([kind]);
  });
});

describe('retries', () => {
  test('none by default: each throttle is an outcome', async () => {
    const { measurement } = await runPlan(planOf({}), {
      outcome: ({ sequence }) => (sequence % 4 === 0 ? throttledOutcome : okOutcome),
    });
    const stage = stageOf(measurement);
    expect(stage.outcomes.get('throttled')?.count).toBe(250);
    expect(stage.throttles.get('TableWriteKeyRangeThroughputExceeded')?.get('t')).toBe(250);
  });

  test('the SDK policy hides a throttle behind up to a second and counts each attempt', async () => {
    const { measurement } = await runPlan(
      planOf({ workloads: [{ load: perSecond(10), policy: { retry: 'sdk' } }] }),
      { outcome: ({ part }) => (part === 0 ? throttledOutcome : okOutcome) },
    );
    const stage = stageOf(measurement);
    expect(stage.outcomes.get('ok')?.count).toBe(100);
    expect(stage.requests).toBe(200);
    expect(stage.throttledRequests).toBe(100);
    // One retry after full jitter over 1 s: half a second on average.
    expect(stage.outcomes.get('ok')?.response.meanUs).toBeGreaterThan(350_000);
    expect(stage.outcomes.get('ok')?.response.maxUs).toBeLessThan(1_010_000);
  });

  test('attempts are counted, and response times are split into parts that sum to them', async () => {
    const rule = { attempts: 4, baseMs: 40, maxMs: 100, on: ['throttled'] } as const;
    const { measurement } = await runPlan(
      planOf({
        stages: stagesOf({ seconds: 2 }),
        workloads: [{ load: perSecond(10), policy: { retry: rule } }],
      }),
      {
        // Operation 0 is answered at once, 1 after one throttle, 2 after two, 3 after three, 4 never; and so on.
        outcome: ({ sequence, part }) => (part < sequence % 5 ? throttledOutcome : okOutcome),
        serviceUs: (_, startUs) => (startUs % 2 === 0 ? 3_000 : 5_000),
      },
    );
    const stage = stageOf(measurement);
    expect(stage.attempts).toEqual([4, 4, 4, 8]);
    expect(stage.attempts.reduce((sum, count, index) => sum + count * (index + 1), 0)).toBe(stage.requests);
    // Twenty operations, all of them among the slowest: each with its exact times.
    const ok = (measurement.recorders[0]?.slowest ?? []).filter(({ outcome }) => outcome === 'ok');
    expect(ok).toHaveLength(16);
    const responses = ok.reduce((sum, { responseUs }) => sum + responseUs, 0);
    expect(stage.okLatenessUs + stage.okWaitUs + stage.okServiceUs).toBe(responses);
    expect(stage.okLatenessUs).toBe(0);
    // All moments are whole ms, so each last attempt took 3 ms.
    expect(stage.okServiceUs).toBe(16 * 3_000);
  });

  test('waits of requests side by side count once', () => {
    const execution = new Execution(0, 0, 0, 0, undefined);
    execution.waited(10, 50);
    execution.waited(20, 60);
    execution.waited(30, 40);
    execution.waited(100, 130);
    expect(execution.waitedUs).toBe(80);
  });

  test('without retries no attempts are counted, and the parts sum all the same', async () => {
    const { measurement } = await runPlan(planOf({ workloads: [{ load: perSecond(10) }] }));
    const stage = stageOf(measurement);
    expect([stage.attempts, stage.okWaitUs, stage.okServiceUs]).toEqual([[], 0, 100 * 1_000]);
  });

  test('the SDK quota runs dry under lasting throttles: then they surface at the first attempt', async () => {
    const { measurement } = await runPlan(
      planOf({ workloads: [{ load: perSecond(100), policy: { retry: 'sdk' } }] }),
      { outcome: () => throttledOutcome },
    );
    const stage = stageOf(measurement);
    // 500 tokens at 5 a retry: exactly 100 retries for 1,000 operations.
    expect(stage.requests).toBe(1_100);
    expect(stage.outcomes.get('throttled')?.count).toBe(1_000);
  });
});

describe('flows', () => {
  const flowOf = (run: (send: (key: string) => Promise<unknown>) => Promise<void>): PlannedOperation => ({
    kind: 'flow',
    run: (port) => run((key) => port.send(key, { kind: 'request', request: putRequest(key) })),
  });
  /** Ten flows in one second. */
  const tenOf = (run: (send: (key: string) => Promise<unknown>) => Promise<void>) =>
    planOf({
      stages: stagesOf({ seconds: 1 }),
      workloads: [{ load: perSecond(10), next: () => flowOf(run) }],
    });

  test('steps one after another add up, steps at once take as long as the slowest', async () => {
    const { measurement } = await runPlan(
      tenOf(async (send) => {
        await send('first');
        await Promise.all([send('left'), send('right')]);
      }),
      { serviceUs: ({ part }) => [2_000, 3_000, 7_000][part] },
    );
    const stage = stageOf(measurement);
    expect(stage.outcomes.get('ok')?.response.maxUs).toBe(9_000);
    expect(stage.requests).toBe(30);
    expect(stage.units.rows()).toEqual([{ resource: 't', readUnits: 0, writeUnits: 30 }]);
    expect([...(measurement.recorders[0]?.steps.keys() ?? [])]).toEqual(['first', 'left', 'right']);
  });

  test('the worst step decides the outcome, and a flow that catches it goes on', async () => {
    const { measurement } = await runPlan(
      tenOf(async (send) => {
        await send('a').catch(() => undefined);
        await send('b');
      }),
      { outcome: ({ part }) => (part === 0 ? throttledOutcome : okOutcome) },
    );
    const stage = stageOf(measurement);
    expect(stage.outcomes.get('throttled')?.count).toBe(10);
    expect(stage.requests).toBe(20);
  });

  test('a flow that finds its pool empty is skipped, and what it already sent is counted', async () => {
    const empty = pool<string>();
    const { measurement } = await runPlan(
      tenOf(async (send) => {
        await send('a');
        await send(empty.take());
      }),
    );
    const stage = stageOf(measurement);
    expect(measurement.error).toBeUndefined();
    expect([stage.planned, stage.started, stage.skipped, stage.finished]).toEqual([10, 0, 10, 0]);
    expect(stage.requests).toBe(10);
  });

  test('awaiting anything but db is an error that says so', async () => {
    const { measurement } = await runPlan(
      planOf({ workloads: [{ next: () => flowOf(() => new Promise(() => undefined)) }] }),
    );
    expect(measurement.status).toBe('interrupted');
    expect(measurement.error).toBeInstanceOf(DynoLoadError);
    expect((measurement.error as DynoLoadError).code).toBe('FLOW_AWAITED_OUTSIDE');
  });

  test('an exception of the flow ends the run with the place', async () => {
    const { measurement } = await runPlan(
      planOf({
        workloads: [
          {
            next: () =>
              flowOf(async (send) => {
                await send('a');
                throw new TypeError('order.lines is not iterable');
              }),
          },
        ],
      }),
    );
    expect((measurement.error as DynoLoadError).message).toContain('order.lines is not iterable');
    expect(stageOf(measurement).requests).toBeGreaterThan(0);
  });
});

test('every operation planned is started, dropped or skipped, and every one started ends, whatever the target does', async () => {
  const random = new CounterRandom(streamKey(9, 'faults'));
  const draw = (sequence: number) => random.seek(sequence).float();
  const { measurement } = await runPlan(
    planOf({
      workloads: [
        {
          load: perSecond(500, 'poisson'),
          policy: { maxInFlight: 40, timeoutUs: 300_000, retry: 'sdk' },
          next: (sequence) =>
            sequence % 50 === 0
              ? { kind: 'skipped', why: 'test' }
              : { kind: 'request', request: putRequest(`k${sequence}`) },
        },
        { load: { kind: 'closed', concurrency: 3, pauseUs: 1_000 }, policy: { timeoutUs: 50_000 } },
      ],
    }),
    {
      serviceUs: ({ sequence }) => (draw(sequence) < 0.02 ? undefined : Math.round(draw(sequence) * 120_000)),
      outcome: ({ sequence }) =>
        draw(sequence) > 0.8
          ? throttledOutcome
          : draw(sequence) > 0.75
            ? { kind: 'failed', code: 'InternalServerError', message: 'no', httpStatus: 500 }
            : okOutcome,
    },
  );
  for (const workload of [0, 1]) {
    const stage = stageOf(measurement, 0, workload);
    expect(stage.started + stage.dropped + stage.skipped).toBe(stage.planned);
    expect(stage.finished).toBe(stage.started);
    expect(outcomeCount(stage)).toBe(stage.finished);
    expect(stage.outcomes.get('ok')?.response.count).toBe(stage.outcomes.get('ok')?.count);
  }
  expect(stageOf(measurement, 0, 0).dropped).toBeGreaterThan(0);
});

test('equal seeds send the same requests at the same moments; another workload beside it changes nothing', async () => {
  const alone = planOf({ workloads: [{ load: perSecond(200, 'poisson') }] });
  const beside = planOf({
    workloads: [{ load: perSecond(200, 'poisson') }, { load: perSecond(50, 'poisson') }],
  });
  const sentBy = async (plan: RunPlan) =>
    (await runPlan(plan)).target.sent.filter((one) => one.workloadIndex === 0);
  const first = await sentBy(alone);
  expect(first.length).toBeGreaterThan(1_800);
  expect(await sentBy(alone)).toEqual(first);
  expect(await sentBy(beside)).toEqual(first);
});

test('an interrupt keeps what was measured and leaves the rest unfinished', async () => {
  const clock = new VirtualClock();
  const target = new ScriptedTarget(clock, { serviceUs: () => 50_000 });
  const run = new VariantRun(planOf({ workloads: [{ load: perSecond(100) }] }), clock, target);
  clock.schedule(3_005_000, 0, { fire: () => run.interrupt() });
  const measurement = await run.run();
  const stage = stageOf(measurement);
  expect(measurement.status).toBe('interrupted');
  expect(stage.started).toBe(301);
  // Sent every 10 ms and answered after 50 ms: five are still under way.
  expect(stage.started - stage.finished).toBe(5);
});
