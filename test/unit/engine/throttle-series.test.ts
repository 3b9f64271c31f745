// Aim: throttles over time have one row for each reason and resource, in the workload's windows, and lose
// nothing. Method: outcomes by hand.
import { expect, test } from 'vitest';
import type { Outcome } from '../../../src/dynamodb/outcome.ts';
import { parseThrottlingReason } from '../../../src/dynamodb/throttling-reason.ts';
import { ThrottleSeries } from '../../../src/engine/throttle-series.ts';
import { US_PER_SECOND } from '../../../src/units.ts';

const indexArn = 'arn:aws:dynamodb:us-east-1:000000000000:table/orders/index/GSI1';

function throttled(...reasons: readonly string[]): Extract<Outcome, { kind: 'throttled' }> {
  return {
    kind: 'throttled',
    exception: 'ThrottlingException',
    reasons: reasons.map((reason) => ({ ...parseThrottlingReason(reason), arn: indexArn })),
  };
}

const hotIndex = 'IndexWriteKeyRangeThroughputExceeded';
const hotTable = 'TableWriteKeyRangeThroughputExceeded';

test('a request counts under each of its reasons in the second of its answer', () => {
  const series = new ThrottleSeries();
  series.add(0, throttled(hotIndex));
  series.add(1.5 * US_PER_SECOND, throttled(hotIndex, hotTable));
  expect(series.rows(1, 3)).toEqual([
    { reason: hotIndex, resource: 'orders/GSI1', counts: [1, 1, 0] },
    { reason: hotTable, resource: 'orders/GSI1', counts: [0, 1, 0] },
  ]);
});

test('without a reason the exception stands for it, and no resource is named', () => {
  const series = new ThrottleSeries();
  series.add(0, throttled());
  expect(series.rows(1, 1)).toEqual([{ reason: 'ThrottlingException', resource: '', counts: [1] }]);
});

test('windows of several seconds hold their sums, and answers after the last window count in it', () => {
  const series = new ThrottleSeries();
  for (const second of [0, 1, 2, 3, 9]) series.add(second * US_PER_SECOND, throttled(hotIndex));
  expect(series.rows(2, 2)[0]?.counts).toEqual([2, 3]);
});

test('there is no row where nothing was throttled', () => {
  expect(new ThrottleSeries().rows(1, 5)).toEqual([]);
});
