// What a protocol of CloudWatch does: it reads requests and writes answers. What operations there are and what they
// answer is the same in all of them.
import type { HttpResponse } from '../../wire/http-response.ts';
import type { CloudWatchError } from '../cloudwatch-error.ts';
import type { Input } from '../input.ts';
import type { WireObject } from '../wire-values.ts';

/** An operation with its input. */
export interface AskedOperation {
  readonly operation: string;
  readonly input: Input;
}

/** Makes the id of the request, for protocols whose bodies tell it; to be called once at most. */
export type NextRequestId = () => string;

/** One protocol: pure, and without a notion of what the operations do. */
export interface CloudWatchProtocol {
  /**
   * Reads a request.
   * @param operation  what the head of the request names; empty where the body does
   * @throws CloudWatchError SerializationException, MalformedQueryString, MissingAction
   */
  read(body: Buffer, operation: string): AskedOperation;
  /** Writes the answer of an operation. */
  success(operation: string, output: WireObject, nextRequestId: NextRequestId): HttpResponse;
  /** Writes an error, with its status. */
  failure(error: CloudWatchError, nextRequestId: NextRequestId): HttpResponse;
}
