// Aim: requests are put together rightly however the network cuts them, and nothing is kept beyond the
// limits. Method: a stream of several requests cut at every place and at random ones; heads that must be
// refused are in the end-to-end tests.
import { describe, expect, test } from 'vitest';
import { CounterRandom, streamKey } from '../../../../src/prng.ts';
import { readRequestHead } from '../../../../src/serve/wire/request-head.ts';
import { RequestParser } from '../../../../src/serve/wire/request-parser.ts';

const stream = Buffer.from(
  'POST / HTTP/1.1\r\nHost: x\r\nX-Amz-Target: A.b\r\nContent-Length: 5\r\n\r\nhello' +
    '\r\nPOST /two?x=y HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2;ext\r\nde\r\n0\r\nTrailer: x\r\n\r\n' +
    'GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n',
);

/** What a parser makes of pieces: target or path, and body, of each request. */
function parse(pieces: readonly Buffer[]): string[] {
  const parser = new RequestParser(1_000);
  const found: string[] = [];
  for (const piece of pieces) {
    parser.push(Buffer.from(piece));
    while (parser.state === 'complete') {
      const { head, body } = parser;
      found.push(`${head?.method} ${head?.target ?? head?.path} ${body.toString()}`);
      parser.next();
    }
    expect(parser.state).not.toBe('invalid');
  }
  expect(parser.state).toBe('idle');
  return found;
}

const expected = ['POST A.b hello', 'POST /two?x=y abcde', 'GET / '];

describe('a stream of requests', () => {
  test('is understood in one piece and byte by byte', () => {
    expect(parse([stream])).toEqual(expected);
    expect(parse([...stream].map((byte) => Buffer.from([byte])))).toEqual(expected);
  });

  test('is understood wherever it is cut', () => {
    for (let cut = 1; cut < stream.length; cut++)
      expect(parse([stream.subarray(0, cut), stream.subarray(cut)])).toEqual(expected);
  });

  test('is understood in random pieces', () => {
    const random = new CounterRandom(streamKey(1, 'pieces'));
    for (let round = 0; round < 200; round++) {
      const pieces: Buffer[] = [];
      for (let at = 0; at < stream.length; ) {
        const length = 1 + Math.floor(random.float() * 40);
        pieces.push(stream.subarray(at, at + length));
        at += length;
      }
      expect(parse(pieces)).toEqual(expected);
    }
  });

  test('waits, while a request is complete, until it is gone on to', () => {
    const parser = new RequestParser(1_000);
    parser.push(stream.subarray(0, stream.length - 30));
    expect(parser.body.toString()).toBe('hello');
    parser.push(stream.subarray(stream.length - 30));
    expect(parser.body.toString()).toBe('hello');
    parser.next();
    expect(parser.body.toString()).toBe('abcde');
  });
});

describe('limits', () => {
  test.each([
    ['a length beyond the limit', 'Content-Length: 1001\r\n\r\n', 'tooLarge'],
    ['chunks beyond the limit', `Transfer-Encoding: chunked\r\n\r\n3e9\r\n${'x'.repeat(1_001)}`, 'tooLarge'],
    ['a body at the limit', `Content-Length: 1000\r\n\r\n${'x'.repeat(1_000)}`, 'complete'],
    ['a head beyond its limit', `a: ${'b'.repeat(16_400)}`, 'invalid'],
    [
      'more chunks than make sense',
      `Transfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(70_000)}`,
      'invalid',
    ],
  ])('%s', (_, rest, state) => {
    const parser = new RequestParser(_.startsWith('more') ? 1_000_000 : 1_000);
    parser.push(Buffer.from(`POST / HTTP/1.1\r\nHost: x\r\n${rest}`));
    expect(parser.state).toBe(state);
  });
});

test.each([
  ['TLS', Buffer.from([0x16, 3, 1, 2, 0, 1]), 'invalid'],
  ['a blank line, then TLS', Buffer.from('\r\n\x16\x03'), 'invalid'],
  ['no method', Buffer.from('{"a":'), 'invalid'],
  ['a method, as yet', Buffer.from('PO'), 'incomplete'],
  ['a method in lower case, as yet', Buffer.from('po'), 'incomplete'],
])('%s: nobody waits for more than it takes to tell', (_, piece, state) => {
  expect(new RequestParser(1_000).push(piece)).toBe(state);
});

describe('a head', () => {
  const head = (...lines: string[]) => readRequestHead(['POST / HTTP/1.1', 'Host: x', ...lines].join('\r\n'));

  test('tells whether the connection lives on, by version and by what it says', () => {
    expect(head()).toMatchObject({ isKeptAlive: true, bodyEnd: 0 });
    expect(head('Connection: Close')).toMatchObject({ isKeptAlive: false });
    expect(readRequestHead('POST / HTTP/1.0')).toMatchObject({ isKeptAlive: false });
    expect(readRequestHead('POST / HTTP/1.0\r\nConnection: keep-alive')).toMatchObject({ isKeptAlive: true });
  });

  test('may say its length twice, if it says the same', () => {
    expect(head('Content-Length: 3', 'content-length: 3')).toMatchObject({ bodyEnd: 3 });
    expect(head('Content-Length: 3', 'content-length: 4')).toHaveProperty('problem');
  });

  test.each<[string, readonly string[]]>([
    ['another host', ['Host: y']],
    ['two targets', ['X-Amz-Target: A.b', 'x-amz-target: A.c']],
    ['two types', ['Content-Type: a/b', 'content-type: c/d']],
    ['a NUL in a value', ['a: b\0c']],
    ['an escape in a value', ['a: \x1b[0m']],
    ['a delete in a value', ['a: \x7f']],
    ['a carriage return alone', ['a: b\rc: d']],
    ['a line feed alone', ['a: b\nc: d']],
    ['a compressed body', ['Content-Encoding: gzip']],
    ['an expectation that is not known', ['Expect: 200-ok']],
  ])('is refused with %s', (_, lines) => {
    expect(head(...lines)).toHaveProperty('problem');
  });

  test('may hold tabs, letters beyond ASCII, the same target twice and an identity coding', () => {
    const found = head(
      'a: \tb',
      'b: é',
      'X-Amz-Target: A.b',
      'x-amz-target: A.b',
      'Content-Encoding: identity',
    );
    expect(found).toMatchObject({ target: 'A.b' });
  });

  test('needs a host from HTTP/1.1 on', () => {
    expect(readRequestHead('POST / HTTP/1.1')).toHaveProperty('problem');
    expect(readRequestHead('POST / HTTP/1.0')).not.toHaveProperty('problem');
  });

  test('of HEAD ends the connection, as its answer must not have the body that it gets', () => {
    expect(readRequestHead('HEAD / HTTP/1.1\r\nHost: x')).toMatchObject({ isKeptAlive: false });
  });
});
