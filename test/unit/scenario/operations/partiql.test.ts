// Aim: statements of a scenario become the requests that DynamoDB expects, with tables named as on the
// target, and cost what the requests cost that they come to. Method: operations of one workload over two
// tables, compared as wire values.
import { describe, expect, test } from 'vitest';
import { withTableNamed } from '../../../../src/dynamodb/partiql/renamed-table.ts';
import type { TableSpec } from '../../../../src/dynamodb/table-spec.ts';
import { partiql, partiqlBatch, partiqlTransaction, type Workload } from '../../../../src/index.ts';
import { streamKey } from '../../../../src/prng.ts';
import { estimateUnits } from '../../../../src/scenario/estimate-units.ts';
import { OperationContext } from '../../../../src/scenario/operation-context.ts';
import { compileOperation } from '../../../../src/scenario/operations/compile.ts';
import { partiqlWrites } from '../../../../src/scenario/operations/partiql.ts';
import type { PlannedOperation } from '../../../../src/scenario/run-plan.ts';
import { isWorkload } from '../../../../src/scenario/workload.ts';

const main: TableSpec = {
  tableName: 'dyno-load-x',
  logicalName: 'main',
  keys: { partition: { name: 'PK', type: 'S' } },
  globalIndexes: [],
  localIndexes: [],
  billing: { mode: 'on-demand' },
  start: { kind: 'new' },
};
const tables = [main, { ...main, tableName: 'dyno-load-y', logicalName: 'other' }];
const rate = 1;

function make(workload: Workload<string>, sequence = 0): PlannedOperation {
  if (!isWorkload(workload) || workload.kind === 'custom') throw new Error('no operation to make');
  return compileOperation(workload, tables)(new OperationContext(streamKey(1, 'w'), 0).moveTo(sequence, 0));
}

test.each([
  ['SELECT * FROM main WHERE PK = 1', 'SELECT * FROM "dyno-load-x" WHERE PK = 1'],
  ['select "FROM" from other', 'select "FROM" from "dyno-load-y"'],
  [
    `SELECT a FROM "main"."GSI1" WHERE b = 'FROM other'`,
    `SELECT a FROM "dyno-load-x"."GSI1" WHERE b = 'FROM other'`,
  ],
  [`INSERT INTO main VALUE {'PK': 'INTO'}`, `INSERT INTO "dyno-load-x" VALUE {'PK': 'INTO'}`],
  ['UPDATE main SET a = 1 WHERE PK = 2', 'UPDATE "dyno-load-x" SET a = 1 WHERE PK = 2'],
  ['-- FROM other\nDELETE FROM main WHERE PK = 2', '-- FROM other\nDELETE FROM "dyno-load-x" WHERE PK = 2'],
  ['FROM main WHERE PK = 2 REMOVE a', 'FROM "dyno-load-x" WHERE PK = 2 REMOVE a'],
  ['EXISTS(SELECT * FROM main WHERE PK = 2)', 'EXISTS(SELECT * FROM "dyno-load-x" WHERE PK = 2)'],
  ['not a statement', 'not a statement'],
  ['SELECT * FROM', 'SELECT * FROM'],
])('%s is of the target’s table', (statement, renamed) => {
  const nameOf = (table: string) => (table === 'main' ? 'dyno-load-x' : 'dyno-load-y');
  expect(withTableNamed(statement, nameOf)).toBe(renamed);
});

