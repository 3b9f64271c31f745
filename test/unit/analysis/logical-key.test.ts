// Aim: shards of one key are taken together, other keys are not. Method: the hottest keys of a resource as
// rows, shares in percent.
import { expect, test } from 'vitest';
import { logicalKeyOf } from '../../../src/analysis/logical-key.ts';
import { buildKey } from '../../support/run-result-builder.ts';

const lone = (name: string, shareRatio: number) => ({ name, shardCount: 1, shareRatio });

test.each<[string, Record<string, number>, number, { name: string; shardCount: number; shareRatio: number }]>(
  [
    ['one key', { 'STATUS#PENDING': 1 }, 1, { name: 'STATUS#PENDING', shardCount: 1, shareRatio: 1 }],
    ['two shards', { 'S#0': 0.5, 'S#1': 0.4 }, 2, { name: 'S', shardCount: 2, shareRatio: 0.9 }],
    ['shards set off by a dot', { 'S.00': 0.5, 'S.01': 0.5 }, 2, { name: 'S', shardCount: 2, shareRatio: 1 }],
    [
      'a lone key that ends in a number',
      { 'ORDER#17': 0.5, 'USER#3': 0.4 },
      2,
      { name: 'ORDER#17', shardCount: 1, shareRatio: 0.5 },
    ],
    [
      'a hot key among cold ones that look alike',
      { 'ORDER#17': 0.5, 'ORDER#18': 0.01 },
      2,
      { name: 'ORDER#17', shardCount: 1, shareRatio: 0.5 },
    ],
    [
      'more shards than are listed',
      { 'S#0': 0.01, 'S#1': 0.01 },
      100,
      { name: 'S', shardCount: 100, shareRatio: 1 },
    ],
    [
      'shards of which a calculated suffix leaves one without demand',
      { 'S#0': 0.4, 'S#1': 0.3, 'S#3': 0.3 },
      3,
      { name: 'S', shardCount: 3, shareRatio: 1 },
    ],
    ['keys scattered over a table', { 'C#7': 0.02, 'C#315': 0.02, 'C#1851': 0.01 }, 2_000, lone('C#7', 0.02)],
    [
      'keys of which the first few are the hottest',
      { 'C#0': 0.1, 'C#1': 0.05, 'C#2': 0.033, 'C#3': 0.025, 'C#4': 0.02 },
      2_000,
      lone('C#0', 0.1),
    ],
    ['a hundred hot products of a thousand', { 'P#0': 0.008, 'P#1': 0.008 }, 1_000, lone('P#0', 0.008)],
    ['days in a row', { 'E#2026-01-01': 0.5, 'E#2026-01-02': 0.5 }, 2, lone('E#2026-01-01', 0.5)],
    ['bases that differ in the separator', { 'S#0': 0.5, 'S.1': 0.5 }, 2, lone('S#0', 0.5)],
  ],
)('%s', (_, shares, distinctKeys, expected) => {
  const keys = Object.entries(shares).map(([key, writeShare]) => buildKey(key, { writeShare }));
  const found = logicalKeyOf({ keys, distinctKeys }, 'write');
  expect(found).toMatchObject({ name: expected.name, shardCount: expected.shardCount });
  expect(found?.shareRatio).toBeCloseTo(expected.shareRatio, 12);
});

test('no keys, no logical key', () => {
  expect(logicalKeyOf({ keys: [], distinctKeys: 0 }, 'write')).toBeNull();
});
