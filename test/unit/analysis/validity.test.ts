// Aim: each rule of validity fires at its bound and not before, and only where it applies. Method: a sound
// variant, changed in one place per row.
import { describe, expect, test } from 'vitest';
import type { WorkloadResult } from '../../../src/analysis/run-result.ts';
import { judgeValidity, type ValidityInput } from '../../../src/analysis/validity.ts';
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

  test.each([
    ['uses 89 % of a core', { cpuSeconds: 8.9 }, 'valid', []],
    ['uses 91 % of a core', { cpuSeconds: 9.1 }, 'suspect', ['generator-busy']],
    ['has an event loop held up by 51 ms', { eventLoopDelayP99Ms: 51 }, 'suspect', ['event-loop-delayed']],
  ] as const)('whose generator %s is %s', (_, health, status, codes) => {
    const generatorHealth = { ...idleHealth, ...health };
    expect(judge({}, { generatorHealth })).toMatchObject({ status, codes });
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
