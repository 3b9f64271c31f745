// Aim: each kind of load is said in words that a reader of a report understands. Method: one row per kind.
import { expect, test } from 'vitest';
import { loadText } from '../../../src/engine/load-text.ts';
import type { PlannedLoad } from '../../../src/scenario/run-plan.ts';
import type { RateShape } from '../../../src/workload/arrival.ts';

const open = (shape: RateShape, spacing: 'even' | 'poisson' = 'even'): PlannedLoad => ({
  kind: 'open',
  shape,
  spacing,
});

test.each<{ load: PlannedLoad; text: string }>([
  { load: { kind: 'closed', concurrency: 8, pauseUs: 0 }, text: '8 at once' },
  { load: { kind: 'closed', concurrency: 8, pauseUs: 10_000 }, text: '8 at once, 10ms apart' },
  { load: open({ kind: 'constant', perSecond: 3_000 }), text: '3,000/s' },
  { load: open({ kind: 'constant', perSecond: 0.5 }, 'poisson'), text: '0.5/s (Poisson)' },
  { load: open({ kind: 'ramp', fromPerSecond: 0, toPerSecond: 50 }), text: '0/s to 50/s' },
  {
    load: open({ kind: 'steps', steps: [{ perSecond: 5, durationUs: 2_000_000 }] }),
    text: '5/s for 2s',
  },
  {
    load: open({ kind: 'bursts', perSecond: 900, basePerSecond: 10, onUs: 5_000_000, offUs: 15_000_000 }),
    text: 'bursts of 900/s for 5s, 10/s for 15s between',
  },
  {
    load: open({ kind: 'sine', meanPerSecond: 500, amplitudePerSecond: 200, periodUs: 60_000_000 }),
    text: '500/s ± 200/s in waves of 1m',
  },
  { load: open({ kind: 'trace', perSecond: [1, 9, 4] }), text: 'a trace of 3 s, at most 9/s' },
  { load: open({ kind: 'moments', atUs: [1, 2], perMoment: 1 }), text: 'a trace of 2 timestamps' },
  {
    load: open({ kind: 'moments', atUs: [1, 2], perMoment: 0.5 }),
    text: 'a trace of 2 timestamps, 0.5 operations each',
  },
])('$text', ({ load, text }) => {
  expect(loadText(load)).toBe(text);
});
