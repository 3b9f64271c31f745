// Laws: ratios are shares, more partitions do not hurt beyond noise, splits do not hurt, and settling keeps
// every key and all of the hash range. Method: random demand over up to forty keys and a tail.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placementSalt } from '../../../src/capacity/placement.ts';
import { placedDemand } from '../../../src/experiment/placed-demand.ts';
import { place, placeAnew } from '../../../src/experiment/re-placement.ts';
import { hashShareOf, settle } from '../../../src/experiment/settle-partition.ts';
import { observationOf } from '../../support/observation.ts';
import { modelWith } from '../../support/throughput.ts';

const salts = Array.from({ length: 60 }, (_, index) => placementSalt(11, index));
const model = modelWith({ partitionStartSeconds: 0 });
const demandArb = fc.record({
  units: fc.array(fc.integer({ min: 0, max: 900 }), { minLength: 1, maxLength: 40 }),
  tail: fc.integer({ min: 0, max: 5_000 }),
  partitions: fc.integer({ min: 1, max: 20 }),
});

/** One partition refuses what it refused in the run, which demand made up here does not tell. */
const severalPartitionsArb = demandArb.filter(({ partitions }) => partitions > 1);

function observationFor({ units, tail, partitions }: { units: number[]; tail: number; partitions: number }) {
  const keys = Object.fromEntries(units.map((value, index) => [`S:KEY#${index}`, value]));
  return observationOf({ keys, tail, partitions, seconds: 3 });
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

test('every ratio is a share, and splits never raise it', () => {
  fc.assert(
    fc.property(demandArb, (demand) => {
      const observation = observationFor(demand);
      const { fromFirstSecond, settled } = placeAnew({ observation, operation: 'Write', model, salts });
      fromFirstSecond.forEach((ratio, index) => {
        expect(ratio).toBeGreaterThanOrEqual(0);
        expect(ratio).toBeLessThanOrEqual(1);
        expect(settled[index]).toBeLessThanOrEqual(ratio + 1e-12);
      });
    }),
    { numRuns: 60, seed: 1 },
  );
});

test('twice the partitions never make the median worse by more than noise', () => {
  fc.assert(
    fc.property(severalPartitionsArb, (demand) => {
      const observation = observationFor(demand);
      const medianOn = (partitionCount: number) =>
        median(placeAnew({ observation, operation: 'Write', model, salts, partitionCount }).fromFirstSecond);
      // Partitions of half the width, under the same salts, are a refinement: each placement is at least as
      // good.
      expect(medianOn(2 * demand.partitions)).toBeLessThanOrEqual(medianOn(demand.partitions) + 1e-12);
    }),
    { numRuns: 60, seed: 1 },
  );
});

test('more partitions, not a multiple, never make the median worse by more than noise', () => {
  fc.assert(
    fc.property(severalPartitionsArb, fc.integer({ min: 1, max: 20 }), (demand, more) => {
      const observation = observationFor(demand);
      const medianOn = (partitionCount: number) =>
        median(placeAnew({ observation, operation: 'Write', model, salts, partitionCount }).fromFirstSecond);
      // The median of 60 placements moves by a few hundredths between sets of salts.
      expect(medianOn(demand.partitions + more)).toBeLessThanOrEqual(medianOn(demand.partitions) + 0.05);
    }),
    { numRuns: 60, seed: 1 },
  );
});

test('settling keeps all of every key and all of the hash range, whether or not keys may be cut', () => {
  fc.assert(
    fc.property(demandArb, fc.boolean(), (given, areDivisible) => {
      const placed = placedDemand(observationFor(given).writeDemand, 1_000);
      const keys = placed.keys.map((key) => ({ ...key, isDivisible: areDivisible }));
      const demand = { ...placed, keys };
      const settled = place(keys, placementSalt(1), given.partitions).flatMap((span) =>
        settle(span, demand, 800),
      );
      for (const { text } of keys) {
        const parts = settled.flatMap((span) => span.keys.filter(({ key }) => key.text === text));
        expect(parts.reduce((sum, { fromShare, untilShare }) => sum + untilShare - fromShare, 0)).toBe(1);
        if (!areDivisible) expect(parts).toHaveLength(1);
      }
      expect(settled.reduce((sum, span) => sum + hashShareOf(span), 0)).toBeCloseTo(1, 9);
    }),
    { seed: 1 },
  );
});
