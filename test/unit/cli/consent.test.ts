// Aim: a run on AWS starts after a yes only, and what is said before it holds what the user must know. Method: facts
// in, text and decision out.
import { expect, test } from 'vitest';
import { usEast1Prices } from '../../../src/analysis/cost.ts';
import { priceRun } from '../../../src/analysis/run-cost.ts';
import {
  billingOf,
  consentNeeded,
  isYes,
  refusedConsent,
  type RunStatement,
  statementText,
} from '../../../src/cli/consent.ts';
import { runStatement } from '../../../src/cli/live/run-statement.ts';
import type { TableSpec } from '../../../src/dynamodb/table-spec.ts';
import type { RunPlan } from '../../../src/scenario/run-plan.ts';
import { perSecond, planOf, stagesOf } from '../../support/plan-builder.ts';

test.each([
  ['agreed beforehand', true, false, 'given'],
  ['agreed beforehand, on a terminal', true, true, 'given'],
  ['on a terminal', false, true, 'ask'],
  ['nobody there', false, false, 'refused'],
])('%s', (_, isAgreed, canAsk, needed) => {
  expect(consentNeeded({ isAgreed, canAsk })).toBe(needed);
});

test.each([
  ['y', true],
  [' Yes\n', true],
  ['', false],
  ['yep', false],
  ['n', false],
  ['y n', false],
])('the answer %j is a yes: %s', (answer, isOne) => {
  expect(isYes(answer)).toBe(isOne);
});

test.each([
  ['AWS, whatever the credentials', { isAws: true, staysHere: false, areCredentialsMadeUp: true }, 'aws'],
  ['this machine', { isAws: false, staysHere: true, areCredentialsMadeUp: false }, 'none'],
  ['elsewhere, made-up credentials', { isAws: false, staysHere: false, areCredentialsMadeUp: true }, 'none'],
  ['elsewhere, real credentials', { isAws: false, staysHere: false, areCredentialsMadeUp: false }, 'perhaps'],
] as const)('who may pay for %s', (_, facts, billing) => {
  expect(billingOf(facts)).toBe(billing);
});

test('a server that is not known to be AWS is called so, in the announcement and in the refusal', () => {
  expect(statementText({ ...statement, billing: 'perhaps' })).toMatch(
    /^This run leaves .* not known to be AWS/,
  );
  expect(refusedConsent('nobodyToAsk', 'perhaps')).toMatchObject({
    code: 'REFUSED_WITHOUT_CONSENT',
    exitCode: 5,
    why: expect.stringContaining('not known to be AWS'),
    fix: expect.stringContaining('--yes'),
  });
});

const statement: RunStatement = {
  billing: 'aws',
  accountId: '123456789012',
  region: 'eu-west-1',
  endpoint: 'https://dynamodb.eu-west-1.amazonaws.com',
  tables: ['a', 'b'],
  tableUse: 'created',
  readUnits: 1_000,
  writeUnits: 2_000_000,
  duration: { leastMs: 300_000, mostMs: 1_020_000 },
  cost: priceRun({
    load: { readUnits: 1_000, writeUnits: 2_000_000 },
    preload: { readUnits: 0, writeUnits: 0 },
    provisioned: { readUnits: 0, writeUnits: 0, hours: 1 },
    isLowerBound: false,
    warmedResources: 1,
    insights: null,
    cloudWatchMetrics: 0,
  }),
  maximumUsd: 5,
  remarks: ['something else'],
};

test('says account, region, tables, units, duration, price and its basis', () => {
  const text = statementText(statement);
  for (const part of [
    'account   123456789012',
    'region    eu-west-1',
    'created and deleted: a, b',
    '2,000,000 write and 1,000 read units',
    '5 to 17 min',
    'at least 1.25 USD: load 1.25 USD; warm throughput of 1 table or index unpriced',
    'as of 2026-07-30',
    'stops at  5.00 USD',
    'note      something else',
  ])
    expect(text).toContain(part);
});

