// ExecuteStatement: one statement.
import type { ExecuteStatementInput } from '../../dynamodb/operation.ts';
import type { Outcome } from '../../dynamodb/outcome.ts';
import { notAlone, planStatement } from '../../dynamodb/partiql/statement-plan.ts';
import { checkReturnConsumedCapacity } from '../api/request-checks.ts';
import type { DatabaseState } from '../database-state.ts';
import { readStatement } from './read-statement.ts';
import { specsOf, statementState, withoutLabels } from './statement-state.ts';
import { writeStatement } from './write-statement.ts';

/** @throws ApiError ValidationException, ResourceNotFoundException */
export function executeStatement(state: DatabaseState, input: ExecuteStatementInput, atUs: number): Outcome {
  checkReturnConsumedCapacity(input.ReturnConsumedCapacity);
  return withoutLabels(() => {
    const plan = planStatement(input, specsOf(state));
    if (plan.kind === 'check') throw notAlone();
    const marked = statementState(state);
    return plan.kind === 'get' || plan.kind === 'query' || plan.kind === 'scan'
      ? readStatement(marked, plan, input, atUs)
      : writeStatement(marked, plan, atUs);
  });
}
