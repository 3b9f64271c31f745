// Aim: each rule of validity fires at its bound and not before, and only where it applies. Method: a sound
// variant, changed in one place per row.
import { describe, expect, test } from 'vitest';
import type { MachineHealth } from '../../../src/analysis/records/machine-health.ts';
import type { GeneratorHealth, WorkloadResult } from '../../../src/analysis/run-result.ts';
import { judgeValidity } from '../../../src/analysis/validity.ts';
import type { ValidityInput } from '../../../src/analysis/validity-reason.ts';
import { invalidSpan } from '../../../src/analysis/validity-workload.ts';
import { LatencyHistogram } from '../../../src/stats/histogram.ts';
import {
  buildHistogram,
  buildMeasuredRun,
  buildSeries,
  buildTotals,
  buildVariant,
  buildWorkload,
  endpointTarget,
  idleHealth,
  simulatedTarget,
} from '../../support/run-result-builder.ts';

const { stages } = buildMeasuredRun().scenario;

const FAILED = ['operations-failed'];

/** 60 s at 100/s, all answered in 2 ms, sent 0.2 ms late. */
const soundTotals = buildTotals({
  outcomes: { ok: 6_000 },
  response: { ok: buildHistogram(6_000, 2_200) },
  service: { ok: buildHistogram(6_000, 2_000) },
  lateness: buildHistogram(6_000, 200),
});
const soundSeries = buildSeries(70, { ok: 100, maxResponseUs: 9_000 });

function judge(
  workload: Partial<WorkloadResult>,
  more: Partial<ValidityInput['variant']> = {},
  target = endpointTarget,
) {
  const sound = buildWorkload({ measured: soundTotals, series: soundSeries, ...workload });
  const variant = buildVariant({ measuredSeconds: 60, workloads: [sound], ...more });
  const { status, reasons } = judgeValidity({ variant, target, stages });
  return { status, codes: reasons.map((reason) => reason.code), reasons };
}

/** Per second, from the start of the run. */
const maxResponses = (at: (second: number) => number) => ({
  series: { ...soundSeries, maxResponseUs: soundSeries.maxResponseUs.map((_, second) => at(second)) },
});

