// Aim: a statement does and costs what it comes to: a SELECT on the full key is a GetItem, on a partition key
// a Query, anything else a Scan, writes are those of one item, and errors are the service's. Method: single
// statements on one table of orders; messages are captures (`paritysuite/dynamodb-conformance`, 2026-10).
import { describe, expect, test } from 'vitest';
import type { AttributeMap, AttributeValue } from '../../../../src/dynamodb/attribute-value.ts';
import type { ExecuteStatementInput } from '../../../../src/dynamodb/operation.ts';
import type { Outcome } from '../../../../src/dynamodb/outcome.ts';
import { attributes, failureOf, OrdersDatabase, unitsOf } from '../../../support/simulated-orders.ts';

/** Orders of three customers; the first of `c1` has 6 KB. */
function filled(): OrdersDatabase {
  const db = new OrdersDatabase();
  db.put({ PK: 'c1', SK: 1, status: 'open', date: 'd1', total: 5, note: 'x'.repeat(6_000) });
  for (const SK of [2, 3]) db.put({ PK: 'c1', SK, status: 'done', date: `d${SK}`, total: 10 - SK });
  db.put({ PK: 'c2', SK: 1, city: 'Rome', total: 1 }, { doc: { M: { a: { L: [{ N: '7' }, { S: 'x' }] } } } });
  db.put({ PK: 'c3', SK: 1 });
  return db;
}

function run(db: OrdersDatabase, Statement: string, more: Partial<ExecuteStatementInput> = {}): Outcome {
  return db.send('ExecuteStatement', { Statement, ...more });
}

function itemsOf(outcome: Outcome): readonly AttributeMap[] {
  if (outcome.kind !== 'ok') throw new Error(JSON.stringify(outcome));
  return outcome.output.Items ?? [];
}

const keysOf = (outcome: Outcome) => itemsOf(outcome).map(({ PK, SK }) => `${PK?.S}/${SK?.N}`);

describe('SELECT', () => {
  test.each<[string, string, number, readonly string[]]>([
    ['the full key is a GetItem', `PK = 'c1' AND SK = 2`, 0.5, ['c1/2']],
    ['the full key of a larger item', `PK = 'c1' AND SK = 1`, 1, ['c1/1']],
    ['the full key, values first', `2 = SK AND 'c1' = PK`, 0.5, ['c1/2']],
    ['a key that is not there', `PK = 'c1' AND SK = 9`, 0.5, []],
    [
      'the full key with a condition that does not hold: paid all the same',
      `PK = 'c1' AND SK = 1 AND total = 9`,
      1,
      [],
    ],
    ['a partition key is a Query, filtered after it was paid', `PK = 'c1' AND total > 7`, 1, ['c1/2']],
    ['a partition key and a range of the sort key', `PK = 'c1' AND SK > 1`, 0.5, ['c1/2', 'c1/3']],
    [
      'a partition key and a negated sort key, which filters',
      `PK = 'c1' AND NOT SK = 1`,
      1,
      ['c1/2', 'c1/3'],
    ],
    ['several partition keys by IN', `PK IN ['c3', 'c2', 'c3']`, 1, ['c3/1', 'c2/1']],
    ['several partition keys by OR', `PK = 'c2' OR PK = 'c3' AND SK = 1`, 1, ['c2/1', 'c3/1']],
    ['what is missing', `PK = 'c1' AND status IS MISSING`, 1, []],
    ['a function', `PK = 'c1' AND begins_with(status, 'do')`, 1, ['c1/2', 'c1/3']],
    ['a size', `PK = 'c1' AND size(note) > 5000`, 1, ['c1/1']],
    ['a type', `PK = 'c1' AND note IS STRING`, 1, ['c1/1']],
  ])('by %s', (_, where, readUnits, keys) => {
    const outcome = run(filled(), `SELECT * FROM orders WHERE ${where}`);
    expect(keysOf(outcome)).toEqual(keys);
    expect(unitsOf(outcome)).toEqual([readUnits, {}]);
  });

  test('without a partition key is a Scan', () => {
    const outcome = run(filled(), `SELECT PK, SK FROM orders WHERE total < 8`);
    expect(keysOf(outcome).toSorted()).toEqual(['c1/1', 'c1/3', 'c2/1']);
    expect(unitsOf(outcome)).toEqual([1, {}]);
  });

  test('ConsistentRead doubles the price', () => {
    expect(unitsOf(run(filled(), `SELECT * FROM orders WHERE PK = 'c3'`, { ConsistentRead: true }))).toEqual([
      1,
      {},
    ]);
  });

  test('a path comes back under its last name', () => {
    const outcome = run(
      filled(),
      `SELECT doc.a[0], city, doc.a, absent FROM orders WHERE PK = 'c2' AND SK = 1`,
    );
    expect(itemsOf(outcome)).toEqual([
      { 'a[0]': { N: '7' }, city: { S: 'Rome' }, a: { L: [{ N: '7' }, { S: 'x' }] } },
    ]);
  });

  test('of a global index costs the index', () => {
    const outcome = run(filled(), `SELECT * FROM "orders"."GSI1" WHERE status = 'done' AND date >= 'd3'`);
    expect(keysOf(outcome)).toEqual(['c1/3']);
    expect(unitsOf(outcome)).toEqual([0, { GSI1: 0.5 }]);
  });

  test('of a local index fetches what it does not hold', () => {
    const outcome = run(filled(), `SELECT status FROM "orders"."byTotal" WHERE PK = 'c1' AND total = 8`);
    expect(itemsOf(outcome)).toEqual([attributes({ status: 'done' })]);
    expect(unitsOf(outcome)).toEqual([0.5, { byTotal: 0.5 }]);
  });

  test.each([
    ['ASC', ['c1/1', 'c1/2', 'c1/3']],
    ['DESC', ['c1/3', 'c1/2', 'c1/1']],
  ])('ORDER BY the sort key %s', (direction, keys) => {
    expect(keysOf(run(filled(), `SELECT * FROM orders WHERE PK = 'c1' ORDER BY SK ${direction}`))).toEqual(
      keys,
    );
  });

  test('ORDER BY the partition key orders the keys of IN', () => {
    const statement = `SELECT * FROM orders WHERE PK IN ['c2', 'c1', 'c3'] ORDER BY PK DESC, SK DESC`;
    expect(keysOf(run(filled(), statement))).toEqual(['c3/1', 'c2/1', 'c1/3', 'c1/2', 'c1/1']);
  });

  test('parameters stand for values in order, and the same statement serves others', () => {
    const db = filled();
    const statement = `SELECT * FROM orders WHERE PK = ? AND SK = ?`;
    const keyed = (PK: string, SK: string) =>
      keysOf(run(db, statement, { Parameters: [{ S: PK }, { N: SK }] }));
    expect([keyed('c1', '2'), keyed('c2', '1.0')]).toEqual([['c1/2'], ['c2/1']]);
  });
});

