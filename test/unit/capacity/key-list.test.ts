// Aim: all keys are listed while they are few; of too many the coldest go; the hottest keep their demand by
// second. Method: small bounds, so that the rules show with a handful of keys.
import { expect, test } from 'vitest';
import { capacityModels } from '../../../src/capacity/capacity-model.ts';
import { KeyList } from '../../../src/capacity/key-list.ts';
import { KeyState } from '../../../src/capacity/key-state.ts';
import { Partition } from '../../../src/capacity/partition.ts';
import { SortKeys } from '../../../src/capacity/sort-keys.ts';

const partition = Partition.fresh(
  0,
  { from: { position: 0, sort: '' }, until: { position: 1, sort: '' } },
  { model: capacityModels.default, backlogSeconds: 0 },
  0,
);

function listWith(maxListedKeys: number, maxHeavyKeys: number) {
  const list = new KeyList({ maxListedKeys, maxHeavyKeys });
  const add = (text: string) => {
    const key = new KeyState(text, 0, partition, 0);
    list.add(key);
    return key;
  };
  const warm = (key: KeyState, requests: number) => {
    for (let request = 0; request < requests; request++) list.warm(key, 3);
  };
  return { list, add, warm };
}

test('keys within the bound are all listed and counted exactly', () => {
  const { list, add } = listWith(10, 2);
  for (let index = 0; index < 10; index++) add(`S:${index}`);
  expect([...list.listed]).toHaveLength(10);
  expect(list).toMatchObject({ distinctCount: 10, isExact: true });
});

test('of too many keys the colder half is dropped and the list says that it is not exact', () => {
  const { list, add, warm } = listWith(10, 2);
  const keys = Array.from({ length: 10 }, (_, index) => add(`S:${index}`));
  keys.forEach((key, index) => warm(key, index));
  add('S:one too many');
  expect([...list.listed].map((key) => key.text)).toEqual([
    'S:5',
    'S:6',
    'S:7',
    'S:8',
    'S:9',
    'S:one too many',
  ]);
  expect(keys[0]?.isListed).toBe(false);
  expect(list).toMatchObject({ distinctCount: 11, isExact: false });
});

test('a key that was dropped and became hot is listed again', () => {
  const { list, add, warm } = listWith(4, 1);
  const dropped = add('S:late');
  for (const text of ['S:a', 'S:b', 'S:c']) warm(add(text), 5);
  add('S:d');
  expect(list.get('S:late')).toBeUndefined();
  warm(dropped, 100);
  expect(list.get('S:late')).toBe(dropped);
});

test('a key is heavy from its sixteenth request', () => {
  const { list, add, warm } = listWith(10, 2);
  const key = add('S:hot');
  warm(key, 15);
  expect(list.heavy).toEqual([]);
  warm(key, 1);
  expect(list.heavy).toEqual([key]);
});

test('a much hotter key takes the place of the coldest heavy one, and another does not', () => {
  const { list, add, warm } = listWith(10, 2);
  const [first, second, third, fourth] = [add('S:1'), add('S:2'), add('S:3'), add('S:4')];
  warm(first, 100);
  warm(second, 20);
  warm(third, 33);
  expect(list.heavy).toEqual([first, second]);
  warm(fourth, 64);
  expect(list.heavy).toEqual([first, fourth]);
  expect(second?.isHeavy).toBe(false);
});

test('a key that is cut inside stays heavy, however hot others are', () => {
  const { list, add, warm } = listWith(10, 2);
  const cut = add('S:cut');
  cut.sorts = new SortKeys(cut);
  cut.sorts.restore([
    { fromSort: '', sizeBytes: 1 },
    { fromSort: 'm', sizeBytes: 1 },
  ]);
  list.keepHeavy(cut);
  for (const [index, text] of ['S:a', 'S:b', 'S:c'].entries()) warm(add(text), 16 * 4 ** (index + 1));
  expect(list.heavy.map(({ text }) => text)).toEqual(['S:cut', 'S:c']);
});

test('there is no room for more heavy keys than the bound', () => {
  const { list, add } = listWith(10, 1);
  for (const text of ['S:a', 'S:b', 'S:a']) list.keepHeavy(list.get(text) ?? add(text));
  expect(list.heavy.map(({ text }) => text)).toEqual(['S:a']);
});
