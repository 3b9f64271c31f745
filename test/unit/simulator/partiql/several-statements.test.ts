// Aim: batches answer each statement in its place and charge what failed; transactions are all or none,
// twice as dear, and repeated by token. Method: small requests on the tables of orders; throttling by a table of one
// unit; overlaps with begin and complete apart.
import { describe, expect, test } from 'vitest';
import type { MemberResponse } from '../../../../src/dynamodb/api-output.ts';
import type { PartiqlRequest } from '../../../../src/dynamodb/operation.ts';
import type { Outcome } from '../../../../src/dynamodb/outcome.ts';
import { dataAnswer } from '../../../../src/serve/data-answer.ts';
import { attributes, failureOf, OrdersDatabase, plainOrders } from '../../../support/simulated-orders.ts';

function filled(): OrdersDatabase {
  const db = new OrdersDatabase();
  db.put({ PK: 'c1', SK: 1, total: 5, note: 'x'.repeat(3_000) });
  db.put({ PK: 'c1', SK: 2, status: 'open', date: 'd' });
  return db;
}

function batch(db: OrdersDatabase, ...statements: readonly string[]): Outcome {
  return db.send('BatchExecuteStatement', { Statements: statements.map((Statement) => ({ Statement })) });
}

function responsesOf(outcome: Outcome): readonly MemberResponse[] {
  if (outcome.kind !== 'ok' && outcome.kind !== 'partial') throw new Error(failureOf(outcome));
  const { Responses } = outcome.output;
  return Array.isArray(Responses) ? (Responses as readonly MemberResponse[]) : [];
}

const codesOf = (outcome: Outcome) => responsesOf(outcome).map(({ Error }) => Error?.Code ?? 'ok');

function unitsOf(
  consumed: readonly {
    readonly tableName: string;
    readonly table: { readUnits: number; writeUnits: number };
  }[] = [],
) {
  return Object.fromEntries(
    consumed.map(({ tableName, table }) => [tableName, table.readUnits + table.writeUnits]),
  );
}

