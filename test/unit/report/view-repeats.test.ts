// Aim: the table of repeats tells the spread of each figure and its median, halfway between the middle two where their
// count is even. Method: runs with repeats of given medians.
import { expect, test } from 'vitest';
import { repeatsTable } from '../../../src/report/view-repeats.ts';
import { repeatedRun } from '../../support/repeated-run.ts';

function p50Cells(...mediansUs: readonly number[]): readonly string[] {
  const table = repeatsTable(repeatedRun([{ name: 'a', mediansUs }]));
  const place = table?.columns.findIndex(({ head }) => head === 'p50 ms') ?? -1;
  return table?.rows.map((row) => row[place]?.text ?? '') ?? [];
}

test.each<[number[], string]>([
  [[4_000, 40_000], '4 – 22 – 40'],
  [[40_000, 4_000, 5_000], '4 – 5 – 40'],
  [[40_000, 2_000, 6_000, 4_000], '2 – 5 – 40'],
])('repeats with medians of %j µs', (mediansUs, expected) => {
  expect(p50Cells(...mediansUs).map((text) => text.replaceAll(/\.0+\b/g, ''))).toEqual([expected]);
});

test('a variant that ran once has no spread', () => {
  expect(repeatsTable(repeatedRun([{ name: 'a', mediansUs: [4_000] }]))).toBeNull();
});
