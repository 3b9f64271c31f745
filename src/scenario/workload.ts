// What `put`, `query`, `flow` and the others return: a marked value with the kind of operation and the user's
// own description of it.
import type { WorkloadKind } from './run-plan.ts';
import type { BatchGetSpec } from './operations/batch-get.ts';
import type { BatchWriteSpec } from './operations/batch-write.ts';
import type { CustomSpec } from './operations/custom.ts';
import type { FlowSpec } from './operations/flow.ts';
import type { GetSpec } from './operations/get.ts';
import type { PartiqlBatchSpec, PartiqlSpec, PartiqlTransactionSpec } from './operations/partiql.ts';
import type { PutSpec } from './operations/put.ts';
import type { QuerySpec } from './operations/query.ts';
import type { ShardsSpec } from './operations/query-shards.ts';
import type { RemoveSpec } from './operations/remove.ts';
import type { ScanSpec } from './operations/scan.ts';
import type { TransactGetSpec } from './operations/transact-get.ts';
import type { TransactWriteSpec } from './operations/transact-write.ts';
import type { UpdateSpec } from './operations/update.ts';
import type { Load, Policy } from './load.ts';

/**
 * A stream of one kind of operation. `X` names the indexes it reads, so that an index that no table has is an
 * error where the workload stands.
 */
export interface Workload<X extends string = never> {
  readonly kind: WorkloadKind;
  /** For the compiler only. */
  readonly usesIndex?: X | undefined;
}

/**
 * The specification of each kind, as the compiler saw it; scenarios in plain JavaScript may hold anything
 * until they are validated.
 */
export interface SpecOf {
  put: PutSpec<unknown>;
  get: GetSpec;
  update: UpdateSpec;
  remove: RemoveSpec;
  query: QuerySpec<string>;
  queryShards: ShardsSpec<string>;
  scan: ScanSpec<string>;
  batchGet: BatchGetSpec;
  batchWrite: BatchWriteSpec;
  transactGet: TransactGetSpec;
  transactWrite: TransactWriteSpec<unknown>;
  partiql: PartiqlSpec;
  partiqlBatch: PartiqlBatchSpec;
  partiqlTransaction: PartiqlTransactionSpec;
  flow: FlowSpec<string>;
  custom: CustomSpec<unknown>;
}

/**
 * A symbol of the global registry, so that a second copy of this package in one process is understood as
 * well.
 */
const marker = Symbol.for('dyno-load.workload');

/** A workload with all that it holds: the operation, its load and policy. */
export type WorkloadDefinition = {
  readonly [K in WorkloadKind]: {
    readonly [marker]: true;
    readonly kind: K;
    readonly spec: SpecOf[K] & Load & Policy;
  };
}[WorkloadKind];

/** Marks a description as a workload of its kind. */
export function defineWorkload<K extends WorkloadKind>(
  kind: K,
  spec: SpecOf[K] & Load & Policy,
): { readonly kind: K } {
  const definition: { readonly [marker]: true; readonly kind: K; readonly spec: SpecOf[K] & Load & Policy } =
    {
      [marker]: true,
      kind,
      spec,
    };
  return definition;
}

/** Whether a value was made by one of the operations of this package. */
export function isWorkload(value: unknown): value is WorkloadDefinition {
  return typeof value === 'object' && value !== null && marker in value;
}
