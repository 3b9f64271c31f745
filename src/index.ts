// What a scenario file may import from 'dyno-load'.
export {
  defineScenario,
  type Scenario,
  type ScenarioSpec,
  type StageDefinition,
} from './scenario/scenario.ts';
export type { Choices, Chosen } from './scenario/parameters.ts';
export type {
  BillingDefinition,
  IndexDefinition,
  Keys,
  LocalIndexDefinition,
  ProjectionDefinition,
  Starts,
  TableDefinition,
} from './scenario/table-definition.ts';
export {
  type BurstsOptions,
  bursts,
  type Load,
  type Policy,
  type Rate,
  ramp,
  type Retry,
  type Shape,
  type SineOptions,
  sine,
  steps,
  type TraceOptions,
  trace,
} from './scenario/load.ts';
export type { Workload } from './scenario/workload.ts';

export { type BatchGetSpec, batchGet, type Read } from './scenario/operations/batch-get.ts';
export { type BatchWrite, type BatchWriteSpec, batchWrite } from './scenario/operations/batch-write.ts';
export { type CustomSpec, custom, type Sdk } from './scenario/operations/custom.ts';
export { type FlowSpec, flow } from './scenario/operations/flow.ts';
export { type GetSpec, get } from './scenario/operations/get.ts';
export {
  type PartiqlBatchSpec,
  type PartiqlSpec,
  type PartiqlStatement,
  type PartiqlTransactionSpec,
  partiql,
  partiqlBatch,
  partiqlTransaction,
} from './scenario/operations/partiql.ts';
export { type PutSpec, put } from './scenario/operations/put.ts';
export { type QuerySpec, query } from './scenario/operations/query.ts';
export { queryShards, type ShardsSpec } from './scenario/operations/query-shards.ts';
export { type RemoveSpec, remove } from './scenario/operations/remove.ts';
export { type ScanSpec, scan } from './scenario/operations/scan.ts';
export { type TransactGetSpec, transactGet } from './scenario/operations/transact-get.ts';
export { type TransactWriteSpec, transactWrite, type Write } from './scenario/operations/transact-write.ts';
export { type UpdateSpec, update } from './scenario/operations/update.ts';

export type { Expression, Projecting } from './scenario/operations/expression.ts';
export type { Of } from './scenario/operations/of.ts';
export type { SortCondition } from './scenario/operations/sort-condition.ts';
export type { Db, Page, StatementResult } from './scenario/db.ts';
export { FlowStepError } from './scenario/flow-step-error.ts';

export { type FillerSize, filler } from './workload/filler.ts';
export type { Context, Filler, Item, Value } from './workload/item.ts';
export {
  type Distribution,
  exponential,
  gaussian,
  type HotspotOptions,
  hotspot,
  latest,
  observed,
  sequential,
  uniform,
  type WeightedPart,
  weighted,
  zipfian,
} from './workload/distribution.ts';
export { type Pool, pool, type Remember } from './workload/pool.ts';
export { type Preload, type PreloadContext, type PreloadSpec, preload } from './workload/preload.ts';
export { type ShardOptions, type Shards, shards } from './workload/shards.ts';
export type { Random } from './prng.ts';
export type { Duration } from './units.ts';
