// What a refused request is told: which limits failed as a bit mask on the hot path, and the reasons and the
// exception that DynamoDB makes of them. Nothing is decided here.
import type { Billing } from '../dynamodb/table-spec.ts';
import {
  type ThrottlingLimit,
  type ThrottlingReason,
  throttlingReasonText,
} from '../dynamodb/throttling-reason.ts';

/** One bit for each limit, in the order in which reasons are reported. 0 means admitted. */
export const limitBits = {
  Account: 1,
  MaxOnDemand: 2,
  Provisioned: 4,
  KeyRange: 8,
} as const satisfies Record<ThrottlingLimit, number>;

/** The limits in the order of report: quota, maximum on-demand, provisioned, key range. */
const limitsInOrder = [
  'Account',
  'MaxOnDemand',
  'Provisioned',
  'KeyRange',
] as const satisfies readonly ThrottlingLimit[];

export type ThrottledOperation = 'Read' | 'Write';

/** Masks are sums of limit bits, so 16 is one more than the largest. */
export const MASK_COUNT = 16;

/**
 * The reasons of every mask on one resource, indexed by mask. The reason of a limit is the same object in all
 * lists.
 * @param resource  whether `arn` names a table or an index
 * @see "Diagnosing throttling", https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/throttling-diagnosing-workflow.html, read 2026-11-30
 */
export function reasonsByMask(
  operation: ThrottledOperation,
  resource: 'Table' | 'Index',
  arn: string,
): readonly (readonly ThrottlingReason[])[] {
  const reasons = limitsInOrder.map((limit): ThrottlingReason => {
    const reason = throttlingReasonText({ resource, operation, limit });
    return { reason, resource, operation, limit, arn };
  });
  return Array.from({ length: MASK_COUNT }, (_, mask) =>
    reasons.filter((_reason, bit) => (mask & (1 << bit)) !== 0),
  );
}

export type ThrottlingExceptionName = 'ProvisionedThroughputExceededException' | 'ThrottlingException';

/**
 * The exception of a throttled request, by the billing mode of the resource that failed.
 *
 * AWS's pages disagree about the class for partition limits on provisioned tables; reports from the field say
 * that the mode decides. Readers should branch on the reason, never on the class.
 * @see "Troubleshooting throttling", https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/troubleshooting-throttling-diagnostics.html, read 2026-11-30
 */
export function throttlingException(mode: Billing['mode']): ThrottlingExceptionName {
  return mode === 'provisioned' ? 'ProvisionedThroughputExceededException' : 'ThrottlingException';
}
