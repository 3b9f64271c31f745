// What the server answers to one request, before it becomes HTTP. Bodies are JSON texts: a checksum over them
// goes into a header.
import type { ApiError } from '../dynamodb/api-error.ts';

export interface WireAnswer {
  readonly status: number;
  readonly body: string;
}

/** A success with this body. */
export function success(body: object): WireAnswer {
  return { status: 200, body: JSON.stringify(body) };
}

/** A success without anything to tell: not even an object, as for tags. */
export const emptySuccess: WireAnswer = { status: 200, body: '' };

/**
 * The namespaces that stand before `#` in `__type`. Errors that the service's framework finds before the
 * request reaches DynamoDB carry names of the framework.
 * @see `architect/dynalite test/helpers.js` (run against the service), read 2026-11-30
 */
const namespaces: Readonly<Record<string, string>> = {
  SerializationException: 'com.amazon.coral.service',
  UnknownOperationException: 'com.amazon.coral.service',
  RequestEntityTooLargeException: 'com.amazon.coral.service',
  MissingAuthenticationTokenException: 'com.amazon.coral.service',
  IncompleteSignatureException: 'com.amazon.coral.service',
  InvalidSignatureException: 'com.amazon.coral.service',
  UnrecognizedClientException: 'com.amazon.coral.service',
  ServiceUnavailableException: 'com.amazon.coral.availability',
  ValidationException: 'com.amazon.coral.validate',
  ThrottlingException: 'com.amazon.coral.availability',
};
const DYNAMODB = 'com.amazonaws.dynamodb.v20120810';

/** Exceptions whose text is called `Message`; in all others it is `message`. */
const capitalized: ReadonlySet<string> = new Set(['SerializationException', 'TransactionCanceledException']);

/**
 * An exception on the wire.
 * @param type  its short name; some exist only on the wire, so that any text is taken
 * @param details  further members of the body
 */
export function errorAnswer(type: string, message: string, details: object = {}, status = 400): WireAnswer {
  const __type = `${namespaces[type] ?? DYNAMODB}#${type}`;
  const named = capitalized.has(type) ? { Message: message } : { message };
  return { status, body: JSON.stringify({ __type, ...details, ...named }) };
}

/** No answer: the connection ends without one. Its status is no status of HTTP. */
export const dropped: WireAnswer = { status: 0, body: '' };

/** The answer where an error is ours. */
export const internalError: WireAnswer = errorAnswer(
  'InternalServerError',
  'dyno-load met an error that it did not foresee',
  {},
  500,
);

/** A broken rule as an answer. */
export function apiErrorAnswer({ type, message }: ApiError): WireAnswer {
  return errorAnswer(type, message, {}, type === 'InternalServerError' ? 500 : 400);
}
