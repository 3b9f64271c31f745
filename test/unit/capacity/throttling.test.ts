// Aim: masks become DynamoDB's reasons, in its order, and the exception follows billing mode, limit and resource.
import { expect, test } from 'vitest';
import { limitBits, reasonsByMask, throttlingException } from '../../../src/capacity/throttling.ts';
import { indexArn, tableArn } from '../../support/throughput.ts';

test('all limits at once are reported as quota, maximum on demand, provisioned, key range', () => {
  expect(reasonsByMask('Write', 'Index', indexArn)[15]?.map(({ reason }) => reason)).toEqual([
    'IndexWriteAccountLimitExceeded',
    'IndexWriteMaxOnDemandThroughputExceeded',
    'IndexWriteProvisionedThroughputExceeded',
    'IndexWriteKeyRangeThroughputExceeded',
  ]);
});

test('a reason says which resource, operation and limit it is about', () => {
  expect(reasonsByMask('Read', 'Table', tableArn)[limitBits.KeyRange]).toEqual([
    {
      reason: 'TableReadKeyRangeThroughputExceeded',
      resource: 'Table',
      operation: 'Read',
      limit: 'KeyRange',
      arn: tableArn,
    },
  ]);
});

test('no limit means no reason', () => {
  expect(reasonsByMask('Read', 'Table', tableArn)[0]).toEqual([]);
});

test('the reason of a limit is one object in every list', () => {
  const lists = reasonsByMask('Write', 'Table', tableArn);
  expect(lists[9]?.[1]).toBe(lists[8]?.[0]);
});

const provisioned = 'ProvisionedThroughputExceededException';
const { Account, MaxOnDemand, Provisioned, KeyRange } = limitBits;
const backPressure = 'ThrottlingException';

test.each([
  ['a provisioned table that is out of units', 'Table', 'Write', 'provisioned', Provisioned, provisioned],
  ['a hot partition of a provisioned table', 'Table', 'Read', 'provisioned', KeyRange, provisioned],
  ['a hot partition on demand', 'Table', 'Write', 'on-demand', KeyRange, 'ThrottlingException'],
  ['a maximum on demand', 'Index', 'Read', 'on-demand', MaxOnDemand, 'ThrottlingException'],
  ['writes over the quota of a table', 'Table', 'Write', 'on-demand', Account, 'RequestLimitExceeded'],
  ['reads over the quota of a table', 'Table', 'Read', 'on-demand', Account, 'RequestLimitExceeded'],
  ['reads over the quota of an index', 'Index', 'Read', 'on-demand', Account, 'RequestLimitExceeded'],
  ['writes that an index over its quota holds back', 'Index', 'Write', 'on-demand', Account, backPressure],
  ['quota and partition at once', 'Table', 'Write', 'on-demand', Account | KeyRange, 'RequestLimitExceeded'],
] as const)('4.1 and 3.4: %s', (_, resource, operation, mode, mask, exception) => {
  expect(throttlingException(operation, { resource, mode, mask })).toBe(exception);
});
