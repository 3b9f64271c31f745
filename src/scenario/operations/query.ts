// Query: one page or several of one partition key.
import { marshalValue } from '../../dynamodb/marshal.ts';
import type { QueryInput, Request } from '../../dynamodb/operation.ts';
import type { AttributeValue } from '../../dynamodb/attribute-value.ts';
import type { KeySchema } from '../../dynamodb/table-spec.ts';
import type { Context, Value } from '../../workload/item.ts';
import type { Load, Policy } from '../load.ts';
import type { PagesOperation, RequestOperation } from '../run-plan.ts';
import { defineWorkload, type Workload } from '../workload.ts';
import { compileOf, type Of } from './of.ts';
import { compileRead, maximumPages, type ReadMany } from './read-many.ts';
import { type SortCondition, type WireSortCondition, wireSortCondition } from './sort-condition.ts';
import { keysOf, type Tables, tableOf } from './table-of.ts';

/** Reads items with one partition key, in the order of the sort key or, `newestFirst`, against it. */
export interface QuerySpec<X> extends ReadMany<X> {
  readonly partition: Of<Value>;
  readonly sort?: Of<SortCondition>;
  readonly newestFirst?: boolean;
}

/** A workload of Query. */
export function query<const X extends string = never>(spec: QuerySpec<X> & Load & Policy): Workload<X> {
  return defineWorkload('query', spec);
}

/** Makes the operations of a query. */
export function compileQuery(
  spec: QuerySpec<string>,
  tables: Tables,
): (context: Context) => RequestOperation | PagesOperation {
  const partition = compileOf(spec.partition, (value) => marshalValue(value, 'partition'));
  const inputOf = compileQueryInput(spec, tables);
  const pages = maximumPages(spec);
  return (context) => {
    const value = partition(context);
    const request: Extract<Request, { api: 'Query' }> = { api: 'Query', input: inputOf(context)(value) };
    return pages === 1 ? { kind: 'request', request } : { kind: 'pages', request, maximumPages: pages };
  };
}

/** A query less its partition key. */
type Unkeyed = Omit<QuerySpec<string>, 'partition'>;

/**
 * Makes, for each operation, the query of any one partition key; the rest is computed once for all keys of
 * the operation.
 */
export function compileQueryInput(
  spec: Unkeyed,
  tables: Tables,
  options: { readonly alsoProject?: string } = {},
): (context: Context) => (partition: AttributeValue) => QueryInput {
  const keys = keysOf(tableOf(tables, spec), spec.index);
  const sortOf = spec.sort === undefined ? undefined : compileOf(spec.sort, wireSortCondition);
  const names = namesOf(keys, sortOf !== undefined);
  const read = compileRead(spec, tables, options);
  const direction = spec.newestFirst ? { ScanIndexForward: false } : {};
  return (context) => {
    const sort = sortOf?.(context);
    const common = read(context, { names, ...(sort && { values: sort.values }) });
    return (partition) => ({
      ...common,
      ...direction,
      KeyConditionExpression: keyConditionText(sort),
      ExpressionAttributeValues: { ':dlPk': partition, ...common.ExpressionAttributeValues },
    });
  };
}

function keyConditionText(sort: WireSortCondition | undefined): string {
  return sort === undefined ? '#dlPk = :dlPk' : `#dlPk = :dlPk AND ${sort.text}`;
}

function namesOf(keys: KeySchema, hasSortCondition: boolean): { readonly [placeholder: string]: string } {
  return {
    '#dlPk': keys.partition.name,
    ...(hasSortCondition && keys.sort && { '#dlSk': keys.sort.name }),
  };
}