test.each([
  [{ accountId: undefined }, 'account   unknown'],
  [{ tableUse: 'written' as const }, 'WRITTEN TO'],
  [{ tables: Array.from({ length: 11 }, (_, index) => `t${index}`) }, 't7 and 3 more'],
])('%j', (given, text) => {
  expect(statementText({ ...statement, ...given })).toContain(text);
});

const plan = planOf({ stages: stagesOf({ seconds: 120 }), workloads: [{ load: perSecond(1_000) }] });

const input = {
  billing: 'aws' as const,
  accountId: undefined,
  region: 'us-east-1',
  endpoint: 'x',
  plans: [plan, plan],
  repeats: 3,
  isTableExisting: false,
  keepTables: false,
  isWarmingAllowed: false,
  cloudWatch: false,
  insights: undefined,
  maximumUsd: undefined,
  remarks: [],
};

test('counts every repeat of every variant', () => {
  const { writeUnits, duration, cost } = runStatement(input);
  expect(writeUnits).toBe(120_000 * 2 * 3);
  expect(duration).toEqual({ leastMs: 720_000, mostMs: 720_000 });
  expect(cost.usd).toBeCloseTo(0.45, 10);
});

const reader: RunPlan = {
  ...plan,
  workloads: [],
  onlyReads: true,
  preloads: [{ name: 'p', tableName: 't', count: 100, itemAt: () => ({ PK: { S: 'a' } }) }],
};

test.each([
  ['of its own for each of six runs', false, 6],
  ['shared by six runs', true, 1],
])('a table %s is filled and watched as often', (_, sharesTables, times) => {
  const plans = [reader, reader].map((one) => ({ ...one, sharesTables }));
  const { writeUnits, cost } = runStatement({
    ...input,
    plans,
    insights: 'accessed',
    isWarmingAllowed: true,
  });
  expect(writeUnits).toBe(times * 100);
  expect(cost.parts.map(({ what }) => what)).toEqual([
    'load',
    'preload',
    `Contributor Insights, ${2 * times} rules and their events`,
    expect.stringContaining(`warm throughput of ${times} `),
  ]);
});

test.each([
  ['six tables, eleven minutes each', false, 6 * 10, 1],
  ['one table for sixty-six minutes', true, 10, 2],
])('provisioned capacity is paid for %s', (_, sharesTables, units, hours) => {
  const tables = plan.tables.map(
    (table): TableSpec => ({
      ...table,
      billing: { mode: 'provisioned', readUnits: 0, writeUnits: 10 },
    }),
  );
  const stages = stagesOf({ seconds: 660 });
  const plans = [reader, reader].map((one) => ({ ...one, tables, sharesTables, stages }));
  const { cost } = runStatement({ ...input, plans });
  const part = cost.parts.find(({ what }) => what.startsWith('provisioned'));
  expect(part?.what).toBe(`provisioned capacity, ${hours} h begun`);
  expect(part?.usd).toBeCloseTo(units * hours * usEast1Prices.provisionedWriteUsdPerHour, 10);
});

test('adds idle minutes, rules and metrics where the service is asked', () => {
  const { duration, cost } = runStatement({ ...input, cloudWatch: true, insights: 'accessed' });
  expect(duration).toEqual({ leastMs: 6 * 300_000, mostMs: 6 * 1_020_000 });
  expect(cost.parts.map(({ what }) => what)).toEqual([
    'load',
    'CloudWatch GetMetricData (price not confirmed)',
    // A table without a sort key: two rules, in each of six runs.
    'Contributor Insights, 12 rules and their events',
  ]);
});

test('says that a scenario’s warm start is left out, or what it means where it is not', () => {
  expect(runStatement(input).remarks.join()).toContain('needs --allow-warm-throughput');
  const allowed = runStatement({ ...input, isWarmingAllowed: true });
  expect(allowed.remarks.join()).toContain('cannot be lowered');
  expect(allowed.cost.isLowerBound).toBe(true);
});
