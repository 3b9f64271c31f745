// Aim: load made by several workers is the load of one (the same operations, one record), and whatever ends a
// worker ends the run with all that was measured. Method: crews in one process and in time that jumps,
// against scripted targets; messages are copied as between threads.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { VariantMeasurement } from '../../../src/engine/run-variant.ts';
import { workloadRecords } from '../../../src/engine/variant-record.ts';
import { DynoLoadError } from '../../../src/errors.ts';
import type { RunPlan } from '../../../src/scenario/run-plan.ts';
import { US_PER_SECOND } from '../../../src/units.ts';
import { type CrewWishes, inProcessCrew, sessionFor } from '../../support/in-process-crew.ts';
import { perSecond, planOf, putRequest, stagesOf } from '../../support/plan-builder.ts';
import { okOutcome, type Script, throttledOutcome } from '../../support/scripted-target.ts';
import { SteppedTime } from '../../support/stepped-time.ts';

let time: SteppedTime;
beforeEach(() => {
  time = new SteppedTime(0);
});
afterEach(() => time.stop());

const stages = stagesOf({ seconds: 1, isMeasured: false }, { seconds: 3 });
const plan = planOf({ stages, workloads: [{ load: perSecond(50) }, { load: perSecond(20, 'poisson') }] });

const throttling: Script = {
  serviceUs: ({ sequence }) => 2_000 + (sequence % 5) * 1_000,
  outcome: ({ sequence }) => (sequence % 4 === 0 ? throttledOutcome : okOutcome),
};

/** Opens the load of a plan and sets it up. */
async function crewOf(wishes: Partial<CrewWishes> & { plan: RunPlan; count: number }) {
  const { crew, workers } = await inProcessCrew({ time, script: throttling, ...wishes });
  const { session, heard } = sessionFor(time);
  const load = crew.open({ plan: wishes.plan, session, isDiscarded: false });
  return { crew, workers, load, heard };
}

async function runOf(wishes: Partial<CrewWishes> & { plan: RunPlan; count: number }) {
  const parts = await crewOf(wishes);
  await parts.load.setUp();
  await parts.load.warmUp();
  return { ...parts, measurement: await parts.load.run() };
}

function countsOf(of: RunPlan, measurement: VariantMeasurement) {
  return workloadRecords(of, measurement).map(({ stages: recorded, series }) => ({
    totals: recorded.map(({ totals }) => ({
      planned: totals.planned,
      started: totals.started,
      finished: totals.finished,
      outcomes: totals.outcomes,
      throttles: totals.throttles,
      units: totals.units,
      requests: totals.requests,
    })),
    planned: series.planned,
    started: series.started,
    ok: series.ok,
    throttled: series.throttled,
  }));
}