describe('a wall-clock variant', () => {
  test('that is sound is valid', () => {
    expect(judge({})).toMatchObject({ status: 'valid', codes: [] });
  });

  test.each<[string, Partial<WorkloadResult>, string, string[]]>([
    ['drops 0.1 % of its operations', totals({ ok: 5_994, dropped: 6 }), 'valid', []],
    ['drops 0.12 %', totals({ ok: 5_993, dropped: 7 }), 'invalid', ['target-saturated']],
    ['loses 0.5 % of its answers', totals({ ok: 5_970, timedOut: 30 }), 'invalid', ['target-saturated']],
    ['has half its operations throttled', totals({ ok: 3_000, throttled: 3_000 }), 'valid', []],
    [
      'sends 98 % of what is planned',
      totals({ ok: 5_880 }, { planned: 6_000 }),
      'suspect',
      ['load-not-achieved'],
    ],
    ['sends 94 %', totals({ ok: 5_640 }, { planned: 6_000 }), 'invalid', ['load-not-achieved']],
    ['skips 40 %', totals({ ok: 3_600, skipped: 2_400 }), 'valid', []],
    ['skips 60 %', totals({ ok: 2_400, skipped: 3_600 }), 'invalid', ['operations-skipped']],
    ['skips all of its operations', totals({ skipped: 6_000 }), 'invalid', ['nothing-done']],
    ['has all of its operations fail', totals({ failed: 6_000 }), 'invalid', ['nothing-done']],
    ['has nothing to do', totals({}), 'invalid', ['nothing-done']],
    ['has all of its operations throttled', totals({ throttled: 6_000 }), 'valid', []],
    ['has all of its conditions fail', totals({ conditionFailed: 6_000 }), 'valid', []],
    ['fails 4 %', totals({ ok: 5_760, failed: 240 }), 'valid', []],
    ['fails 6 %', totals({ ok: 5_640, failed: 360 }), 'suspect', ['operations-failed']],
    ['fails 60 %', totals({ ok: 2_400, failed: 3_600 }), 'invalid', ['operations-failed']],
    ['is 9 ms late', late(9_000, 2_000), 'valid', []],
    ['is 11 ms late', late(11_000, 2_000), 'suspect', ['generator-late']],
    ['is 101 ms late', late(101_000, 2_000), 'invalid', ['generator-late']],
    ['is 11 ms late where service takes 50 ms', late(11_000, 50_000), 'valid', []],
    [
      'answers ever more slowly',
      maxResponses((second) => 5_000 + second * 10_000),
      'invalid',
      ['target-saturated'],
    ],
    [
      'stalls once for two seconds',
      maxResponses((second) => (second === 60 ? 2_000_000 : 9_000)),
      'valid',
      [],
    ],
  ])('that %s is %s', (_, workload, status, codes) => {
    expect(judge(workload)).toMatchObject({ status, codes });
  });

  test.each<[string, Partial<GeneratorHealth>, string, string[]]>([
    ['has an event loop held up by 50 ms', { eventLoopDelayP99Ms: 50 }, 'valid', []],
    ['has an event loop held up by 51 ms', { eventLoopDelayP99Ms: 51 }, 'suspect', ['event-loop-delayed']],
    ['once blocked for 2 s with nothing due', { eventLoopDelayMaxMs: 2_000 }, 'valid', []],
    ['collects garbage for 9 % of the time', collecting(0.9), 'valid', []],
    ['collects garbage for 11 % of the time', collecting(1.1), 'suspect', ['garbage-collection']],
    ['waits 9 ms for connections', waiting(9_000), 'valid', []],
    ['waits 11 ms for connections', waiting(11_000), 'suspect', ['connections-awaited']],
    ['waits 11 ms for connections of attempts of 50 ms', waiting(11_000, 50_000), 'valid', []],
    ['knows nothing of its machine', on({}), 'valid', []],
    ['had 5 % of the processor stolen', on({ stolenRatio: 0.05 }), 'valid', []],
    ['had 6 % of the processor stolen', on({ stolenRatio: 0.06 }), 'suspect', ['processor-stolen']],
    ['met its CPU limit in 1 % of periods', on({ limitedRatio: 0.01 }), 'valid', []],
    ['met its CPU limit in 2 % of periods', on({ limitedRatio: 0.02 }), 'suspect', ['cpu-limited']],
    ['ran on cores that did not slow down', on({ thermalThrottles: 0 }), 'valid', []],
    ['ran on a core that became hot', on({ thermalThrottles: 1 }), 'suspect', ['processor-slowed']],
    ['kept 91 % of its clock', on({ frequencyLimitRatio: 0.91 }), 'valid', []],
    ['kept 89 % of its clock', on({ frequencyLimitRatio: 0.89 }), 'suspect', ['processor-slowed']],
    ['ran on a machine that was busy throughout', on({ busyRatio: 1 }), 'valid', []],
  ])('whose generator %s is %s', (_, health, status, codes) => {
    const generatorHealth = { ...idleHealth, ...health };
    expect(judge({}, { generatorHealth })).toMatchObject({ status, codes });
  });

  // At 100/s 400 slots are taken after 4 s without answers; 12,000 only after the timeout of 10 s.
  test.each([
    [400, 1_990, 'target-saturated'],
    [400, 2_010, 'operations-dropped'],
    [12_000, 4_990, 'target-saturated'],
    [12_000, 5_010, 'operations-dropped'],
    // A busy machine does that, and slots are taken in no time.
    [1, 49, 'target-saturated'],
  ])(
    'that found none of %i slots free, its event loop held up by %i ms: %s',
    (maxInFlight, heldUpMs, code) => {
      const dropping = totals({ ok: 5_000, dropped: 1_000 });
      const policy = { ...buildWorkload({}).policy, maxInFlight };
      const generatorHealth = { ...idleHealth, eventLoopDelayP99Ms: heldUpMs };
      const { status, codes } = judge({ ...dropping, policy }, { generatorHealth });
      expect([status, codes[0]]).toEqual(['invalid', code]);
    },
  );

  test.each([
    ['89 % of a core and is 2 ms late', 8.9, 2_000, []],
    ['91 % of a core and is 2 ms late', 9.1, 2_000, ['generator-busy']],
    // From 3,000 a second the clock looks at the time without a pause: a busy core alone says nothing.
    ['all of a core and is 0.9 ms late', 10, 900, []],
  ])('that uses %s is doubted only if it could not keep its schedule', (_, cpuSeconds, p99Us, codes) => {
    expect(judge(late(p99Us, 2_000), { generatorHealth: { ...idleHealth, cpuSeconds } }).codes).toEqual(
      codes,
    );
  });

  describe('whose load several threads made', () => {
    const worker = { isLost: false, eventLoopDelayP99Ms: 1, eventLoopUtilization: 0.5 };
    const workers = [worker, worker];

    test.each([
      ['uses 89 % of a core for each', 17.8, []],
      ['uses 91 % of a core for each', 18.2, ['generator-busy']],
    ])('and that %s', (_, cpuSeconds, codes) => {
      const generatorHealth = { ...idleHealth, cpuSeconds, workers };
      expect(judge(late(2_000, 2_000), { generatorHealth }).codes).toEqual(codes);
    });

    test('is invalid when one of them was lost', () => {
      const generatorHealth = { ...idleHealth, workers: [worker, { ...worker, isLost: true }] };
      const { status, reasons } = judge({}, { generatorHealth });
      expect(status).toBe('invalid');
      expect(reasons).toMatchObject([{ code: 'worker-lost', text: expect.stringMatching(/^1 of 2 worker/) }]);
    });

    const machine = {
      cores: 8,
      usableCores: 8,
      cpuLimitCores: null,
      busyRatio: 0.3,
      stolenRatio: 0,
      limitedRatio: 0,
      thermalThrottles: 0,
      frequencyLimitRatio: 1,
    };

    test.each([
      { name: 'one thread of eight cores', usableCores: 8, made: [], advice: '--workers 2' },
      { name: 'two of eight', usableCores: 8, made: workers, advice: '--workers 4' },
      { name: 'two of four', usableCores: 4, made: workers, advice: '--workers 3' },
      { name: 'two of three', usableCores: 3, made: workers, advice: 'an idle core' },
      { name: 'one of two', usableCores: 2, made: [], advice: 'an idle core' },
    ])('and is late with $name is advised: $advice', ({ usableCores, made, advice }) => {
      const generatorHealth = {
        ...idleHealth,
        machine: { ...machine, usableCores },
        ...(made.length === 0 ? {} : { workers: made }),
      };
      expect(judge(late(60_000, 2_000), { generatorHealth }).reasons[0]?.advice).toContain(advice);
    });
  });

  describe('with a block of the event loop', () => {
    /** Of 3,000 operations in 30 s, 100 a second, so many were late by 10 … 10 × n ms. */
    const blocked = (operations: number, serviceUs = 2_000) => {
      const lateness = new LatencyHistogram();
      for (let index = 0; index < 3_000; index++)
        lateness.record(index < operations ? (index + 1) * 10_000 : 200);
      return totals(
        { ok: 3_000 },
        { lateness: lateness.toRecord(), service: { ok: buildHistogram(3_000, serviceUs) } },
      );
    };
    const health = (eventLoopDelayMaxMs: number) => ({
      generatorHealth: { ...idleHealth, eventLoopDelayP99Ms: 1, eventLoopDelayMaxMs },
    });

    test('of 300 ms in 30 s: one operation in a hundred was late, which no percentile shows', () => {
      const measured = blocked(30);
      expect(measured.measured.lateness?.p99Us).toBe(200);
      const { status, reasons } = judge(measured, health(301));
      expect(status).toBe('suspect');
      // Thirty were late, of which the first by 10 ms, which is not more than may be.
      expect(reasons).toMatchObject([{ code: 'generator-stalled', text: expect.stringMatching(/^0.97 %/) }]);
      expect(reasons[0]?.text).toContain('stood still for up to 301 ms');
      expect(reasons[0]?.advice).toContain('a function of the scenario');
    });

    test('that decides the 99th percentile is not answered with other machines', () => {
      const { reasons } = judge(blocked(300), health(3_001));
      expect(reasons).toMatchObject([{ code: 'generator-late', status: 'invalid' }]);
      expect(reasons[0]?.text).toContain('stood still for up to 3,001 ms');
      expect(reasons[0]?.advice).toContain('a function of the scenario');
    });

    test('of 5 ms explains no operation that was later than that', () => {
      const [found] = judge(blocked(30), health(5)).reasons;
      expect(found).toMatchObject({ code: 'generator-stalled' });
      expect(found?.text).not.toContain('stood still');
      expect(found?.advice).not.toContain('a function of the scenario');
    });

    test('that garbage collection explains: the advice says so', () => {
      const garbageCollection = { collections: 9, seconds: 0.4, longestMs: 290 };
      const { generatorHealth } = health(301);
      const { reasons } = judge(blocked(30), { generatorHealth: { ...generatorHealth, garbageCollection } });
      expect(reasons[0]?.advice).toContain('garbage collection');
    });

    test.each([
      ['150 ms: half a percent is late', blocked(16), []],
      ['170 ms', blocked(17), ['generator-stalled']],
      ['300 ms, where service takes two seconds', blocked(30, 2_000_000), []],
      ['3 s', blocked(300), ['generator-late']],
    ])('of %s', (_, workload, codes) => {
      expect(judge(workload, health(100)).codes).toEqual(codes);
    });
  });

  test.each([
    ['a spent CPU limit', { limitedRatio: 0.5, busyRatio: 1 }, 'raise the CPU limit'],
    ['stolen time', { stolenRatio: 0.5, busyRatio: 1 }, 'another machine, with cores of its own'],
    ['a machine that is busy throughout', { busyRatio: 0.95 }, 'all cores of this one were busy'],
    [
      'a thread on a machine with idle cores',
      { busyRatio: 0.3 },
      'share the load among threads (--workers 2)',
    ],
    ['a machine of two cores', { busyRatio: 0.3, usableCores: 2 }, 'an idle core for dyno-load'],
    ['a machine that says nothing', {}, 'lower the rate'],
  ])('that is late hears what helps against %s', (_, machine, advice) => {
    const generatorHealth = { ...idleHealth, ...on(machine) };
    const { reasons } = judge(late(101_000, 2_000), { generatorHealth });
    expect(reasons.find(({ code }) => code === 'generator-late')?.advice).toContain(advice);
  });

  test('on a server that does not throttle hears that its limits say nothing about DynamoDB', () => {
    const { reasons } = judge(totals({ ok: 5_000, dropped: 1_000 }));
    expect(reasons[0]?.advice).toContain('lower the rate');
    expect(reasons[0]?.advice).toContain('says nothing about DynamoDB');
  });

  test('whose own lateness explains the drops is not told that the target is saturated', () => {
    const lateness = buildHistogram(5_000, 400_000);
    const response = { ok: buildHistogram(5_000, 402_000) };
    const { codes } = judge(totals({ ok: 5_000, dropped: 1_000 }, { lateness, response }));
    expect(codes).toEqual(['operations-dropped', 'generator-late']);
  });
});

