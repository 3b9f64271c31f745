// Aim: what a write costs on indexes: the change of the entry that each holds. Method: a table with a wide
// and a narrow index of each kind, one write; the names of the rows are the rules.
import { describe, expect, test } from 'vitest';
import type { AttributeMap } from '../../../../src/dynamodb/attribute-value.ts';
import {
  type Cost,
  costOf,
  costs,
  databaseOf,
  entry,
  item,
  KB,
  key,
  put,
  send,
  set,
} from '../../../support/priced-requests.ts';
import { attributes } from '../../../support/simulated-orders.ts';

describe('1.6 secondary index writes', () => {
  costs([
    ['an item outside an index leaves it uncharged', [], 'PutItem', { Item: item({}, KB) }, { t: 1 }],
    [
      'an item that lacks one key attribute is outside',
      [],
      'PutItem',
      { Item: item({ state: 'open' }, KB) },
      { t: 1 },
    ],
    [
      'an entry that comes pays for itself',
      [],
      'PutItem',
      { Item: item(entry, 2.5 * KB) },
      { t: 3, wide: 3 },
    ],
    [
      'an entry that goes pays for itself',
      [item(entry, 2.5 * KB)],
      'DeleteItem',
      { Key: key() },
      { t: 3, wide: 3 },
    ],
    [
      'an entry whose key attribute is removed pays for what goes',
      [item(entry, 2.5 * KB)],
      'UpdateItem',
      { Key: key(), UpdateExpression: 'REMOVE #at', ExpressionAttributeNames: { '#at': 'at' } },
      { t: 3, wide: 3 },
    ],
    [
      'an entry that stays as it is costs nothing and has no arm',
      [item(entry, 2.5 * KB)],
      'PutItem',
      { Item: item(entry, 2.5 * KB) },
      { t: 3 },
    ],
    [
      'an entry whose projected attribute changes pays for the larger',
      [item(entry, 2.5 * KB)],
      'PutItem',
      { Item: item(entry, 200) },
      { t: 3, wide: 3 },
    ],
    // The guide's example: 2.3 KB, three units on the table, three for each place.
    [
      'an entry whose key changes pays for both places',
      [item(entry, 2.3 * KB)],
      'UpdateItem',
      { Key: key(), ...set({ at: '2' }) },
      { t: 3, wide: 6 },
    ],
    [
      'an entry that moves and shrinks has each place rounded on its own',
      [item(entry, 2.5 * KB)],
      'PutItem',
      { Item: item({ ...entry, at: '2' }, 200) },
      { t: 3, wide: 4 },
    ],
    [
      'a change outside the projection costs a narrow index nothing',
      [item({ city: 'x', note: 'n' }, 2 * KB)],
      'UpdateItem',
      { Key: key(), ...set({ body: 'other' }) },
      { t: 2 },
    ],
    [
      'a change inside the projection costs a narrow index what it holds',
      [item({ city: 'x', note: 'n' }, 2 * KB)],
      'UpdateItem',
      { Key: key(), ...set({ note: 'm' }) },
      { t: 2, narrow: 1 },
    ],
    [
      'an entry of a narrow index weighs what it holds, not what the item weighs',
      [],
      'PutItem',
      { Item: item({ city: 'x', note: 'n' }, 9 * KB) },
      { t: 9, narrow: 1 },
    ],
    [
      'local indexes pay by the same rules',
      [item({ rank: '1', mark: 'a' }, 1.5 * KB)],
      'UpdateItem',
      { Key: key(), ...set({ rank: '2' }) },
      { t: 2, localWide: 4 },
    ],
    [
      'every index pays for itself',
      [],
      'PutItem',
      { Item: item({ ...entry, city: 'x', rank: '1', mark: 'm' }, 1.5 * KB) },
      { t: 2, wide: 2, narrow: 1, localWide: 2, localKeys: 1 },
    ],
    [
      'members of a batch pay for their entries one by one',
      [],
      'BatchWriteItem',
      { RequestItems: { t: [put(item(entry, 500)), put(item({ ...entry, s: 'b' }, 1.5 * KB))] } },
      { t: 3, wide: 3 },
    ],
  ]);
});

describe('1.6 an entry is the same', () => {
  const stored: AttributeMap = {
    ...attributes({ p: 'p', s: 's', ...entry }),
    set: { SS: ['a', 'b'] },
    list: { L: [{ S: 'a' }, { S: 'b' }] },
  };

  test.each<[string, AttributeMap, Cost]>([
    ['whatever the order of a set', { set: { SS: ['b', 'a'] } }, { t: 1 }],
    ['unless the order of a list changes', { list: { L: [{ S: 'b' }, { S: 'a' }] } }, { t: 1, wide: 1 }],
  ])('%s', (_, changed, cost) => {
    expect(costOf(send([stored], 'PutItem', { Item: { ...stored, ...changed } }))).toEqual(cost);
  });

  test('local units are taken from the table, global ones from the index', () => {
    const db = databaseOf([]);
    db.ok('PutItem', { TableName: 't', Item: item({ ...entry, rank: '1' }, 1.5 * KB) });
    const { resources } = db.database.observe('t');
    expect(resources.map(({ name, write }) => [name, write.units])).toEqual([
      ['t', 4],
      ['t/wide', 2],
      ['t/narrow', 0],
    ]);
  });
});
