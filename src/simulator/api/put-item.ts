// PutItem: a whole item in place of what its key held.
import { validationError } from '../../dynamodb/api-error.ts';
import type { AttributeMap } from '../../dynamodb/attribute-value.ts';
import { itemSizeBytes } from '../../dynamodb/item-size.ts';
import { MAX_ITEM_BYTES } from '../../dynamodb/limits.ts';
import type { PutItemInput } from '../../dynamodb/operation.ts';
import type { Outcome } from '../../dynamodb/outcome.ts';
import { checkedItem } from '../checked-item.ts';
import type { DatabaseState } from '../database-state.ts';
import { checkIndexKeys } from '../index-entries.ts';
import type { SimulatedTable } from '../simulated-table.ts';
import { checkItemKey, probeOf } from '../table-key.ts';
import { findEntry, planWrite } from '../write-plan.ts';
import { checkReturnCollections, checkReturnConsumedCapacity, readyCondition } from './request-checks.ts';
import { admitAndApply, failCondition, holds, written } from './single-write.ts';

export function putItem(state: DatabaseState, input: PutItemInput, atUs: number): Outcome {
  checkReturnConsumedCapacity(input.ReturnConsumedCapacity);
  checkReturnCollections(input.ReturnItemCollectionMetrics);
  checkReturnOld(input.ReturnValues);
  const item = checkedItem(input.Item);
  const ready = readyCondition(input);
  const table = state.table(input.TableName);
  const sizeBytes = checkPut(table, item);
  const found = findEntry(table, probeOf(item, table.spec.keys));
  if (!holds(ready, found))
    return failCondition(state, found, sizeBytes, input.ReturnValuesOnConditionCheckFailure, atUs);
  const old = found.before?.item;
  const plan = planWrite(found, item, sizeBytes);
  const refusal = admitAndApply(state, plan, atUs);
  if (refusal !== undefined) return refusal;
  if (old !== undefined) table.replacedPuts++;
  return written(plan, input.ReturnValues === 'ALL_OLD' ? old : undefined, input.ReturnItemCollectionMetrics);
}

/**
 * Checks an item to be put, its keys and its size.
 * @returns its size in bytes
 * @throws ApiError ValidationException
 */
export function checkPut(table: SimulatedTable, item: AttributeMap): number {
  checkItemKeys(table, item);
  return checkItemSize(item);
}

/**
 * Checks the table's key and the index keys of an item.
 * @throws ApiError ValidationException
 */
export function checkItemKeys(table: SimulatedTable, item: AttributeMap): void {
  checkItemKey(item, table.spec.keys);
  for (const index of table.indexes) checkIndexKeys(index, item);
}

/**
 * The size of an item to be put.
 * @throws ApiError ValidationException above 400 KB
 */
export function checkItemSize(item: AttributeMap): number {
  const sizeBytes = itemSizeBytes(item);
  if (sizeBytes > MAX_ITEM_BYTES) throw validationError('Item size has exceeded the maximum allowed size');
  return sizeBytes;
}

/** PutItem and DeleteItem give back the old item or nothing. */
export function checkReturnOld(returnValues: string | undefined): void {
  if (returnValues === undefined || returnValues === 'NONE' || returnValues === 'ALL_OLD') return;
  throw validationError('ReturnValues can only be ALL_OLD or NONE');
}
