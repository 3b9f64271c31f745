// PutItem.
import type { AttributeMap } from '../../dynamodb/attribute-value.ts';
import { marshalItem } from '../../dynamodb/marshal.ts';
import type { PutItemInput } from '../../dynamodb/operation.ts';
import type { Context, Item } from '../../workload/item.ts';
import type { Load, Policy } from '../load.ts';
import type { RequestOperation } from '../run-plan.ts';
import { defineWorkload, type Workload } from '../workload.ts';
import { compileExpression, type Expression, placeholders, type WireExpression } from './expression.ts';
import { compileOf, isComputed, notPromised, type Of } from './of.ts';
import type { Remember } from '../../workload/pool.ts';
import { type On, type Tables, tableOf } from './table-of.ts';

/** Writes a whole item, in place of one with the same key. */
export interface PutSpec<E> extends On {
  readonly item: Of<Item>;
  readonly condition?: Of<Expression>;
  readonly remember?: Remember<E>;
}

/** A workload of PutItem. */
export function put<E = never>(spec: PutSpec<E> & Load & Policy): Workload {
  return defineWorkload('put', spec);
}

/** Makes the operations of a put. On the hot path: marshalling and the three objects of a request. */
export function compilePut<E>(spec: PutSpec<E>, tables: Tables): (context: Context) => RequestOperation {
  const TableName = tableOf(tables, spec).tableName;
  const condition = compileExpression(spec.condition);
  const { item } = spec;
  if (spec.remember) {
    const native = isComputed(item) ? item : () => item;
    return (context) => {
      const remembered = notPromised(native(context));
      const input = putInput(TableName, marshalItem(remembered), condition?.(context));
      return { kind: 'request', request: { api: 'PutItem', input }, remembered };
    };
  }
  const marshalled = compileOf(item, marshalItem);
  return (context) => {
    const input = putInput(TableName, marshalled(context), condition?.(context));
    return { kind: 'request', request: { api: 'PutItem', input } };
  };
}

function putInput(
  TableName: string,
  Item: AttributeMap,
  condition: WireExpression | undefined,
): PutItemInput {
  if (condition === undefined) return { TableName, Item };
  return {
    TableName,
    Item,
    ConditionExpression: condition.text,
    ...placeholders(condition.names, condition.values),
  };
}
