// What Query and Scan have in common: index, filter, paging, consistency, and what is returned.
import { marshalItem } from '../../dynamodb/marshal.ts';
import type { ReadManyInput } from '../../dynamodb/operation.ts';
import type { Context, Item } from '../../workload/item.ts';
import {
  compileExpression,
  type Expression,
  mergeNames,
  mergeValues,
  type Projecting,
  placeholders,
  type WireExpression,
  wireProjection,
} from './expression.ts';
import { compileOf, type Of } from './of.ts';
import { type On, type Tables, tableOf } from './table-of.ts';

/** Shared by `query`, `queryShards` and `scan`. */
export interface ReadMany<X> extends On {
  readonly index?: X;
  /** Applied after the read: it makes the answer smaller, never the bill. */
  readonly filter?: Of<Expression>;
  /** Items evaluated per page. */
  readonly limit?: number;
  /** Pages to follow; 1 by default. */
  readonly pages?: number | 'all';
  readonly consistent?: boolean;
  readonly select?: 'count';
  readonly project?: Projecting;
  /** Key to go on after, as a page's `next` gives it. */
  readonly startAfter?: Of<Item>;
}

/** Most pages that an operation follows. */
export function maximumPages(spec: { readonly pages?: number | 'all' }): number {
  return spec.pages === 'all' ? Number.POSITIVE_INFINITY : (spec.pages ?? 1);
}

/** What the key condition adds to the placeholders of a read. */
type OwnPlaceholders = Pick<WireExpression, 'names' | 'values'>;

/**
 * Makes the common members of reads.
 * @param options.alsoProject  an attribute that is returned even where `project` leaves it out
 */
export function compileRead(
  spec: ReadMany<string>,
  tables: Tables,
  options: { readonly alsoProject?: string } = {},
): (context: Context, own: OwnPlaceholders) => ReadManyInput {
  const projection = wireProjection(spec.project, options.alsoProject);
  const constant = {
    TableName: tableOf(tables, spec).tableName,
    ...(spec.index !== undefined && { IndexName: spec.index }),
    ...(spec.limit !== undefined && { Limit: spec.limit }),
    ...(spec.consistent && { ConsistentRead: true }),
    ...(spec.select === 'count' && { Select: 'COUNT' as const }),
    ...(projection && { ProjectionExpression: projection.text }),
  };
  const filterOf = compileExpression(spec.filter);
  const startOf = spec.startAfter === undefined ? undefined : compileOf(spec.startAfter, marshalItem);
  return (context, own) => {
    const filter = filterOf?.(context);
    const names = mergeNames(mergeNames(own.names, filter?.names), projection?.names);
    return {
      ...constant,
      ...(filter && { FilterExpression: filter.text }),
      ...(startOf && { ExclusiveStartKey: startOf(context) }),
      ...placeholders(names, mergeValues(own.values, filter?.values)),
    };
  };
}
