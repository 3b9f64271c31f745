// BatchGetItem.
import type { AttributeMap } from '../../dynamodb/attribute-value.ts';
import { marshalItem } from '../../dynamodb/marshal.ts';
import type { KeysAndAttributes } from '../../dynamodb/operation.ts';
import type { Context, Item } from '../../workload/item.ts';
import type { Load, Policy } from '../load.ts';
import type { RequestOperation } from '../run-plan.ts';
import { defineWorkload, type Workload } from '../workload.ts';
import { type Projecting, placeholders, wireProjection } from './expression.ts';
import { listOf, type Of } from './of.ts';
import { type On, type Tables, tableOf } from './table-of.ts';

/** One item to read. */
export interface Read extends On {
  readonly key: Item;
}

/** Reads up to 100 items by their keys, from one table or several. */
export interface BatchGetSpec {
  readonly reads: Of<readonly Read[]>;
  readonly consistent?: boolean;
  readonly project?: Projecting;
}

/** A workload of BatchGetItem. */
export function batchGet(spec: BatchGetSpec & Load & Policy): Workload {
  return defineWorkload('batchGet', spec);
}

/** Makes the operations of a batch of reads. */
export function compileBatchGet(spec: BatchGetSpec, tables: Tables): (context: Context) => RequestOperation {
  const projection = wireProjection(spec.project);
  const perTable = {
    ...(spec.consistent && { ConsistentRead: true }),
    ...(projection && {
      ProjectionExpression: projection.text,
      ...placeholders(projection.names, undefined),
    }),
  };
  return (context) => {
    const byTable = new Map<string, AttributeMap[]>();
    for (const read of listOf(spec.reads, context, 'reads')) {
      const { tableName } = tableOf(tables, read);
      const keys = byTable.get(tableName);
      if (keys) keys.push(marshalItem(read.key));
      else byTable.set(tableName, [marshalItem(read.key)]);
    }
    const RequestItems: { [tableName: string]: KeysAndAttributes } = {};
    for (const [tableName, Keys] of byTable) RequestItems[tableName] = { ...perTable, Keys };
    const input = { RequestItems };
    return { kind: 'request', request: { api: 'BatchGetItem', input } };
  };
}
