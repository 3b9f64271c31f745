// CloudWatch's other protocols, which this server does not speak: clients of them get an error that they can
// read. The JSON protocol is what the AWS SDK for JavaScript sends; other SDKs and the AWS CLI send CBOR or
// queries.
// @see the protocols in `boto/botocore botocore/data/cloudwatch/2010-08-01/service-2.json`, read 2026-11-30, and
//   RFC 8949 for CBOR
import type { CloudWatchAnswer } from '../cloudwatch-api.ts';

/** What tells protocols apart; header names in small letters. */
export interface RequestHead {
  readonly path: string;
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined };
}

const MESSAGE =
  'dyno-load answers CloudWatch in AWS JSON 1.0 only, as the AWS SDK for JavaScript speaks it; this client speaks another protocol.';

/** The answer to a request in another of CloudWatch's protocols; undefined for all other requests. */
export function refuseOtherProtocol({ path, headers }: RequestHead): CloudWatchAnswer | undefined {
  if (path.startsWith('/service/GraniteServiceVersion20100801/operation/')) return cborAnswer();
  const type = headers['content-type'];
  return typeof type === 'string' && type.startsWith('application/x-www-form-urlencoded')
    ? xmlAnswer()
    : undefined;
}

function xmlAnswer(): CloudWatchAnswer {
  return {
    status: 400,
    headers: { 'content-type': 'text/xml' },
    body:
      '<ErrorResponse xmlns="http://monitoring.amazonaws.com/doc/2010-08-01/"><Error><Type>Sender</Type>' +
      `<Code>UnsupportedProtocol</Code><Message>${MESSAGE}</Message></Error></ErrorResponse>`,
  };
}

function cborAnswer(): CloudWatchAnswer {
  const members = [cborText('__type'), cborText('com.amazonaws.cloudwatch#UnsupportedProtocol')];
  const message = [cborText('message'), cborText(MESSAGE)];
  const mapOfTwo = Buffer.from([0xa2]);
  return {
    status: 400,
    headers: { 'content-type': 'application/cbor', 'smithy-protocol': 'rpc-v2-cbor' },
    body: Buffer.concat([mapOfTwo, ...members, ...message]),
  };
}

/** A text in CBOR (RFC 8949): major type 3, its length in one or two bytes. */
function cborText(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length = bytes.length;
  const head =
    length < 24 ? [0x60 + length] : length < 256 ? [0x78, length] : [0x79, length >> 8, length & 255];
  return Buffer.concat([Buffer.from(head), bytes]);
}
