// Aim: the generator's own times over several repeats claim nothing that is better than what was seen.
// Method: two summaries by hand.
import { expect, test } from 'vitest';
import { mergeHealth } from '../../../src/analysis/merge-health.ts';
import { LatencyHistogram } from '../../../src/stats/histogram.ts';
import { idleHealth } from '../../support/run-result-builder.ts';

function summaryOf(...us: number[]) {
  const histogram = new LatencyHistogram();
  for (const each of us) histogram.record(each);
  return histogram.summarize();
}

function healthWith(...queueUs: number[]) {
  const none = summaryOf();
  const attemptTimes = {
    queue: summaryOf(...queueUs),
    connect: none,
    tls: none,
    firstByte: none,
    total: none,
  };
  return { ...idleHealth, attemptTimes };
}

test('counts are summed, means weighted, and of quantiles the worst stands', () => {
  const { attemptTimes } = mergeHealth([healthWith(10, 10, 10), healthWith(50), healthWith()]);
  // (3 · 10 + 50) ÷ 4 = 20
  expect(attemptTimes?.queue).toMatchObject({
    count: 4,
    minUs: 10,
    meanUs: 20,
    p50Us: 50,
    p99Us: 50,
    maxUs: 50,
  });
  expect(attemptTimes?.tls).toMatchObject({ count: 0, meanUs: 0, maxUs: 0 });
});

test('records without attempt times stay without them, and do not spoil the others', () => {
  expect(mergeHealth([idleHealth, idleHealth])).not.toHaveProperty('attemptTimes');
  expect(mergeHealth([idleHealth, healthWith(7)]).attemptTimes?.queue).toMatchObject({ count: 1, minUs: 7 });
});

test('pauses are summed, and of what the machine did the worst stands', () => {
  const machine = {
    cores: 2,
    usableCores: 2,
    cpuLimitCores: null,
    busyRatio: 0.5,
    stolenRatio: null,
    limitedRatio: 0,
    thermalThrottles: 1,
    frequencyLimitRatio: 1,
  };
  const merged = mergeHealth([
    {
      ...idleHealth,
      eventLoopDelayMaxMs: 7,
      garbageCollection: { collections: 2, seconds: 0.5, longestMs: 9 },
      machine,
    },
    {
      ...idleHealth,
      eventLoopDelayMaxMs: 12,
      garbageCollection: { collections: 3, seconds: 0.25, longestMs: 4 },
      machine: {
        ...machine,
        busyRatio: 0.9,
        stolenRatio: 0.1,
        thermalThrottles: 2,
        frequencyLimitRatio: 0.7,
      },
    },
    idleHealth,
  ]);
  expect(merged.eventLoopDelayMaxMs).toBe(12);
  expect(merged.garbageCollection).toEqual({ collections: 5, seconds: 0.75, longestMs: 9 });
  expect(merged.machine).toEqual({
    ...machine,
    busyRatio: 0.9,
    stolenRatio: 0.1,
    thermalThrottles: 3,
    frequencyLimitRatio: 0.7,
  });
});

test('workers are merged by their number: one that was lost once was lost', () => {
  const worker = (eventLoopDelayP99Ms: number | null, isLost = false) => ({
    isLost,
    eventLoopDelayP99Ms,
    eventLoopUtilization: 0.25,
  });
  const merged = mergeHealth([
    { ...idleHealth, workers: [worker(1), worker(2)] },
    { ...idleHealth, workers: [worker(3), worker(null, true)] },
  ]);
  expect(merged.workers).toEqual([worker(3), worker(2, true)]);
  expect(mergeHealth([idleHealth])).not.toHaveProperty('workers');
});
