// Laws of what items are kept in: a chunked list and an item collection behave as a sorted array, and sort texts
// order as DynamoDB compares scalars.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AttributeValue } from '../../../src/dynamodb/attribute-value.ts';
import { encodeBase64 } from '../../../src/dynamodb/base64.ts';
import { compareScalar } from '../../../src/dynamodb/key-text.ts';
import { ChunkedList } from '../../../src/simulator/chunked-list.ts';
import { ItemCollection } from '../../../src/simulator/item-collection.ts';
import { afterPrefix, joinedSortText, sortText } from '../../../src/simulator/sort-text.ts';
import { StoredEntry } from '../../../src/simulator/stored-entry.ts';

class NumberList extends ChunkedList<number> {
  protected override order(left: number, right: number): number {
    return left - right;
  }
}

const step = fc.record({ value: fc.integer({ min: 0, max: 3_000 }), isRemoval: fc.boolean() });

test('a chunked list holds what a sorted set holds, whatever is added and removed', () => {
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 1, maxLength: 4_000, size: 'max' }),
      fc.integer({ min: 0, max: 3_000 }),
      (steps, border) => {
        const list = new NumberList();
        const set = new Set<number>();
        for (const { value, isRemoval } of steps) {
          if (isRemoval) {
            expect(list.remove(value) !== undefined).toBe(set.delete(value));
          } else if (!set.has(value)) {
            list.add(value);
            set.add(value);
          }
        }
        const sorted = [...set].toSorted((left, right) => left - right);
        const read: number[] = [];
        for (let position = 0; list.at(position) !== undefined; position = list.after(position))
          read.push(list.at(position) as number); // Looked at in the loop's condition.
        expect(read).toEqual(sorted);
        expect(list.count).toBe(sorted.length);
        expect(list.at(list.firstPosition((value) => value >= border))).toBe(
          sorted.find((value) => value >= border),
        );
      },
    ),
    { numRuns: 30, seed: 1 },
  );
});

/**
 * Sort keys that rise with small steps back, as those by time do when answers overtake each other; others
 * fall, or go anywhere.
 */
const sortKeys = fc.oneof(
  fc
    .array(fc.integer({ min: -30, max: 40 }), { maxLength: 400, size: 'max' })
    .map((steps) => steps.map((step, index) => 10 * index + step)),
  fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: 400, size: 'max' }),
  fc.integer({ min: 0, max: 100 }).map((count) => Array.from({ length: count }, (_, index) => -index)),
);

function sortsRead(collection: ItemCollection, isForward: boolean): string[] {
  const sorts: string[] = [];
  const next = collection.read(undefined, isForward, undefined);
  for (let entry = next(); entry !== undefined; entry = next()) sorts.push(entry.sort);
  return sorts;
}

test('a collection holds what a sorted set holds, whenever it is read and whatever is taken out', () => {
  const entry = (sort: string) => new StoredEntry('p', sort, {}, 1, undefined);
  // What happens after each key was added: mostly nothing.
  const then = fc.constantFrom('nothing', 'nothing', 'nothing', 'nothing', 'read', 'remove');
  fc.assert(
    fc.property(sortKeys, fc.infiniteStream(then), (keys, events) => {
      const collection = new ItemCollection('p');
      const expected = new Set<string>();
      for (const key of keys) {
        const sort = String(1_000_000 + key);
        expect(collection.find(entry(sort))?.sort).toBe(expected.has(sort) ? sort : undefined);
        if (!expected.has(sort)) collection.add(entry(sort));
        expected.add(sort);
        const event = events.next().value;
        if (event === 'read') expect(sortsRead(collection, false)).toEqual([...expected].sort().reverse());
        if (event !== 'remove') continue;
        const [removed = ''] = expected;
        collection.remove(entry(removed));
        expected.delete(removed);
      }
      expect(collection.count).toBe(expected.size);
      for (const sort of expected) expect(collection.find(entry(sort))?.sort).toBe(sort);
      expect(sortsRead(collection, true)).toEqual([...expected].sort());
    }),
    { numRuns: 300, seed: 1 },
  );
});

const scalars: readonly [string, fc.Arbitrary<AttributeValue>][] = [
  ['strings', fc.record({ S: fc.string({ unit: 'binary', maxLength: 6 }) })],
  [
    'numbers',
    fc
      .tuple(fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }), fc.integer({ min: -20, max: 20 }))
      .map(([digits, exponent]) => ({ N: `${digits}e${exponent}` })),
  ],
  ['binary', fc.record({ B: fc.uint8Array({ maxLength: 5 }).map(encodeBase64) })],
];

test.each(scalars)('sort texts of %s order as the values do', (_, scalar) => {
  fc.assert(
    fc.property(scalar, scalar, (left, right) => {
      const [one, other] = [sortText(left), sortText(right)];
      expect(Math.sign(one < other ? -1 : one > other ? 1 : 0)).toBe(Math.sign(compareScalar(left, right)));
    }),
    { numRuns: 2_000, seed: 1 },
  );
});

test('between a prefix and its end stands exactly what begins with it', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '￿', '😀'), maxLength: 5 });
  fc.assert(
    fc.property(
      text,
      text.filter((prefix) => prefix !== ''),
      (whole, prefix) => {
        const [value, low] = [sortText({ S: whole }), sortText({ S: prefix })];
        const high = afterPrefix(low);
        const isWithin = value >= low && (high === undefined || value < high);
        expect(isWithin).toBe(whole.startsWith(prefix));
      },
    ),
    { numRuns: 2_000, seed: 1 },
  );
});

test('joined sort texts order by the first value, then by the second', () => {
  // Zeros and prefixes are where marks between values could go wrong.
  const text = fc.string({ unit: fc.constantFrom('\0', '\u0001', 'a', 'b', '\uffff'), maxLength: 4 });
  const value = fc.oneof(
    text.map((S): AttributeValue => ({ S })),
    fc.integer({ min: -50, max: 50 }).map((N): AttributeValue => ({ N: String(N) })),
  );
  const pairs = fc.tuple(value, value, value, value);
  fc.assert(
    fc.property(pairs, ([one, two, three, four]) => {
      fc.pre(Object.keys(one)[0] === Object.keys(three)[0] && Object.keys(two)[0] === Object.keys(four)[0]);
      const left = joinedSortText([one, two]);
      const right = joinedSortText([three, four]);
      const order = compareScalar(one, three) || compareScalar(two, four);
      expect(Math.sign(order)).toBe(left === right ? 0 : left < right ? -1 : 1);
    }),
    { numRuns: 2_000, seed: 1 },
  );
});
