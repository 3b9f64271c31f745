// Aim: key texts are equal exactly where keys are, and sort keys are in DynamoDB's order. Method: rows for
// each type and each trap.
import { describe, expect, test } from 'vitest';
import type { AttributeValue } from '../../../src/dynamodb/attribute-value.ts';
import { decodeBase64, encodeBase64 } from '../../../src/dynamodb/base64.ts';
import { compareScalar, keyLabel, keyText, primaryKeyText } from '../../../src/dynamodb/key-text.ts';
import type { KeySchema } from '../../../src/dynamodb/table-spec.ts';

const composite: KeySchema = { partition: { name: 'pk', type: 'S' }, sort: { name: 'sk', type: 'S' } };

describe('keyText', () => {
  test('tells types apart', () => {
    const texts = [{ S: '1' }, { N: '1' }, { B: 'MQ==' }].map(keyText);
    expect(new Set(texts).size).toBe(3);
  });

  test('takes one number in two notations for one key', () => {
    expect(keyText({ N: '1.0' })).toBe(keyText({ N: '1' }));
  });

  test('refuses what cannot be a key', () => {
    expect(() => keyText({ BOOL: true })).toThrow(RangeError);
  });
});

describe('primaryKeyText', () => {
  test('keeps parts apart that would run together', () => {
    const one = primaryKeyText({ pk: { S: 'aS' }, sk: { S: 'b' } }, composite);
    const two = primaryKeyText({ pk: { S: 'a' }, sk: { S: 'Sb' } }, composite);
    expect(one).not.toBe(two);
  });

  test('is the partition key text where there is no sort key', () => {
    expect(primaryKeyText({ pk: { S: 'a' }, other: { S: 'b' } }, { partition: composite.partition })).toBe(
      'Sa',
    );
  });

  test('refuses a key without one of its attributes', () => {
    expect(() => primaryKeyText({ pk: { S: 'a' } }, composite)).toThrow(/sk is absent/);
    expect(() => primaryKeyText({}, { partition: { name: 'constructor', type: 'S' } })).toThrow(/absent/);
  });
});

test('keyLabel is the value as people read it', () => {
  expect([{ S: 'STATUS#PENDING' }, { N: '1.0' }, { B: 'AQI=' }].map(keyLabel)).toEqual([
    'STATUS#PENDING',
    '1',
    'AQI=',
  ]);
});

describe('compareScalar', () => {
  test.each<[string, AttributeValue, AttributeValue]>([
    ['strings by bytes', { S: 'a' }, { S: 'b' }],
    ['a prefix first', { S: 'ab' }, { S: 'abc' }],
    ['upper case before lower case', { S: 'Z' }, { S: 'a' }],
    ['U+FFFD before a surrogate pair, unlike UTF-16', { S: '\ufffd' }, { S: '😀' }],
    ['a surrogate pair before a higher one', { S: '😀' }, { S: '😁' }],
    ['U+D7FF before a surrogate pair', { S: '\ud7ff' }, { S: '😀' }],
    ['numbers by value', { N: '9' }, { N: '10' }],
    ['negative numbers first', { N: '-10' }, { N: '-9' }],
    ['binary by bytes: 0x01 before 0x02', { B: 'AQ==' }, { B: 'Ag==' }],
    ['binary by bytes, not by base64 letters: 0x68 before 0xfb', { B: 'aA==' }, { B: '+w==' }],
    ['binary digits after letters: 0x69 before 0xd3', { B: 'aQ==' }, { B: '0w==' }],
    ['a shorter binary first', { B: 'AA==' }, { B: 'AAA=' }],
  ])('%s', (_, lower, higher) => {
    expect(compareScalar(lower, higher)).toBeLessThan(0);
    expect(compareScalar(higher, lower)).toBeGreaterThan(0);
    expect(compareScalar(lower, lower)).toBe(0);
  });

  test('orders different types by type, one way', () => {
    expect(Math.sign(compareScalar({ S: 'a' }, { N: '1' }))).toBe(
      -Math.sign(compareScalar({ N: '1' }, { S: 'a' })),
    );
  });
});

describe('base64', () => {
  test.each([[[]], [[0]], [[255, 254]], [[1, 2, 3]], [[251, 239, 190, 0]]])('%j comes back', (bytes) => {
    const text = encodeBase64(new Uint8Array(bytes));
    expect(text).toBe(Buffer.from(bytes).toString('base64'));
    expect([...(decodeBase64(text) ?? [])]).toEqual(bytes);
  });

  test.each(['A', 'AB', 'A===', 'AQI', 'A-I=', 'AQ==AQ=='])('%s is not padded base64', (text) => {
    expect(decodeBase64(text)).toBeUndefined();
  });
});
