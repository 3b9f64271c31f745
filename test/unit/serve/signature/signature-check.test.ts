// Aim: a request passes when it is signed as the AWS SDK and our own client sign, and else is refused in DynamoDB's
// words. Method: both signers over requests with headers in several orders; signatures changed in one place each.
import { SignatureV4 } from '@smithy/signature-v4';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Sigv4Signer } from '../../../../src/http/sigv4.ts';
import { type AccessKey, SignatureCheck } from '../../../../src/serve/signature/signature-check.ts';
import { SignatureError } from '../../../../src/serve/signature/signature-error.ts';
import type { HttpRequest } from '../../../../src/serve/wire/server-connection.ts';
import { readRequestHead } from '../../../../src/serve/wire/request-head.ts';
import { Sha256 } from '../../../support/sdk-hash.ts';

const key: AccessKey = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
};
const nowMs = Date.UTC(2026, 10, 30, 12, 0, 0);
const target = 'DynamoDB_20120810.ListTables';

type Headers = Readonly<Record<string, string>>;

function requestOf(path: string, headers: Headers, body: string): HttpRequest {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = readRequestHead([`POST ${path} HTTP/1.1`, ...lines].join('\r\n'));
  if ('problem' in head) throw new Error(head.problem);
  return { head, body: Buffer.from(body) };
}

const plain: Headers = {
  host: '127.0.0.1:8000',
  'content-type': 'application/x-amz-json-1.0',
  'x-amz-target': target,
};

interface Signing {
  readonly atMs?: number;
  readonly with?: AccessKey;
  readonly service?: string;
  readonly path?: string;
  readonly body?: string;
  readonly headers?: Headers;
}

async function signed({
  atMs = nowMs,
  with: credentials = key,
  service = 'dynamodb',
  path = '/',
  body = '{}',
  headers = {},
}: Signing): Promise<Record<string, string>> {
  const signer = new SignatureV4({
    service,
    region: 'eu-central-1',
    credentials,
    sha256: Sha256,
    applyChecksum: false,
  });
  const request = await signer.sign(
    {
      method: 'POST',
      protocol: 'http:',
      hostname: '127.0.0.1',
      path,
      headers: { ...plain, ...headers },
      body,
    },
    { signingDate: new Date(atMs) },
  );
  return request.headers;
}

/** What the check makes of a request: `passes`, or type and message. */
function verdict(request: HttpRequest, { keys = [key], service = 'dynamodb' } = {}): string {
  try {
    new SignatureCheck(keys, () => nowMs).check(request, service);
    return 'passes';
  } catch (error) {
    if (error instanceof SignatureError) return `${error.type}: ${error.message}`;
    throw error;
  }
}

