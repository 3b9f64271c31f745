// Aim: a window knows its seconds, and how far it was reached. Method: moments in and around it.
import { expect, test } from 'vitest';
import { MeasuredWindow } from '../../../src/capacity/measured-window.ts';

test('seconds count from the start of the window, and there are none outside', () => {
  const window = new MeasuredWindow();
  window.set(2_000_000, 4_000_000);
  expect([1_999_999, 2_000_000, 3_999_999, 4_000_000].map((atUs) => window.secondOf(atUs))).toEqual([
    -1, 0, 1, -1,
  ]);
});

test.each([
  ['an open one ends with the last request', [0, Number.POSITIVE_INFINITY], undefined, [0, 7_000_001]],
  ['an open one ends where load ended', [0, Number.POSITIVE_INFINITY], 9_000_000, [0, 9_000_000]],
  ['a closed one ends by itself', [1_000_000, 3_000_000], undefined, [1_000_000, 3_000_000]],
  ['a closed one ends where load ended before', [1_000_000, 3_000_000], 2_000_000, [1_000_000, 2_000_000]],
  ['one that was never reached is empty', [5_000_000, 9_000_000], 4_000_000, [5_000_000, 5_000_000]],
] as const)('%s', (_, [from, until], endUs, [fromUs, untilUs]) => {
  const window = new MeasuredWindow();
  window.set(from, until);
  window.secondOf(7_000_000);
  expect(window.reached(endUs)).toEqual({ fromUs, untilUs });
});
