// Rules of Contributor Insights: DescribeInsightRules lists them, GetInsightRuleReport tells which keys took
// most.
// @see GetInsightRuleReport in the documentation of `@aws-sdk/client-cloudwatch` 3.1164.0, read 2026-11-30;
//   for rules of DynamoDB the limit of 25 contributors and the metrics that have a meaning are from "Getting
//   started with CloudWatch Contributor Insights for DynamoDB",
//   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/contributorinsights_tutorial.html, read
//   2026-11-30
import type { ContributorInsights } from '../../simulator/metrics/contributor-insights.ts';
import type { Contributor, InsightRule, RuleReport } from '../../simulator/metrics/insight-rule.ts';
import { CloudWatchError, type CloudWatchErrorType, invalidValue } from './cloudwatch-error.ts';
import { type Input, readCount, readPeriod, readSpan } from './input.ts';
import { readToken, writeToken } from './next-token.ts';
import { Timestamp, WholeNumber, type WireObject } from './wire-values.ts';

const MAX_CONTRIBUTORS = 25;
const DEFAULT_CONTRIBUTORS = 10;
const MAX_RULES = 500;
const INVALID: CloudWatchErrorType = 'InvalidParameterValueException';

/** Metrics of a report that may be asked for; for rules of DynamoDB only the first two mean anything. */
const ruleMetrics = [
  'MaxContributorValue',
  'Maximum',
  'UniqueContributors',
  'SampleCount',
  'Sum',
  'Minimum',
  'Average',
];

/** What can be seen of the rules at a moment. */
export interface PublishedInsights {
  readonly insights: ContributorInsights;
  readonly nowMs: number;
  /** First minute that is not published. */
  readonly horizonMinute: number;
}

export function getInsightRuleReport(published: PublishedInsights, input: Input): WireObject {
  const name = input.required('RuleName', input.text('RuleName'));
  const { fromMinute, untilMinute } = readSpan(input, INVALID);
  const periodMinutes = readPeriod(input, INVALID);
  const maxContributors = readCount(input, 'MaxContributorCount', {
    fallback: DEFAULT_CONTRIBUTORS,
    min: 1,
    max: MAX_CONTRIBUTORS,
  });
  const metrics = readMetrics(input);
  const orderBy = readOrderBy(input);
  const rule = published.insights.rules(published.nowMs).find(({ settings }) => settings.name === name);
  if (rule === undefined)
    throw new CloudWatchError('ResourceNotFoundException', `Insight rule ${name} does not exist.`);
  const range = { fromMinute, untilMinute: Math.min(untilMinute, published.horizonMinute) };
  const report = rule.report(range, { periodMinutes, maxContributors, orderBy });
  return {
    KeyLabels: keyLabelsOf(rule),
    AggregationStatistic: 'SUM',
    AggregateValue: report.total,
    ApproximateUniqueCount: new WholeNumber(report.distinctKeys),
    Contributors: report.contributors.map(wireContributor),
    MetricDatapoints: metrics.length === 0 ? [] : metricDatapoints(report, metrics),
  };
}

export function describeInsightRules(
  { insights, nowMs, horizonMinute }: PublishedInsights,
  input: Input,
): WireObject {
  const maxResults = readCount(input, 'MaxResults', { fallback: MAX_RULES, min: 1, max: MAX_RULES });
  const { offset } = readToken(input.text('NextToken'), 'DescribeInsightRules', horizonMinute);
  const rules = insights.rules(nowMs);
  const end = offset + maxResults;
  return {
    InsightRules: rules.slice(offset, end).map(wireRule),
    ...(end < rules.length && {
      NextToken: writeToken({ offset: end, horizonMinute }, 'DescribeInsightRules'),
    }),
  };
}

/**
 * AWS does not say how the rules of DynamoDB call their keys; an example of its CLI shows the first of these.
 */
function keyLabelsOf({ isOfPairs }: InsightRule): readonly string[] {
  return isOfPairs ? ['PartitionKey', 'SortKey'] : ['PartitionKey'];
}

/** The definitions of managed rules are not published; this one says what is counted. */
function wireRule(rule: InsightRule): WireObject {
  const { name } = rule.settings;
  return {
    Name: name,
    State: 'ENABLED',
    Schema: '{"Name":"ServiceLogRule","Version":1}',
    Definition: JSON.stringify({
      Schema: { Name: 'ServiceLogRule', Version: 1 },
      AggregateOn: 'Sum',
      Contribution: {
        Keys: keyLabelsOf(rule),
        ValueOf: rule.isOfThrottles ? 'ThrottleCount' : 'ConsumedThroughputUnits',
      },
    }),
    ManagedRule: true,
  };
}

function readMetrics(input: Input): readonly string[] {
  const metrics = input.texts('Metrics');
  const unknown = metrics.find((metric) => !ruleMetrics.includes(metric));
  if (unknown !== undefined)
    throw invalidValue(`The value ${unknown} for parameter Metrics is not one of ${ruleMetrics.join(', ')}.`);
  return metrics;
}

function readOrderBy(input: Input): 'Sum' | 'Maximum' {
  const orderBy = input.text('OrderBy') ?? 'Sum';
  if (orderBy !== 'Sum' && orderBy !== 'Maximum')
    throw invalidValue('The parameter OrderBy must be Sum or Maximum.');
  return orderBy;
}

function wireContributor({ keys, amount, datapoints }: Contributor): WireObject {
  return {
    Keys: keys,
    ApproximateAggregateValue: amount,
    Datapoints: datapoints.map((point) => ({
      Timestamp: Timestamp.ofMinute(point.minute),
      ApproximateValue: point.amount,
    })),
  };
}

/** Metrics that mean nothing for these rules are left out, so that nobody takes them for something. */
function metricDatapoints({ periods }: RuleReport, metrics: readonly string[]): readonly WireObject[] {
  return periods.map(({ minute, largestKeyAmount, largestAccess }) => ({
    Timestamp: Timestamp.ofMinute(minute),
    ...(metrics.includes('MaxContributorValue') && { MaxContributorValue: largestKeyAmount }),
    ...(metrics.includes('Maximum') && { Maximum: largestAccess }),
  }));
}
