// Aim: malformed requests by the thousand get DynamoDB's kind of error: none crashes the server, hangs, or
// makes it hold more than its limits. Method: seeded mutations of heads, targets, signatures, sizes and
// bodies over raw sockets, some half-closed and some left open, at a server that checks signatures; memory is
// that of a process of its own.
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Sigv4Signer } from '../../src/http/sigv4.ts';
import { CounterRandom, streamKey } from '../../src/prng.ts';
import { removeFolder, RunningCli, temporaryFolder } from '../support/cli.ts';
import { assertSound, type ServedDatabase, serveDatabase } from '../support/served-database.ts';

const key = { accessKeyId: 'AKIDTEST', secretAccessKey: 'sesame' };
const nowMs = Date.UTC(2026, 0, 1);

let served: ServedDatabase;
let port: number;
beforeAll(async () => {
  served = await serveDatabase({ accessKeys: [key] });
  port = Number(new URL(served.url).port);
});
afterAll(async () => {
  assertSound(served);
  await served.stop();
});

const targets = [
  'DynamoDB_20120810.ListTables',
  'DynamoDB_20120810.CreateTable',
  'DynamoDB_20120810.PutItem',
  'DynamoDB_20120810.BatchWriteItem',
  'DynamoDB_20120810.Query',
  'DynamoDB_20120810.ExecuteStatement',
  'DynamoDB_20120810.UpdateContributorInsights',
  'DynamoDB_20120810.Nothing',
  'GraniteServiceVersion20100801.GetMetricData',
];
const bodies = [
  '{}',
  '',
  'null',
  '[]',
  '{"TableName":"victim","Item":{"pk":{"S":"a"}}}',
  '{"RequestItems":{"victim":[{"PutRequest":{"Item":{"pk":{"S":"a"}}}}]}}',
  '{"Statement":"SELECT * FROM \\"victim\\" WHERE pk = ?","Parameters":[{"S":"a"}]}',
  '{"TableName":"victim","KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"N":"1e9"}}}',
];

/** A sound, signed request as lines and body. */
function soundRequest(draw: CounterRandom): { readonly head: string; readonly body: string } {
  const target = draw.pick(targets);
  const body = draw.pick(bodies);
  const service = target.startsWith('Granite') ? 'monitoring' : 'dynamodb';
  const signer = new Sigv4Signer({ host: 'localhost', path: '/', region: 'us-east-1', service });
  const lines = signer.headerLines(target, body, key, nowMs);
  return {
    head: `POST / HTTP/1.1\r\nhost: localhost\r\n${lines}content-length: ${Buffer.byteLength(body)}\r\n`,
    body,
  };
}

const pieces = [
  '\0',
  '\r',
  '\n',
  '\r\n',
  '\r\n\r\n',
  ':',
  ' ',
  '\t',
  ',',
  '=',
  '/',
  '%',
  '%ff',
  '%00',
  '?',
  '&',
  '?X-Amz-Algorithm=AWS4-HMAC-SHA256',
  '?X-Amz-Signature=%zz',
  '"',
  '{',
  '}',
  '[',
  ']',
  '-',
  '+',
  '0',
  '99999999999999999999',
  '__proto__',
  'constructor',
  'é',
  '\xff',
  '\u{1f600}',
  'Transfer-Encoding: chunked\r\n',
  'Content-Length: 7\r\n',
  'Expect: 100-continue\r\n',
  'Connection: close\r\n',
  'Origin: http://evil.example\r\n',
  'X-Amz-Security-Token: x\r\n',
  'HTTP/1.0',
  'a'.repeat(9_000),
  'Credential=',
  'SignedHeaders=;;;',
  '20261399T999999Z',
];

/** Changes a text in one to four places: a piece put in, a part taken out, or bytes changed. */
function mutated(text: string, draw: CounterRandom): string {
  let result = text;
  for (let round = draw.int(4); round >= 0; round--) {
    const at = draw.int(result.length + 1);
    const length = draw.int(3) === 0 ? draw.int(200) : draw.int(6);
    const put =
      draw.int(3) === 0 ? '' : draw.int(2) === 0 ? draw.pick(pieces) : String.fromCharCode(draw.int(256));
    result = result.slice(0, at) + put + result.slice(at + (draw.int(2) === 0 ? 0 : length));
  }
  return result;
}

