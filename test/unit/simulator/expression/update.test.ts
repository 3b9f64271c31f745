// Aim: updates change items as DynamoDB does. Method: one item, a row per action with the attributes that
// differ afterwards, and a row per error.
import { describe, expect, test } from 'vitest';
import type { AttributeMap } from '../../../../src/dynamodb/attribute-value.ts';
import { checkBindingsUsed } from '../../../../src/simulator/expression/check-bindings.ts';
import { pickPaths } from '../../../../src/simulator/expression/projection.ts';
import {
  applyUpdate,
  type UpdatedItem,
  updatedNames,
} from '../../../../src/simulator/expression/update-evaluator.ts';
import { parseUpdate } from '../../../../src/simulator/expression/update-parser.ts';

const item: AttributeMap = {
  n: { N: '5' },
  s: { S: 'hello' },
  l: { L: [{ N: '0' }, { N: '1' }, { M: { k: { S: 'v' } } }] },
  m: { M: { a: { N: '1' }, b: { L: [{ N: '9' }] } } },
  ss: { SS: ['b', 'c'] },
  ns: { NS: ['10', '2'] },
  bs: { BS: ['AQ==', 'Ag=='] },
  fill: { fillerBytes: 9 },
};

const values: AttributeMap = {
  ':s': { S: 'x' },
  ':1': { N: '1' },
  ':half': { N: '0.50' },
  ':list': { L: [{ S: 'q' }] },
  ':ac': { SS: ['a', 'c'] },
  ':bc': { SS: ['c', 'b'] },
  ':3and10': { NS: ['3', '10.0'] },
  ':bytes': { BS: ['AQ=='] },
  ':fill': { fillerBytes: 3 },
};

function update(text: string, names?: { readonly [placeholder: string]: string }): UpdatedItem {
  const used = Object.entries(values).filter(([name]) => new RegExp(`${name}\\b`).test(text));
  const bindings = { names, values: used.length > 0 ? Object.fromEntries(used) : undefined };
  const node = parseUpdate(text);
  checkBindingsUsed(bindings, node);
  return applyUpdate(node, item, bindings);
}

/** What differs from the item before; null for an attribute that is gone. */
function changes(text: string, names?: { readonly [placeholder: string]: string }): object {
  const after = update(text, names).item;
  const attributes = new Set([...Object.keys(item), ...Object.keys(after)]);
  const changed = [...attributes].filter((name) => after[name] !== item[name]);
  return Object.fromEntries(changed.map((name) => [name, after[name] ?? null]));
}

describe('SET', () => {
  test.each([
    ['SET a = :s', { a: { S: 'x' } }],
    ['set n = :s', { n: { S: 'x' } }],
    ['SET a = n', { a: { N: '5' } }],
    ['SET a = n + :1', { a: { N: '6' } }],
    ['SET n = n - :half', { n: { N: '4.5' } }],
    ['SET n = (n - :1)', { n: { N: '4' } }],
    ['SET a = :1 - n', { a: { N: '-4' } }],
    ['SET a = if_not_exists(n, :1)', { a: { N: '5' } }],
    ['SET a = if_not_exists(zz, :1)', { a: { N: '1' } }],
    ['SET a = if_not_exists(zz, n)', { a: { N: '5' } }],
    ['SET a = if_not_exists(zz, :1) + :1', { a: { N: '2' } }],
    ['SET a = list_append(:list, :list)', { a: { L: [{ S: 'q' }, { S: 'q' }] } }],
    [
      'SET m.b = list_append(m.b, :list)',
      { m: { M: { a: { N: '1' }, b: { L: [{ N: '9' }, { S: 'q' }] } } } },
    ],
    ['SET a = list_append(if_not_exists(zz, :list), :list)', { a: { L: [{ S: 'q' }, { S: 'q' }] } }],
    ['SET a = n, n = s', { a: { N: '5' }, n: { S: 'hello' } }],
    ['SET a = fill', { a: { fillerBytes: 9 } }],
    ['SET a = :fill', { a: { fillerBytes: 3 } }],
    ['SET m.a = :s, m.c = :1', { m: { M: { a: { S: 'x' }, b: { L: [{ N: '9' }] }, c: { N: '1' } } } }],
    ['SET l[1] = :s', { l: { L: [{ N: '0' }, { S: 'x' }, { M: { k: { S: 'v' } } }] } }],
    ['SET l[2].j = :s', { l: { L: [{ N: '0' }, { N: '1' }, { M: { k: { S: 'v' }, j: { S: 'x' } } }] } }],
    ['SET m.b[7] = :s', { m: { M: { a: { N: '1' }, b: { L: [{ N: '9' }, { S: 'x' }] } } } }],
    [
      'SET m.b[9] = :s, m.b[4] = :1',
      { m: { M: { a: { N: '1' }, b: { L: [{ N: '9' }, { N: '1' }, { S: 'x' }] } } } },
    ],
  ])('%s', (text, expected) => {
    expect(changes(text)).toEqual(expected);
  });
});

