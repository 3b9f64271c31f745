// Aim: the progress line says where a run stands, with units, and leaves out what is not known yet.
// Method: two looks at made-up counts, a second apart.
import { describe, expect, test } from 'vitest';
import { preparingText, RunningText, spanText } from '../../../src/cli/progress-text.ts';
import type { RunProgress } from '../../../src/engine/run-progress.ts';
import { stagesOf } from '../../support/plan-builder.ts';

const stages = stagesOf({ seconds: 10, isMeasured: false }, { seconds: 30 });

function seen(atSeconds: number, wishes: Partial<RunProgress> = {}): RunProgress {
  return {
    atUs: atSeconds * 1_000_000,
    planned: 3_000 * atSeconds,
    finished: 3_000 * atSeconds,
    ok: 1_000 * atSeconds,
    throttled: 0,
    dropped: 0,
    inFlight: 14,
    topThrottle: undefined,
    responseP99Us: undefined,
    readUnits: 0,
    writeUnits: 0,
    ...wishes,
  };
}

describe('a running variant', () => {
  test('the first look has no rates yet', () => {
    expect(new RunningText(stages, false).line(seen(1))).toBe('stage 0, 39s left · 14 in flight');
  });

  test('rates are those since the last look at least a second ago', () => {
    const text = new RunningText(stages, false);
    text.line(seen(11));
    text.line(seen(11.4));
    expect(text.line(seen(12.5))).toBe('stage 1, 28s left · due 3,000/s, done 1,000/s · 14 in flight');
  });

  test.each([
    [60_000, '100 %'],
    [59_990, '99.98 %'],
    [1, '<0.01 %'],
  ])('%i throttles of 60,000 are %s', (throttled, share) => {
    const line = new RunningText(stages, false).line(seen(20, { throttled }));
    expect(line).toContain(`· ${share} throttled`);
  });

  test('throttles come with their share, reason and index', () => {
    const topThrottle = { reason: 'IndexWriteKeyRangeThroughputExceeded', resource: 't/GSI1' };
    const line = new RunningText(stages, false).line(seen(20, { throttled: 40_000, topThrottle }));
    expect(line).toContain('66.7 % throttled (IndexWriteKeyRangeThroughputExceeded on GSI1)');
  });

  test.each([
    ['the slowest p99', { responseP99Us: 9_940 }, 'p99 9.94 ms'],
    ['what was dropped', { dropped: 1_200 }, '1,200 dropped'],
    ['a p99 of seconds', { responseP99Us: 9_140_000 }, 'p99 9.14 s'],
  ])('%s is said', (_, wishes, expected) => {
    expect(new RunningText(stages, false).line(seen(20, wishes))).toContain(expected);
  });

  test('after the last stage only the drain is left', () => {
    expect(new RunningText(stages, false).line(seen(41))).toBe('drain · 14 in flight');
  });

  test('virtual time is named, since it passes faster than the clock on the wall', () => {
    expect(new RunningText(stages, true).line(seen(20))).toContain('20s left (virtual time)');
  });
});

describe('a span of time', () => {
  test.each([
    [0, '0s'],
    [59, '59s'],
    [60, '1m 0s'],
    [112, '1m 52s'],
    [3_725, '1h 2m 5s'],
  ])('of %d seconds is %s', (seconds, text) => {
    expect(spanText(seconds)).toBe(text);
  });

  test('stands in what is left of a variant', () => {
    const long = stagesOf({ seconds: 120 });
    expect(new RunningText(long, false).line(seen(8))).toContain('1m 52s left');
  });
});

describe('preparing', () => {
  test.each([
    ['counts things', { what: 'preload old', done: 1_000, of: 20_000 }, 'preload old 1,000 of 20,000'],
    ['counts seconds with their unit', { what: 'wait', done: 17, of: 110, unit: 's' }, 'wait, 17s of 1m 50s'],
    ['counts nothing it does not know', { what: 'look', done: 2, of: 0 }, 'look'],
  ] as const)('%s', (_, state, text) => {
    expect(preparingText(state)).toBe(text);
  });
});
