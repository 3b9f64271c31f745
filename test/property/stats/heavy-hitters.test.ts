// Laws of the sketch, against exact counts of the same stream: nothing is undercounted, nothing overcounted
// by more than is said, the bound is at most total ÷ keys, and no key above it is missed; before and after
// merging parts.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HeavyHitters } from '../../../src/stats/heavy-hitters.ts';

const seed = 20_260_103;
const stream = fc.array(
  // Squaring makes small keys frequent.
  fc.record({
    key: fc.integer({ min: 0, max: 20 }).map((root) => `k${root * root}`),
    amount: fc.integer({ min: 1, max: 9 }),
  }),
  { maxLength: 200 },
);
type Stream = readonly { key: string; amount: number }[];

function hittersOf(additions: Stream, maximumKeys: number): HeavyHitters {
  const hitters = new HeavyHitters(maximumKeys);
  for (const { key, amount } of additions) hitters.add(key, amount);
  return hitters;
}

function amountsOf(additions: Stream): Map<string, number> {
  const amounts = new Map<string, number>();
  for (const { key, amount } of additions) amounts.set(key, (amounts.get(key) ?? 0) + amount);
  return amounts;
}

function expectBounds(hitters: HeavyHitters, amounts: ReadonlyMap<string, number>): void {
  const held = new Set(hitters.top(1_000).map((entry) => entry.key));
  for (const [key, exact] of amounts) {
    const { amount, overcountAtMost } = hitters.amountOf(key);
    expect(amount).toBeGreaterThanOrEqual(exact);
    expect(amount - overcountAtMost).toBeLessThanOrEqual(exact);
    expect(overcountAtMost).toBeLessThanOrEqual(hitters.errorBound);
    if (exact > hitters.errorBound) expect(held).toContain(key);
  }
  expect(held.size).toBeLessThanOrEqual(hitters.maximumKeys);
}

test('one stream', () => {
  fc.assert(
    fc.property(stream, fc.integer({ min: 1, max: 25 }), (additions, maximumKeys) => {
      const hitters = hittersOf(additions, maximumKeys);
      const amounts = amountsOf(additions);
      expectBounds(hitters, amounts);
      expect(hitters.isExact).toBe(amounts.size <= maximumKeys);
      expect(hitters.errorBound * maximumKeys).toBeLessThanOrEqual(hitters.total);
    }),
    { seed, numRuns: 500 },
  );
});

test('parts merged, then added to', () => {
  fc.assert(
    fc.property(stream, stream, stream, fc.integer({ min: 1, max: 25 }), (a, b, later, maximumKeys) => {
      const hitters = hittersOf(a, maximumKeys);
      hitters.merge(hittersOf(b, maximumKeys));
      expectBounds(hitters, amountsOf([...a, ...b]));
      for (const { key, amount } of later) hitters.add(key, amount);
      expectBounds(hitters, amountsOf([...a, ...b, ...later]));
      expect(hitters.total).toBe([...a, ...b, ...later].reduce((sum, { amount }) => sum + amount, 0));
    }),
    { seed, numRuns: 500 },
  );
});

test('exact parts merge to the same in any order', () => {
  fc.assert(
    fc.property(stream, stream, (a, b) => {
      const [left, right] = [hittersOf(a, 100), hittersOf(b, 100)];
      left.merge(hittersOf(b, 100));
      right.merge(hittersOf(a, 100));
      expect(left.top(100)).toEqual(right.top(100));
    }),
    { seed },
  );
});

test('a sketch that went to another thread goes on as if it had not', () => {
  fc.assert(
    fc.property(stream, stream, fc.integer({ min: 1, max: 25 }), (before, after, maximumKeys) => {
      const stayed = hittersOf(before, maximumKeys);
      const sent = HeavyHitters.fromRecord(structuredClone(stayed.toRecord()));
      expect(sent.errorBound).toBe(stayed.errorBound);
      for (const { key, amount } of after) {
        stayed.add(key, amount);
        sent.add(key, amount);
      }
      expect(sent.total).toBe(stayed.total);
      expectBounds(sent, amountsOf([...before, ...after]));
      if (stayed.isExact) expect(sent.toRecord()).toEqual(stayed.toRecord());
    }),
    { seed },
  );
});
