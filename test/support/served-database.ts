// The simulated database behind its wire protocol in this process, on a free port, with a clock that tests
// move by hand: minutes pass at once, and nothing refills between two requests unless a test says so.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { quietNodeVersionWarning } from '../../src/aws/node-version-warning.ts';
import { type RunningServer, type ServerSettings, startServer } from '../../src/serve/start-server.ts';

quietNodeVersionWarning();

/** 2026-01-01T00:00:00Z. */
const START_MS = Date.UTC(2026, 0, 1);

export interface ServedDatabase extends RunningServer {
  readonly client: DynamoDBClient;
  /** Errors of the server's own; a test expects none. */
  readonly bugs: readonly unknown[];
  /** Lets time pass. */
  advance(ms: number): void;
}

/** A server with a client whose retries are off. */
export async function serveDatabase(
  settings: Partial<Omit<ServerSettings, 'nowUs' | 'wallMs' | 'onBug'>> = {},
): Promise<ServedDatabase> {
  let elapsedMs = 0;
  const bugs: unknown[] = [];
  const server = await startServer({
    version: '0.0.0',
    ...settings,
    nowUs: () => elapsedMs * 1_000,
    wallMs: () => START_MS + elapsedMs,
    onBug: (error) => bugs.push(error),
  });
  const client = new DynamoDBClient({
    endpoint: server.url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    maxAttempts: 1,
  });
  return {
    ...server,
    client,
    bugs,
    advance: (ms) => void (elapsedMs += ms),
    stop: async () => {
      client.destroy();
      return server.stop();
    },
  };
}

/** Members of an answer, whatever they are. */
export type WireBody = Readonly<Record<string, unknown>>;

/** One request as it stands on the wire: no SDK between. */
export async function post(
  url: string,
  operation: string,
  body: unknown,
): Promise<{ readonly status: number; readonly headers: Headers; readonly body: WireBody }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'x-amz-target': `DynamoDB_20120810.${operation}`,
      'content-type': 'application/x-amz-json-1.0',
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? {} : (JSON.parse(text) as WireBody),
  };
}

/** Nothing went wrong inside the server. @throws the first error that did */
export function assertSound({ bugs }: ServedDatabase): void {
  const [bug] = bugs;
  if (bug !== undefined) throw new Error('the server met an error of its own', { cause: bug });
}
