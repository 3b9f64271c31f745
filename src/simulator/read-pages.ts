// The reading of one page, whatever API asked for it: which entries are evaluated, where the page ends, what
// it costs and to whom. Query and Scan find the entries; filters and projections are worked by the expression
// folder.
// @see "DynamoDB read and write operations",
//   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html, read
//   2026-11-30
import type { ApiOutput } from '../dynamodb/api-output.ts';
import type { AttributeMap, AttributeValue } from '../dynamodb/attribute-value.ts';
import {
  type ConsumedCapacity,
  noUnits,
  type ReadConsistency,
  readUnits,
  type Units,
} from '../dynamodb/consumed-capacity.ts';
import { MAX_PAGE_BYTES } from '../dynamodb/limits.ts';
import { evaluateCondition } from './expression/condition-evaluator.ts';
import { project } from './expression/projection.ts';
import type { Bindings, ConditionNode, ProjectionNode } from './expression/syntax-tree.ts';
import { heldItem } from './index-entries.ts';
import type { StoredEntry } from './stored-entry.ts';
import type { EntrySource, SimulatedTable, TableIndex } from './simulated-table.ts';
import { keyOf } from './table-key.ts';

/** What a page is read from and how. */
export interface PageView {
  readonly table: SimulatedTable;
  readonly index: TableIndex | undefined;
  readonly consistency: ReadConsistency;
  readonly limit: number | undefined;
  /** Whether attributes that a local index does not hold are fetched from the table, item by item. */
  readonly isFetching: boolean;
  readonly isCountOnly: boolean;
  readonly filter: ConditionNode | undefined;
  readonly projection: ProjectionNode | undefined;
  readonly bindings: Bindings;
}

/** The store and the throughput that a view reads from. */
export function sourceOf({ table, index }: PageView): EntrySource {
  return index ?? table;
}

/** One page while it is read: offer entries until it is full. */
export class Page {
  readonly #view: PageView;
  readonly #keepsItems: boolean;
  readonly #items: AttributeMap[] = [];
  #count = 0;
  #scannedCount = 0;
  #sizeBytes = 0;
  #fetchedUnits = 0;
  #last: StoredEntry | undefined = undefined;

  /** @param keepsItems  false where nobody will look at them: they are counted all the same */
  constructor(view: PageView, keepsItems: boolean) {
    this.#view = view;
    this.#keepsItems = keepsItems && !view.isCountOnly;
  }

  /** Bytes of all entries evaluated so far. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /**
   * Whether the page takes no more: by `Limit`, or by 1 MB. The size is tested before an entry is added, so
   * that the entry that crosses the line is the last of its page.
   */
  get isFull(): boolean {
    const { limit } = this.#view;
    return (limit !== undefined && this.#scannedCount >= limit) || this.#sizeBytes >= MAX_PAGE_BYTES;
  }

  /** Evaluates one entry. */
  add(entry: StoredEntry): void {
    const { index, isFetching, filter, projection, bindings, consistency } = this.#view;
    this.#scannedCount++;
    this.#sizeBytes += entry.sizeBytes;
    this.#last = entry;
    if (isFetching) this.#fetchedUnits += readUnits(entry.base.sizeBytes, consistency);
    if (filter === undefined && !this.#keepsItems) {
      this.#count++;
      return;
    }
    const { item } = entry.base;
    const seen = index === undefined || isFetching ? item : heldItem(index, item);
    if (filter !== undefined && !evaluateCondition(filter, seen, bindings)) return;
    this.#count++;
    if (this.#keepsItems)
      this.#items.push(projection === undefined ? seen : project(projection, seen, bindings));
  }

  /**
   * Read units of the entries: their bytes are summed and rounded once; a page without any costs the minimum.
   */
  get entryUnits(): number {
    return readUnits(this.#sizeBytes, this.#view.consistency);
  }

  /** Read units of items fetched from the table for a local index: each rounded on its own. */
  get fetchedUnits(): number {
    return this.#fetchedUnits;
  }

  get consumed(): readonly ConsumedCapacity[] {
    const { table, index } = this.#view;
    const { tableName } = table.spec;
    const entries: Units = { readUnits: this.entryUnits, writeUnits: 0 };
    if (index === undefined) return [{ tableName, table: entries }];
    const arm = { [index.name]: entries };
    if (index.isGlobal) return [{ tableName, table: noUnits, globalIndexes: arm }];
    return [{ tableName, table: { readUnits: this.#fetchedUnits, writeUnits: 0 }, localIndexes: arm }];
  }

  get output(): ApiOutput {
    const counts = { Count: this.#count, ScannedCount: this.#scannedCount };
    const next = this.isFull ? { ...counts, LastEvaluatedKey: this.#lastKey() } : counts;
    return this.#keepsItems ? { Items: this.#items, ...next } : next;
  }

  #lastKey(): AttributeMap {
    const { table, index } = this.#view;
    const item = this.#last?.base.item ?? {};
    const key: { [name: string]: AttributeValue } = keyOf(item, table.spec.keys);
    return index === undefined ? key : { ...keyOf(item, index.keys), ...key };
  }
}
