// Aim: the heat over time in a record is bounded, keeps the hottest keys, and its rates are means of seconds.
// Method: demand series by hand.
import { expect, test } from 'vitest';
import { MOST_HEAT_KEYS, MOST_HEAT_WINDOWS } from '../../../src/analysis/records/heat.ts';
import type { DemandSeries } from '../../../src/capacity/resource-observation.ts';
import { heatOf } from '../../../src/engine/heat-record.ts';

const silence: DemandSeries = { totalUnitsPerSecond: [], heavyKeys: [] };

function demand(keys: Record<string, readonly number[]>, coldPerSecond = 0): DemandSeries {
  const rows = Object.entries(keys).map(([key, unitsPerSecond]) => ({ key, unitsPerSecond }));
  const seconds = rows[0]?.unitsPerSecond.length ?? 0;
  const totalUnitsPerSecond = Array.from({ length: seconds }, (_, second) =>
    rows.reduce((sum, row) => sum + (row.unitsPerSecond[second] ?? 0), coldPerSecond),
  );
  return { totalUnitsPerSecond, heavyKeys: rows };
}

test('a short run keeps each second, the hottest key first, and a side without demand empty', () => {
  const writeDemand = demand({ a: [10, 20, 30], b: [100, 200, 300] });
  expect(heatOf({ readDemand: silence, writeDemand })).toEqual({
    windowSeconds: 1,
    keys: [
      { key: 'b', read: [], write: [100, 200, 300] },
      { key: 'a', read: [], write: [10, 20, 30] },
    ],
  });
});

test('a key that is hot for its readers only is kept', () => {
  const heat = heatOf({ readDemand: demand({ r: [5, 5] }), writeDemand: demand({ w: [900, 900] }) });
  expect(heat?.keys).toEqual([
    { key: 'r', read: [5, 5], write: [] },
    { key: 'w', read: [], write: [900, 900] },
  ]);
});

test('121 seconds become windows of three, the last one of one second, as mean rates', () => {
  const rates = Array.from({ length: 121 }, (_, second) => second);
  const heat = heatOf({ readDemand: silence, writeDemand: demand({ a: rates }) });
  expect(heat?.windowSeconds).toBe(3);
  expect(heat?.keys[0]?.write.slice(0, 2)).toEqual([1, 4]);
  expect(heat?.keys[0]?.write.at(-1)).toBe(120);
});

test('a day of 256 keys stays within its bounds', () => {
  const keys = Object.fromEntries(
    Array.from({ length: 256 }, (_, key) => [`k${key}`, Array.from({ length: 1_800 }, () => key + 1)]),
  );
  const heat = heatOf({ readDemand: silence, writeDemand: demand(keys) });
  expect(heat?.keys).toHaveLength(MOST_HEAT_KEYS);
  expect(heat?.keys[0]).toMatchObject({ key: 'k255' });
  expect(heat?.keys[0]?.write).toHaveLength(MOST_HEAT_WINDOWS);
});

test('keys that all take less than a two-hundredth are not hot', () => {
  expect(heatOf({ readDemand: silence, writeDemand: demand({ a: [1, 1] }, 999) })).toBeUndefined();
  expect(heatOf({ readDemand: silence, writeDemand: silence })).toBeUndefined();
});
