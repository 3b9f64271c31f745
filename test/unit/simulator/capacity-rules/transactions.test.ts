// Aim: what transactions cost, and their repetitions. Method: items of exact sizes and one request, or the same one
// twice; the names of the rows are the rules.
import { describe, expect, test } from 'vitest';
import {
  Check,
  costOf,
  costs,
  databaseOf,
  isNew,
  item,
  KB,
  key,
  Put,
  set,
  transact,
} from '../../../support/priced-requests.ts';

describe('1.4 transactions', () => {
  costs([
    ['a put pays twice', [], 'TransactWriteItems', transact(Put(item({}, 1.5 * KB))), { t: 4 }],
    [
      'a put that replaces pays twice for the larger',
      [item({}, 3 * KB)],
      'TransactWriteItems',
      transact(Put(item({}, 100))),
      { t: 6 },
    ],
    [
      'an update pays twice for the whole item',
      [item({}, 2 * KB)],
      'TransactWriteItems',
      transact({ Update: { TableName: 't', Key: key(), ...set({ body: '' }) } }),
      { t: 4 },
    ],
    [
      'a delete pays twice',
      [item({}, 2 * KB)],
      'TransactWriteItems',
      transact({ Delete: { TableName: 't', Key: key() } }),
      { t: 4 },
    ],
    [
      'a delete of an absent item costs 2',
      [],
      'TransactWriteItems',
      transact({ Delete: { TableName: 't', Key: key() } }),
      { t: 2 },
    ],
    [
      'index entries pay once',
      [],
      'TransactWriteItems',
      transact(Put(item({ state: 'open', at: '1', rank: '1' }, 1.5 * KB))),
      { t: 4, wide: 2, localWide: 2 },
    ],
    [
      'an entry that moves pays once for each of its places',
      [item({ state: 'open', at: '1' }, 1.5 * KB)],
      'TransactWriteItems',
      transact(Put(item({ state: 'done', at: '1' }, 1.5 * KB))),
      { t: 4, wide: 4 },
    ],
    [
      'a ConditionCheck pays twice for the item it reads, in write units',
      [item({}, 2 * KB)],
      'TransactWriteItems',
      transact(Check('s')),
      { t: 4 },
    ],
    [
      'a ConditionCheck of an absent item costs 2',
      [],
      'TransactWriteItems',
      transact(Check('s', isNew)),
      { t: 2 },
    ],
    [
      'a condition on a put adds nothing',
      [],
      'TransactWriteItems',
      transact(Put(item({}, KB), isNew)),
      { t: 2 },
    ],
    // Two for the put, two for the check that fails: what was prepared is believed to be charged.
    [
      'a transaction cancelled by a condition pays for what it prepared, and for no index',
      [],
      'TransactWriteItems',
      transact(Put(item({ state: 'open', at: '1' }, KB)), Check('absent')),
      { t: 4 },
    ],
  ]);
});

describe('1.4 transactions, repeated', () => {
  test.each([
    ['an item of 1.5 KB costs 4 write units first and 2 read units after', 1.5 * KB, [0, 4], [2, 0]],
    ['a repetition rounds to 4 KB and pays twice', 4 * KB + 1, [0, 10], [4, 0]],
  ])('%s', (_, bytes, first, second) => {
    const db = databaseOf([]);
    const input = { ...transact(Put(item({}, bytes))), ClientRequestToken: 'once' };
    const unitsOf = () =>
      db.ok('TransactWriteItems', input).consumed.map(({ table: own }) => [own.readUnits, own.writeUnits]);
    expect(unitsOf()).toEqual([first]);
    expect(unitsOf()).toEqual([second]);
  });

  test('a repetition after ten minutes is a transaction of its own', () => {
    const db = databaseOf([]);
    const input = { ...transact(Put(item({}, KB))), ClientRequestToken: 'once' };
    db.ok('TransactWriteItems', input);
    db.atUs += 10 * 60_000_000;
    expect(costOf(db.ok('TransactWriteItems', input))).toEqual({ t: 2 });
    expect(db.ok('GetItem', { TableName: 't', Key: key() }).output.Item).toBeDefined();
  });
});