describe('a closed loop', () => {
  const load = { kind: 'closed', text: '8 at once', concurrency: 8 } as const;

  test('has no planned rate to miss and no queue to grow', () => {
    const growing = maxResponses((second) => 5_000 + second * 10_000);
    expect(judge({ ...growing, ...totals({ ok: 3_000 }, { planned: 6_000 }), load }).codes).toEqual([]);
  });
});

describe('a closed loop whose event loop stood still', () => {
  const load = { kind: 'closed', text: '8 at once', concurrency: 8 } as const;

  test.each([
    // Of 60 s: half a percent is 300 ms.
    ['300 ms', 300, []],
    ['301 ms', 301, ['event-loop-blocked']],
  ])('for %s', (_, eventLoopDelayMaxMs, codes) => {
    const generatorHealth = { ...idleHealth, eventLoopDelayMaxMs };
    expect(judge({ load }, { generatorHealth }).codes).toEqual(codes);
  });
});

describe('operations without an answer', () => {
  const closed = { kind: 'closed', text: '8 at once', concurrency: 8 } as const;

  test.each<[string, Partial<WorkloadResult>, typeof endpointTarget, string, string[]]>([
    [
      '4 % in a closed loop',
      { load: closed, ...totals({ ok: 96, timedOut: 4 }) },
      endpointTarget,
      'valid',
      [],
    ],
    [
      '6 % in a closed loop',
      { load: closed, ...totals({ ok: 94, timedOut: 6 }) },
      endpointTarget,
      'suspect',
      FAILED,
    ],
    [
      '60 % in a closed loop',
      { load: closed, ...totals({ ok: 40, timedOut: 60 }) },
      endpointTarget,
      'invalid',
      FAILED,
    ],
    [
      '3 %, and 3 % failed',
      { load: closed, ...totals({ ok: 94, failed: 3, timedOut: 3 }) },
      endpointTarget,
      'suspect',
      FAILED,
    ],
    ['6 % in virtual time', totals({ ok: 94, timedOut: 6 }), simulatedTarget, 'suspect', FAILED],
    // Of an open loop on a wall clock they are a sign of saturation, and told once.
    [
      '60 % in an open loop',
      totals({ ok: 40, timedOut: 60 }),
      endpointTarget,
      'invalid',
      ['target-saturated'],
    ],
  ])('%s', (_, workload, target, status, codes) => {
    expect(judge(workload, {}, target)).toMatchObject({ status, codes });
  });

  test('are told with their timeout', () => {
    const texts = [{ timedOut: 6 }, { timedOut: 3, failed: 3 }, { failed: 6 }].map(
      (outcomes) => judge(totals({ ok: 94, ...outcomes }), {}, simulatedTarget).reasons[0]?.text,
    );
    expect(texts).toEqual([
      expect.stringContaining("6 % of placeOrder's operations had no answer within 10 s"),
      expect.stringContaining('operations failed or had no answer within 10 s'),
      expect.stringContaining('operations failed'),
    ]);
  });
});

