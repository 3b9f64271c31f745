// Aim: each part of the view says what a reader needs, once, and leaves out what says nothing. Method: runs
// with one thing in them per test; the whole is compared in test/golden.
import { describe, expect, test } from 'vitest';
import { analyzeRun, type MeasuredRun } from '../../../src/analysis/analyze-run.ts';
import type { RunResult, Validity, VariantResult } from '../../../src/analysis/run-result.ts';
import type { Section, TableSection } from '../../../src/report/section.ts';
import { capacityTable } from '../../../src/report/view-capacity.ts';
import { costTable } from '../../../src/report/view-cost.ts';
import { goalsSection } from '../../../src/report/view-goals.ts';
import { loadTable, otherOutcomesTable, throttledTable } from '../../../src/report/view-load.ts';
import { placementSection, placementTable } from '../../../src/report/view-placement.ts';
import { validitySection } from '../../../src/report/view-validity.ts';
import { viewRun } from '../../../src/report/view.ts';
import { emulatorRun, shardingRun } from '../../support/frozen-runs.ts';
import {
  buildKey,
  buildMeasuredRun,
  buildMeasuredVariant,
  buildPlacement,
  buildResource,
  buildTotals,
  buildWorkload,
} from '../../support/run-result-builder.ts';

const textsOf = ({ rows }: Pick<TableSection, 'rows'>): string[][] =>
  rows.map((row) => row.map((one) => one.text));
const headsOf = (table: TableSection | null): string[] => table?.columns.map((column) => column.head) ?? [];

function runOf(
  given: Parameters<typeof buildMeasuredVariant>[0],
  more: Partial<MeasuredRun> = {},
): RunResult {
  return analyzeRun(buildMeasuredRun({ variants: [buildMeasuredVariant(given)], ...more }), { gate: false });
}

describe('other outcomes', () => {
  const run = runOf({
    workloads: [
      buildWorkload({
        policy: { maxInFlight: 10, timeoutUs: 1_000, retry: 'none', expect: ['conditionFailed'] },
        measured: buildTotals({ outcomes: { ok: 60, conflict: 25, conditionFailed: 10, failed: 5 } }),
        errors: [
          { code: 'ValidationException', count: 1, messages: [{ message: 'no', requestId: null }] },
          { code: 'ECONNRESET', count: 4, messages: [{ message: 'socket hang up', requestId: null }] },
        ],
      }),
    ],
  });

  test('are one figure beside the load, which adds up to what was planned', () => {
    const table = loadTable(run);
    const at = headsOf(table).indexOf('other');
    expect(textsOf(table)[0]?.[at]).toBe('40 %');
  });

  test('are told apart, with the expected ones marked and the most frequent error named', () => {
    const table = otherOutcomesTable(run);
    expect(table && textsOf(table)).toEqual([
      ['default', 'placeOrder', 'condition not met (expected)', '10', '10 %', ''],
      ['', 'placeOrder', 'conflict', '25', '25 %', ''],
      ['', 'placeOrder', 'failed', '5', '5 %', 'ECONNRESET: socket hang up'],
    ]);
  });

  test('are not spoken of where there are none', () => {
    expect(otherOutcomesTable(shardingRun())).toBeNull();
    expect(headsOf(loadTable(shardingRun()))).not.toContain('other');
  });

  test('that are conflicts come with a word on the model', () => {
    expect(viewRun(run).footnotes.join()).toContain(
      'Conflicts depend on how long a transaction holds its items',
    );
    expect(viewRun(shardingRun()).footnotes.join()).not.toContain('Conflicts');
  });
});

test('the share of a throttling reason is shown only where there are several', () => {
  expect(headsOf(throttledTable(shardingRun()))).not.toContain('its share');
  const throttles = [
    { reason: 'TableWriteKeyRangeThroughputExceeded', resource: 't', count: 3 },
    { reason: 'IndexWriteKeyRangeThroughputExceeded', resource: 't/GSI1', count: 1 },
  ];
  const measured = buildTotals({ outcomes: { throttled: 4 }, throttles });
  const table = throttledTable(runOf({ workloads: [buildWorkload({ measured })] }));
  expect(table && textsOf(table)[0]?.at(-1)).toBe('75 %');
});

