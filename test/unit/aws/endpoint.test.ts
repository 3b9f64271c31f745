// Aim: targets as users write them are understood, AWS is known by its hosts, and credentials are renewed in time and never shown.
// Method: texts in, values out; a chain of credentials that counts how often it is asked.
import { expect, test } from 'vitest';
import { CredentialSource } from '../../../src/aws/credentials.ts';
import { endpointText, isAwsHost, parseEndpointUrl, regionOfHost } from '../../../src/aws/endpoint.ts';
import { quietNodeVersionWarning } from '../../../src/aws/node-version-warning.ts';
import { targetError, troubleOfSdk } from '../../../src/aws/target-error.ts';
import { formatError } from '../../../src/errors.ts';

test.each([
  ['http://localhost:8000', 'http://localhost:8000'],
  ['localhost:8000', 'http://localhost:8000'],
  ['127.0.0.1:4567', 'http://127.0.0.1:4567'],
  ['https://gateway.example/dynamodb', 'https://gateway.example/dynamodb'],
  ['http://[::1]:8000', 'http://[::1]:8000'],
])('takes %s', (text, expected) => {
  expect(endpointText(parseEndpointUrl(text))).toBe(expected);
});

test.each([
  '',
  'ftp://host',
  'http://',
  'http://host?x=1',
  'http://host#x',
  'http://user:SECRET@host',
  'not a url',
])('refuses "%s", without repeating a password', (text) => {
  expect(() => parseEndpointUrl(text)).toThrow(expect.objectContaining({ code: 'USAGE' }));
  expect(() => parseEndpointUrl(text)).not.toThrow(/SECRET/);
});

test.each([
  ['dynamodb.eu-west-1.amazonaws.com', true, 'eu-west-1'],
  ['dynamodb.cn-north-1.amazonaws.com.cn', true, 'cn-north-1'],
  ['dynamodb.us-gov-west-1.amazonaws.com', true, 'us-gov-west-1'],
  ['vpce-0a1b-xyz.dynamodb.us-east-2.vpce.amazonaws.com', true, 'us-east-2'],
  ['123456789012.ddb.ap-southeast-2.amazonaws.com', true, 'ap-southeast-2'],
  ['dynamodb.eu-central-1.api.aws', true, 'eu-central-1'],
  ['localhost', false, undefined],
  ['amazonaws.com.evil.example', false, undefined],
  ['notamazonaws.com', false, undefined],
])('%s: AWS %s, region %s', (host, isAws, region) => {
  expect(isAwsHost(host)).toBe(isAws);
  expect(regionOfHost(host)).toBe(region);
});

const MINUTE_MS = 60_000;

test('credentials are renewed in the background five minutes before they expire', async () => {
  let asked = 0;
  const source = new CredentialSource(
    { accessKeyId: 'old', secretAccessKey: 's', expiration: new Date(60 * MINUTE_MS) },
    async () => {
      asked += 1;
      return { accessKeyId: 'new', secretAccessKey: 's', expiration: new Date(120 * MINUTE_MS) };
    },
  );
  expect(source.current(54 * MINUTE_MS).accessKeyId).toBe('old');
  expect(asked).toBe(0);
  expect(source.current(55 * MINUTE_MS).accessKeyId).toBe('old');
  source.current(55 * MINUTE_MS + 1);
  await Promise.resolve();
  expect(asked).toBe(1);
  expect(source.current(55 * MINUTE_MS + 2).accessKeyId).toBe('new');
  source.current(114 * MINUTE_MS);
  expect(asked).toBe(1);
});

test('a renewal that fails keeps the old credentials and is tried again half a minute later', async () => {
  let asked = 0;
  const source = new CredentialSource(
    { accessKeyId: 'old', secretAccessKey: 's', expiration: new Date(0) },
    () => {
      asked += 1;
      return Promise.reject(new Error('no network'));
    },
  );
  for (const atMs of [0, 10_000, 29_999, 30_000]) {
    expect(source.current(atMs).accessKeyId).toBe('old');
    await Promise.resolve();
  }
  expect(asked).toBe(2);
});

test('credentials without an end are never asked for again, and the object stays the same', () => {
  const source = new CredentialSource({ accessKeyId: 'a', secretAccessKey: 's' }, () => expect.fail('asked'));
  expect(source.current(Number.MAX_SAFE_INTEGER)).toBe(source.current(0));
});

test.each([
  ['ECONNREFUSED', 'TARGET_UNREACHABLE', /start the server/],
  ['ENOTFOUND', 'TARGET_UNREACHABLE', /spelling/],
  ['ATTEMPT_TIMED_OUT', 'TARGET_UNREACHABLE', /network/],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'TARGET_UNREACHABLE', /NODE_EXTRA_CA_CERTS/],
  ['NOT_HTTP', 'TARGET_NOT_DYNAMODB', /port/],
  ['HTTP_404', 'TARGET_NOT_DYNAMODB', /port/],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'TARGET_NOT_DYNAMODB', /http or https/],
  ['ExpiredTokenException', 'TARGET_REJECTED', /aws sso login/],
  ['AccessDeniedException', 'TARGET_REJECTED', /grant/],
  ['LimitExceededException', 'TARGET_REJECTED', /emulator/],
])('%s before load is %s with a fix', (code, expected, fix) => {
  const error = targetError('cannot speak to http://x', { code, message: 'm' });
  expect(error.code).toBe(expected);
  expect(formatError(error)).toMatch(fix);
  expect(error.what).toBe(`cannot speak to http://x: ${code}, m`);
});

test.each([
  [Object.assign(new Error('Parse Error'), { code: 'HPE_INVALID_CONSTANT' }), 'NOT_HTTP'],
  [new SyntaxError('Unexpected token <'), 'BAD_JSON'],
  [Object.assign(new Error('x'), { name: 'TimeoutError' }), 'ATTEMPT_TIMED_OUT'],
  [Object.assign(new Error('x'), { name: 'UnknownError', $metadata: { httpStatusCode: 404 } }), 'HTTP_404'],
  [
    Object.assign(new Error('x'), { name: 'LimitExceededException', $metadata: { httpStatusCode: 400 } }),
    'LimitExceededException',
  ],
  ['a string', 'UNKNOWN'],
])('an SDK error %s reads as %s', (error, code) => {
  expect(troubleOfSdk(error).code).toBe(code);
});

test('the notice about Node versions is turned off, unless the user wants it', () => {
  const name = 'AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED';
  const empty: NodeJS.ProcessEnv = {};
  const set: NodeJS.ProcessEnv = { [name]: 'false' };
  quietNodeVersionWarning(empty);
  quietNodeVersionWarning(set);
  expect([empty[name], set[name]]).toEqual(['true', 'false']);
});
