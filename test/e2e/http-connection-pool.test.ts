// Aim: the connection pool keeps its promises against servers that behave well, badly, or not at all.
// Method: small scripted servers on free loopback ports; answers, failure codes and counters are compared.
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, createServer } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { socketOpener } from '../../src/http/open-socket.ts';
import { loopbackCertificate } from '../support/loopback-certificate.ts';
import {
  answer,
  closeAll,
  closeLater,
  nowUs,
  poolFor,
  send,
  serve,
  textOf,
} from '../support/scripted-server.ts';

afterEach(closeAll);

test('one after another, requests share one connection, and times are in order', async () => {
  const { origin } = await serve((socket) => socket.write(answer('ok')));
  const pool = poolFor(origin);
  for (let index = 0; index < 20; index++) {
    const attempt = await send(pool);
    expect(textOf(attempt)).toBe('ok');
    expect(attempt.sentAtUs).toBeGreaterThanOrEqual(attempt.startedAtUs);
    expect(attempt.firstByteAtUs).toBeGreaterThanOrEqual(attempt.sentAtUs);
    expect(attempt.endedAtUs).toBeGreaterThanOrEqual(attempt.firstByteAtUs);
    expect(attempt.connectUs > 0).toBe(index === 0);
  }
  expect(pool.counters).toMatchObject({ requests: 20, opened: 1, open: 1, resent: 0, waited: 0 });
});

test('grows to its bound, lets the rest wait in order, and answers all', async () => {
  let underWay = 0;
  let maxUnderWay = 0;
  const { origin } = await serve((socket) => {
    maxUnderWay = Math.max(maxUnderWay, ++underWay);
    setTimeout(() => {
      underWay -= 1;
      socket.write(answer('ok'));
    }, 5);
  });
  const pool = poolFor(origin, { maxConnections: 4 });
  const ended: number[] = [];
  await Promise.all(
    Array.from({ length: 40 }, async (_, index) => {
      expect(textOf(await send(pool))).toBe('ok');
      ended.push(index);
    }),
  );
  expect(maxUnderWay).toBe(4);
  expect(pool.counters).toMatchObject({ requests: 40, opened: 4, open: 4, maxWaiting: 40 });
  expect(ended.slice(0, 4).every((index) => index < 8)).toBe(true);
});

test('sends once more, on a fresh connection, what a stale one swallowed', async () => {
  const { origin, sockets } = await serve((socket, index) => {
    if (index === 1) socket.destroy();
    else socket.write(answer(`answer ${index}`));
  });
  const pool = poolFor(origin);
  expect(textOf(await send(pool))).toBe('answer 0');
  const second = await send(pool);
  expect(textOf(second)).toBe('answer 2');
  expect(second.isResent).toBe(true);
  expect(pool.counters).toMatchObject({ opened: 2, resent: 1 });
  expect(sockets.size).toBe(2);
});

test('does not send again what failed on a fresh connection, or after a first byte', async () => {
  const { origin } = await serve((socket, index) => {
    if (index === 0) socket.destroy();
    else if (index === 1) socket.write(answer('ok'));
    else socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf');
  });
  const pool = poolFor(origin);
  expect(textOf(await send(pool))).toMatch(/CONNECTION_CLOSED|ECONNRESET/);
  expect(textOf(await send(pool))).toBe('ok');
  expect(textOf(await send(pool))).toBe('CONNECTION_CLOSED');
  expect(pool.counters.resent).toBe(0);
});

test('forgets idle connections that the server closes', async () => {
  const { origin, sockets } = await serve((socket) => socket.write(answer('ok')));
  const pool = poolFor(origin);
  await Promise.all([send(pool), send(pool), send(pool)]);
  for (const socket of sockets) socket.end();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(pool.counters.open).toBe(0);
  expect(textOf(await send(pool))).toBe('ok');
  expect(pool.counters.resent).toBe(0);
});

test('opens a new connection where the server closes after each answer', async () => {
  const { origin } = await serve((socket) => socket.end(answer('ok', 'Connection: close\r\n')));
  const pool = poolFor(origin);
  for (let index = 0; index < 3; index++) expect(textOf(await send(pool))).toBe('ok');
  expect(pool.counters).toMatchObject({ opened: 3, open: 0 });
});

test('gives up at the deadline and closes that connection; the next request gets its own', async () => {
  const { origin } = await serve((socket, index) => {
    if (index > 0) socket.write(answer('ok'));
  });
  const pool = poolFor(origin, { timeoutMs: 60 });
  const startedAtUs = nowUs();
  const attempt = await send(pool);
  expect(textOf(attempt)).toBe('ATTEMPT_TIMED_OUT');
  expect(attempt.endedAtUs - startedAtUs).toBeGreaterThanOrEqual(60_000);
  expect(attempt.endedAtUs - startedAtUs).toBeLessThan(500_000);
  expect(textOf(await send(pool))).toBe('ok');
});

