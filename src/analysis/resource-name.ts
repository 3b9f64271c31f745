// Tables and indexes as a reader of the scenario knows them, instead of the generated names they have on the
// target.
import type { VariantResult } from './run-result.ts';

/**
 * The reader's name of a resource: `table` and `GSI1` where the variant has one table, `orders` and
 * `orders/GSI1` where it has several.
 * @param resource  `tableName` or `tableName/indexName`; empty where the server named none
 */
export function readableResource(resource: string, tables: VariantResult['tables']): string {
  if (resource === '') return 'not named by the server';
  const [tableName = '', indexName] = resource.split('/');
  if (tables.length <= 1) return indexName ?? 'table';
  const logicalName = tables.find((table) => table.tableName === tableName)?.logicalName ?? tableName;
  return indexName === undefined ? logicalName : `${logicalName}/${indexName}`;
}

/** The same with its noun, for sentences: `the table`, `table orders`, `index GSI1`. */
export function resourceInWords(resource: string, tables: VariantResult['tables']): string {
  const name = readableResource(resource, tables);
  if (resource.includes('/')) return `index ${name}`;
  return name === 'table' ? 'the table' : `table ${name}`;
}
