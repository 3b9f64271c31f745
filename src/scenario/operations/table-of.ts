// Which table, and which of its indexes, an operation means.
import type { KeySchema, TableSpec } from '../../dynamodb/table-spec.ts';
import { DynoLoadError } from '../../errors.ts';
import { listNames, suggestion } from '../nearest-name.ts';

/** The table an operation goes to, by its name in the scenario; may be left out where there is only one. */
export interface On {
  readonly table?: string;
}

/** The tables of a scenario. */
export type Tables = readonly TableSpec[];

/**
 * The table of that name in the scenario.
 * @throws DynoLoadError OPERATION_INVALID
 */
export function tableOf(tables: Tables, on: On): TableSpec {
  const only = tables.length === 1 ? tables[0] : undefined;
  const found = on.table === undefined ? only : tables.find((table) => table.logicalName === on.table);
  if (found) return found;
  const names = tables.map((table) => table.logicalName);
  throw new DynoLoadError('OPERATION_INVALID', {
    what: on.table === undefined ? 'the operation names no table' : `there is no table "${on.table}"`,
    why: `the scenario has the tables ${listNames(names)}`,
    fix: on.table === undefined ? 'add `table` to the operation' : suggestion(on.table, names),
  });
}

/**
 * The key that a read of a table or of one of its indexes goes by.
 * @throws DynoLoadError OPERATION_INVALID
 */
export function keysOf(table: TableSpec, indexName: string | undefined): KeySchema {
  if (indexName === undefined) return table.keys;
  const indexes = [...table.globalIndexes, ...table.localIndexes];
  const found = indexes.find((index) => index.name === indexName);
  if (found) return found.keys;
  const names = indexes.map((index) => index.name);
  throw new DynoLoadError('OPERATION_INVALID', {
    what: `table "${table.logicalName}" has no index "${indexName}"`,
    why: names.length === 0 ? 'the table has no indexes' : `its indexes are ${listNames(names)}`,
    fix: suggestion(indexName, names),
  });
}