test('a request that waits for a busy connection times out as well', async () => {
  const { origin } = await serve(() => undefined);
  const pool = poolFor(origin, { timeoutMs: 60, maxConnections: 1 });
  const attempts = await Promise.all([send(pool), send(pool), send(pool)]);
  expect(attempts.map(textOf)).toEqual(Array.from({ length: 3 }, () => 'ATTEMPT_TIMED_OUT'));
});

test('says what a server speaks that is not HTTP', async () => {
  const { origin } = await serve((socket) => socket.write('220 mail.example.com ESMTP\r\n'));
  const attempt = await send(poolFor(origin));
  expect(attempt.failure).toMatchObject({ code: 'NOT_HTTP', message: expect.stringContaining('220 mail') });
});

test('names the code of a refused connection, for each request', async () => {
  const { origin, server } = await serve(() => undefined);
  await new Promise((resolve) => server.close(resolve));
  const pool = poolFor(origin);
  const attempts = await Promise.all([send(pool), send(pool), send(pool)]);
  expect(attempts.map(textOf)).toEqual(['ECONNREFUSED', 'ECONNREFUSED', 'ECONNREFUSED']);
});

test('names the code of an unknown host', async () => {
  const attempt = await send(poolFor(new URL('http://no-such-host.invalid:8000')));
  expect(attempt.failure?.code).toMatch(/ENOTFOUND|EAI_AGAIN/);
});

test('close ends what is under way and what waits, and later requests fail', async () => {
  const { origin } = await serve(() => undefined);
  const pool = poolFor(origin, { maxConnections: 1 });
  const attempts = Promise.all([send(pool), send(pool)]);
  await new Promise((resolve) => setTimeout(resolve, 30));
  pool.close();
  expect((await attempts).map(textOf)).toEqual(['POOL_CLOSED', 'POOL_CLOSED']);
  expect(textOf(await send(pool))).toBe('POOL_CLOSED');
  expect(pool.counters.open).toBe(0);
});