describe('pages', () => {
  function pages(statement: string, Limit: number): readonly (readonly string[])[] {
    const db = filled();
    const all: (readonly string[])[] = [];
    let NextToken: string | undefined;
    do {
      const outcome = run(db, statement, { Limit, ...(NextToken && { NextToken }) });
      all.push(keysOf(outcome));
      NextToken = outcome.kind === 'ok' ? outcome.output.NextToken : undefined;
    } while (NextToken !== undefined && all.length < 20);
    return all;
  }

  test.each<[string, string, number, readonly (readonly string[])[]]>([
    ['a partition key', `SELECT * FROM orders WHERE PK = 'c1'`, 2, [['c1/1', 'c1/2'], ['c1/3']]],
    ['descending', `SELECT * FROM orders WHERE PK = 'c1' ORDER BY SK DESC`, 2, [['c1/3', 'c1/2'], ['c1/1']]],
    [
      'several partition keys, where Limit counts over all',
      `SELECT * FROM orders WHERE PK IN ['c1', 'c2', 'c3']`,
      4,
      [['c1/1', 'c1/2', 'c1/3', 'c2/1'], ['c3/1']],
    ],
    [
      'what a filter leaves, empty pages too',
      `SELECT * FROM orders WHERE PK = 'c1' AND total < 8`,
      1,
      [['c1/1'], [], ['c1/3'], []],
    ],
  ])('%s', (_, statement, limit, expected) => {
    expect(pages(statement, limit)).toEqual(expected);
  });

  test('a scan gives every item once', () => {
    expect(pages('SELECT * FROM orders', 2).flat().toSorted()).toEqual([
      'c1/1',
      'c1/2',
      'c1/3',
      'c2/1',
      'c3/1',
    ]);
  });

  test.each(['?', 'eA==', 'W10='])('the token %s is none', (NextToken) => {
    expect(failureOf(run(filled(), 'SELECT * FROM orders', { NextToken }))).toBe(
      'ValidationException: Invalid NextToken',
    );
  });

  test('a token belongs to its statement and parameters', () => {
    const db = filled();
    const by = (PK: string, more = {}) =>
      run(db, 'SELECT * FROM orders WHERE PK = ?', { Parameters: [{ S: PK }], Limit: 1, ...more });
    const first = by('c1');
    const NextToken = first.kind === 'ok' ? first.output.NextToken : undefined;
    expect(keysOf(by('c1', { NextToken }))).toEqual(['c1/2']);
    expect(failureOf(by('c2', { NextToken }))).toBe('ValidationException: Invalid NextToken');
  });
});

