// Aim: collections give ranges in both directions and go on after keys that vanished; scans follow the hash.
// Method: small stores by hand.
import { describe, expect, test } from 'vitest';
import { HASH_RANGE, placementSalt } from '../../../src/capacity/placement.ts';
import type { SortBounds } from '../../../src/simulator/item-collection.ts';
import { ItemStore } from '../../../src/simulator/item-store.ts';
import { StoredEntry } from '../../../src/simulator/stored-entry.ts';

function entry(partition: string, sort: string, base?: StoredEntry): StoredEntry {
  return new StoredEntry(partition, sort, {}, 10, base);
}

function storeOf(...entries: StoredEntry[]): ItemStore {
  const store = new ItemStore(placementSalt(1));
  for (const one of entries) store.add(one, store.collection(one.partition));
  return store;
}

function sortsRead(
  store: ItemStore,
  bounds: SortBounds | undefined,
  isForward: boolean,
  after?: string,
): string[] {
  const next = store
    .collection('p')
    ?.read(bounds, isForward, after === undefined ? undefined : entry('p', after));
  const sorts: string[] = [];
  for (let one = next?.(); one !== undefined; one = next?.()) sorts.push(one.sort);
  return sorts;
}

function placesScanned(store: ItemStore, from = 0, until = HASH_RANGE): string[] {
  const next = store.scan(from, until);
  const partitions: string[] = [];
  for (let one = next(); one !== undefined; one = next()) partitions.push(one.partition);
  return partitions;
}

const letters = ['a', 'b', 'c', 'd', 'e'];

describe('a collection', () => {
  const store = storeOf(...letters.map((letter) => entry('p', letter)));

  test.each<[string, SortBounds | undefined, string]>([
    ['everything without bounds', undefined, 'abcde'],
    ['from a low end on', { low: 'c' }, 'cde'],
    ['above a low end', { low: 'c', isLowExcluded: true }, 'de'],
    ['up to a high end', { high: 'c' }, 'abc'],
    ['below a high end', { high: 'c', isHighExcluded: true }, 'ab'],
    ['between two ends', { low: 'b', high: 'd' }, 'bcd'],
    ['nothing where the ends cross', { low: 'd', high: 'b' }, ''],
  ])('reads %s, in both directions', (_, bounds, expected) => {
    expect(sortsRead(store, bounds, true).join('')).toBe(expected);
    expect(sortsRead(store, bounds, false).join('')).toBe([...expected].toReversed().join(''));
  });

  test.each([
    ['forwards behind a key that is there', true, 'b', 'cde'],
    ['forwards behind a key that vanished', true, 'bb', 'cde'],
    ['backwards before a key that is there', false, 'd', 'cba'],
    ['backwards before a key that vanished', false, 'cc', 'cba'],
  ])('goes on %s', (_, isForward, after, expected) => {
    expect(sortsRead(store, undefined, isForward, after).join('')).toBe(expected);
  });

  test('of one entry obeys bounds and starts like any other', () => {
    const single = storeOf(entry('p', 'b'));
    expect(sortsRead(single, { low: 'a' }, true)).toEqual(['b']);
    expect(sortsRead(single, { low: 'c' }, true)).toEqual([]);
    expect(sortsRead(single, undefined, true, 'b')).toEqual([]);
    expect(sortsRead(single, undefined, false, 'c')).toEqual(['b']);
  });

  test('keeps index entries with equal keys in the order of the table key', () => {
    const items = ['y', 'x', 'z'].map((key) => entry(key, ''));
    const index = storeOf(...items.map((item) => entry('p', 'same', item)));
    const next = index.collection('p')?.read(undefined, true, undefined);
    const keys: string[] = [];
    for (let one = next?.(); one !== undefined; one = next?.()) keys.push(one.base.partition);
    expect(keys).toEqual(['x', 'y', 'z']);
  });
});

describe('a store', () => {
  test('forgets a collection of which nothing is left', () => {
    const one = entry('p', 'a');
    const store = storeOf(one);
    store.remove(one);
    expect(store.collection('p')).toBeUndefined();
    expect(store.entryCount).toBe(0);
    expect(placesScanned(store)).toEqual([]);
  });

  const keys = Array.from({ length: 500 }, (_, index) => `key-${index}`);

  test('scans by hash, the same for keys that came before and after the first scan', () => {
    const before = storeOf(...keys.map((key) => entry(key, '')));
    const after = storeOf(...keys.slice(0, 100).map((key) => entry(key, '')));
    placesScanned(after);
    for (const key of keys.slice(100)) after.add(entry(key, ''), undefined);
    expect(placesScanned(after)).toEqual(placesScanned(before));
    expect(placesScanned(before)).not.toEqual(keys);
  });

  test('scans segments that together make the whole', () => {
    const store = storeOf(...keys.map((key) => entry(key, '')));
    const borders = [0, 0.25, 0.5, 0.75, 1].map((ratio) => Math.ceil(ratio * HASH_RANGE));
    const segments = [0, 1, 2, 3].map((index) => placesScanned(store, borders[index], borders[index + 1]));
    expect(segments.flat()).toEqual(placesScanned(store));
    // 500 keys over four quarters: about 125 each.
    for (const segment of segments) expect(segment.length).toBeGreaterThan(80);
  });

  test('goes on scanning from the place of a key that vanished', () => {
    const gone = entry('key-7', '');
    const store = storeOf(...keys.filter((key) => key !== 'key-7').map((key) => entry(key, '')), gone);
    const all = placesScanned(store);
    const place = store.placeOf('key-7');
    store.remove(gone);
    const next = store.scan(place, HASH_RANGE);
    expect(next()?.partition).toBe(all[all.indexOf('key-7') + 1]);
  });
});
