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
  readonly unit: 'Count' | 'Milliseconds' | 'Percent';
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
export const tableMetrics = [
  'ConditionalCheckFailedRequests',
  'TransactionConflict',
  'TimeToLiveDeletedItemCount',
] as const;

/** Metrics of one operation on a table. */
export const operationMetrics = [
  'ThrottledRequests',
  'SuccessfulRequestLatency',
  'SystemErrors',
  'ReturnedItemCount',
] as const;

/** The metric of the whole account and Region that counts requests. */
export const USER_ERRORS = 'UserErrors';

/** Quotas of the account and Region, and the share of them that is provisioned, told every five minutes. */
export const accountMetrics = [
  'AccountMaxReads',
  'AccountMaxWrites',
  'AccountMaxTableLevelReads',
  'AccountMaxTableLevelWrites',
  'AccountProvisionedReadCapacityUtilization',
  'AccountProvisionedWriteCapacityUtilization',
  'MaxProvisionedTableReadCapacityUtilization',
  'MaxProvisionedTableWriteCapacityUtilization',
] as const;

/**
 * Of a global index that is being made on a table with items, told every five minutes. The service says that
 * the last two stay 0: a backfill takes no capacity of the user's.
 */
export const onlineIndexMetrics = [
  'OnlineIndexPercentageProgress',
  'OnlineIndexConsumedWriteCapacity',
  'OnlineIndexThrottleEvents',
] as const;

export type ResourceMetric = (typeof resourceMetrics)[number];
export type SettingsMetric = (typeof settingsMetrics)[number];
export type TableMetric = (typeof tableMetrics)[number];
export type OperationMetric = (typeof operationMetrics)[number];
export type AccountMetric = (typeof accountMetrics)[number];
export type OnlineIndexMetric = (typeof onlineIndexMetrics)[number];
export type MetricName =
  | ResourceMetric
  | SettingsMetric
  | TableMetric
  | OperationMetric
  | AccountMetric
  | OnlineIndexMetric
  | typeof USER_ERRORS;

function factsOf(
  names: readonly MetricName[],
  scope: MetricScope,
): readonly (readonly [string, MetricFacts])[] {
  return names.map((name) => [name, { scope, unit: unitOf(name) }]);
}

function unitOf(name: MetricName): MetricFacts['unit'] {
  if (name === 'SuccessfulRequestLatency') return 'Milliseconds';
  return name.endsWith('Utilization') ? 'Percent' : 'Count';
}

const factsByName: ReadonlyMap<string, MetricFacts> = new Map([
  ...factsOf(resourceMetrics, 'resource'),
  ...factsOf(settingsMetrics, 'resource'),
  ...factsOf(tableMetrics, 'table'),
  ...factsOf(operationMetrics, 'operation'),
  ...factsOf(onlineIndexMetrics, 'resource'),
  ...factsOf([USER_ERRORS, ...accountMetrics], 'account'),
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
