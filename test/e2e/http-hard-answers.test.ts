// Aim: answers arrive whole however the network delivers them, and a server that leaves half-way, moves or
// hides behind an authority of its own is met without harm. Method: scripted servers on loopback; several
// connections at once, since plain ones share a read buffer.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createPlainServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { AddressCache } from '../../src/http/address-cache.ts';
import { socketOpener } from '../../src/http/open-socket.ts';
import { loopbackCertificate } from '../support/loopback-certificate.ts';
import { answer, closeAll, closeLater, poolFor, send, serve, textOf } from '../support/scripted-server.ts';

afterEach(closeAll);

const CONNECTIONS = 8;

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeLater(() => server.close());
  return (server.address() as AddressInfo).port; // Listening on TCP, so never a pipe's name.
}

/**
 * Echoes each body eight times over in 40 chunks, one a millisecond, so that answers of all connections
 * arrive in turns.
 */
const echoInChunks: RequestListener = (request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (piece: string) => (body += piece));
  request.on('end', () => {
    const text = body.repeat(8);
    const step = Math.ceil(text.length / 40);
    let at = 0;
    const timer = setInterval(() => {
      response.write(text.slice(at, (at += step)));
      if (at < text.length) return;
      clearInterval(timer);
      response.end();
    }, 1);
  });
};

describe.each(['http', 'https'] as const)('over %s', (scheme) => {
  test('chunks of many answers that arrive in turns reach each its own request', async (context) => {
    const certificate = loopbackCertificate();
    if ('unavailable' in certificate) return context.skip(certificate.unavailable);
    const isTls = scheme === 'https';
    const server = isTls ? createTlsServer(certificate, echoInChunks) : createPlainServer(echoInChunks);
    const origin = new URL(`${scheme}://localhost:${await listen(server)}`);
    const open = socketOpener(origin, { trusted: certificate.cert });
    const pool = poolFor(origin, { maxConnections: CONNECTIONS, open });
    const bodies = Array.from({ length: 3 * CONNECTIONS }, (_, index) => `${index};`.repeat(100 + index));
    const attempts = await Promise.all(bodies.map((body) => send(pool, body)));
    expect(attempts.map(textOf)).toEqual(bodies.map((body) => body.repeat(8)));
    expect(pool.counters).toMatchObject({ opened: CONNECTIONS, resent: 0 });
    const [first, last] = [attempts[0], attempts.at(-1)];
    expect(first?.connectUs).toBeGreaterThan(0);
    expect((first?.tlsUs ?? 0) > 0).toBe(isTls);
    expect(last).toMatchObject({ connectUs: 0, tlsUs: 0 });
    expect((last?.endedAtUs ?? 0) - (last?.firstByteAtUs ?? 0)).toBeGreaterThan(10_000);
  });

  test('where nobody listens at the first address, the next one serves', async (context) => {
    const certificate = loopbackCertificate();
    if ('unavailable' in certificate) return context.skip(certificate.unavailable);
    const server =
      scheme === 'https' ? createTlsServer(certificate, echoInChunks) : createPlainServer(echoInChunks);
    const origin = new URL(`${scheme}://localhost:${await listen(server)}`);
    const both = ['127.0.0.9', '127.0.0.1'].map((address) => ({ address, family: 4 }));
    const addresses = new AddressCache({ resolve: (_host, done) => queueMicrotask(() => done(null, both)) });
    const pool = poolFor(origin, { open: socketOpener(origin, { addresses, trusted: certificate.cert }) });
    expect(textOf(await send(pool, 'a'))).toBe('aaaaaaaa');
    expect(pool.counters.opened).toBe(1);
  });
});

test('an answer that comes byte by byte is read, and kept as it was, on each of several connections', async () => {
  const { origin } = await serve((socket, index) => {
    const bytes = [...answer(`answer ${index} in pieces`)];
    const timer = setInterval(() => {
      socket.write(bytes.shift() ?? '');
      if (bytes.length === 0) clearInterval(timer);
    }, 1);
  });
  const pool = poolFor(origin);
  const attempts = await Promise.all(Array.from({ length: CONNECTIONS }, () => send(pool)));
  const expected = Array.from({ length: CONNECTIONS }, (_, index) => `answer ${index} in pieces`);
  expect(new Set(attempts.map(textOf))).toEqual(new Set(expected));
});

test('an answer larger than the read buffer arrives whole', async () => {
  const text = Array.from({ length: 60_000 }, (_, index) => `${index},`).join('');
  const { origin } = await serve((socket) => socket.write(answer(text)));
  const pool = poolFor(origin);
  const attempts = await Promise.all([send(pool), send(pool), send(pool)]);
  for (const attempt of attempts) expect(textOf(attempt)).toBe(text);
});

