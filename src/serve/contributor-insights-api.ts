// DynamoDB's three operations on Contributor Insights, over what the simulated database keeps of it.
// @see UpdateContributorInsights and its two neighbours in the documentation of `@aws-sdk/client-dynamodb`
//   3.1169.0, read 2026-11-30
import { ApiError, validationError } from '../dynamodb/api-error.ts';
import { resourceOfArn } from '../dynamodb/throttling-reason.ts';
import type { ContributorInsights } from '../simulator/metrics/contributor-insights.ts';
import type { InsightsDescription, InsightsMode } from '../simulator/metrics/resource-insights.ts';
import { conformStructure } from './input/conform.ts';
import { checkConstraints } from './input/constraints.ts';
import { oneOf, type StructureShape, structure, textOf, whole } from './input/shape.ts';

/** The names under which DynamoDB knows these operations. */
export const contributorInsightsOperations = [
  'UpdateContributorInsights',
  'DescribeContributorInsights',
  'ListContributorInsights',
] as const;

export type ContributorInsightsOperation = (typeof contributorInsightsOperations)[number];

/** Summaries on one page at most. */
const MAX_RESULTS = 100;

const tableName = textOf({ minLength: 1, maxLength: 1_024 });
const indexName = textOf({ minLength: 3, maxLength: 255, pattern: /^[a-zA-Z0-9_.-]+$/ });

const shapes: Readonly<Record<ContributorInsightsOperation, StructureShape>> = {
  UpdateContributorInsights: structure({
    'TableName!': tableName,
    IndexName: indexName,
    'ContributorInsightsAction!': oneOf('ENABLE', 'DISABLE'),
    ContributorInsightsMode: oneOf('ACCESSED_AND_THROTTLED_KEYS', 'THROTTLED_KEYS'),
  }),
  DescribeContributorInsights: structure({ 'TableName!': tableName, IndexName: indexName }),
  ListContributorInsights: structure({
    TableName: tableName,
    NextToken: textOf({}),
    MaxResults: whole('Integer', { max: MAX_RESULTS }),
  }),
};

/** The members of all three requests, once they have passed their shape. */
interface Input {
  readonly TableName?: string;
  readonly IndexName?: string;
  readonly ContributorInsightsAction?: 'ENABLE' | 'DISABLE';
  readonly ContributorInsightsMode?: InsightsMode;
  readonly NextToken?: string;
  readonly MaxResults?: number;
}

/**
 * Answers one request.
 * @param body  the parsed body; may be changed
 * @param nowMs  wall-clock ms since 1970
 * @throws ApiError ResourceNotFoundException, ValidationException, SerializationException
 */
export function contributorInsights(
  insights: ContributorInsights,
  operation: ContributorInsightsOperation,
  body: unknown,
  nowMs: number,
): object {
  const members = conformStructure(body, shapes[operation]);
  checkConstraints(members, shapes[operation]);
  const input: Input = members;
  switch (operation) {
    case 'UpdateContributorInsights':
      return updateInsights(insights, input, nowMs);
    case 'DescribeContributorInsights':
      return describeInsights(insights, input, nowMs);
    case 'ListContributorInsights':
      return listInsights(insights, input, nowMs);
  }
}

function updateInsights(insights: ContributorInsights, input: Input, nowMs: number): object {
  const { ContributorInsightsAction: action = 'ENABLE', ContributorInsightsMode: mode } = input; // The action is required.
  const description = insights.update(
    { tableName: nameOf(input.TableName), indexName: input.IndexName, action, mode },
    nowMs,
  );
  return summaryOf(description);
}

function describeInsights(insights: ContributorInsights, input: Input, nowMs: number): object {
  const description = insights.describe(nameOf(input.TableName), input.IndexName, nowMs);
  const { ruleNames, lastUpdateMs } = description;
  return {
    ...summaryOf(description),
    ...(ruleNames.length > 0 && { ContributorInsightsRuleList: ruleNames }),
    ...(lastUpdateMs !== undefined && { LastUpdateDateTime: lastUpdateMs / 1_000 }),
  };
}

function listInsights(insights: ContributorInsights, input: Input, nowMs: number): object {
  const { TableName, MaxResults = MAX_RESULTS, NextToken } = input;
  const found = insights.list(TableName === undefined ? undefined : nameOf(TableName), nowMs);
  const from = NextToken === undefined ? 0 : placeOf(NextToken);
  // A page of none would lead to pages that never end.
  const until = from + Math.max(1, MaxResults);
  return {
    ContributorInsightsSummaries: found.slice(from, until).map(summaryOf),
    ...(until < found.length && { NextToken: tokenOf(until) }),
  };
}

function summaryOf({ tableName, indexName, status, mode }: InsightsDescription): object {
  return {
    TableName: tableName,
    ...(indexName !== undefined && { IndexName: indexName }),
    ContributorInsightsStatus: status,
    ...(mode !== undefined && { ContributorInsightsMode: mode }),
  };
}

/** A token says how many summaries were on the pages before. */
function tokenOf(place: number): string {
  return Buffer.from(String(place)).toString('base64url');
}

function placeOf(token: string): number {
  const place = Number(Buffer.from(token, 'base64url').toString());
  if (!Number.isInteger(place) || place < 1) throw validationError('Invalid NextToken');
  return place;
}

/** The table that a name or an ARN names. */
function nameOf(nameOrArn = ''): string {
  if (!nameOrArn.startsWith('arn:')) return nameOrArn;
  const resource = resourceOfArn(nameOrArn);
  if (resource === undefined) throw new ApiError('ValidationException', `Invalid table ARN: ${nameOrArn}`);
  return resource.tableName;
}