describe('signed by the SDK', () => {
  test('a request passes whatever the order and the case of its headers', async () => {
    const headers = Object.entries(await signed({ headers: { 'x-amz-user-agent': 'a   b' } }));
    fc.assert(
      fc.property(
        fc.shuffledSubarray(headers, { minLength: headers.length }),
        fc.boolean(),
        (order, isUpper) => {
          const shown = order.map(([name, value]) => [isUpper ? name.toUpperCase() : name, value] as const);
          expect(verdict(requestOf('/', Object.fromEntries(shown), '{}'))).toBe('passes');
        },
      ),
      { numRuns: 50 },
    );
  });

  test.each<[string, Signing]>([
    ['to another path', { path: '/a b/../ä' }],
    ['with bytes beyond ASCII in its body', { body: '{"TableName":"ä€😀"}' }],
    ['with a session token', { with: { ...key, sessionToken: 'FwoGZXIvYXdzE+/==' } }],
    ['a little too early', { atMs: nowMs + 299_000 }],
    ['a little late', { atMs: nowMs - 299_000 }],
  ])('%s passes', async (_, signing) => {
    const path = encodeURI(signing.path ?? '/');
    const headers = await signed({ ...signing, path });
    expect(verdict(requestOf(path, headers, signing.body ?? '{}'))).toBe('passes');
  });

  test('for CloudWatch it passes there, and not at DynamoDB', async () => {
    const request = requestOf('/', await signed({ service: 'monitoring' }), '{}');
    expect(verdict(request, { service: 'monitoring' })).toBe('passes');
    expect(verdict(request)).toBe(
      "InvalidSignatureException: Credential should be scoped to correct service: 'dynamodb'. ",
    );
  });

  test('in its address it passes until it expires', async () => {
    const presigned = async (atMs: number) => {
      const signer = new SignatureV4({
        service: 'dynamodb',
        region: 'us-east-1',
        credentials: key,
        sha256: Sha256,
      });
      const { query = {}, headers } = await signer.presign(
        {
          method: 'POST',
          protocol: 'http:',
          hostname: '127.0.0.1',
          path: '/',
          headers: { ...plain },
          body: '{}',
        },
        { signingDate: new Date(atMs), expiresIn: 900 },
      );
      const pairs = Object.entries(query).map(
        ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`,
      );
      return requestOf(`/?${pairs.join('&')}`, headers, '{}');
    };
    expect(verdict(await presigned(nowMs - 899_000))).toBe('passes');
    expect(verdict(await presigned(nowMs - 901_000))).toBe(
      'InvalidSignatureException: Signature expired: 20261130T114459Z is now earlier than 20261130T114500Z (20261130T120000Z - 900 s)',
    );
  });
});

test('signed by our own client, a request passes', () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom('us-east-1', 'eu-west-3'), (body, region) => {
      const signer = new Sigv4Signer({ host: 'localhost:8000', path: '/', region, service: 'dynamodb' });
      const lines = signer.headerLines(target, body, key, nowMs).trimEnd().split('\r\n');
      const headers = Object.fromEntries(lines.map((line) => line.split(/: (.*)/).slice(0, 2)));
      expect(verdict(requestOf('/', { host: 'localhost:8000', ...headers }, body))).toBe('passes');
    }),
    { numRuns: 100 },
  );
});

const without = (name: string, headers: Headers): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name));

describe('refused is a request', () => {
  const mismatch = /^InvalidSignatureException: The request signature we calculated does not match/;

  test.each<[string, (headers: Record<string, string>) => Headers, RegExp]>([
    [
      'without any',
      (all) => without('authorization', all),
      /^MissingAuthenticationTokenException: Request is missing Authentication Token$/,
    ],
    [
      'with another kind of one',
      (all) => ({ ...all, authorization: 'Basic dGVzdDp0ZXN0' }),
      /^MissingAuthenticationTokenException/,
    ],
    [
      'without Signature',
      (all) => ({ ...all, authorization: String(all['authorization']).replace(/, Signature=.*/, '') }),
      /^IncompleteSignatureException: Authorization header requires 'Signature' parameter\. Authorization=AWS4/,
    ],
    [
      'with a part that has no value',
      (all) => ({ ...all, authorization: 'AWS4-HMAC-SHA256 Credential' }),
      /^IncompleteSignatureException: 'Credential' not a valid key=value pair/,
    ],
    [
      'without a date',
      (all) => without('x-amz-date', all),
      /^IncompleteSignatureException: .*either a 'X-Amz-Date' or a 'Date' header/,
    ],
    [
      'with a date that is none',
      (all) => ({ ...all, 'x-amz-date': 'today' }),
      /^IncompleteSignatureException: Date must be in ISO-8601 'basic format'\. Got 'today'/,
    ],
    [
      'with another algorithm',
      (all) => ({ ...all, authorization: String(all['authorization']).replace('SHA256', 'SHA1') }),
      /^IncompleteSignatureException: Unsupported AWS 'algorithm': 'AWS4-HMAC-SHA1'/,
    ],
    [
      'with half a credential',
      (all) => ({ ...all, authorization: String(all['authorization']).replace('/aws4_request', '') }),
      /^IncompleteSignatureException: Credential must have exactly 5 slash-delimited elements/,
    ],
    [
      'scoped to another day',
      (all) => ({ ...all, authorization: String(all['authorization']).replace('/20261130/', '/20261129/') }),
      /^InvalidSignatureException: Date in Credential scope does not match YYYYMMDD/,
    ],
    [
      'that leaves its host unsigned',
      (all) => ({ ...all, authorization: String(all['authorization']).replace(';host;', ';') }),
      /^InvalidSignatureException: 'Host' must be a 'SignedHeader'/,
    ],
    [
      'to which a header of AWS was added',
      (all) => ({ ...all, 'x-amz-extra': 'x' }),
      /^InvalidSignatureException: 'x-amz-extra' must be a 'SignedHeader'/,
    ],
    ['sent elsewhere', (all) => ({ ...all, host: 'other:8000' }), mismatch],
    [
      'that asks for something else',
      (all) => ({ ...all, 'x-amz-target': 'DynamoDB_20120810.DeleteTable' }),
      mismatch,
    ],
    [
      'with a signature cut short',
      (all) => ({ ...all, authorization: String(all['authorization']).slice(0, -2) }),
      mismatch,
    ],
  ])('%s', async (_, change, expected) => {
    expect(verdict(requestOf('/', change(await signed({})), '{}'))).toMatch(expected);
  });

  test.each<[string, Signing, RegExp]>([
    ['signed with the wrong secret', { with: { ...key, secretAccessKey: 'other' } }, mismatch],
    [
      'signed by nobody we know',
      { with: { ...key, accessKeyId: 'AKIDOTHER' } },
      /^UnrecognizedClientException: The security token included in the request is invalid\.$/,
    ],
    [
      'signed six minutes ago',
      { atMs: nowMs - 360_000 },
      /^InvalidSignatureException: Signature expired: 20261130T115400Z is now earlier than 20261130T115500Z \(20261130T120000Z - 5 min\.\)$/,
    ],
    [
      'signed in six minutes',
      { atMs: nowMs + 360_000 },
      /^InvalidSignatureException: Signature not yet current: 20261130T120600Z is still later than 20261130T120500Z/,
    ],
  ])('%s', async (_, signing, expected) => {
    expect(verdict(requestOf('/', await signed(signing), '{}'))).toMatch(expected);
  });

  test('whose body was changed on the way, and the answer has no secret', async () => {
    const text = verdict(requestOf('/', await signed({}), '{ }'));
    expect(text).toMatch(mismatch);
    expect(text).toContain('The Canonical String for this request should have been');
    expect(text).not.toContain(key.secretAccessKey);
  });

  test('whose session token is not the one of its key', async () => {
    const keys = [{ ...key, sessionToken: 'right' }];
    const asked = async (sessionToken: string) =>
      verdict(requestOf('/', await signed({ with: { ...key, sessionToken } }), '{}'), { keys });
    expect(await asked('right')).toBe('passes');
    expect(await asked('wrong')).toMatch(/^UnrecognizedClientException/);
    expect(verdict(requestOf('/', await signed({}), '{}'), { keys })).toMatch(/^UnrecognizedClientException/);
  });
});
