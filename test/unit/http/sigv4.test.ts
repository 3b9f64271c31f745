// Aim: our signatures are the ones the AWS SDK would make. Method: both sign the same generated requests; the
// authorization headers are equal.
import { SignatureV4 } from '@smithy/signature-v4';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type SigningCredentials, Sigv4Signer } from '../../../src/http/sigv4.ts';
import { Sha256 } from '../../support/sdk-hash.ts';

interface Case {
  readonly url: URL;
  readonly region: string;
  readonly target: string;
  readonly body: string;
  readonly credentials: SigningCredentials;
  readonly wallMs: number;
}

async function sdkAuthorization(each: Case): Promise<string | undefined> {
  const signer = new SignatureV4({
    service: 'dynamodb',
    region: each.region,
    credentials: each.credentials,
    sha256: Sha256,
    applyChecksum: false,
  });
  const signed = await signer.sign(
    {
      method: 'POST',
      protocol: each.url.protocol,
      hostname: each.url.hostname,
      path: each.url.pathname,
      headers: {
        host: each.url.host,
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': each.target,
      },
      body: each.body,
    },
    { signingDate: new Date(each.wallMs) },
  );
  return signed.headers['authorization'];
}

function ourAuthorization(signer: Sigv4Signer, each: Case): string | undefined {
  const lines = signer.headerLines(each.target, each.body, each.credentials, each.wallMs);
  return /authorization: (.*)\r\n/.exec(lines)?.[1];
}

function signerFor(each: Case): Sigv4Signer {
  const { host, pathname: path } = each.url;
  return new Sigv4Signer({ host, path, region: each.region, service: 'dynamodb' });
}

const keyText = fc.string({ unit: fc.constantFrom(...'AKIAxyz0189/+='), minLength: 4, maxLength: 40 });
const anyCase: fc.Arbitrary<Case> = fc.record({
  url: fc
    .tuple(
      fc.constantFrom(
        'https://dynamodb.eu-west-1.amazonaws.com',
        'http://127.0.0.1:8000',
        'http://[::1]:4567',
      ),
      fc.constantFrom('/', '/prefix', '/a//b/', '/sp%20ace/ü', "/it's(1)*!", '/a/./b/../c'),
    )
    .map(([origin, path]) => new URL(path, origin)),
  region: fc.constantFrom('us-east-1', 'eu-west-1', 'cn-north-1'),
  target: fc.constantFrom(
    'DynamoDB_20120810.PutItem',
    'DynamoDB_20120810.TransactWriteItems',
    'DynamoDB_20120810.BatchGetItem',
    'DynamoDB_20120810.Query',
  ),
  body: fc.oneof(
    fc.json(),
    fc.string({ unit: 'binary' }),
    fc.constant('{"Item":{"ключ":{"S":"‰ 😀 \\u0000"}}}'),
    // As large as an item or a whole batch may be, in bytes of one to four per character.
    fc
      .tuple(fc.constantFrom('x', 'é', '語', '😀', '\\"', '\ud800'), fc.integer({ min: 1, max: 400_000 }))
      .map(([text, count]) => `{"Item":{"data":{"S":"${text.repeat(count)}"}}}`),
  ),
  credentials: fc.oneof(
    fc.record({ accessKeyId: keyText, secretAccessKey: keyText }),
    fc.record({ accessKeyId: keyText, secretAccessKey: keyText, sessionToken: keyText }),
    // Tokens of AWS are about a thousand characters long.
    fc.record({
      accessKeyId: keyText,
      secretAccessKey: keyText,
      sessionToken: fc.string({
        unit: fc.constantFrom(...'FwoGZXIvYXdzE/+=09'),
        minLength: 300,
        maxLength: 1_200,
      }),
    }),
  ),
  wallMs: fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2040, 0, 1) }),
});

test('signs as the SDK does, for 1,500 generated requests', async () => {
  await fc.assert(
    fc.asyncProperty(anyCase, async (each) => {
      expect(ourAuthorization(signerFor(each), each)).toBe(await sdkAuthorization(each));
    }),
    { numRuns: 1_500, seed: 20_261_130 },
  );
}, 30_000);

test('one signer stays right when second, day, operation and credentials change between requests', async () => {
  const base: Case = {
    url: new URL('http://127.0.0.1:8000/'),
    region: 'us-east-1',
    target: 'DynamoDB_20120810.PutItem',
    body: '{}',
    credentials: { accessKeyId: 'first', secretAccessKey: 'secret' },
    wallMs: Date.UTC(2026, 0, 1, 23, 59, 58),
  };
  const signer = signerFor(base);
  const renewed = { accessKeyId: 'second', secretAccessKey: 'other', sessionToken: 'token' };
  const steps: Case[] = [
    base,
    { ...base, wallMs: base.wallMs + 999 },
    { ...base, wallMs: base.wallMs + 1_000, target: 'DynamoDB_20120810.GetItem' },
    { ...base, wallMs: base.wallMs + 3_000 },
    { ...base, wallMs: base.wallMs + 3_000, credentials: renewed },
    { ...base, wallMs: base.wallMs + 3_000, body: '{"a":1}', credentials: renewed },
    base,
  ];
  for (const step of steps) expect(ourAuthorization(signer, step)).toBe(await sdkAuthorization(step));
});

test('sends date, target, content type and the security token beside the signature', () => {
  const signer = new Sigv4Signer({ host: 'h', path: '/', region: 'us-east-1', service: 'dynamodb' });
  const credentials = { accessKeyId: 'id', secretAccessKey: 'secret', sessionToken: 'token' };
  const names = signer.headerLines('T', '{}', credentials, 0).match(/^[a-z-]+(?=: )/gm);
  expect(names).toEqual([
    'content-type',
    'x-amz-date',
    'x-amz-security-token',
    'x-amz-target',
    'authorization',
  ]);
});
