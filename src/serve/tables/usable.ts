// Whether the tables that a request names can serve it: neither on their way in or out, nor read through an
// index that is still being filled.
import { ApiError, validationError } from '../../dynamodb/api-error.ts';
import type { Request } from '../../dynamodb/operation.ts';
import { statementTables } from '../../dynamodb/partiql/native-requests.ts';
import type { Administration } from './administration.ts';

/**
 * @throws ApiError ResourceNotFoundException, ValidationException. Unknown tables are left to the database.
 */
export function checkUsable({ tables, nowUs }: Administration, request: Request): void {
  const atUs = nowUs();
  for (const name of tableNames(request)) {
    const status = tables.find(name, atUs)?.status(atUs);
    if (status === 'CREATING' || status === 'DELETING')
      throw new ApiError('ResourceNotFoundException', 'Requested resource not found');
  }
  if (request.api !== 'Query' && request.api !== 'Scan') return;
  const { TableName, IndexName } = request.input;
  if (IndexName !== undefined && tables.find(TableName, atUs)?.status(atUs, IndexName) === 'CREATING')
    throw validationError(`Cannot read from backfilling global secondary index: ${IndexName}`);
}

/** Tables that a request names; a table may stand there twice. */
export function tableNames(request: Request): readonly string[] {
  switch (request.api) {
    case 'BatchGetItem':
    case 'BatchWriteItem':
      return Object.keys(request.input.RequestItems);
    case 'TransactGetItems':
      return request.input.TransactItems.map(({ Get }) => Get.TableName);
    case 'TransactWriteItems':
      return request.input.TransactItems.flatMap(
        ({ Put, Update, Delete, ConditionCheck }) =>
          (Put ?? Update ?? Delete ?? ConditionCheck)?.TableName ?? [],
      );
    case 'ExecuteStatement':
    case 'BatchExecuteStatement':
    case 'ExecuteTransaction':
      return statementTables(request);
    default:
      return [request.input.TableName];
  }
}