describe('BatchExecuteStatement', () => {
  test('reads, each at its own consistency', () => {
    const outcome = filled().send('BatchExecuteStatement', {
      Statements: [
        { Statement: `SELECT total FROM orders WHERE PK = 'c1' AND SK = 1` },
        {
          Statement: `SELECT * FROM orders WHERE PK = ? AND SK = 9`,
          Parameters: [{ S: 'c1' }],
          ConsistentRead: true,
        },
        { Statement: `SELECT * FROM plain WHERE PK = 'c1'` },
      ],
    });
    expect(responsesOf(outcome)).toEqual([
      { TableName: 'orders', Item: attributes({ total: 5 }) },
      { TableName: 'orders' },
      { TableName: 'plain' },
    ]);
    expect(outcome.kind === 'ok' && unitsOf(outcome.consumed)).toEqual({ orders: 1.5, plain: 0.5 });
  });

  test('tells each failure in its place, and charges the writes that were attempted', () => {
    const outcome = batch(
      filled(),
      `INSERT INTO orders VALUE {'PK': 'n', 'SK': 1}`,
      `INSERT INTO orders VALUE {'PK': 'c1', 'SK': 1}`,
      `UPDATE orders SET a = 1 WHERE PK = 'c1' AND SK = 2 AND total = 1`,
      `UPDATE orders SET total = 'none' WHERE PK = 'c1' AND SK = 3 AND PK IS MISSING`,
      `DELETE FROM "none" WHERE PK = 'x'`,
      `INSERT INTO plain VALUE {'PK': 5}`,
      'DROP TABLE orders',
    );
    expect(codesOf(outcome)).toEqual([
      'ok',
      'DuplicateItem',
      'ConditionalCheckFailed',
      'ConditionalCheckFailed',
      'ResourceNotFound',
      'ValidationError',
      'ValidationError',
    ]);
    // 1 for the new item, 3 for the duplicate of 3 KB, 1 each for the conditions.
    expect(outcome).toMatchObject({ kind: 'partial', sentItems: 7, unprocessedItems: 6 });
    expect(outcome.kind === 'partial' && unitsOf(outcome.consumed)).toEqual({ orders: 6 });
  });

  test('leaves out a table whose statements all failed, and all where nothing succeeded', () => {
    const db = filled();
    const duplicates = [`INSERT INTO orders VALUE {'PK': 'c1', 'SK': 1}`];
    const some = batch(db, ...duplicates, `INSERT INTO plain VALUE {'PK': 'a'}`);
    expect(some.kind === 'partial' && [unitsOf(some.consumed), unitsOf(some.estimated)]).toEqual([
      { plain: 1 },
      { orders: 3 },
    ]);
    const request: PartiqlRequest = {
      api: 'BatchExecuteStatement',
      input: {
        Statements: duplicates.map((Statement) => ({ Statement })),
        ReturnConsumedCapacity: 'TOTAL',
      },
    };
    const none = dataAnswer(request, db.database.handle(request, db.atUs));
    expect([none.status, Object.keys(JSON.parse(none.body) as object)]).toEqual([200, ['Responses']]);
  });

  test('charges a write that turns out wrong as one whose condition failed', () => {
    const outcome = batch(
      filled(),
      `UPDATE orders SET total = 'none' WHERE PK = 'c1' AND SK = 1`,
      `DELETE FROM orders WHERE PK = 'x' AND SK = 1`,
    );
    expect(codesOf(outcome)).toEqual(['ValidationError', 'ok']);
    expect(outcome.kind === 'partial' && unitsOf(outcome.consumed)).toEqual({ orders: 4 });
  });

  test('shows the item whose condition failed where it is asked for', () => {
    const outcome = filled().send('BatchExecuteStatement', {
      Statements: [
        {
          Statement: `DELETE FROM orders WHERE PK = 'c1' AND SK = 2 AND total = 1`,
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        },
      ],
    });
    expect(responsesOf(outcome)[0]?.Error?.Item).toEqual(
      attributes({ PK: 'c1', SK: 2, status: 'open', date: 'd' }),
    );
  });

  test.each([
    ['ProvisionedThroughputExceeded', { mode: 'provisioned', readUnits: 1, writeUnits: 1 } as const],
    ['ThrottlingError', { mode: 'on-demand', maximumReadUnits: 1, maximumWriteUnits: 1 } as const],
  ])('a throttled statement is told %s', (code, billing) => {
    const poor = { ...plainOrders, billing, start: { kind: 'new' } as const };
    const db = new OrdersDatabase({ tables: [poor], stepUs: 0 });
    const outcome = db.send('BatchExecuteStatement', {
      Statements: ['a', 'b'].map((PK) => ({
        Statement: `INSERT INTO plain VALUE {'PK': '${PK}', 'body': ?}`,
        Parameters: [{ S: 'x'.repeat(5_000) }],
      })),
    });
    expect(codesOf(outcome)).toEqual(['ok', code]);
    expect(outcome.kind === 'partial' && unitsOf(outcome.consumed)).toEqual({ plain: 5 });
  });

  const one = `SELECT * FROM orders WHERE PK = 'c1' AND SK = 1`;
  const keyed =
    'Select statements within BatchExecuteStatement must specify the primary key in the where clause.';

  test.each([
    [`SELECT * FROM orders WHERE PK = 'c1'`],
    [`SELECT * FROM "orders"."GSI1" WHERE status = 'open'`],
    [`${one} AND attribute_exists(total)`],
  ])('refuses %s in its place', (statement) => {
    expect(responsesOf(batch(filled(), statement))).toEqual([
      { Error: { Code: 'ValidationError', Message: keyed } },
    ]);
  });

  test.each<[string, readonly string[], string]>([
    [
      'nothing',
      [],
      "1 validation error detected: Value '[]' at 'statements' failed to satisfy constraint: Member must have length greater than or equal to 1",
    ],
    [
      '26 statements',
      Array.from({ length: 26 }, (_, SK) => `SELECT * FROM orders WHERE PK = 'x' AND SK = ${SK}`),
      'Too many statements in BatchExecuteStatement; limit is 25',
    ],
    [
      'a read and a write',
      [one, `INSERT INTO plain VALUE {'PK': 'a'}`],
      'Read and write requests together in the same batch is not supported.',
    ],
    ['one item twice', [one, one], 'Provided list of item keys contains duplicates'],
  ])('refuses %s as a whole', (_, statements, message) => {
    expect(failureOf(batch(filled(), ...statements))).toBe(`ValidationException: ${message}`);
  });
});

