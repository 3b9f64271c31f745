// Aim: what DynamoDB cannot hold is refused, what it holds in another form is brought into it, and the rest
// is not copied.
import { describe, expect, test } from 'vitest';
import type { AttributeMap, AttributeValue } from '../../../src/dynamodb/attribute-value.ts';
import { checkedItem } from '../../../src/simulator/checked-item.ts';

/** A string inside so many maps. */
function nested(levels: number): AttributeValue {
  let value: AttributeValue = { S: 'leaf' };
  for (let level = 0; level < levels; level++) value = { M: { n: value } };
  return value;
}

describe('an item', () => {
  test('in canonical form is passed on as it is', () => {
    const item: AttributeMap = {
      text: { S: 'a' },
      count: { N: '12' },
      body: { fillerBytes: 10 },
      deep: { M: { list: { L: [{ N: '1.5' }, { BOOL: true }, { NULL: true }] } } },
      set: { NS: ['1', '2'] },
      bytes: { B: 'AQ==' },
    };
    expect(checkedItem(item)).toBe(item);
  });

  test('with numbers in another form is copied with canonical ones', () => {
    const item: AttributeMap = {
      n: { N: '1.0' },
      deep: { M: { l: { L: [{ N: '1e2' }] } } },
      set: { NS: ['2.50'] },
      kept: { S: 'a' },
    };
    expect(checkedItem(item)).toEqual({
      n: { N: '1' },
      deep: { M: { l: { L: [{ N: '100' }] } } },
      set: { NS: ['2.5'] },
      kept: { S: 'a' },
    });
    expect(item.n).toEqual({ N: '1.0' });
  });

  test('may be nested 32 levels deep, the text in 31 maps included, and no deeper', () => {
    expect(checkedItem({ a: nested(31) })).toEqual({ a: nested(31) });
    expect(() => checkedItem({ a: nested(32) })).toThrow('Nesting Levels have exceeded supported limits');
  });

  test.each<[string, AttributeValue, string]>([
    ['no type', {}, 'must contain exactly one of the supported datatypes'],
    ['two types', { S: 'a', N: '1' }, 'more than one datatypes set'],
    ['a number that is none', { N: 'abc' }, 'cannot be converted to a numeric value: abc'],
    ['an empty set', { SS: [] }, 'may not be empty'],
    ['a set with a member twice', { SS: ['a', 'a'] }, 'Input collection [a, a] contains duplicates'],
    ['numbers that are one', { NS: ['1', '1.0'] }, 'contains duplicates'],
    [
      'binary twice',
      { BS: ['AA==', 'AA=='] },
      'Input collection [AA==, AA==]of type BS contains duplicates.',
    ],
    ['an empty set of binary', { BS: [] }, 'Binary sets should not be empty'],
    ['binary that is not base64', { B: '*' }, 'not base64'],
  ])('with a value of %s is refused, nested or not', (_, value, message) => {
    expect(() => checkedItem({ a: value })).toThrow(message);
    expect(() => checkedItem({ a: { L: [{ M: { b: value } }] } })).toThrow(message);
  });
});