describe('operations', () => {
  test('a statement with parameters of each operation', () => {
    const workload = partiql({
      rate,
      statement: 'SELECT * FROM other WHERE PK = ? AND n = ?',
      parameters: ({ seq }) => [`p${seq}`, seq],
      consistent: true,
      limit: 5,
    });
    expect(make(workload, 7)).toEqual({
      kind: 'request',
      request: {
        api: 'ExecuteStatement',
        input: {
          Statement: 'SELECT * FROM "dyno-load-y" WHERE PK = ? AND n = ?',
          Parameters: [{ S: 'p7' }, { N: '7' }],
          ConsistentRead: true,
          Limit: 5,
        },
      },
    });
  });

  test('a SELECT that follows its pages, of a statement made for each operation', () => {
    const workload = partiql({
      rate,
      statement: ({ seq }) => `SELECT * FROM main WHERE PK = '${seq}'`,
      pages: 'all',
    });
    expect(make(workload, 3)).toEqual({
      kind: 'pages',
      request: {
        api: 'ExecuteStatement',
        input: { Statement: `SELECT * FROM "dyno-load-x" WHERE PK = '3'` },
      },
      maximumPages: Number.POSITIVE_INFINITY,
    });
  });

  test('a batch, and a transaction with its token', () => {
    const statement = 'SELECT * FROM main WHERE PK = ?';
    const Statement = 'SELECT * FROM "dyno-load-x" WHERE PK = ?';
    const statements = [{ statement, parameters: ['a'] }];
    expect(
      make(partiqlBatch({ rate, statements: [{ statement, parameters: ['a'], consistent: true }] })),
    ).toMatchObject({
      request: {
        api: 'BatchExecuteStatement',
        input: { Statements: [{ Statement, Parameters: [{ S: 'a' }], ConsistentRead: true }] },
      },
    });
    expect(make(partiqlTransaction({ rate, statements, token: ({ seq }) => `t${seq}` }), 2)).toMatchObject({
      request: {
        api: 'ExecuteTransaction',
        input: { TransactStatements: [{ Statement, Parameters: [{ S: 'a' }] }], ClientRequestToken: 't2' },
      },
    });
  });

  test('no parameters are none on the wire', () => {
    expect(make(partiql({ rate, statement: 'SELECT * FROM main', parameters: [] }))).toMatchObject({
      request: { input: { Statement: 'SELECT * FROM "dyno-load-x"' } },
    });
  });
});

test.each([
  [false, { statement: 'SELECT * FROM main' }],
  [true, { statement: `DELETE FROM main WHERE PK = 'a'` }],
  [true, { statement: () => 'SELECT * FROM main' }],
  [true, { statement: 'what is no statement' }],
  [false, { statements: [{ statement: 'SELECT * FROM main' }] }],
  [true, { statements: [{ statement: `INSERT INTO main VALUE {'PK': 'a'}` }] }],
  [true, { statements: [{ statement: `EXISTS(SELECT * FROM main WHERE PK = 'a' AND b = 1)` }] }],
])('writes: %s, for %o', (writes, spec) => {
  expect(partiqlWrites(spec)).toBe(writes);
});

describe('units before a run', () => {
  const item = { statement: `SELECT * FROM main WHERE PK = 'a'` };
  const insert = {
    statement: `INSERT INTO main VALUE {'PK': 'a', 'body': ?}`,
    parameters: ['x'.repeat(1_500)],
  };
  const elsewhere = { statement: `INSERT INTO other VALUE {'PK': 'a'}` };

  test.each<[string, Workload, 'read' | 'write', number | undefined]>([
    ['a SELECT of an item of 6 KB', partiql({ rate, ...item }), 'read', 1],
    ['the same, consistent', partiql({ rate, ...item, consistent: true }), 'read', 2],
    ['a scan without a limit', partiql({ rate, statement: 'SELECT * FROM main' }), 'read', undefined],
    ['a scan of two items', partiql({ rate, statement: 'SELECT * FROM main', limit: 2 }), 'read', 1.5],
    ['an INSERT of 1.5 KB', partiql({ rate, ...insert }), 'write', 2],
    ['an INSERT into another table', partiql({ rate, ...elsewhere }), 'write', 0],
    ['a batch', partiqlBatch({ rate, statements: [insert, elsewhere] }), 'write', 2],
    ['a transaction', partiqlTransaction({ rate, statements: [insert, elsewhere] }), 'write', 4],
    ['a transaction of reads', partiqlTransaction({ rate, statements: [item] }), 'read', 4],
  ])('of %s', (_, workload, unit, units) => {
    expect(estimateUnits(make(workload), unit, { table: main, index: undefined, itemBytes: 6_000 })).toBe(
      units,
    );
  });
});
