// BatchGetItem: up to 100 items of several tables. Each key is admitted and priced on its own; what is
// refused, or does not fit into 16 MB, comes back as unprocessed.
import { validationError } from '../../dynamodb/api-error.ts';
import type { AttributeMap } from '../../dynamodb/attribute-value.ts';
import { type ConsumedCapacity, readUnits } from '../../dynamodb/consumed-capacity.ts';
import { MAX_BATCH_BYTES, MAX_BATCH_GET_ITEMS } from '../../dynamodb/limits.ts';
import type { BatchGetItemInput, KeysAndAttributes } from '../../dynamodb/operation.ts';
import type { Outcome } from '../../dynamodb/outcome.ts';
import { tellItem } from '../access-listener.ts';
import type { Throttled } from '../admission.ts';
import { checkedItem } from '../checked-item.ts';
import type { DatabaseState } from '../database-state.ts';
import { project } from '../expression/projection.ts';
import { lockKeyOf } from '../item-locks.ts';
import { refuseRead } from '../read-admission.ts';
import type { SimulatedTable } from '../simulated-table.ts';
import { checkKey, probeOf } from '../table-key.ts';
import { type FoundEntry, findEntry, tableKeyState } from '../write-plan.ts';
import { batchOutcome, byTable } from './batch-outcome.ts';
import { checkReturnConsumedCapacity, type ReadyProjection, readyProjection } from './request-checks.ts';

export function batchGetItem(state: DatabaseState, input: BatchGetItemInput, atUs: number): Outcome {
  checkReturnConsumedCapacity(input.ReturnConsumedCapacity);
  const gets = readyGets(state, input);
  const responses = byTable<AttributeMap[]>();
  const unprocessed = byTable<KeysAndAttributes & { Keys: AttributeMap[] }>();
  const consumed: ConsumedCapacity[] = [];
  let refusal: Throttled | undefined;
  let responseBytes = 0;
  let sentItems = 0;
  let unprocessedItems = 0;
  for (const { tableName, request, table, keys, ready } of gets) {
    responses[tableName] = [];
    let tableUnits = 0;
    for (const key of keys) {
      sentItems++;
      const found = findEntry(table, probeOf(key, table.spec.keys));
      const isTooMuch = responseBytes + (found.before?.sizeBytes ?? 0) > MAX_BATCH_BYTES;
      const units = readUnits(found.before?.sizeBytes ?? 0, consistencyOf(request));
      const refused = isTooMuch ? undefined : readOne(state, found, units, request, atUs);
      if (isTooMuch || refused !== undefined) {
        refusal ??= refused;
        unprocessedItems++;
        unprocessed[tableName] ??= { ...request, Keys: [] };
        unprocessed[tableName].Keys.push(key);
        continue;
      }
      tableUnits += units;
      responseBytes += found.before?.sizeBytes ?? 0;
      if (found.before !== undefined) responses[tableName].push(projected(ready, found.before.item));
    }
    if (tableUnits > 0) consumed.push({ tableName, table: { readUnits: tableUnits, writeUnits: 0 } });
  }
  return batchOutcome({
    sentItems,
    unprocessedItems,
    refusal,
    consumed,
    output: { Responses: responses, UnprocessedKeys: unprocessed },
  });
}

interface ReadyGet {
  readonly tableName: string;
  readonly request: KeysAndAttributes;
  readonly table: SimulatedTable;
  readonly keys: readonly AttributeMap[];
  readonly ready: ReadyProjection;
}

function readyGets(state: DatabaseState, { RequestItems }: BatchGetItemInput): readonly ReadyGet[] {
  const requests = Object.entries(RequestItems ?? {});
  if (requests.length === 0) throw broken('', 'greater than or equal to 1');
  let count = 0;
  for (const [tableName, { Keys }] of requests) {
    const place = `.${tableName}.member.Keys`;
    if (Keys.length === 0) throw broken(place, 'greater than or equal to 1');
    if (Keys.length > MAX_BATCH_GET_ITEMS)
      throw broken(place, `less than or equal to ${MAX_BATCH_GET_ITEMS}`);
    count += Keys.length;
  }
  if (count > MAX_BATCH_GET_ITEMS)
    throw validationError('Too many items requested for the BatchGetItem call');
  return requests.map(([tableName, request]) => {
    const ready = readyProjection(request);
    const table = state.table(tableName);
    const keys = request.Keys.map(checkedItem);
    const seen = new Set<string>();
    for (const key of keys) {
      checkKey(key, table.spec.keys);
      seen.add(lockKeyOf('', probeOf(key, table.spec.keys)));
    }
    if (seen.size < keys.length) throw validationError('Provided list of item keys contains duplicates');
    return { tableName, request, table, keys, ready };
  });
}

/**
 * A count of members that breaks the API model.
 * @see `paritysuite/dynamodb-conformance tests/tier3/error-messages/batchGetItem.test.ts` (captures of October
 *   2026), read 2026-11-30
 */
function broken(place: string, length: string): Error {
  return validationError(
    `1 validation error detected: Value at 'RequestItems${place}' failed to satisfy constraint: Member must have length ${length}`,
  );
}

function readOne(
  { listener }: DatabaseState,
  found: FoundEntry,
  units: number,
  request: KeysAndAttributes,
  atUs: number,
): Throttled | undefined {
  const keyState = tableKeyState(found);
  const refused = refuseRead(found.table, keyState, units, atUs);
  if (listener)
    tellItem(listener, found, { operation: 'Read', units, isAdmitted: refused === undefined, atUs });
  if (refused === undefined)
    found.table.throughput.spendRead(keyState, units, atUs, request.ConsistentRead !== true);
  return refused;
}

function consistencyOf({ ConsistentRead }: KeysAndAttributes): 'strong' | 'eventual' {
  return ConsistentRead === true ? 'strong' : 'eventual';
}

function projected({ projection, bindings }: ReadyProjection, item: AttributeMap): AttributeMap {
  return projection === undefined ? item : project(projection, item, bindings);
}