describe('a few seconds of a workload', () => {
  const span = (given: Partial<WorkloadResult>, time: 'virtual' | 'wall-clock' = 'wall-clock') =>
    invalidSpan(buildWorkload({ measured: soundTotals, ...given }), time)?.code;

  test.each<[string, Partial<WorkloadResult>, string | undefined]>([
    ['are sound', {}, undefined],
    ['are 101 ms late', late(101_000, 2_000), 'generator-late'],
    ['are 11 ms late, which is suspect', late(11_000, 2_000), undefined],
    ['lose their answers', totals({ ok: 5_970, timedOut: 30 }), 'target-saturated'],
    ['drop operations', totals({ ok: 5_000, dropped: 1_000 }), 'target-saturated'],
    ['mostly fail', totals({ ok: 2_400, failed: 3_600 }), 'operations-failed'],
    ['mostly find nothing to do', totals({ ok: 2_400, skipped: 3_600 }), 'operations-skipped'],
    ['planned too little to tell', totals({ failed: 99 }), undefined],
    ['have nothing answered yet', totals({}, { planned: 500 }), undefined],
  ])('that %s', (_, workload, code) => {
    expect(span(workload)).toBe(code);
  });

  test('in virtual time are never late', () => {
    expect(span(late(101_000, 2_000), 'virtual')).toBeUndefined();
  });
});

