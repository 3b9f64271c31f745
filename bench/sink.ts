// The sink of the client benchmarks as a child process, and what is sent to it.
import { fork } from 'node:child_process';
import { CredentialSource } from '../src/aws/credentials.ts';
import { DynamoDbTarget } from '../src/aws/dynamodb-target.ts';
import type { Endpoint } from '../src/aws/endpoint.ts';
import type { Request } from '../src/dynamodb/operation.ts';
import { siblingFile } from './sibling-file.ts';

export const credentials = { accessKeyId: 'dynoload', secretAccessKey: 'dynoload' };

/** A PutItem of about 450 bytes. */
export const item = {
  pk: { S: 'customer#0001742' },
  sk: { S: 'order#2026-01-01T00:00:00Z#000042' },
  status: { S: 'PENDING' },
  amount: { N: '129.95' },
  isGift: { BOOL: false },
};
export const putRequest: Request = {
  api: 'PutItem',
  input: { TableName: 'bench', Item: { ...item, data: { fillerBytes: 240 } } },
};

/** Starts the sink; `stop` ends it. */
export async function startSink(): Promise<{ url: string; stop(): void }> {
  const child = fork(siblingFile('sink-server'));
  const port = await new Promise<unknown>((resolve) => child.once('message', resolve));
  return { url: `http://127.0.0.1:${Number(port)}`, stop: () => child.disconnect() };
}

export function endpointAt(url: string): Endpoint {
  return {
    url: new URL(url),
    region: 'us-east-1',
    credentials: new CredentialSource(credentials),
    isAws: false,
    notes: [],
  };
}

/** The lean client, as a run would use it. */
export function leanTarget(url: string, nowUs: () => number): DynamoDbTarget {
  return new DynamoDbTarget({ endpoint: endpointAt(url), nowUs, attemptTimeoutMs: 10_000 });
}
