// What the simulated database tells of each item and index entry that it read, wrote or refused: enough for
// metrics and for lists of hot keys. Nobody need listen, and then it costs one test per request.
import type { KeyState } from '../capacity/key-state.ts';
import type { ResourceThroughput } from '../capacity/resource-throughput.ts';
import type { ThrottledOperation } from '../capacity/throttling.ts';
import type { AttributeMap, AttributeValue } from '../dynamodb/attribute-value.ts';
import { tableWriteUnits } from '../dynamodb/consumed-capacity.ts';
import { keyLabelOf } from '../dynamodb/key-text.ts';
import { type KeySchema, sortAttributes } from '../dynamodb/table-spec.ts';
import type { ThrottlingLimit } from '../dynamodb/throttling-reason.ts';
import type { Throttled } from './admission.ts';
import type { EntryPlace } from './index-entries.ts';
import type { PageView } from './read-pages.ts';
import { keyStateOf } from './simulated-table.ts';
import { type Change, type FoundEntry, tableKeyState, type WritePlan } from './write-plan.ts';

/**
 * One access to the table or to one global index; what local indexes do counts as the table's.
 *
 * A write of an item is one access to the table and one to each global index whose entry changes. Where a
 * request is refused, only those that refused it tell of it: the others neither spent nor refused anything.
 */
export interface Access {
  readonly tableName: string;
  /** Undefined for the table. */
  readonly indexName: string | undefined;
  readonly operation: ThrottledOperation;
  /** The partition key's label; undefined for a Scan, which is about no key in particular. */
  readonly partition: string | undefined;
  /** The sort key; undefined where there is none, and for the pages of a Query or Scan. */
  readonly sort: AttributeValue | undefined;
  /** Units taken; 0 where refused. */
  readonly units: number;
  /** The limit that refused, the first in the order of report; undefined: served. */
  readonly refusedBy: ThrottlingLimit | undefined;
  /** Whether this is the second place of an entry that moves: a key of its own, and no event of its own. */
  readonly isSecondPlace: boolean;
  readonly atUs: number;
  /** A statement of PartiQL made it. */
  readonly isPartiql?: true;
}

/** Takes what is told, in the order in which it happens. */
export interface AccessListener {
  onAccess(access: Access): void;
  /** An item has expired and is gone. */
  onExpired?(tableName: string, atUs: number): void;
}

/** Tells of a planned write, of its item and of each entry that changes, before it is carried out. */
export function tellWrite(
  listener: AccessListener,
  plan: WritePlan,
  { isAdmitted, tableFactor, atUs }: { isAdmitted: boolean; tableFactor: 1 | 2; atUs: number },
): void {
  let units = plan.tableUnits * tableFactor;
  for (const { index, units: more } of plan.changes) if (!index.isGlobal) units += more;
  tellItem(listener, plan, { operation: 'Write', units, isAdmitted, atUs });
  for (const change of plan.changes)
    if (change.index.isGlobal) tellChange(listener, plan, change, isAdmitted, atUs);
}

/** Tells of an access to one item that concerns the table alone: a read, a check, a write that failed. */
export function tellItem(
  listener: AccessListener,
  found: FoundEntry,
  access: { operation: ThrottledOperation; units: number; isAdmitted: boolean; atUs: number },
): void {
  const { operation, units, isAdmitted, atUs } = access;
  const { table, probe } = found;
  const refusedBy = isAdmitted
    ? undefined
    : refusingLimit(table.throughput, tableKeyState(found), operation, atUs);
  if (!isAdmitted && refusedBy === undefined) return;
  const { sort } = table.spec.keys;
  listener.onAccess({
    tableName: table.spec.tableName,
    indexName: undefined,
    operation,
    partition: probe.partition,
    sort: sort && probe.item[sort.name],
    units: isAdmitted ? units : 0,
    refusedBy,
    isSecondPlace: false,
    atUs,
  });
}

/** Tells of a page: one access, whatever it read. */
export function tellPage(
  listener: AccessListener,
  { table, index }: PageView,
  page: { partition: string | undefined; units: number; refusal?: Throttled; atUs: number },
): void {
  listener.onAccess({
    tableName: table.spec.tableName,
    indexName: index?.isGlobal === true ? index.name : undefined,
    operation: 'Read',
    partition: page.partition,
    sort: undefined,
    units: page.units,
    refusedBy: page.refusal?.reasons[0]?.limit,
    isSecondPlace: false,
    atUs: page.atUs,
  });
}

/** An entry that moves is told at both of its places, the old one first. */
function tellChange(
  listener: AccessListener,
  plan: WritePlan,
  change: Change,
  isAdmitted: boolean,
  atUs: number,
): void {
  let isSecondPlace = false;
  for (const { place, item, units } of placesOf(plan, change)) {
    const { index } = change;
    const refusedBy = isAdmitted
      ? undefined
      : refusingLimit(index.throughput, keyStateOf(index, place.partition).at(place.sort), 'Write', atUs);
    if (!isAdmitted && refusedBy === undefined) continue;
    listener.onAccess({
      tableName: plan.table.spec.tableName,
      indexName: index.name,
      operation: 'Write',
      partition: place.partition,
      sort: sortValueOf(index.keys, item),
      units: isAdmitted ? units : 0,
      refusedBy,
      isSecondPlace,
      atUs,
    });
    isSecondPlace = true;
  }
}

/** The sort key of an entry; that of several attributes as one text. */
function sortValueOf(keys: KeySchema, item: AttributeMap): AttributeValue | undefined {
  const { sort, furtherSort } = keys;
  if (sort === undefined) return undefined;
  if (furtherSort === undefined) return item[sort.name];
  return { S: keyLabelOf(sortAttributes(keys).map(({ name }) => item[name] as AttributeValue)) };
}

interface ChangedPlace {
  readonly place: EntryPlace;
  /** The item whose entry stands there. */
  readonly item: AttributeMap;
  readonly units: number;
}

function placesOf(plan: WritePlan, { before, after, isSameKey, units }: Change): readonly ChangedPlace[] {
  const itemBefore = plan.before?.item ?? {}; // A place before stands for an item before, and so after.
  const itemAfter = plan.after ?? {};
  if (after === undefined) return before === undefined ? [] : [{ place: before, item: itemBefore, units }];
  if (before === undefined || isSameKey) return [{ place: after, item: itemAfter, units }];
  const beforeUnits = tableWriteUnits(before.sizeBytes, undefined);
  return [
    { place: before, item: itemBefore, units: beforeUnits },
    { place: after, item: itemAfter, units: units - beforeUnits },
  ];
}

function refusingLimit(
  throughput: ResourceThroughput,
  key: KeyState,
  operation: ThrottledOperation,
  atUs: number,
): ThrottlingLimit | undefined {
  const mask = operation === 'Write' ? throughput.failingWrite(key, atUs) : throughput.failingRead(key, atUs);
  return throughput.reasons(mask, operation)[0]?.limit;
}
