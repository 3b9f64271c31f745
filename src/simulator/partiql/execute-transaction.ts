// ExecuteTransaction: up to 100 statements, all reads or all writes, all or none.
import type { MemberResponse } from '../../dynamodb/api-output.ts';
import { MAX_TRANSACTION_ITEMS } from '../../dynamodb/limits.ts';
import type { CancellationReason } from '../../dynamodb/api-error.ts';
import type { ExecuteTransactionInput } from '../../dynamodb/operation.ts';
import type { Outcome } from '../../dynamodb/outcome.ts';
import { planTransaction, type TransactionPlan } from '../../dynamodb/partiql/transaction-plan.ts';
import { cancelledByMistakes, reasonsInOrder } from '../api/cancellation.ts';
import { checkReturnConsumedCapacity, constraint } from '../api/request-checks.ts';
import { transactGetItems } from '../api/transact-get-items.ts';
import { transactWriteItems } from '../api/transact-write-items.ts';
import type { DatabaseState } from '../database-state.ts';
import { conditionalTake } from './read-statement.ts';
import { specsOf, statementState, withoutLabels } from './statement-state.ts';

/** @throws ApiError ValidationException, ResourceNotFoundException, IdempotentParameterMismatchException */
export function executeTransaction(
  state: DatabaseState,
  input: ExecuteTransactionInput,
  atUs: number,
): Outcome {
  checkReturnConsumedCapacity(input.ReturnConsumedCapacity);
  checkCount(input);
  return withoutLabels(() => {
    const plan = planTransaction(input, specsOf(state));
    const marked = statementState(state);
    switch (plan.kind) {
      case 'mistaken':
        return cancelledByMistakes(reasonsInOrder(plan.reasons));
      case 'reads':
        return transactedReads(marked, plan, atUs);
      case 'writes':
        return transactedWrites(marked, plan, atUs);
    }
  });
}

function checkCount({ TransactStatements: statements }: ExecuteTransactionInput): void {
  const count = statements?.length ?? 0;
  if (count === 0)
    throw constraint('[]', 'transactStatements', 'Member must have length greater than or equal to 1');
  if (count > MAX_TRANSACTION_ITEMS)
    throw constraint(
      count,
      'transactStatements',
      `Member must have length less than or equal to ${MAX_TRANSACTION_ITEMS}`,
    );
}

function transactedReads(
  state: DatabaseState,
  { input, gets }: Extract<TransactionPlan, { kind: 'reads' }>,
  atUs: number,
): Outcome {
  const takes = gets.map(conditionalTake);
  const outcome = transactGetItems(state, input, atUs);
  if (outcome.kind !== 'ok') return outcome;
  const { Responses } = outcome.output;
  const items = Array.isArray(Responses) ? (Responses as readonly MemberResponse[]) : []; // A list, by the API.
  return {
    ...outcome,
    output: {
      Responses: takes.map((take, index) => {
        const item = take(items[index]?.Item);
        return item === undefined ? {} : { Item: item };
      }),
    },
  };
}

function transactedWrites(
  state: DatabaseState,
  { input, areInserts }: Extract<TransactionPlan, { kind: 'writes' }>,
  atUs: number,
): Outcome {
  const outcome = transactWriteItems(state, input, atUs);
  if (outcome.kind === 'ok') return { ...outcome, output: { Responses: [] } };
  if (outcome.kind !== 'conditionFailed' || outcome.cancellationReasons === undefined) return outcome;
  const cancellationReasons = outcome.cancellationReasons.map((reason, index) =>
    areInserts[index] === true && reason.Code === 'ConditionalCheckFailed' ? duplicateItem : reason,
  );
  return { ...outcome, cancellationReasons };
}

/** Why an INSERT did nothing. */
export const duplicateItem: CancellationReason = {
  Code: 'DuplicateItem',
  Message: 'Duplicate primary key exists in table',
};
