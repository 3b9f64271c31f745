// How many PutItem requests one CPU-second of the client pays for: the lean client with classification and recording, beside the AWS SDK.
// Both send the same item of about 450 bytes, 50 at a time, to a bare-socket sink in a process of its own. Retries are off.
// Run with: node --import jiti/register bench/lean-client.ts
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { CredentialSource } from '../src/aws/credentials.ts';
import { DynamoDbTarget } from '../src/aws/dynamodb-target.ts';
import { quietNodeVersionWarning } from '../src/aws/node-version-warning.ts';
import type { Request } from '../src/dynamodb/operation.ts';
import { LatencyHistogram } from '../src/stats/histogram.ts';

const CONCURRENCY = 50;
const WARM_UP_MS = 1_500;
const MEASURED_MS = 4_000;
const ROUNDS = 3;

const item = {
  pk: { S: 'customer#0001742' },
  sk: { S: 'order#2026-01-01T00:00:00Z#000042' },
  status: { S: 'PENDING' },
  amount: { N: '129.95' },
  isGift: { BOOL: false },
};
const request: Request = {
  api: 'PutItem',
  input: { TableName: 'bench', Item: { ...item, data: { fillerBytes: 240 } } },
};
const credentials = { accessKeyId: 'dynoload', secretAccessKey: 'dynoload' };
const nowUs = (): number => Math.round(performance.now() * 1_000);

/** Something that sends one request and tells when it is answered. */
type Send = (done: () => void) => void;

/** Operations per CPU-second (user and system) of this process, over `durationMs` with a fixed number under way. */
function measure(send: Send, durationMs: number): Promise<number> {
  return new Promise((resolve) => {
    const startCpu = process.cpuUsage();
    const endMs = performance.now() + durationMs;
    let count = 0;
    let underWay = 0;
    const next = (): void => {
      if (performance.now() < endMs) {
        underWay += 1;
        send(answered);
      } else if (underWay === 0) {
        const { user, system } = process.cpuUsage(startCpu);
        resolve((count * 1_000_000) / (user + system));
      }
    };
    const answered = (): void => {
      count += 1;
      underWay -= 1;
      next();
    };
    for (let index = 0; index < CONCURRENCY; index++) next();
  });
}

function leanSender(url: string): { send: Send; close(): void } {
  const endpoint = {
    url: new URL(url),
    region: 'us-east-1',
    credentials: new CredentialSource(credentials),
    isAws: false,
    notes: [],
  };
  const target = new DynamoDbTarget({ endpoint, nowUs, attemptTimeoutMs: 10_000 });
  const latencies = new LatencyHistogram();
  let sequence = 0;
  const send: Send = (done) => {
    const startUs = nowUs();
    target.send({ request, workloadIndex: 0, sequence: sequence++, part: 0 }, startUs, (outcome, endUs) => {
      if (outcome.kind !== 'ok') throw new Error(`the sink answered ${JSON.stringify(outcome)}`);
      latencies.record(endUs - startUs);
      done();
    });
  };
  return { send, close: () => target.close() };
}

function sdkSender(url: string): { send: Send; close(): void } {
  const client = new DynamoDBClient({ endpoint: url, region: 'us-east-1', credentials, maxAttempts: 1 });
  const input = {
    TableName: 'bench',
    Item: { ...item, data: { S: 'x'.repeat(240) } },
    ReturnConsumedCapacity: 'INDEXES',
  } as const;
  const send: Send = (done) => void client.send(new PutItemCommand(input)).then(done);
  return { send, close: () => client.destroy() };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

quietNodeVersionWarning();
const sink = fork(fileURLToPath(new URL('./sink-server.ts', import.meta.url)));
const port = await new Promise<unknown>((resolve) => sink.once('message', resolve));
const url = `http://127.0.0.1:${Number(port)}`;
const lean = leanSender(url);
const sdk = sdkSender(url);
for (const { send } of [lean, sdk]) await measure(send, WARM_UP_MS);
const rates: { lean: number[]; sdk: number[] } = { lean: [], sdk: [] };
for (let round = 0; round < ROUNDS; round++) {
  rates.lean.push(await measure(lean.send, MEASURED_MS));
  rates.sdk.push(await measure(sdk.send, MEASURED_MS));
}
lean.close();
sdk.close();
sink.disconnect();

const shown = { lean: Math.round(median(rates.lean)), sdk: Math.round(median(rates.sdk)) };
process.stdout.write(
  `signed PutItem per CPU-second of the client, median of ${ROUNDS}, ${CONCURRENCY} under way\n` +
    `  lean client  ${shown.lean.toLocaleString('en')}\n` +
    `  AWS SDK      ${shown.sdk.toLocaleString('en')}\n` +
    `  ratio        ${(shown.lean / shown.sdk).toFixed(1)}\n`,
);
