// Aim: what a request of the live target carries follows what changes during a run, and an answer that came
// to harm is no success.
// Method: a loopback server keeps the headers that it got and answers as the test says.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32 } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { type ChainCredentials, CredentialSource } from '../../src/aws/credentials.ts';
import { DynamoDbTarget } from '../../src/aws/dynamodb-target.ts';
import type { Outcome } from '../../src/dynamodb/outcome.ts';
import { closeAll, closeLater, nowUs } from '../support/scripted-server.ts';

afterEach(closeAll);

const ANSWER = '{"ConsumedCapacity":{"TableName":"t","CapacityUnits":1.5}}';

interface Setting {
  /** What stands in `x-amz-crc32`. */
  readonly checksum?: number;
  readonly credentials?: CredentialSource;
  readonly wallMs?: () => number;
}

async function targetWith({ checksum = crc32(ANSWER), credentials = fixed, wallMs = Date.now }: Setting) {
  const seen: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers);
    request.resume().on('end', () => response.setHeader('x-amz-crc32', checksum).end(ANSWER));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeLater(() => server.close());
  const { port } = server.address() as AddressInfo; // Listening on TCP, so never a pipe's name.
  const url = new URL(`http://127.0.0.1:${port}`);
  const endpoint = { url, region: 'us-east-1', credentials, isAws: false, notes: [] };
  const target = new DynamoDbTarget({ endpoint, nowUs, wallMs, attemptTimeoutMs: 2_000 });
  closeLater(() => target.close());
  const send = () =>
    new Promise<Outcome>((resolve) => {
      const request = { api: 'GetItem', input: { TableName: 't', Key: { pk: { S: 'a' } } } } as const;
      target.send({ request, workloadIndex: 0, sequence: 0, part: 0 }, 0, resolve);
    });
  return { send, seen };
}

const fixed = new CredentialSource({ accessKeyId: 'first', secretAccessKey: 'secret' });

test('an answer whose checksum fits is read', async () => {
  const { send } = await targetWith({});
  const consumed = [{ tableName: 't', table: { readUnits: 1.5, writeUnits: 0 } }];
  expect(await send()).toMatchObject({ kind: 'ok', consumed });
});

test('a success whose body is not what was sent is a failure, and says so', async () => {
  const { send } = await targetWith({ checksum: crc32(ANSWER.replace('1.5', '2.5')) });
  expect(await send()).toMatchObject({ kind: 'failed', code: 'CHECKSUM_MISMATCH' });
});

test('credentials renewed during a run sign from then on, with their token; no request waits for them', async () => {
  const endMs = Date.UTC(2026, 11, 1);
  let wallMs = endMs - 60 * 60_000;
  const old: ChainCredentials = {
    accessKeyId: 'old',
    secretAccessKey: 's',
    sessionToken: 'one',
    expiration: new Date(endMs),
  };
  const renewed = {
    ...old,
    accessKeyId: 'new',
    sessionToken: 'two',
    expiration: new Date(endMs + 3_600_000),
  };
  const credentials = new CredentialSource(old, async () => renewed);
  const { send, seen } = await targetWith({ credentials, wallMs: () => wallMs });
  await send();
  wallMs = endMs - 4 * 60_000;
  await send();
  await send();
  expect(seen.map((headers) => [keyIdOf(headers), headers['x-amz-security-token']])).toEqual([
    ['old', 'one'],
    ['old', 'one'],
    ['new', 'two'],
  ]);
});

function keyIdOf({ authorization = '' }: IncomingHttpHeaders): string | undefined {
  return /Credential=([^/]+)\//.exec(authorization)?.[1];
}
