// Aim: masks become DynamoDB's reasons, in its order, and the exception follows the billing mode.
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

test.each([
  { mode: 'provisioned', exception: 'ProvisionedThroughputExceededException' },
  { mode: 'on-demand', exception: 'ThrottlingException' },
] as const)('a $mode resource throttles with $exception', ({ mode, exception }) => {
  expect(throttlingException(mode)).toBe(exception);
});
