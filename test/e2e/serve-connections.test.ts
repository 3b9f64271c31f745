// Aim: connections that are slow, half-open or idle end by their deadlines, and none that is served. Method:
// one connection over a real socket whose seconds are counted by the test.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { ResponseWriter } from '../../src/serve/wire/http-response.ts';
import { type HttpRequest, ServerConnection } from '../../src/serve/wire/server-connection.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

interface Pair {
  readonly client: Socket;
  readonly server: ServerConnection;
  /** Requests that wait for an answer. */
  readonly waiting: { readonly request: HttpRequest; answer(body: string): void }[];
  readonly received: () => string;
  /** Lets seconds pass. */
  seconds(count: number): void;
}

async function openPair(): Promise<Pair> {
  const waiting: Pair['waiting'] = [];
  const writer = new ResponseWriter({ server: 'test', seed: 1, wallMs: () => 0 });
  const listener = createServer({ allowHalfOpen: true });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const accepted = new Promise<ServerConnection>((resolve) => {
    listener.on('connection', (socket) => {
      resolve(
        new ServerConnection(socket, {
          maxBodyBytes: 1_000,
          handle: (request, respond) =>
            void waiting.push({ request, answer: (body) => respond({ status: 200, body }) }),
          refuse: (reason) => ({ status: reason === 'timeout' ? 408 : 400, body: reason }),
          bytesOf: (response, isLast) => writer.bytesOf(response, isLast),
          isStopping: () => false,
          closed: () => undefined,
        }),
      );
    });
  });
  const client = connect((listener.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => undefined);
  let text = '';
  client.on('data', (piece: Buffer) => void (text += piece.toString('latin1')));
  cleanups.push(() => {
    client.destroy();
    listener.close();
  });
  const server = await accepted;
  const seconds = (count: number) => {
    for (let second = 0; second < count; second++) server.tick();
  };
  return { client, server, waiting, received: () => text, seconds };
}

const request = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}';
const settled = () => pause(30);

test('a request that does not come whole in 30 seconds is refused', async () => {
  const { client, received, seconds } = await openPair();
  client.write(request.slice(0, -1));
  await settled();
  seconds(29);
  await settled();
  expect(received()).toBe('');
  seconds(1);
  await settled();
  expect(received()).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n[\s\S]*Connection: close[\s\S]*timeout$/);
});

test('bytes that trickle in do not move the deadline', async () => {
  const { client, received, seconds } = await openPair();
  client.write(request.slice(0, 1));
  await settled(); // Seconds count from when it is there.
  for (const byte of request.slice(1, 31)) {
    client.write(byte);
    await pause(1);
    seconds(1);
  }
  await settled();
  expect(received()).toMatch(/^HTTP\/1\.1 408/);
});

test('a connection that asks nothing for 90 seconds is closed, whether or not it has asked before', async () => {
  for (const before of [0, 1]) {
    const { client, waiting, received, seconds } = await openPair();
    if (before > 0) {
      client.write(request);
      await settled();
      waiting[0]?.answer('{}');
    }
    await settled();
    seconds(89);
    await settled();
    expect(client.destroyed || client.readableEnded).toBe(false);
    seconds(1);
    await settled();
    expect(client.destroyed || client.readableEnded).toBe(true);
    expect(received()).not.toContain('408');
  }
});

test('a request under way has all the time that its answer takes', async () => {
  const { client, waiting, received, seconds } = await openPair();
  client.write(request);
  await settled();
  seconds(10_000);
  waiting[0]?.answer('late');
  await settled();
  expect(received()).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*Connection: keep-alive[\s\S]*late$/);
});

test('requests in a row are handed on one at a time, in order', async () => {
  const { client, waiting, received } = await openPair();
  client.write(request + request);
  await settled();
  client.write(request);
  await settled();
  expect(waiting).toHaveLength(1);
  waiting[0]?.answer('first');
  await settled();
  expect(waiting).toHaveLength(2);
  waiting[1]?.answer('second');
  await settled();
  waiting[2]?.answer('third');
  await settled();
  expect(received()).toMatch(/first[\s\S]*second[\s\S]*third$/);
});

test('a client that ends its side still gets its answer, and then the connection ends', async () => {
  const { client, waiting, received } = await openPair();
  client.end(request);
  await settled();
  waiting[0]?.answer('last');
  await settled();
  expect(received()).toMatch(/Connection: close[\s\S]*last$/);
  expect(client.destroyed || client.readableEnded).toBe(true);
});
