// Aim: shards of one key are taken together, other keys are not. Method: the hottest keys of a resource as
// rows, shares in percent.
import { expect, test } from 'vitest';
import { logicalKeyOf } from '../../../src/analysis/logical-key.ts';
import { buildKey } from '../../support/run-result-builder.ts';

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