describe('writes', () => {
  test('INSERT stores an item once and pays for it and its index entries', () => {
    const db = new OrdersDatabase();
    const statement = `INSERT INTO orders VALUE {'PK': 'a', 'SK': 1, 'status': ?, 'date': 'd', 'l': [1, {'x': <<'b', 'a'>>}]}`;
    const outcome = run(db, statement, { Parameters: [{ S: 'open' }] });
    expect([itemsOf(outcome), unitsOf(outcome)]).toEqual([[], [1, { GSI1: 1 }]]);
    expect(db.get({ PK: 'a', SK: 1 })).toEqual({
      ...attributes({ PK: 'a', SK: 1, status: 'open', date: 'd' }),
      l: { L: [{ N: '1' }, { M: { x: { SS: ['b', 'a'] } } }] },
    });
  });

  test('a second INSERT is a failed condition, charged on the larger of both', () => {
    const db = filled();
    const outcome = run(db, `INSERT INTO orders VALUE {'PK': 'c1', 'SK': 1}`);
    expect(outcome.kind).toBe('conditionFailed');
    expect(unitsOf(outcome)).toEqual([6, {}]);
  });

  test.each<[string, readonly AttributeMap[]]>([
    ['', []],
    [' RETURNING ALL OLD *', [attributes({ PK: 'c1', SK: 2, status: 'done', date: 'd2', total: 8 })]],
    [' RETURNING MODIFIED OLD *', [attributes({ total: 8 })]],
    [' RETURNING MODIFIED NEW *', [{ total: { N: '9' }, list: { L: [{ S: 'x' }] } }]],
  ])('UPDATE%s', (returning, items) => {
    const statement = `UPDATE orders SET total = total + 1, list = ['x'] WHERE PK = 'c1' AND SK = 2${returning}`;
    expect(itemsOf(run(filled(), statement))).toEqual(items);
  });

  test('UPDATE appends to lists, and adds to and takes from sets', () => {
    const db = new OrdersDatabase();
    db.put({ PK: 'a', SK: 1 }, { l: { L: [{ N: '1' }] }, s: { SS: ['a', 'b'] }, gone: { S: 'x' } });
    const statement = `UPDATE orders SET l = list_append(l, [2]) SET s = set_delete(s, <<'a'>>) SET t = SET_ADD(t, ?) REMOVE gone WHERE PK = 'a' AND SK = 1`;
    expect(run(db, statement, { Parameters: [{ NS: ['1'] }] }).kind).toBe('ok');
    expect(db.get({ PK: 'a', SK: 1 })).toEqual({
      ...attributes({ PK: 'a', SK: 1 }),
      l: { L: [{ N: '1' }, { N: '2' }] },
      s: { SS: ['b'] },
      t: { NS: ['1'] },
    });
  });

  test.each([
    ['UPDATE of an item that is not there', `UPDATE orders SET a = 1 WHERE PK = 'x' AND SK = 1`],
    [
      'UPDATE whose condition does not hold',
      `UPDATE orders SET a = 1 WHERE PK = 'c3' AND SK = 1 AND city = 'Rome'`,
    ],
    [
      'UPDATE of nothing where the key must be new',
      `UPDATE orders SET a = 1 WHERE PK = 'x' AND SK = 1 AND PK IS MISSING`,
    ],
    [
      'DELETE whose condition does not hold',
      `DELETE FROM orders WHERE PK = 'c3' AND SK = 1 AND city = 'Rome'`,
    ],
  ])('%s is a failed condition', (_, statement) => {
    const outcome = run(filled(), statement);
    expect(outcome.kind).toBe('conditionFailed');
    expect(unitsOf(outcome)).toEqual([1, {}]);
  });

  test('a failed condition shows the item where it is asked for', () => {
    const statement = `DELETE FROM orders WHERE PK = 'c3' AND SK = 1 AND city = 'Rome'`;
    const outcome = run(filled(), statement, { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' });
    expect(outcome).toMatchObject({ kind: 'conditionFailed', item: attributes({ PK: 'c3', SK: 1 }) });
  });

  test('DELETE of nothing succeeds, whatever else is asked', () => {
    const outcome = run(
      filled(),
      `DELETE FROM orders WHERE PK = 'x' AND SK = 1 AND city = 'Rome' RETURNING ALL OLD *`,
    );
    expect([itemsOf(outcome), unitsOf(outcome)]).toEqual([[], [1, {}]]);
  });

  test('DELETE gives back what it took', () => {
    const db = filled();
    expect(keysOf(run(db, `DELETE FROM orders WHERE PK = 'c3' AND SK = 1 RETURNING ALL OLD *`))).toEqual([
      'c3/1',
    ]);
    expect(db.get({ PK: 'c3', SK: 1 })).toBeUndefined();
  });

  test('an UPDATE is held against 400 KB as it is finished', () => {
    const db = new OrdersDatabase();
    db.put({ PK: 'a', SK: 1 });
    const fill = (bytes: number) =>
      run(db, `UPDATE orders SET b = ? WHERE PK = 'a' AND SK = 1`, {
        Parameters: [{ S: 'x'.repeat(bytes) }],
      });
    // PK, SK and b with their names: 3 + 1 + 2 + 2 + 1 bytes beside the text.
    const most = 409_600 - 8;
    expect([fill(most).kind, failureOf(fill(most + 1))]).toEqual([
      'ok',
      'ValidationException: Item size to update has exceeded the maximum allowed size',
    ]);
  });
});

describe('mistakes', () => {
  const notKeyed = 'Where clause does not contain a mandatory equality on all key attributes';

  test.each<[string, string, (readonly AttributeValue[])?]>([
    [`UPDATE orders SET a = 1 WHERE PK = 'c1'`, notKeyed],
    [`DELETE FROM orders WHERE PK = 'c1' AND SK > 1`, notKeyed],
    [`SELECT * FROM orders WHERE PK = ?`, "Number of parameters in request and statement don't match."],
    [
      `SELECT * FROM orders WHERE PK = 'x'`,
      "Number of parameters in request and statement don't match.",
      [{ S: 'x' }],
    ],
    [
      `SELECT * FROM orders WHERE PK = ? AND total < ?`,
      'Incorrect operand type for operator or function; operator or function: <, operand type: BOOL',
      [{ S: 'c1' }, { BOOL: true }],
    ],
    [
      `SELECT total, doc FROM "orders"."byCity" WHERE city = 'Rome'`,
      'One or more parameter values were invalid: Global secondary index byCity does not project [total, doc]',
    ],
    [
      `SELECT * FROM "orders"."byCity" WHERE city = 'Rome' AND total = 1`,
      'One or more parameter values were invalid: Secondary index byCity does not project one or more filter attributes: [total]',
    ],
    [`SELECT * FROM "orders"."none"`, 'The table does not have the specified index: none'],
    [
      `SELECT * FROM orders ORDER BY SK`,
      'Must have WHERE clause in the statement when using ORDER BY clause.',
    ],
    [
      `SELECT * FROM orders WHERE total = 1 ORDER BY SK`,
      'Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause.',
    ],
    [
      `SELECT * FROM orders WHERE PK = 'c1' ORDER BY total`,
      'Variable reference total in ORDER BY clause must be part of the primary key',
    ],
    [
      `DELETE FROM orders WHERE PK = 'c1' AND SK = 1 RETURNING ALL NEW *`,
      'Invalid returning clause: RETURNING ALL NEW *. Only RETURNING ALL OLD * is allowed in DELETE statements.',
    ],
    [
      `INSERT INTO orders VALUE {'PK': 'x'}`,
      'One or more parameter values were invalid: Missing the key SK in the item',
    ],
    [
      `UPDATE orders SET SK = 2 WHERE PK = 'c1' AND SK = 1`,
      'One or more parameter values were invalid: Cannot update attribute SK. This attribute is part of the key',
    ],
    [
      `UPDATE orders SET s = set_add(s, <<'x', 'x'>>) WHERE PK = 'c1' AND SK = 1`,
      'One or more parameter values were invalid: Input collection [x, x] contains duplicates.',
    ],
    [
      `UPDATE orders SET total = set_add(total, <<'x'>>) WHERE PK = 'c1' AND SK = 1`,
      'An operand in the update expression has an incorrect data type',
    ],
    [
      `INSERT INTO orders VALUE {'PK': 'x', 'SK': 1, 's': <<1, 'a'>>}`,
      'A set holds strings, numbers or binary values, all of one type',
    ],
    [
      `EXISTS(SELECT * FROM orders WHERE PK = 'c1' AND SK = 1 AND total = 5)`,
      "Statement wasn't well formed, can't be processed: Expected data manipulation",
    ],
  ])('%s', (statement, message, Parameters) => {
    expect(failureOf(run(filled(), statement, Parameters ? { Parameters } : {}))).toBe(
      `ValidationException: ${message}`,
    );
  });

  test('a table that is not there', () => {
    expect(failureOf(run(filled(), `SELECT * FROM "none"`))).toBe(
      'ResourceNotFoundException: Requested resource not found',
    );
  });
});
