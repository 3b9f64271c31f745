// Aim: the formula for shards gives the worked examples, and reacts to each of its inputs.
// Method: rows with the arithmetic beside them.
import { describe, expect, test } from 'vitest';
import { requiredShards, requiredWarmWriteUnits } from '../../../src/experiment/shard-advice.ts';

describe('requiredShards', () => {
  test.each([
    // 6,000 × 2 = 12,000 WCU/s, naively 12 or, at 0.7, 18. With 20: m = 300, 2 × (300 + √(600 ln 20)) = 685 ≤
    // 700.
    { name: '6,000 writes/s of 2 units', writesPerSecond: 6_000, unitsPerWrite: 2, shards: 20 },
    { name: '3,000 writes/s of 4 units', writesPerSecond: 3_000, unitsPerWrite: 4, shards: 21 },
    { name: '20,000 writes/s of 1 unit', writesPerSecond: 20_000, unitsPerWrite: 1, shards: 32 },
    { name: '1,500 writes/s of 1 unit', writesPerSecond: 1_500, unitsPerWrite: 1, shards: 3 },
    // One shard has no imbalance: 700 ≤ 700, and one more write is too many.
    { name: '700 writes/s of 1 unit', writesPerSecond: 700, unitsPerWrite: 1, shards: 1 },
    { name: '701 writes/s of 1 unit', writesPerSecond: 701, unitsPerWrite: 1, shards: 2 },
    { name: 'no writes', writesPerSecond: 0, unitsPerWrite: 1, shards: 1 },
  ])('$name need $shards', ({ writesPerSecond, unitsPerWrite, shards }) => {
    expect(requiredShards({ writesPerSecond, unitsPerWrite })).toBe(shards);
  });

  test('19 shards are too few for 6,000 writes a second of 2 units', () => {
    // m = 315.8: 2 × (315.8 + √(631.6 × 2.944)) = 717.9 > 700; the target that 19 just meets is 0.718.
    const demand = { writesPerSecond: 6_000, unitsPerWrite: 2 };
    expect(requiredShards({ ...demand, targetUtilization: 0.718 })).toBe(19);
    expect(requiredShards({ ...demand, targetUtilization: 0.717 })).toBe(20);
  });

  test('reads decide where they need more', () => {
    // 63,000 ÷ (3,000 × 0.7) = 30.
    expect(requiredShards({ writesPerSecond: 1_500, unitsPerWrite: 1, readUnitsPerSecond: 63_000 })).toBe(30);
  });

  test('a skew of two needs as many as twice the load', () => {
    const skewed = requiredShards({ writesPerSecond: 3_000, unitsPerWrite: 1, hottestShare: 2 });
    expect(skewed).toBe(requiredShards({ writesPerSecond: 6_000, unitsPerWrite: 1 }));
  });

  test('says so when no number of shards is enough', () => {
    expect(requiredShards({ writesPerSecond: 1_000_000_000, unitsPerWrite: 400 })).toBeUndefined();
  });
});

test('warm throughput must hold all writes at the target utilization', () => {
  // 6,000 × 2 ÷ 0.7 = 17,142.9.
  expect(requiredWarmWriteUnits({ writesPerSecond: 6_000, unitsPerWrite: 2 })).toBe(17_143);
});
