// Aim: the price of a run holds what has a price, and names what has none. Method: plans by hand, arithmetic in
// comments; prices of us-east-1.
import { expect, test } from 'vitest';
import { type PlannedSpend, priceRun } from '../../../src/analysis/run-cost.ts';

const nothing: PlannedSpend = {
  load: { readUnits: 0, writeUnits: 0 },
  preload: { readUnits: 0, writeUnits: 0 },
  provisioned: { readUnits: 0, writeUnits: 0, hours: 1 },
  isLowerBound: false,
  warmedResources: 0,
  insights: null,
  cloudWatchMetrics: 0,
};

test.each<[string, Partial<PlannedSpend>, number]>([
  // 3,000,000 × 0.625 ÷ 1,000,000
  ['five minutes of 10,000 writes a second', { load: { readUnits: 0, writeUnits: 3_000_000 } }, 1.875],
  ['a preload', { preload: { readUnits: 0, writeUnits: 1_000_000 } }, 0.625],
  ['reads', { load: { readUnits: 8_000_000, writeUnits: 0 } }, 1],
  // 100 × 0.00065 × 2 + 200 × 0.00013 × 2
  [
    'two hours of provisioned capacity',
    { provisioned: { readUnits: 200, writeUnits: 100, hours: 2 } },
    0.182,
  ],
  // 6 million events × 0.03 and 8 rules × 0.5 ÷ 730
  [
    'Contributor Insights',
    { insights: { events: 6_000_000, rules: 8, onlyThrottled: false } },
    0.18 + 4 / 730,
  ],
  ['metrics', { cloudWatchMetrics: 2_000 }, 0.02],
])('%s', (_, planned, usd) => {
  const cost = priceRun({ ...nothing, ...planned });
  expect(cost.usd).toBeCloseTo(usd, 10);
  expect(cost.isLowerBound).toBe(false);
});

test('warm throughput has no price that is known, so the sum is a lower bound', () => {
  const cost = priceRun({ ...nothing, warmedResources: 2 });
  expect(cost).toMatchObject({ usd: 0, isLowerBound: true });
  expect(cost.parts).toContainEqual({ what: 'warm throughput of 2 tables and indexes', usd: null });
});
