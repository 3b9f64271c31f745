// Queries for metrics as GetMetricData takes them. Which metrics are asked for is decided by the engine.
import type { MetricDataQuery } from '@aws-sdk/client-cloudwatch';
import { MS_PER_MINUTE } from '../units.ts';
import type { MetricQuery } from '../engine/service-counts/metric-queries.ts';

/** The id of a query by its place in the list. Ids begin with a lower-case letter. */
export function queryId(index: number): string {
  return `m${index}`;
}

/** A query as GetMetricData takes it, by the minute. */
export function metricDataQuery(query: MetricQuery, index: number): MetricDataQuery {
  const { tableName, indexName, operation } = query;
  return {
    Id: queryId(index),
    ReturnData: true,
    MetricStat: {
      Period: MS_PER_MINUTE / 1_000,
      Stat: query.statistic,
      Metric: {
        Namespace: 'AWS/DynamoDB',
        MetricName: query.metric,
        Dimensions: [
          { Name: 'TableName', Value: tableName },
          ...(indexName === null ? [] : [{ Name: 'GlobalSecondaryIndexName', Value: indexName }]),
          ...(operation === null ? [] : [{ Name: 'Operation', Value: operation }]),
        ],
      },
    },
  };
}
