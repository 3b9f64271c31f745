// A DynamoDB endpoint that stores nothing and answers PutItem after a set delay: a server whose speed is known.
// Tables exist as names only, and one that is deleted takes a moment to go, as on AWS.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

export interface SlowServer {
  readonly url: string;
  /** How long PutItem takes, ms. */
  delayMs: number;
  /** Names of tables in the order in which they were created, so that fresh ones can be counted. */
  readonly created: readonly string[];
  /** Names of tables that are there. */
  readonly tables: ReadonlySet<string>;
  stop(): Promise<void>;
}

const DELETING_MS = 20;

/** It closes no idle connection and looks for no slow request: neither is what its users ask for. */
const unhurried = {
  keepAliveTimeout: 0,
  requestTimeout: 0,
  headersTimeout: 0,
  connectionsCheckingInterval: 3_600_000,
};

/**
 * Starts one on a free port of loopback.
 * @param delayOf  asked as each PutItem comes in, where its delay is not always the same
 */
export async function startSlowServer(delayMs: number, delayOf?: () => number): Promise<SlowServer> {
  const tables = new Map<string, 'ACTIVE' | 'DELETING'>();
  const created: string[] = [];
  const state = { delayMs };
  const server = createServer(unhurried, (request, response) => {
    void bodyOf(request).then((body) => {
      const api = String(request.headers['x-amz-target']).split('.')[1] ?? '';
      if (api !== 'PutItem') return answerControl(api, body);
      const { TableName } = body;
      setTimeout(
        () =>
          send(response, 200, {
            ConsumedCapacity: { TableName, CapacityUnits: 1, Table: { CapacityUnits: 1 } },
          }),
        delayOf?.() ?? state.delayMs,
      );
    });

    function answerControl(api: string, { TableName = '' }: { TableName?: string }): void {
      const status = tables.get(TableName);
      if (api === 'ListTables') return send(response, 200, { TableNames: [...tables.keys()] });
      if (api === 'CreateTable') {
        if (status !== undefined) return refuse('ResourceInUseException');
        tables.set(TableName, 'ACTIVE');
        created.push(TableName);
        return send(response, 200, { TableDescription: { TableName, TableStatus: 'ACTIVE' } });
      }
      if (status === undefined) return refuse('ResourceNotFoundException');
      if (api === 'DescribeTable') return send(response, 200, { Table: { TableName, TableStatus: status } });
      if (api !== 'DeleteTable') return refuse('UnknownOperationException');
      tables.set(TableName, 'DELETING');
      setTimeout(() => tables.delete(TableName), DELETING_MS);
      return send(response, 200, { TableDescription: { TableName, TableStatus: 'DELETING' } });
    }

    function refuse(code: string): void {
      send(response, 400, { __type: `com.amazonaws.dynamodb.v20120810#${code}`, message: code });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    created,
    get tables() {
      return new Set(tables.keys());
    },
    get delayMs() {
      return state.delayMs;
    },
    set delayMs(value) {
      state.delayMs = value;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<{ TableName?: string }> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer); // A request without an encoding gives buffers.
  // What our own client sends is JSON; anything else would fail the test, as it should.
  return JSON.parse(Buffer.concat(parts).toString() || '{}') as { TableName?: string };
}

function send(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/x-amz-json-1.0',
    'content-length': Buffer.byteLength(text),
    'x-amzn-requestid': 'slow-server',
  });
  response.end(text);
}
