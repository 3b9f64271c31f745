// Aim: who throttled whom, and under which name a reader knows them. Method: throttle rows by hand.
import { describe, expect, test } from 'vitest';
import { readableResource, resourceInWords } from '../../../src/analysis/resource-name.ts';
import { dominantThrottle, keyRangeThrottles } from '../../../src/analysis/throttles.ts';
import { buildTable, buildTotals, buildWorkload } from '../../support/run-result-builder.ts';

const index = 'IndexWriteKeyRangeThroughputExceeded';
const table = 'TableWriteProvisionedThroughputExceeded';

describe('dominantThrottle', () => {
  test('is the most frequent reason, with its share', () => {
    const throttles = [
      { reason: table, resource: 't', count: 25 },
      { reason: index, resource: 't/GSI1', count: 75 },
    ];
    expect(dominantThrottle({ throttles })).toEqual({
      reason: index,
      resource: 't/GSI1',
      count: 75,
      shareRatio: 0.75,
    });
  });

  test('is null where nothing was throttled', () => {
    expect(dominantThrottle({ throttles: [] })).toBeNull();
  });
});

test('key-range throttles are summed over workloads, and other reasons and unnamed resources are left out', () => {
  const workload = (name: string, count: number) =>
    buildWorkload({
      name,
      measured: buildTotals({
        outcomes: { ok: 100 },
        throttles: [
          { reason: index, resource: 't/GSI1', count },
          { reason: index, resource: '', count: 9 },
          { reason: table, resource: 't', count: 9 },
        ],
      }),
    });
  expect(keyRangeThrottles({ workloads: [workload('a', 10), workload('b', 30)] })).toEqual([
    { reason: index, resource: 't/GSI1', side: 'write', count: 40, requests: 200, workloads: ['b', 'a'] },
  ]);
});

describe('resource names', () => {
  const one = [buildTable({ tableName: 'dyno-load-x-main', logicalName: 'main' })];
  const two = [
    buildTable({ tableName: 'x-orders', logicalName: 'orders' }),
    buildTable({ tableName: 'x-log', logicalName: 'log' }),
  ];
  test.each([
    ['dyno-load-x-main', one, 'table', 'the table'],
    ['dyno-load-x-main/GSI1', one, 'GSI1', 'index GSI1'],
    ['x-orders', two, 'orders', 'table orders'],
    ['x-orders/GSI1', two, 'orders/GSI1', 'index orders/GSI1'],
    ['somebody-elses', two, 'somebody-elses', 'table somebody-elses'],
  ])('%s reads as a reader knows it', (resource, tables, name, words) => {
    expect(readableResource(resource, tables)).toBe(name);
    expect(resourceInWords(resource, tables)).toBe(words);
  });
});
