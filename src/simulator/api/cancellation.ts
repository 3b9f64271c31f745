// Why transactions are cancelled: one reason per action, in request order, `None` for the actions that were
// not at fault.
// @see "TransactWriteItems",
//   https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html, read
//   2026-11-30
import { ApiError, type CancellationReason } from '../../dynamodb/api-error.ts';
import type { Outcome } from '../../dynamodb/outcome.ts';
import type { Billing } from '../../dynamodb/table-spec.ts';

/** The name of the exception, on the wire and in outcomes. */
export const TRANSACTION_CANCELED = 'TransactionCanceledException';

const noReason: CancellationReason = { Code: 'None' };

/** The reason of each action; those for which there is none are given as undefined. */
export function reasonsInOrder(
  reasons: readonly (CancellationReason | undefined)[],
): readonly CancellationReason[] {
  return reasons.map((reason) => reason ?? noReason);
}

/**
 * A broken rule as the reason of one action.
 * @throws whatever it is given that is not a broken rule
 */
export function validationReason(error: unknown): CancellationReason {
  if (!(error instanceof ApiError)) throw error;
  return { Code: 'ValidationError', Message: error.message };
}

/** A transaction cancelled because of mistakes in the request. */
export function cancelledByMistakes(cancellationReasons: readonly CancellationReason[]): Outcome {
  const codes = cancellationReasons.map(({ Code }) => Code).join(', ');
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`;
  return { kind: 'failed', code: TRANSACTION_CANCELED, message, httpStatus: 400, cancellationReasons };
}

/**
 * Reasons of a throttled transaction. The codes of cancellations know no quota of the account: on demand all
 * throttles are ThrottlingError.
 * @param throttledBy  the billing mode of what refused an action; undefined where the action was not refused
 */
export function throttledCodes<A>(
  actions: readonly A[],
  throttledBy: (action: A) => Billing['mode'] | undefined,
): readonly CancellationReason[] {
  return reasonsInOrder(
    actions.map((action) => {
      const mode = throttledBy(action);
      return mode && throttledReasons[mode];
    }),
  );
}

const throttledReasons: Readonly<Record<Billing['mode'], CancellationReason>> = {
  'on-demand': {
    Code: 'ThrottlingError',
    Message: 'Throughput exceeds the current capacity of your table or index',
  },
  provisioned: {
    Code: 'ProvisionedThroughputExceeded',
    Message: 'The level of configured provisioned throughput for the table or index was exceeded',
  },
};
