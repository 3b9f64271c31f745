// Errors as DynamoDB answers them. The simulator throws them where a rule is broken and turns them into
// answers at its edge; nothing above the simulator sees one.
import type { AttributeMap } from './attribute-value.ts';
import type { ThrottlingReason } from './throttling-reason.ts';

/**
 * The exceptions of the data plane and of table administration, by the short name that follows `#` in
 * `__type`.
 */
export type ApiErrorType =
  | 'ValidationException'
  | 'SerializationException'
  | 'ResourceNotFoundException'
  | 'ResourceInUseException'
  | 'ConditionalCheckFailedException'
  | 'TransactionCanceledException'
  | 'TransactionConflictException'
  | 'TransactionInProgressException'
  | 'IdempotentParameterMismatchException'
  | 'ItemCollectionSizeLimitExceededException'
  | 'LimitExceededException'
  | 'ProvisionedThroughputExceededException'
  | 'RequestLimitExceeded'
  | 'ThrottlingException'
  | 'UnknownOperationException'
  | 'InternalServerError';

/** Why one action of a cancelled transaction failed; `Code` is `None` for an action that did not. */
export interface CancellationReason {
  readonly Code: string;
  readonly Message?: string;
  readonly Item?: AttributeMap;
}

/** What some exceptions carry besides their message. */
export interface ApiErrorDetails {
  /** ConditionalCheckFailedException: the stored item, where the request asked for it. */
  readonly item?: AttributeMap;
  /** TransactionCanceledException: one reason per action, in request order. */
  readonly cancellationReasons?: readonly CancellationReason[];
  readonly throttlingReasons?: readonly ThrottlingReason[];
}

/** An exception of DynamoDB with its short type name and what it carries. */
export class ApiError extends Error {
  readonly type: ApiErrorType;
  readonly details: ApiErrorDetails;

  constructor(type: ApiErrorType, message: string, details: ApiErrorDetails = {}) {
    super(message);
    this.name = 'ApiError';
    this.type = type;
    this.details = details;
  }
}

/** A ValidationException with this message, to be thrown by the caller. */
export function validationError(message: string): ApiError {
  return new ApiError('ValidationException', message);
}
