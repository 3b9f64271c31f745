// Aim: every native value has one wire form and comes back; what DynamoDB cannot hold is refused by its
// place. Method: rows both ways.
import { describe, expect, test } from 'vitest';
import type { AttributeValue } from '../../../src/dynamodb/attribute-value.ts';
import {
  marshalItem,
  marshalValue,
  type NativeItem,
  type NativeValue,
  unmarshalItem,
  unmarshalValue,
} from '../../../src/dynamodb/marshal.ts';
import { DynoLoadError } from '../../../src/errors.ts';

describe('there and back', () => {
  test.each<[string, NativeValue, AttributeValue]>([
    ['a string', 'x', { S: 'x' }],
    ['an empty string', '', { S: '' }],
    ['an integer', -7, { N: '-7' }],
    ['a fraction', 0.1, { N: '0.1' }],
    ['a large number in plain digits', 1e21, { N: `1${'0'.repeat(21)}` }],
    ['a small number in plain digits', 1e-7, { N: '0.0000001' }],
    ['a bigint beyond doubles', 9007199254740993n, { N: '9007199254740993' }],
    ['a boolean', false, { BOOL: false }],
    ['null', null, { NULL: true }],
    ['bytes', new Uint8Array([1, 2]), { B: 'AQI=' }],
    ['no bytes', new Uint8Array(), { B: '' }],
    ['a filler', { fillerBytes: 450 }, { fillerBytes: 450 }],
    ['a set of strings', new Set(['a', 'b']), { SS: ['a', 'b'] }],
    ['a set of numbers', new Set([1, 2.5]), { NS: ['1', '2.5'] }],
    ['a set of bytes', new Set([new Uint8Array([255])]), { BS: ['/w=='] }],
    ['a list', [1, ['x']], { L: [{ N: '1' }, { L: [{ S: 'x' }] }] }],
    ['a map', { a: { b: true } }, { M: { a: { M: { b: { BOOL: true } } } } }],
  ])('%s', (_, native, wire) => {
    expect(marshalValue(native)).toEqual(wire);
    expect(unmarshalValue(wire)).toEqual(native);
  });

  test('leaves undefined members out, at every depth', () => {
    expect(marshalItem({ a: undefined, b: { c: undefined, d: 1 } })).toEqual({ b: { M: { d: { N: '1' } } } });
  });

  test('takes objects without a prototype', () => {
    expect(marshalItem(Object.assign(Object.create(null), { a: 1 }))).toEqual({ a: { N: '1' } });
  });

  test('takes a map that has more than a filler length for a map', () => {
    expect(marshalValue({ fillerBytes: 3, unit: 'B' })).toEqual({
      M: { fillerBytes: { N: '3' }, unit: { S: 'B' } },
    });
  });

  test('keeps a value in 31 maps', () => {
    expect(unmarshalItem(marshalItem(nested(31)))).toEqual(nested(31));
  });

  test('keeps an attribute named __proto__ as data', () => {
    const item: unknown = JSON.parse('{ "__proto__": "x", "m": { "__proto__": 1 } }');
    const wire = marshalItem(item);
    expect(Object.keys(wire)).toEqual(['__proto__', 'm']);
    expect(unmarshalItem(wire)).toEqual(item);
  });

  test.each([
    ['0.30', 0.3],
    ['1e2', 100],
    ['12345678901234567890', 12345678901234567890n],
    ['1E125', 1e125],
    ['0.1234567890123456789', 0.12345678901234568],
  ])('the number %s is read as the closest native one', (text, native) => {
    expect(unmarshalValue({ N: text })).toBe(native);
  });
});

describe('what cannot be stored', () => {
  test.each<[string, unknown, string, RegExp]>([
    ['NaN', { a: Number.NaN }, '"a" is NaN', /no such number/],
    ['Infinity in a list', { a: [1, Number.POSITIVE_INFINITY] }, '"a[1]" is Infinity', /no such number/],
    ['a number out of range', { a: { b: 1e126 } }, '"a.b" is 1e+126', /overflow/],
    ['a bigint of 39 digits', { a: BigInt('1'.repeat(39)) }, '"a"', /38 significant digits/],
    ['a Date', { at: new Date(0) }, '"at" is a Date', /toISOString/],
    ['a function', { a: () => 1 }, '"a" is a function', /no type for function/],
    ['a symbol', { a: Symbol.iterator }, '"a"', /no type for symbol/],
    ['an empty set', { a: { b: new Set() } }, '"a.b" is an empty set', /empty sets/],
    ['a mixed set', { a: new Set([1, 'x']) }, '"a" is a set of mixed members', /all strings/],
    ['NaN in a set', { a: new Set([Number.NaN]) }, '"a" is NaN', /no such number/],
    ['a Map', { a: new Map() }, '"a" is a Map', /plain objects/],
    ['undefined in a list', { a: [undefined] }, '"a[0]" is undefined', /no type for undefined/],
    ['a negative filler', { a: { fillerBytes: -1 } }, '"a" is -1', /whole number of bytes/],
    ['half a filler byte', { a: { fillerBytes: 0.5 } }, '"a" is 0.5', /whole number of bytes/],
    ['a value in 32 maps', nested(32), `"${'a.'.repeat(32)}a" lies 33 levels deep`, /32 levels/],
    [
      'lists nested 20,000 deep',
      { a: nestedList(20_000) },
      `"a${'[0]'.repeat(32)}" lies 33 levels`,
      /32 levels/,
    ],
    ['a map that contains itself', circular(), 'self" contains itself', /cannot lie within itself/],
    ['a list in the place of an item', [1], 'the value is an array', /plain object/],
    ['nothing in the place of an item', undefined, 'the value is undefined', /plain object/],
  ])('%s', (_, item, what, why) => {
    const error = errorOf(() => marshalItem(item));
    expect(error.code).toBe('OPERATION_INVALID');
    expect(error.what).toContain(what);
    expect(error.why).toMatch(why);
  });
});

function errorOf(run: () => unknown): DynoLoadError {
  try {
    run();
  } catch (error) {
    if (error instanceof DynoLoadError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

/** A scalar within so many maps, the item not counted. */
function nested(levels: number): NativeItem {
  let item: NativeItem = { a: 1 };
  for (let level = 0; level < levels; level++) item = { a: item };
  return item;
}

function nestedList(levels: number): NativeValue {
  let list: NativeValue = [];
  for (let level = 1; level < levels; level++) list = [list];
  return list;
}

function circular(): object {
  const b: { [name: string]: unknown } = {};
  b['self'] = b;
  return { b };
}
