// Aim: key conditions become one partition and at most one range, and everything else is rejected with
// DynamoDB's words. Method: rows over a composite key of strings, one of numbers, and a key without sort
// attribute.
import { describe, expect, test } from 'vitest';
import type { AttributeMap, AttributeValue } from '../../../../src/dynamodb/attribute-value.ts';
import type { KeySchema } from '../../../../src/dynamodb/table-spec.ts';
import { checkBindingsUsed } from '../../../../src/simulator/expression/check-bindings.ts';
import {
  bindKeyCondition,
  isInSortRange,
  type KeyRange,
  type SortRange,
} from '../../../../src/simulator/expression/key-condition.ts';
import { parseKeyCondition } from '../../../../src/simulator/expression/key-condition-terms.ts';

const strings: KeySchema = { partition: { name: 'pk', type: 'S' }, sort: { name: 'sk', type: 'S' } };
const numbers: KeySchema = { partition: { name: 'pk', type: 'S' }, sort: { name: 'sk', type: 'N' } };
const single: KeySchema = { partition: { name: 'pk', type: 'S' } };
const values: AttributeMap = {
  ':p': { S: 'p' },
  ':a': { S: 'a' },
  ':b': { S: 'b' },
  ':1': { N: '1' },
  ':2': { N: '2' },
  ':t': { BOOL: true },
  ':e': { S: '' },
  ':f': { fillerBytes: 3 },
};

function bind(text: string, schema = strings, names?: { readonly [placeholder: string]: string }): KeyRange {
  const used = Object.entries(values).filter(([name]) => new RegExp(`${name}\\b`).test(text));
  const bindings = { names, values: Object.fromEntries(used) };
  const node = parseKeyCondition(text);
  checkBindingsUsed(bindings, node);
  return bindKeyCondition(node, schema, bindings);
}

const p = { S: 'p' };
const a = { S: 'a' };
const b = { S: 'b' };

describe('ranges', () => {
  test.each<[string, KeyRange]>([
    ['pk = :p', { partition: p }],
    ['(pk = :p)', { partition: p }],
    [':p = pk', { partition: p }],
    [
      'pk = :p AND sk = :a',
      {
        partition: p,
        sort: { lower: { value: a, isInclusive: true }, upper: { value: a, isInclusive: true } },
      },
    ],
    [
      'sk = :a AND pk = :p',
      {
        partition: p,
        sort: { lower: { value: a, isInclusive: true }, upper: { value: a, isInclusive: true } },
      },
    ],
    ['pk = :p AND sk < :a', { partition: p, sort: { upper: { value: a, isInclusive: false } } }],
    ['pk = :p AND sk <= :a', { partition: p, sort: { upper: { value: a, isInclusive: true } } }],
    ['pk = :p AND sk > :a', { partition: p, sort: { lower: { value: a, isInclusive: false } } }],
    ['pk = :p AND sk >= :a', { partition: p, sort: { lower: { value: a, isInclusive: true } } }],
    ['pk = :p AND :a <= sk', { partition: p, sort: { lower: { value: a, isInclusive: true } } }],
    ['pk = :p AND :a > sk', { partition: p, sort: { upper: { value: a, isInclusive: false } } }],
    [
      '(pk = :p) AND (sk BETWEEN :a AND :b)',
      {
        partition: p,
        sort: { lower: { value: a, isInclusive: true }, upper: { value: b, isInclusive: true } },
      },
    ],
    ['pk = :p AND begins_with(sk, :a)', { partition: p, sort: { beginsWith: a } }],
    ['pk = :p AND begins_with(sk, :b)', { partition: p, sort: { beginsWith: b } }],
  ])('%s', (text, range) => {
    expect(bind(text)).toEqual(range);
  });

  test('names may stand for both key attributes', () => {
    expect(bind('#p = :p AND #s = :1', numbers, { '#p': 'pk', '#s': 'sk' }).sort?.lower?.value).toEqual({
      N: '1',
    });
  });
});

describe('isInSortRange', () => {
  const ends = (lower: AttributeValue, upper: AttributeValue, isInclusive: boolean): SortRange => ({
    lower: { value: lower, isInclusive },
    upper: { value: upper, isInclusive },
  });

  test.each<[string, AttributeValue, SortRange | undefined, boolean]>([
    ['no range holds all', { S: 'x' }, undefined, true],
    ['inside', { N: '5' }, ends({ N: '1' }, { N: '10' }, false), true],
    ['below', { N: '0' }, ends({ N: '1' }, { N: '10' }, true), false],
    ['above', { N: '11' }, ends({ N: '1' }, { N: '10' }, true), false],
    ['an inclusive end', { N: '10.0' }, ends({ N: '1' }, { N: '10' }, true), true],
    ['an exclusive end', { N: '10.0' }, ends({ N: '1' }, { N: '10' }, false), false],
    ['another type', { S: '5' }, ends({ N: '1' }, { N: '10' }, true), false],
    ['a prefix', { S: 'abc' }, { beginsWith: { S: 'ab' } }, true],
    ['no prefix', { S: 'acb' }, { beginsWith: { S: 'ab' } }, false],
    [
      'a binary prefix that does not fill its last base64 letter',
      { B: 'AQID' },
      { beginsWith: { B: 'AQ==' } },
      true,
    ],
  ])('%s', (_, value, range, isInside) => {
    expect(isInSortRange(value, range)).toBe(isInside);
  });
});

