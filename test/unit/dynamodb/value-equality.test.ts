// Aim: equality by type and content as DynamoDB has it. Method: rows of equal and of different pairs, each
// checked both ways.
import { describe, expect, test } from 'vitest';
import {
  type AttributeValue,
  attributeOf,
  attributeTypeOf,
  setAttribute,
} from '../../../src/dynamodb/attribute-value.ts';
import { mapsEqual, valuesEqual } from '../../../src/dynamodb/value-equality.ts';

describe('valuesEqual', () => {
  test.each<[AttributeValue, AttributeValue]>([
    [{ S: 'a' }, { S: 'a' }],
    [{ N: '1' }, { N: '1.00' }],
    [{ B: 'AQ==' }, { B: 'AQ==' }],
    [{ BOOL: true }, { BOOL: true }],
    [{ NULL: true }, { NULL: true }],
    [{ SS: ['a', 'b'] }, { SS: ['b', 'a'] }],
    [{ NS: ['1', '2'] }, { NS: ['2.0', '1'] }],
    [{ BS: ['AQ==', 'Ag=='] }, { BS: ['Ag==', 'AQ=='] }],
    [{ L: [{ N: '1' }] }, { L: [{ N: '1.0' }] }],
    [{ M: { a: { S: 'x' }, b: { S: 'y' } } }, { M: { b: { S: 'y' }, a: { S: 'x' } } }],
  ])('%j equals %j', (left, right) => {
    expect(valuesEqual(left, right)).toBe(true);
    expect(valuesEqual(right, left)).toBe(true);
  });

  test.each<[AttributeValue, AttributeValue]>([
    [{ S: '1' }, { N: '1' }],
    [{ S: 'a' }, { S: 'b' }],
    [{ S: 'a' }, { SS: ['a'] }],
    [{ BOOL: true }, { BOOL: false }],
    [{ BOOL: true }, { NULL: true }],
    [{ SS: ['a'] }, { SS: ['a', 'b'] }],
    [{ SS: ['1'] }, { NS: ['1'] }],
    [{ L: [{ S: 'a' }, { S: 'b' }] }, { L: [{ S: 'b' }, { S: 'a' }] }],
    [{ L: [] }, { M: {} }],
    [{ M: { a: { S: 'x' } } }, { M: {} }],
    [{ M: { a: { S: 'x' } } }, { M: { a: { S: 'y' } } }],
    [{ fillerBytes: 3 }, { fillerBytes: 3 }],
    [{ fillerBytes: 3 }, { S: 'abc' }],
  ])('%j differs from %j', (left, right) => {
    expect(valuesEqual(left, right)).toBe(false);
    expect(valuesEqual(right, left)).toBe(false);
  });

  test('maps do not borrow members from their prototype', () => {
    expect(mapsEqual({ constructor: { S: 'x' } }, { other: { S: 'x' } })).toBe(false);
  });
});

describe('attributeOf', () => {
  test.each(['constructor', 'toString', '__proto__'])(
    '%s is absent where the map does not have it',
    (name) => {
      expect(attributeOf({ a: { S: 'x' } }, name)).toBeUndefined();
    },
  );

  test('finds __proto__ where the map has it of its own', () => {
    const map: { [name: string]: AttributeValue } = {};
    setAttribute(map, '__proto__', { S: 'x' });
    expect(attributeOf(map, '__proto__')).toEqual({ S: 'x' });
  });
});

test.each<[AttributeValue, string]>([
  [{ S: '' }, 'S'],
  [{ fillerBytes: 0 }, 'S'],
  [{ N: '0' }, 'N'],
  [{ B: '' }, 'B'],
  [{ BOOL: false }, 'BOOL'],
  [{ NULL: true }, 'NULL'],
  [{ SS: ['a'] }, 'SS'],
  [{ NS: ['1'] }, 'NS'],
  [{ BS: ['AQ=='] }, 'BS'],
  [{ L: [] }, 'L'],
  [{ M: {} }, 'M'],
])('%j is of type %s', (value, type) => {
  expect(attributeTypeOf(value)).toBe(type);
});
