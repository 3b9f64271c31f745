// Aim: what the report must say whatever its layout. Method: frozen runs with one thing changed; whole
// outputs are compared in test/golden.
import { describe, expect, test } from 'vitest';
import type { RunResult } from '../../../src/analysis/run-result.ts';
import { renderJson } from '../../../src/report/json.ts';
import { renderTerminal } from '../../../src/report/terminal.ts';
import { emulatorRun, shardingRun } from '../../support/frozen-runs.ts';

const print = (run: RunResult, width = 110): string => renderTerminal(run, { width, useColor: false });
const sharding = print(shardingRun());
const emulator = print(emulatorRun());

describe('the first line', () => {
  test('of a simulated run says so, which time it was, and that latencies are modelled', () => {
    expect(sharding.split('\n')[0]).toBe(
      'Target: simulated table, virtual time, model preset default; latencies are modelled, not measured',
    );
  });

  test('of a live run names server and wall clock and speaks of no model', () => {
    expect(emulator.split('\n')[0]).toMatch(
      /^Target: dynalite at http:\/\/127\.0\.0\.1:4567, wall-clock time/,
    );
    expect(emulator.split('\n')[0]).not.toContain('modelled');
  });
});

describe('the report', () => {
  test.each([
    ['the load of each variant and workload', /count=1 +placeOrder +3,000 +1,000 +66\.7 % .* valid/],
    ['the dominant reason with its resource', /66\.7 % +IndexWriteKeyRangeThroughputExceeded +GSI1/],
    [
      'the hottest key with share and partition',
      /GSI1 +1,000 +100 +STATUS#PENDING +100 % of W +100 % of W +20/,
    ],
    ['placement at once and settled', /count=10 +98 % +0 % +6\.7 % +100 % +0 % +0 %/],
    [
      'by how much a goal was missed',
      /placeOrder\.throttledRatio < 0\.1% +66\.7 % +✗ missed by 66\.6 points/,
    ],
    ['the variant recommended and its cost', /PASS · recommended: count=10[^]*1\.28 USD per million/],
    ['the finding with its key', /hot-index-key · high confidence · count=1 and count=2[^]*STATUS#PENDING/],
  ])('shows %s', (_, pattern) => {
    expect(sharding).toMatch(pattern);
  });

  test('marks what is missing by a dash with a footnote', () => {
    expect(emulator).toMatch(/dailyReport .* – +– +– /);
    expect(emulator).toContain('–  missing: fewer than 100 successful operations');
    expect(sharding).not.toContain('–  missing');
  });

  test('says why a variant is invalid and what to do', () => {
    expect(emulator).toMatch(/count=20, suffix=calculated: invalid\n +because +the target is saturated/);
  });

  test('says why a metric is missing', () => {
    expect(print(emulatorRun(), 160)).toContain('✗ missing: this variant has no workload readPending');
  });

  test('names the columns for which there is no room', () => {
    expect(print(emulatorRun(), 80)).toMatch(/Left out for want of room: .*p99\.9 ms/);
    expect(print(emulatorRun(), 160)).not.toContain('want of room');
  });

  test('says where the record lies when told', () => {
    const report = renderTerminal(shardingRun(), {
      width: 110,
      useColor: false,
      record: 'reports/a/b/run.json',
    });
    expect(report).toMatch(/\nRecord: reports\/a\/b\/run\.json\n$/);
    expect(sharding).not.toContain('Record:');
  });

  test('tells variants apart even where their names do not fit the table', () => {
    const names = ['count=1, suffix=calculated', 'count=20, suffix=calculated', 'count=20, suffix=random'];
    expect(print(emulatorRun(), 80)).toMatch(
      new RegExp(names.map((name) => `\\n  ${name}  \\w+\\n`).join('[^]*')),
    );
  });

  test('dates the prices by the record, and says nothing of a month where the record has none', () => {
    const run = shardingRun();
    const { prices, ...unpriced } = run;
    const other = { ...(prices as NonNullable<typeof prices>), region: 'eu-west-1', asOf: '2027-02-01' };
    expect(print({ ...run, prices: other })).toMatch(/eu-west-1, prices\s+as\s+of\s+2027-02-01/);
    expect(print(unpriced)).not.toContain('a month on');
  });

  test('of a run without goals, findings, placement or resources leaves their sections out', () => {
    const run = shardingRun();
    const bare = {
      ...run,
      findings: [],
      variants: run.variants.map((variant) => ({ ...variant, goals: [], placement: null, resources: [] })),
    };
    expect(print(bare)).not.toMatch(/Goals|Findings|Placement|Capacity|NaN/);
  });

  test('of a run in which nothing ran is still a report', () => {
    expect(print({ ...shardingRun(), variants: [], findings: [] })).toContain('Verdict');
  });
});

test('JSON is the record itself', () => {
  const run = shardingRun();
  expect(JSON.parse(renderJson(run))).toEqual(run);
});
