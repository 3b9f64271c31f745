// What comes back of an operation, as one union: everything above a target decides on `kind` and never on
// exception names.
import type { CancellationReason } from './api-error.ts';
import type { ApiOutput } from './api-output.ts';
import type { AttributeMap } from './attribute-value.ts';
import type { ConsumedCapacity } from './consumed-capacity.ts';
import type { ThrottlingReason } from './throttling-reason.ts';

/**
 * Why each action of a cancelled transaction failed, in request order; present where a transaction was
 * cancelled.
 */
interface Cancelled {
  readonly cancellationReasons?: readonly CancellationReason[];
}

/** How an attempt, or a whole operation, ended. `dropped` and `skipped` never left this process. */
export type Outcome =
  | { readonly kind: 'ok'; readonly consumed: readonly ConsumedCapacity[]; readonly output: ApiOutput }
  | (Cancelled & {
      readonly kind: 'throttled';
      readonly reasons: readonly ThrottlingReason[];
      readonly exception: string;
    })
  /**
   * A batch of which some items came back unprocessed, or some statements failed. `estimated`: units charged and not
   * reported.
   */
  | {
      readonly kind: 'partial';
      readonly sentItems: number;
      readonly unprocessedItems: number;
      readonly consumed: readonly ConsumedCapacity[];
      readonly estimated?: readonly ConsumedCapacity[];
      readonly output: ApiOutput;
    }
  /**
   * A condition did not hold. `estimated`: units that DynamoDB charges and does not report; `item`: the
   * stored item, where asked for.
   */
  | (Cancelled & {
      readonly kind: 'conditionFailed';
      readonly estimated?: readonly ConsumedCapacity[];
      readonly item?: AttributeMap;
    })
  /** Another transaction held an item. */
  | (Cancelled & { readonly kind: 'conflict'; readonly estimated?: readonly ConsumedCapacity[] })
  | (Cancelled & {
      readonly kind: 'failed';
      readonly code: string;
      readonly message: string;
      readonly requestId?: string;
      /** HTTP status; absent when no answer came. */
      readonly httpStatus?: number;
    })
  | { readonly kind: 'timedOut' }
  | { readonly kind: 'dropped' }
  | { readonly kind: 'skipped'; readonly why: string };

/** The kinds of outcomes. */
export type OutcomeKind = Outcome['kind'];

/** All kinds, in the order in which records count them. */
export const outcomeKinds = [
  'ok',
  'throttled',
  'partial',
  'conditionFailed',
  'conflict',
  'failed',
  'timedOut',
  'dropped',
  'skipped',
] as const satisfies readonly OutcomeKind[];

const severities: Readonly<Record<OutcomeKind, number>> = {
  ok: 0,
  skipped: 1,
  conditionFailed: 2,
  conflict: 3,
  partial: 4,
  throttled: 5,
  dropped: 6,
  timedOut: 7,
  failed: 8,
};

/**
 * How bad an outcome is, for choosing the worst child of a flow: from 0 (ok) to 8 (failed); only the order
 * has a meaning.
 */
export function outcomeSeverity(kind: OutcomeKind): number {
  return severities[kind];
}
