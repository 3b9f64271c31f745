// Aim: keys fall on the hash range evenly, by salt, and stay where they are for one salt.
// Method: fixed seeds; statistics over thousands of keys with bounds of five standard deviations.
import { describe, expect, test } from 'vitest';
import { evenPosition, HASH_RANGE, keyPosition, placementSalt } from '../../../src/capacity/placement.ts';

describe('keyPosition', () => {
  const salt = placementSalt(42);

  test('gives one place for one key and one salt', () => {
    expect(keyPosition('S:USER#1', salt)).toBe(keyPosition('S:USER#1', placementSalt(42)));
  });

  test.each([
    { name: 'another seed', other: placementSalt(43) },
    { name: 'another placement of the same seed', other: placementSalt(42, 1) },
  ])('gives another place under $name', ({ other }) => {
    expect(keyPosition('S:USER#1', other)).not.toBe(keyPosition('S:USER#1', salt));
  });

  test('is a whole number within the hash range', () => {
    for (let index = 0; index < 1_000; index++) {
      const position = keyPosition(`S:USER#${index}`, salt);
      expect(Number.isSafeInteger(position) && position >= 0 && position < HASH_RANGE).toBe(true);
    }
  });

  test('spreads 100,000 numbered keys evenly over 20 parts', () => {
    const counts = Array.from({ length: 20 }, () => 0);
    for (let index = 0; index < 100_000; index++) {
      const part = Math.floor((keyPosition(`S:USER#${index}`, salt) / HASH_RANGE) * 20);
      counts[part] = (counts[part] ?? 0) + 1;
    }
    // 5,000 each; the standard deviation of one count is √(100,000 × 1/20 × 19/20) ≈ 69.
    for (const count of counts) expect(Math.abs(count - 5_000)).toBeLessThan(5 * 69);
  });

  test('never puts two of 100,000 keys on one place', () => {
    const places = new Set(Array.from({ length: 100_000 }, (_, index) => keyPosition(`S:${index}`, salt)));
    expect(places.size).toBe(100_000);
  });
});

describe('evenPosition', () => {
  const partitionOf = (keyIndex: number) => Math.floor((evenPosition(keyIndex, 4) / HASH_RANGE) * 4);

  test('gives keys to partitions in turn', () => {
    expect(Array.from({ length: 9 }, (_, index) => partitionOf(index))).toEqual([0, 1, 2, 3, 0, 1, 2, 3, 0]);
  });

  test('halves the remaining gaps within a partition', () => {
    const within = [0, 4, 8, 12].map((keyIndex) => (evenPosition(keyIndex, 4) / HASH_RANGE) * 4);
    expect(within).toEqual([0, 0.5, 0.25, 0.75]);
  });
});