describe('a variant in virtual time', () => {
  test('is not judged by the machine it was computed on', () => {
    const generatorHealth = { ...idleHealth, cpuSeconds: 10, eventLoopDelayP99Ms: 900 };
    expect(judge(late(200_000, 2_000), { generatorHealth }, simulatedTarget).codes).toEqual([]);
  });

  test('that drops operations should be given more slots', () => {
    const { status, reasons } = judge(totals({ ok: 5_000, dropped: 1_000 }), {}, simulatedTarget);
    expect(status).toBe('invalid');
    expect(reasons[0]).toMatchObject({
      code: 'operations-dropped',
      advice: 'raise maxInFlight or lower the rate',
    });
  });

  test.each([
    ['throttles only in its second half', (second: number) => (second < 40 ? 0 : 50), ['transient']],
    ['throttles evenly', () => 50, []],
    ['throttles only in the warm-up', (second: number) => (second < 10 ? 90 : 0), []],
    ['throttles half a percent more at the end', (second: number) => (second < 40 ? 100 : 101), []],
  ])('that %s is doubted only if it changed within the stage', (_, throttledAt, codes) => {
    const throttled = soundSeries.ok.map((_ok, second) => throttledAt(second));
    const started = soundSeries.ok.map(() => 200);
    const ok = throttled.map((count) => 200 - count);
    const series = { ...soundSeries, planned: started, started, ok, throttled };
    expect(judge({ series }, {}, simulatedTarget).codes).toEqual(codes);
  });

  test('whose planned rate rises is not called transient for throttling more', () => {
    const started = soundSeries.ok.map((_ok, second) => 100 + second * 10);
    const throttled = started.map((count) => Math.max(0, count - 400));
    const ok = started.map((count, second) => count - (throttled[second] ?? 0));
    const series = { ...soundSeries, planned: started, started, ok, throttled };
    expect(judge({ series }, {}, simulatedTarget).codes).toEqual([]);
  });
});

