// Aim: conditions and filters decide as DynamoDB does, and texts it rejects are rejected with its words.
// Method: one item with a value of every type; a row per operator, function and error.
import { describe, expect, test } from 'vitest';
import type { AttributeMap } from '../../../../src/dynamodb/attribute-value.ts';
import { checkBindingsUsed } from '../../../../src/simulator/expression/check-bindings.ts';
import { evaluateCondition } from '../../../../src/simulator/expression/condition-evaluator.ts';
import { parseCondition } from '../../../../src/simulator/expression/condition-parser.ts';

const item: AttributeMap = {
  n: { N: '5' },
  s: { S: 'hello' },
  e: { S: '' },
  wide: { S: 'é😀' },
  bin: { B: 'AQIDBA==' },
  bool: { BOOL: true },
  nul: { NULL: true },
  ss: { SS: ['x', 'y'] },
  ns: { NS: ['1', '2'] },
  bs: { BS: ['AQI='] },
  l: { L: [{ N: '1' }, { S: 'x' }, { M: { k: { S: 'deep' } } }] },
  m: { M: { a: { N: '1' }, 'x.y': { S: 'dotted' } } },
  fill: { fillerBytes: 450 },
};

const values: AttributeMap = {
  ':5': { N: '5.0' },
  ':4': { N: '4' },
  ':6': { N: '6' },
  ':450': { N: '450' },
  ':1': { N: '1' },
  ':3': { N: '3' },
  ':0': { N: '0' },
  ':hello': { S: 'hello' },
  ':he': { S: 'he' },
  ':empty': { S: '' },
  ':x': { S: 'x' },
  ':z': { S: 'z' },
  ':deep': { S: 'deep' },
  ':true': { BOOL: true },
  ':null': { NULL: true },
  ':bytes': { B: 'AQI=' },
  ':middle': { B: 'AgM=' },
  ':yx': { SS: ['y', 'x'] },
  ':list': { L: [{ N: '1.0' }, { S: 'x' }, { M: { k: { S: 'deep' } } }] },
  ':element': { M: { k: { S: 'deep' } } },
  ':S': { S: 'S' },
  ':SS': { S: 'SS' },
  ':odd': { S: 'string' },
  ':fill': { fillerBytes: 450 },
};

function boundIn(text: string, all: AttributeMap): AttributeMap | undefined {
  const used = Object.entries(all).filter(([name]) => new RegExp(`${name}(?![A-Za-z0-9_])`).test(text));
  return used.length === 0 ? undefined : Object.fromEntries(used);
}

function decide(
  text: string,
  names?: { readonly [placeholder: string]: string },
  of: AttributeMap | undefined = item,
): boolean {
  const node = parseCondition(text, 'ConditionExpression');
  const bindings = { names, values: boundIn(text, values) };
  checkBindingsUsed(bindings, node);
  return evaluateCondition(node, of, bindings);
}

describe('what holds', () => {
  test.each([
    'n = :5',
    'n <> :4',
    'n > :4',
    'n >= :5',
    'n < :6',
    'n <= :5',
    ':4 < n',
    's = :hello',
    's > :he',
    'e = :empty',
    'bool = :true',
    'nul = :null',
    'ss = :yx',
    'l = :list',
    'bin > :bytes',
    'n BETWEEN :5 AND :6',
    'n between :4 and :5',
    's BETWEEN :he AND :z',
    ':5 BETWEEN m.a AND n',
    'n IN (:4, :5)',
    's in (n, :hello)',
    'attribute_exists(m.a)',
    'attribute_exists(l[2].k)',
    'attribute_not_exists(l[3])',
    'attribute_not_exists(s.a)',
    'attribute_not_exists(n[0])',
    'attribute_type(s, :S)',
    'attribute_type(fill, :S)',
    'attribute_type(ss, :SS)',
    'begins_with(s, :he)',
    'begins_with(s, :empty)',
    'begins_with(bin, :bytes)',
    'contains(s, :he)',
    'contains(ss, :x)',
    'contains(ns, :1)',
    'contains(bs, :bytes)',
    'contains(l, :element)',
    'contains(bin, :middle)',
    'size(s) = :5',
    'size(e) = :0',
    'size(wide) = :3',
    'size(bin) = :4',
    'size(l) = :3',
    'size(fill) = :450',
    'l[1] = :x',
    'l[2].k = :deep',
    'NOT n = :4',
    'NOT NOT n = :5',
    'n = :4 OR s = :hello',
    'n = :5 AND s = :hello',
    'n = :4 AND s = :hello OR n = :5',
    '(n = :5 OR n = :4) AND NOT (s = :he)',
    'absent <> :5',
    'fill <> :fill',
    'attribute_exists(bool) and attribute_exists (nul)',
  ])('%s', (text) => {
    expect(decide(text)).toBe(true);
  });
});

