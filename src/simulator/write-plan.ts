// The write of one item, whatever API asked for it, in three steps: what would change and cost (plan),
// whether it may (demand), doing it (apply). Nothing is changed before the last step, so that a transaction
// can plan all its writes first.
import type { AttributeMap } from '../dynamodb/attribute-value.ts';
import { type ConsumedCapacity, tableWriteUnits } from '../dynamodb/consumed-capacity.ts';
import type { KeyState } from '../capacity/key-state.ts';
import { assert } from '../errors.ts';
import type { Admission } from './admission.ts';
import { type EntryPlace, type IndexChange, indexChange } from './index-entries.ts';
import type { IndexLag } from './index-lag.ts';
import type { ItemCollection } from './item-collection.ts';
import type { ItemSizes } from './item-sizes.ts';
import { type EntrySource, keyStateOf, type SimulatedTable, type TableIndex } from './simulated-table.ts';
import { StoredEntry } from './stored-entry.ts';

export type Change = IndexChange<TableIndex>;

/** The stored entry that a request's key names. */
export interface FoundEntry {
  readonly table: SimulatedTable;
  /** Names the item; becomes its entry where the item is new. */
  readonly probe: StoredEntry;
  readonly collection: ItemCollection | undefined;
  /** The throughput of its partition key, once it was asked for: a new collection takes it over. */
  keyState?: KeyState | undefined;
  readonly before: StoredEntry | undefined;
}

/** What a write will do to one item, and what it costs. */
export interface WritePlan extends FoundEntry {
  /** Undefined: the item is deleted, or was not there. */
  readonly after: AttributeMap | undefined;
  readonly afterBytes: number;
  /** Write units on the table alone, before any factor of a transaction. */
  readonly tableUnits: number;
  readonly changes: readonly Change[];
}

/** Looks up the item at the probe's key. */
export function findEntry(table: SimulatedTable, probe: StoredEntry): FoundEntry {
  if (table.sizes !== undefined) return findSize(table, table.sizes, probe);
  const collection = table.store.collection(probe.partition);
  return { table, probe, collection, keyState: collection?.keyState, before: collection?.find(probe) };
}

/** As `findEntry`, where only sizes are kept: an entry is made of what is known. */
function findSize(table: SimulatedTable, sizes: ItemSizes, probe: StoredEntry): FoundEntry {
  const { partition, sort } = probe;
  const number = sizes.find(partition, sort);
  const before =
    number < 0 ? undefined : new StoredEntry(partition, sort, noItem, sizes.bytesOf(number), undefined);
  return { table, probe, collection: undefined, before };
}

const noChanges: readonly Change[] = [];

/**
 * Plans a write.
 * @param after  the item as it will be; undefined deletes it
 * @param afterBytes  its size; 0 where there is none
 */
export function planWrite(found: FoundEntry, after: AttributeMap | undefined, afterBytes: number): WritePlan {
  const { table, probe, collection, before } = found;
  return {
    table,
    probe,
    collection,
    keyState: collection?.keyState,
    before,
    after,
    afterBytes,
    tableUnits: tableWriteUnits(before?.sizeBytes, after === undefined ? undefined : afterBytes),
    changes: table.indexes.length === 0 ? noChanges : plannedChanges(found, after, afterBytes),
  };
}

/**
 * Adds what a planned write needs: on the table's partition its own units and those of local indexes, on each
 * global index the units of the entries that go and come.
 * @param tableFactor  2 in a transaction, which index entries pay once all the same
 */
export function demandWrite(admission: Admission, plan: WritePlan, tableFactor: 1 | 2): void {
  const { table, changes } = plan;
  let units = plan.tableUnits * tableFactor;
  for (const change of changes) if (!change.index.isGlobal) units += change.units;
  admission.need(table.throughput, tableKeyState(plan), units);
  for (const change of changes) if (change.index.isGlobal) demandIndexWrite(admission, change);
}

/** The throughput state of the partition key that a request goes to, or of the part that has its sort key. */
export function tableKeyState(found: FoundEntry): KeyState {
  const { table, collection, probe } = found;
  found.keyState ??= table.throughput.keyState(probe.partition);
  if (collection !== undefined) collection.keyState ??= found.keyState;
  return found.keyState.asked(probe.sort);
}

/**
 * Carries out one of several writes that were planned together: an earlier one may have opened or closed the
 * collection that the plan saw.
 */
export function applyPlannedTogether(plan: WritePlan): void {
  applyWrite({ ...plan, collection: plan.table.store.collection(plan.probe.partition) });
}

/** Carries a planned write out. */
export function applyWrite(plan: WritePlan): void {
  const { table, probe, before, after, afterBytes } = plan;
  countBytes(table, plan.keyState, probe.sort, afterBytes - (before?.sizeBytes ?? 0));
  table.collectionSizes?.count(plan);
  if (afterBytes > table.largestItemBytes) table.largestItemBytes = afterBytes;
  const entry = table.sizes === undefined ? storeItem(plan) : noteSize(plan, table.sizes);
  if (entry === undefined) return;
  if (table.indexLag === undefined) for (const change of plan.changes) applyChange(change, entry);
  else applyLate(plan, entry, table.indexLag);
  if (table.expirations !== undefined && after !== undefined) table.expirations.note(table, entry);
}