function transact(db: OrdersDatabase, statements: readonly string[], ClientRequestToken?: string): Outcome {
  return db.send('ExecuteTransaction', {
    TransactStatements: statements.map((Statement) => ({ Statement })),
    ...(ClientRequestToken !== undefined && { ClientRequestToken }),
  });
}

describe('ExecuteTransaction', () => {
  test('reads at twice the price of strong reads', () => {
    const outcome = transact(filled(), [
      `SELECT total FROM orders WHERE PK = 'c1' AND SK = 1`,
      `SELECT * FROM orders WHERE PK = 'c1' AND SK = 2 AND total = 1`,
      `SELECT * FROM orders WHERE PK = 'c1' AND SK = 9`,
    ]);
    expect(responsesOf(outcome)).toEqual([{ Item: attributes({ total: 5 }) }, {}, {}]);
    expect(outcome.kind === 'ok' && unitsOf(outcome.consumed)).toEqual({ orders: 6 });
  });

  test('writes at twice the price, a check included, and answers with nothing', () => {
    const db = filled();
    const outcome = transact(db, [
      `INSERT INTO orders VALUE {'PK': 'n', 'SK': 1}`,
      `UPDATE orders SET total = total + 1 WHERE PK = 'c1' AND SK = 1`,
      `EXISTS(SELECT * FROM orders WHERE PK = 'c1' AND SK = 2 AND status = 'open')`,
    ]);
    expect(responsesOf(outcome)).toEqual([]);
    expect(outcome.kind === 'ok' && unitsOf(outcome.consumed)).toEqual({ orders: 2 + 6 + 2 });
    expect(db.get({ PK: 'c1', SK: 1 })?.total).toEqual({ N: '6' });
  });

  test('does nothing where one statement fails, and tells why in order', () => {
    const db = filled();
    const outcome = transact(db, [
      `INSERT INTO orders VALUE {'PK': 'n', 'SK': 1}`,
      `INSERT INTO orders VALUE {'PK': 'c1', 'SK': 1}`,
      `UPDATE orders SET a = 1 WHERE PK = 'x' AND SK = 1`,
      `EXISTS(SELECT * FROM orders WHERE PK = 'c1' AND SK = 2 AND status = 'done')`,
    ]);
    expect(outcome).toMatchObject({
      kind: 'conditionFailed',
      cancellationReasons: [
        { Code: 'None' },
        { Code: 'DuplicateItem' },
        { Code: 'ConditionalCheckFailed' },
        { Code: 'ConditionalCheckFailed' },
      ],
    });
    expect(db.get({ PK: 'n', SK: 1 })).toBeUndefined();
  });

  test('a repetition by token changes nothing and is charged as reads; another content is refused', () => {
    const db = new OrdersDatabase({ stepUs: 1_000_000 });
    db.put({ PK: 'c1', SK: 1, total: 5 });
    const more = [`UPDATE orders SET total = total + 1 WHERE PK = 'c1' AND SK = 1`];
    transact(db, more, 'once');
    const replay = transact(db, more, 'once');
    expect(replay.kind === 'ok' && replay.consumed[0]?.table).toEqual({ readUnits: 2, writeUnits: 0 });
    expect(db.get({ PK: 'c1', SK: 1 })?.total).toEqual({ N: '6' });
    const other = transact(db, [`DELETE FROM orders WHERE PK = 'c1' AND SK = 1`], 'once');
    expect(failureOf(other)).toMatch(/^IdempotentParameterMismatchException/);
  });

  const select = `SELECT * FROM orders WHERE PK = 'c1' AND SK = 1`;
  const update = `UPDATE orders SET a = 1 WHERE PK = 'c1' AND SK = 1`;
  const first = 'Validation failed in TransactStatements[0]: ';

  test.each<[string, readonly string[], string]>([
    [
      'nothing',
      [],
      "1 validation error detected: Value '[]' at 'transactStatements' failed to satisfy constraint: Member must have length greater than or equal to 1",
    ],
    [
      'reads and writes',
      [select, `DELETE FROM plain WHERE PK = 'a'`],
      'ExecuteTransaction API does not support both read and write operations in the same request.',
    ],
    [
      'RETURNING',
      [`${update} RETURNING ALL NEW *`],
      `${first}RETURNING clause is not supported in ExecuteTransaction.`,
    ],
    [
      'a SELECT of many items',
      [`SELECT * FROM orders WHERE PK = 'c1'`],
      `${first}Select statements within ExecuteTransaction must specify the primary key in the where clause.`,
    ],
    [
      'EXISTS without a further condition',
      [`EXISTS(${select})`, `DELETE FROM plain WHERE PK = 'a'`],
      `${first}EXISTS() must contain a single item read with additional condition`,
    ],
    [
      'one item twice',
      [update, update],
      'Transaction request cannot include multiple operations on one item',
    ],
    [
      'what is no statement',
      ['DROP TABLE orders'],
      "Statement wasn't well formed, can't be processed: Expected data manipulation",
    ],
  ])('refuses %s', (_, statements, message) => {
    expect(failureOf(transact(filled(), statements))).toBe(`ValidationException: ${message}`);
  });

  test('is cancelled by a write that names no item', () => {
    const outcome = transact(filled(), [
      `DELETE FROM plain WHERE PK = 'a'`,
      `UPDATE orders SET a = 1 WHERE PK = 'c1'`,
    ]);
    expect(outcome).toMatchObject({
      kind: 'failed',
      code: 'TransactionCanceledException',
      cancellationReasons: [{ Code: 'None' }, { Code: 'ValidationError' }],
    });
  });
});

