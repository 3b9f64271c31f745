// Fills a global index that is made while its table already holds items. Takes no units: DynamoDB pays for a
// backfill out of its own capacity.
// @see "Managing Global Secondary Indexes in DynamoDB",
//   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.OnlineOps.html, read 2026-11-30
import { ApiError } from '../dynamodb/api-error.ts';
import type { AttributeMap } from '../dynamodb/attribute-value.ts';
import { checkIndexKeys, indexChange } from './index-entries.ts';
import { StoredEntry } from './stored-entry.ts';
import type { SimulatedTable, TableIndex } from './simulated-table.ts';

/** Index entries hold no item of their own. */
const noItem: AttributeMap = {};

/**
 * Adds the entries of all items that the table holds. Items whose index key has the wrong type or size stay
 * out, as they do in DynamoDB.
 */
export function backfill(table: SimulatedTable, index: TableIndex): void {
  table.store.visit((entry) => {
    if (!fits(index, entry.item)) return;
    const sizes = { beforeBytes: 0, afterBytes: entry.sizeBytes };
    const place = indexChange(index, undefined, entry.item, sizes)?.after;
    if (place === undefined) return;
    const { partition, sort, sizeBytes } = place;
    const added = new StoredEntry(partition, sort, noItem, sizeBytes, entry);
    index.store.add(added, index.store.collection(partition));
  });
}

function fits(index: TableIndex, item: AttributeMap): boolean {
  try {
    checkIndexKeys(index, item);
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}
