// Aim: decreases of provisioned capacity are rationed as the service rations them: four on a UTC day at will,
// and then one once an hour has passed since the last, so 27 on a day at most. Method: a history on invented days.
import { expect, test } from 'vitest';
import { CapacityHistory } from '../../../../src/serve/tables/capacity-history.ts';

const HOUR_MS = 3_600_000;
const midnightMs = Date.UTC(2026, 0, 2);

function lowered(times: number, atMs: number): CapacityHistory {
  const history = new CapacityHistory();
  for (let count = 0; count < times; count++) history.decrease(atMs);
  return history;
}

test('four decreases are at hand on a day, whenever one likes', () => {
  for (const times of [0, 1, 2, 3]) {
    const atMs = midnightMs + 5 * HOUR_MS + times;
    expect(lowered(times, atMs).nextDecreaseMs(atMs)).toBe(atMs);
  }
});

test('the fifth may be made an hour after the fourth, and each further one an hour after the last', () => {
  const history = lowered(4, midnightMs);
  expect(history.nextDecreaseMs(midnightMs + 1)).toBe(midnightMs + HOUR_MS);
  history.decrease(midnightMs + HOUR_MS);
  expect(history.nextDecreaseMs(midnightMs + HOUR_MS)).toBe(midnightMs + 2 * HOUR_MS);
  expect(history.decreasesOn(midnightMs + HOUR_MS)).toBe(5);
});

test('hours without a decrease save nothing up', () => {
  const history = lowered(4, midnightMs);
  const noonMs = midnightMs + 12 * HOUR_MS;
  history.decrease(noonMs);
  expect(history.nextDecreaseMs(noonMs)).toBe(noonMs + HOUR_MS);
});

test('a new day begins with four, however short the time since the last', () => {
  const nextDayMs = midnightMs + 24 * HOUR_MS;
  const history = lowered(4, nextDayMs - 60_000);
  expect(history.nextDecreaseMs(nextDayMs - 1)).toBe(nextDayMs);
  expect(history.nextDecreaseMs(nextDayMs)).toBe(nextDayMs);
  expect(history.decreasesOn(nextDayMs)).toBe(0);
});

test('whoever lowers whenever possible lowers 27 times a day', () => {
  const history = new CapacityHistory();
  let count = 0;
  for (let nowMs = midnightMs; nowMs < midnightMs + 24 * HOUR_MS; nowMs += 60_000)
    while (history.nextDecreaseMs(nowMs) === nowMs) {
      history.decrease(nowMs);
      count++;
    }
  expect(count).toBe(27);
});
