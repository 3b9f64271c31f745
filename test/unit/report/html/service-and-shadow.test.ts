// Aim: what the service or the model says beside the measurement has sections of its own, only where it was
// asked. Method: a frozen run with such records added by hand.
import { describe, expect, test } from 'vitest';
import { parseRunResult } from '../../../../src/analysis/run-schema.ts';
import type { RunResult, VariantResult } from '../../../../src/analysis/run-result.ts';
import { renderHtml } from '../../../../src/report/html/page.ts';
import { shardingRun } from '../../../support/frozen-runs.ts';
import { buildKey, buildResource } from '../../../support/run-result-builder.ts';

const asset = { text: '', sha256: '' };
const tableName = 'dyno-load-sharding-count-1-main';

/** The run with more in the record of its first variant, checked against the schema. */
function runWith(more: Partial<VariantResult>): RunResult {
  const run = shardingRun();
  const variants = run.variants.map((variant, index) => (index === 0 ? { ...variant, ...more } : variant));
  return parseRunResult(JSON.parse(JSON.stringify({ ...run, variants })));
}

function textOf(run: RunResult): string {
  return renderHtml(run, { chartLibrary: asset, pageScript: asset, style: asset })
    .replaceAll('<wbr>', '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');
}

const cloudWatch: NonNullable<VariantResult['cloudWatch']> = {
  from: '2026-11-30T12:00:00Z',
  until: '2026-11-30T12:04:00Z',
  measuredFrom: '2026-11-30T12:01:00Z',
  measuredUntil: '2026-11-30T12:03:00Z',
  pulls: 3,
  isSettled: false,
  series: [
    {
      metric: 'WriteKeyRangeThroughputThrottleEvents',
      statistic: 'Sum',
      tableName,
      indexName: 'GSI1',
      operation: null,
      minutes: [null, 120_000, 119_000, null],
      total: 239_000,
      measured: 239_000,
      highestPerSecond: 2_000,
    },
  ],
  requests: [],
  isTableShared: false,
  notes: ['The clock of the service is 2 s ahead.'],
};

const reconciliation: NonNullable<VariantResult['reconciliation']> = {
  isExact: true,
  rows: [
    {
      quantity: 'throttleEvents',
      resource: `${tableName}/GSI1`,
      operation: null,
      metric: 'WriteKeyRangeThroughputThrottleEvents',
      client: 240_000,
      estimated: 0,
      service: 239_000,
      difference: -1_000,
      status: 'unexplained',
      because: 'nothing that we know of explains it',
      measured: null,
    },
  ],
};

const contributorInsights: NonNullable<VariantResult['contributorInsights']> = {
  mode: 'accessed',
  from: '2026-11-30T12:00:00Z',
  until: '2026-11-30T12:04:00Z',
  isSettled: true,
  rules: [
    {
      name: 'DynamoDBContributorInsights-PKC-1',
      tableName,
      indexName: 'GSI1',
      counts: 'accessed',
      by: 'partitionKey',
      contributors: [{ keys: ['STATUS#PENDING'], total: 360_000, highestMinute: 180_000, minutes: [] }],
      approximateKeyCount: 1,
    },
  ],
  notes: [],
};

describe('a run that asked CloudWatch', () => {
  const text = textOf(runWith({ cloudWatch, reconciliation }));

  test('shows the counts of both sides with the difference and its reading', () => {
    expect(text).toMatch(
      /GSI1 WriteKeyRangeThroughputThrottleEvents 240,000 239,000 .*unexplained: nothing that we know/,
    );
  });

  test('shows each metric by minute, and gaps as gaps', () => {
    expect(text).toContain(
      'WriteKeyRangeThroughputThrottleEvents, Sum 239,000 239,000 2,000 – · 120,000 · 119,000 · –',
    );
  });

  test('says over which time, how settled the data are, and its notes', () => {
    expect(text).toMatch(
      /count=1: 2026-11-30T12:00:00Z to 2026-11-30T12:04:00Z.*3 pulls; the data had not all come in/,
    );
    expect(text).toContain('The clock of the service is 2 s ahead.');
  });
});

test('a run that asked Contributor Insights shows the keys that it names', () => {
  expect(textOf(runWith({ contributorInsights }))).toMatch(/GSI1 accessed STATUS#PENDING 360,000 100.% /);
});

test('a run with shadow capacity says what would have been throttled, as modelled', () => {
  const shadow = {
    preset: 'default',
    constants: [],
    workloads: [
      {
        name: 'placeOrder',
        operations: 180_000,
        throttledOperations: 120_000,
        throttles: [
          { reason: 'IndexWriteKeyRangeThroughputExceeded', resource: `${tableName}/GSI1`, count: 120_000 },
        ],
      },
    ],
    resources: [
      buildResource({
        resource: `${tableName}/GSI1`,
        tableName,
        indexName: 'GSI1',
        writeUnits: 60_000,
        keys: [buildKey('SHADOWED#KEY', { requests: 3, throttledRequests: 2, writeShare: 1 })],
      }),
    ],
  };
  const text = textOf(runWith({ shadow }));
  expect(text).toMatch(/Shadow capacity .*by that model, not what was measured/);
  expect(text).toMatch(/placeOrder 180,000 66\.7.% IndexWriteKeyRangeThroughputExceeded GSI1/);
  expect(text).toContain('SHADOWED#KEY');
});

test('a run that asked nobody has none of these sections', () => {
  expect(textOf(shardingRun())).not.toMatch(/CloudWatch|Contributor Insights|Shadow capacity/);
});