describe('a server that closes its half', () => {
  test('and thereby ends an answer without a length has given that answer', async () => {
    const { origin } = await serve((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nuntil the end'), {
      allowHalfOpen: true,
    });
    const pool = poolFor(origin);
    expect(textOf(await send(pool))).toBe('until the end');
    expect(textOf(await send(pool))).toBe('until the end');
    expect(pool.counters).toMatchObject({ opened: 2, resent: 0 });
  });

  test('right behind an answer, unannounced, gets no other request', async () => {
    const { origin } = await serve((socket) => socket.end(answer('ok')), { allowHalfOpen: true });
    const pool = poolFor(origin);
    for (let index = 0; index < 4; index++) {
      expect(textOf(await send(pool))).toBe('ok');
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(pool.counters).toMatchObject({ opened: index + 1, open: 0, resent: 0 });
    }
  });

  test('instead of an answer is not waited for: the request fails, or goes out anew where the connection was used before', async () => {
    const { origin } = await serve(
      (socket, index) =>
        index === 1 ? socket.write(answer('ok')) : socket.end(index === 3 ? answer('again') : ''),
      { allowHalfOpen: true },
    );
    const pool = poolFor(origin);
    expect(textOf(await send(pool))).toBe('CONNECTION_CLOSED');
    expect(textOf(await send(pool))).toBe('ok');
    expect(await send(pool).then((attempt) => [textOf(attempt), attempt.isResent])).toEqual(['again', true]);
  });
});

test('an endpoint that moves is followed: new connections go to its new address once the old one is 5 s old', async (context) => {
  const before = await serve((socket) => socket.write(answer('before', 'Connection: close\r\n')));
  const port = Number(before.origin.port);
  const after = await serve((socket) => socket.write(answer('after')), { host: '127.0.0.2', port }).catch(
    () => undefined,
  );
  if (after === undefined) return context.skip('this machine has one loopback address');
  let address = '127.0.0.1';
  let nowMs = 0;
  const addresses = new AddressCache({
    nowMs: () => nowMs,
    resolve: (_host, done) => queueMicrotask(() => done(null, [{ address, family: 4 }])),
  });
  const origin = new URL(`http://table.example.com:${port}`);
  const pool = poolFor(origin, { open: socketOpener(origin, { addresses }) });
  expect(textOf(await send(pool))).toBe('before');
  address = '127.0.0.2';
  expect(textOf(await send(pool))).toBe('before');
  nowMs = 5_000;
  expect(textOf(await send(pool))).toBe('after');
  expect([before.sockets.size, after.sockets.size]).toEqual([2, 1]);
});

test('an authority of one’s own is trusted by NODE_EXTRA_CA_CERTS', async (context) => {
  const certificate = loopbackCertificate();
  if ('unavailable' in certificate) return context.skip(certificate.unavailable);
  const server = createTlsServer(
    certificate,
    (request, response) => void request.resume().on('end', () => response.end('ours')),
  );
  const url = `https://localhost:${await listen(server)}`;
  const folder = mkdtempSync(join(tmpdir(), 'dyno-load-authority-'));
  closeLater(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'ca.pem');
  writeFileSync(file, certificate.cert);
  expect(await tellAnswer(url, {})).toMatch(/SELF_SIGNED/);
  expect(await tellAnswer(url, { NODE_EXTRA_CA_CERTS: file })).toBe('ours');
});

/** What a process of its own gets from a URL: Node reads the variable when it starts. */
async function tellAnswer(url: string, env: Readonly<Record<string, string>>): Promise<string> {
  const pool = fileURLToPath(new URL('../../src/http/connection-pool.ts', import.meta.url));
  const script = `
    const { ConnectionPool } = await import(${JSON.stringify(pool)}).then((module) => module.default ?? module);
    const nowUs = () => Math.round(performance.now() * 1_000);
    const pool = new ConnectionPool({ origin: new URL(${JSON.stringify(url)}), nowUs, timeoutMs: 5_000 });
    pool.request({ path: '/', headerLines: '', body: '{}' }, ({ answer, failure }) => {
      process.stdout.write(answer?.body.toString() ?? failure?.code ?? '');
      pool.close();
    });`;
  const child = spawn(process.execPath, ['--import', 'jiti/register', '--input-type=module', '-e', script], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let told = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (told += piece));
  await new Promise((resolve) => child.once('close', resolve));
  return told;
}
