// Aim: how the network cuts an answer never changes what is read, and nothing that a server sends makes the
// parser throw, hang or hoard.
// Method: answers cut at every byte and at random places; generated answers, hostile heads and noise, with
// the states it may be in. The memory of each piece is overwritten once it was handed over, as that of a
// connection is.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ResponseParser } from '../../../src/http/response-parser.ts';

const answers = [
  'HTTP/1.1 200 OK\r\nContent-Type: x\r\nContent-Length: 11\r\n\r\n{"a":"b\r\n"}',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhe\r\nl\r\nb;x=y\r\nlo, chunks!\r\n0\r\nT: t\r\n\r\n',
  'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 400 Bad Request\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}',
  'HTTP/1.1 200 OK\r\n\r\nuntil the connection closes',
].map((text) => Buffer.from(text, 'latin1'));

function pushAll(parser: ResponseParser, pieces: readonly Buffer[]): void {
  for (const piece of pieces) {
    if (piece.length === 0) continue;
    const memory = Buffer.from(piece);
    parser.push(memory);
    memory.fill('#');
  }
}

function read(pieces: readonly Buffer[]): unknown {
  const parser = new ResponseParser(1_000);
  pushAll(parser, pieces);
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

/** Valid answers of every framing, with headers and bodies of any bytes. */
const headerLine = fc
  .tuple(fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,20}$/), fc.stringMatching(/^[ -~]{0,30}$/))
  .filter(([name]) => !/^(content-length|transfer-encoding|connection)$/i.test(name))
  .map(([name, value]) => `${name}: ${value}\r\n`);