describe('conflicts', () => {
  const update = (SK: number) => ({ Statement: `UPDATE orders SET a = 1 WHERE PK = 'c1' AND SK = ${SK}` });
  const transaction = (SK: number): PartiqlRequest => ({
    api: 'ExecuteTransaction',
    input: { TransactStatements: [update(SK)] },
  });

  test.each<[string, PartiqlRequest, object | undefined]>([
    [
      'another transaction',
      transaction(1),
      { kind: 'conflict', cancellationReasons: [{ Code: 'TransactionConflict' }] },
    ],
    ['a write', { api: 'ExecuteStatement', input: update(1) }, { kind: 'conflict' }],
    [
      'a transaction of reads',
      {
        api: 'ExecuteTransaction',
        input: { TransactStatements: [{ Statement: `SELECT * FROM orders WHERE PK = 'c1' AND SK = 1` }] },
      },
      { kind: 'conflict' },
    ],
    [
      'not a read',
      { api: 'ExecuteStatement', input: { Statement: `SELECT * FROM orders WHERE PK = 'c1' AND SK = 1` } },
      undefined,
    ],
    ['not a write of another item', { api: 'ExecuteStatement', input: update(2) }, undefined],
    ['not what is no statement', { api: 'ExecuteStatement', input: { Statement: 'UPDATE' } }, undefined],
  ])('a transaction keeps its items from %s', (_, request, conflict) => {
    const { database } = filled();
    expect(database.begin(transaction(1), 0)).toBeUndefined();
    const outcome = database.begin(request, 0);
    if (conflict === undefined) expect(outcome).toBeUndefined();
    else expect(outcome).toMatchObject(conflict);
  });

  test('a statement of a batch meets them too, and they end with the transaction', () => {
    const db = filled();
    const held = transaction(1);
    db.database.begin(held, 0);
    expect(codesOf(batch(db, update(1).Statement, update(2).Statement))).toEqual([
      'TransactionConflict',
      'ok',
    ]);
    expect(db.database.complete(held, db.atUs).kind).toBe('ok');
    expect(codesOf(batch(db, update(1).Statement))).toEqual(['ok']);
  });
});
