// Aim: the outlook counts placements that meet a goal, over all resources a request touches, the same for the
// same seed. Method: the known shares for 10 shards on 4 and on 20 partitions, and combinations done by hand.
import { describe, expect, test } from 'vitest';
import { capacityModels } from '../../../src/capacity/capacity-model.ts';
import { combinePlacements, placementOutlook } from '../../../src/experiment/placement-outlook.ts';
import { observationOf } from '../../support/observation.ts';

const shardsOf = (count: number, unitsPerSecond: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`S:STATUS#PENDING#${index}`, unitsPerSecond / count]),
  );

const outlookOf = (shards: number, partitions: number, seed = 7) =>
  placementOutlook({
    observations: [observationOf({ keys: shardsOf(shards, 3_000), partitions, seconds: 20 })],
    operation: 'Write',
    model: capacityModels.default,
    goalThrottledRatio: 0.001,
    seed,
  });

describe('3,000 writes a second', () => {
  test.each([
    // The shares are 21 % and 98 %; over 200 placements their standard deviation is 0.03 and 0.01.
    { shards: 10, partitions: 4, share: 0.21, within: 0.09 },
    { shards: 10, partitions: 20, share: 0.98, within: 0.03 },
    { shards: 1, partitions: 20, share: 0, within: 0 },
  ])('on $shards shards and $partitions partitions meet the goal in about $share of placements', (row) => {
    const { shareMeetingGoal, placements } = outlookOf(row.shards, row.partitions);
    expect(placements).toBe(200);
    expect(Math.abs(shareMeetingGoal - row.share)).toBeLessThanOrEqual(row.within);
  });

  test('on 10 shards and 4 partitions meet it always, once hot partitions were split', () => {
    expect(outlookOf(10, 4)).toMatchObject({
      shareMeetingGoalSettled: 1,
      throttledRatioSettled: { worst: 0 },
    });
  });

  test('on one shard never do, settled or not', () => {
    const { shareMeetingGoalSettled, throttledRatioSettled } = outlookOf(1, 20);
    expect(shareMeetingGoalSettled).toBe(0);
    expect(throttledRatioSettled.median).toBeCloseTo(2 / 3, 9);
  });
});

test('the same seed gives the same outlook and another seed another', () => {
  expect(outlookOf(10, 4)).toEqual(outlookOf(10, 4));
  expect(outlookOf(10, 4, 8)).not.toEqual(outlookOf(10, 4));
});

describe('combinePlacements', () => {
  const part = (ratio: number, touchesPerRequest: number) => ({
    ratios: { fromFirstSecond: [ratio], settled: [0] },
    touchesPerRequest,
  });

  test.each([
    { name: 'one resource counts alone', parts: [part(0.2, 1)], refused: 0.2 },
    {
      name: 'of two that every request touches the stricter',
      parts: [part(0.2, 1), part(0.5, 1)],
      refused: 0.5,
    },
    { name: 'an index that a tenth of requests touch', parts: [part(0, 1), part(0.5, 0.1)], refused: 0.05 },
    { name: 'an index where each request moves a key', parts: [part(0, 1), part(0.5, 2)], refused: 0.75 },
  ])('$name', ({ parts, refused }) => {
    const { fromFirstSecond, settled } = combinePlacements(parts, 1);
    expect(fromFirstSecond[0]).toBeCloseTo(refused, 12);
    expect(settled).toEqual([0]);
  });
});

test.each([
  { name: 'the largest share where the run refused no more', measured: 0.4, refused: 0.5 },
  { name: 'what the run refused in between', measured: 0.55, refused: 0.55 },
  { name: 'at most the product where the run refused more', measured: 0.9, refused: 1 - 0.8 * 0.5 },
])('two resources refuse $name', ({ measured, refused }) => {
  const part = (ratio: number) => ({
    ratios: { fromFirstSecond: [ratio], settled: [ratio] },
    touchesPerRequest: 1,
  });
  const { fromFirstSecond, settled } = combinePlacements([part(0.2), part(0.5)], 1, measured);
  expect(fromFirstSecond[0]).toBeCloseTo(refused, 12);
  expect(settled[0]).toBeCloseTo(refused, 12);
});

test('a hot index decides over a cool table, in proportion to the writes that touch it', () => {
  const table = observationOf({ keys: {}, tail: 3_000, partitions: 20, seconds: 20 });
  const index = observationOf({ keys: { 'S:PENDING': 2_000 }, partitions: 20, seconds: 20, writes: 30_000 });
  const model = { ...capacityModels.default, partitionStartSeconds: 0 };
  const input = { operation: 'Write', model, goalThrottledRatio: 0.001, seed: 7 } as const;
  const { throttledRatio } = placementOutlook({ ...input, observations: [table, index] });
  // The index refuses 1,000 of 2,000 and is touched by 30,000 of 60,000 writes.
  expect(throttledRatio.median).toBeCloseTo(0.25, 9);
});

test('a resource that nothing touched meets any goal', () => {
  const idle = observationOf({ keys: {}, partitions: 4, seconds: 0 });
  const input = {
    operation: 'Write',
    model: capacityModels.default,
    goalThrottledRatio: 0,
    seed: 7,
  } as const;
  expect(placementOutlook({ ...input, observations: [idle] }).shareMeetingGoal).toBe(1);
});