describe('the capacity table', () => {
  test('tells the hottest key of the side that throttles, though the other side has more units', () => {
    const resource = buildResource({
      writeUnits: 200_000,
      throttledWriteUnits: 80_000,
      readUnits: 480_000,
      keys: [buildKey('E#1', { writeShare: 0.1, readShare: 0.2 }), buildKey('E#2', { writeShare: 0.3 })],
    });
    const table = capacityTable(runOf({ resources: [resource] }));
    expect(table && textsOf(table)[0]).toContain('30 % of W');
  });

  test('tells without throttles the side nearer to its ceiling, which is three times higher for reads', () => {
    const keys = [buildKey('E#1', { writeShare: 0.1, readShare: 0.2 })];
    const shareWith = (readUnits: number): string => {
      const table = capacityTable(
        runOf({ resources: [buildResource({ writeUnits: 1_000, readUnits, keys })] }),
      );
      return (table && textsOf(table)[0]?.[5]) ?? '';
    };
    expect([shareWith(2_900), shareWith(3_100)]).toEqual(['10 % of W', '20 % of R']);
  });

  test('has no columns on partitions where the target knows none', () => {
    expect(headsOf(capacityTable(shardingRun()))).toContain('partitions');
    expect(headsOf(capacityTable(emulatorRun()))).not.toContain('partitions');
  });
});

describe('the cost table', () => {
  test('gives requests, units and money for each success, so that retries and throttles show', () => {
    const table = costTable(shardingRun());
    expect(headsOf(table).slice(2)).toEqual(['requests', 'write units', 'read units', 'USD per million']);
    // Three requests for each order that got through; 2 × 0.625 USD. Ten shards: 50 × 0.125 USD.
    expect(table && textsOf(table)).toContainEqual(['count=1', 'placeOrder', '3', '2', '0', '1.25']);
    expect(table && textsOf(table)).toContainEqual(['', 'readPending', '10', '0', '50', '6.25']);
  });

  test('takes a flow apart into its steps', () => {
    const workload = buildWorkload({
      name: 'pageView',
      kind: 'flow',
      measured: buildTotals({
        outcomes: { ok: 10 },
        requests: 20,
        units: [{ resource: 't', readUnits: 45, writeUnits: 0 }],
      }),
      steps: [
        { label: 'customer', requests: 10, readUnits: 5, writeUnits: 0 },
        { label: 'category', requests: 10, readUnits: 40, writeUnits: 0 },
      ],
    });
    const table = costTable(runOf({ workloads: [workload] }));
    expect(table && textsOf(table).map((row) => [row[1], row[4]])).toEqual([
      ['pageView', '4.5'],
      ['  customer', '0.5'],
      ['  category', '4'],
    ]);
  });
});

describe('placement', () => {
  const placed = (...shares: number[]): Section | null => {
    const variants = shares.map((share, index) =>
      buildMeasuredVariant({ name: `v${index}`, index, placement: buildPlacement(share) }),
    );
    return placementSection(analyzeRun(buildMeasuredRun({ variants }), { gate: false }));
  };

  test('that never matters is one sentence', () => {
    expect(placed(1, 1)).toMatchObject({
      kind: 'list',
      entries: [{ head: { text: expect.stringContaining('in any variant') as string } }],
    });
  });

  test('that may matter in one variant is a table of all', () => {
    const section = placed(1, 0.19);
    expect(section?.kind === 'table' && textsOf(section).map((row) => row.slice(0, 2))).toEqual([
      ['v0', '100 %'],
      ['v1', '19 %'],
    ]);
  });
});

describe('validity', () => {
  const late = (text: string): Validity['reasons'][number] => {
    return { code: 'generator-late', status: 'suspect', text, advice: 'lower the rate' };
  };
  const busy = {
    code: 'generator-busy',
    status: 'suspect',
    text: 'it was busy',
    advice: 'lower the rate',
  } as const;
  const section = (...validities: Validity['reasons'][]) => {
    const run = shardingRun();
    const variants: VariantResult[] = run.variants.map((variant, index) => {
      const reasons = validities[index] ?? [];
      return { ...variant, validity: { status: reasons.length > 0 ? 'suspect' : 'valid', reasons } };
    });
    return validitySection({ ...run, variants });
  };

  test('of a variant stands under one heading with its advice', () => {
    expect(section([late('a was late'), late('b was late'), busy])?.entries).toEqual([
      {
        head: { text: 'count=1: suspect', tone: 'doubtful' },
        lines: [
          { label: 'because', text: 'a was late (generator-late)' },
          { label: 'because', text: 'b was late (generator-late)' },
          { label: 'because', text: 'it was busy (generator-busy)' },
          { label: 'advice', text: 'lower the rate' },
        ],
      },
    ]);
  });

  test('of several variants has its advice once, at the end, with the codes it is for', () => {
    const entries = section(
      [late('a was late')],
      [{ ...busy, advice: 'wait' }],
      [late('c was late')],
    )?.entries;
    expect(entries?.map((entry) => entry.head.text)).toEqual([
      'count=1: suspect',
      'count=2: suspect',
      'count=5: suspect',
      'What to do',
    ]);
    expect(entries?.at(-1)?.lines.map((line) => line.text)).toEqual([
      'lower the rate (generator-late)',
      'wait (generator-busy)',
    ]);
  });

  test('of equal reasons is told of both variants together', () => {
    expect(section([busy], [busy])?.entries.map((entry) => entry.head.text)).toEqual([
      'count=1 and count=2: suspect',
    ]);
  });

  test('of sound variants is no section', () => {
    expect(section()).toBeNull();
  });
});

