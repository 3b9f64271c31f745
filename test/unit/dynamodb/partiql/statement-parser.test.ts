// Aim: statements are read as DynamoDB reads them, and what it refuses is refused in its words. Method: a row
// for each form and each error; the errors are captures of the service (`paritysuite/dynamodb-conformance`,
// tests/tier3).
import { describe, expect, test } from 'vitest';
import { parseStatement } from '../../../../src/dynamodb/partiql/statement-parser.ts';
import type { Constant, Statement, Where } from '../../../../src/dynamodb/partiql/syntax-tree.ts';

const path = (...parts: [string, ...(string | number)[]]) => ({ kind: 'path', parts }) as const;
const value = (constant: object) => ({ kind: 'value', value: constant }) as Constant;
const equals = (name: string, constant: object): Where => ({
  kind: 'comparison',
  comparator: '=',
  left: path(name),
  right: value(constant),
});

function parsed(text: string): Statement {
  return parseStatement(text).statement;
}

function whereOf(condition: string): Where | undefined {
  const statement = parsed(`SELECT * FROM t WHERE ${condition}`);
  return statement.kind === 'select' ? statement.where : undefined;
}

function insertedItem(literal: string): Constant | undefined {
  const statement = parsed(`INSERT INTO t VALUE {'x': ${literal}}`);
  return statement.kind === 'insert' ? statement.item.members[0]?.[1] : undefined;
}

describe('SELECT', () => {
  test('reads paths, table, index, condition and order', () => {
    expect(parsed(`SELECT a.b[0], "c d" FROM "my-table"."by-x" WHERE x = 1 ORDER BY y DESC, z`)).toEqual({
      kind: 'select',
      paths: [path('a', 'b', 0), path('c d')],
      table: 'my-table',
      index: 'by-x',
      where: equals('x', { N: '1' }),
      orders: [
        { attribute: 'y', isDescending: true },
        { attribute: 'z', isDescending: false },
      ],
    });
  });

  test.each([
    ['keywords in any case', `select * from t where a = 'x' and b = 'y'`],
    ['a line comment between clauses', `SELECT * FROM t -- all of it\nWHERE a = 'x' AND b = 'y'`],
    ['a block comment', `SELECT /* every */ * FROM t WHERE a = 'x' AND b = 'y' /* end */`],
    ['redundant brackets', `SELECT * FROM t WHERE ((a = 'x') AND (b = 'y'))`],
  ])('understands %s', (_, text) => {
    expect(parsed(text)).toEqual(parsed(`SELECT * FROM t WHERE a = 'x' AND b = 'y'`));
  });

  test('binds NOT before AND before OR', () => {
    expect(whereOf('a = 1 OR NOT b = 2 AND c = 3')).toEqual({
      kind: 'or',
      left: equals('a', { N: '1' }),
      right: {
        kind: 'and',
        left: { kind: 'not', condition: equals('b', { N: '2' }) },
        right: equals('c', { N: '3' }),
      },
    });
  });
});

