// Aim: how the network cuts an answer never changes what is read. Method: every answer is cut at every byte, and at random places.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ResponseParser } from '../../../src/http/response-parser.ts';

const answers = [
  'HTTP/1.1 200 OK\r\nContent-Type: x\r\nContent-Length: 11\r\n\r\n{"a":"b\r\n"}',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhe\r\nl\r\nb;x=y\r\nlo, chunks!\r\n0\r\nT: t\r\n\r\n',
  'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 400 Bad Request\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}',
  'HTTP/1.1 200 OK\r\n\r\nuntil the connection closes',
].map((text) => Buffer.from(text, 'latin1'));

function read(pieces: readonly Buffer[]): unknown {
  const parser = new ResponseParser(1_000);
  for (const piece of pieces) if (piece.length > 0) parser.push(piece);
  const state = parser.end();
  return { state, answer: parser.answer, isReusable: parser.isReusable };
}

function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...places, bytes.length].sort((a, b) => a - b);
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

test('an answer cut in two at any byte reads as the whole one', () => {
  for (const bytes of answers) {
    const whole = read([bytes]);
    expect(whole).toMatchObject({ state: 'complete' });
    for (let at = 0; at <= bytes.length; at++) expect(read(cut(bytes, [at]))).toEqual(whole);
  }
});

test('an answer that comes byte by byte reads as the whole one', () => {
  for (const bytes of answers)
    expect(read([...bytes].map((byte) => Buffer.from([byte])))).toEqual(read([bytes]));
});

test('an answer cut at random places reads as the whole one', () => {
  fc.assert(
    fc.property(fc.constantFrom(...answers), fc.array(fc.nat(200), { maxLength: 8 }), (bytes, places) => {
      expect(
        read(
          cut(
            bytes,
            places.filter((at) => at <= bytes.length),
          ),
        ),
      ).toEqual(read([bytes]));
    }),
    { seed: 7 },
  );
});

test('no bytes at all make the parser throw', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...answers),
      fc.uint8Array({ maxLength: 60 }),
      fc.nat(60),
      (bytes, noise, at) => {
        const mangled = Buffer.concat([bytes.subarray(0, at), noise, bytes.subarray(at)]);
        read(cut(mangled, [at]));
      },
    ),
    { seed: 8, numRuns: 500 },
  );
});
