// Aim: an answer that was damaged on its way is a failure and not an outcome. Method: bodies with the right,
// a wrong and no checksum.
import { expect, test } from 'vitest';
import { damageOf } from '../../../src/aws/answer-checksum.ts';

const head = (header: string) => `HTTP/1.1 200 OK\r\ncontent-length: 9${header}`;
const body = Buffer.from('123456789');

// The checksum of "123456789" is the check value in the definition of this CRC: cbf43926, 3,421,780,262.
test.each([
  ['the right checksum', '\r\nx-amz-crc32: 3421780262', undefined],
  ['the right checksum under another case', '\r\nX-Amz-Crc32: 3421780262', undefined],
  ['no checksum', '', undefined],
  ['a wrong checksum', '\r\nx-amz-crc32: 3421780263', 'CHECKSUM_MISMATCH'],
  ['something else in its place', '\r\nx-amz-crc32: cbf43926', 'CHECKSUM_MISMATCH'],
])('%s', (_, header, code) => {
  const damage = damageOf({ status: 200, head: head(header), body });
  expect(damage?.kind === 'failed' ? damage.code : damage).toBe(code);
});

test('an empty body has checksum 0', () => {
  const answer = { status: 200, head: head('\r\nx-amz-crc32: 0'), body: Buffer.alloc(0) };
  expect(damageOf(answer)).toBeUndefined();
});
