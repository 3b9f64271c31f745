// UpdateItem: changes parts of an item, or makes one where there is none.
import { validationError } from '../../dynamodb/api-error.ts';
import type { AttributeMap } from '../../dynamodb/attribute-value.ts';
import { attributeNameBytes, itemSizeBytes, valueSizeBytes } from '../../dynamodb/item-size.ts';
import { MAX_ITEM_BYTES } from '../../dynamodb/limits.ts';
import type { UpdateItemInput } from '../../dynamodb/operation.ts';
import type { Outcome } from '../../dynamodb/outcome.ts';
import { checkedItem } from '../checked-item.ts';
import type { DatabaseState } from '../database-state.ts';
import { pickPaths } from '../expression/projection.ts';
import type { Bindings, PathPart, UpdateNode } from '../expression/syntax-tree.ts';
import { applyUpdate, updatedNames } from '../expression/update-evaluator.ts';
import { parseUpdate } from '../expression/update-parser.ts';
import { checkIndexKeys, keyNames } from '../index-entries.ts';
import type { SimulatedTable } from '../simulated-table.ts';
import { checkKey, probeOf } from '../table-key.ts';
import { type FoundEntry, findEntry, planWrite, type WritePlan } from '../write-plan.ts';
import {
  checkChoice,
  checkReturnCollections,
  checkReturnConsumedCapacity,
  readyCondition,
} from './request-checks.ts';
import { admitAndApply, failCondition, holds, written } from './single-write.ts';

const returnChoices = ['ALL_NEW', 'UPDATED_OLD', 'ALL_OLD', 'NONE', 'UPDATED_NEW'];

/**
 * @param measured  what is held against the 400 KB limit: the item as UpdateItem measures it, or as it is finished
 */
export function updateItem(
  state: DatabaseState,
  input: UpdateItemInput,
  atUs: number,
  measured: 'update' | 'finished item' = 'update',
): Outcome {
  checkReturnConsumedCapacity(input.ReturnConsumedCapacity);
  checkReturnCollections(input.ReturnItemCollectionMetrics);
  checkChoice('returnValues', input.ReturnValues, returnChoices);
  const key = checkedItem(input.Key);
  const node = input.UpdateExpression === undefined ? undefined : parseUpdate(input.UpdateExpression);
  const ready = readyCondition(input, node);
  const table = state.table(input.TableName);
  checkUpdate(table, key, node, ready.bindings);
  const found = findEntry(table, probeOf(key, table.spec.keys));
  if (!holds(ready, found))
    return failCondition(state, found, 0, input.ReturnValuesOnConditionCheckFailure, atUs);
  const old = found.before?.item;
  const updated = updateOf(found, key, node, ready.bindings);
  const plan = planUpdate(found, updated.item, measured === 'update' ? node : undefined);
  const refusal = admitAndApply(state, plan, atUs);
  return (
    refusal ??
    written(plan, attributesToReturn(input.ReturnValues, old, updated), input.ReturnItemCollectionMetrics)
  );
}

/**
 * Checks the key of an update, and that it leaves the key alone.
 * @throws ApiError ValidationException
 */
export function checkUpdate(
  table: SimulatedTable,
  key: AttributeMap,
  node: UpdateNode | undefined,
  bindings: Bindings,
): void {
  const { keys } = table.spec;
  checkKey(key, keys);
  if (node === undefined) return;
  const names = updatedNames(node, bindings);
  for (const name of keyNames(keys))
    if (names.includes(name))
      throw validationError(
        `One or more parameter values were invalid: Cannot update attribute ${name}. This attribute is part of the key`,
      );
}

/** What an update makes of an item. */
export interface UpdateResult {
  /** Undefined where there was no item and none is made. */
  readonly item: AttributeMap | undefined;
  /** Resolved paths of everything the update named. */
  readonly changedPaths: readonly (readonly PathPart[])[];
}