describe('what does not hold', () => {
  test.each([
    'n = :hello',
    's = :5',
    'n > :hello',
    'absent = :5',
    'absent < :5',
    'absent BETWEEN :4 AND :5',
    'absent IN (:5)',
    'contains(absent, :x)',
    'begins_with(absent, :he)',
    'attribute_type(absent, :S)',
    'attribute_type(n, :S)',
    'size(n) = :1',
    'size(absent) >= :0',
    'bool > n',
    'l > ss',
    's BETWEEN :x AND :z',
    'contains(s, :5)',
    'contains(n, :5)',
    'begins_with(n, :he)',
    'fill = :fill',
    'fill IN (:fill)',
    'fill > :he',
    'begins_with(fill, :empty)',
    'contains(fill, :empty)',
    'n = :5 AND n = :4 OR s = :he',
    'NOT (n = :5 OR s = :he)',
    'attribute_exists(constructor)',
  ])('%s', (text) => {
    expect(
      decide(
        text.replace('constructor', '#c'),
        text.includes('constructor') ? { '#c': 'constructor' } : undefined,
      ),
    ).toBe(false);
  });
});

test('names stand for one attribute each, dots included', () => {
  expect(decide('m.#dotted = :x OR m.#a = :1', { '#dotted': 'x.y', '#a': 'a' })).toBe(true);
  expect(decide('attribute_exists(m.#dotted)', { '#dotted': 'x.y' })).toBe(true);
  expect(decide('attribute_exists(#path)', { '#path': 'm.a' })).toBe(false);
});

test('an absent item has no attributes', () => {
  const node = parseCondition('attribute_not_exists(n)', 'ConditionExpression');
  expect(evaluateCondition(node, undefined, {})).toBe(true);
});

test('one text is parsed once', () => {
  expect(parseCondition('n = :5', 'FilterExpression')).toBe(parseCondition('n = :5', 'FilterExpression'));
  expect(parseCondition('n = :5', 'FilterExpression').label).toBe('FilterExpression');
});

test('a placeholder that nobody checked is still reported', () => {
  const node = parseCondition('#u = :u', 'ConditionExpression');
  expect(() => evaluateCondition(node, item, {})).toThrow('attribute name: #u');
  expect(() => evaluateCondition(node, item, { names: { '#u': 'n' } })).toThrow('attribute value: :u');
});