describe('load shared out', () => {
  test.each([1, 2, 3, 5])('among %i sends each operation once and counts as one', async (count) => {
    const { measurement, workers, load, heard } = await runOf({ plan, count });
    expect(measurement.status).toBe('complete');
    expect(measurement.reachedUs).toBeGreaterThanOrEqual(4 * US_PER_SECOND);
    for (const workloadIndex of [0, 1]) {
      const sequences = workers.flatMap(({ sent }) =>
        sent.filter((one) => one.workloadIndex === workloadIndex).map(({ sequence }) => sequence),
      );
      const planned = workloadRecords(plan, measurement)[workloadIndex]?.series.planned ?? [];
      const total = planned.reduce((sum, one) => sum + one, 0);
      expect(sequences.sort((a, b) => a - b)).toEqual(Array.from({ length: total }, (_, index) => index));
    }
    for (const [worker, { sent }] of workers.entries())
      expect(sent.every(({ sequence }) => sequence % count === worker)).toBe(true);
    const alone = await runOf({ plan, count: 1 });
    expect(countsOf(plan, measurement)).toEqual(countsOf(plan, alone.measurement));
    const units = workloadRecords(plan, measurement).flatMap((one) =>
      one.stages.flatMap(({ totals }) => totals.units),
    );
    expect(heard.writeUnits).toBe(units.reduce((sum, { writeUnits }) => sum + writeUnits, 0));
    expect(load.known().readings.workers).toHaveLength(count);
    expect(load.known().connections?.connectionsOpened).toBe(count);
  });

  test('begins at one moment, whatever each clock reads', async () => {
    const { workers } = await runOf({ plan, count: 3 });
    const firstUs = workers.map(({ sent }) => {
      const first = sent.find(({ workloadIndex }) => workloadIndex === 0);
      return first && first.startUs - first.sequence * (US_PER_SECOND / 50);
    });
    expect(firstUs).toHaveLength(3);
    for (const lateUs of firstUs) {
      expect(lateUs).toBeGreaterThanOrEqual(0);
      expect(lateUs).toBeLessThan(2_000);
    }
  });

  test('tells the heat of keys as one would', async () => {
    const next = (sequence: number) => ({
      kind: 'request' as const,
      request: putRequest(`k${sequence % 3}`),
    });
    const hot = planOf({ stages, workloads: [{ load: perSecond(60), next }] });
    const [one, three] = [await runOf({ plan: hot, count: 1 }), await runOf({ plan: hot, count: 3 })];
    expect(three.load.known().resources).toEqual(one.load.known().resources);
    expect(three.load.known().resources?.[0]).toMatchObject({ distinctKeys: 3, isExact: true });
  });

  test('has its slots and what may be in flight divided', async () => {
    const slow: Script = { serviceUs: () => 400_000 };
    const closed = planOf({
      stages,
      workloads: [
        { load: { kind: 'closed', concurrency: 4, pauseUs: 0 } },
        { load: perSecond(100), policy: { maxInFlight: 7 } },
      ],
    });
    const { workers, measurement } = await runOf({ plan: closed, count: 3, script: slow });
    expect(workers.map((worker) => worker.mostInFlight())).toEqual([2 + 3, 1 + 2, 1 + 2]);
    expect(measurement.mostInFlight).toBe(4 + 7);
    const sequences = workers.flatMap(({ sent }) =>
      sent.map((one) => `${one.workloadIndex} ${one.sequence}`),
    );
    expect(new Set(sequences).size).toBe(sequences.length);
  });

  test('leaves a worker without a slot idle', async () => {
    const one = planOf({ stages, workloads: [{ load: { kind: 'closed', concurrency: 1, pauseUs: 0 } }] });
    const { workers, measurement } = await runOf({ plan: one, count: 2 });
    expect(measurement.status).toBe('complete');
    expect(workers[0]?.sent.length).toBeGreaterThan(100);
    expect(workers[1]?.sent).toEqual([]);
  });

  test('is watched as a whole while it goes on', async () => {
    const { load, measurement } = await runOf({ plan, count: 2 });
    const progress = load.progress();
    const totals = countsOf(plan, measurement).flatMap((one) => one.totals);
    expect(progress.planned).toBe(totals.reduce((sum, one) => sum + one.planned, 0));
    expect(progress.finished).toBe(progress.planned);
    expect(progress.inFlight).toBe(0);
  });

  test('hands the counts of each to the session, once', async () => {
    const { load, heard } = await runOf({ plan, count: 3 });
    expect(load.known()).toEqual(load.known());
    expect(heard.counted).toHaveLength(3);
    expect(new Set(heard.counted)).toEqual(new Set([0, 1, 2]));
  });
});

