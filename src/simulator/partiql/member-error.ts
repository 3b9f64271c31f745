// Why a statement of a batch failed, in the codes of its API.
// @see "BatchStatementError",
//   https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchStatementError.html, read 2026-11-30
import { ApiError } from '../../dynamodb/api-error.ts';
import type { MemberResponse } from '../../dynamodb/api-output.ts';
import type { Outcome } from '../../dynamodb/outcome.ts';
import { parseStatement } from '../../dynamodb/partiql/statement-parser.ts';
import { tableNameOf } from '../../dynamodb/partiql/statement-plan.ts';
import { duplicateItem } from './execute-transaction.ts';

type MemberError = NonNullable<MemberResponse['Error']>;

/** The error of a statement that was run and did not succeed. */
export function memberError(outcome: Outcome, isInsert: boolean): MemberError {
  switch (outcome.kind) {
    case 'throttled':
      return throttled(outcome.exception);
    case 'conditionFailed': {
      const failure = isInsert
        ? duplicateItem
        : { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' };
      return outcome.item === undefined ? failure : { ...failure, Item: outcome.item };
    }
    case 'conflict':
      return { Code: 'TransactionConflict', Message: 'Transaction is ongoing for the item' };
    case 'failed':
      return { Code: codeOf(outcome.code), Message: outcome.message };
    default:
      return { Code: 'InternalServerError', Message: `the statement ended ${outcome.kind}` };
  }
}

/**
 * What is answered for a statement that breaks a rule. The table is told where it does not exist.
 * @throws whatever it is given that is not a broken rule
 */
export function failedMember(error: unknown, text: string | undefined): MemberResponse {
  if (!(error instanceof ApiError)) throw error;
  const failure = { Error: { Code: codeOf(error.type), Message: error.message } };
  if (text === undefined || error.type !== 'ResourceNotFoundException') return failure;
  return { ...failure, TableName: tableNameOf(parseStatement(text).statement) };
}

const codes: Readonly<Record<string, string>> = {
  ValidationException: 'ValidationError',
  ResourceNotFoundException: 'ResourceNotFound',
  ItemCollectionSizeLimitExceededException: 'ItemCollectionSizeLimitExceeded',
  RequestLimitExceeded: 'RequestLimitExceeded',
};

function codeOf(type: string): string {
  return codes[type] ?? 'InternalServerError';
}

function throttled(exception: string): MemberError {
  if (exception === 'ProvisionedThroughputExceededException')
    return {
      Code: 'ProvisionedThroughputExceeded',
      Message: 'The level of configured provisioned throughput for the table or index was exceeded',
    };
  if (exception === 'RequestLimitExceeded')
    return {
      Code: 'RequestLimitExceeded',
      Message: 'Throughput exceeds the current throughput limit for your account',
    };
  return {
    Code: 'ThrottlingError',
    Message: 'Throughput exceeds the current capacity of your table or index',
  };
}
