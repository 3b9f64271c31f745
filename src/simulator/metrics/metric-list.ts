// The CloudWatch metrics of a simulated table: name, unit, dimensions. How each is counted is in
// count-request.ts (requests), service-metrics.ts (throttle events) and settings-metrics.ts (what was set).
// @see "DynamoDB metrics and dimensions",
//   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html, read 2026-11-30
import type { ThrottledOperation } from '../../capacity/throttling.ts';
import type { ThrottlingLimit } from '../../dynamodb/throttling-reason.ts';

/**
 * Which dimensions a metric has: `resource` is TableName, and GlobalSecondaryIndexName for an index (a
 * table's series leave its global indexes out); `operation` is TableName and Operation; `account` has none.
 */
type MetricScope = 'resource' | 'table' | 'operation' | 'account';

interface MetricFacts {
  readonly scope: MetricScope;
  readonly unit: 'Count' | 'Milliseconds';
}

/** Metrics kept per table and per global index, in one-minute periods. */
export const resourceMetrics = [
  'ConsumedReadCapacityUnits',
  'ConsumedWriteCapacityUnits',
  'ReadThrottleEvents',
  'WriteThrottleEvents',
  'ReadKeyRangeThroughputThrottleEvents',
  'WriteKeyRangeThroughputThrottleEvents',
  'ReadProvisionedThroughputThrottleEvents',
  'WriteProvisionedThroughputThrottleEvents',
  'ReadMaxOnDemandThroughputThrottleEvents',
  'WriteMaxOnDemandThroughputThrottleEvents',
  'ReadAccountLimitThrottleEvents',
  'WriteAccountLimitThrottleEvents',
] as const;

/** What is set for a table or global index, told every five minutes. */
export const settingsMetrics = [
  'ProvisionedReadCapacityUnits',
  'ProvisionedWriteCapacityUnits',
  'OnDemandMaxReadRequestUnits',
  'OnDemandMaxWriteRequestUnits',
] as const;

/** Metrics of the table alone. */
export const tableMetrics = ['ConditionalCheckFailedRequests', 'TransactionConflict'] as const;

/** Metrics of one operation on a table. */
export const operationMetrics = [
  'ThrottledRequests',
  'SuccessfulRequestLatency',
  'SystemErrors',
  'ReturnedItemCount',
] as const;

/** The metric of the whole account and Region. */
export const USER_ERRORS = 'UserErrors';

export type ResourceMetric = (typeof resourceMetrics)[number];
export type SettingsMetric = (typeof settingsMetrics)[number];
export type TableMetric = (typeof tableMetrics)[number];
export type OperationMetric = (typeof operationMetrics)[number];
export type MetricName = ResourceMetric | SettingsMetric | TableMetric | OperationMetric | typeof USER_ERRORS;

function factsOf(
  names: readonly MetricName[],
  scope: MetricScope,
): readonly (readonly [string, MetricFacts])[] {
  return names.map((name) => [
    name,
    { scope, unit: name === 'SuccessfulRequestLatency' ? 'Milliseconds' : 'Count' },
  ]);
}

const factsByName: ReadonlyMap<string, MetricFacts> = new Map([
  ...factsOf(resourceMetrics, 'resource'),
  ...factsOf(settingsMetrics, 'resource'),
  ...factsOf(tableMetrics, 'table'),
  ...factsOf(operationMetrics, 'operation'),
  ...factsOf([USER_ERRORS], 'account'),
]);

/** Scope and unit of a metric; undefined for a name that is none of ours. */
export function metricFacts(name: string): MetricFacts | undefined {
  return factsByName.get(name);
}

/** Whether a metric belongs to a list; narrows its name. */
export function isOneOf<N extends string>(names: readonly N[], name: string): name is N {
  return (names as readonly string[]).includes(name); // A wider list only for the question.
}

const eventNames: Readonly<Record<ThrottlingLimit, string>> = {
  KeyRange: 'KeyRangeThroughput',
  Provisioned: 'ProvisionedThroughput',
  MaxOnDemand: 'MaxOnDemandThroughput',
  Account: 'AccountLimit',
};

/**
 * The metric that counts throttle events of one cause, for example `WriteKeyRangeThroughputThrottleEvents`.
 * Indexes have no names of their own: they have their own dimensions.
 */
export function throttleMetric(operation: ThrottledOperation, limit: ThrottlingLimit): ResourceMetric {
  return `${operation}${eventNames[limit]}ThrottleEvents` as ResourceMetric; // All eight combinations are listed above.
}