/** Bytes of one malformed request, and whether the client then ends its side. */
function malformed(draw: CounterRandom): Buffer {
  const { head, body } = soundRequest(draw);
  switch (draw.int(6)) {
    case 0:
      return Buffer.from(`${mutated(head, draw)}\r\n${body}`, 'latin1');
    case 1:
      // Its signature is that of another body.
      return Buffer.from(`${head}\r\n${mutated(body, draw)}`, 'latin1');
    case 2: {
      const chunked = head.replace(/content-length: \d+/, 'transfer-encoding: chunked');
      return Buffer.from(
        `${chunked}\r\n${mutated(`${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`, draw)}`,
        'latin1',
      );
    }
    case 3:
      return Buffer.from(mutated(`${head}\r\n${body}`, draw).repeat(1 + draw.int(3)), 'latin1');
    case 4:
      return Buffer.from(head.slice(0, draw.int(head.length)), 'latin1');
    default:
      return Buffer.from(
        head.replace(
          /content-length: \d+/,
          `content-length: ${draw.pick(['-1', '1e3', '0x10', '16777217', '4', '00', '9'.repeat(30), ''])}`,
        ) + `\r\n${body}`,
        'latin1',
      );
  }
}

/** Sends bytes, ends our side, and gives back all that came; fails where the server does not end within 10 s. */
function exchange(bytes: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    let text = '';
    const watch = setTimeout(() => {
      socket.destroy();
      reject(new Error(`no end of ${JSON.stringify(bytes.toString('latin1').slice(0, 600))}`));
    }, 10_000);
    socket.setEncoding('latin1');
    socket.on('data', (piece: string) => void (text += piece));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(watch);
      resolve(text);
    });
    socket.end(bytes);
  });
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

function answersIn(text: string): Answer[] {
  return text
    .split(/(?=HTTP\/1\.1 \d{3} )/)
    .filter((part) => part.startsWith('HTTP/1.1 ') && !part.startsWith('HTTP/1.1 100'))
    .map((part) => ({ status: Number(part.slice(9, 12)), body: part.slice(part.indexOf('\r\n\r\n') + 4) }));
}

async function expectSound(): Promise<void> {
  const signer = new Sigv4Signer({ host: 'localhost', path: '/', region: 'us-east-1', service: 'dynamodb' });
  const lines = signer.headerLines('DynamoDB_20120810.ListTables', '{}', key, nowMs);
  const startMs = performance.now();
  const text = await exchange(
    Buffer.from(`POST / HTTP/1.1\r\nhost: localhost\r\n${lines}content-length: 2\r\n\r\n{}`),
  );
  expect(answersIn(text)).toMatchObject([{ status: 200 }]);
  expect(performance.now() - startMs).toBeLessThan(1_000);
}

test('5,000 malformed requests are each answered by name, or by an end where nothing was asked', async () => {
  const draw = new CounterRandom(streamKey(20_261_130, 'fuzz'));
  const seen = new Map<string, number>();
  const refusals = [400, 403, 404, 413, 417];
  const wrong: string[] = [];
  const count = (name: string) => seen.set(name, (seen.get(name) ?? 0) + 1);
  for (let batch = 0; batch < 250; batch++) {
    const requests = Array.from({ length: 20 }, (_, index) => malformed(draw.seek(batch * 20 + index)));
    const texts = await Promise.all(requests.map(exchange));
    for (const [index, text] of texts.entries()) {
      const sent = requests[index]?.toString('latin1').slice(0, 900);
      const answers = answersIn(text);
      if (answers.length === 0) count('no answer');
      for (const { status, body } of answers) {
        const type = /"__type":"com\.amazon(?:aws)?\.[\w.]+#(\w+)"/.exec(body)?.[1];
        const isNamed = status === 200 || (refusals.includes(status) && type !== undefined);
        if (!isNamed) wrong.push(`${status} ${body} to ${JSON.stringify(sent)}`);
        count(type ?? 'ok');
      }
    }
  }
  await expectSound();
  assertSound(served);
  expect(wrong).toEqual([]);
  // All the ways of being wrong were met, none of them ours, and some requests were sound.
  const met = [
    'SerializationException',
    'InvalidSignatureException',
    'IncompleteSignatureException',
    'UnknownOperationException',
    'RequestEntityTooLargeException',
    'ValidationException',
  ].filter((name) => (seen.get(name) ?? 0) > 10);
  expect(met).toHaveLength(6);
  expect(seen.get('ok')).toBeGreaterThan(10);
  expect(seen.has('InternalServerError')).toBe(false);
}, 120_000);