const invalid = 'Invalid KeyConditionExpression: ';
const operandType = `${invalid}Incorrect operand type for operator or function; operator or function: `;
const schemaType =
  'One or more parameter values were invalid: Condition parameter type does not match schema type';

describe('what is rejected', () => {
  test.each<[string, KeySchema, string]>([
    ['pk = :p AND sk = :1', strings, schemaType],
    ['pk = :1', single, schemaType],
    ['pk = :p AND begins_with(sk, :a)', numbers, schemaType],
    ['pk = :p AND begins_with(sk, :1)', numbers, `${operandType}begins_with, operand type: N`],
    ['pk = :p AND begins_with(sk, :t)', strings, `${operandType}begins_with, operand type: BOOL`],
    ['pk = :p AND sk < :t', numbers, `${operandType}<, operand type: BOOL`],
    ['pk = :p AND :t >= sk', numbers, `${operandType}>=, operand type: BOOL`],
    ['pk = :p AND sk BETWEEN :t AND :t', numbers, `${operandType}BETWEEN, operand type: BOOL`],
    ['pk = :p AND sk = :t', numbers, schemaType],
    [
      'pk = :p AND sk > :1 AND sk < :2',
      numbers,
      `${invalid}KeyConditionExpressions must only contain one condition per key`,
    ],
    [
      'pk = :p AND pk = :a',
      strings,
      `${invalid}KeyConditionExpressions must only contain one condition per key`,
    ],
    [
      'pk = :p AND sk > :1 AND extra = :2',
      numbers,
      'The number of query conditions (3) exceeds the number of key attributes defined in the schema (2)',
    ],
    [
      'pk = :p AND extra = :a',
      single,
      'The number of query conditions (2) exceeds the number of key attributes defined in the schema (1)',
    ],
    ['pk = :p AND extra = :a', strings, 'Query condition missed key schema element: sk'],
    ['sk = :a', strings, 'Query condition missed key schema element: pk'],
    ['pk > :p', strings, 'Query key condition not supported'],
    ['begins_with(pk, :p)', strings, 'Query key condition not supported'],
    [
      'pk = :e',
      strings,
      'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk',
    ],
    ['pk = :f', strings, 'A filler has no content to look up; it cannot be bound to key attribute pk'],
    ['pk = :p OR sk = :a', strings, `${invalid}Invalid operator used in KeyConditionExpression: OR`],
    ['NOT pk = :p', strings, `${invalid}Invalid operator used in KeyConditionExpression: NOT`],
    ['pk <> :p', strings, `${invalid}Invalid operator used in KeyConditionExpression: <>`],
    ['pk IN (:p)', strings, `${invalid}Invalid operator used in KeyConditionExpression: IN`],
    [
      'pk = :p AND contains(sk, :a)',
      strings,
      `${invalid}Invalid operator used in KeyConditionExpression: contains`,
    ],
    [
      'pk = :p AND attribute_exists(sk)',
      strings,
      `${invalid}Invalid operator used in KeyConditionExpression: attribute_exists`,
    ],
    [
      'pk = :p AND size(sk) > :1',
      strings,
      `${invalid}KeyConditionExpressions cannot contain nested operations`,
    ],
    [
      'pk = :p AND sk.a = :a',
      strings,
      `${invalid}KeyConditionExpressions cannot have conditions on nested attributes`,
    ],
    [
      'pk = sk',
      strings,
      `${invalid}Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition`,
    ],
    [':p = :a', strings, `${invalid}Invalid condition in KeyConditionExpression: No key attribute specified`],
    [
      'pk = :p AND :a BETWEEN sk AND :b',
      strings,
      `${invalid}Invalid condition in KeyConditionExpression: BETWEEN operator must have the key attribute as its first operand`,
    ],
    [
      'pk = :p AND begins_with(:a, sk)',
      strings,
      `${invalid}Invalid condition in KeyConditionExpression: begins_with operator must have the key attribute as its first operand`,
    ],
    [
      'pk = :p AND sk BETWEEN :b AND :a',
      strings,
      `${invalid}The BETWEEN operator requires upper bound to be greater`,
    ],
    ['((pk = :p))', strings, `${invalid}The expression has redundant parentheses;`],
    ['', strings, `${invalid}The expression can not be empty;`],
    ['pk = :p AND', strings, `${invalid}Syntax error; token: "<EOF>", near: "AND"`],
  ])('%s', (text, schema, message) => {
    expect(() => bind(text, schema)).toThrow(message);
  });
});
