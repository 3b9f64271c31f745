// Whether the tables that a request names can serve it: neither on their way in or out, nor read through an
// index that is still being filled.
import { ApiError, validationError } from '../../dynamodb/api-error.ts';
import type { Request } from '../../dynamodb/operation.ts';
import { tablesOfRequest } from '../../dynamodb/request-tables.ts';
import type { Administration } from './administration.ts';

/**
 * @throws ApiError ResourceNotFoundException, ValidationException. Unknown tables are left to the database.
 */
export function checkUsable({ tables, nowUs }: Administration, request: Request): void {
  const atUs = nowUs();
  for (const name of tablesOfRequest(request)) {
    const status = tables.find(name, atUs)?.status(atUs);
    if (status === 'CREATING' || status === 'DELETING')
      throw new ApiError('ResourceNotFoundException', 'Requested resource not found');
  }
  if (request.api !== 'Query' && request.api !== 'Scan') return;
  const { TableName, IndexName } = request.input;
  if (IndexName !== undefined && tables.find(TableName, atUs)?.status(atUs, IndexName) === 'CREATING')
    throw validationError(`Cannot read from backfilling global secondary index: ${IndexName}`);
}