describe('conditions', () => {
  test.each<[string, Where]>([
    [
      'a BETWEEN 1 AND 2',
      { kind: 'between', operand: path('a'), lower: value({ N: '1' }), upper: value({ N: '2' }) },
    ],
    [
      "a IN ['x', 'y']",
      { kind: 'in', operand: path('a'), candidates: [value({ S: 'x' }), value({ S: 'y' })] },
    ],
    ["a IN ('x')", { kind: 'in', operand: path('a'), candidates: [value({ S: 'x' })] }],
    ['a IS MISSING', { kind: 'is', path: path('a'), type: 'MISSING', isNegated: false }],
    ['a.b IS NOT MISSING', { kind: 'is', path: path('a', 'b'), type: 'MISSING', isNegated: true }],
    ['a IS NULL', { kind: 'is', path: path('a'), type: 'NULL', isNegated: false }],
    ['a IS STRING', { kind: 'is', path: path('a'), type: 'S', isNegated: false }],
    ["begins_with(a, 'x')", { kind: 'begins_with', operand: path('a'), argument: value({ S: 'x' }) }],
    [
      'BEGINS_WITH(a, ?)',
      { kind: 'begins_with', operand: path('a'), argument: { kind: 'parameter', index: 0 } },
    ],
    ['attribute_exists(a) = true', { kind: 'attribute_exists', path: path('a') }],
    [
      'attribute_exists(a) = false',
      { kind: 'not', condition: { kind: 'attribute_exists', path: path('a') } },
    ],
    [
      'size(a) >= 2',
      {
        kind: 'comparison',
        comparator: '>=',
        left: { kind: 'size', operand: path('a') },
        right: value({ N: '2' }),
      },
    ],
    ['a != 1', { kind: 'comparison', comparator: '<>', left: path('a'), right: value({ N: '1' }) }],
  ])('%s is understood', (condition, tree) => {
    expect(whereOf(condition)).toEqual(tree);
  });
});

describe('literals', () => {
  test.each<[string, Constant]>([
    ["'it''s'", value({ S: "it's" })],
    ["''", value({ S: '' })],
    ['7.31e6', value({ N: '7310000' })],
    ['.73e1', value({ N: '7.3' })],
    ['-.73e1', value({ N: '-7.3' })],
    ['731E+4', value({ N: '7310000' })],
    ['true', value({ BOOL: true })],
    ['NULL', value({ NULL: true })],
    [
      "['x', [1]]",
      { kind: 'list', elements: [value({ S: 'x' }), { kind: 'list', elements: [value({ N: '1' })] }] },
    ],
    ["{'a': {}}", { kind: 'map', members: [['a', { kind: 'map', members: [] }]] }],
    ['<<1, ?>>', { kind: 'set', elements: [value({ N: '1' }), { kind: 'parameter', index: 0 }] }],
  ])('%s is understood', (literal, tree) => {
    expect(insertedItem(literal)).toEqual(tree);
  });
});

describe('writes', () => {
  test('an update has SET and REMOVE clauses, each with one change or several', () => {
    expect(
      parsed(
        `UPDATE t SET a = a + 1, b = list_append(b, [1]) SET c.d = 'x' REMOVE e[0] WHERE k = 1 RETURNING MODIFIED NEW *`,
      ),
    ).toEqual({
      kind: 'update',
      table: 't',
      changes: [
        { kind: 'set', path: path('a'), value: { kind: '+', left: path('a'), right: value({ N: '1' }) } },
        {
          kind: 'set',
          path: path('b'),
          value: {
            kind: 'list_append',
            left: path('b'),
            right: { kind: 'list', elements: [value({ N: '1' })] },
          },
        },
        { kind: 'set', path: path('c', 'd'), value: value({ S: 'x' }) },
        { kind: 'remove', path: path('e', 0) },
      ],
      where: equals('k', { N: '1' }),
      returning: { extent: 'MODIFIED', moment: 'NEW' },
    });
  });

  test('an update may begin with FROM', () => {
    expect(parsed(`FROM t WHERE k = 1 SET a = 2 RETURNING ALL OLD *`)).toEqual(
      parsed(`UPDATE t SET a = 2 WHERE k = 1 RETURNING ALL OLD *`),
    );
  });

  test('a delete has a condition', () => {
    expect(parsed(`DELETE FROM t WHERE k = 1 RETURNING ALL OLD *`)).toEqual({
      kind: 'delete',
      table: 't',
      where: equals('k', { N: '1' }),
      returning: { extent: 'ALL', moment: 'OLD' },
    });
  });

  test('EXISTS holds a SELECT', () => {
    expect(parsed(`EXISTS(SELECT * FROM t WHERE k = 1)`)).toEqual({
      kind: 'exists',
      select: parsed(`SELECT * FROM t WHERE k = 1`),
    });
  });
});

