// Aim: what a live run would have throttled on AWS has a section of its own in every format, said to be
// modelled, for partitions and for provisioned units alike. Method: a frozen run with a shadow added by hand.
import { describe, expect, test } from 'vitest';
import type { RunResult } from '../../../src/analysis/run-result.ts';
import { renderMarkdown } from '../../../src/report/markdown.ts';
import { renderTerminal } from '../../../src/report/terminal.ts';
import { viewRun } from '../../../src/report/view.ts';
import { shadowTable } from '../../../src/report/view-shadow.ts';
import { shardingRun } from '../../support/frozen-runs.ts';
import { buildKey, buildPartitions, buildResource } from '../../support/run-result-builder.ts';

const tableName = 'dyno-load-sharding-count-1-main';

function shadowedRun(reason: string, indexName: string | null): RunResult {
  const resource = indexName === null ? tableName : `${tableName}/${indexName}`;
  const shadow = {
    preset: 'pessimistic',
    constants: [],
    workloads: [
      {
        name: 'placeOrder',
        operations: 3_000,
        throttledOperations: 2_000,
        throttles: [{ reason, resource, count: 2_000 }],
      },
      { name: 'readPending', operations: 0, throttledOperations: 0, throttles: [] },
    ],
    resources: [
      buildResource({
        resource,
        tableName,
        indexName,
        keys: [buildKey('COLD', { writeShare: 0.1 }), buildKey('HOT', { writeShare: 0.9 })],
        partitions: buildPartitions([{ writeUnitsPerSecond: 20 }, { writeUnitsPerSecond: 1_000 }]),
      }),
    ],
  };
  const run = shardingRun();
  return {
    ...run,
    variants: run.variants.map((variant, at) => (at === 0 ? { ...variant, shadow } : variant)),
  };
}

function rowsOf(run: RunResult): string[][] {
  return (shadowTable(run)?.rows ?? []).map((row) => row.map(({ text }) => text));
}

describe('a run with shadow capacity', () => {
  test.each([
    ['the key range of an index', 'IndexWriteKeyRangeThroughputExceeded', 'GSI1', 'GSI1'],
    ['the provisioned units of a table', 'TableWriteProvisionedThroughputExceeded', null, 'table'],
  ])('says that %s would have throttled, how much, and what is hottest there', (_, reason, index, on) => {
    expect(rowsOf(shadowedRun(reason, index))).toEqual([
      ['count=1', 'placeOrder', '3,000', '66.7 %', reason, on, 'HOT, 90 % of W', '100 % of W, 1 of 2'],
      ['', 'readPending', '0', '–', '–', '–', '–', '–'],
    ]);
  });

  const run = shadowedRun('TableWriteProvisionedThroughputExceeded', null);

  test.each([
    ['a terminal', renderTerminal(run, { useColor: false, width: 160 })],
    ['Markdown', renderMarkdown(viewRun(run), 'title')],
  ])('says on %s that it is modelled and by which preset, of placement too', (_, text) => {
    expect(text).toMatch(/Would have been throttled, modelled: [^|]*by preset\s+pessimistic\); not measured/);
    expect(text).toContain('TableWriteProvisionedThroughputExceeded');
    expect(text).toMatch(/Placement, modelled: share/);
  });
});

test('a run without it has no such section', () => {
  expect(shadowTable(shardingRun())).toBeNull();
});