describe('a variant that did not run to its end', () => {
  test.each([
    ['interrupted', 20, 'suspect', ['interrupted']],
    ['interrupted', 0, 'invalid', ['nothing-measured']],
    ['notRun', 0, 'invalid', ['not-run']],
  ] as const)('is, %s after %i measured seconds, %s', (status, measuredSeconds, validity, codes) => {
    expect(judge({}, { status, measuredSeconds })).toMatchObject({ status: validity, codes });
  });

  test('is not blamed for operations still in flight', () => {
    const workload = totals({ ok: 5_000 }, { planned: 6_000, started: 6_000, finished: 5_000 });
    expect(judge(workload, { status: 'interrupted' }).codes).toEqual(['interrupted']);
  });
});

test('invalid reasons come before suspect ones', () => {
  const lateness = buildHistogram(6_000, 200, { p99Us: 11_000 });
  const { codes } = judge(totals({ ok: 2_400, skipped: 1, failed: 3_600 }, { lateness }));
  expect(codes).toEqual(['operations-failed', 'generator-late']);
});

function totals(
  outcomes: Partial<WorkloadResult['measured']['outcomes']>,
  given: Partial<Omit<WorkloadResult['measured'], 'outcomes'>> = {},
) {
  const { response, service, lateness } = soundTotals;
  return { measured: buildTotals({ response, service, lateness, ...given, outcomes }) };
}

function late(p99Us: number, serviceUs: number) {
  return totals(
    { ok: 6_000 },
    {
      service: { ok: buildHistogram(6_000, serviceUs) },
      response: { ok: buildHistogram(6_000, serviceUs + 200) },
      lateness: buildHistogram(6_000, 200, { p99Us }),
    },
  );
}

/** Ten seconds of which so many went into garbage collection. */
function collecting(seconds: number): Partial<GeneratorHealth> {
  return { garbageCollection: { collections: 100, seconds, longestMs: 20 } };
}

function waiting(p90Us: number, totalUs = 2_000): Partial<GeneratorHealth> {
  const none = new LatencyHistogram().summarize();
  const queue = { ...none, count: 100, p90Us };
  return {
    attemptTimes: { queue, connect: none, tls: none, firstByte: none, total: { ...none, p50Us: totalUs } },
  };
}

function on(machine: Partial<MachineHealth>): Partial<GeneratorHealth> {
  return {
    machine: {
      cores: 4,
      usableCores: 4,
      cpuLimitCores: null,
      busyRatio: null,
      stolenRatio: null,
      limitedRatio: null,
      thermalThrottles: null,
      frequencyLimitRatio: null,
      ...machine,
    },
  };
}
