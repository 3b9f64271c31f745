// GetItem: one item by its key. The whole stored item is paid for, whatever is projected.
import type { ApiOutput } from '../../dynamodb/api-output.ts';
import { type ReadConsistency, readUnits } from '../../dynamodb/consumed-capacity.ts';
import type { GetItemInput } from '../../dynamodb/operation.ts';
import type { Outcome } from '../../dynamodb/outcome.ts';
import { tellItem } from '../access-listener.ts';
import { checkedItem } from '../checked-item.ts';
import type { DatabaseState } from '../database-state.ts';
import { project } from '../expression/projection.ts';
import { refuseRead } from '../read-admission.ts';
import { checkKey, probeOf } from '../table-key.ts';
import { findEntry, tableKeyState } from '../write-plan.ts';
import { checkReturnConsumedCapacity, readyProjection } from './request-checks.ts';

const noItem: ApiOutput = {};

export function getItem(state: DatabaseState, input: GetItemInput, atUs: number): Outcome {
  checkReturnConsumedCapacity(input.ReturnConsumedCapacity);
  const table = state.table(input.TableName);
  const key = checkedItem(input.Key);
  const { projection, bindings } = readyProjection(input);
  checkKey(key, table.spec.keys);
  const consistency: ReadConsistency = input.ConsistentRead === true ? 'strong' : 'eventual';
  const found = findEntry(table, probeOf(key, table.spec.keys));
  const keyState = tableKeyState(found);
  const units = readUnits(found.before?.sizeBytes ?? 0, consistency);
  const refusal = refuseRead(table, keyState, units, atUs);
  const { listener } = state;
  if (listener)
    tellItem(listener, found, { operation: 'Read', units, isAdmitted: refusal === undefined, atUs });
  if (refusal !== undefined) return refusal;
  table.throughput.spendRead(keyState, units, atUs, consistency === 'eventual');
  const item = found.before?.item;
  const consumed = [{ tableName: table.spec.tableName, table: { readUnits: units, writeUnits: 0 } }];
  if (item === undefined) return { kind: 'ok', consumed, output: noItem };
  return {
    kind: 'ok',
    consumed,
    output: { Item: projection === undefined ? item : project(projection, item, bindings) },
  };
}
