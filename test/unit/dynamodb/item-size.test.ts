// Aim: bytes are counted as DynamoDB counts them. Method: captured sizes of numbers, one row per type, and a
// whole item added up by hand.
import { describe, expect, test } from 'vitest';
import type { AttributeValue } from '../../../src/dynamodb/attribute-value.ts';
import {
  attributeNameBytes,
  base64Bytes,
  itemSizeBytes,
  numberSizeBytes,
  utf8Bytes,
  valueSizeBytes,
} from '../../../src/dynamodb/item-size.ts';
import { capturedNumberSizes } from '../../support/captured-number-sizes.ts';

describe('numberSizeBytes', () => {
  test.each(capturedNumberSizes)('%s takes %i bytes as captured', (text, sizeBytes) => {
    expect(numberSizeBytes(text)).toBe(sizeBytes);
  });

  test.each([
    ['120', 3],
    ['0.015', 3],
    ['-0.015', 4],
  ])('%s takes the larger of the two rules that fit the captures: %i bytes', (text, sizeBytes) => {
    expect(numberSizeBytes(text)).toBe(sizeBytes);
  });

  test.each([
    ['0042.1200', '42.12'],
    ['+7', '7'],
    ['1e2', '100'],
    ['1000', '1e3'],
  ])('%s takes as much as %s, which is the same number', (one, other) => {
    expect(numberSizeBytes(one)).toBe(numberSizeBytes(other));
  });
});

describe('utf8Bytes', () => {
  test.each([
    ['', 0],
    ['abc', 3],
    ['é', 2],
    ['日本', 6],
    ['😀', 4],
    ['a😀é', 7],
    ['\ud800', 3],
    ['\ud800a', 4],
  ])('%j takes %i bytes', (text, sizeBytes) => {
    expect(utf8Bytes(text)).toBe(sizeBytes);
  });
});

describe('base64Bytes', () => {
  test.each([
    ['', 0],
    ['AQ==', 1],
    ['AQI=', 2],
    ['AQID', 3],
    ['AQIDBA==', 4],
  ])('%j stands for %i bytes', (text, sizeBytes) => {
    expect(base64Bytes(text)).toBe(sizeBytes);
  });
});

describe('valueSizeBytes', () => {
  test.each<[string, AttributeValue, number]>([
    ['an empty string', { S: '' }, 0],
    ['a string', { S: 'héllo' }, 6],
    ['a number', { N: '-42' }, 3],
    ['binary', { B: 'AQI=' }, 2],
    ['a boolean', { BOOL: false }, 1],
    ['null', { NULL: true }, 1],
    ['a filler', { fillerBytes: 450 }, 450],
    ['an empty filler', { fillerBytes: 0 }, 0],
    ['a string set: the sum of its members', { SS: ['a', 'bcd'] }, 4],
    ['a number set', { NS: ['1', '123'] }, 5],
    ['a binary set', { BS: ['AQ==', 'AQID'] }, 4],
    ['an empty list', { L: [] }, 3],
    ['an empty map', { M: {} }, 3],
    ['a list: 3, and 1 more for each element', { L: [{ S: 'ab' }, { N: '1' }] }, 3 + 1 + 2 + 1 + 2],
    ['a map: 3, and 1 more for each member', { M: { ab: { S: 'c' } } }, 3 + 1 + 2 + 1],
    ['a filler in a list in a map', { M: { l: { L: [{ fillerBytes: 10 }] } } }, 3 + 1 + 1 + 3 + 1 + 10],
  ])('%s', (_, value, sizeBytes) => {
    expect(valueSizeBytes(value)).toBe(sizeBytes);
  });
});

describe('itemSizeBytes', () => {
  test('adds names and values', () => {
    // pk 2 + 5, naïve 6 + 3, data 4 + 100.
    const item = { pk: { S: 'ORDER' }, naïve: { N: '123' }, data: { fillerBytes: 100 } };
    expect(itemSizeBytes(item)).toBe(7 + 9 + 104);
  });

  test('gives a name the same size at every call', () => {
    expect([attributeNameBytes('größe'), attributeNameBytes('größe')]).toEqual([7, 7]);
  });
});
