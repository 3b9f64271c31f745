// Passes requests on to a server and keeps which operations were asked for, in order: what a run on AWS would have
// asked of AWS.
import { createServer, request as forward, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RecordingProxy {
  readonly url: string;
  /** Operations of all requests, such as `CreateTable`. */
  readonly operations: readonly string[];
  /** Bodies of requests of one operation, parsed. */
  bodies(operation: string): readonly unknown[];
  stop(): Promise<void>;
}

export async function startRecordingProxy(targetUrl: string): Promise<RecordingProxy> {
  const seen: { operation: string; body: string }[] = [];
  const server = createServer((incoming, answer) => {
    void read(incoming).then((body) => {
      const operation = String(incoming.headers['x-amz-target']).split('.').at(-1) ?? '';
      seen.push({ operation, body: body.toString() });
      const onward = forward(
        targetUrl,
        { method: 'POST', headers: incoming.headers, path: incoming.url },
        (response) => {
          answer.writeHead(response.statusCode ?? 500, response.headers);
          response.pipe(answer);
        },
      );
      onward.on('error', () => answer.destroy());
      onward.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // A TCP server has such an address.
  return {
    url: `http://127.0.0.1:${port}`,
    get operations() {
      return seen.map(({ operation }) => operation);
    },
    bodies: (operation) =>
      seen.filter((one) => one.operation === operation).map(({ body }) => JSON.parse(body) as unknown),
    stop: () => stop(server),
  };
}

async function read(message: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part as Buffer); // No encoding is set on it.
  return Buffer.concat(parts);
}

function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
