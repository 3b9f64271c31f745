// Which API answers a request, and how a broken rule becomes an answer. Each API is a function in a file of its own,
// whose opening says what it does and which throws ApiError where a rule is broken.
import { ApiError } from '../../dynamodb/api-error.ts';
import type { Request } from '../../dynamodb/operation.ts';
import type { Outcome } from '../../dynamodb/outcome.ts';
import type { DatabaseState } from '../database-state.ts';
import { batchExecuteStatement } from '../partiql/batch-execute-statement.ts';
import { executeStatement } from '../partiql/execute-statement.ts';
import { executeTransaction } from '../partiql/execute-transaction.ts';
import { batchGetItem } from './batch-get-item.ts';
import { batchWriteItem } from './batch-write-item.ts';
import { deleteItem } from './delete-item.ts';
import { getItem } from './get-item.ts';
import { putItem } from './put-item.ts';
import { query } from './query.ts';
import { scan } from './scan.ts';
import { transactGetItems } from './transact-get-items.ts';
import { transactWriteItems } from './transact-write-items.ts';
import { updateItem } from './update-item.ts';

/**
 * What a request comes to at a moment; a rule that it breaks is an outcome `failed`.
 * @param keepsItems  whether a Query or Scan is to give back the items that it counts
 */
export function answerRequest(
  state: DatabaseState,
  request: Request,
  atUs: number,
  keepsItems: boolean,
): Outcome {
  try {
    return answer(state, request, atUs, keepsItems);
  } catch (error) {
    return failedBy(error);
  }
}

function answer(state: DatabaseState, request: Request, atUs: number, keepsItems: boolean): Outcome {
  switch (request.api) {
    case 'PutItem':
      return putItem(state, request.input, atUs);
    case 'GetItem':
      return getItem(state, request.input, atUs);
    case 'UpdateItem':
      return updateItem(state, request.input, atUs);
    case 'DeleteItem':
      return deleteItem(state, request.input, atUs);
    case 'Query':
      return query(state, request.input, atUs, { keepsItems });
    case 'Scan':
      return scan(state, request.input, atUs, keepsItems);
    case 'BatchGetItem':
      return batchGetItem(state, request.input, atUs);
    case 'BatchWriteItem':
      return batchWriteItem(state, request.input, atUs);
    case 'TransactGetItems':
      return transactGetItems(state, request.input, atUs);
    case 'TransactWriteItems':
      return transactWriteItems(state, request.input, atUs);
    case 'ExecuteStatement':
      return executeStatement(state, request.input, atUs);
    case 'BatchExecuteStatement':
      return batchExecuteStatement(state, request.input, atUs);
    case 'ExecuteTransaction':
      return executeTransaction(state, request.input, atUs);
  }
}

/** A broken rule as an answer; anything else is a bug of ours and goes on up. */
function failedBy(error: unknown): Outcome {
  if (!(error instanceof ApiError)) throw error;
  return { kind: 'failed', code: error.type, message: error.message, httpStatus: 400 };
}