/**
 * The item after an update; an item that is not there starts as its bare key. An update that only clears
 * makes no item of nothing.
 * @see `scylladb/scylladb test/alternator/test_returnvalues.py`, whose tests are run against the service,
 *   read 2026-11-30
 */
export function updateOf(
  { before }: FoundEntry,
  key: AttributeMap,
  node: UpdateNode | undefined,
  bindings: Bindings,
): UpdateResult {
  const item = before?.item ?? key;
  if (node === undefined) return { item, changedPaths: [] };
  if (before === undefined && node.sets.length + node.adds.length === 0)
    return { item: undefined, changedPaths: [] };
  const updated = applyUpdate(before === undefined ? withoutNestedRemoves(node) : node, item, bindings);
  // Values are checked by themselves; set deep in a document, they may take it beyond the levels of nesting.
  if (node.sets.some(({ path }) => path.parts.length > 1)) checkedItem(updated.item);
  return updated;
}

/**
 * On an item that is not there, DynamoDB overlooks a REMOVE of a nested path; on one that is, a path that
 * leads nowhere is an error.
 * @see `scylladb/scylladb test/alternator/test_update_expression.py`, whose tests are run against the
 *   service, read 2026-11-30
 */
function withoutNestedRemoves(node: UpdateNode): UpdateNode {
  if (node.removes.every(({ parts }) => parts.length === 1)) return node;
  return { ...node, removes: node.removes.filter(({ parts }) => parts.length === 1) };
}

/**
 * Plans the write that an update comes to; no item, where the update makes none.
 * @param node  where given, the size is measured as UpdateItem measures it; a transaction measures the
 *   finished item
 * @throws ApiError ValidationException: index keys of the wrong type, or the item too large
 */
export function planUpdate(
  found: FoundEntry,
  item: AttributeMap | undefined,
  node: UpdateNode | undefined,
): WritePlan {
  if (item === undefined) return planWrite(found, undefined, 0);
  for (const index of found.table.indexes) checkIndexKeys(index, item);
  const sizeBytes = itemSizeBytes(item);
  if (Math.max(sizeBytes, gateBytes(found.table, item, sizeBytes, node)) > MAX_ITEM_BYTES)
    throw validationError('Item size to update has exceeded the maximum allowed size');
  return planWrite(found, item, sizeBytes);
}

/**
 * Bytes that UpdateItem holds against the 400 KB limit: the item without its key, plus 3, plus 19 for each
 * action that writes a value
 * and 2 for each that clears one. Found by measuring the service.
 * @see `nubo-db/dynoxide CHANGELOG.md` #187, read 2026-11-30
 */
function gateBytes(
  { spec }: SimulatedTable,
  item: AttributeMap,
  sizeBytes: number,
  node: UpdateNode | undefined,
): number {
  if (node === undefined) return 0;
  let bytes = sizeBytes + 3 + 19 * (node.sets.length + node.adds.length);
  bytes += 2 * (node.removes.length + node.deletes.length);
  for (const name of keyNames(spec.keys)) {
    const value = item[name];
    if (value !== undefined) bytes -= attributeNameBytes(name) + valueSizeBytes(value);
  }
  return bytes;
}

function attributesToReturn(
  returnValues: UpdateItemInput['ReturnValues'],
  old: AttributeMap | undefined,
  { item, changedPaths }: UpdateResult,
): AttributeMap | undefined {
  switch (returnValues) {
    case 'ALL_OLD':
      return old;
    case 'ALL_NEW':
      return item;
    case 'UPDATED_OLD':
      return old && presentPart(old, changedPaths);
    case 'UPDATED_NEW':
      return item && presentPart(item, changedPaths);
    default:
      return undefined;
  }
}

/** The part of an item under some paths; undefined where there is nothing of it. */
function presentPart(item: AttributeMap, paths: UpdateResult['changedPaths']): AttributeMap | undefined {
  const part = pickPaths(item, paths);
  for (const _ in part) return part;
  return undefined;
}
