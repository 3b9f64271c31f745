// GetItem.
import { marshalItem } from '../../dynamodb/marshal.ts';
import type { Context, Item } from '../../workload/item.ts';
import type { Load, Policy } from '../load.ts';
import type { RequestOperation } from '../run-plan.ts';
import { defineWorkload, type Workload } from '../workload.ts';
import { type Projecting, placeholders, wireProjection } from './expression.ts';
import { compileOf, type Of } from './of.ts';
import { type On, type Tables, tableOf } from './table-of.ts';

/** Reads one item by its key; eventually consistent unless `consistent`. */
export interface GetSpec extends On {
  readonly key: Of<Item>;
  readonly consistent?: boolean;
  readonly project?: Projecting;
}

/** A workload of GetItem. */
export function get(spec: GetSpec & Load & Policy): Workload {
  return defineWorkload('get', spec);
}

/** Makes the operations of a get. */
export function compileGet(spec: GetSpec, tables: Tables): (context: Context) => RequestOperation {
  const projection = wireProjection(spec.project);
  const constant = {
    TableName: tableOf(tables, spec).tableName,
    ...(spec.consistent && { ConsistentRead: true }),
    ...(projection && {
      ProjectionExpression: projection.text,
      ...placeholders(projection.names, undefined),
    }),
  };
  const key = compileOf(spec.key, marshalItem);
  return (context) => ({
    kind: 'request',
    request: { api: 'GetItem', input: { ...constant, Key: key(context) } },
  });
}
