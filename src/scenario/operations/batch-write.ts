// BatchWriteItem.
import { marshalItem } from '../../dynamodb/marshal.ts';
import type { WriteRequest } from '../../dynamodb/operation.ts';
import type { Context, Item } from '../../workload/item.ts';
import type { Load, Policy } from '../load.ts';
import type { RequestOperation } from '../run-plan.ts';
import { defineWorkload, type Workload } from '../workload.ts';
import { listOf, type Of } from './of.ts';
import { type On, type Tables, tableOf } from './table-of.ts';

/** A put or a delete in a batch; batches know no conditions and no updates. */
export type BatchWrite =
  | { readonly put: On & { readonly item: Item } }
  | { readonly remove: On & { readonly key: Item } };

/** Writes up to 25 items, in one table or several; each may come back unprocessed. */
export interface BatchWriteSpec {
  readonly writes: Of<readonly BatchWrite[]>;
}

/** A workload of BatchWriteItem. */
export function batchWrite(spec: BatchWriteSpec & Load & Policy): Workload {
  return defineWorkload('batchWrite', spec);
}

/** Makes the operations of a batch of writes. */
export function compileBatchWrite(
  spec: BatchWriteSpec,
  tables: Tables,
): (context: Context) => RequestOperation {
  return (context) => {
    const RequestItems: { [tableName: string]: WriteRequest[] } = {};
    for (const write of listOf(spec.writes, context, 'writes')) {
      const { tableName } = tableOf(tables, 'put' in write ? write.put : write.remove);
      const requests = (RequestItems[tableName] ??= []);
      requests.push(
        'put' in write
          ? { PutRequest: { Item: marshalItem(write.put.item) } }
          : { DeleteRequest: { Key: marshalItem(write.remove.key) } },
      );
    }
    const input = { RequestItems };
    return { kind: 'request', request: { api: 'BatchWriteItem', input } };
  };
}
