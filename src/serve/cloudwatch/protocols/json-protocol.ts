// AWS JSON 1.0: the operation stands in `x-amz-target`, input and answers are JSON, moments are seconds since 1970.
// @see the requests of `@aws-sdk/client-cloudwatch` 3.1164.0 and of botocore 1.43.11, read 2026-11-30
import { isUtf8 } from 'node:buffer';
import { CloudWatchError } from '../cloudwatch-error.ts';
import { Input, type ScalarReader } from '../input.ts';
import type { CloudWatchProtocol } from './protocol.ts';

const headers = { 'content-type': 'application/x-amz-json-1.0' };

const scalars: ScalarReader = {
  number: (value) => (typeof value === 'number' ? value : undefined),
  flag: (value) => (typeof value === 'boolean' ? value : undefined),
  seconds: (value) => (typeof value === 'number' ? value : undefined),
  list: (value) => (Array.isArray(value) ? value : undefined),
};

/** Requests and answers of AWS JSON 1.0. */
export const jsonProtocol: CloudWatchProtocol = {
  read: (body, operation) => ({ operation, input: new Input(parsed(body), scalars) }),
  success: (_operation, output) => ({ status: 200, headers, body: JSON.stringify(output) }),
  failure: (error) => ({
    status: error.status,
    headers: { ...headers, 'x-amzn-query-error': error.queryError },
    body: JSON.stringify({ __type: error.fullType, message: error.message }),
  }),
};

function parsed(body: Buffer): unknown {
  if (body.length === 0) return {};
  try {
    if (isUtf8(body)) return JSON.parse(body.toString());
  } catch {
    // No JSON: what is said of it is the same as of what is no text.
  }
  throw new CloudWatchError('SerializationException', 'The request body is not JSON.');
}
