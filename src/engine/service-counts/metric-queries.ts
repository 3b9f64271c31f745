// Which metrics of CloudWatch tell of a load: those of the tables and global indexes that were used, and of the
// operations that were sent.
// @see "DynamoDB metrics and dimensions",
//   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html, read 2026-11-30
import type { DataApi } from '../../dynamodb/operation.ts';
import type { TableSpec } from '../../dynamodb/table-spec.ts';

/** One metric of one table, index or operation. */
export interface MetricQuery {
  readonly metric: string;
  readonly statistic: 'Sum' | 'SampleCount' | 'Average' | 'p50' | 'p99';
  readonly tableName: string;
  readonly indexName: string | null;
  readonly operation: DataApi | null;
}

/** An operation that was sent to a table. */
export interface UsedOperation {
  readonly tableName: string;
  readonly operation: DataApi;
}

/** For tables alone (global indexes left out) and for each global index. Each is a sum. */
const resourceMetrics: readonly string[] = ['Read', 'Write'].flatMap((side) => [
  `Consumed${side}CapacityUnits`,
  `${side}ThrottleEvents`,
  `${side}KeyRangeThroughputThrottleEvents`,
  `${side}ProvisionedThroughputThrottleEvents`,
  `${side}MaxOnDemandThroughputThrottleEvents`,
  `${side}AccountLimitThrottleEvents`,
]);

const tableMetrics = ['ConditionalCheckFailedRequests', 'TransactionConflict'] as const;

const operationMetrics = [
  ['ThrottledRequests', 'Sum'],
  // Its sample count is the number of requests that succeeded.
  ['SuccessfulRequestLatency', 'SampleCount'],
  ['SuccessfulRequestLatency', 'Average'],
  ['SuccessfulRequestLatency', 'p50'],
  ['SuccessfulRequestLatency', 'p99'],
  ['SystemErrors', 'Sum'],
] as const;

/** All metrics to ask for. Local indexes have none of their own: their units are in the table's. */
export function metricQueries(
  tables: readonly TableSpec[],
  operations: readonly UsedOperation[],
): readonly MetricQuery[] {
  return [
    ...tables.flatMap(({ tableName, globalIndexes }) =>
      [null, ...globalIndexes.map(({ name }) => name)].flatMap((indexName) =>
        resourceMetrics.map((metric) => sumOf(metric, tableName, indexName)),
      ),
    ),
    ...tables.flatMap(({ tableName }) => tableMetrics.map((metric) => sumOf(metric, tableName, null))),
    ...operations.flatMap(operationQueries),
  ];
}

function sumOf(metric: string, tableName: string, indexName: string | null): MetricQuery {
  return { metric, statistic: 'Sum', tableName, indexName, operation: null };
}

function operationQueries({ tableName, operation }: UsedOperation): MetricQuery[] {
  const queries: MetricQuery[] = operationMetrics.map(([metric, statistic]) => ({
    metric,
    statistic,
    tableName,
    indexName: null,
    operation,
  }));
  if (operation === 'Query' || operation === 'Scan')
    queries.push({ ...sumOf('ReturnedItemCount', tableName, null), operation });
  return queries;
}
