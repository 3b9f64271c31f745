// Aim: a collection may be cut by sort key only where that divides its traffic, and its parts find their
// requests. Method: sort keys as traffic of different kinds asks for them.
import { describe, expect, test } from 'vitest';
import { KeyState } from '../../../src/capacity/key-state.ts';
import { PartitionMap } from '../../../src/capacity/partition-map.ts';
import { SortKeys, SortSample } from '../../../src/capacity/sort-keys.ts';
import { capacityModels } from '../../../src/capacity/capacity-model.ts';

const padded = (number: number) => String(number).padStart(6, '0');
/** Scattered, and the same at every run: multiples of a prime. */
const scattered = (index: number) => padded((index * 7_919) % 10_007);

function cutAfter(count: number, sortOf: (index: number) => string): string | undefined {
  const sample = new SortSample();
  for (let index = 0; index < count; index++) sample.observe(sortOf(index));
  return sample.cut(0.5);
}

describe('the cut of a collection', () => {
  test.each([200, 5_000, 100_000])('lies in the middle of %i scattered sort keys', (count) => {
    const cut = Number(cutAfter(count, scattered));
    // The median of 256 or more samples of 0 … 10,006 is off by some 300; 200 are all kept.
    expect(Math.abs(cut - 5_003)).toBeLessThan(1_000);
  });

  test.each([
    { name: 'sort keys rise with time', sortOf: padded },
    { name: 'sort keys fall with time', sortOf: (index: number) => padded(99_999 - index) },
    {
      name: 'they rise, but for requests that overtake each other',
      sortOf: (index: number) => padded(index + ((index * 31) % 17)),
    },
    { name: 'all ask for one item', sortOf: () => 'PROFILE' },
  ])('is nowhere where $name', ({ sortOf }) => {
    expect(cutAfter(20_000, sortOf)).toBeUndefined();
  });

  test('is nowhere while hardly anything is known', () => {
    expect(cutAfter(31, scattered)).toBeUndefined();
    expect(cutAfter(32, scattered)).toBeDefined();
  });

  test('leaves one hot item on one side', () => {
    const mostlyFirst = (index: number) => (index % 10 === 0 ? scattered(index) : '');
    expect(cutAfter(10_000, mostlyFirst)).toMatch(/^\d+$/);
  });
});

test('the parts of a collection take the requests for their sort keys, and the heat of the whole is theirs', () => {
  const map = PartitionMap.even(1, { model: capacityModels.default, backlogSeconds: 0 });
  const whole = new KeyState('S:TENANT#acme', 7, map.partitionAt(7), 0);
  whole.heat = 100;
  whole.sorts = new SortKeys(whole);
  expect(whole.asked('k')).toBe(whole);
  const [low, high] = whole.sorts.divide(whole, 'm');
  const [lowest, lower] = whole.sorts.divide(low, 'f');
  expect(['', 'a', 'f', 'l', 'm', 'z'].map((sort) => whole.asked(sort))).toEqual([
    lowest,
    lowest,
    lower,
    lower,
    high,
    high,
  ]);
  high.heat += 10;
  whole.sorts.warmWhole();
  expect([lowest.heat, lower.heat, high.heat, whole.heat]).toEqual([25, 25, 60, 110]);
  // Reports are about keys: what parts record is the collection's.
  expect(lower.useOf('Write')).toBe(whole.useOf('Write'));
});
