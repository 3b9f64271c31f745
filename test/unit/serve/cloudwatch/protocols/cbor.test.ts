// Aim: CBOR is read as RFC 8949 has it, whatever a client's writer chooses, and what is no CBOR is refused
// without reading past its end. Method: the vectors of the RFC's appendix A that have a meaning here, broken
// ones, and bytes written for known values.
import { describe, expect, test } from 'vitest';
import { CborError, decodeCbor } from '../../../../../src/serve/cloudwatch/protocols/cbor-decode.ts';
import { encodeCbor } from '../../../../../src/serve/cloudwatch/protocols/cbor-encode.ts';
import {
  Entries,
  Timestamp,
  WholeNumber,
  type WireValue,
} from '../../../../../src/serve/cloudwatch/wire-values.ts';

function decode(hex: string): unknown {
  return decodeCbor(Buffer.from(hex, 'hex'));
}

describe('reading', () => {
  test.each([
    ['00', 0],
    ['17', 23],
    ['1818', 24],
    ['1903e8', 1_000],
    ['1a000f4240', 1_000_000],
    ['1b000000e8d4a51000', 1_000_000_000_000],
    ['1bffffffffffffffff', 2 ** 64],
    ['20', -1],
    ['3863', -100],
    ['3903e7', -1_000],
    ['f90000', 0],
    ['f98000', -0],
    ['f93e00', 1.5],
    ['f97bff', 65_504],
    ['f90001', 5.960_464_477_539_063e-8],
    ['f90400', 0.000_061_035_156_25],
    ['f9c400', -4],
    ['f97c00', Number.POSITIVE_INFINITY],
    ['f97e00', Number.NaN],
    ['f9fc00', Number.NEGATIVE_INFINITY],
    ['fa47c35000', 100_000],
    ['fa7f7fffff', 3.402_823_466_385_288_6e38],
    ['fb3ff199999999999a', 1.1],
    ['fbc010666666666666', -4.1],
    ['f4', false],
    ['f5', true],
    ['f6', null],
    ['f7', null],
    ['60', ''],
    ['6449455446', 'IETF'],
    ['62c3bc', 'ü'],
    ['64f0908591', '𐅑'],
    ['7f657374726561646d696e67ff', 'streaming'],
    ['80', []],
    ['8301820203820405', [1, [2, 3], [4, 5]]],
    ['9f018202039f0405ffff', [1, [2, 3], [4, 5]]],
    ['83018202039f0405ff', [1, [2, 3], [4, 5]]],
    ['a0', {}],
    ['a26161016162820203', { a: 1, b: [2, 3] }],
    ['bf61610161629f0203ffff', { a: 1, b: [2, 3] }],
    ['826161bf61626163ff', ['a', { b: 'c' }]],
    ['c11a514b67b0', new Timestamp(1_363_896_240)],
    ['c1fb41d452d9ec200000', new Timestamp(1_363_896_240.5)],
    // Tags that mean nothing here: a date as text, a link.
    ['c074323031332d30332d32315432303a30343a30305a', '2013-03-21T20:04:00Z'],
    ['d82076687474703a2f2f7777772e6578616d706c652e636f6d', 'http://www.example.com'],
    ['4401020304', Buffer.of(1, 2, 3, 4)],
    ['5f42010243030405ff', Buffer.of(1, 2, 3, 4, 5)],
  ])('%s is %o', (hex, value) => {
    expect(decode(hex)).toStrictEqual(value);
  });

  test.each([
    ['nothing', ''],
    ['a list that ends too soon', '8201'],
    ['an argument that ends too soon', '1901'],
    ['a text longer than the rest', '7b7fffffffffffffff61'],
    ['bytes longer than the rest', '5affffffff00'],
    ['a list of more items than bytes', '9bffffffffffffffff00'],
    ['a map without its last value', 'a16161'],
    ['a map with a number for a key', 'a10102'],
    ['a text that is not UTF-8', '62c328'],
    ['a text in pieces of bytes', '7f4161ff'],
    ['a piece of unknown length within pieces', '7f7f6161ffff'],
    ['a list without an end', '9f01'],
    ['an end where nothing began', 'ff'],
    ['an end where a value belongs', 'bf6161ff'],
    ['a number of unknown length', '1f'],
    ['a reserved length', '1c'],
    ['a simple value that is none', 'f8ff'],
    ['a time that is a text', 'c16161'],
    ['bytes behind its end', 'a000'],
    ['a hundred lists in each other', `${'81'.repeat(100)}01`],
    ['a list of 200,001 items', `9f${'01'.repeat(200_001)}ff`],
    ['a text of 200,001 pieces', `7f${'60'.repeat(200_001)}ff`],
    ['a million tags before each other', `${'c0'.repeat(1_000_000)}01`],
  ])('refuses %s', (_, hex) => {
    expect(() => decode(hex)).toThrow(CborError);
  });

  test('takes names that objects inherit for what they are: names', () => {
    const value = decode('a2695f5f70726f746f5f5fa1616101686861734f776e4f6601');
    expect(Object.entries(value as object)).toEqual([
      ['__proto__', { a: 1 }],
      ['hasOwnOf', 1],
    ]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });
});

describe('writing', () => {
  const written: readonly (readonly [string, WireValue, string])[] = [
    ['a text', 'IETF', '6449455446'],
    ['a text by its bytes', 'ü', '62c3bc'],
    ['half of a pair as the sign for it', '\ud800', '63efbfbd'],
    ['a number as a double, whole or not', 1, 'fb3ff0000000000000'],
    ['a count as an integer', new WholeNumber(1_000), '1903e8'],
    ['a large count', new WholeNumber(1_000_000_000_000), '1b000000e8d4a51000'],
    ['flags', [true, false], '82f5f4'],
    ['a moment as a double with its tag', new Timestamp(1_363_896_240.5), 'c1fb41d452d9ec200000'],
    ['members that are there', { a: 'b', gone: undefined }, 'a161616162'],
    ['pairs as members', new Entries([['p99', 0]]), 'a163703939fb0000000000000000'],
  ];
  test.each(written)('gives %s', (_, value, hex) => {
    expect(encodeCbor(value).toString('hex')).toBe(hex);
  });

  test.each([23, 24, 255, 256, 65_535, 65_536])('counts a text of %d bytes', (length) => {
    expect(decodeCbor(encodeCbor('x'.repeat(length)))).toBe('x'.repeat(length));
  });
});