/** The entry that a write made or changed, or took out; undefined where there was and is none. */
function storeItem(plan: WritePlan): StoredEntry | undefined {
  const { table, before, after, afterBytes } = plan;
  if (before === undefined) return after && addItem(plan, after);
  if (after === undefined) {
    table.store.remove(before);
  } else {
    before.item = after;
    before.sizeBytes = afterBytes;
  }
  return before;
}

/** Of what only sizes are kept there are no indexes and no expiry, and so nobody who asks for an entry. */
function noteSize({ probe, before, after, afterBytes }: WritePlan, sizes: ItemSizes): undefined {
  assert(after, 'items are only put where nobody looks at them');
  const { partition, sort } = probe;
  if (before === undefined) sizes.add(partition, sort, afterBytes);
  else sizes.setBytes(sizes.find(partition, sort), afterBytes);
}

/** What a planned write consumes, arm by arm. */
export function consumedByWrite(plan: WritePlan, tableFactor: 1 | 2): readonly ConsumedCapacity[] {
  const { table, changes } = plan;
  const writeUnits = plan.tableUnits * tableFactor;
  if (changes.length === 0) return table.plainWrite(writeUnits);
  return table.chargedWrites.of(writeUnits, changes);
}

function plannedChanges(found: FoundEntry, after: AttributeMap | undefined, afterBytes: number) {
  const { table, before } = found;
  const sizes = { beforeBytes: before?.sizeBytes ?? 0, afterBytes };
  let changes: Change[] | undefined;
  for (const index of table.indexes) {
    const change = indexChange(index, before?.item, after, sizes);
    if (change === undefined) continue;
    if (changes === undefined) changes = [change];
    else changes.push(change);
  }
  return changes ?? noChanges;
}

function demandIndexWrite(admission: Admission, { index, before, after, isSameKey, units }: Change): void {
  if (before === undefined || after === undefined || isSameKey) {
    const place = (after ?? before) as EntryPlace; // A change has at least one of the two.
    admission.need(index.throughput, keyStateOf(index, place.partition).asked(place.sort), units);
    return;
  }
  const beforeUnits = tableWriteUnits(before.sizeBytes, undefined);
  admission.need(index.throughput, keyStateOf(index, before.partition).asked(before.sort), beforeUnits);
  admission.need(index.throughput, keyStateOf(index, after.partition).asked(after.sort), units - beforeUnits);
}

function addItem(
  { table, probe, collection, keyState, afterBytes }: WritePlan,
  item: AttributeMap,
): StoredEntry {
  probe.item = item;
  probe.sizeBytes = afterBytes;
  const added = table.store.add(probe, collection);
  added.keyState ??= keyState;
  return probe;
}

function applyChange({ index, before, after, isSameKey }: Change, base: StoredEntry): void {
  const { store } = index;
  if (after !== undefined && isSameKey) {
    const collection = store.collection(after.partition);
    countBytes(index, collection?.keyState, after.sort, after.sizeBytes - (before?.sizeBytes ?? 0));
    const entry = collection?.find(indexEntry(after, base));
    if (entry !== undefined) entry.sizeBytes = after.sizeBytes;
    return;
  }
  if (before !== undefined) {
    countBytes(index, store.collection(before.partition)?.keyState, before.sort, -before.sizeBytes);
    store.remove(indexEntry(before, base));
  }
  if (after === undefined) return;
  const collection = store.collection(after.partition);
  const keyState = collection?.keyState ?? index.throughput.namedKey(after.partition);
  countBytes(index, keyState, after.sort, after.sizeBytes);
  store.add(indexEntry(after, base), collection).keyState ??= keyState;
}

/** Local indexes never lag. What readers of a global one find later is the item as it is now. */
function applyLate({ changes, after, afterBytes }: WritePlan, entry: StoredEntry, lag: IndexLag): void {
  const { partition, sort } = entry;
  const seen = after && new StoredEntry(partition, sort, after, afterBytes, undefined);
  for (const change of changes) {
    const apply = () => applyChange({ ...change, isSameKey: false }, seen ?? entry);
    if (change.index.isGlobal) lag.delay(apply);
    else applyChange(change, entry);
  }
}

/** Partitions are split at 10 GB. A key that no request has named yet has no place in the books of partitions. */
function countBytes(
  { throughput }: EntrySource,
  key: KeyState | undefined,
  sort: string,
  bytes: number,
): void {
  if (bytes !== 0) throughput.addBytes(key?.at(sort), bytes);
}

/**
 * Index entries hold no item of their own: readers go to the table's entry, so that an update of it needs no
 * change here.
 */
const noItem: AttributeMap = {};

function indexEntry({ partition, sort, sizeBytes }: EntryPlace, base: StoredEntry): StoredEntry {
  return new StoredEntry(partition, sort, noItem, sizeBytes, base);
}