describe('what ends a run of several', () => {
  const long = planOf({ stages: stagesOf({ seconds: 60 }), workloads: [{ load: perSecond(50) }] });
  const after = (seconds: number, act: () => void) => time.whenPast(time.nowMs + seconds * 1_000, act);

  test('an interrupt: all end, and what they measured is there', async () => {
    const { load, workers } = await crewOf({ plan: long, count: 2 });
    await load.setUp();
    after(5.5, () => load.interrupt());
    const measurement = await load.run();
    expect(measurement.status).toBe('interrupted');
    expect(measurement.error).toBeUndefined();
    expect(measurement.reachedUs).toBeGreaterThan(5 * US_PER_SECOND);
    expect(measurement.reachedUs).toBeLessThan(6 * US_PER_SECOND);
    const sent = workers.reduce((sum, one) => sum + one.sent.length, 0);
    expect(load.progress().planned).toBe(sent);
  });

  test('an interrupt before load begins: nothing is sent', async () => {
    const { load, workers } = await crewOf({ plan: long, count: 2 });
    load.interrupt();
    await load.setUp();
    const measurement = await load.run();
    expect(measurement).toMatchObject({ status: 'interrupted', mostInFlight: 0 });
    expect(workers.flatMap(({ sent }) => sent)).toEqual([]);
  });

  test('an interrupt while connections are opened: that they are closed is no error', async () => {
    const connect = async (closed: Promise<void>) => {
      await closed;
      throw new Error('closed');
    };
    const { load, workers } = await crewOf({ plan: long, count: 2, connect });
    after(0.5, () => load.interrupt());
    time.scheduler.after(1_000, () => undefined);
    await load.setUp();
    const measurement = await load.run();
    expect(measurement.status).toBe('interrupted');
    expect(measurement.error).toBeUndefined();
    expect(workers.flatMap(({ sent }) => sent)).toEqual([]);
  });

  test('a worker that is lost: the others end, its last word stays, and the record says so', async () => {
    const { load, workers } = await crewOf({ plan: long, count: 3 });
    await load.setUp();
    after(4.5, () => workers[1]?.lose('it ended with code 7'));
    const measurement = await load.run();
    expect(measurement.status).toBe('interrupted');
    expect(measurement.error).toMatchObject({ code: 'WORKER_LOST' });
    expect((measurement.error as DynoLoadError).what).toContain('it ended with code 7');
    expect(load.known().readings.workers?.map(({ isLost }) => isLost)).toEqual([false, true, false]);
    const others = [0, 2].reduce((sum, worker) => sum + (workers[worker]?.sent.length ?? 0), 0);
    const missing = others + (workers[1]?.sent.length ?? 0) - load.progress().planned;
    expect(load.progress().planned).toBeGreaterThan(others);
    // At most a second of its third of 50 a second.
    expect(missing).toBeLessThanOrEqual(17);
  });

  test('the loss of all: what they said until then is the record', async () => {
    const { load, workers } = await crewOf({ plan: long, count: 2 });
    await load.setUp();
    after(4.5, () => workers.forEach((worker) => worker.lose('killed')));
    const measurement = await load.run();
    expect(measurement.reachedUs).toBeGreaterThan(3.5 * US_PER_SECOND);
    expect(load.progress().planned).toBeGreaterThanOrEqual(150);
  });

  test('a worker that hears nothing: it is given up after two seconds', async () => {
    const { load, workers } = await crewOf({ plan: long, count: 2 });
    await load.setUp();
    after(3.5, () => workers[0]?.freeze());
    after(4, () => load.interrupt());
    const startMs = time.nowMs;
    const measurement = await load.run();
    expect(measurement.error).toMatchObject({ code: 'WORKER_LOST' });
    expect(time.nowMs - startMs).toBeLessThan(8_000);
  });

  test('the scenario’s own error in one of them', async () => {
    const next = (sequence: number) => {
      if (sequence === 121) throw new Error('no more');
      return { kind: 'request' as const, request: putRequest(`k${sequence}`) };
    };
    const faulty = planOf({ stages: stagesOf({ seconds: 60 }), workloads: [{ load: perSecond(50), next }] });
    const { load, measurement } = await runOf({ plan: faulty, count: 2 });
    expect(measurement.status).toBe('interrupted');
    expect(measurement.error).toBeInstanceOf(DynoLoadError);
    expect(measurement.error).toMatchObject({ code: 'SCENARIO_FUNCTION_THREW' });
    expect(load.progress().planned).toBeLessThan(130);
    expect(load.known().readings.workers?.every(({ isLost }) => !isLost)).toBe(true);
  });

  test('a condition of the scenario, held against all together', async () => {
    const goal = {
      workload: 'w0',
      metric: 'throttledRatio',
      comparator: '>',
      limit: 0.2,
      text: 'too much',
    } as const;
    const guarded = planOf({
      stages: stagesOf({ seconds: 60 }),
      workloads: [{ load: perSecond(50) }],
      abortConditions: [goal],
    });
    const { measurement } = await runOf({ plan: guarded, count: 3 });
    expect(measurement.status).toBe('interrupted');
    expect(measurement.abort).toMatchObject({ condition: 'too much' });
    expect(measurement.abort?.value).toBeCloseTo(0.25, 1);
    expect(measurement.abort?.atUs).toBeLessThan(12 * US_PER_SECOND);
  });

  test('a refusal in one of them is told to the session', async () => {
    const { load, workers, heard } = await crewOf({ plan, count: 2 });
    await load.setUp();
    const refusal = new DynoLoadError('REFUSED_WRITE', { what: 'a', why: 'b', fix: 'c' });
    after(1, () => workers[1]?.refuse(refusal));
    await load.run();
    expect(heard.refused).toMatchObject([{ code: 'REFUSED_WRITE', what: 'a' }]);
  });
});

describe('before load', () => {
  test('workers that planned something else are no crew', async () => {
    const other = planOf({
      stages,
      workloads: [{ load: perSecond(51) }, { load: perSecond(20, 'poisson') }],
    });
    const planOfWorker = (worker: number) => (worker === 1 ? other : plan);
    await expect(inProcessCrew({ time, plan, count: 2, planOfWorker })).rejects.toMatchObject({
      code: 'PLAN_DIFFERS',
    });
  });

  test('a worker that is lost between two variants ends the run at the next', async () => {
    const { crew, workers } = await runOf({ plan, count: 2 });
    workers[0]?.lose('out of memory');
    const { session } = sessionFor(time);
    const next = crew.open({ plan, session, isDiscarded: false });
    await expect(next.setUp()).rejects.toMatchObject({ code: 'WORKER_LOST' });
  });
});
