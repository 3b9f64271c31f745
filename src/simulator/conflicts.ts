// When requests conflict: a write transaction holds its items from start to end. Another transaction that
// wants one of them is cancelled, and a single write is refused; members of a batch come back as unprocessed.
// Reads outside transactions are served from before. The rule is the model's; DynamoDB documents the
// conflicts, not how long they last. While no transaction is in flight none of this costs anything.
import type { AttributeMap } from '../dynamodb/attribute-value.ts';
import { isPartiql, type Request, type TransactWriteItem } from '../dynamodb/operation.ts';
import type { Outcome } from '../dynamodb/outcome.ts';
import { type NativeRequest, nativeRequests } from '../dynamodb/partiql/native-requests.ts';
import { reasonsInOrder } from './api/cancellation.ts';
import type { DatabaseState } from './database-state.ts';
import { lockKeyIfSound } from './item-locks.ts';
import { specsOf } from './partiql/statement-state.ts';

/**
 * Starts a request: a write transaction takes its items.
 * @returns undefined where the request goes on; else how it has ended
 */
export function beginRequest(state: DatabaseState, request: Request): Outcome | undefined {
  const { locks } = state;
  const isTransaction = request.api === 'TransactWriteItems' || request.api === 'ExecuteTransaction';
  if (!isTransaction && locks.isEmpty) return undefined;
  const native = nativeOf(state, request);
  if (native?.api !== 'TransactWriteItems') return native && conflictOf(state, native);
  const lockKeys = native.input.TransactItems.map((action) => actionLockKey(state, action));
  if (lockKeys.some((lockKey) => lockKey !== undefined && locks.isHeld(lockKey)))
    return cancelled(state, lockKeys);
  locks.hold(
    lockKeys.filter((lockKey) => lockKey !== undefined),
    request,
  );
  return undefined;
}

/**
 * Ends a request: a write transaction lets go; a single write may meet a transaction that has begun
 * meanwhile.
 */
export function endRequest(state: DatabaseState, request: Request): Outcome | undefined {
  if (state.locks.isEmpty) return undefined;
  const native = nativeOf(state, request);
  if (native?.api !== 'TransactWriteItems') return native && conflictOf(state, native);
  state.locks.release(request);
  return undefined;
}

/**
 * The request of another API that a statement or a transaction of statements comes to. Statements of a batch
 * are looked at one by one as they are run, and a SELECT of several keys is no matter of conflicts.
 */
function nativeOf(state: DatabaseState, request: Request): NativeRequest | undefined {
  if (!isPartiql(request)) return request;
  return request.api === 'BatchExecuteStatement' ? undefined : nativeRequests(request, specsOf(state))[0];
}

function conflictOf(state: DatabaseState, request: NativeRequest): Outcome | undefined {
  switch (request.api) {
    case 'PutItem':
      return singleConflict(state, request.input.TableName, request.input.Item);
    case 'UpdateItem':
    case 'DeleteItem':
      return singleConflict(state, request.input.TableName, request.input.Key);
    case 'TransactGetItems':
      return cancelled(
        state,
        request.input.TransactItems.map(({ Get }) => lockKeyIn(state, Get.TableName, Get.Key)),
      );
    default:
      return undefined;
  }
}

function singleConflict(state: DatabaseState, tableName: string, key: AttributeMap): Outcome | undefined {
  const lockKey = lockKeyIn(state, tableName, key);
  return lockKey !== undefined && state.locks.isHeld(lockKey) ? { kind: 'conflict' } : undefined;
}

const conflictReason = { Code: 'TransactionConflict', Message: 'Transaction is ongoing for the item' };

/** The cancelled transaction; undefined where none of its items is held. */
function cancelled({ locks }: DatabaseState, lockKeys: readonly (string | undefined)[]): Outcome | undefined {
  const reasons = lockKeys.map((lockKey) =>
    lockKey !== undefined && locks.isHeld(lockKey) ? conflictReason : undefined,
  );
  if (reasons.every((reason) => reason === undefined)) return undefined;
  return { kind: 'conflict', cancellationReasons: reasonsInOrder(reasons) };
}

function actionLockKey(
  state: DatabaseState,
  { Put, Update, Delete, ConditionCheck }: TransactWriteItem,
): string | undefined {
  if (Put !== undefined) return lockKeyIn(state, Put.TableName, Put.Item);
  const keyed = Update ?? Delete ?? ConditionCheck;
  return keyed && lockKeyIn(state, keyed.TableName, keyed.Key);
}

/**
 * The lock key of an item; undefined for a table or key that is wrong, which the request's own checks will
 * say.
 */
function lockKeyIn(state: DatabaseState, tableName: string, key: AttributeMap): string | undefined {
  const table = state.tables.get(tableName);
  return table && lockKeyIfSound(table.spec, key);
}
