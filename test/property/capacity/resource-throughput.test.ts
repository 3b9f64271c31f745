// Laws: every unit spent or refused is found on exactly one partition and one key; no partition exceeds its
// ceiling; and the same requests give the same answers. Method: random requests over few keys, so that all
// limits are met.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ResourceObservation } from '../../../src/capacity/resource-observation.ts';
import type { Billing } from '../../../src/dynamodb/table-spec.ts';
import { attempt, buildThroughput } from '../../support/throughput.ts';

const billingArb = fc.oneof(
  fc.constant<Billing>({ mode: 'on-demand' }),
  fc.record({
    mode: fc.constant('on-demand' as const),
    maximumReadUnits: fc.integer({ min: 1, max: 4_000 }),
    maximumWriteUnits: fc.integer({ min: 1, max: 4_000 }),
  }),
  fc.record({
    mode: fc.constant('provisioned' as const),
    readUnits: fc.integer({ min: 1, max: 5_000 }),
    writeUnits: fc.integer({ min: 1, max: 5_000 }),
  }),
);

const requestArb = fc.record({
  key: fc.integer({ min: 0, max: 12 }),
  operation: fc.constantFrom('Read' as const, 'Write' as const),
  units: fc.integer({ min: 1, max: 400 }),
  gapUs: fc.integer({ min: 0, max: 40_000 }),
});
const requestsArb = fc.array(requestArb, { maxLength: 400 });

function run(
  billing: Billing,
  requests: readonly { key: number; operation: 'Read' | 'Write'; units: number; gapUs: number }[],
) {
  const throughput = buildThroughput({ billing });
  const masks: number[] = [];
  let atUs = 0;
  for (const { key, operation, units, gapUs } of requests) {
    atUs += gapUs;
    masks.push(attempt(throughput, throughput.keyState(`S:${key}`), operation, units, atUs));
  }
  return { masks, observation: throughput.observe(), endUs: atUs };
}

function sumOf<V>(values: readonly V[], pick: (value: V) => number): number {
  return values.reduce((sum, value) => sum + pick(value), 0);
}

const sides = ['read', 'write'] as const;

test('partitions and keys each add up to the resource', () => {
  fc.assert(
    fc.property(billingArb, requestsArb, (billing, requests) => {
      const { observation } = run(billing, requests);
      for (const side of sides) {
        const { units, throttledUnits, requests: count } = observation[side];
        expect(sumOf(observation.partitions, (partition) => partition[side].units)).toBe(units);
        expect(sumOf(observation.partitions, (partition) => partition[side].throttledUnits)).toBe(
          throttledUnits,
        );
        expect(sumOf(observation.topKeys, (key) => key[side].units)).toBe(units);
        expect(sumOf(observation.topKeys, (key) => key[side].requests)).toBe(count);
        expect(sumOf(observation[side].unitsPerSecond, (value) => value)).toBe(units);
        expect(sumOf(demandOf(observation, side).totalUnitsPerSecond, (value) => value)).toBe(
          units + throttledUnits,
        );
      }
    }),
    { seed: 1 },
  );
});

function demandOf(observation: ResourceObservation, side: 'read' | 'write') {
  return side === 'read' ? observation.readDemand : observation.writeDemand;
}

test('no partition grants more than half a second at the start, its ceiling by time, and one request', () => {
  fc.assert(
    fc.property(requestsArb, (requests) => {
      const { observation, endUs } = run({ mode: 'on-demand' }, requests);
      for (const partition of observation.partitions)
        for (const side of sides) {
          const ceiling = partition[side].ceilingUnits;
          expect(partition[side].units).toBeLessThanOrEqual(ceiling * (0.5 + endUs / 1_000_000) + 400);
        }
    }),
    { seed: 1 },
  );
});

test('the same requests give the same answers', () => {
  fc.assert(
    fc.property(billingArb, requestsArb, (billing, requests) => {
      expect(run(billing, requests)).toEqual(run(billing, requests));
    }),
    { seed: 1 },
  );
});
