// Aim: money. Method: amounts worked out by hand from the dated prices, and other prices put in their place.
import { describe, expect, test } from 'vitest';
import {
  costPerMillion,
  estimateCost,
  monthlyCost,
  usEast1Prices,
  variantCostPerMillion,
} from '../../../src/analysis/cost.ts';
import { buildTotals, buildWorkload } from '../../support/run-result-builder.ts';

describe('estimateCost', () => {
  test('five minutes at 10,000 writes a second cost 1.875 USD', () => {
    // 300 s × 10,000 = 3 million write units × 0.625 USD
    expect(estimateCost({ readUnits: 0, writeUnits: 3_000_000 }).usd).toBeCloseTo(1.875, 10);
  });

  test('a read unit costs a fifth of a write unit', () => {
    const reads = estimateCost({ readUnits: 1_000_000, writeUnits: 0 }).usd;
    const writes = estimateCost({ readUnits: 0, writeUnits: 1_000_000 }).usd;
    expect(writes / reads).toBeCloseTo(5, 10);
  });

  test('the amount says from which prices, region and day it comes', () => {
    expect(estimateCost({ readUnits: 1, writeUnits: 1 }).basis).toBe(
      '0.625 USD per million write units and 0.125 USD per million read units on demand, us-east-1, ' +
        'as of 2026-07-30 (https://aws.amazon.com/dynamodb/pricing/on-demand/)',
    );
  });

  test('other prices can take their place', () => {
    const prices = { ...usEast1Prices, region: 'eu-west-1', onDemandWriteUsdPerMillion: 0.7 };
    const cost = estimateCost({ readUnits: 0, writeUnits: 1_000_000 }, prices);
    expect(cost.usd).toBeCloseTo(0.7, 10);
    expect(cost.basis).toContain('eu-west-1');
  });
});

test('cost per million is null where no operation succeeded', () => {
  expect(costPerMillion({ readUnits: 0, writeUnits: 5 }, 0)).toBeNull();
});

describe('monthlyCost', () => {
  test('a write unit per second around the clock is 1.6425 USD on demand and 0.4745 USD provisioned at full use', () => {
    // 730 h × 3,600 s = 2.628 million units × 0.625; 730 h × 0.00065
    const month = monthlyCost({
      readUnitsPerSecond: 0,
      writeUnitsPerSecond: 1,
      dutyRatio: 1,
      provisionedUseRatio: 1,
    });
    expect(month.onDemand.usd).toBeCloseTo(1.6425, 10);
    expect(month.provisioned.usd).toBeCloseTo(0.4745, 10);
  });

  test.each([
    [0.25, 'onDemand'],
    [0.33, 'provisioned'],
  ] as const)('at a duty of %s the cheaper way is %s (break-even at 28.9 %%)', (dutyRatio, cheaper) => {
    const month = monthlyCost({
      readUnitsPerSecond: 1_000,
      writeUnitsPerSecond: 1_000,
      dutyRatio,
      provisionedUseRatio: 1,
    });
    const isOnDemand = month.onDemand.usd < month.provisioned.usd;
    expect(isOnDemand ? 'onDemand' : 'provisioned').toBe(cheaper);
  });
});

test('the cost of a variant weighs its workloads by what was planned of them', () => {
  const workload = (planned: number, cost: number | null) =>
    buildWorkload({
      measured: buildTotals({ outcomes: { ok: planned } }),
      metrics: { costPerMillion: cost },
    });
  // (3,000 × 1.25 + 1,000 × 0.25) ÷ 4,000
  expect(variantCostPerMillion({ workloads: [workload(3_000, 1.25), workload(1_000, 0.25)] })).toBe(1);
  expect(variantCostPerMillion({ workloads: [workload(3_000, 1.25), workload(1_000, null)] })).toBeNull();
  expect(variantCostPerMillion({ workloads: [workload(3_000, 1.25), workload(0, null)] })).toBe(1.25);
});
