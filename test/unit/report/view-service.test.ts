// Aim: the report shows the service's counts beside ours and the keys that Contributor Insights names. Method: a
// record by hand; cells as text.
import { expect, test } from 'vitest';
import { findThrottledKeys } from '../../../src/analysis/findings/throttled-key-by-insights.ts';
import type { InsightRule } from '../../../src/analysis/records/contributor-insights.ts';
import type { ReconciliationRow } from '../../../src/analysis/records/reconciliation.ts';
import type { RunResult, VariantResult } from '../../../src/analysis/run-result.ts';
import { contributorInsightsTable, reconciliationTable } from '../../../src/report/view-service.ts';
import { buildKey, buildResource, buildTable, buildVariant } from '../../support/run-result-builder.ts';

const row: ReconciliationRow = {
  quantity: 'throttleEvents',
  resource: 't/GSI1',
  operation: null,
  metric: 'WriteKeyRangeThroughputThrottleEvents',
  client: 12_950,
  estimated: 0,
  service: 12_950,
  difference: 0,
  status: 'agrees',
  because: '',
  measured: { client: 12_000, service: 11_999 },
};

function rule(given: Partial<InsightRule>): InsightRule {
  return {
    name: 'r',
    tableName: 't',
    indexName: 'GSI1',
    counts: 'accessed',
    by: 'partitionKey',
    contributors: [],
    approximateKeyCount: 1,
    ...given,
  };
}

const key = (name: string, total: number, highestMinute = total) => ({
  keys: [name],
  total,
  highestMinute,
  minutes: [],
});

function variantWith(rules: InsightRule[], rows: ReconciliationRow[] = []): VariantResult {
  return buildVariant({
    name: 'count=1',
    tables: [buildTable({ tableName: 't' })],
    resources: [
      buildResource({
        resource: 't/GSI1',
        tableName: 't',
        indexName: 'GSI1',
        keys: [buildKey('STATUS#PENDING', { requests: 18_120, throttledRequests: 12_000 })],
      }),
    ],
    reconciliation: { isExact: true, rows },
    contributorInsights: { mode: 'accessed', from: '', until: '', isSettled: true, rules, notes: [] },
  });
}

function resultWith(...variants: VariantResult[]): RunResult {
  return { variants } as RunResult; // The sections read nothing else.
}

const texts = (section: ReturnType<typeof reconciliationTable>) =>
  section?.rows.map((cells) => cells.map(({ text }) => text));

test('shows both counts, the measured stages beside them, and the reading', () => {
  const rows = [
    row,
    {
      ...row,
      resource: 't',
      operation: 'PutItem',
      metric: 'ThrottledRequests',
      service: 12_960,
      difference: 10,
      status: 'unexplained' as const,
      because: 'Ten more.',
      measured: null,
    },
    { ...row, service: null, client: 1, difference: -1, status: 'incomplete' as const, because: 'Late.' },
  ];
  expect(texts(reconciliationTable(resultWith(variantWith([], rows))))).toEqual([
    [
      'count=1',
      'GSI1',
      'WriteKeyRangeThroughputThrottleEvents',
      '12,950',
      '12,950',
      '12,000 ≈ 11,999',
      'agrees',
    ],
    ['', 'table, PutItem', 'ThrottledRequests', '12,950', '12,960', '', '+10, unexplained: Ten more.'],
    [
      '',
      'GSI1',
      'WriteKeyRangeThroughputThrottleEvents',
      '1',
      'no data',
      '12,000 ≈ 11,999',
      '−1, incomplete: Late.',
    ],
  ]);
});

test('shows the hottest keys by partition key, as a share of a partition, beside our own count', () => {
  const rules = [
    // 90,000 of the 180,000 that a partition gives in a minute.
    rule({ contributors: [key('STATUS#PENDING', 200_000, 90_000), key('a', 30), key('b', 25), key('c', 2)] }),
    rule({ counts: 'throttled', contributors: [key('STATUS#PENDING', 12_950)] }),
    rule({ by: 'partitionAndSortKey', contributors: [key('x', 1)] }),
    rule({ indexName: null, contributors: [key('USER#1', 9)] }),
  ];
  expect(texts(contributorInsightsTable(resultWith(variantWith(rules))))).toEqual([
    ['count=1', 'GSI1', 'accessed', 'STATUS#PENDING', '200,000', '50 %', '18,120 requests while measured'],
    ['', 'GSI1', 'accessed', 'a', '30', '0.02 %', 'not among our hottest'],
    ['', 'GSI1', 'accessed', 'b', '25', '0.01 %', 'not among our hottest'],
    ['', 'GSI1', 'throttled', 'STATUS#PENDING', '12,950', '', '12,000 throttled while measured'],
    ['', 'table', 'accessed', 'USER#1', '9', '<0.01 %', 'not counted'],
  ]);
});

test('a key below 0.01 % of what its rule names is not listed', () => {
  const listed = (...totals: number[]) =>
    texts(
      contributorInsightsTable(
        resultWith(variantWith([rule({ contributors: totals.map((total) => key(`k${total}`, total)) })])),
      ),
    )?.map((cells) => cells[3]);
  expect(listed(99_990, 10)).toEqual(['k99990', 'k10']);
  expect(listed(99_992, 9)).toEqual(['k99992']);
  expect(listed(2, 1)).toEqual(['k2', 'k1']);
});

test('the total of a key that was not listed in every minute is a bound', () => {
  const inMinutes = (name: string, ...at: string[]) => ({
    ...key(name, 15),
    minutes: at.map((minute) => ({ at: minute, value: 15 / at.length })),
  });
  const rules = [rule({ contributors: [inMinutes('always', '1', '2', '3'), inMinutes('once', '2')] })];
  const totals = texts(contributorInsightsTable(resultWith(variantWith(rules))))?.map((cells) => cells[4]);
  expect(totals).toEqual(['15', 'at least 15']);
});

test('says nothing where the service was not asked', () => {
  const result = resultWith(buildVariant());
  expect([reconciliationTable(result), contributorInsightsTable(result)]).toEqual([null, null]);
});

test('a key behind a fifth of the throttles or more is a finding', () => {
  const of = (...contributors: InsightRule['contributors']) =>
    findThrottledKeys(variantWith([rule({ counts: 'throttled', contributors })])).map(
      ({ evidence }) => evidence['key'],
    );
  expect(of(key('hot', 80), key('b', 25))).toEqual(['hot']);
  expect(of(...Array.from({ length: 6 }, (_, index) => key(`k${index}`, 10)))).toEqual([]);
  expect(of()).toEqual([]);
});
