// TransactWriteItems.
import { marshalItem } from '../../dynamodb/marshal.ts';
import type { TransactWriteItem } from '../../dynamodb/operation.ts';
import { DynoLoadError } from '../../errors.ts';
import type { Context, Item } from '../../workload/item.ts';
import type { Load, Policy } from '../load.ts';
import type { RequestOperation } from '../run-plan.ts';
import { defineWorkload, type Workload } from '../workload.ts';
import { type Expression, placeholders, wireExpression } from './expression.ts';
import { listOf, type Of, valueOf } from './of.ts';
import type { PutSpec } from './put.ts';
import type { Remember } from '../../workload/pool.ts';
import type { RemoveSpec } from './remove.ts';
import { type On, type Tables, tableOf } from './table-of.ts';
import { compileWireUpdate, type UpdateSpec } from './update.ts';

/** One action of a transaction. `check` makes it depend on an item that it does not write. */
export type Write =
  | { readonly put: Omit<PutSpec<never>, 'remember'> }
  | { readonly update: UpdateSpec }
  | { readonly remove: RemoveSpec }
  | { readonly check: On & { readonly key: Item; readonly condition: Expression } };

/**
 * Up to 100 actions, all or none. `token` makes a repetition within ten minutes harmless. `remember` is shown
 * the item of the first put, or else the first key.
 */
export interface TransactWriteSpec<E> {
  readonly writes: Of<readonly Write[]>;
  readonly token?: Of<string>;
  readonly remember?: Remember<E>;
}

/** A workload of TransactWriteItems. */
export function transactWrite<E = never>(spec: TransactWriteSpec<E> & Load & Policy): Workload {
  return defineWorkload('transactWrite', spec);
}

/** Makes the operations of a transaction of writes. */
export function compileTransactWrite<E>(
  spec: TransactWriteSpec<E>,
  tables: Tables,
): (context: Context) => RequestOperation {
  return (context) => {
    const writes = listOf(spec.writes, context, 'writes');
    const token = spec.token === undefined ? undefined : valueOf(spec.token, context);
    const input = {
      TransactItems: writes.map((write) => wireWrite(write, tables, context)),
      ...(token !== undefined && { ClientRequestToken: token }),
    };
    const request = { api: 'TransactWriteItems' as const, input };
    if (spec.remember === undefined) return { kind: 'request', request };
    return { kind: 'request', request, remembered: itemToRemember(writes, context) };
  };
}

function wireWrite(write: Write, tables: Tables, context: Context): TransactWriteItem {
  if ('put' in write) {
    const { item, condition } = write.put;
    const { tableName } = tableOf(tables, write.put);
    return {
      Put: {
        TableName: tableName,
        Item: marshalItem(valueOf(item, context)),
        ...conditionOf(condition, context),
      },
    };
  }
  if ('update' in write) return { Update: compileWireUpdate(write.update, tables)(context) };
  if ('remove' in write) {
    const { key, condition } = write.remove;
    const { tableName } = tableOf(tables, write.remove);
    return {
      Delete: {
        TableName: tableName,
        Key: marshalItem(valueOf(key, context)),
        ...conditionOf(condition, context),
      },
    };
  }
  if ('check' in write) {
    const { expression, key } = { expression: wireExpression(write.check.condition), key: write.check.key };
    return {
      ConditionCheck: {
        TableName: tableOf(tables, write.check).tableName,
        Key: marshalItem(key),
        ConditionExpression: expression.text,
        ...placeholders(expression.names, expression.values),
      },
    };
  }
  throw unknownAction(write);
}

function conditionOf(condition: Of<Expression> | undefined, context: Context) {
  if (condition === undefined) return {};
  const { text, names, values } = wireExpression(valueOf(condition, context));
  return { ConditionExpression: text, ...placeholders(names, values) };
}

/** The item of the first put, else the first key: the one thing of a transaction that `remember` is shown. */
function itemToRemember(writes: readonly Write[], context: Context): Item {
  const put = writes.find((write) => 'put' in write);
  if (put) return valueOf(put.put.item, context);
  const first = writes[0];
  if (first === undefined) return {};
  if ('update' in first) return valueOf(first.update.key, context);
  if ('remove' in first) return valueOf(first.remove.key, context);
  return 'check' in first ? first.check.key : {};
}

function unknownAction(write: never): DynoLoadError {
  return new DynoLoadError('OPERATION_INVALID', {
    what: `an action of the transaction is { ${Object.keys(write).join(', ')} }`,
    why: 'a transaction takes puts, updates, removes and checks',
    fix: 'write { put: … }, { update: … }, { remove: … } or { check: … }',
  });
}
