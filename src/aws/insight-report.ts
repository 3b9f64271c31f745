// Reports of Contributor Insights rules: which rule counts what, and its report as plain values.
// @see "CloudWatch Contributor Insights for DynamoDB: How it works",
//   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/contributorinsights_HowItWorks.html, read 2026-11-30
import {
  GetInsightRuleReportCommand,
  type GetInsightRuleReportCommandOutput,
} from '@aws-sdk/client-cloudwatch';
import type { InsightContributor, InsightRule } from '../analysis/records/contributor-insights.ts';
import type { MinuteSpan } from '../engine/service-counts/cloudwatch-record.ts';
import { MS_PER_MINUTE } from '../units.ts';
import { refused } from './cloudwatch.ts';

/** What reports need of an SDK client; `CloudWatchClient` has it. */
export interface InsightReportPort {
  send(command: GetInsightRuleReportCommand): Promise<GetInsightRuleReportCommandOutput>;
}

/** A rule by its name, and the table or index it watches. */
export interface NamedRule {
  readonly name: string;
  readonly tableName: string;
  readonly indexName: string | null;
}

/** For rules of DynamoDB more is an error, whatever the general limit of the API. */
const MOST_CONTRIBUTORS = 25;

const kinds = {
  PKC: { counts: 'accessed', by: 'partitionKey' },
  SKC: { counts: 'accessed', by: 'partitionAndSortKey' },
  PKT: { counts: 'throttled', by: 'partitionKey' },
  SKT: { counts: 'throttled', by: 'partitionAndSortKey' },
} as const;

/**
 * What a rule counts, by the letters in its name; undefined for a rule that is none of the four. The rest of the
 * name is not to be relied on: names that are too long are cut.
 */
export function ruleKind(name: string): Pick<InsightRule, 'counts' | 'by'> | undefined {
  const letters = /^DynamoDBContributorInsights-(PKC|SKC|PKT|SKT)-/.exec(name)?.[1];
  return letters === undefined ? undefined : kinds[letters as keyof typeof kinds]; // The pattern allows no other.
}

/** Reads the report of one rule; undefined for a rule of unknown kind. @throws DynoLoadError CLOUDWATCH_REFUSED */
export async function readInsightRule(
  port: InsightReportPort,
  rule: NamedRule,
  { fromMs, untilMs }: MinuteSpan,
): Promise<InsightRule | undefined> {
  const kind = ruleKind(rule.name);
  if (kind === undefined) return undefined;
  const command = new GetInsightRuleReportCommand({
    RuleName: rule.name,
    StartTime: new Date(fromMs),
    EndTime: new Date(untilMs),
    Period: MS_PER_MINUTE / 1_000,
    MaxContributorCount: MOST_CONTRIBUTORS,
    // The other metrics have no meaning for rules of DynamoDB.
    Metrics: ['MaxContributorValue'],
    OrderBy: 'Sum',
  });
  const report = await port.send(command).catch((error: unknown) => {
    throw refused('GetInsightRuleReport', error);
  });
  return {
    name: rule.name,
    tableName: rule.tableName,
    indexName: rule.indexName,
    ...kind,
    contributors: contributorsOf(report),
    approximateKeyCount: report.ApproximateUniqueCount ?? 0,
  };
}

function contributorsOf({ Contributors = [] }: GetInsightRuleReportCommandOutput): InsightContributor[] {
  return Contributors.map(({ Keys = [], ApproximateAggregateValue = 0, Datapoints = [] }) => {
    const minutes = Datapoints.map(({ Timestamp, ApproximateValue = 0 }) => ({
      at: (Timestamp ?? new Date(0)).toISOString(),
      value: ApproximateValue,
    })).sort((a, b) => (a.at < b.at ? -1 : 1));
    return {
      keys: [...Keys],
      total: ApproximateAggregateValue,
      highestMinute: Math.max(0, ...minutes.map(({ value }) => value)),
      minutes,
    };
  }).sort((a, b) => b.total - a.total);
}
