// Aim: laws of values: marshalling loses nothing, sizes add up, equality is an equivalence, and order of keys
// is total. Method: random values of every type, nested.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { itemSizeBytes, utf8Bytes, valueSizeBytes } from '../../../src/dynamodb/item-size.ts';
import { compareBase64, compareScalar, compareUtf8, keyText } from '../../../src/dynamodb/key-text.ts';
import { marshalItem, unmarshalItem } from '../../../src/dynamodb/marshal.ts';
import { canonicalNumber } from '../../../src/dynamodb/number.ts';
import { mapsEqual, valuesEqual } from '../../../src/dynamodb/value-equality.ts';
import { attributeMap, attributeValue } from '../../support/attribute-values.ts';

const seed = 20_260_112;

test('an item read and written again is the same item', () => {
  fc.assert(
    fc.property(attributeMap, (item) => {
      const again = marshalItem(unmarshalItem(item));
      expect(mapsEqual(again, item)).toBe(true);
      expect(itemSizeBytes(again)).toBe(itemSizeBytes(item));
    }),
    { seed },
  );
});

describe('sizes', () => {
  test('of an item are the sum of its names and values', () => {
    fc.assert(
      fc.property(attributeMap, (item) => {
        const parts = Object.entries(item).map(
          ([name, value]) => Buffer.byteLength(name) + valueSizeBytes(value),
        );
        expect(itemSizeBytes(item)).toBe(parts.reduce((sum, part) => sum + part, 0));
      }),
      { seed },
    );
  });

  test('of a map exceed those of an item with its attributes by 3, and 1 for each attribute', () => {
    fc.assert(
      fc.property(attributeMap, (item) => {
        expect(valueSizeBytes({ M: item })).toBe(itemSizeBytes(item) + 3 + Object.keys(item).length);
      }),
      { seed },
    );
  });

  test('of texts are those of their UTF-8 form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(utf8Bytes(text)).toBe(Buffer.byteLength(text));
      }),
      { seed },
    );
  });
});

describe('equality', () => {
  test('holds between a value and itself, and its size is a part of it', () => {
    fc.assert(
      fc.property(attributeValue, attributeValue, (left, right) => {
        expect(valuesEqual(left, left)).toBe(true);
        expect(valuesEqual(left, right)).toBe(valuesEqual(right, left));
        const isSameSize = valueSizeBytes(left) === valueSizeBytes(right);
        expect(isSameSize || !valuesEqual(left, right)).toBe(true);
      }),
      { seed },
    );
  });
});

const texts = fc.string({ maxLength: 6, unit: 'binary' });

describe('order of keys', () => {
  test('of strings is that of their UTF-8 bytes', () => {
    fc.assert(
      fc.property(texts, texts, (left, right) => {
        expect(Math.sign(compareUtf8(left, right))).toBe(
          Buffer.compare(Buffer.from(left), Buffer.from(right)),
        );
      }),
      { seed },
    );
  });

  test('of binary is that of the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 6 }), fc.uint8Array({ maxLength: 6 }), (left, right) => {
        const [one, two] = [Buffer.from(left), Buffer.from(right)];
        expect(Math.sign(compareBase64(one.toString('base64'), two.toString('base64')))).toBe(
          Buffer.compare(one, two),
        );
      }),
      { seed },
    );
  });

  test('says equal exactly where key texts are equal', () => {
    const number = fc.integer({ min: -20, max: 20 }).map((tenths) => ({ N: `${tenths / 10}` }));
    fc.assert(
      fc.property(number, number, (left, right) => {
        expect(compareScalar(left, right) === 0).toBe(keyText(left) === keyText(right));
        expect(canonicalNumber(left.N) === canonicalNumber(right.N)).toBe(keyText(left) === keyText(right));
      }),
      { seed },
    );
  });
});
