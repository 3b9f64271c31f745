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

/** The two sides of throughput, as DynamoDB spells them in throttling reasons. */
export type ThrottledOperation = 'Read' | 'Write';

/** Masks are sums of limit bits, so 16 is one more than the largest. */
export const MASK_COUNT = 16;

/**
 * The reasons of every mask on one resource, indexed by mask. The reason of a limit is the same object in all
 * lists.
 * @param resource  whether `arn` names a table or an index
 * @see "Diagnosing throttling",
 *   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/throttling-diagnosing-workflow.html,
 *   read 2026-11-30
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

/** The exceptions by which DynamoDB refuses for want of throughput. */
export type ThrottlingExceptionName =
  | 'ProvisionedThroughputExceededException'
  | 'ThrottlingException'
  | 'RequestLimitExceeded';

/** What refused a request, as far as the exception depends on it. */
export interface Refusing {
  readonly resource: 'Table' | 'Index';
  readonly mode: Billing['mode'];
  /** The limits that failed. */
  readonly mask: number;
}

/**
 * The exception of a throttled request, by the resource that failed first.
 *
 * - provisioned: ProvisionedThroughputExceededException. AWS's pages disagree about partition limits there; reports
 *   from the field say that the mode decides.
 * - on demand, over the quota of a table or index: RequestLimitExceeded, as "Error handling" pairs it with
 *   `TableWriteAccountLimitExceeded` and `IndexReadAccountLimitExceeded`.
 * - on demand, all else, and a write that an index over its quota holds back: the page on back pressure pairs
 *   `IndexWriteAccountLimitExceeded` with ThrottlingException.
 *
 * Readers should branch on the reason, never on the class.
 * @see "Error handling with DynamoDB", https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html, read 2026-11-30
 * @see "Understanding Global Secondary Index (GSI) write throttling and back pressure", https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/gsi-throttling.html, read 2026-11-30
 * @see "Troubleshooting throttling", https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/troubleshooting-throttling-diagnostics.html, read 2026-11-30
 */
export function throttlingException(
  operation: ThrottledOperation,
  { resource, mode, mask }: Refusing,
): ThrottlingExceptionName {
  if (mode === 'provisioned') return 'ProvisionedThroughputExceededException';
  const isBackPressure = resource === 'Index' && operation === 'Write';
  const isOverQuota = (mask & limitBits.Account) !== 0;
  return isOverQuota && !isBackPressure ? 'RequestLimitExceeded' : 'ThrottlingException';
}
