// Aim: the advice on shards and partitions. Method: the worked examples of the formula, and cases whose odds
// are known.
import { describe, expect, test } from 'vitest';
import {
  type KeyDemand,
  oddsOfFitting,
  partitionsNeeded,
  shardsByCeiling,
  shardsOnPartitions,
  shardsOnWarmedPartitions,
} from '../../../src/analysis/shards-needed.ts';

const demand = (operationsPerSecond: number, unitsPerOperation = 1): KeyDemand => ({
  operationsPerSecond,
  unitsPerOperation,
  ceilingUnits: 1_000,
});

describe('shardsByCeiling', () => {
  test.each([
    [6_000, 2, 20],
    [3_000, 4, 21],
    [20_000, 1, 32],
    [1_500, 1, 3],
    [3_000, 1, 5],
    [600, 1, 1],
  ])('%i writes a second of %i units need %i shards', (operations, units, shards) => {
    expect(shardsByCeiling(demand(operations, units))).toBe(shards);
  });

  test('no number of shards carries an operation dearer than a partition', () => {
    expect(shardsByCeiling(demand(1, 1_500))).toBeNull();
  });
});

describe('with placement', () => {
  test('5 shards would do by the ceiling, 10 are needed on 20 partitions', () => {
    expect(shardsOnPartitions(demand(3_000), 20)).toBe(10);
    expect(oddsOfFitting(demand(3_000), 5, 20)).toBeCloseTo(0.58, 2);
    expect(oddsOfFitting(demand(3_000), 10, 20)).toBeCloseTo(0.98, 2);
  });

  test('on the 4 partitions of a new table no number of shards up to 200 is safe', () => {
    expect(shardsOnPartitions(demand(3_000), 4)).toBeNull();
  });

  test.each([
    [3_000, { shards: 17, partitions: 10 }],
    // 100 shards would do on 10 partitions; four times the 8 that the ceiling asks for are 32.
    [5_000, { shards: 28, partitions: 20 }],
    [12_000, { shards: 120, partitions: 40 }],
    [20_000, null],
  ])('%i writes a second want shards and warmed partitions together: %j', (operations, plan) => {
    expect(shardsOnWarmedPartitions(demand(operations))).toEqual(plan);
  });

  test('10 shards need 15 partitions, 5 shards more than the quota warms', () => {
    expect(partitionsNeeded(demand(3_000), 10)).toBe(15);
    expect(partitionsNeeded(demand(3_000), 5)).toBeNull();
  });
});
