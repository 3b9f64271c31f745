// What a transaction of statements comes to: TransactGetItems or TransactWriteItems. Reads and writes do not mix;
// EXISTS is a check among writes.
import { ApiError, type CancellationReason, validationError } from '../api-error.ts';
import type {
  ExecuteTransactionInput,
  ParameterizedStatement,
  TransactGetItemsInput,
  TransactWriteItem,
  TransactWriteItemsInput,
} from '../operation.ts';
import { parseStatement } from './statement-parser.ts';
import { type GetPlan, planStatement, type StatementPlan, type TableSpecs } from './statement-plan.ts';

/** What the statements of a transaction come to: all of them read, or all of them write or check. */
export type TransactionPlan =
  | { readonly kind: 'reads'; readonly input: TransactGetItemsInput; readonly gets: readonly GetPlan[] }
  | {
      readonly kind: 'writes';
      readonly input: TransactWriteItemsInput;
      /** Whether each statement is an INSERT, whose failed condition is a duplicate. */
      readonly areInserts: readonly boolean[];
    }
  /** Statements that do not fit their table's key: each is its own reason of cancellation. */
  | { readonly kind: 'mistaken'; readonly reasons: readonly (CancellationReason | undefined)[] };

/**
 * Plans a transaction.
 * @throws ApiError ValidationException, ResourceNotFoundException
 */
export function planTransaction(input: ExecuteTransactionInput, specs: TableSpecs): TransactionPlan {
  const statements = input.TransactStatements;
  checkNotMixed(statements);
  const results = statements.map((one, index) => planMember(one, specs, index));
  const reasons = results.map((result) => ('Code' in result ? result : undefined));
  if (reasons.some((reason) => reason !== undefined)) return { kind: 'mistaken', reasons };
  const plans = results.filter((result) => 'kind' in result);
  const gets = plans.filter((plan) => plan.kind === 'get');
  if (gets.length > 0) {
    const TransactItems = gets.map(({ tableName, key }) => ({ Get: { TableName: tableName, Key: key } }));
    return { kind: 'reads', input: { TransactItems }, gets };
  }
  const token = input.ClientRequestToken;
  return {
    kind: 'writes',
    input: {
      TransactItems: plans.map(writeOf),
      ...(token !== undefined && { ClientRequestToken: token }),
    },
    areInserts: plans.map(({ kind }) => kind === 'put'),
  };
}

/** Kinds are told from the text alone, before any table is looked up. */
function checkNotMixed(statements: readonly ParameterizedStatement[]): void {
  const kinds = statements.map(({ Statement }) => parseStatement(Statement).statement.kind);
  const readCount = kinds.filter((kind) => kind === 'select').length;
  if (readCount > 0 && readCount < kinds.length)
    throw validationError(
      'ExecuteTransaction API does not support both read and write operations in the same request.',
    );
}

function planMember(
  input: ParameterizedStatement,
  specs: TableSpecs,
  index: number,
): StatementPlan | CancellationReason {
  const { statement } = parseStatement(input.Statement);
  const failed = (problem: string) =>
    validationError(`Validation failed in TransactStatements[${index}]: ${problem}`);
  if ('returning' in statement && statement.returning !== undefined)
    throw failed('RETURNING clause is not supported in ExecuteTransaction.');
  let plan: StatementPlan;
  try {
    plan = planStatement(input, specs);
  } catch (error) {
    if (!(error instanceof ApiError) || error.type !== 'ValidationException') throw error;
    if (statement.kind === 'update' || statement.kind === 'delete')
      return { Code: 'ValidationError', Message: error.message };
    throw failed(error.message);
  }
  if (statement.kind === 'select' && (plan.kind !== 'get' || plan.testsExistence))
    throw failed(
      'Select statements within ExecuteTransaction must specify the primary key in the where clause.',
    );
  return plan;
}

function writeOf(plan: StatementPlan): TransactWriteItem {
  switch (plan.kind) {
    case 'put':
      return { Put: plan.input };
    case 'update':
      return { Update: plan.input };
    case 'delete':
      return { Delete: plan.input };
    case 'check':
      return { ConditionCheck: plan.input };
    case 'get':
    case 'query':
    case 'scan':
      throw new RangeError('reads and writes were told apart before');
  }
}
