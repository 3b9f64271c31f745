// DynamoDB sends a checksum with each answer; one that does not fit its body is no answer at all, whatever
// its status says.
// @see "DynamoDB low-level API", https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.LowLevelAPI.html
// (response header x-amz-crc32), read 2026-11-30
import { crc32 } from 'node:zlib';
import type { Outcome } from '../dynamodb/outcome.ts';
import { type HttpAnswer, headerValue } from '../http/attempt.ts';

/**
 * The failure of an answer whose body is not what was sent (CHECKSUM_MISMATCH); undefined where it is, or
 * nobody says.
 */
export function damageOf({ head, body }: HttpAnswer): Outcome | undefined {
  const expected = headerValue(head, 'x-amz-crc32');
  if (expected === undefined || Number(expected) === crc32(body)) return undefined;
  const message = `the answer of ${body.length} bytes does not have the checksum ${expected.slice(0, 20)} that came with it`;
  return { kind: 'failed', code: 'CHECKSUM_MISMATCH', message };
}