describe('REMOVE', () => {
  test.each([
    ['REMOVE n, s', { n: null, s: null }],
    ['REMOVE zz', {}],
    ['REMOVE m.zz', { m: item.m }],
    ['REMOVE m.a', { m: { M: { b: { L: [{ N: '9' }] } } } }],
    ['REMOVE l[0]', { l: { L: [{ N: '1' }, { M: { k: { S: 'v' } } }] } }],
    ['REMOVE l[0], l[1]', { l: { L: [{ M: { k: { S: 'v' } } }] } }],
    ['REMOVE l[9]', { l: item.l }],
    ['REMOVE l[0] SET l[2].k = :s', { l: { L: [{ N: '1' }, { M: { k: { S: 'x' } } }] } }],
  ])('%s', (text, expected) => {
    expect(changes(text)).toEqual(expected);
  });
});

describe('ADD and DELETE', () => {
  test.each([
    ['ADD n :1', { n: { N: '6' } }],
    ['ADD zz :half', { zz: { N: '0.5' } }],
    ['ADD m.a :1', { m: { M: { a: { N: '2' }, b: { L: [{ N: '9' }] } } } }],
    ['ADD m.q :1', { m: { M: { a: { N: '1' }, b: { L: [{ N: '9' }] }, q: { N: '1' } } } }],
    ['ADD ss :ac', { ss: { SS: ['a', 'b', 'c'] } }],
    ['ADD zz :ac', { zz: { SS: ['a', 'c'] } }],
    ['ADD ns :3and10', { ns: { NS: ['2', '3', '10'] } }],
    ['DELETE ss :ac', { ss: { SS: ['b'] } }],
    ['DELETE ss :bc', { ss: null }],
    ['DELETE zz :ac', {}],
    ['DELETE ns :3and10', { ns: { NS: ['2'] } }],
    ['DELETE bs :bytes', { bs: { BS: ['Ag=='] } }],
    ['SET a = :s ADD n :1 DELETE ss :bc REMOVE s', { a: { S: 'x' }, n: { N: '6' }, ss: null, s: null }],
  ])('%s', (text, expected) => {
    expect(changes(text)).toEqual(expected);
  });
});

describe('what came of an update', () => {
  test('changedPaths name every target, resolved', () => {
    const { changedPaths } = update('SET #m.a = :s, l[1] = :1 REMOVE n', { '#m': 'm' });
    expect(changedPaths).toEqual([['m', 'a'], ['l', 1], ['n']]);
  });

  test('changedPaths pick what UPDATED_NEW shows', () => {
    const { item: after, changedPaths } = update('SET m.a = :s, m.c = :1');
    expect(pickPaths(after, changedPaths)).toEqual({ m: { M: { a: { S: 'x' }, c: { N: '1' } } } });
  });

  test('updatedNames are the top-level targets, each once', () => {
    const node = parseUpdate('SET #a.b = :s, a.c = zz ADD n :n REMOVE s');
    expect(updatedNames(node, { names: { '#a': 'a' } })).toEqual(['a', 'n', 's']);
  });

  test('an attribute named __proto__ is data', () => {
    const after = update('SET #p = :s', { '#p': '__proto__' }).item;
    expect(Object.hasOwn(after, '__proto__')).toBe(true);
    expect(Object.getPrototypeOf(after)).toBe(Object.prototype);
  });
});

