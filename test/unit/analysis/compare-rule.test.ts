// Aim: rules of --fail-on are read as written or refused with the way out. Method: one rule per row.
import { expect, test } from 'vitest';
import { parseFailRule } from '../../../src/analysis/compare-rule.ts';
import { DynoLoadError } from '../../../src/errors.ts';

test.each([
  ['placeOrder.response.p99 > +10%', { side: 'above', scale: 'relative', limit: 0.1 }],
  ['placeOrder.response.p99 > 10 %', { side: 'above', scale: 'relative', limit: 0.1 }],
  ['placeOrder.response.p99>+5ms', { side: 'above', scale: 'absolute', limit: 5_000 }],
  ['placeOrder.response.p99 > +0.2 s', { side: 'above', scale: 'absolute', limit: 200_000 }],
  ['placeOrder.achievedPerSecond < -5%', { side: 'below', scale: 'relative', limit: -0.05 }],
  ['placeOrder.achievedPerSecond < -50 /s', { side: 'below', scale: 'absolute', limit: -50 }],
  ['placeOrder.writeUnitsPerOperation > 0', { side: 'above', scale: 'absolute', limit: 0 }],
  ['placeOrder.throttledRatio > +0.5 points', { side: 'above', scale: 'absolute', limit: 0.005 }],
  ['placeOrder.costPerMillion > +0.1 USD', { side: 'above', scale: 'absolute', limit: 0.1 }],
])('%s', (text, expected) => {
  expect(parseFailRule(text)).toMatchObject({ kind: 'metric', text, workload: 'placeOrder', ...expected });
});

test.each(['worse', 'any', 'none', ' any '])('the word "%s"', (text) => {
  expect(parseFailRule(text)).toEqual({ kind: text.trim(), text: text.trim() });
});

test.each([
  ['', 'neither a rule about a metric nor one of the words'],
  ['slower', 'neither a rule about a metric nor one of the words'],
  [
    'placeOrder.p99 > 5 ms',
    '"placeOrder.p99" does not name a workload and a metric; metrics are plannedPerSecond',
  ],
  ['response > 5 ms', '"response" does not name a workload and a metric'],
  ['placeOrder.response.p99 > +5', 'is a percentage of the value before, or has the unit us, ms, s'],
  ['placeOrder.response.p99 > +5 units', 'or has the unit us, ms, s'],
  ['placeOrder.throttledRatio > +1 ms', 'or has the unit points'],
  ['placeOrder.response.p99 = 5 ms', 'neither a rule'],
  ['placeOrder.response.p99 > much', 'neither a rule'],
])('refuses "%s"', (text, why) => {
  let refused: unknown;
  try {
    parseFailRule(text);
  } catch (error) {
    refused = error;
  }
  expect(refused).toBeInstanceOf(DynoLoadError);
  expect(refused).toMatchObject({ code: 'USAGE', why: expect.stringContaining(why) });
});
