// TransactGetItems: up to 100 items as of one moment, at twice the price of strong reads. One throttled or
// held item cancels all.
import { type CancellationReason, validationError } from '../../dynamodb/api-error.ts';
import { mergeConsumed, readUnits } from '../../dynamodb/consumed-capacity.ts';
import { MAX_TRANSACTION_BYTES, MAX_TRANSACTION_ITEMS } from '../../dynamodb/limits.ts';
import type { TransactGetItemsInput } from '../../dynamodb/operation.ts';
import type { Outcome } from '../../dynamodb/outcome.ts';
import { tellItem } from '../access-listener.ts';
import type { Admission } from '../admission.ts';
import { checkedItem } from '../checked-item.ts';
import type { DatabaseState } from '../database-state.ts';
import { project } from '../expression/projection.ts';
import { lockKeyOf } from '../item-locks.ts';
import { checkKey, probeOf } from '../table-key.ts';
import { type FoundEntry, findEntry, tableKeyState } from '../write-plan.ts';
import {
  cancelledByMistakes,
  reasonsInOrder,
  throttledCodes,
  TRANSACTION_CANCELED,
  validationReason,
} from './cancellation.ts';
import {
  checkReturnConsumedCapacity,
  constraint,
  type ReadyProjection,
  readyProjection,
} from './request-checks.ts';

interface ReadyGet {
  readonly found: FoundEntry;
  readonly ready: ReadyProjection;
  readonly units: number;
}

export function transactGetItems(state: DatabaseState, input: TransactGetItemsInput, atUs: number): Outcome {
  checkReturnConsumedCapacity(input.ReturnConsumedCapacity);
  checkActionCount(input.TransactItems);
  const results = input.TransactItems.map(({ Get }) => readyGet(state, Get));
  const gets = results.filter((result) => 'found' in result);
  checkDistinct(gets);
  if (gets.length < results.length)
    return cancelledByMistakes(
      reasonsInOrder(results.map((result) => ('Code' in result ? result : undefined))),
    );
  const { admission, listener } = state;
  admission.begin();
  for (const get of gets) demandGet(admission, get);
  const isAdmitted = admission.isAdmitted('Read', atUs);
  if (listener)
    for (const { found, units } of gets)
      tellItem(listener, found, { operation: 'Read', units, isAdmitted, atUs });
  if (!isAdmitted) {
    const refusal = admission.refuse('Read', atUs, TRANSACTION_CANCELED);
    const cancellationReasons = throttledCodes(gets, (get) => {
      demandGet(admission.begin(), get);
      return admission.isAdmitted('Read', atUs) ? undefined : get.found.table.spec.billing.mode;
    });
    return { ...refusal, cancellationReasons };
  }
  admission.spendReads(atUs, false);
  const consumed = mergeConsumed(
    gets.map(({ found, units }) => ({
      tableName: found.table.spec.tableName,
      table: { readUnits: units, writeUnits: 0 },
    })),
  );
  return { kind: 'ok', consumed, output: { Responses: gets.map(responseOf) } };
}

/** Looks one item up; a key that does not fit the table is the reason that cancels the transaction. */
function readyGet(
  state: DatabaseState,
  get: TransactGetItemsInput['TransactItems'][number]['Get'],
): ReadyGet | CancellationReason {
  const ready = readyProjection(get);
  const key = checkedItem(get.Key);
  const table = state.table(get.TableName);
  try {
    checkKey(key, table.spec.keys);
  } catch (error) {
    return validationReason(error);
  }
  const found = findEntry(table, probeOf(key, table.spec.keys));
  return { found, ready, units: readUnits(found.before?.sizeBytes ?? 0, 'transactional') };
}

function checkDistinct(gets: readonly ReadyGet[]): void {
  const lockKeys = new Set(gets.map(({ found }) => lockKeyOf(found.table.spec.tableName, found.probe)));
  if (lockKeys.size < gets.length)
    throw validationError('Transaction request cannot include multiple operations on one item');
  if (gets.reduce((sum, { found }) => sum + (found.before?.sizeBytes ?? 0), 0) > MAX_TRANSACTION_BYTES)
    throw validationError('Aggregated size of all items of the transaction exceeds 4 MB');
}

function demandGet(admission: Admission, { found, units }: ReadyGet): void {
  admission.need(found.table.throughput, tableKeyState(found), units);
}

/**
 * Checks that a transaction has 1 to 100 actions.
 * @throws ApiError ValidationException
 */
export function checkActionCount(actions: readonly unknown[] | undefined): void {
  const count = actions?.length ?? 0;
  if (count === 0)
    throw constraint('[]', 'transactItems', 'Member must have length greater than or equal to 1');
  if (count > MAX_TRANSACTION_ITEMS)
    throw constraint(
      count,
      'transactItems',
      `Member must have length less than or equal to ${MAX_TRANSACTION_ITEMS}`,
    );
}

function responseOf({ found, ready }: ReadyGet) {
  const item = found.before?.item;
  if (item === undefined) return {};
  return { Item: ready.projection === undefined ? item : project(ready.projection, item, ready.bindings) };
}
