// Errors as CloudWatch answers them. Clients of its older query protocol knew other names for them, which the
// JSON protocol still tells in a header.
// @see the schemas of `@aws-sdk/client-cloudwatch` 3.1164.0 for names and statuses, read 2026-11-30

/** Code in the header, and HTTP status, by exception. */
const facts = {
  InvalidNextToken: ['InvalidNextToken', 400],
  InvalidParameterCombinationException: ['InvalidParameterCombination', 400],
  InvalidParameterValueException: ['InvalidParameterValue', 400],
  MissingRequiredParameterException: ['MissingParameter', 400],
  ResourceNotFoundException: ['ResourceNotFoundException', 404],
  SerializationException: ['SerializationException', 400],
  UnknownOperationException: ['InvalidAction', 400],
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

  /** The name by which the query protocol knows it. */
  get queryCode(): string {
    return facts[this.type][0];
  }

  get status(): number {
    return facts[this.type][1];
  }
}

/** A parameter that has no such value, to be thrown by the caller. */
export function invalidValue(message: string): CloudWatchError {
  return new CloudWatchError('InvalidParameterValueException', message);
}
