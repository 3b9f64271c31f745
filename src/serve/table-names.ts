// Tables named by ARN, which every API takes in place of a name.
import { validationError } from '../dynamodb/api-error.ts';
import type { Request } from '../dynamodb/operation.ts';
import { resourceOfArn } from '../dynamodb/throttling-reason.ts';

/**
 * The name of a table that a request names, by name or by ARN.
 * @throws ApiError ValidationException where it is neither
 */
export function plainTableName(nameOrArn: string): string {
  if (!nameOrArn.startsWith('arn:')) return nameOrArn;
  const resource = resourceOfArn(nameOrArn);
  if (resource === undefined || resource.indexName !== undefined)
    throw validationError(
      `Invalid TableArn: Invalid ResourceArn provided as input ${nameOrArn.slice(0, 300)}`,
    );
  return resource.tableName;
}

/**
 * The same request with tables named by name; the same object where they are. @throws ApiError
 * ValidationException
 */
export function withPlainTableNames(request: Request): Request {
  switch (request.api) {
    case 'BatchGetItem':
    case 'BatchWriteItem':
      return withPlainKeys(request);
    case 'TransactGetItems':
      for (const { Get } of request.input.TransactItems) renameTable(Get);
      return request;
    case 'TransactWriteItems':
      for (const { Put, Update, Delete, ConditionCheck } of request.input.TransactItems)
        for (const action of [Put, Update, Delete, ConditionCheck])
          if (action !== undefined) renameTable(action);
      return request;
    // Statements name tables in their text, and by name only.
    case 'ExecuteStatement':
    case 'BatchExecuteStatement':
    case 'ExecuteTransaction':
      return request;
    default:
      renameTable(request.input);
      return request;
  }
}

/** Inputs come from one request's own JSON, so they may be changed in place. */
function renameTable(named: { TableName: string }): void {
  if (named.TableName.startsWith('arn:')) named.TableName = plainTableName(named.TableName);
}

function withPlainKeys(request: Extract<Request, { api: 'BatchGetItem' | 'BatchWriteItem' }>): Request {
  const { RequestItems } = request.input;
  const names = Object.keys(RequestItems);
  if (!names.some((name) => name.startsWith('arn:'))) return request;
  const entries = Object.entries(RequestItems).map(([name, items]) => [plainTableName(name), items] as const);
  return { ...request, input: { ...request.input, RequestItems: Object.fromEntries(entries) } };
}