describe('texts and bindings that are rejected', () => {
  test.each([
    ['', 'The expression can not be empty;'],
    ['SET', 'Syntax error; token: "<EOF>", near: "SET"'],
    ['SET a', 'Syntax error; token: "<EOF>", near: "a"'],
    ['SET a = :s,', 'Syntax error; token: "<EOF>", near: ","'],
    ['INVALID SYNTAX HERE', 'Syntax error; token: "INVALID", near: "INVALID SYNTAX"'],
    ['SET a = :1 + :1 + :1', 'Syntax error; token: "+", near: ":1 + :1"'],
    ['SET a += :1', 'Syntax error; token: "+", near: "a +="'],
    ['SET a = -:1', 'Syntax error; token: "-", near: "= -:1"'],
    ['ADD n = :1', 'Syntax error; token: "=", near: "n = :1"'],
    ['ADD n n', 'Syntax error; token: "n", near: "n n"'],
    ['SET a = :s SET b = :s', 'The "SET" section can only be used once in an update expression;'],
    ['REMOVE n remove s', 'The "REMOVE" section can only be used once in an update expression;'],
    ['SET a = foo(n)', 'Invalid function name; function: foo'],
    ['SET a = size(s)', 'Invalid function name; function: size'],
    [
      'SET a = if_not_exists(n)',
      'Incorrect number of operands for operator or function; operator or function: if_not_exists, number of operands: 1',
    ],
    [
      'SET a = list_append(l, l, l)',
      'Incorrect number of operands for operator or function; operator or function: list_append, number of operands: 3',
    ],
    [
      'SET a = if_not_exists(:1, :1)',
      'Operator or function requires a document path; operator or function: if_not_exists',
    ],
    ['SET status = :s', 'Attribute name is a reserved keyword; reserved keyword: status'],
    [
      'SET a = :undefined',
      'An expression attribute value used in expression is not defined; attribute value: :undefined',
    ],
    [
      'SET a = n + :s',
      'Incorrect operand type for operator or function; operator or function: +, operand type: S',
    ],
    [
      'SET a = :list - n',
      'Incorrect operand type for operator or function; operator or function: -, operand type: L',
    ],
    [
      'SET a = list_append(l, :s)',
      'Incorrect operand type for operator or function; operator or function: list_append, operand type: S',
    ],
    [
      'ADD n :s',
      'Incorrect operand type for operator or function; operator: ADD, operand type: STRING, typeSet: ALLOWED_FOR_ADD_OPERAND',
    ],
    [
      'DELETE n :1',
      'Incorrect operand type for operator or function; operator: DELETE, operand type: NUMBER, typeSet: ALLOWED_FOR_DELETE_OPERAND',
    ],
    [
      'SET a = :s, a = :1',
      'Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a]',
    ],
    [
      'SET a = :s REMOVE a',
      'Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a]',
    ],
    [
      'SET m.a = :s, m = :1',
      'Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [m, a], path two: [m]',
    ],
    [
      'SET m.a = :s, m[0] = :1',
      'Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [m, a], path two: [m, [0]]',
    ],
    [
      'SET l[0] = :s ADD l[0] :1',
      'Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [l, [0]], path two: [l, [0]]',
    ],
  ])('%j', (text, problem) => {
    expect(() => update(text)).toThrow(`Invalid UpdateExpression: ${problem}`);
  });
});

const noPlace = 'The document path provided in the update expression is invalid for update';
const wrongType = 'An operand in the update expression has an incorrect data type';
const noAttribute = 'The provided expression refers to an attribute that does not exist in the item';

describe('what does not fit the item', () => {
  test.each([
    ['SET zz.a = :s', noPlace],
    ['SET m.zz.a = :s', noPlace],
    ['SET s.a = :s', noPlace],
    ['SET m[0] = :s', noPlace],
    ['SET l.a = :s', noPlace],
    ['SET l[9].a = :s', noPlace],
    ['SET zz[0] = :s', noPlace],
    ['REMOVE zz.a', noPlace],
    ['REMOVE s.a', noPlace],
    ['ADD zz.a :1', noPlace],
    ['SET a = zz', noAttribute],
    ['SET a = l[9]', noAttribute],
    ['SET a = zz + :1', noAttribute],
    ['SET a = s + :1', wrongType],
    ['SET a = list_append(s, :list)', wrongType],
    ['ADD s :1', wrongType],
    ['ADD ss :3and10', wrongType],
    ['ADD fill :1', wrongType],
    ['DELETE ns :ac', wrongType],
    ['DELETE s :ac', wrongType],
  ])('%s', (text, message) => {
    expect(() => update(text)).toThrow(message);
  });

  test('a sum beyond what a number holds', () => {
    const node = parseUpdate('ADD n :v');
    expect(() => applyUpdate(node, { n: { N: '1e60' } }, { values: { ':v': { N: '1' } } })).toThrow(
      '38 significant digits',
    );
  });
});
