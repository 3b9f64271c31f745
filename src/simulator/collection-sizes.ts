// Item collections of tables with local indexes: all items of one partition key with their entries in local
// indexes. They are limited in size, and writes may ask how large one is. Tables without local indexes have
// no such limit and nothing is counted for them.
// @see "Local Secondary Indexes", section "Item collections in Local Secondary Indexes",
//   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LSI.html, read 2026-11-30
import { ApiError } from '../dynamodb/api-error.ts';
import type { ItemCollectionMetrics } from '../dynamodb/api-output.ts';
import type { SimulatedTable } from './simulated-table.ts';
import type { WritePlan } from './write-plan.ts';

/** Bytes of each collection of one table. */
export class CollectionSizes {
  readonly limitBytes: number;
  readonly #sizes = new Map<string, number>();

  constructor(limitBytes: number) {
    this.limitBytes = limitBytes;
  }

  sizeBytes(partition: string): number {
    return this.#sizes.get(partition) ?? 0;
  }

  /** Counts a write that is carried out. */
  count(plan: WritePlan): void {
    const { partition } = plan.probe;
    const sizeBytes = this.sizeBytes(partition) + growthBytes(plan);
    if (sizeBytes > 0) this.#sizes.set(partition, sizeBytes);
    else this.#sizes.delete(partition);
  }
}

/** The exception of a write that would take a collection beyond its limit, and the reason in a transaction. */
export const COLLECTION_TOO_LARGE = {
  code: 'ItemCollectionSizeLimitExceeded',
  message: 'Collection size exceeded.',
} as const;

/**
 * Of writes that are planned together, those that take their collection beyond its limit; what makes a
 * collection no larger is always allowed.
 */
export function tooLarge<P extends WritePlan>(plans: readonly P[]): readonly P[] {
  if (plans.every(({ table }) => table.collectionSizes === undefined)) return none;
  const growths = new Map<SimulatedTable, Map<string, number>>();
  return plans.filter((plan) => {
    const { table, probe } = plan;
    const sizes = table.collectionSizes;
    if (sizes === undefined) return false;
    const ofTable = growths.get(table) ?? new Map<string, number>();
    growths.set(table, ofTable);
    const growth = growthBytes(plan);
    const planned = (ofTable.get(probe.partition) ?? 0) + growth;
    ofTable.set(probe.partition, planned);
    return growth > 0 && sizes.sizeBytes(probe.partition) + planned > sizes.limitBytes;
  });
}

const none: readonly never[] = [];

/** @throws ApiError ItemCollectionSizeLimitExceededException */
export function checkCollections(plans: readonly WritePlan[]): void {
  if (tooLarge(plans).length > 0)
    throw new ApiError('ItemCollectionSizeLimitExceededException', COLLECTION_TOO_LARGE.message);
}

/** Bytes by which a write changes its collection: the item, and its entries in local indexes. */
function growthBytes({ before, after, afterBytes, changes }: WritePlan): number {
  let bytes = (after === undefined ? 0 : afterBytes) - (before?.sizeBytes ?? 0);
  for (const { index, before: from, after: to } of changes)
    if (!index.isGlobal) bytes += (to?.sizeBytes ?? 0) - (from?.sizeBytes ?? 0);
  return bytes;
}

const BYTES_PER_GB = 1_024 ** 3;

/**
 * What is told of the collection that a write has changed: its key, and the whole gigabytes between which its
 * size lies.
 * @returns undefined on tables without local indexes
 */
export function metricsOf({ table, probe }: WritePlan): ItemCollectionMetrics | undefined {
  const sizes = table.collectionSizes;
  const { name } = table.spec.keys.partition;
  const value = probe.item[name];
  if (sizes === undefined || value === undefined) return undefined;
  const gigabytes = Math.floor(sizes.sizeBytes(probe.partition) / BYTES_PER_GB);
  return { ItemCollectionKey: { [name]: value }, SizeEstimateRangeGB: [gigabytes, gigabytes + 1] };
}

/** What is told of all collections that several writes have changed, by table, each collection once. */
export function metricsByTable(
  plans: readonly WritePlan[],
): { readonly [tableName: string]: readonly ItemCollectionMetrics[] } | undefined {
  const byTable = new Map<string, Map<string, ItemCollectionMetrics>>();
  for (const plan of plans) {
    const metrics = metricsOf(plan);
    if (metrics === undefined) continue;
    const { tableName } = plan.table.spec;
    const ofTable = byTable.get(tableName) ?? new Map<string, ItemCollectionMetrics>();
    byTable.set(tableName, ofTable.set(plan.probe.partition, metrics));
  }
  if (byTable.size === 0) return undefined;
  return Object.fromEntries([...byTable].map(([tableName, metrics]) => [tableName, [...metrics.values()]]));
}
