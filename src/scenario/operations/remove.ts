// DeleteItem; called `remove`, since `delete` is no name for a function.
import { marshalItem } from '../../dynamodb/marshal.ts';
import type { Context, Item } from '../../workload/item.ts';
import type { Load, Policy } from '../load.ts';
import type { RequestOperation } from '../run-plan.ts';
import { defineWorkload, type Workload } from '../workload.ts';
import { compileExpression, type Expression, placeholders } from './expression.ts';
import { compileOf, type Of } from './of.ts';
import { type On, type Tables, tableOf } from './table-of.ts';

/** Deletes one item by its key. */
export interface RemoveSpec extends On {
  readonly key: Of<Item>;
  readonly condition?: Of<Expression>;
}

/** A workload of DeleteItem. */
export function remove(spec: RemoveSpec & Load & Policy): Workload {
  return defineWorkload('remove', spec);
}

/** Makes the operations of a remove. */
export function compileRemove(spec: RemoveSpec, tables: Tables): (context: Context) => RequestOperation {
  const TableName = tableOf(tables, spec).tableName;
  const key = compileOf(spec.key, marshalItem);
  const conditionOf = compileExpression(spec.condition);
  return (context) => {
    const Key = key(context);
    const condition = conditionOf?.(context);
    const input = {
      TableName,
      Key,
      ...(condition && {
        ConditionExpression: condition.text,
        ...placeholders(condition.names, condition.values),
      }),
    };
    return { kind: 'request', request: { api: 'DeleteItem', input } };
  };
}
