// Aim: odds that hashed keys fit their partitions. Method: cases small enough to count, and two figures of a
// published simulation.
import { describe, expect, test } from 'vitest';
import { placementOdds } from '../../../src/analysis/placement-odds.ts';

const odds = (keys: number, partitions: number, held: number): number =>
  placementOdds(keys, partitions, held)[partitions - 1] ?? Number.NaN;

describe('placementOdds', () => {
  test.each([
    ['two keys on two partitions, one each: half of the four placements', 2, 2, 1, 0.5],
    ['three keys on two partitions, one each: never', 3, 2, 1, 0],
    ['three keys on two partitions, two each: all but the two placements on one side', 3, 2, 2, 0.75],
    ['five keys on five partitions, one each: 5! ÷ 5^5', 5, 5, 1, 120 / 3_125],
    ['any bound above the number of keys: always', 4, 3, 9, 1],
    ['several keys on one partition that holds them', 4, 1, 4, 1],
    ['several keys on one partition that does not', 4, 1, 3, 0],
    ['no keys', 0, 3, 1, 1],
  ])('%s', (_, keys, partitions, held, expected) => {
    expect(odds(keys, partitions, held)).toBeCloseTo(expected, 12);
  });

  test.each([
    [4, 0.21],
    [20, 0.98],
  ])('10 shards of which 3 fit a partition pass on %i partitions in a share of %d', (partitions, share) => {
    expect(odds(10, partitions, 3)).toBeCloseTo(share, 2);
  });

  test('more partitions never make it worse', () => {
    const all = placementOdds(30, 40, 4);
    expect([...all]).toEqual([...all].toSorted((a, b) => a - b));
  });
});
