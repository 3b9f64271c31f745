// UpdateItem.
import type { AttributeMap } from '../../dynamodb/attribute-value.ts';
import { marshalItem } from '../../dynamodb/marshal.ts';
import type { ExpressionNames } from '../../dynamodb/operation.ts';
import type { Context, Item } from '../../workload/item.ts';
import type { Load, Policy } from '../load.ts';
import type { RequestOperation } from '../run-plan.ts';
import { defineWorkload, type Workload } from '../workload.ts';
import {
  compileExpression,
  type Expression,
  mergeNames,
  mergeValues,
  placeholders,
  type WireExpression,
  wireExpression,
} from './expression.ts';
import { compileOf, type Of, valueOf } from './of.ts';
import { type On, type Tables, tableOf } from './table-of.ts';
import { updateExpression } from './update-expression.ts';

/**
 * Changes attributes of one item, which need not exist yet: by `set`, `add` and `removeAttributes`, or by an
 * update expression of your own.
 */
export interface UpdateSpec extends On {
  readonly key: Of<Item>;
  readonly set?: Of<Item>;
  /** Numbers to add to counters, members to add to sets. */
  readonly add?: Of<Item>;
  readonly removeAttributes?: readonly string[];
  readonly update?: Of<Expression>;
  readonly condition?: Of<Expression>;
}

/** A workload of UpdateItem. */
export function update(spec: UpdateSpec & Load & Policy): Workload {
  return defineWorkload('update', spec);
}

/** An update on the wire, in a request of its own or in a transaction. */
export interface WireUpdate {
  readonly TableName: string;
  readonly Key: AttributeMap;
  readonly UpdateExpression: string;
  readonly ConditionExpression?: string;
  readonly ExpressionAttributeNames?: ExpressionNames;
  readonly ExpressionAttributeValues?: AttributeMap;
}

/** Makes the operations of an update. */
export function compileUpdate(spec: UpdateSpec, tables: Tables): (context: Context) => RequestOperation {
  const wireUpdate = compileWireUpdate(spec, tables);
  return (context) => ({
    kind: 'request',
    request: { api: 'UpdateItem', input: { ...wireUpdate(context) } },
  });
}

/** Makes updates in wire form. */
export function compileWireUpdate(spec: UpdateSpec, tables: Tables): (context: Context) => WireUpdate {
  const TableName = tableOf(tables, spec).tableName;
  const key = compileOf(spec.key, marshalItem);
  const changes = compileChanges(spec);
  const conditionOf = compileExpression(spec.condition);
  return (context) => {
    const Key = key(context);
    const change = changes(context);
    const condition = conditionOf?.(context);
    return {
      TableName,
      Key,
      UpdateExpression: change.text,
      ...(condition && { ConditionExpression: condition.text }),
      ...placeholders(
        mergeNames(change.names, condition?.names),
        mergeValues(change.values, condition?.values),
      ),
    };
  };
}

function compileChanges(spec: UpdateSpec): (context: Context) => WireExpression {
  if (spec.update !== undefined) return compileOf(spec.update, wireExpression);
  const { set, add, removeAttributes } = spec;
  return (context) =>
    updateExpression({
      set: set && valueOf(set, context),
      add: add && valueOf(add, context),
      removeAttributes,
    });
}
