// From the description of any operation to what makes its requests.
import type { Context } from '../../workload/item.ts';
import { runFlowCode } from '../run-flow.ts';
import type { PlannedOperation } from '../run-plan.ts';
import type { WorkloadDefinition } from '../workload.ts';
import { compileBatchGet } from './batch-get.ts';
import { compileBatchWrite } from './batch-write.ts';
import { compileGet } from './get.ts';
import { compilePartiql, compilePartiqlBatch, compilePartiqlTransaction } from './partiql.ts';
import { compilePut } from './put.ts';
import { compileQuery } from './query.ts';
import { compileQueryShards } from './query-shards.ts';
import { compileRemove } from './remove.ts';
import { compileScan } from './scan.ts';
import type { Tables } from './table-of.ts';
import { compileTransactGet } from './transact-get.ts';
import { compileTransactWrite } from './transact-write.ts';
import { compileUpdate } from './update.ts';

/** Makes the operation of a context. */
export type MakeOperation = (context: Context) => PlannedOperation;

/** Makes the operations of a workload; those of `custom` are made by custom-generator.ts. */
export function compileOperation(
  workload: Exclude<WorkloadDefinition, { kind: 'custom' }>,
  tables: Tables,
): MakeOperation {
  switch (workload.kind) {
    case 'put':
      return compilePut(workload.spec, tables);
    case 'get':
      return compileGet(workload.spec, tables);
    case 'update':
      return compileUpdate(workload.spec, tables);
    case 'remove':
      return compileRemove(workload.spec, tables);
    case 'query':
      return compileQuery(workload.spec, tables);
    case 'queryShards':
      return compileQueryShards(workload.spec, tables);
    case 'scan':
      return compileScan(workload.spec, tables);
    case 'batchGet':
      return compileBatchGet(workload.spec, tables);
    case 'batchWrite':
      return compileBatchWrite(workload.spec, tables);
    case 'transactGet':
      return compileTransactGet(workload.spec, tables);
    case 'transactWrite':
      return compileTransactWrite(workload.spec, tables);
    case 'partiql':
      return compilePartiql(workload.spec, tables);
    case 'partiqlBatch':
      return compilePartiqlBatch(workload.spec, tables);
    case 'partiqlTransaction':
      return compilePartiqlTransaction(workload.spec, tables);
    case 'flow': {
      const { spec } = workload;
      return (context) => ({
        kind: 'flow',
        run: (port) => runFlowCode(spec, { port, tables, context }),
      });
    }
  }
}
