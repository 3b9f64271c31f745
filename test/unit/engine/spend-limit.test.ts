// Aim: what answers report is added up in money, and the limit is told once. Method: outcomes by hand.
import { expect, test } from 'vitest';
import type { Outcome } from '../../../src/dynamodb/outcome.ts';
import { MeteredTarget, SpendMeter } from '../../../src/engine/spend-limit.ts';
import { putRequest } from '../../support/plan-builder.ts';

const consumed = [
  {
    tableName: 't',
    table: { readUnits: 0, writeUnits: 2 },
    globalIndexes: { GSI1: { readUnits: 0, writeUnits: 3 } },
    localIndexes: { local: { readUnits: 4, writeUnits: 0 } },
  },
];

function meterOf(maximumUsd: number, fixedUsd = 0): { meter: SpendMeter; reached: number[] } {
  const reached: number[] = [];
  return {
    meter: new SpendMeter({ maximumUsd, fixedUsd, reached: (usd) => void reached.push(usd) }),
    reached,
  };
}

test.each<[string, Outcome, number, number]>([
  ['ok', { kind: 'ok', consumed, output: {} }, 4, 5],
  ['partial', { kind: 'partial', sentItems: 2, unprocessedItems: 1, consumed, output: {} }, 4, 5],
  ['conditionFailed', { kind: 'conditionFailed', estimated: consumed }, 4, 5],
  ['conflict', { kind: 'conflict', estimated: consumed }, 4, 5],
  ['throttled, which is not billed', { kind: 'throttled', reasons: [], exception: 'x' }, 0, 0],
  ['failed', { kind: 'failed', code: 'x', message: '' }, 0, 0],
])('%s', (_, outcome, readUnits, writeUnits) => {
  const { meter } = meterOf(Number.POSITIVE_INFINITY);
  meter.count(outcome);
  expect(meter.units).toEqual({ readUnits, writeUnits });
  // 0.125 and 0.625 USD a million.
  expect(meter.usd).toBeCloseTo((readUnits * 0.125 + writeUnits * 0.625) / 1e6, 12);
});

test('tells once that the limit is reached, what is fixed included', () => {
  const { meter, reached } = meterOf(0.00001, 0.000005);
  const outcome: Outcome = {
    kind: 'ok',
    consumed: [{ tableName: 't', table: { readUnits: 0, writeUnits: 4 } }],
    output: {},
  };
  meter.count(outcome); // 0.0000075
  expect(reached).toEqual([]);
  meter.count(outcome); // 0.00001
  meter.count(outcome);
  expect(reached).toHaveLength(1);
});

test('a metered target answers as the target does', () => {
  const { meter } = meterOf(1);
  const outcome: Outcome = { kind: 'ok', consumed, output: {} };
  const target = new MeteredTarget({ send: (_, startUs, done) => done(outcome, startUs + 5) }, meter);
  const seen: [Outcome, number][] = [];
  target.send(
    { request: putRequest('k'), workloadIndex: 0, sequence: 0, part: 0 },
    10,
    (...end) => void seen.push(end),
  );
  expect(seen).toEqual([[outcome, 15]]);
  expect(meter.units.writeUnits).toBe(5);
});

test('units that other threads have added up count as well', () => {
  const { meter, reached } = meterOf(0.00001);
  meter.countUnits({ readUnits: 8, writeUnits: 8 }); // 0.000006
  expect(reached).toEqual([]);
  meter.countUnits({ readUnits: 0, writeUnits: 8 });
  meter.countUnits({ readUnits: 0, writeUnits: 8 });
  expect(reached).toHaveLength(1);
  expect(meter.units).toEqual({ readUnits: 8, writeUnits: 24 });
});
