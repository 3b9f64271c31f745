// What a request of the data plane has come to → the answer on the wire. The rules of what is reported and
// what is not are DynamoDB's: no error carries consumed capacity; a batch that was served in part is a
// success.
// @see "Error handling with DynamoDB",
//   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html, read 2026-11-30
import type { CancellationReason } from '../dynamodb/api-error.ts';
import type { ApiOutput } from '../dynamodb/api-output.ts';
import { type ConsumedCapacity, toWireConsumedCapacity } from '../dynamodb/consumed-capacity.ts';
import type { DataApi, Request } from '../dynamodb/operation.ts';
import type { Outcome } from '../dynamodb/outcome.ts';
import { statementUses } from '../dynamodb/partiql/native-requests.ts';
import type { ThrottlingReason } from '../dynamodb/throttling-reason.ts';
import { errorAnswer, type WireAnswer } from './wire-answer.ts';

const TRANSACTION_CANCELED = 'TransactionCanceledException';

/** APIs whose `ConsumedCapacity` is a list with an entry for each table. */
const listing: ReadonlySet<DataApi> = new Set([
  'BatchGetItem',
  'BatchWriteItem',
  'TransactGetItems',
  'TransactWriteItems',
  'BatchExecuteStatement',
  'ExecuteTransaction',
]);

const transactional: ReadonlySet<DataApi> = new Set([
  'TransactGetItems',
  'TransactWriteItems',
  'ExecuteTransaction',
]);

/** The answer to a request that has ended like this. */
export function dataAnswer(request: Request, outcome: Outcome): WireAnswer {
  switch (outcome.kind) {
    case 'ok':
    case 'partial':
      return succeeded(request, outcome.output, outcome.consumed);
    case 'throttled':
      if (outcome.exception === TRANSACTION_CANCELED)
        return cancelled(outcome.cancellationReasons ?? allThrottled(request));
      return throttled(outcome.exception, outcome.reasons);
    case 'conditionFailed':
      if (outcome.cancellationReasons !== undefined) return cancelled(outcome.cancellationReasons);
      if (isInsert(request))
        return errorAnswer('DuplicateItemException', 'Duplicate primary key exists in table');
      return errorAnswer(
        'ConditionalCheckFailedException',
        'The conditional request failed',
        outcome.item && { Item: outcome.item },
      );
    case 'conflict':
      if (outcome.cancellationReasons !== undefined) return cancelled(outcome.cancellationReasons);
      return errorAnswer('TransactionConflictException', 'Transaction is ongoing for the item');
    case 'failed':
      if (outcome.cancellationReasons !== undefined) return cancelled(outcome.cancellationReasons);
      return errorAnswer(outcome.code, outcome.message, {}, outcome.httpStatus);
    case 'timedOut':
    case 'dropped':
    case 'skipped':
      return errorAnswer('InternalServerError', `the simulated database answered ${outcome.kind}`, {}, 500);
  }
}

/** The one condition of an INSERT is that the item is new. */
function isInsert(request: Request): boolean {
  return request.api === 'ExecuteStatement' && statementUses(request)[0]?.verb === 'insert';
}

const emptyObject: WireAnswer = { status: 200, body: '{}' };

function succeeded(request: Request, output: ApiOutput, consumed: readonly ConsumedCapacity[]): WireAnswer {
  const mode = request.input.ReturnConsumedCapacity;
  if (mode === undefined || mode === 'NONE') {
    for (const _ in output) return { status: 200, body: JSON.stringify(output) };
    return emptyObject;
  }
  const isTransactional = transactional.has(request.api);
  const entries = consumed.map((one) => toWireConsumedCapacity(one, mode, { isTransactional }));
  // Where no statement of a batch succeeded, nothing is told.
  if (request.api === 'BatchExecuteStatement' && entries.length === 0)
    return { status: 200, body: JSON.stringify(output) };
  const ConsumedCapacity = listing.has(request.api) ? entries : entries[0];
  return { status: 200, body: JSON.stringify({ ...output, ConsumedCapacity }) };
}

function throttled(exception: string, reasons: readonly ThrottlingReason[]): WireAnswer {
  const wire = reasons.map(({ reason, arn }) => ({ reason, ...(arn !== undefined && { resource: arn }) }));
  // One of the three exceptions spells the member with a small letter.
  const details =
    exception === 'ThrottlingException' ? { throttlingReasons: wire } : { ThrottlingReasons: wire };
  return errorAnswer(exception, throttledMessage(reasons[0]), details);
}

function throttledMessage(reason: ThrottlingReason | undefined): string {
  const isIndex = reason?.resource === 'Index';
  if (reason?.limit === 'MaxOnDemand')
    return 'Throughput exceeds the maximum OnDemandThroughput configured on table or index';
  if (reason?.limit === 'Provisioned')
    return isIndex
      ? 'The level of configured provisioned throughput for one or more global secondary indexes of the table was exceeded. Consider increasing your provisioning level for the under-provisioned global secondary indexes with the UpdateTable API'
      : 'The level of configured provisioned throughput for the table was exceeded. Consider increasing your provisioning level with the UpdateTable API.';
  if (reason?.limit === 'Account')
    return 'Throughput exceeds the current throughput limit for your account. Please contact AWS Support to request a quota increase';
  return isIndex
    ? 'Throughput exceeds the current capacity for one or more global secondary indexes. DynamoDB is automatically scaling your index so please try again shortly.'
    : 'Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your table or index so please try again shortly. If exceptions persist, check if you have a hot key';
}

function cancelled(reasons: readonly CancellationReason[]): WireAnswer {
  const codes = reasons.map(({ Code }) => Code).join(', ');
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`;
  return errorAnswer(TRANSACTION_CANCELED, message, { CancellationReasons: reasons });
}

function actionsOf(request: Request): readonly unknown[] {
  if (request.api === 'ExecuteTransaction') return request.input.TransactStatements;
  const isNative = request.api === 'TransactWriteItems' || request.api === 'TransactGetItems';
  return isNative ? request.input.TransactItems : [];
}

/** The repetition of a transaction is refused as a whole. */
function allThrottled(request: Request): readonly CancellationReason[] {
  return actionsOf(request).map(() => ({
    Code: 'ThrottlingError',
    Message: 'Throughput exceeds the current capacity of your table or index',
  }));
}
