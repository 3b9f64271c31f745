// Aim: sort texts order as DynamoDB orders sort keys. Method: rows of values in their right order; random
// values in test/property/simulator.
import { expect, test } from 'vitest';
import type { AttributeValue } from '../../../src/dynamodb/attribute-value.ts';
import { encodeBase64 } from '../../../src/dynamodb/base64.ts';
import { afterPrefix, sortText } from '../../../src/simulator/sort-text.ts';

function numbers(...texts: string[]): AttributeValue[] {
  return texts.map((text) => ({ N: text }));
}

function binaries(...values: number[][]): AttributeValue[] {
  return values.map((bytes) => ({ B: encodeBase64(Uint8Array.from(bytes)) }));
}

test.each<[string, readonly AttributeValue[]]>([
  ['strings by their bytes in UTF-8', ['', 'A', 'AB', 'a', 'ü', '￿', '😀'].map((S) => ({ S }))],
  [
    'numbers by value',
    numbers(
      '-1e20',
      '-100',
      '-1.5',
      '-1',
      '-0.015',
      '0',
      '1e-130',
      '0.5',
      '1',
      '1.5',
      '2',
      '10',
      '120',
      '1e125',
    ),
  ],
  ['binary by its bytes', binaries([0], [0, 0], [0, 1], [1], [127], [128], [255], [255, 0])],
])('%s', (_, values) => {
  const texts = values.map(sortText);
  expect(texts.toSorted((left, right) => (left < right ? -1 : 1))).toEqual(texts);
  expect(new Set(texts).size).toBe(texts.length);
});

test.each([
  ['1', '1.0'],
  ['100', '1e2'],
  ['0', '-0'],
])('%s and %s are one key', (one, other) => {
  expect(sortText({ N: one })).toBe(sortText({ N: other }));
});

test('the end of a prefix stands behind everything that begins with it, and before the rest', () => {
  const end = afterPrefix('ORDER#') ?? '';
  expect('ORDER#￿￿' < end).toBe(true);
  expect('ORDER$' < end).toBe(false);
  expect(afterPrefix('￿')).toBeUndefined();
});
