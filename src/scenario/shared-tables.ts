// Whether the variants of a run may all read the same tables, made and filled once. A rule over their plans; who
// makes the tables, and what was carried over in them, is for the target.
import type { PlannedPreload, RunPlan } from './run-plan.ts';

type SharingFacts = Pick<RunPlan, 'tables' | 'preloads' | 'onlyReads'>;

interface SharingRequest {
  /** The table was there before: its keys, billing and start are what they are, whatever variants say. */
  readonly isTableExisting: boolean;
  /** Comes back after the event loop had its turn: to compare millions of items takes seconds. */
  turn(compared: ComparedItems): Promise<void>;
}

/** How many items of a preload were found equal in all variants. */
export interface ComparedItems {
  readonly preload: string;
  readonly done: number;
  readonly of: number;
}

const ITEMS_PER_TURN = 10_000;

/**
 * Whether no variant would notice that others read its tables too: none writes, no item expires, and tables and items
 * are equal by value. All items are compared, one by one: one that depends on a parameter may be any of them, and
 * whatever this takes is less than what each preload spared takes.
 *
 * @throws DynoLoadError what making an item throws
 */
export async function canShareTables(
  plans: readonly SharingFacts[],
  { isTableExisting, turn }: SharingRequest,
): Promise<boolean> {
  const [first, ...others] = plans;
  if (first === undefined || !plans.every(({ onlyReads }) => onlyReads)) return false;
  if (!isTableExisting) {
    if (plans.some(({ tables }) => tables.some(({ timeToLive }) => timeToLive !== undefined))) return false;
    if (!others.every(({ tables }) => isSame(unnamed(tables), unnamed(first.tables)))) return false;
  }
  return haveEqualItems(first, others, turn);
}

/** Tables without the names that they get on the target. */
function unnamed(tables: RunPlan['tables']): unknown {
  return tables.map((table) => ({ ...table, tableName: '' }));
}

async function haveEqualItems(
  first: SharingFacts,
  others: readonly SharingFacts[],
  turn: SharingRequest['turn'],
): Promise<boolean> {
  const headsOf = (facts: SharingFacts) => facts.preloads.map((preload) => headOf(preload, facts));
  if (!others.every((other) => isSame(headsOf(other), headsOf(first)))) return false;
  for (const [place, preload] of first.preloads.entries()) {
    const further = others.flatMap(({ preloads }) => preloads[place] ?? []);
    if (further.length > 0 && !(await areEqual(preload, further, turn))) return false;
  }
  return true;
}

/** What a preload is besides its items. Several are put in place in their order, so that order counts. */
function headOf({ name, count, tableName }: PlannedPreload, { tables }: SharingFacts): unknown {
  return { name, count, table: tables.find((table) => table.tableName === tableName)?.logicalName };
}

async function areEqual(
  first: PlannedPreload,
  others: readonly PlannedPreload[],
  turn: SharingRequest['turn'],
): Promise<boolean> {
  const { name, count } = first;
  for (let index = 0; index < count; index++) {
    if (index % ITEMS_PER_TURN === ITEMS_PER_TURN - 1) await turn({ preload: name, done: index, of: count });
    const item = first.itemAt(index);
    for (const other of others) if (!isSame(other.itemAt(index), item)) return false;
  }
  return true;
}

/** Equality of plain data: texts, numbers, truth values, lists and objects of these. */
function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    // Own members only, which may have any name.
    names.every((name) => Object.hasOwn(other, name) && isSame(one[name], other[name]))
  );
}

function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null;
}
