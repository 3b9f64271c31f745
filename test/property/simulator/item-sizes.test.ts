// Laws of what sizes are kept in where items are not: it knows each key once, with its last size, whatever the texts
// and however their hashes fall.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HashIndex } from '../../../src/simulator/hash-index.ts';
import { ItemSizes } from '../../../src/simulator/item-sizes.ts';

/** Half of them so few that keys come again; the rest of any UTF-16 units, unpaired surrogates among them. */
const text = fc.oneof(
  fc.constantFrom('', 'a', 'ab', 'b', '\u0001a', '\u007f', '\u0080', 'é', '\ud83d', '\uffff'),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 })
    .map((units) => String.fromCharCode(...units)),
);

const put = fc.record({ partition: text, sort: text, sizeBytes: fc.integer({ min: 1, max: 409_600 }) });

test('sizes are those of a map by both texts', () => {
  fc.assert(
    fc.property(fc.array(put, { maxLength: 3_000, size: 'max' }), (puts) => {
      const sizes = new ItemSizes();
      const expected = new Map<string, number>();
      for (const { partition, sort, sizeBytes } of puts) {
        const key = JSON.stringify([partition, sort]);
        const number = sizes.find(partition, sort);
        expect(number < 0 ? undefined : sizes.bytesOf(number)).toBe(expected.get(key));
        if (number < 0) sizes.add(partition, sort, sizeBytes);
        else sizes.setBytes(number, sizeBytes);
        expected.set(key, sizeBytes);
      }
      for (const { partition, sort } of puts) {
        const number = sizes.find(partition, sort);
        expect(sizes.bytesOf(number)).toBe(expected.get(JSON.stringify([partition, sort])));
      }
      expect(sizes.count).toBe(expected.size);
      expect(sizes.totalBytes).toBe([...expected.values()].reduce((sum, bytes) => sum + bytes, 0));
    }),
    { numRuns: 30, seed: 1 },
  );
});

/** Few hashes, some of them side by side and some at the end of the slots, so that runs join and go around. */
const hash = fc.oneof(
  fc.integer({ min: -4, max: 4 }),
  fc.constantFrom(1_023, 2_047, 4_095, -2_147_483_648, 2_147_483_647),
  fc.integer(),
);

test('an index by hash gives all numbers of a hash, and no others', () => {
  fc.assert(
    fc.property(fc.array(hash, { maxLength: 1_500, size: 'max' }), (hashes) => {
      const index = new HashIndex();
      for (const [number, each] of hashes.entries()) index.add(each, number);
      const expected = new Map<number, number[]>();
      for (const [number, each] of hashes.entries())
        expected.set(each, [...(expected.get(each) ?? []), number]);
      for (const each of [...expected.keys(), 77]) {
        const found: number[] = [];
        for (let place = index.first(each); place >= 0; place = index.next(place, each))
          found.push(index.numberAt(place));
        expect(found.toSorted((a, b) => a - b)).toEqual(expected.get(each) ?? []);
      }
    }),
    { numRuns: 40, seed: 1 },
  );
});
