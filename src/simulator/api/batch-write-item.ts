// BatchWriteItem: up to 25 puts and deletes on several tables. Each is admitted, carried out and priced on
// its own; what is refused, or meets a transaction, comes back as unprocessed. A mistake in one of them fails
// them all before anything is done.
import { validationError } from '../../dynamodb/api-error.ts';
import type { AttributeMap } from '../../dynamodb/attribute-value.ts';
import { type ConsumedCapacity, mergeConsumed } from '../../dynamodb/consumed-capacity.ts';
import { MAX_BATCH_BYTES, MAX_BATCH_WRITE_ITEMS } from '../../dynamodb/limits.ts';
import type { BatchWriteItemInput, WriteRequest } from '../../dynamodb/operation.ts';
import type { Outcome } from '../../dynamodb/outcome.ts';
import type { KeySchema } from '../../dynamodb/table-spec.ts';
import type { Throttled } from '../admission.ts';
import { checkedItem } from '../checked-item.ts';
import { checkCollections, metricsByTable } from '../collection-sizes.ts';
import type { DatabaseState } from '../database-state.ts';
import { lockKeyOf } from '../item-locks.ts';
import type { StoredEntry } from '../stored-entry.ts';
import type { SimulatedTable } from '../simulated-table.ts';
import { checkKey, isOfType, probeOf } from '../table-key.ts';
import { consumedByWrite, findEntry, planWrite, type WritePlan } from '../write-plan.ts';
import { batchOutcome, byTable } from './batch-outcome.ts';
import { checkPut } from './put-item.ts';
import { checkReturnCollections, checkReturnConsumedCapacity, constraint } from './request-checks.ts';
import { admitAndApply } from './single-write.ts';

export function batchWriteItem(state: DatabaseState, input: BatchWriteItemInput, atUs: number): Outcome {
  checkReturnConsumedCapacity(input.ReturnConsumedCapacity);
  checkReturnCollections(input.ReturnItemCollectionMetrics);
  const writes = readyWrites(state, input);
  checkGrowth(writes);
  const unprocessed = byTable<WriteRequest[]>();
  const consumed: ConsumedCapacity[] = [];
  const carriedOut: WritePlan[] = [];
  let refusal: Throttled | undefined;
  let unprocessedItems = 0;
  for (const write of writes) {
    const { tableName, table, item, sizeBytes, probe, request } = write;
    const isHeld = !state.locks.isEmpty && state.locks.isHeld(lockKeyOf(tableName, probe));
    const found = findEntry(table, probe);
    const plan = planWrite(found, item, sizeBytes);
    const refused = isHeld ? undefined : admitAndApply(state, plan, atUs);
    if (isHeld || refused !== undefined) {
      refusal ??= refused;
      unprocessedItems++;
      unprocessed[tableName] ??= [];
      unprocessed[tableName].push(request);
      continue;
    }
    if (item !== undefined && found.before !== undefined) table.replacedPuts++;
    consumed.push(...consumedByWrite(plan, 1));
    carriedOut.push(plan);
  }
  const metrics = input.ReturnItemCollectionMetrics === 'SIZE' ? metricsByTable(carriedOut) : undefined;
  return batchOutcome({
    sentItems: writes.length,
    unprocessedItems,
    refusal,
    consumed: mergeConsumed(consumed),
    output: { UnprocessedItems: unprocessed, ...(metrics && { ItemCollectionMetrics: metrics }) },
  });
}

interface ReadyWrite {
  readonly tableName: string;
  readonly table: SimulatedTable;
  readonly probe: StoredEntry;
  /** Undefined for a delete. */
  readonly item: AttributeMap | undefined;
  readonly sizeBytes: number;
  readonly request: WriteRequest;
}

function readyWrites(state: DatabaseState, { RequestItems }: BatchWriteItemInput): readonly ReadyWrite[] {
  const tables = Object.entries(RequestItems ?? {});
  const count = tables.reduce((sum, [, requests]) => sum + requests.length, 0);
  if (tables.length === 0) throw validationError('The requestItems parameter is required for BatchWriteItem');
  const empty = tables.find(([, requests]) => requests.length === 0);
  if (empty !== undefined) throw constraint(`{${empty[0]}=[]}`, 'requestItems', REQUEST_COUNT);
  if (count > MAX_BATCH_WRITE_ITEMS)
    throw constraint(
      `{${tables.map(([name]) => `${name}=[...]`).join(', ')}}`,
      'requestItems',
      REQUEST_COUNT,
    );
  const writes = tables.flatMap(([tableName, requests]) => {
    const table = state.table(tableName);
    const ready = requests.map((request) => readyWrite(tableName, table, request));
    if (new Set(ready.map(({ probe }) => lockKeyOf('', probe))).size < ready.length)
      throw validationError('Provided list of item keys contains duplicates');
    return ready;
  });
  if (writes.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) > MAX_BATCH_BYTES)
    throw validationError('The request is larger than 16 MB');
  return writes;
}

/**
 * @see `paritysuite/dynamodb-conformance tests/tier3/error-messages/batchWriteItem.test.ts` (captures of
 *   2026-10-09), read 2026-11-30
 */
const REQUEST_COUNT = `Map value must satisfy constraint: [Member must have length less than or equal to ${MAX_BATCH_WRITE_ITEMS}, Member must have length greater than or equal to 1]`;

/** A batch speaks of the key of a put as of any other key. @see as above */
function checkPutKey(item: AttributeMap, { partition, sort }: KeySchema): void {
  if (isOfType(item[partition.name], partition) && (sort === undefined || isOfType(item[sort.name], sort)))
    return;
  throw validationError('The provided key element does not match the schema');
}

/** One member that would make its item collection too large fails the batch before anything is done. */
function checkGrowth(writes: readonly ReadyWrite[]): void {
  const limited = writes.filter(({ table }) => table.collectionSizes !== undefined);
  if (limited.length === 0) return;
  checkCollections(
    limited.map(({ table, probe, item, sizeBytes }) => planWrite(findEntry(table, probe), item, sizeBytes)),
  );
}

function readyWrite(tableName: string, table: SimulatedTable, request: WriteRequest): ReadyWrite {
  const { PutRequest, DeleteRequest } = request;
  if ((PutRequest === undefined) === (DeleteRequest === undefined))
    throw validationError('Supplied WriteRequest must contain exactly one of PutRequest and DeleteRequest');
  const { keys } = table.spec;
  if (PutRequest !== undefined) {
    const item = checkedItem(PutRequest.Item);
    checkPutKey(item, keys);
    const sizeBytes = checkPut(table, item);
    return { tableName, table, probe: probeOf(item, keys), item, sizeBytes, request };
  }
  const key = checkedItem(DeleteRequest?.Key ?? {});
  checkKey(key, keys);
  return { tableName, table, probe: probeOf(key, keys), item: undefined, sizeBytes: 0, request };
}
