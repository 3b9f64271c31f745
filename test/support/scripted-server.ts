// Scripted servers on free loopback ports and pools that talk to them, for tests of the connection pool.
// `closeAll` ends both.
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { Attempt } from '../../src/http/attempt.ts';
import { ConnectionPool, type PoolOptions } from '../../src/http/connection-pool.ts';

const closers: (() => void)[] = [];

/** Has something ended by `closeAll`. */
export function closeLater(close: () => void): void {
  closers.push(close);
}

export function closeAll(): void {
  for (const close of closers.splice(0)) close();
}

export const nowUs = (): number => Math.round(performance.now() * 1_000);

/** A whole answer with a length. `headers` are whole lines. */
export function answer(body: string, headers = ''): string {
  return `HTTP/1.1 200 OK\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`;
}

/**
 * A server whose `onRequest` sees each piece of input, counted over all connections. Throws where the machine
 * has no such address.
 */
export async function serve(
  onRequest: (socket: Socket, requestIndex: number) => void,
  { host = '127.0.0.1', port = 0, allowHalfOpen = false } = {},
): Promise<{ origin: URL; server: Server; sockets: Set<Socket> }> {
  const sockets = new Set<Socket>();
  let requestIndex = 0;
  const server = createServer({ allowHalfOpen }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('data', () => onRequest(socket, requestIndex++));
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  closeLater(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address() as AddressInfo; // Listening on TCP, so never a pipe's name.
  return {
    origin: new URL(`http://${host.includes(':') ? `[${host}]` : host}:${address.port}`),
    server,
    sockets,
  };
}

/** A pool with two seconds for an attempt. */
export function poolFor(origin: URL, options: Partial<PoolOptions> = {}): ConnectionPool {
  const pool = new ConnectionPool({ origin, nowUs, timeoutMs: 2_000, ...options });
  closeLater(() => pool.close());
  return pool;
}

/** The attempt at one request. */
export function send(pool: ConnectionPool, body = '{}'): Promise<Attempt> {
  return new Promise((resolve) => pool.request({ path: '/', headerLines: 'x: y\r\n', body }, resolve));
}

/** The body of an answer, or the code of a failure. */
export function textOf(attempt: Attempt): string | undefined {
  return attempt.answer?.body.toString() ?? attempt.failure?.code;
}
