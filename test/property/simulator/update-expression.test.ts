// Aim: laws of updates and projections over any item. Method: random items, a fixed set of updates that reach
// into every kind of place.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ApiError } from '../../../src/dynamodb/api-error.ts';
import { mapsEqual } from '../../../src/dynamodb/value-equality.ts';
import { parseProjection, pickPaths, project } from '../../../src/simulator/expression/projection.ts';
import { applyUpdate, type UpdatedItem } from '../../../src/simulator/expression/update-evaluator.ts';
import { parseUpdate } from '../../../src/simulator/expression/update-parser.ts';
import { attributeMap, attributeValue } from '../../support/attribute-values.ts';

const seed = 20_260_113;

const updates = [
  'SET a = :v',
  'SET a.b = :v',
  'SET a[1] = :v, a[0] = :v',
  'SET a.b.c = :v, b[0].a = :v',
  'SET a = b, b = a',
  'SET c = if_not_exists(a, :v), b = list_append(:l, :l)',
  'ADD c :n, a.n :n',
  'ADD a :s DELETE b :s',
  'REMOVE a, b[0], b[1], c.a',
  'SET #p = :v REMOVE #c',
];
const placeholders = { names: { '#p': '__proto__', '#c': 'constructor' } };
const fixed = { ':n': { N: '1' }, ':s': { SS: ['x'] }, ':l': { L: [{ S: 'x' }] } };

function update(
  ...[text, item, value]: [string, Parameters<typeof applyUpdate>[1], object]
): UpdatedItem | undefined {
  try {
    return applyUpdate(parseUpdate(text), item, { ...placeholders, values: { ...fixed, ':v': value } });
  } catch (error) {
    // What does not fit the item is answered as DynamoDB does; anything else is a defect.
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

test('an update leaves its input untouched, whether it succeeds or not', () => {
  fc.assert(
    fc.property(attributeMap, attributeValue, fc.constantFrom(...updates), (item, value, text) => {
      const before = structuredClone(item);
      update(text, item, value);
      expect(item).toEqual(before);
    }),
    { seed },
  );
});

test('attributes that an update does not name are shared, not copied', () => {
  fc.assert(
    fc.property(attributeMap, attributeValue, (item, value) => {
      const updated = update('SET a = :v', item, value);
      const others = Object.keys(item).filter((name) => name !== 'a');
      expect(others.every((name) => updated?.item[name] === item[name])).toBe(true);
    }),
    { seed },
  );
});

test('SET and then REMOVE of a new attribute is no change', () => {
  fc.assert(
    fc.property(attributeMap, attributeValue, (item, value) => {
      const { zz: _, ...without } = item;
      const added = update('SET zz = :v', without, value);
      const removed = added && update('REMOVE zz', added.item, value);
      expect(removed && mapsEqual(removed.item, without)).toBe(true);
    }),
    { seed },
  );
});

test('a projection of top-level names is a part of the item, and projecting twice changes nothing', () => {
  const node = parseProjection('a, b, #p, #c');
  fc.assert(
    fc.property(attributeMap, (item) => {
      const once = project(node, item, placeholders);
      for (const name of Object.keys(once)) expect(once[name]).toBe(item[name]);
      expect(project(node, once, placeholders)).toEqual(once);
    }),
    { seed },
  );
});

test('picking every top-level path gives the whole item', () => {
  fc.assert(
    fc.property(attributeMap, (item) => {
      expect(
        pickPaths(
          item,
          Object.keys(item).map((name) => [name]),
        ),
      ).toEqual(item);
    }),
    { seed },
  );
});
