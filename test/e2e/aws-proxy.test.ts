// Aim: what the AWS SDK sends goes through the proxy too. Method: a host that only the proxy knows; the
// control client asks it for tables.
import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { controlClient } from '../../src/aws/control-client.ts';
import { CredentialSource } from '../../src/aws/credentials.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function portOf(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port; // Listening on TCP, so never a pipe's name.
}

test('the control client reaches a host through a tunnel, and uses it again', async () => {
  const database = await portOf(
    createHttpServer((request, response) => {
      request.resume();
      response.setHeader('content-type', 'application/x-amz-json-1.0');
      response.end('{"TableNames":["behind-the-proxy"]}');
    }),
  );
  const tunnels: string[] = [];
  const proxy = await portOf(
    createServer((client) => {
      client.on('error', () => client.destroy());
      client.once('data', (piece) => {
        tunnels.push(piece.toString('latin1').split('\r\n')[0] ?? '');
        const upstream = connect(database, '127.0.0.1', () => {
          client.write('HTTP/1.1 200 Connection established\r\n\r\n');
          client.pipe(upstream).pipe(client);
        });
        upstream.on('error', () => client.destroy());
      });
    }),
  );
  const client = controlClient({
    url: new URL('http://db.only-the-proxy-knows.invalid:8000'),
    region: 'us-east-1',
    credentials: new CredentialSource({ accessKeyId: 'id', secretAccessKey: 'secret' }),
    isAws: false,
    notes: [],
    proxy: new URL(`http://127.0.0.1:${proxy}`),
  });
  for (let turn = 0; turn < 2; turn++) {
    const { TableNames } = await client.send(new ListTablesCommand({}));
    expect(TableNames).toEqual(['behind-the-proxy']);
  }
  client.destroy();
  expect(tunnels).toEqual(['CONNECT db.only-the-proxy-knows.invalid:8000 HTTP/1.1']);
});
