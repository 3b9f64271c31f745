// Units that an operation spends on the table and on each index: the arithmetic, sums, and the form in which
// DynamoDB reports them.
// @see "DynamoDB read and write operations",
//   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html, read
//   2026-11-30
import { READ_UNIT_BYTES, WRITE_UNIT_BYTES } from './limits.ts';
import type { ReturnConsumedCapacity } from './operation.ts';

/** Read and write units; reads come in halves, writes are whole. */
export interface Units {
  readonly readUnits: number;
  readonly writeUnits: number;
}

/**
 * What one request spent on one table: on the table itself, and on each index by name (absent: not charged).
 */
export interface ConsumedCapacity {
  readonly tableName: string;
  readonly table: Units;
  readonly localIndexes?: { readonly [indexName: string]: Units };
  readonly globalIndexes?: { readonly [indexName: string]: Units };
}

/** How a read is paid for: 0.5, 1 or 2 units for each started 4 KB. */
export type ReadConsistency = 'eventual' | 'strong' | 'transactional';

/** Nothing spent; shared, since amounts never change. */
export const noUnits: Units = { readUnits: 0, writeUnits: 0 };

/**
 * Write units of `sizeBytes`, at least one: each started KB. A transactional write costs the table twice as
 * many.
 */
export function writeUnits(sizeBytes: number): number {
  return sizeBytes <= WRITE_UNIT_BYTES ? 1 : Math.ceil(sizeBytes / WRITE_UNIT_BYTES);
}

const readFactors: Readonly<Record<ReadConsistency, number>> = { eventual: 0.5, strong: 1, transactional: 2 };

/**
 * Read units of `sizeBytes`: each started 4 KB, at least one, times 0.5, 1 or 2 by consistency. Absent items
 * cost the minimum.
 */
export function readUnits(sizeBytes: number, consistency: ReadConsistency): number {
  const blocks = sizeBytes <= READ_UNIT_BYTES ? 1 : Math.ceil(sizeBytes / READ_UNIT_BYTES);
  return blocks * readFactors[consistency];
}

/**
 * Write units that a put, update or delete costs the table: by the larger of the item before and after; 1
 * where there is neither.
 */
export function tableWriteUnits(beforeBytes: number | undefined, afterBytes: number | undefined): number {
  return writeUnits(Math.max(beforeBytes ?? 0, afterBytes ?? 0));
}

/**
 * One index entry before and after a write. Sizes are those of the projected entry; undefined where the index
 * holds none.
 */
export interface IndexEntryChange {
  readonly beforeBytes: number | undefined;
  readonly afterBytes: number | undefined;
  /** Whether both entries have the same index key. */
  readonly isSameKey: boolean;
  /** Whether both entries are equal in every attribute (sets without regard to order). */
  readonly isSameEntry: boolean;
}

/**
 * Write units that a change of one index entry costs the index; 0 where the index is not charged (and not
 * reported). A key that moves is a delete and a put, each rounded on its own; transactions pay it once, not
 * twice.
 * @see "Using Global Secondary Indexes in DynamoDB",
 *   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html, read 2026-11-30; an identical
 *   entry is free by a capture of the service in `nubo-db/dynoxide src/actions/index_capacity.rs`
 */
export function indexWriteUnits({
  beforeBytes,
  afterBytes,
  isSameKey,
  isSameEntry,
}: IndexEntryChange): number {
  if (beforeBytes === undefined) return afterBytes === undefined ? 0 : writeUnits(afterBytes);
  if (afterBytes === undefined) return writeUnits(beforeBytes);
  if (!isSameKey) return writeUnits(beforeBytes) + writeUnits(afterBytes);
  return isSameEntry ? 0 : writeUnits(Math.max(beforeBytes, afterBytes));
}

/** The sum of two amounts. */
function addUnits(left: Units, right: Units): Units {
  return { readUnits: left.readUnits + right.readUnits, writeUnits: left.writeUnits + right.writeUnits };
}

/** Everything that was spent, on tables and indexes together. */
export function totalUnits(consumed: readonly ConsumedCapacity[]): Units {
  let reads = 0;
  let writes = 0;
  for (const one of consumed) {
    reads +=
      one.table.readUnits +
      sumOfArm(one.localIndexes, 'readUnits') +
      sumOfArm(one.globalIndexes, 'readUnits');
    writes +=
      one.table.writeUnits +
      sumOfArm(one.localIndexes, 'writeUnits') +
      sumOfArm(one.globalIndexes, 'writeUnits');
  }
  return { readUnits: reads, writeUnits: writes };
}

