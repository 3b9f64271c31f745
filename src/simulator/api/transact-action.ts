// One action of TransactWriteItems: checked against the request alone (ready), then against its item (planned).
import { ApiError, type CancellationReason, validationError } from '../../dynamodb/api-error.ts';
import type { AttributeMap } from '../../dynamodb/attribute-value.ts';
import type { TransactWriteItem } from '../../dynamodb/operation.ts';
import { checkedItem } from '../checked-item.ts';
import type { DatabaseState } from '../database-state.ts';
import type { Bindings, UpdateNode } from '../expression/syntax-tree.ts';
import { parseUpdate } from '../expression/update-parser.ts';
import { lockKeyOf } from '../item-locks.ts';
import type { StoredEntry } from '../item-store.ts';
import type { SimulatedTable } from '../simulated-table.ts';
import { checkKey, probeOf } from '../table-key.ts';
import { type FoundEntry, findEntry, planWrite, type WritePlan } from '../write-plan.ts';
import { checkPut } from './put-item.ts';
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

export interface ReadyAction {
  readonly table: SimulatedTable;
  readonly probe: StoredEntry;
  readonly lockKey: string;
  readonly ready: ReadyCondition;
  readonly returnsItem: boolean;
  readonly effect: Effect;
}

/** An action with its item. Either it has failed, or, unless it only checks, it has a write. */
export interface PlannedAction {
  readonly found: FoundEntry;
  readonly write: WritePlan | undefined;
  readonly isPut: boolean;
  readonly failure: CancellationReason | undefined;
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
  if (Put !== undefined) {
    const table = state.table(Put.TableName);
    const item = checkedItem(Put.Item);
    const ready = readyCondition(Put);
    const sizeBytes = checkPut(table, item);
    return readied(table, item, ready, Put, { kind: 'put', item, sizeBytes });
  }
  if (Update !== undefined) {
    const table = state.table(Update.TableName);
    const key = checkedItem(Update.Key);
    const node = parseUpdate(Update.UpdateExpression);
    const ready = readyCondition(Update, node);
    checkUpdate(table, key, node, ready.bindings);
    return readied(table, key, ready, Update, { kind: 'update', key, node, bindings: ready.bindings });
  }
  const keyed = (Delete ?? ConditionCheck) as NonNullable<typeof Delete>; // One of the four is given, and it is neither of the first two.
  const table = state.table(keyed.TableName);
  const key = checkedItem(keyed.Key);
  const ready = readyCondition(keyed);
  checkKey(key, table.spec.keys);
  if (Delete === undefined && ready.condition === undefined)
    throw validationError('The ConditionExpression of a ConditionCheck must not be empty');
  return readied(table, key, ready, keyed, { kind: Delete === undefined ? 'check' : 'delete' });
}

/** Looks the item of an action up. */
export function lookAgain({ table, probe }: ReadyAction): FoundEntry {
  return findEntry(table, probe);
}

/** Evaluates an action on its item: its condition, and what it would write. */
export function planAction(action: ReadyAction): PlannedAction {
  const { effect } = action;
  const found = lookAgain(action);
  const isPut = effect.kind === 'put';
  if (!holds(action.ready, found))
    return { found, write: undefined, isPut, failure: conditionReason(action, found) };
  try {
    return { found, write: writeOf(effect, found), isPut, failure: undefined };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { found, write: undefined, isPut, failure: { Code: 'ValidationError', Message: error.message } };
  }
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

function conditionReason({ returnsItem }: ReadyAction, { before }: FoundEntry): CancellationReason {
  const reason = { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' };
  return returnsItem && before !== undefined ? { ...reason, Item: before.item } : reason;
}

function readied(
  table: SimulatedTable,
  key: AttributeMap,
  ready: ReadyCondition,
  { ReturnValuesOnConditionCheckFailure: returns }: { readonly ReturnValuesOnConditionCheckFailure?: string },
  effect: Effect,
): ReadyAction {
  const probe = probeOf(key, table.spec.keys);
  const lockKey = lockKeyOf(table.spec.tableName, probe);
  return { table, probe, lockKey, ready, returnsItem: returns === 'ALL_OLD', effect };
}
