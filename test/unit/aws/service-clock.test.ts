// Aim: the service's clock is found from dates that count whole seconds. Method: a world in which the true
// distance is known and answers take random time; fast-check chooses it.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ServiceClock } from '../../../src/aws/service-clock.ts';
import {
  ceilToMinute,
  idleUntil,
  loadStart,
  variantWallMs,
} from '../../../src/engine/service-counts/load-minutes.ts';
import { MS_PER_MINUTE } from '../../../src/units.ts';

const second = (ms: number): number => Math.floor(ms / 1_000) * 1_000;

test('holds the true distance within its error, whatever the way takes', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -100_000, max: 100_000 }),
      fc.array(
        fc.tuple(
          fc.integer({ min: 1, max: 3_000 }),
          fc.integer({ min: 0, max: 80 }),
          fc.integer({ min: 0, max: 80 }),
        ),
        {
          minLength: 1,
          maxLength: 20,
        },
      ),
      (offsetMs, answers) => {
        const clock = new ServiceClock();
        let nowMs = 1_700_000_000_000;
        for (const [pauseMs, thereMs, backMs] of answers) {
          nowMs += pauseMs;
          const dateMs = second(nowMs + thereMs + offsetMs);
          clock.observe({ sentMs: nowMs, receivedMs: nowMs + thereMs + backMs, dateMs });
          nowMs += thereMs + backMs;
        }
        expect(Math.abs(clock.offsetMs - offsetMs)).toBeLessThanOrEqual(clock.errorMs);
      },
    ),
  );
});

test('eight answers over a second tell it to a tenth of a second', () => {
  const clock = new ServiceClock();
  for (let index = 0; index < 8; index++) {
    const nowMs = 5_000 + index * 130;
    clock.observe({ sentMs: nowMs, receivedMs: nowMs + 4, dateMs: second(nowMs + 2 + 7_300) });
  }
  expect(clock.errorMs).toBeLessThan(70);
  expect(clock.offsetMs).toBeCloseTo(7_300, -2);
});

test('forgets what a clock that was set contradicts', () => {
  const clock = new ServiceClock();
  clock.observe({ sentMs: 1_000, receivedMs: 1_000, dateMs: 1_000 });
  clock.observe({ sentMs: 2_000, receivedMs: 2_000, dateMs: 62_000 });
  expect(clock.offsetMs).toBe(60_500);
});

test('is unknown, and no distance, before the first answer', () => {
  const clock = new ServiceClock();
  expect([clock.isKnown, clock.offsetMs]).toEqual([false, 0]);
});

const at = (minutes: number, seconds = 0): number => minutes * MS_PER_MINUTE + seconds * 1_000;

test.each([
  ['ready in the middle of a minute, warm-up of 10 s', at(0, 20), at(0, 21), 10, at(1), at(2, 50), at(3)],
  ['ready in the middle of a minute, no warm-up', at(0, 20), at(0, 21), 0, at(1), at(2), at(2)],
  ['ready on a minute', at(1), at(1, 1), 0, at(1), at(2), at(2)],
  ['a warm-up of more than a minute', at(0, 20), at(0, 21), 90, at(1), at(2, 30), at(4)],
  // The idle minute is long over: the next whole minute will do.
  ['held up after it was ready', at(0, 20), at(4, 10), 10, at(1), at(4, 50), at(5)],
])('load that is %s', (_, readyMs, nowMs, leadSeconds, idleFromMs, loadFromMs, measuredFromMs) => {
  const start = loadStart({ readyMs, nowMs, leadMs: leadSeconds * 1_000 });
  expect(start).toEqual({ idleFromMs, loadFromMs, measuredFromMs });
});

test('load starts after a whole idle minute, never in the past, and measures from a whole minute', () => {
  const moment = fc.integer({ min: 0, max: 10_000_000 });
  fc.assert(
    fc.property(moment, moment, fc.integer({ min: 0, max: 1_000_000 }), (readyMs, laterMs, leadMs) => {
      const nowMs = readyMs + laterMs;
      const start = loadStart({ readyMs, nowMs, leadMs });
      expect(start.measuredFromMs % MS_PER_MINUTE).toBe(0);
      expect(start.loadFromMs + leadMs).toBe(start.measuredFromMs);
      expect(start.loadFromMs).toBeGreaterThanOrEqual(start.idleFromMs + MS_PER_MINUTE);
      expect(start.idleFromMs).toBeGreaterThanOrEqual(readyMs);
      expect(start.loadFromMs).toBeGreaterThanOrEqual(nowMs);
      expect(start.measuredFromMs).toBeLessThan(
        Math.max(start.idleFromMs + MS_PER_MINUTE, nowMs) + leadMs + MS_PER_MINUTE,
      );
    }),
  );
});

test.each([
  ['on a minute', at(5), at(6)],
  ['in a minute', at(5, 1), at(7)],
])('the idle minute after load that ended %s', (_, endMs, untilMs) => {
  expect(idleUntil(endMs)).toBe(untilMs);
  expect(ceilToMinute(endMs)).toBe(untilMs - MS_PER_MINUTE);
});

test('says beforehand how long a variant takes, at the best and at the worst', () => {
  // Two minutes of load: one idle before and one after, one for data; at the worst two more before, one more
  // after, ten for data.
  expect(variantWallMs(at(2))).toEqual({ leastMs: at(5), mostMs: at(17) });
});
