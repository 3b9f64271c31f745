// Aim: decreases of provisioned capacity are rationed as documented: four when a UTC day begins, one more
// with each hour, four held at most, and so 27 on a day at most. Method: a history on invented days.
import { expect, test } from 'vitest';
import { CapacityHistory } from '../../../../src/serve/tables/capacity-history.ts';

const HOUR_MS = 3_600_000;
const midnightMs = Date.UTC(2026, 0, 2);

test('four decreases are at hand when a day begins, and one more with each hour', () => {
  const history = new CapacityHistory();
  for (let count = 0; count < 4; count++) {
    expect(history.mayDecrease(midnightMs + count)).toBe(true);
    history.decrease(midnightMs + count);
  }
  expect(history.mayDecrease(midnightMs + HOUR_MS - 1)).toBe(false);
  expect(history.mayDecrease(midnightMs + HOUR_MS)).toBe(true);
  history.decrease(midnightMs + HOUR_MS);
  expect(history.mayDecrease(midnightMs + HOUR_MS + 1)).toBe(false);
  expect(history.decreasesOn(midnightMs + 2 * HOUR_MS)).toBe(5);
});

test('hours without a decrease save up no more than four', () => {
  const history = new CapacityHistory();
  const noonMs = midnightMs + 12 * HOUR_MS;
  for (let count = 0; count < 4; count++) history.decrease(noonMs);
  expect(history.mayDecrease(noonMs)).toBe(false);
});

test('whoever lowers whenever possible lowers 27 times a day, and starts anew the next', () => {
  const history = new CapacityHistory();
  let count = 0;
  for (let minute = 0; minute < 24 * 60; minute++) {
    const nowMs = midnightMs + minute * 60_000;
    while (history.mayDecrease(nowMs)) {
      history.decrease(nowMs);
      count++;
    }
  }
  expect(count).toBe(27);
  expect(history.decreasesOn(midnightMs + 24 * HOUR_MS)).toBe(0);
  expect(history.mayDecrease(midnightMs + 24 * HOUR_MS)).toBe(true);
});