test('a thousand sockets that say nothing, half of a head or half of a body do not keep it from others', async () => {
  const draw = new CounterRandom(streamKey(1, 'sockets'));
  const sockets: Socket[] = [];
  for (let index = 0; index < 1_000; index++) {
    const { head } = soundRequest(draw.seek(index));
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => undefined);
    const kind = index % 4;
    if (kind === 1) socket.write(head.slice(0, 1 + draw.int(head.length - 1)));
    if (kind === 2) socket.write(`${head.replace(/content-length: \d+/, 'content-length: 16000000')}\r\n{`);
    // Half-closed at once: the client waits for an answer to what it never asked.
    if (kind === 3) socket.end(head.slice(0, draw.int(head.length)));
    sockets.push(socket);
    if (index % 100 === 0) await expectSound();
  }
  await expectSound();
  const halfClosed = sockets.filter((_, index) => index % 4 === 3);
  await expect
    .poll(
      () =>
        halfClosed.filter((socket) => !socket.readableEnded && !socket.destroyed && socket.resume()).length,
      {
        timeout: 5_000,
      },
    )
    .toBe(0);
  for (const socket of sockets) socket.destroy();
  await expectSound();
}, 60_000);

describe.runIf(process.platform === 'linux')('memory of the server', () => {
  test('does not grow by bodies beyond 16 MB, in one piece or in chunks', async () => {
    const folder = await temporaryFolder();
    const cli = new RunningCli(['serve', '--port', '0'], { cwd: folder });
    const [, url = ''] = await cli.untilStdout(/at (http:\/\/127\.0\.0\.1:\d+);/);
    const head = `POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-amz-json-1.0\r\nx-amz-target: DynamoDB_20120810.PutItem\r\n`;
    const chunk = Buffer.concat([
      Buffer.from('100000\r\n'),
      Buffer.alloc(0x10_0000, 32),
      Buffer.from('\r\n'),
    ]);
    /** Sends 200 MB, whatever the server says, and gives back its answer. */
    const flood = async (more: string): Promise<string> => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      let text = '';
      socket.setEncoding('latin1');
      socket.on('data', (piece: string) => void (text += piece));
      socket.on('error', () => undefined);
      socket.write(`${head}${more}\r\n\r\n`);
      for (let megabyte = 0; megabyte < 200 && socket.writable; megabyte++)
        if (!socket.write(chunk))
          await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), pause(100)]);
      socket.destroy();
      return text;
    };
    const rssBytes = () =>
      Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${cli.pid}/status`, 'utf8'))?.[1]) * 1_024;
    const before = rssBytes();
    expect(await flood('content-length: 1000000000')).toMatch(/^HTTP\/1\.1 413/);
    expect(await flood('transfer-encoding: chunked')).toMatch(/^HTTP\/1\.1 413/);
    // The most that it ever held: 16 MB of one body, and as much again while pieces are put together.
    expect(rssBytes() - before).toBeLessThan(64_000_000);
    cli.signal('SIGTERM');
    expect((await cli.ended).code).toBe(0);
    await removeFolder(folder);
  }, 60_000);
});
