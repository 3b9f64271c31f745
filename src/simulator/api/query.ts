// Query: the items of one partition key, in sort-key order, a page at a time.
import { validationError } from '../../dynamodb/api-error.ts';
import { checkFilterNames } from '../../dynamodb/held-names.ts';
import { keyLabelOf } from '../../dynamodb/key-text.ts';
import type { QueryInput } from '../../dynamodb/operation.ts';
import type { Outcome } from '../../dynamodb/outcome.ts';
import type { KeySchema } from '../../dynamodb/table-spec.ts';
import { tellPage } from '../access-listener.ts';
import type { DatabaseState } from '../database-state.ts';
import { resolveName } from '../expression/document-path.ts';
import { bindKeyCondition } from '../expression/key-condition.ts';
import { parseKeyCondition } from '../expression/key-condition-terms.ts';
import { keyNames } from '../index-entries.ts';
import type { SortBounds } from '../item-collection.ts';
import type { StoredEntry } from '../stored-entry.ts';
import { refuseRead } from '../read-admission.ts';
import { Page, type PageView, sourceOf } from '../read-pages.ts';
import { keyStateOf } from '../simulated-table.ts';
import { sortBounds } from '../sort-bounds.ts';
import { pageView, startEntry } from './page-view.ts';

interface QueryOptions {
  /** Whether the filter may name key attributes, as a statement of PartiQL may; default: no. */
  readonly mayFilterKeys?: boolean;
  /** Whether the items are given back, and not only counted; default: yes. */
  readonly keepsItems?: boolean;
}

export function query(
  state: DatabaseState,
  input: QueryInput,
  atUs: number,
  { mayFilterKeys = false, keepsItems = true }: QueryOptions = {},
): Outcome {
  if (input.KeyConditionExpression === undefined)
    throw validationError(
      'Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.',
    );
  const keyCondition = parseKeyCondition(input.KeyConditionExpression);
  const view = pageView(state, input, keyCondition);
  const keys = view.index?.keys ?? view.table.spec.keys;
  if (!mayFilterKeys) checkFilter(view, keys);
  const range = bindKeyCondition(keyCondition, keys, view.bindings);
  const partition = keyLabelOf([range.partition, ...(range.furtherPartition ?? [])]);
  const after = startEntry(view, input.ExclusiveStartKey);
  const bounds = sortBounds(range, keys);
  checkStart(after, partition);

  const source = sourceOf(view);
  const isForward = input.ScanIndexForward !== false;
  const next = source.store.collection(partition)?.read(bounds, isForward, after);
  const first = next?.();
  // A page that goes on into another part of a collection that was cut is charged, and heats, where it begins.
  const whole = keyStateOf(source, partition);
  const keyState =
    first === undefined ? whole.at(pageStart(bounds, isForward, after)) : whole.asked(first.sort);
  const refusal = refuseRead(source, keyState, undefined, atUs);
  const { listener } = state;
  if (refusal !== undefined) {
    if (listener) tellPage(listener, view, { partition, units: 0, refusal, atUs });
    return refusal;
  }
  const page = new Page(view, keepsItems);
  for (let entry = first; entry !== undefined; entry = page.isFull ? undefined : next?.()) page.add(entry);
  const units = page.entryUnits + page.fetchedUnits;
  source.throughput.spendRead(keyState, units, atUs, view.consistency === 'eventual');
  if (listener) tellPage(listener, view, { partition, units, atUs });
  return { kind: 'ok', consumed: page.consumed, output: page.output };
}

/**
 * A query's filter may not name the keys that it reads by: what is asked of them belongs into the key
 * condition. Nor may it name what the index does not hold.
 */
function checkFilter({ filter, index, bindings }: PageView, keys: KeySchema): void {
  if (filter === undefined) return;
  const names = namesIn(filter.root).map((name) => resolveName(name, bindings.names));
  const keyName = keyNames(keys).find((name) => names.includes(name));
  if (keyName !== undefined)
    throw validationError(
      `Filter Expression can only contain non-primary key attributes: Primary key attribute: ${keyName}`,
    );
  if (index !== undefined) checkFilterNames(index.name, index.heldNames, names);
}

/** The first names of all paths in a condition, or in a part of one. */
function namesIn(part: unknown): readonly string[] {
  if (typeof part !== 'object' || part === null) return [];
  if ('kind' in part && part.kind === 'path' && 'parts' in part && Array.isArray(part.parts))
    return [String(part.parts[0])];
  return Object.values(part).flatMap(namesIn);
}

/** Behind every sort text. */
const LAST_SORT = '\uffff';

function pageStart(
  bounds: SortBounds | undefined,
  isForward: boolean,
  after: StoredEntry | undefined,
): string {
  if (after !== undefined) return after.sort;
  return isForward ? (bounds?.low ?? '') : (bounds?.high ?? LAST_SORT);
}

function checkStart(after: StoredEntry | undefined, partition: string): void {
  if (after === undefined || after.partition === partition) return;
  throw validationError('The provided starting key is outside query boundaries based on provided conditions');
}
