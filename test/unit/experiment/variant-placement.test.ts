// Aim: each placement is judged by the goals of the workloads that use the table or index on that side, and
// what was measured is what the run's own placement gives. Method: observed demand written by hand, and for
// the measured share a table and an index that throttle together in the throughput model.
import { describe, expect, test } from 'vitest';
import type { WorkloadResult } from '../../../src/analysis/run-result.ts';
import { capacityModels } from '../../../src/capacity/capacity-model.ts';
import type { ResourceObservation } from '../../../src/capacity/resource-observation.ts';
import { placementOutlook } from '../../../src/experiment/placement-outlook.ts';
import { placementOfVariant } from '../../../src/experiment/variant-placement.ts';
import type { Goal } from '../../../src/scenario/goal.ts';
import { type ObservedDemand, observationOf } from '../../support/observation.ts';
import { planOf, stagesOf } from '../../support/plan-builder.ts';
import { buildTotals, buildWorkload } from '../../support/run-result-builder.ts';

const model = capacityModels.default;

function throttlingGoal(workload: string, limit: number): Goal {
  return { text: '', workload, metric: 'throttledRatio', comparator: '<', limit };
}

function workloadOn(name: string, resource: string, side: 'read' | 'write'): WorkloadResult {
  const units = { resource, readUnits: side === 'read' ? 10 : 0, writeUnits: side === 'write' ? 10 : 0 };
  return buildWorkload({ name, isWrite: side === 'write', measured: buildTotals({ units: [units] }) });
}

const writer = workloadOn('w', 'orders', 'write');
const reader = workloadOn('r', 'orders', 'read');

function placementOf(
  observations: readonly ResourceObservation[],
  goals: readonly Goal[],
  workloads: readonly WorkloadResult[],
  stages = stagesOf({ seconds: 60 }),
) {
  return placementOfVariant({ plan: { ...planOf({ stages }), goals }, observations, model, workloads });
}

describe('writes of 1,300 on 1,000 provisioned units, and reads that fit', () => {
  const observation = observationOf({
    keys: {},
    tail: 1_300,
    readKeys: { 'S:A': 10 },
    partitions: 4,
    seconds: 60,
    billing: { mode: 'provisioned', readUnits: 100, writeUnits: 1_000 },
    refusedWrites: 300 * 60,
  });

  test.each<[string, Goal[], WorkloadResult[], number, number]>([
    [
      'meet the goal of the writer, whatever the reader is held to',
      [throttlingGoal('w', 0.3), throttlingGoal('r', 0.01)],
      [writer, reader],
      1,
      0.3,
    ],
    ['miss the writer’s own where it is strict', [throttlingGoal('w', 0.01)], [writer, reader], 0, 0.01],
    [
      'are held to 0.1 % where only the reader has a goal',
      [throttlingGoal('r', 0.5)],
      [writer, reader],
      0,
      0.001,
    ],
    ['are held to 0.1 % where there are no goals', [], [writer, reader], 0, 0.001],
  ])('%s', (_, goals, workloads, share, goalThrottledRatio) => {
    expect(placementOf([observation], goals, workloads)).toMatchObject({
      shareMeetingGoalFromFirstSecond: share,
      goalThrottledRatio,
    });
  });

  test('of a workload that was throttled throughout are known by its throttles', () => {
    const throttles = [{ reason: 'TableWriteProvisionedThroughputExceeded', resource: 'orders', count: 5 }];
    const starved = buildWorkload({ name: 'w', measured: buildTotals({ throttles }) });
    expect(placementOf([observation], [throttlingGoal('w', 0.3)], [starved])).toMatchObject({
      goalThrottledRatio: 0.3,
    });
  });
});

test('after a warm-up nothing is saved up at once that is not there once settled', () => {
  const demand: ObservedDemand = { keys: { 'S:A': 1_010 }, partitions: 4, seconds: 10 };
  const observations = [observationOf(demand)];
  const cold = placementOf(observations, [], [writer]);
  const warm = placementOf(
    observations,
    [],
    [writer],
    stagesOf({ seconds: 10, isMeasured: false }, { seconds: 10 }),
  );
  expect(cold?.throttledRatioFromFirstSecond.median).toBe(0);
  expect(warm?.throttledRatioFromFirstSecond).toEqual(warm?.throttledRatioSettled);
  const provisioned = { mode: 'provisioned', readUnits: 1, writeUnits: 500 } as const;
  const bank = placementOf(
    [
      observationOf({
        keys: {},
        tail: 510,
        partitions: 1,
        seconds: 10,
        billing: provisioned,
        refusedWrites: 100,
      }),
    ],
    [],
    [writer],
    stagesOf({ seconds: 10, isMeasured: false }, { seconds: 10 }),
  );
  expect(bank?.throttledRatioFromFirstSecond).toEqual(bank?.throttledRatioSettled);
});

describe('a table and an index that throttle together', () => {
  const refusing = (name: string, refusedRatio: number, elsewhere: number): ResourceObservation => {
    const seen = observationOf({ keys: { 'S:A': 2_500 }, partitions: 4, seconds: 60 });
    const all = 2_500 * 60;
    return {
      ...seen,
      name,
      write: {
        ...seen.write,
        requests: all * (1 - refusedRatio - elsewhere),
        throttledRequests: all * refusedRatio,
        refusedElsewhere: all * elsewhere,
      },
    };
  };

  test('for the same requests refuse in every placement what was measured', () => {
    const observations = [refusing('orders', 0.597, 0), refusing('orders/GSI1', 0.597, 0)];
    const input = { observations, operation: 'Write', model, goalThrottledRatio: 0.001, seed: 7 } as const;
    const { throttledRatio } = placementOutlook(input);
    expect(throttledRatio.median).toBeCloseTo(0.597, 2);
    expect(throttledRatio.worst).toBeCloseTo(0.597, 2);
  });

  test('for different requests add up as far as they did in the run', () => {
    const observations = [refusing('orders', 0.5, 0.25), refusing('orders/GSI1', 0.5, 0.25)];
    const input = { observations, operation: 'Write', model, goalThrottledRatio: 0.001, seed: 7 } as const;
    expect(placementOutlook({ ...input, placements: 1 }).throttledRatio.worst).toBeCloseTo(0.75, 2);
  });
});