test('a goal whose metric is missing says how much of it there is, and a modelled one that it is', () => {
  const goal = {
    workload: 'placeOrder',
    metric: 'response.p99',
    comparator: '<',
    limit: 50_000,
    text: 'placeOrder.response.p99 < 50 ms',
  } as const;
  const run = runOf({
    goals: [goal],
    workloads: [buildWorkload({ measured: buildTotals({ outcomes: { ok: 6 } }) })],
  });
  const results = (result: RunResult) => goalsSection(result)?.rows.map((row) => row[3]?.text);
  // 6 samples in 60 s.
  expect(results(run)).toEqual(['✗ missing: 6 of the 100 samples that p99 needs; measure at least 1,000 s']);
  const variants = run.variants.map((variant) => ({
    ...variant,
    goals: variant.goals.map((one) => ({ ...one, status: 'met' as const, value: 20_000, isModelled: true })),
  }));
  expect(results({ ...run, variants })).toEqual(['✓ met, 30 ms to spare (modelled)']);
});

test('the reasons of throttles are all listed that have more than 5 % of them', () => {
  const table = throttledTable(
    runOf({
      workloads: [
        buildWorkload({
          measured: buildTotals({
            outcomes: { ok: 100, throttled: 100 },
            throttles: [
              { reason: 'TableWriteKeyRangeThroughputExceeded', resource: 't', count: 96 },
              { reason: 'IndexWriteKeyRangeThroughputExceeded', resource: 't/GSI1', count: 96 },
              { reason: 'IndexWriteKeyRangeThroughputExceeded', resource: 't/GSI2', count: 8 },
            ],
          }),
        }),
      ],
    }),
  );
  expect(table?.title).toBe('Throttled by (reasons above 5 %, as DynamoDB names them)');
  expect(textsOf(table as TableSection).map((row) => [row[3], row.at(-1)])).toEqual([
    ['TableWriteKeyRangeThroughputExceeded', '48 %'],
    ['IndexWriteKeyRangeThroughputExceeded', '48 %'],
  ]);
});

test.each([
  ['provisioned', { kind: 'provisioned', readUnits: 50, writeUnits: 50 }, '100 % of W'],
  ['maximum on demand', { kind: 'maximumOnDemand', readUnits: null, writeUnits: 100 }, '50 % of W'],
] as const)('the use of %s units is told beside the use of partitions', (_, limit, text) => {
  const resources = [buildResource({ writeUnits: 50 * 60, readUnits: 60, limit })];
  const table = capacityTable(runOf({ measuredSeconds: 60, resources }));
  const at = headsOf(table).indexOf('of its units');
  expect(table && textsOf(table)[0]?.[at]).toBe(text);
});

test('without provisioned units or a maximum there is no use of them', () => {
  const table = capacityTable(runOf({ measuredSeconds: 60, resources: [buildResource({ writeUnits: 10 })] }));
  expect(headsOf(table)).not.toContain('of its units');
});

test('placements judged by different goals in different variants have none of them in the title', () => {
  const placement = buildPlacement(0.5);
  const strict = buildMeasuredVariant({ name: 'a', placement });
  const lax = buildMeasuredVariant({ name: 'b', placement: { ...placement, goalThrottledRatio: 0.3 } });
  const titleOf = (...variants: MeasuredRun['variants'][number][]): string | undefined =>
    placementTable(analyzeRun(buildMeasuredRun({ variants }), { gate: false }))?.title;
  expect(titleOf(strict)).toContain('throttle at most 0.1 % (met)');
  expect(titleOf(strict, lax)).toContain('throttle at most the goal of their workloads (met)');
});
