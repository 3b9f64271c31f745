// Errors as CloudWatch answers them. The query protocol has other names for them, which the others tell in a
// header.
// @see the schemas of `@aws-sdk/client-cloudwatch` 3.1164.0 for names and statuses; for those of signatures "Common Errors"
//   of another query service, https://docs.aws.amazon.com/cloudsearch/latest/developerguide/CommonErrors.md, both read
//   2026-11-30
import { SignatureError } from '../signature/signature-error.ts';

/** Name in the query protocol, and HTTP status, by exception. */
const facts = {
  IncompleteSignatureException: ['IncompleteSignature', 400],
  InternalServiceFault: ['InternalServiceError', 500],
  InvalidNextToken: ['InvalidNextToken', 400],
  InvalidParameterCombinationException: ['InvalidParameterCombination', 400],
  InvalidParameterValueException: ['InvalidParameterValue', 400],
  InvalidSignatureException: ['SignatureDoesNotMatch', 403],
  MissingAction: ['MissingAction', 400],
  MissingAuthenticationTokenException: ['MissingAuthenticationToken', 403],
  MissingRequiredParameterException: ['MissingParameter', 400],
  ResourceNotFoundException: ['ResourceNotFoundException', 404],
  // Seen in errors of query services whose parameters have the wrong type; not in the list of common errors.
  SerializationException: ['MalformedInput', 400],
  UnknownOperationException: ['InvalidAction', 400],
  UnrecognizedClientException: ['InvalidClientTokenId', 403],
  ValidationException: ['ValidationError', 400],
} as const;

export type CloudWatchErrorType = keyof typeof facts;

/** Thrown where a request is wrong; becomes an answer in cloudwatch-api.ts. */
export class CloudWatchError extends Error {
  readonly type: CloudWatchErrorType;

  constructor(type: CloudWatchErrorType, message: string) {
    super(message);
    this.name = 'CloudWatchError';
    this.type = type;
  }

  /** The error that a client gets to see: whatever is none of CloudWatch's is ours. */
  static of(error: unknown): CloudWatchError {
    if (error instanceof CloudWatchError) return error;
    if (error instanceof SignatureError) return new CloudWatchError(error.type, error.message);
    return new CloudWatchError('InternalServiceFault', 'dyno-load met an error that it did not foresee');
  }

  /** The type with its namespace, for `__type`. */
  get fullType(): string {
    return `com.amazonaws.cloudwatch#${this.type}`;
  }

  /** The name by which the query protocol knows it. */
  get queryCode(): string {
    return facts[this.type][0];
  }

  /** Whose mistake it is, as the query protocol says it. */
  get fault(): 'Sender' | 'Receiver' {
    return this.status < 500 ? 'Sender' : 'Receiver';
  }

  /** For the header `x-amzn-query-error`. */
  get queryError(): string {
    return `${this.queryCode};${this.fault}`;
  }

  get status(): number {
    return facts[this.type][1];
  }
}

/** A parameter that has no such value, to be thrown by the caller. */
export function invalidValue(message: string): CloudWatchError {
  return new CloudWatchError('InvalidParameterValueException', message);
}
