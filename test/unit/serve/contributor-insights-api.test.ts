// Aim: DynamoDB's operations on Contributor Insights have the shapes and errors of the API reference and of
// the captures named in resource-insights.ts. Method: parsed bodies over a simulated table; switching takes 2 s
// of an injected clock.
import { describe, expect, test } from 'vitest';
import {
  type ContributorInsightsOperation,
  contributorInsights,
} from '../../../src/serve/contributor-insights-api.ts';
import { ObservedDatabase, WALL_MS_AT_ZERO } from '../../support/observed-database.ts';
import { ordersTable, plainOrders } from '../../support/simulated-orders.ts';

const arn = 'arn:aws:dynamodb:eu-west-1:111122223333:table/orders';

class Service {
  readonly db = new ObservedDatabase({ tables: [ordersTable, plainOrders], insightsSwitchDelayMs: 2_000 });
  second = 0;

  ask(operation: ContributorInsightsOperation, body: unknown): unknown {
    const nowMs = this.db.wallMs(this.second);
    const parsed: unknown = JSON.parse(JSON.stringify(body));
    return contributorInsights(this.db.activity.insights, operation, parsed, nowMs);
  }

  enable(TableName: string, more: object = {}): unknown {
    return this.ask('UpdateContributorInsights', {
      TableName,
      ContributorInsightsAction: 'ENABLE',
      ...more,
    });
  }
}

test('a table that never had it is DISABLED, and no more is said', () => {
  expect(new Service().ask('DescribeContributorInsights', { TableName: 'orders' })).toEqual({
    TableName: 'orders',
    ContributorInsightsStatus: 'DISABLED',
  });
});

test('switching on tells state and mode; described, there are rules and a date', () => {
  const service = new Service();
  expect(service.enable('plain')).toEqual({
    TableName: 'plain',
    ContributorInsightsStatus: 'ENABLING',
    ContributorInsightsMode: 'ACCESSED_AND_THROTTLED_KEYS',
  });
  service.second = 2;
  expect(service.ask('DescribeContributorInsights', { TableName: 'plain' })).toEqual({
    TableName: 'plain',
    ContributorInsightsStatus: 'ENABLED',
    ContributorInsightsMode: 'ACCESSED_AND_THROTTLED_KEYS',
    ContributorInsightsRuleList: ['PKC', 'PKT'].map(
      (kind) => `DynamoDBContributorInsights-${kind}-plain-${WALL_MS_AT_ZERO}`,
    ),
    LastUpdateDateTime: WALL_MS_AT_ZERO / 1_000,
  });
});

test('an index is named in the answer, and a table may be named by its ARN', () => {
  const service = new Service();
  const mode = { IndexName: 'GSI1', ContributorInsightsMode: 'THROTTLED_KEYS' };
  expect(service.enable(arn, mode)).toEqual({
    TableName: 'orders',
    IndexName: 'GSI1',
    ContributorInsightsStatus: 'ENABLING',
    ContributorInsightsMode: 'THROTTLED_KEYS',
  });
});

describe('the list', () => {
  function listing(): Service {
    const service = new Service();
    for (const IndexName of ['GSI1', 'byCity']) service.enable('orders', { IndexName });
    service.enable('plain');
    service.second = 3;
    return service;
  }

  test('comes in pages, the last without a token', () => {
    const service = listing();
    const names: unknown[] = [];
    let NextToken: string | undefined;
    do {
      const page = service.ask('ListContributorInsights', { MaxResults: 2, NextToken }) as {
        ContributorInsightsSummaries: { TableName: string; IndexName?: string }[];
        NextToken?: string;
      };
      names.push(page.ContributorInsightsSummaries.map(({ TableName, IndexName }) => [TableName, IndexName]));
      NextToken = page.NextToken;
    } while (NextToken !== undefined);
    expect(names).toEqual([
      [
        ['orders', 'GSI1'],
        ['orders', 'byCity'],
      ],
      [['plain', undefined]],
    ]);
  });

  test('is of one table, where one is named', () => {
    expect(listing().ask('ListContributorInsights', { TableName: 'plain' })).toEqual({
      ContributorInsightsSummaries: [
        {
          TableName: 'plain',
          ContributorInsightsStatus: 'ENABLED',
          ContributorInsightsMode: 'ACCESSED_AND_THROTTLED_KEYS',
        },
      ],
    });
  });

  test('refuses a token that is none', () => {
    expect(() => listing().ask('ListContributorInsights', { NextToken: 'x' })).toThrow('Invalid NextToken');
  });
});

test.each<[string, ContributorInsightsOperation, object, string]>([
  [
    'a table that is not there',
    'DescribeContributorInsights',
    { TableName: 'nowhere' },
    'Requested resource not found: Table: nowhere not found',
  ],
  [
    'a list of a table that is not there',
    'ListContributorInsights',
    { TableName: 'nowhere' },
    'Requested resource not found: Table: nowhere not found',
  ],
  [
    'a local index',
    'DescribeContributorInsights',
    { TableName: 'orders', IndexName: 'byTotal' },
    'Requested resource not found: Index: byTotal not found for table: orders',
  ],
  ['no table', 'DescribeContributorInsights', {}, "'tableName' failed to satisfy constraint"],
  ['no action', 'UpdateContributorInsights', { TableName: 'orders' }, "'contributorInsightsAction' failed"],
  [
    'another action',
    'UpdateContributorInsights',
    { TableName: 'orders', ContributorInsightsAction: 'PAUSE' },
    '[ENABLE, DISABLE]',
  ],
  ['an ARN of something else', 'DescribeContributorInsights', { TableName: 'arn:aws:s3:::b' }, 'Invalid'],
  ['more than 100 results', 'ListContributorInsights', { MaxResults: 101 }, "'maxResults' failed"],
])('refuses %s', (_, operation, body, message) => {
  expect(() => new Service().ask(operation, body)).toThrow(message);
});
