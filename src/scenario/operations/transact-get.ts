// TransactGetItems.
import { marshalItem } from '../../dynamodb/marshal.ts';
import type { Context } from '../../workload/item.ts';
import type { Load, Policy } from '../load.ts';
import type { RequestOperation } from '../run-plan.ts';
import { defineWorkload, type Workload } from '../workload.ts';
import type { Read } from './batch-get.ts';
import { type Projecting, placeholders, wireProjection } from './expression.ts';
import { listOf, type Of } from './of.ts';
import { type Tables, tableOf } from './table-of.ts';

/** Reads up to 100 items as they stand at one moment; each costs twice what a consistent read costs. */
export interface TransactGetSpec {
  readonly reads: Of<readonly (Read & { readonly project?: Projecting })[]>;
}

/** A workload of TransactGetItems. */
export function transactGet(spec: TransactGetSpec & Load & Policy): Workload {
  return defineWorkload('transactGet', spec);
}

/** Makes the operations of a transaction of reads. */
export function compileTransactGet(
  spec: TransactGetSpec,
  tables: Tables,
): (context: Context) => RequestOperation {
  return (context) => {
    const TransactItems = listOf(spec.reads, context, 'reads').map((read) => {
      const projection = wireProjection(read.project);
      return {
        Get: {
          TableName: tableOf(tables, read).tableName,
          Key: marshalItem(read.key),
          ...(projection && {
            ProjectionExpression: projection.text,
            ...placeholders(projection.names, undefined),
          }),
        },
      };
    });
    const input = { TransactItems };
    return { kind: 'request', request: { api: 'TransactGetItems', input } };
  };
}
