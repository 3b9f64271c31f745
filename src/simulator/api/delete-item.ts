// DeleteItem: takes the item at a key away; one that is not there is no error.
import type { DeleteItemInput } from '../../dynamodb/operation.ts';
import type { Outcome } from '../../dynamodb/outcome.ts';
import { checkedItem } from '../checked-item.ts';
import type { DatabaseState } from '../database-state.ts';
import { checkKey, probeOf } from '../table-key.ts';
import { findEntry, planWrite } from '../write-plan.ts';
import { checkReturnOld } from './put-item.ts';
import { checkReturnCollections, checkReturnConsumedCapacity, readyCondition } from './request-checks.ts';
import { admitAndApply, failCondition, holds, written } from './single-write.ts';

export function deleteItem(state: DatabaseState, input: DeleteItemInput, atUs: number): Outcome {
  checkReturnConsumedCapacity(input.ReturnConsumedCapacity);
  checkReturnCollections(input.ReturnItemCollectionMetrics);
  checkReturnOld(input.ReturnValues);
  const key = checkedItem(input.Key);
  const ready = readyCondition(input);
  const table = state.table(input.TableName);
  checkKey(key, table.spec.keys);
  const found = findEntry(table, probeOf(key, table.spec.keys));
  if (!holds(ready, found))
    return failCondition(state, found, 0, input.ReturnValuesOnConditionCheckFailure, atUs);
  const old = found.before?.item;
  const plan = planWrite(found, undefined, 0);
  const refusal = admitAndApply(state, plan, atUs);
  const returned = input.ReturnValues === 'ALL_OLD' ? old : undefined;
  return refusal ?? written(plan, returned, input.ReturnItemCollectionMetrics);
}
