// What DynamoDB would refuse of statements of PartiQL, found before any load: what cannot be read or planned,
// and keys and items as in the requests that they come to.
import { ApiError } from '../dynamodb/api-error.ts';
import { MAX_BATCH_STATEMENTS, MAX_TRANSACTION_ITEMS } from '../dynamodb/limits.ts';
import type { ParameterizedStatement, PartiqlRequest } from '../dynamodb/operation.ts';
import { readsOnly, statementUses } from '../dynamodb/partiql/native-requests.ts';
import { planStatement, type StatementPlan } from '../dynamodb/partiql/statement-plan.ts';
import type { TableSpec } from '../dynamodb/table-spec.ts';
import { checkItem, checkKey, type Report } from './check-item.ts';

type Specs = ReadonlyMap<string, TableSpec>;

/** Reports everything that is wrong with a request of PartiQL. */
export function checkStatements(request: PartiqlRequest, specs: Specs, report: Report): void {
  switch (request.api) {
    case 'ExecuteStatement':
      checkStatement(request.input, specs, report);
      return;
    case 'BatchExecuteStatement':
      checkSeveral(request, request.input.Statements, MAX_BATCH_STATEMENTS, report);
      for (const one of request.input.Statements) checkMember(one, specs, report);
      return;
    case 'ExecuteTransaction':
      checkSeveral(request, request.input.TransactStatements, MAX_TRANSACTION_ITEMS, report);
      for (const one of request.input.TransactStatements) checkMember(one, specs, report);
  }
}

function checkSeveral(
  request: PartiqlRequest,
  statements: readonly ParameterizedStatement[],
  most: number,
  report: Report,
): void {
  if (statements.length < 1 || statements.length > most)
    report({
      code: 'OPERATION_INVALID',
      is: `has ${statements.length} statements`,
      why: `${request.api} takes 1 to ${most}`,
      fix: statements.length === 0 ? 'return at least one' : 'spread them over several operations',
    });
  if (!readsOnly(request) && statementUses(request).some(({ verb }) => verb === 'select'))
    report({
      code: 'OPERATION_INVALID',
      is: 'has statements that read and statements that write',
      why: `${request.api} takes one kind at a time`,
      fix: 'make two operations of them; in a transaction, EXISTS(SELECT …) checks an item among writes',
    });
}

/** Several statements at once read single items only. */
function checkMember(statement: ParameterizedStatement, specs: Specs, report: Report): void {
  const plan = checkStatement(statement, specs, report);
  if (plan?.kind === 'query' || plan?.kind === 'scan')
    report({
      code: 'OPERATION_INVALID',
      is: `has a SELECT that may find many items: ${shown(statement)}`,
      why: 'batches and transactions read single items: every key attribute has to be fixed by =',
      fix: 'name the whole key, or use partiql for this statement',
    });
}

function checkStatement(
  statement: ParameterizedStatement,
  specs: Specs,
  report: Report,
): StatementPlan | undefined {
  try {
    const plan = planStatement(statement, specs);
    checkPlan(plan, specs, report);
    return plan;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    report({
      code: 'OPERATION_INVALID',
      is: `has a statement that DynamoDB refuses: ${shown(statement)}`,
      why: error.message,
      fix: 'mend the statement; its tables are named as in the scenario, and each ? takes one of the parameters',
    });
    return undefined;
  }
}

function checkPlan(plan: StatementPlan, specs: Specs, report: Report): void {
  switch (plan.kind) {
    case 'put':
      checkItem(plan.input.Item, specs.get(plan.input.TableName), report);
      return;
    case 'update':
    case 'delete':
    case 'check':
      checkKey(plan.input.Key, specs.get(plan.input.TableName), report);
      return;
    case 'get':
      checkKey(plan.key, specs.get(plan.tableName), report);
      return;
    case 'query':
    case 'scan':
      return;
  }
}

function shown({ Statement }: ParameterizedStatement): string {
  return Statement.length <= 100 ? Statement : `${Statement.slice(0, 99)}…`;
}
