// Aim: the refused share of a placement follows from which keys share a partition, and from the limits that
// no placement moves. Method: observed demand written by hand, constant by second, so that each share is a
// fraction.
import { describe, expect, test } from 'vitest';
import { capacityModels } from '../../../src/capacity/capacity-model.ts';
import { placementSalt } from '../../../src/capacity/placement.ts';
import { placeAnew } from '../../../src/experiment/re-placement.ts';
import { observationOf } from '../../support/observation.ts';
import { modelWith } from '../../support/throughput.ts';

const salts = Array.from({ length: 50 }, (_, index) => placementSalt(3, index));
const noStart = modelWith({ partitionStartSeconds: 0 });

test('a single key loses the same wherever it falls, and no split helps it', () => {
  const observation = observationOf({ keys: { 'S:PENDING': 3_000 }, partitions: 20, seconds: 10 });
  const { fromFirstSecond, settled } = placeAnew({ observation, operation: 'Write', model: noStart, salts });
  for (const ratio of [...fromFirstSecond, ...settled]) expect(ratio).toBeCloseTo(2 / 3, 9);
});

test('what a partition holds at the start is granted once', () => {
  const observation = observationOf({ keys: { 'S:PENDING': 1_500 }, partitions: 4, seconds: 10 });
  const { fromFirstSecond, settled } = placeAnew({
    observation,
    operation: 'Write',
    model: modelWith({}),
    salts,
  });
  // 15,000 asked; 10,000 flow in and 500 were there, which a settled partition no longer has.
  expect(fromFirstSecond[0]).toBeCloseTo(4_500 / 15_000, 9);
  expect(settled[0]).toBeCloseTo(5_000 / 15_000, 9);
});

test('two keys of 600 lose a sixth on one partition, nothing on two, and nothing once settled', () => {
  const observation = observationOf({ keys: { 'S:A': 600, 'S:B': 600 }, partitions: 2, seconds: 10 });
  const { fromFirstSecond, settled } = placeAnew({ observation, operation: 'Write', model: noStart, salts });
  expect(new Set(fromFirstSecond.map((ratio) => Number(ratio.toFixed(6))))).toEqual(new Set([0, 0.166667]));
  expect(settled.every((ratio) => ratio === 0)).toBe(true);
});

test('without splits the settled placement is the first one', () => {
  const observation = observationOf({ keys: { 'S:A': 600, 'S:B': 600 }, partitions: 2, seconds: 10 });
  const model = modelWith({ partitionStartSeconds: 0, splitsForHeat: false });
  const { fromFirstSecond, settled } = placeAnew({ observation, operation: 'Write', model, salts });
  expect(settled).toEqual(fromFirstSecond);
});

test('the cold tail spreads evenly: 4,000 on 4 partitions lose nothing, 5,000 a fifth', () => {
  const lossOf = (tail: number) => {
    const observation = observationOf({ keys: {}, tail, partitions: 4, seconds: 10 });
    return placeAnew({ observation, operation: 'Write', model: noStart, salts }).fromFirstSecond[0];
  };
  expect(lossOf(4_000)).toBe(0);
  expect(lossOf(5_000)).toBeCloseTo(0.2, 9);
});

test('keys too small to matter are spread with the tail', () => {
  const small = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`S:${index}`, 10]));
  const observation = observationOf({ keys: small, partitions: 2, seconds: 10 });
  const { fromFirstSecond } = placeAnew({ observation, operation: 'Write', model: noStart, salts });
  expect(fromFirstSecond.every((ratio) => ratio === 0)).toBe(true);
});

describe('limits that no placement moves', () => {
  test.each([
    { name: 'provisioned units', billing: { mode: 'provisioned', readUnits: 1, writeUnits: 500 } as const },
    { name: 'a maximum on demand', billing: { mode: 'on-demand', maximumWriteUnits: 500 } as const },
  ])('$name of 500 bound 1,000 spread writes', ({ billing }) => {
    const observation = observationOf({
      keys: {},
      tail: 1_000,
      partitions: 4,
      seconds: 10,
      billing,
      refusedWrites: 4_500,
    });
    const { fromFirstSecond, settled } = placeAnew({
      observation,
      operation: 'Write',
      model: noStart,
      salts,
    });
    // 10,000 asked, 5,000 flow in; at the start one second of it was there as well, so that the run refused 4,500.
    expect(fromFirstSecond[0]).toBeCloseTo(0.45, 9);
    expect(settled[0]).toBeCloseTo(0.5, 9);
  });
});

test('reads are placed by their own demand and ceiling', () => {
  const observation = observationOf({ keys: {}, readKeys: { 'S:A': 4_000 }, partitions: 4, seconds: 10 });
  const input = { observation, model: noStart, salts };
  expect(placeAnew({ ...input, operation: 'Read' }).fromFirstSecond[0]).toBeCloseTo(0.25, 9);
  expect(placeAnew({ ...input, operation: 'Write' }).fromFirstSecond[0]).toBe(0);
});

test('more partitions can be tried than there were', () => {
  const keys = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`S:PENDING#${index}`, 300]));
  const observation = observationOf({ keys, partitions: 4, seconds: 10 });
  const input = { observation, operation: 'Write', model: capacityModels.default, salts } as const;
  const passing = (partitionCount: number) =>
    placeAnew({ ...input, partitionCount }).fromFirstSecond.filter((ratio) => ratio === 0).length;
  expect(passing(20)).toBeGreaterThan(2 * passing(4));
});

describe('60 writes on 20 provisioned units of one partition', () => {
  test.each([
    // What was saved up before the window began is in the run, and nowhere else.
    {
      name: 'refused what the run refused where 60 units were saved up',
      refusedWrites: 1_140,
      ratio: 0.6333,
    },
    { name: 'refused nothing where the bank held all of it', refusedWrites: 0, ratio: 0 },
  ])('are at once $name, and two thirds once settled', ({ refusedWrites, ratio }) => {
    const billing = { mode: 'provisioned', readUnits: 5, writeUnits: 20 } as const;
    const demand = { keys: {}, tail: 60, partitions: 1, seconds: 30, billing, refusedWrites };
    const input = { operation: 'Write', model: modelWith({}), salts } as const;
    const { fromFirstSecond, settled } = placeAnew({ ...input, observation: observationOf(demand) });
    expect(new Set(fromFirstSecond).size).toBe(1);
    expect(fromFirstSecond[0]).toBeCloseTo(ratio, 4);
    for (const one of settled) expect(one).toBeCloseTo(2 / 3, 9);
  });
});
