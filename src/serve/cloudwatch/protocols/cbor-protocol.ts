// Smithy RPC v2 CBOR: the path names the operation, input and answers are CBOR, moments are numbers with a tag.
// @see "Smithy RPC v2 CBOR protocol" in `smithy-lang/smithy
//   docs/source-2.0/additional-specs/protocols/smithy-rpc-v2.rst`, read 2026-11-30
import { CloudWatchError } from '../cloudwatch-error.ts';
import { Input, type ScalarReader } from '../input.ts';
import { Timestamp } from '../wire-values.ts';
import { CborError, decodeCbor } from './cbor-decode.ts';
import { encodeCbor } from './cbor-encode.ts';
import type { CloudWatchProtocol } from './protocol.ts';

const headers = { 'content-type': 'application/cbor', 'smithy-protocol': 'rpc-v2-cbor' };

const scalars: ScalarReader = {
  number: (value) => (typeof value === 'number' ? value : undefined),
  flag: (value) => (typeof value === 'boolean' ? value : undefined),
  seconds: (value) => (value instanceof Timestamp ? value.seconds : undefined),
  list: (value) => (Array.isArray(value) ? value : undefined),
};

/** Requests and answers in CBOR. */
export const cborProtocol: CloudWatchProtocol = {
  read: (body, operation) => ({ operation, input: new Input(decoded(body), scalars) }),
  success: (_operation, output) => ({ status: 200, headers, body: encodeCbor(output) }),
  failure: (error) => ({
    status: error.status,
    headers: { ...headers, 'x-amzn-query-error': error.queryError },
    body: encodeCbor({ __type: error.fullType, message: error.message }),
  }),
};

/** An operation without input may come without a body. */
function decoded(body: Buffer): unknown {
  if (body.length === 0) return {};
  try {
    return decodeCbor(body);
  } catch (error) {
    if (!(error instanceof CborError)) throw error;
    throw new CloudWatchError('SerializationException', `The request body is not CBOR: ${error.message}.`);
  }
}