const envelope = "Statement wasn't well formed, can't be processed: ";
const leftOver = `${envelope}Unexpected token after expression`;
const update = (set: string) => `UPDATE t SET ${set} WHERE pk = 'x'`;

describe('errors', () => {
  test.each<[string, string]>([
    ['SELECT * FROM t WHERE pk = 1 foo', leftOver],
    ['SELECT * FROM t WHERE pk = 1 e5', leftOver],
    ["INSERT INTO t VALUE {'pk': 1} foo", leftOver],
    ['UPDATE t SET a = 9 WHERE pk = 1 foo', leftOver],
    ['DELETE FROM t WHERE pk = 1 ORDER BY pk', leftOver],
    ['SELECT * FROM t WHERE pk = 1)', leftOver],
    ['SELECT * FROM t ORDER BY pk WHERE pk = 1', leftOver],
    ["INSERT INTO t x VALUE {'pk': 'x'}", leftOver],
    ['SELECT * FROM t WHERE pk = 1e2147483648', envelope],
    ['SELECT * FROM t WHERE pk = 1.5e-2147483647', envelope],
    ['SELECT * FROM t WHERE pk = 1 # note', envelope],
    ['SELECT * FROM t WHERE pk = 1 /* note', envelope],
    ["SELECT * FROM t x WHERE pk = 'x'", 'Aliasing is not supported'],
    ["SELECT * FROM t AS x WHERE pk = 'x'", 'Aliasing is not supported'],
    ["UPDATE t x SET a = 3 WHERE pk = 'x'", 'Aliasing is not supported'],
    ["DELETE FROM t x WHERE pk = 'x'", 'Aliasing is not supported'],
    [
      'SELECT * FROM t WHERE pk = 1e126',
      'Number overflow. Attempting to store a number with magnitude larger than supported range under root',
    ],
    [
      "SELECT * FROM t WHERE attribute_exists('ss')",
      'Operator or function requires a document path; operator or function: attribute_exists',
    ],
    [
      'SELECT * FROM t WHERE attribute_exists()',
      'Incorrect number of operands for operator or function; operator or function: attribute_exists, number of operands: 0',
    ],
    ['SELECT attribute_exists(ss) FROM t', 'Unexpected path component at 1:8:16'],
    ['SELECT * FROM t WHERE EXISTS(ss)', 'Unrecognized function: exists at 1:23:6'],
    [
      update("t = set_add(ss, <<'x'>>)"),
      'The first argument to SET_ADD must equal the assignment value at 1:18:7',
    ],
    [
      update("ss = set_add(ss, 'x')"),
      'The second argument to SET_ADD must be a value with type SET at 1:27:2',
    ],
    [update('ss = set_add(ss)'), 'SET_ADD must have exactly two arguments at 1:19:7'],
    [update('ss = set_add(ss, <<>>)'), 'Empty bags are not supported'],
    ['UPDATE t SET a = 1', 'Where clause does not contain a mandatory equality on all key attributes'],
    ['DROP TABLE t', `${envelope}Expected data manipulation`],
    ['', `${envelope}Expected data manipulation`],
    ['SELECT FROM t', `${envelope}Expected an attribute but got 'FROM'`],
    [
      `SELECT * FROM t WHERE ${'('.repeat(500)}a = 1${')'.repeat(500)}`,
      `${envelope}Expressions nest too deeply`,
    ],
    [`SELECT * FROM t WHERE ${'NOT '.repeat(500)}a = 1`, `${envelope}Expressions nest too deeply`],
    [`SELECT * FROM t WHERE a = '${'x'.repeat(8_192)}'`, `${envelope}a statement has up to 8192 characters`],
  ])('%s', (text, message) => {
    expect(() => parseStatement(text)).toThrow(
      expect.objectContaining({ type: 'ValidationException', message }),
    );
  });
});
