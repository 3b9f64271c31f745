// Aim: projections give back what DynamoDB gives back. Method: rows over one nested item.
import { describe, expect, test } from 'vitest';
import type { AttributeMap } from '../../../../src/dynamodb/attribute-value.ts';
import { checkBindingsUsed } from '../../../../src/simulator/expression/check-bindings.ts';
import {
  parseProjection,
  pickPaths,
  project,
  projectedNames,
} from '../../../../src/simulator/expression/projection.ts';

const item: AttributeMap = {
  pk: { S: 'p' },
  s: { S: 'text' },
  l: { L: [{ N: '0' }, { N: '1' }, { M: { k: { S: 'v' }, j: { S: 'w' } } }] },
  m: { M: { a: { N: '1' }, b: { L: [{ N: '9' }] }, bare: { M: {} } } },
};

function projected(text: string, names?: { readonly [placeholder: string]: string }): AttributeMap {
  const node = parseProjection(text);
  checkBindingsUsed({ names }, node);
  return project(node, item, { names });
}

describe('project', () => {
  test.each<[string, AttributeMap]>([
    ['pk, s', { pk: { S: 'p' }, s: { S: 'text' } }],
    ['pk, zz', { pk: { S: 'p' } }],
    ['m.a', { m: { M: { a: { N: '1' } } } }],
    ['m.a, m.b[0]', { m: { M: { a: { N: '1' }, b: { L: [{ N: '9' }] } } } }],
    ['m.bare', { m: { M: { bare: { M: {} } } } }],
    ['l[1]', { l: { L: [{ N: '1' }] } }],
    ['l[2].k, l[0]', { l: { L: [{ N: '0' }, { M: { k: { S: 'v' } } }] } }],
    ['l[2].k, l[2].j', { l: { L: [{ M: { k: { S: 'v' }, j: { S: 'w' } } }] } }],
    ['l[7], pk', { pk: { S: 'p' } }],
    ['m.zz', {}],
    ['s.a', {}],
    ['m[0]', {}],
    ['l.a', {}],
  ])('%s', (text, expected) => {
    expect(projected(text)).toEqual(expected);
  });

  test('resolves names', () => {
    expect(projected('#m.#a, #l[0]', { '#m': 'm', '#a': 'a', '#l': 'l' })).toEqual({
      m: { M: { a: { N: '1' } } },
      l: { L: [{ N: '0' }] },
    });
  });

  test('joins one map under two names', () => {
    expect(projected('#m.a, m.b', { '#m': 'm' })).toEqual({
      m: { M: { a: { N: '1' }, b: { L: [{ N: '9' }] } } },
    });
  });

  test('takes no attribute from where objects inherit', () => {
    expect(projected('#c, #p', { '#c': 'constructor', '#p': '__proto__' })).toEqual({});
  });
});

test('projectedNames are the top-level names, each once', () => {
  expect(projectedNames(parseProjection('#m.a, m.b, pk'), { names: { '#m': 'm' } })).toEqual(['m', 'pk']);
});

test('pickPaths takes resolved paths', () => {
  expect(
    pickPaths(item, [
      ['m', 'a'],
      ['l', 1],
    ]),
  ).toEqual({ m: { M: { a: { N: '1' } } }, l: { L: [{ N: '1' }] } });
});

describe('what is rejected', () => {
  test.each([
    ['', 'The expression can not be empty;'],
    ['pk,', 'Syntax error; token: "<EOF>", near: ","'],
    ['pk s', 'Syntax error; token: "s", near: "pk s"'],
    ['a,,b', 'Syntax error; token: ",", near: ",,b"'],
    ['a[0', 'Syntax error; token: "<EOF>", near: "0"'],
    ['pk, :s', 'Syntax error; token: ":s", near: ", :s"'],
    ['status', 'Attribute name is a reserved keyword; reserved keyword: status'],
    [
      'pk, pk',
      'Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [pk], path two: [pk]',
    ],
    [
      'm, m.a',
      'Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [m], path two: [m, a]',
    ],
    [
      'm.a, m[0]',
      'Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [m, a], path two: [m, [0]]',
    ],
    [
      'l[0], l[0].a',
      'Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [l, [0]], path two: [l, [0], a]',
    ],
  ])('%j', (text, problem) => {
    expect(() => projected(text)).toThrow(`Invalid ProjectionExpression: ${problem}`);
  });

  test('one attribute under two names', () => {
    expect(() => projected('s, #s', { '#s': 's' })).toThrow('path one: [s], path two: [s]');
  });
});
