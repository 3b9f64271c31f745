// Aim: amounts are exact up to the bound of keys, and beyond it wrong by no more than is said.
// Method: a few keys by hand, and a stream of rare keys around two frequent ones.
import { expect, test } from 'vitest';
import { HeavyHitters } from '../../../src/stats/heavy-hitters.ts';

function hittersOf(maximumKeys: number, ...keys: string[]): HeavyHitters {
  const hitters = new HeavyHitters(maximumKeys);
  for (const key of keys) hitters.add(key);
  return hitters;
}

test('few keys are counted exactly and sorted by amount, then by name', () => {
  const hitters = hittersOf(10, 'b', 'a', 'c', 'c');
  expect(hitters.isExact).toBe(true);
  expect(hitters.errorBound).toBe(0);
  expect(hitters.top(2)).toEqual([
    { key: 'c', amount: 2, overcountAtMost: 0 },
    { key: 'a', amount: 1, overcountAtMost: 0 },
  ]);
  expect(hitters.share('c')).toBe(0.5);
  expect(hitters.share('unknown')).toBe(0);
});

test('amounts may be units', () => {
  const hitters = new HeavyHitters();
  hitters.add('a', 0.5);
  hitters.add('a', 4);
  expect(hitters.total).toBe(4.5);
  expect(hitters.amountOf('a').amount).toBe(4.5);
});

test('nothing seen has no shares', () => {
  expect(new HeavyHitters().share('a')).toBe(0);
  expect(new HeavyHitters().top(3)).toEqual([]);
});

test('a key over the bound takes the place of the smallest, with its amount as doubt', () => {
  const hitters = hittersOf(2, 'a', 'a', 'a', 'b', 'c');
  expect(hitters.isExact).toBe(false);
  expect(hitters.top(2)).toEqual([
    { key: 'a', amount: 3, overcountAtMost: 0 },
    { key: 'c', amount: 2, overcountAtMost: 1 },
  ]);
  expect(hitters.errorBound).toBe(1);
  expect(hitters.amountOf('b')).toEqual({ key: 'b', amount: 1, overcountAtMost: 1 });
});

test('frequent keys are found among a hundred thousand rare ones', () => {
  const hitters = new HeavyHitters(1_000);
  for (let index = 0; index < 100_000; index++) {
    hitters.add(`rare${index}`);
    if (index % 20 === 0) hitters.add('hot', 2);
    if (index % 25 === 0) hitters.add('warm');
  }
  expect(hitters.keyCount).toBe(1_000);
  expect(hitters.top(2).map((entry) => entry.key)).toEqual(['hot', 'warm']);
  // 114,000 in all ÷ 1,000 keys
  expect(hitters.errorBound).toBeLessThanOrEqual(114);
  expect(hitters.amountOf('hot').amount).toBeGreaterThanOrEqual(10_000);
  expect(hitters.amountOf('hot').amount).toBeLessThanOrEqual(10_114);
});

test('merged exact counts add up whatever the order', () => {
  const parts = [['a', 'b'], ['b', 'c', 'c'], ['d']].map((keys) => hittersOf(10, ...keys));
  const merged = (order: readonly number[]) => {
    const all = new HeavyHitters(10);
    for (const part of order) all.merge(parts[part] as HeavyHitters);
    return all.top(10);
  };
  expect(merged([0, 1, 2])).toEqual(merged([2, 1, 0]));
  expect(merged([0, 1, 2])[0]).toEqual({ key: 'b', amount: 2, overcountAtMost: 0 });
});

test('merging beyond the bound keeps the largest and says what it forgot', () => {
  const hitters = hittersOf(2, 'a', 'a', 'b');
  hitters.merge(hittersOf(2, 'c', 'c', 'c', 'b'));
  expect(hitters.total).toBe(7);
  expect(hitters.top(3).map((entry) => entry.key)).toEqual(['c', 'a']);
  expect(hitters.errorBound).toBe(2);
  hitters.add('d');
  expect(hitters.amountOf('d')).toEqual({ key: 'd', amount: 3, overcountAtMost: 2 });
});
