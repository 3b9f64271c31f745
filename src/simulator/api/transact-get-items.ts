// TransactGetItems: up to 100 items as of one moment, at twice the price of strong reads. One throttled or held item cancels all.
import { validationError } from '../../dynamodb/api-error.ts';
import { type ConsumedCapacity, mergeConsumed, readUnits } from '../../dynamodb/consumed-capacity.ts';
import { MAX_TRANSACTION_BYTES, MAX_TRANSACTION_ITEMS } from '../../dynamodb/limits.ts';
import type { TransactGetItemsInput } from '../../dynamodb/operation.ts';
import type { Outcome } from '../../dynamodb/outcome.ts';
import { checkedItem } from '../checked-item.ts';
import type { DatabaseState } from '../database-state.ts';
import { project } from '../expression/projection.ts';
import { lockKeyOf } from '../item-locks.ts';
import { checkKey, probeOf } from '../table-key.ts';
import { type FoundEntry, findEntry, tableKeyState } from '../write-plan.ts';
import { throttledCodes, TRANSACTION_CANCELED } from './cancellation.ts';
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
  const gets = readyGets(state, input);
  const { admission } = state;
  admission.begin();
  for (const { found, units } of gets) admission.need(found.table.throughput, tableKeyState(found), units);
  if (!admission.isAdmitted('Read', atUs)) {
    const refusal = admission.refuse('Read', atUs, TRANSACTION_CANCELED);
    const cancellationReasons = throttledCodes(gets, (get) => {
      admission.begin().need(get.found.table.throughput, tableKeyState(get.found), get.units);
      return admission.isAdmitted('Read', atUs) ? undefined : get.found.table.spec.billing.mode;
    });
    return { ...refusal, cancellationReasons };
  }
  admission.spendReads(atUs, false);
  const consumed: readonly ConsumedCapacity[] = mergeConsumed(
    gets.map(({ found, units }) => ({
      tableName: found.table.spec.tableName,
      table: { readUnits: units, writeUnits: 0 },
    })),
  );
  return { kind: 'ok', consumed, output: { Responses: gets.map(responseOf) } };
}

function readyGets(state: DatabaseState, { TransactItems }: TransactGetItemsInput): readonly ReadyGet[] {
  checkActionCount(TransactItems);
  const seen = new Set<string>();
  const gets = TransactItems.map(({ Get }) => {
    const table = state.table(Get.TableName);
    const ready = readyProjection(Get);
    const key = checkedItem(Get.Key);
    checkKey(key, table.spec.keys);
    const found = findEntry(table, probeOf(key, table.spec.keys));
    seen.add(lockKeyOf(Get.TableName, found.probe));
    return { found, ready, units: readUnits(found.before?.sizeBytes ?? 0, 'transactional') };
  });
  if (seen.size < gets.length)
    throw validationError('Transaction request cannot include multiple operations on one item');
  if (gets.reduce((sum, { found }) => sum + (found.before?.sizeBytes ?? 0), 0) > MAX_TRANSACTION_BYTES)
    throw validationError('Aggregated size of all items of the transaction exceeds 4 MB');
  return gets;
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
