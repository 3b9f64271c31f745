// Aim: whatever a statement says, it is answered by DynamoDB's rules and never by a defect of ours. Method: random
// statements about the tables of orders, alone, in batches and in transactions, with random parameters.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ParameterizedStatement, PartiqlRequest } from '../../../src/dynamodb/operation.ts';
import { parseStatement } from '../../../src/dynamodb/partiql/statement-parser.ts';
import type { Statement } from '../../../src/dynamodb/partiql/syntax-tree.ts';
import { dataAnswer } from '../../../src/serve/data-answer.ts';
import { attributeValue } from '../../support/attribute-values.ts';
import { anyStatement, statementText } from '../../support/partiql-text.ts';
import { OrdersDatabase } from '../../support/simulated-orders.ts';

const seed = 20_260_132;

/** A statement about a table that is there, mostly; keys are put into some, so that they come to their items. */
const aboutOrders: fc.Arbitrary<Statement> = fc
  .tuple(
    anyStatement,
    fc.constantFrom('plain', 'plain', 'orders', 'none'),
    fc.constantFrom(undefined, 'GSI1', 'byTotal'),
    fc.boolean(),
  )
  .map(([statement, table, index, isKeyed]) => aimedAt(statement, { table, index, isKeyed }));

function aimedAt(
  statement: Statement,
  aim: { readonly table: string; readonly index: string | undefined; readonly isKeyed: boolean },
): Statement {
  const { table, index, isKeyed } = aim;
  if (statement.kind === 'exists') {
    const select = aimedAt(statement.select, aim);
    return select.kind === 'select' ? { kind: 'exists', select } : statement;
  }
  if (statement.kind === 'insert') {
    const key = ['PK', { kind: 'value', value: { S: 'a' } }] as const;
    return {
      ...statement,
      table,
      item: { kind: 'map', members: [...statement.item.members.filter(([name]) => name !== 'PK'), key] },
    };
  }
  const keyed = {
    kind: 'comparison',
    comparator: '=',
    left: { kind: 'path', parts: ['PK'] },
    right: { kind: 'value', value: { S: 'a' } },
  } as const;
  const where =
    isKeyed && statement.where
      ? ({ kind: 'and', left: keyed, right: statement.where } as const)
      : statement.where;
  if (statement.kind === 'select') return { ...statement, table, index, where };
  return { ...statement, table, where: where ?? keyed };
}

const stated: fc.Arbitrary<ParameterizedStatement> = aboutOrders
  .map(statementText)
  .filter((text) => text.length <= 8_192)
  .chain((Statement) => {
    const { parameterCount } = parseStatement(Statement);
    if (parameterCount === 0) return fc.constant({ Statement });
    const length = { minLength: parameterCount, maxLength: parameterCount };
    return fc.array(attributeValue, length).map((Parameters) => ({ Statement, Parameters }));
  });

const anyRequest: fc.Arbitrary<PartiqlRequest> = fc.oneof(
  stated.map((input): PartiqlRequest => ({ api: 'ExecuteStatement', input })),
  fc
    .array(stated, { minLength: 1, maxLength: 4 })
    .map((Statements): PartiqlRequest => ({ api: 'BatchExecuteStatement', input: { Statements } })),
  fc
    .array(stated, { minLength: 1, maxLength: 3 })
    .map(
      (TransactStatements): PartiqlRequest => ({ api: 'ExecuteTransaction', input: { TransactStatements } }),
    ),
);

test('every statement is answered with a success or an error of the service', { timeout: 30_000 }, () => {
  const db = new OrdersDatabase();
  db.database.preload('plain', { PK: { S: 'a' }, a: { L: [{ N: '1' }] } });
  const kinds = new Set<string>();
  fc.assert(
    fc.property(anyRequest, (request) => {
      db.atUs += 60_000_000;
      const outcome = db.database.handle(request, db.atUs);
      kinds.add(outcome.kind);
      expect([200, 400]).toContain(dataAnswer(request, outcome).status);
    }),
    { seed, numRuns: 1_500 },
  );
  // Not all were refused: otherwise nothing was tried.
  expect([...kinds]).toEqual(expect.arrayContaining(['ok', 'partial', 'failed', 'conditionFailed']));
});
