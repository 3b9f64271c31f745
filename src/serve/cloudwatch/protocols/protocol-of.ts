// Tells CloudWatch's protocols apart by the head of a request. JSON names its operation in `x-amz-target`,
// which all requests to DynamoDB do too, so that those are looked up first; this is about what has no target.
// What has one and is in CBOR is refused, as the protocol says.
// @see "Smithy RPC v2 CBOR protocol", "Requests", in `smithy-lang/smithy
//   docs/source-2.0/additional-specs/protocols/smithy-rpc-v2.rst`, read 2026-11-30
import type { RequestHead } from '../../wire/request-head.ts';
import { cborProtocol } from './cbor-protocol.ts';
import type { CloudWatchProtocol } from './protocol.ts';
import { queryProtocol } from './query-protocol.ts';

/** A protocol, and the operation that the head names; empty where the body does. */
export interface AskedProtocol {
  readonly protocol: CloudWatchProtocol;
  readonly operation: string;
}

/** Before the last four segments anything may stand; the service may be named with its namespace. */
const cborPath =
  /\/service\/(?:com\.amazonaws\.cloudwatch\.)?GraniteServiceVersion20100801\/operation\/(\w{1,100})$/;
const cborType = /^application\/cbor\s*(?:;|$)/i;
const formType = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

/** Which of the protocols without `x-amz-target` a request with POST is in; undefined: none of them. */
export function protocolOf({
  path,
  contentType,
}: Pick<RequestHead, 'path' | 'contentType'>): AskedProtocol | undefined {
  const operation = cborPath.exec(path)?.[1];
  // An operation without input may come without a body.
  if (operation !== undefined && (contentType === undefined || cborType.test(contentType)))
    return { protocol: cborProtocol, operation };
  if (contentType !== undefined && formType.test(contentType))
    return { protocol: queryProtocol, operation: '' };
  return undefined;
}
