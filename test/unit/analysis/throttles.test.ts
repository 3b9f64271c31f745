// Aim: who throttled whom, and under which name a reader knows them. Method: throttle rows by hand.
import { describe, expect, test } from 'vitest';
import { readableResource, resourceInWords } from '../../../src/analysis/resource-name.ts';
import { mainThrottles, throttlesBy } from '../../../src/analysis/throttles.ts';
import { buildTable, buildTotals, buildWorkload } from '../../support/run-result-builder.ts';

const index = 'IndexWriteKeyRangeThroughputExceeded';
const table = 'TableWriteProvisionedThroughputExceeded';

describe('mainThrottles', () => {
  test('are all reasons above 5 %, the most frequent first, with their shares', () => {
    const throttles = [
      { reason: table, resource: 't', count: 46 },
      { reason: index, resource: 't/GSI1', count: 50 },
      { reason: index, resource: 't/GSI2', count: 4 },
    ];
    expect(mainThrottles({ throttles })).toEqual([
      { reason: index, resource: 't/GSI1', count: 50, shareRatio: 0.5 },
      { reason: table, resource: 't', count: 46, shareRatio: 0.46 },
    ]);
  });

  test('are none where nothing was throttled', () => {
    expect(mainThrottles({ throttles: [] })).toEqual([]);
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
  expect(throttlesBy('KeyRange', { workloads: [workload('a', 10), workload('b', 30)] })).toEqual([
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