/** One entry for each table, in the order in which tables first appear, arm by arm summed. */
export function mergeConsumed(consumed: readonly ConsumedCapacity[]): readonly ConsumedCapacity[] {
  if (consumed.length < 2) return consumed;
  const byTable = new Map<string, ConsumedCapacity>();
  for (const one of consumed) {
    const sum = byTable.get(one.tableName);
    byTable.set(one.tableName, sum === undefined ? one : addConsumed(sum, one));
  }
  return [...byTable.values()];
}

/** The sum of what two requests spent on one table. */
function addConsumed(left: ConsumedCapacity, right: ConsumedCapacity): ConsumedCapacity {
  const localIndexes = addArms(left.localIndexes, right.localIndexes);
  const globalIndexes = addArms(left.globalIndexes, right.globalIndexes);
  return {
    tableName: left.tableName,
    table: addUnits(left.table, right.table),
    ...(localIndexes && { localIndexes }),
    ...(globalIndexes && { globalIndexes }),
  };
}

/** Units of one arm in a response. Reads and writes apart appear in transactional responses only. */
export interface WireCapacity {
  readonly CapacityUnits: number;
  readonly ReadCapacityUnits?: number;
  readonly WriteCapacityUnits?: number;
}

/** One entry of `ConsumedCapacity` in a response. */
export interface WireConsumedCapacity extends WireCapacity {
  readonly TableName: string;
  readonly Table?: WireCapacity;
  readonly LocalSecondaryIndexes?: { readonly [indexName: string]: WireCapacity };
  readonly GlobalSecondaryIndexes?: { readonly [indexName: string]: WireCapacity };
}

/**
 * What a response says of one table's units.
 * @param mode  NONE: nothing; TOTAL: one sum, indexes folded in; INDEXES: table and charged indexes apart as
 *   well
 * @param options.isTransactional  adds reads and writes apart, as transactions report them
 * @returns undefined at NONE
 */
export function toWireConsumedCapacity(
  consumed: ConsumedCapacity,
  mode: ReturnConsumedCapacity | undefined,
  { isTransactional }: { readonly isTransactional: boolean },
): WireConsumedCapacity | undefined {
  if (mode === undefined || mode === 'NONE') return undefined;
  const total = toWireCapacity(totalUnits([consumed]), isTransactional);
  if (mode === 'TOTAL') return { TableName: consumed.tableName, ...total };
  return {
    TableName: consumed.tableName,
    ...total,
    Table: toWireCapacity(consumed.table, isTransactional),
    ...(consumed.localIndexes && {
      LocalSecondaryIndexes: toWireArms(consumed.localIndexes, isTransactional),
    }),
    ...(consumed.globalIndexes && {
      GlobalSecondaryIndexes: toWireArms(consumed.globalIndexes, isTransactional),
    }),
  };
}

type Arms = { readonly [indexName: string]: Units };

function sumOfArm(arms: Arms | undefined, member: keyof Units): number {
  if (arms === undefined) return 0;
  let sum = 0;
  for (const name in arms) sum += (arms[name] as Units)[member];
  return sum;
}

function addArms(left: Arms | undefined, right: Arms | undefined): Arms | undefined {
  if (left === undefined) return right;
  if (right === undefined) return left;
  const sum: { [indexName: string]: Units } = { ...left };
  // An index may be named `constructor`, which every object has by inheritance.
  for (const name in right)
    sum[name] = addUnits(Object.hasOwn(left, name) ? (left[name] as Units) : noUnits, right[name] as Units);
  return sum;
}

function toWireCapacity({ readUnits, writeUnits }: Units, isTransactional: boolean): WireCapacity {
  const CapacityUnits = readUnits + writeUnits;
  if (!isTransactional) return { CapacityUnits };
  if (writeUnits === 0) return { CapacityUnits, ReadCapacityUnits: readUnits };
  if (readUnits === 0) return { CapacityUnits, WriteCapacityUnits: writeUnits };
  return { CapacityUnits, ReadCapacityUnits: readUnits, WriteCapacityUnits: writeUnits };
}

function toWireArms(arms: Arms, isTransactional: boolean): { readonly [indexName: string]: WireCapacity } {
  return Object.fromEntries(
    Object.entries(arms).map(([name, units]) => [name, toWireCapacity(units, isTransactional)]),
  );
}