test('sends text of any script with its right length', async () => {
  const received: Buffer[] = [];
  const server = createServer((socket) => {
    socket.on('data', (piece) => {
      received.push(piece);
      socket.write(answer('ok'));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeLater(() => server.close());
  const { port } = server.address() as AddressInfo; // Listening on TCP, so never a pipe's name.
  await send(poolFor(new URL(`http://127.0.0.1:${port}`)), '{"a":"ключ 😀"}');
  const [head, body] = Buffer.concat(received).toString().split('\r\n\r\n');
  expect(body).toBe('{"a":"ключ 😀"}');
  expect(head).toContain(`content-length: ${Buffer.byteLength('{"a":"ключ 😀"}')}`);
});

test('reaches a server on IPv6', async (context) => {
  const found = await serve((socket) => socket.write(answer('six')), { host: '::1' }).catch(() => undefined);
  if (found === undefined) return context.skip('this machine has no IPv6 loopback');
  expect(textOf(await send(poolFor(found.origin)))).toBe('six');
});

test('speaks TLS, resumes sessions, and refuses a certificate that nobody vouches for', async (context) => {
  const certificate = loopbackCertificate();
  if ('unavailable' in certificate) return context.skip(certificate.unavailable);
  const reused: boolean[] = [];
  const server = createHttpsServer(certificate, (request, response) => {
    request.resume();
    response.setHeader('connection', 'close');
    response.end('secret');
  });
  server.on('secureConnection', (socket) => reused.push(socket.isSessionReused()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeLater(() => server.close());
  const { port } = server.address() as AddressInfo; // Listening on TCP, so never a pipe's name.
  const origin = new URL(`https://localhost:${port}`);
  expect(textOf(await send(poolFor(origin)))).toMatch(/SELF_SIGNED/);
  const trusting = poolFor(origin, { open: socketOpener(origin, { trusted: certificate.cert }) });
  for (let index = 0; index < 3; index++) expect(textOf(await send(trusting))).toBe('secret');
  expect(reused.slice(-1)).toEqual([true]);
});

test('warms up: connections are open before load, and the first requests wait for none', async () => {
  const { origin, sockets } = await serve((socket) => socket.write(answer('ok')));
  const opened: number[] = [];
  const pool = poolFor(origin, { maxConnections: 300, onOpened: ({ connectUs }) => opened.push(connectUs) });
  await pool.warmUp(200);
  expect(pool.counters).toMatchObject({ opened: 200, open: 200, requests: 0 });
  const attempts = await Promise.all(Array.from({ length: 200 }, () => send(pool)));
  expect(attempts.map(textOf)).toEqual(Array.from({ length: 200 }, () => 'ok'));
  expect(attempts.every(({ connectUs, tlsUs }) => connectUs === 0 && tlsUs === 0)).toBe(true);
  expect(pool.counters).toMatchObject({ opened: 200, waited: 0, maxWaiting: 0 });
  expect(sockets.size).toBe(200);
  expect(opened).toHaveLength(200);
  expect(Math.min(...opened)).toBeGreaterThan(0);
});

test('warms up to its bound and not beyond; again, it has nothing to do', async () => {
  const { origin } = await serve((socket) => socket.write(answer('ok')));
  const pool = poolFor(origin, { maxConnections: 5 });
  await pool.warmUp(50);
  await pool.warmUp(50);
  await pool.warmUp(0);
  expect(pool.counters).toMatchObject({ opened: 5, open: 5 });
});

test('warming up ends where nobody listens, and where the pool is closed meanwhile', async () => {
  const { origin, server } = await serve(() => undefined);
  const closing = poolFor(origin);
  const warmed = closing.warmUp(20);
  closing.close();
  await warmed;
  await new Promise((resolve) => server.close(resolve));
  const pool = poolFor(origin);
  await pool.warmUp(200);
  expect(pool.counters.open).toBe(0);
  expect(textOf(await send(pool))).toBe('ECONNREFUSED');
});

test('a warmed connection that went stale is replaced without a failure', async () => {
  const { origin } = await serve((socket, index) => {
    if (index === 0) socket.destroy();
    else socket.write(answer('ok'));
  });
  const pool = poolFor(origin);
  await pool.warmUp(1);
  const attempt = await send(pool);
  expect(textOf(attempt)).toBe('ok');
  expect(attempt.isResent).toBe(true);
});

/**
 * A proxy that keeps the first line of each request and its authorization; opens tunnels to loopback, or
 * refuses with `status`.
 */
async function proxyServer(status = 200) {
  const seen: string[] = [];
  const server = createServer((client) => {
    client.on('error', () => client.destroy());
    client.once('data', (piece) => {
      const [line = '', ...headers] = piece.toString('latin1').split('\r\n');
      seen.push(line, ...headers.filter((header) => header.startsWith('proxy-authorization')));
      if (!line.startsWith('CONNECT')) client.end(answer('relayed', 'Connection: close\r\n'));
      else if (status !== 200) client.end(`HTTP/1.1 ${status} No\r\n\r\n`);
      else {
        const upstream = connect(Number(/:(\d+) /.exec(line)?.[1]), '127.0.0.1', () => {
          client.write('HTTP/1.1 200 Connection established\r\n\r\n');
          client.pipe(upstream).pipe(client);
        });
        upstream.on('error', () => client.destroy());
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeLater(() => server.close());
  const { port } = server.address() as AddressInfo; // Listening on TCP, so never a pipe's name.
  return { seen, proxy: new URL(`http://me:secret@127.0.0.1:${port}`) };
}

test('a plain request goes through a proxy in absolute form, with the origin as its host', async () => {
  const { seen, proxy } = await proxyServer();
  const pool = poolFor(new URL('http://db.example.com:8000'), { proxy });
  expect(textOf(await send(pool))).toBe('relayed');
  // base64 of "me:secret"
  expect(seen).toEqual([
    'POST http://db.example.com:8000/ HTTP/1.1',
    'proxy-authorization: Basic bWU6c2VjcmV0',
  ]);
});

test('TLS goes through a tunnel, whose certificate is the origin’s', async (context) => {
  const certificate = loopbackCertificate();
  if ('unavailable' in certificate) return context.skip(certificate.unavailable);
  const server = createHttpsServer(certificate, (request, response) => {
    request.resume();
    response.end('secret');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeLater(() => server.close());
  const { port } = server.address() as AddressInfo; // Listening on TCP, so never a pipe's name.
  const origin = new URL(`https://localhost:${port}`);
  const { seen, proxy } = await proxyServer();
  const pool = poolFor(origin, { open: socketOpener(origin, { proxy, trusted: certificate.cert }) });
  const first = await send(pool);
  expect(textOf(first)).toBe('secret');
  expect(first.connectUs).toBeGreaterThan(0);
  expect(first.tlsUs).toBeGreaterThan(0);
  expect(textOf(await send(pool))).toBe('secret');
  expect(pool.counters.opened).toBe(1);
  expect(seen).toEqual([`CONNECT localhost:${port} HTTP/1.1`, 'proxy-authorization: Basic bWU6c2VjcmV0']);
  expect(textOf(await send(poolFor(origin, { proxy })))).toMatch(/SELF_SIGNED/);
});

test('a proxy that refuses a tunnel, or is no proxy, is told apart from the origin', async () => {
  const origin = new URL('https://db.example.com');
  const { proxy } = await proxyServer(407);
  const refused = await send(poolFor(origin, { proxy }));
  expect(refused.failure).toMatchObject({ code: 'PROXY_REFUSED', message: expect.stringContaining('407') });
  const mail = await serve((socket) => socket.write('220 mail.example.com ESMTP\r\n\r\n'));
  expect(textOf(await send(poolFor(origin, { proxy: mail.origin })))).toBe('PROXY_FAILED');
  const silent = await serve((socket) => socket.end());
  expect(textOf(await send(poolFor(origin, { proxy: silent.origin })))).toBe('PROXY_FAILED');
  const hung = await serve(() => undefined);
  expect(textOf(await send(poolFor(origin, { proxy: hung.origin, timeoutMs: 60 })))).toBe(
    'ATTEMPT_TIMED_OUT',
  );
});
