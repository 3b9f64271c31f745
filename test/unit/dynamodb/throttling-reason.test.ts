// Aim: the sixteen reasons, their ARNs and the names of what they point at. Method: all sixteen there and
// back, rows for the rest.
import { describe, expect, test } from 'vitest';
import { outcomeKinds, outcomeSeverity } from '../../../src/dynamodb/outcome.ts';
import { indexArn, resourceName, tableArn } from '../../../src/dynamodb/table-spec.ts';
import {
  parseThrottlingReason,
  resourceOfArn,
  throttlingReasonText,
  throttlingReasonTexts,
} from '../../../src/dynamodb/throttling-reason.ts';

const place = { region: 'eu-west-1', accountId: '000000000000' };

describe('reasons', () => {
  test('are sixteen different ones', () => {
    expect(new Set(throttlingReasonTexts).size).toBe(16);
  });

  test.each([
    ['TableReadKeyRangeThroughputExceeded', 'Table', 'Read', 'KeyRange'],
    ['IndexWriteKeyRangeThroughputExceeded', 'Index', 'Write', 'KeyRange'],
    ['TableWriteProvisionedThroughputExceeded', 'Table', 'Write', 'Provisioned'],
    ['IndexReadMaxOnDemandThroughputExceeded', 'Index', 'Read', 'MaxOnDemand'],
    ['TableWriteAccountLimitExceeded', 'Table', 'Write', 'Account'],
  ])('%s has the parts %s, %s, %s', (reason, resource, operation, limit) => {
    expect(parseThrottlingReason(reason, 'arn')).toEqual({ reason, resource, operation, limit, arn: 'arn' });
  });

  test.each(throttlingReasonTexts)('%s comes back from its parts', (text) => {
    const { resource, operation, limit } = parseThrottlingReason(text);
    if (resource === undefined || operation === undefined || limit === undefined)
      throw new Error('parts are missing');
    expect(throttlingReasonText({ resource, operation, limit })).toBe(text);
  });

  test('unknown ones are kept as they came', () => {
    expect(parseThrottlingReason('SomethingNewExceeded')).toEqual({ reason: 'SomethingNewExceeded' });
    expect(parseThrottlingReason('', 'arn')).toEqual({ reason: 'Unknown', arn: 'arn' });
  });
});

describe('ARNs', () => {
  test('of a table and of an index name both', () => {
    expect(resourceOfArn(tableArn('orders', place))).toEqual({ tableName: 'orders' });
    expect(resourceOfArn(indexArn('orders', 'GSI1', place))).toEqual({
      tableName: 'orders',
      indexName: 'GSI1',
    });
  });

  test('look as AWS writes them', () => {
    expect(indexArn('orders', 'GSI1', place)).toBe(
      'arn:aws:dynamodb:eu-west-1:000000000000:table/orders/index/GSI1',
    );
  });

  test.each(['orders', 'arn:aws:s3:::bucket', `${tableArn('orders', place)}/stream/2026`])(
    '%s is none',
    (text) => {
      expect(resourceOfArn(text)).toBeUndefined();
    },
  );

  test('resourceName is the table, or table and index', () => {
    expect([resourceName('t'), resourceName('t', 'i')]).toEqual(['t', 't/i']);
  });
});

test('outcomes order from ok to failed', () => {
  const ordered = [...outcomeKinds].sort((one, two) => outcomeSeverity(one) - outcomeSeverity(two));
  expect(ordered).toEqual([
    'ok',
    'skipped',
    'conditionFailed',
    'conflict',
    'partial',
    'throttled',
    'dropped',
    'timedOut',
    'failed',
  ]);
});
