// Aim: whole answers come out of every legal framing, and nothing that is not HTTP passes. Method: bytes in,
// state and answer out.
import { expect, test } from 'vitest';
import { headerValue } from '../../../src/http/attempt.ts';
import { ResponseParser } from '../../../src/http/response-parser.ts';

function parse(text: string, maxAnswerBytes = 1_000): ResponseParser {
  const parser = new ResponseParser(maxAnswerBytes);
  parser.push(Buffer.from(text, 'latin1'));
  return parser;
}

test.each([
  ['a body by its length', 'HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nbody', 200, 'body', true],
  ['an empty body', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', 200, '', true],
  ['no reason phrase', 'HTTP/1.1 400\r\nCONTENT-LENGTH:2\r\n\r\n{}', 400, '{}', true],
  [
    'a server that closes after it',
    'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\n1',
    200,
    '1',
    false,
  ],
  ['HTTP/1.0, which closes by default', 'HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\n1', 200, '1', false],
  [
    'HTTP/1.0 kept alive',
    'HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 1\r\n\r\n1',
    200,
    '1',
    true,
  ],
  [
    'chunks',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n',
    200,
    'abc0123456789',
    true,
  ],
  [
    'chunks with extension and trailer',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: Chunked\r\n\r\n1;a=b\r\nx\r\n0\r\nT: v\r\n\r\n',
    200,
    'x',
    true,
  ],
  [
    'an interim answer first',
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
    200,
    'ok',
    true,
  ],
  ['no content', 'HTTP/1.1 204 No Content\r\n\r\n', 204, '', true],
])('reads %s', (_name, text, status, body, isReusable) => {
  const parser = parse(text);
  expect(parser.answer?.status).toBe(status);
  expect(parser.answer?.body.toString()).toBe(body);
  expect(parser.isReusable).toBe(isReusable);
});

test.each([
  ['a banner of another protocol', 'SSH-2.0-OpenSSH_9.6\r\n', 'NOT_HTTP'],
  ['its first wrong byte', 'HTTQ', 'NOT_HTTP'],
  ['HTTP/2 on the same port', 'HTTP/2 200\r\n\r\n', 'NOT_HTTP'],
  ['a status without digits', 'HTTP/1.1 OK\r\n\r\n', 'NOT_HTTP'],
  ['a header without a colon', 'HTTP/1.1 200 OK\r\nnonsense\r\n\r\n', 'NOT_HTTP'],
  [
    'two lengths that differ',
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    'NOT_HTTP',
  ],
  ['a negative length', 'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n', 'NOT_HTTP'],
  ['an encoding we did not ask for', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n', 'NOT_HTTP'],
  [
    'a chunk size that is no number',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n',
    'NOT_HTTP',
  ],
  [
    'a chunk that does not end where it said',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n',
    'NOT_HTTP',
  ],
  ['a head without end', `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(12_000)}`, 'NOT_HTTP'],
  ['an announced body over the limit', 'HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n', 'ANSWER_TOO_LARGE'],
  [
    'chunks over the limit',
    `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3E9\r\n${'x'.repeat(1_001)}`,
    'ANSWER_TOO_LARGE',
  ],
  ['an endless body over the limit', `HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(1_001)}`, 'ANSWER_TOO_LARGE'],
])('refuses %s', (_name, text, code) => {
  const parser = parse(text);
  expect(parser.failure?.code).toBe(code);
  expect(parser.answer).toBeUndefined();
});

test('names the bytes that are not HTTP, without control characters', () => {
  expect(parse('\x00\x01MySQL').failure?.message).toContain('"..MySQL"');
});

test('a body without a length ends with the connection', () => {
  const parser = parse('HTTP/1.1 200 OK\r\n\r\npart');
  expect(parser.answer).toBeUndefined();
  expect(parser.end()).toBe('complete');
  expect(parser.answer?.body.toString()).toBe('part');
  expect(parser.isReusable).toBe(false);
});

test('a connection that closes inside a body gives no answer', () => {
  const parser = parse('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\npart');
  expect(parser.end()).toBe('invalid');
  expect(parser.failure?.code).toBe('CONNECTION_CLOSED');
});

test('bytes behind the answer make the connection unfit for another request', () => {
  expect(parse('HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n1HTTP/1.1 200').isReusable).toBe(false);
});

test('one parser reads answer after answer', () => {
  const parser = new ResponseParser(100);
  for (const body of ['first', 'second']) {
    parser.reset();
    parser.push(Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n`));
    parser.push(Buffer.from(body));
    expect(parser.answer?.body.toString()).toBe(body);
  }
});

test('finds header values whatever their case, and only whole names', () => {
  const head = 'HTTP/1.1 200 OK\r\nX-Date: no\r\nDate:  Mon \r\nServer:x';
  expect([headerValue(head, 'date'), headerValue(head, 'server'), headerValue(head, 'ate')]).toEqual([
    'Mon',
    'x',
    undefined,
  ]);
});