const anyAnswer = fc
  .record({
    status: fc.constantFrom(200, 400, 413, 500, 503),
    headers: fc.array(headerLine, { maxLength: 5 }),
    body: fc.uint8Array({ maxLength: 300 }),
    chunkSizes: fc.option(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 })),
    interim: fc.boolean(),
  })
  .map(({ status, headers, body, chunkSizes, interim }) => {
    const start = `${interim ? 'HTTP/1.1 100 Continue\r\n\r\n' : ''}HTTP/1.1 ${status} Some Reason\r\n${headers.join('')}`;
    const framed = chunkSizes ? chunked(body, chunkSizes) : Buffer.from(body);
    const length = chunkSizes ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`;
    return {
      status,
      body,
      bytes: Buffer.concat([Buffer.from(`${start}${length}\r\n\r\n`, 'latin1'), framed]),
    };
  });

function chunked(body: Uint8Array, sizes: readonly number[]): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0, turn = 0; at < body.length; turn++) {
    const part = body.subarray(at, at + (sizes[turn % sizes.length] ?? 1));
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), Buffer.from(part), Buffer.from('\r\n'));
    at += part.length;
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
}

test('a generated answer, cut anywhere, gives its status and its very body, and leaves the connection fit for more', () => {
  fc.assert(
    fc.property(anyAnswer, fc.array(fc.nat(800), { maxLength: 10 }), ({ status, body, bytes }, places) => {
      const cuts = places.filter((at) => at <= bytes.length);
      const parser = new ResponseParser(1_000);
      pushAll(parser, cut(bytes, cuts));
      expect(parser.answer?.status).toBe(status);
      expect(parser.answer?.body.equals(Buffer.from(body))).toBe(true);
      expect(parser.isReusable).toBe(true);
    }),
    { seed: 9, numRuns: 1_000 },
  );
});

/** Heads that a broken or hostile server might send: lengths, framings and lines that do not fit. */
const hostileLine = fc.constantFrom(
  'Content-Length: 0',
  'Content-Length: 5',
  'Content-Length: -1',
  'Content-Length: 1e9',
  'Content-Length: 0x10',
  'Content-Length: 99999999999999999999',
  'Content-Length: 999999999999999',
  'Content-Length: 5, 5',
  'Content-Length : 5',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: identity',
  'Connection: close, keep-alive',
  'Connection:',
  ': nothing',
  'no colon',
  '',
  ' folded: line',
  'x: \u0000\u007f\u00ff',
  `x: ${'y'.repeat(5_000)}`,
);
const hostileStart = fc.constantFrom(
  'HTTP/1.1 200 OK',
  'HTTP/1.0 200 OK',
  'HTTP/1.1 200',
  'HTTP/1.1 204 No Content',
  'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints',
  'HTTP/1.1 000 ?',
  'HTTP/1.1 2000 OK',
  'HTTP/2 200',
  'HTTP/1.1200 OK',
  'http/1.1 200 OK',
);
const hostileBody = fc.constantFrom(
  '',
  'five!',
  '5\r\nfive!\r\n0\r\n\r\n',
  'ffffffff\r\nx',
  'fffffffff\r\nx',
  '-1\r\n',
  '5;a="\r\n',
  '5\nfive!\n0\n\n',
  '0\r\n: trailer\r\n\r\n',
);
const hostileAnswer = fc
  .tuple(hostileStart, fc.array(hostileLine, { maxLength: 6 }), fc.constantFrom('\r\n', '\n'), hostileBody)
  .map(([start, lines, lineEnd, body]) => Buffer.from([start, ...lines, '', body].join(lineEnd), 'latin1'));
const noise = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
const mangled = fc
  .tuple(fc.constantFrom(...answers), fc.uint8Array({ maxLength: 60 }), fc.nat(100), fc.nat(20))
  .map(([bytes, extra, at, lost]) =>
    Buffer.concat([bytes.subarray(0, at), extra, bytes.subarray(at + lost)]),
  );

test('whatever comes, the parser neither throws nor hangs, and ends with an answer or a reason', () => {
  fc.assert(
    fc.property(
      fc.oneof(hostileAnswer, mangled, noise),
      fc.array(fc.nat(400), { maxLength: 6 }),
      (bytes, places) => {
        const parser = new ResponseParser(1_000);
        const cuts = places.filter((at) => at <= bytes.length);
        for (const piece of cut(bytes, cuts)) if (piece.length > 0) parser.push(piece);
        const state = parser.end();
        expect(state).toMatch(/^(complete|invalid)$/);
        expect([parser.answer !== undefined, parser.failure !== undefined]).toEqual(
          state === 'complete' ? [true, false] : [false, true],
        );
        if (parser.answer) expect(parser.answer.body.length).toBeLessThanOrEqual(1_000);
      },
    ),
    { seed: 10, numRuns: 5_000 },
  );
});

test('whatever came before, after a reset the next answer is read as it is', () => {
  const next = answers[0] ?? Buffer.alloc(0);
  fc.assert(
    fc.property(fc.oneof(hostileAnswer, mangled, noise), (bytes) => {
      const parser = new ResponseParser(1_000);
      parser.push(bytes);
      parser.reset();
      expect(parser.push(next)).toBe('complete');
      expect({ state: parser.end(), answer: parser.answer, isReusable: parser.isReusable }).toEqual(
        read([next]),
      );
    }),
    { seed: 11, numRuns: 1_000 },
  );
});

test.each<[string, string, string]>([
  ['a head', 'HTTP/1.1 200 OK\r\n', 'x: y\r\n'],
  ['a status line', 'HTTP/1.1 200 ', 'O'],
  ['a body up to the close', 'HTTP/1.1 200 OK\r\n\r\n', 'more'],
  ['chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', '1\r\nx\r\n'],
  ['a chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffff\r\n', 'x'],
  ['the size of a chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', '5;x'],
  ['trailers', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n', 'x: y\r\n'],
])('%s without an end is given up before a megabyte has come', (_, start, more) => {
  const parser = new ResponseParser(100_000);
  let state = parser.push(Buffer.from(start));
  const piece = Buffer.from(more.repeat(Math.ceil(1_000 / more.length)));
  for (let count = 0; count < 1_000 && state === 'incomplete'; count++) state = parser.push(piece);
  expect(state).toBe('invalid');
});

test('chunks of one byte do not pile up beyond their bound', () => {
  const parser = new ResponseParser(64 * 1_024 ** 2);
  parser.push(Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'));
  const piece = Buffer.from('1\r\nx\r\n'.repeat(1_000));
  let pieces = 0;
  while (parser.push(piece) === 'incomplete') pieces++;
  // 16,384 chunks and one for each 64 bytes: 16,384 ÷ (1 − 1/64) = 16,644 chunks of one byte.
  expect(pieces).toBe(16);
  expect(parser.failure?.code).toBe('ANSWER_TOO_LARGE');
});

test('interim answers in any number are passed over', () => {
  const many = Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'.repeat(100_000));
  const parser = new ResponseParser(1_000);
  expect(parser.push(many)).toBe('incomplete');
  expect(parser.push(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'))).toBe('complete');
});
