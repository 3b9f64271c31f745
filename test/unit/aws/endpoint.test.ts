// Aim: targets as users write them are understood, AWS is known by its hosts, and credentials are renewed in
// time and never shown.
// Method: texts in, values out; a chain of credentials that counts how often it is asked.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { CredentialSource, resolveEndpoint } from '../../../src/aws/credentials.ts';
import {
  canonicalHost,
  type Endpoint,
  endpointText,
  isAwsHost,
  isLoopbackHost,
  isSameServer,
  parseEndpointUrl,
  regionOfHost,
} from '../../../src/aws/endpoint.ts';
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
  ['dynamodb.eu-west-1.amazonaws.com.', true, 'eu-west-1'],
  ['dynamodb.eu-west-1.amazonaws.com..', true, 'eu-west-1'],
  ['DynamoDB.EU-West-1.AmazonAWS.com', true, 'eu-west-1'],
  ['dynamodb。eu-west-1．ａｍａｚｏｎａｗｓ.com。', true, 'eu-west-1'],
  ['dynamodb.eusc-de-east-1.amazonaws.eu', true, 'eusc-de-east-1'],
  ['dynamodb.us-iso-east-1.c2s.ic.gov', true, 'us-iso-east-1'],
  ['localhost', false, undefined],
  ['amazonaws.com.evil.example', false, undefined],
  ['notamazonaws.com', false, undefined],
])('%s: AWS %s, region %s', (host, isAws, region) => {
  expect(isAwsHost(host)).toBe(isAws);
  expect(regionOfHost(host)).toBe(region);
});

test.each([
  'https://dynamodb.eu-west-1.amazonaws.com.',
  'https://DYNAMODB.eu-west-1.amazonaws.COM',
  'https://dynamodb.eu-west-1.%61mazonaws.com',
  'https://dynamodb\u3002eu-west-1\u3002amazonaws\uff0ecom\u3002:443/',
])('%s is AWS, however it is written', (text) => {
  expect(isAwsHost(parseEndpointUrl(text).hostname)).toBe(true);
});

test.each([
  ['http://localhost:8000', true],
  ['http://LOCALHOST.', true],
  ['http://127.0.0.1', true],
  ['http://127.255.3.4', true],
  ['http://2130706433', true],
  ['http://[::1]:8000', true],
  ['http://[0:0:0:0:0:0:0:1]', true],
  ['http://127.0.0.1.example', false],
  ['http://localhost.example', false],
  ['http://dynamodb', false],
  ['http://0.0.0.0', false],
  ['http://10.0.0.1', false],
  ['http://[2001:db8::1]', false],
])('%s is this machine: %s', (text, expected) => {
  expect(isLoopbackHost(parseEndpointUrl(text).hostname)).toBe(expected);
});

test('what no resolver would take stays as it is', () => {
  expect(canonicalHost('[::1]')).toBe('[::1]');
  expect(canonicalHost('a b')).toBe('a b');
});

describe('a request goes to the endpoint', () => {
  const at = (url: string): Endpoint => ({
    url: new URL(url),
    region: 'eu-west-1',
    credentials: new CredentialSource({ accessKeyId: 'a', secretAccessKey: 's' }),
    isAws: isAwsHost(new URL(url).hostname),
    notes: [],
  });
  const aws = 'https://dynamodb.eu-west-1.amazonaws.com';

  test.each([
    ['http://localhost:8000', 'http://localhost:8000/', true],
    ['http://localhost:8000', 'http://LOCALHOST.:8000/', true],
    ['http://localhost', 'http://localhost:80', true],
    ['http://localhost:8000', 'http://localhost:8001', false],
    ['http://localhost:8000', 'http://127.0.0.1:8000', false],
    ['http://localhost:8000', aws, false],
    [aws, 'https://123456789012.ddb.eu-west-1.amazonaws.com', true],
    [aws, 'https://dynamodb-fips.eu-west-1.amazonaws.com.', true],
    ['https://vpce-1.dynamodb.eu-west-1.vpce.amazonaws.com', aws, true],
    [aws, 'https://dynamodb.us-east-1.amazonaws.com', false],
    [aws, 'http://localhost:8000', false],
  ])('at %s, sent to %s: %s', (endpoint, to, expected) => {
    expect(isSameServer(at(endpoint), new URL(to))).toBe(expected);
  });
});

describe('a region', () => {
  afterEach(() => void vi.unstubAllEnvs());
  const none = ['x@evil.example/', '../evil', 'EU-WEST-1', 'eu west', 'eu-west-1.evil.example'];
  const refused = expect.objectContaining({ code: 'USAGE', fix: expect.stringContaining('eu-west-1') });

  test.each(['', ...none])('%j as an option is refused', async (region) => {
    for (const target of ['aws', 'http://localhost:1'])
      await expect(resolveEndpoint({ target, region })).rejects.toEqual(refused);
  });

  test.each(none)('%j in the environment is refused', async (region) => {
    vi.stubEnv('AWS_REGION', region);
    for (const target of ['aws', 'http://localhost:1'])
      await expect(resolveEndpoint({ target })).rejects.toEqual(refused);
  });

  test.each(none)('%j in a profile is refused', async (region) => {
    vi.stubEnv('AWS_REGION', undefined);
    const folder = await mkdtemp(join(tmpdir(), 'dyno-load-profile-'));
    await writeFile(join(folder, 'config'), `[profile odd]\nregion = ${region}\n`);
    vi.stubEnv('AWS_CONFIG_FILE', join(folder, 'config'));
    await expect(resolveEndpoint({ target: 'aws', profile: 'odd' })).rejects.toEqual(refused);
    await rm(folder, { recursive: true });
  });
});

test('made-up credentials are known as such, others are not', async () => {
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_PROFILE'])
    vi.stubEnv(name, undefined);
  for (const name of ['AWS_CONFIG_FILE', 'AWS_SHARED_CREDENTIALS_FILE']) vi.stubEnv(name, '/nothing/there');
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
  const target = { target: 'http://localhost:1', region: 'eu-west-1' };
  expect((await resolveEndpoint(target)).credentials.areMadeUp).toBe(true);
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'dynoload');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'dynoload');
  expect((await resolveEndpoint(target)).credentials.areMadeUp).toBe(false);
  vi.unstubAllEnvs();
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