describe('texts that are rejected', () => {
  test.each([
    ['', 'The expression can not be empty;'],
    ['   ', 'Syntax error; token: "<EOF>", near: ""'],
    ['n =', 'Syntax error; token: "<EOF>", near: "="'],
    ['n = :5 AND', 'Syntax error; token: "<EOF>", near: "AND"'],
    ['n == :5', 'Syntax error; token: "=", near: "== :5"'],
    ['n = 2018 AND s = :x', 'Syntax error; token: "2018", near: "= 2018 AND"'],
    ['n = "x"', 'Syntax error; token: """, near: "= "x"'],
    ['n & :5', 'Syntax error; token: "&", near: "n & :5"'],
    ['n = :5 s', 'Syntax error; token: "s", near: ":5 s"'],
    ['(n = :5', 'Syntax error; token: "<EOF>", near: ":5"'],
    ['n IN ()', 'Syntax error; token: ")", near: "()"'],
    ['n IN :5', 'Syntax error; token: ":5", near: "IN :5"'],
    ['n BETWEEN :4 OR :5', 'Syntax error; token: "OR", near: ":4 OR :5"'],
    ['l[x] = :5', 'Syntax error; token: "x", near: "[x]"'],
    ['l[-1] = :5', 'Syntax error; token: "-", near: "[-1"'],
    ['m..a = :5', 'Syntax error; token: ".", near: "..a"'],
    ['m. = :5', 'Syntax error; token: "=", near: ". = :5"'],
    ['n', 'Syntax error; token: "<EOF>", near: "n"'],
    ['INVALID SYNTAX HERE', 'Syntax error; token: "SYNTAX", near: "INVALID SYNTAX HERE"'],
    ['((n = :5))', 'The expression has redundant parentheses;'],
    ['n = :5 AND ((s = :x))', 'The expression has redundant parentheses;'],
    ['foo(n)', 'Invalid function name; function: foo'],
    ['toString(n)', 'Invalid function name; function: toString'],
    ['ATTRIBUTE_EXISTS(n)', 'Invalid function name; function: ATTRIBUTE_EXISTS'],
    ['size(n)', 'The function is not allowed to be used this way in an expression; function: size'],
    [
      'n = begins_with(s, :he)',
      'The function is not allowed to be used this way in an expression; function: begins_with',
    ],
    [
      'begins_with(contains(s, :x), :he)',
      'The function is not allowed to be used this way in an expression; function: contains',
    ],
    [
      'attribute_exists(:x)',
      'Operator or function requires a document path; operator or function: attribute_exists',
    ],
    [
      'attribute_exists(size(s))',
      'Operator or function requires a document path; operator or function: attribute_exists',
    ],
    [
      'attribute_exists(n, s)',
      'Incorrect number of operands for operator or function; operator or function: attribute_exists, number of operands: 2',
    ],
    [
      'contains(s)',
      'Incorrect number of operands for operator or function; operator or function: contains, number of operands: 1',
    ],
    ['status = :x', 'Attribute name is a reserved keyword; reserved keyword: status'],
    ['m.Size = :x', 'Attribute name is a reserved keyword; reserved keyword: Size'],
  ])('%j', (text, problem) => {
    expect(() => parseCondition(text, 'ConditionExpression')).toThrow(
      `Invalid ConditionExpression: ${problem}`,
    );
  });

  test('more than 4 KB', () => {
    const text = `n = :5 OR ${'x'.repeat(4_090)} = :5`;
    expect(() => parseCondition(text, 'FilterExpression')).toThrow(
      `Invalid FilterExpression: Expression size has exceeded the maximum allowed size; expression size: ${text.length}`,
    );
  });

  test('more than 100 candidates of IN', () => {
    expect(() => parseCondition(`n IN (${Array(101).fill(':5').join(',')})`, 'FilterExpression')).toThrow(
      'number of operands: 101',
    );
  });

  test('parentheses around one operand of AND are not redundant', () => {
    expect(() => parseCondition('((n = :5) AND (s = :x)) OR (n = :4)', 'ConditionExpression')).not.toThrow();
  });
});

describe('bindings that are rejected', () => {
  test.each([
    [
      'n > :true',
      'Incorrect operand type for operator or function; operator or function: >, operand type: BOOL',
    ],
    [
      ':list <= n',
      'Incorrect operand type for operator or function; operator or function: <=, operand type: L',
    ],
    [
      'n BETWEEN :true AND :true',
      'Incorrect operand type for operator or function; operator or function: BETWEEN, operand type: BOOL',
    ],
    [
      'begins_with(s, :5)',
      'Incorrect operand type for operator or function; operator or function: begins_with, operand type: N',
    ],
    [
      'begins_with(size(s), :he)',
      'Incorrect operand type for operator or function; operator or function: begins_with, operand type: N',
    ],
    [
      'size(:5) = n',
      'Incorrect operand type for operator or function; operator or function: size, operand type: N',
    ],
    [
      'size(size(s)) = n',
      'Incorrect operand type for operator or function; operator or function: size, operand type: N',
    ],
    [
      'attribute_type(s, :5)',
      'Incorrect operand type for operator or function; operator or function: attribute_type, operand type: N',
    ],
    [
      'attribute_type(s, n)',
      'Incorrect operand type for operator or function; operator or function: attribute_type, operand type: {NS,SS,L,BS,N,M,B,BOOL,NULL,S}',
    ],
    [
      'attribute_type(s, :odd)',
      'Invalid attribute type name found; type: string, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}',
    ],
    [
      's BETWEEN :z AND :x',
      'The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {S:z}, upper bound operand: AttributeValue: {S:x}',
    ],
    [
      's BETWEEN :4 AND :x',
      'The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: AttributeValue: {N:4}, upper bound operand: AttributeValue: {S:x}',
    ],
    [
      'n = n',
      'The first operand must be distinct from the remaining operands for this operator or function; operator: =, first operand: [n]',
    ],
    [
      'contains(l[0].a, l[0].a)',
      'The first operand must be distinct from the remaining operands for this operator or function; operator: contains, first operand: [l, [0], a]',
    ],
  ])('%s', (text, problem) => {
    expect(() => decide(text)).toThrow(`Invalid ConditionExpression: ${problem}`);
  });

  test('one attribute under two names is not distinct', () => {
    expect(() => decide('#a = #b', { '#a': 'n', '#b': 'n' })).toThrow('must be distinct');
  });
});
