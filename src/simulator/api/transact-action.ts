// One action of TransactWriteItems: checked against the request alone (ready), then against its item
// (planned). The service sorts mistakes into two: what is wrong with expressions, values, sizes and empty
// keys refuses the request up front; what does not fit the table's schema, or turns out wrong on the item, is
// the action's own reason of cancellation.
// @see `paritysuite/dynamodb-conformance tests/tier3/error-messages/transactWriteItems.test.ts` (captures of
//   2026-10-09), read 2026-11-30
import { type CancellationReason, validationError } from '../../dynamodb/api-error.ts';
import type { AttributeMap } from '../../dynamodb/attribute-value.ts';
import type { TransactWriteItem } from '../../dynamodb/operation.ts';
import { checkedItem } from '../checked-item.ts';
import type { DatabaseState } from '../database-state.ts';
import type { Bindings, UpdateNode } from '../expression/syntax-tree.ts';
import { parseUpdate } from '../expression/update-parser.ts';
import { checkNoEmptyIndexKey } from '../index-entries.ts';
import { lockKeyIfSound, lockKeyOf } from '../item-locks.ts';
import type { StoredEntry } from '../stored-entry.ts';
import type { SimulatedTable } from '../simulated-table.ts';
import { checkKey, checkNoEmptyKey, probeOf } from '../table-key.ts';
import { type FoundEntry, findEntry, planWrite, type WritePlan } from '../write-plan.ts';
import { validationReason } from './cancellation.ts';
import { checkItemKeys, checkItemSize } from './put-item.ts';
import { type ReadyCondition, readyCondition } from './request-checks.ts';
import { holds } from './single-write.ts';
import { checkUpdate, planUpdate, updateOf } from './update-item.ts';

/** What an action does to its item. */
type Effect =
  | { readonly kind: 'put'; readonly item: AttributeMap; readonly sizeBytes: number }
  | {
      readonly kind: 'update';
      readonly key: AttributeMap;
      readonly node: UpdateNode;
      readonly bindings: Bindings;
    }
  | { readonly kind: 'delete' }
  | { readonly kind: 'check' };

/**
 * The item that an action is about, or why its key names none; the lock key tells actions on one item,
 * mistaken or not.
 */
export type Aim =
  | { readonly table: SimulatedTable; readonly probe: StoredEntry; readonly lockKey: string }
  | { readonly mistake: CancellationReason; readonly lockKey: string | undefined };

export interface ReadyAction {
  readonly aim: Aim;
  readonly ready: ReadyCondition;
  readonly returnsItem: boolean;
  readonly effect: Effect;
}

/** An action that may be carried out. */
export interface PlannedAction {
  readonly found: FoundEntry;
  /** Undefined for a check. */
  readonly write: WritePlan | undefined;
  readonly isPut: boolean;
}

/** An action that cancels its transaction; `found` where its condition failed. */
export interface FailedAction {
  readonly found: FoundEntry | undefined;
  readonly failure: CancellationReason;
}

/**
 * Checks an action as far as the request alone allows.
 * @throws ApiError ValidationException, ResourceNotFoundException
 */
export function readyAction(state: DatabaseState, action: TransactWriteItem): ReadyAction {
  const { Put, Update, Delete, ConditionCheck } = action;
  const given = [Put, Update, Delete, ConditionCheck].filter((member) => member !== undefined);
  if (given.length !== 1)
    throw validationError('TransactItems can only contain one of Check, Put, Update or Delete');
  if (Put !== undefined) return readyPut(state, Put);
  if (Update !== undefined) return readyUpdate(state, Update);
  // One of the four is given, and it is neither of the first two.
  const keyed = (Delete ?? ConditionCheck) as NonNullable<typeof Delete>;
  const key = checkedItem(keyed.Key);
  const ready = readyCondition(keyed);
  if (Delete === undefined && ready.condition === undefined)
    throw validationError('The ConditionExpression of a ConditionCheck must not be empty');
  const table = state.table(keyed.TableName);
  checkNoEmptyKey(key, table.spec.keys);
  const aim = aimAt(table, key, () => checkKey(key, table.spec.keys));
  const returnsItem = keyed.ReturnValuesOnConditionCheckFailure === 'ALL_OLD';
  return { aim, ready, returnsItem, effect: { kind: Delete === undefined ? 'check' : 'delete' } };
}

/** Evaluates an action on its item: its condition, and what it would write. */
export function planAction({ aim, ready, returnsItem, effect }: ReadyAction): PlannedAction | FailedAction {
  if ('mistake' in aim) return { found: undefined, failure: aim.mistake };
  const found = findEntry(aim.table, aim.probe);
  if (!holds(ready, found)) return { found, failure: conditionReason(returnsItem, found) };
  try {
    return { found, write: writeOf(effect, found), isPut: effect.kind === 'put' };
  } catch (error) {
    return { found, failure: validationReason(error) };
  }
}

function readyPut(state: DatabaseState, put: NonNullable<TransactWriteItem['Put']>): ReadyAction {
  const item = checkedItem(put.Item);
  const ready = readyCondition(put);
  const table = state.table(put.TableName);
  checkNoEmptyKey(item, table.spec.keys);
  for (const index of table.indexes) checkNoEmptyIndexKey(index, item);
  const sizeBytes = checkItemSize(item);
  const aim = aimAt(table, item, () => checkItemKeys(table, item));
  const returnsItem = put.ReturnValuesOnConditionCheckFailure === 'ALL_OLD';
  return { aim, ready, returnsItem, effect: { kind: 'put', item, sizeBytes } };
}

function readyUpdate(state: DatabaseState, update: NonNullable<TransactWriteItem['Update']>): ReadyAction {
  const key = checkedItem(update.Key);
  const node = parseUpdate(update.UpdateExpression);
  const ready = readyCondition(update, node);
  const { bindings } = ready;
  const table = state.table(update.TableName);
  checkNoEmptyKey(key, table.spec.keys);
  const aim = aimAt(table, key, () => checkUpdate(table, key, node, bindings));
  const returnsItem = update.ReturnValuesOnConditionCheckFailure === 'ALL_OLD';
  return { aim, ready, returnsItem, effect: { kind: 'update', key, node, bindings } };
}

/** Names the item at a key; what the check throws becomes the action's reason. */
function aimAt(table: SimulatedTable, key: AttributeMap, check: () => void): Aim {
  try {
    check();
  } catch (error) {
    return { mistake: validationReason(error), lockKey: lockKeyIfSound(table.spec, key) };
  }
  const probe = probeOf(key, table.spec.keys);
  return { table, probe, lockKey: lockKeyOf(table.spec.tableName, probe) };
}

function writeOf(effect: Effect, found: FoundEntry): WritePlan | undefined {
  switch (effect.kind) {
    case 'put':
      return planWrite(found, effect.item, effect.sizeBytes);
    case 'update':
      return planUpdate(found, updateOf(found, effect.key, effect.node, effect.bindings).item, undefined);
    case 'delete':
      return planWrite(found, undefined, 0);
    case 'check':
      return undefined;
  }
}

function conditionReason(returnsItem: boolean, { before }: FoundEntry): CancellationReason {
  const reason = { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' };
  return returnsItem && before !== undefined ? { ...reason, Item: before.item } : reason;
}
