// How many requests one CPU-second of the client pays for: the lean client with signature, classification and
// recording; the same work over undici; the AWS SDK; and autocannon, which neither signs nor reads answers.
// All send a PutItem of about 450 bytes, 50 at a time, to a bare-socket sink in a process of its own. Retries
// are off. Run with: npm run bench -- lean-client
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import autocannon from 'autocannon';
import { type Dispatcher, Pool } from 'undici';
import { AttemptTimesRecorder } from '../src/aws/attempt-times.ts';
import { damageOf } from '../src/aws/answer-checksum.ts';
import { classifyAnswer } from '../src/aws/classify-answer.ts';
import { DynamoDbTarget } from '../src/aws/dynamodb-target.ts';
import { jsonBody } from '../src/aws/json-body.ts';
import { quietNodeVersionWarning } from '../src/aws/node-version-warning.ts';
import type { Outcome } from '../src/dynamodb/outcome.ts';
import { Sigv4Signer } from '../src/http/sigv4.ts';
import { LatencyHistogram } from '../src/stats/histogram.ts';
import { median, report } from './rows.ts';
import { credentials, endpointAt, item, putRequest, startSink } from './sink.ts';

const CONCURRENCY = 50;
const WARM_UP_MS = 1_500;
const MEASURED_MS = 3_000;
const ROUNDS = 3;
const OPERATION = 'DynamoDB_20120810.PutItem';

const nowUs = (): number => Math.round(performance.now() * 1_000);

/** Something that sends one request and tells when it is answered. */
type Send = (done: () => void) => void;

/** Offers load for a while and tells how many requests were answered. */
type Offer = (durationMs: number) => Promise<number>;

interface Client {
  readonly name: 'lean' | 'undici' | 'sdk' | 'autocannon';
  readonly offer: Offer;
  close(): void;
}

/** A fixed number under way. */
function offerBy(send: Send): Offer {
  return (durationMs) =>
    new Promise((resolve) => {
      const endMs = performance.now() + durationMs;
      let count = 0;
      let underWay = 0;
      const next = (): void => {
        if (performance.now() < endMs) {
          underWay += 1;
          send(answered);
        } else if (underWay === 0) resolve(count);
      };
      const answered = (): void => {
        count += 1;
        underWay -= 1;
        next();
      };
      for (let slot = 0; slot < CONCURRENCY; slot++) next();
    });
}

/** Requests per CPU-second (user and system) of this process. */
async function measure({ offer }: Client, durationMs: number): Promise<number> {
  const start = process.cpuUsage();
  const count = await offer(durationMs);
  const { user, system } = process.cpuUsage(start);
  return (count * 1_000_000) / (user + system);
}

function leanClient(url: string): Client {
  const times = new AttemptTimesRecorder();
  const target = new DynamoDbTarget({ endpoint: endpointAt(url), nowUs, attemptTimeoutMs: 10_000, times });
  const latencies = new LatencyHistogram();
  let sequence = 0;
  const send: Send = (done) => {
    const startUs = nowUs();
    const request = { request: putRequest, workloadIndex: 0, sequence: sequence++, part: 0 };
    target.send(request, startUs, (outcome, endUs) => {
      checkOk(outcome);
      latencies.record(endUs - startUs);
      done();
    });
  };
  return { name: 'lean', offer: offerBy(send), close: () => target.close() };
}

/**
 * The lean client's work with undici below it, in undici's cheapest way: a dispatch with a handler, no
 * promise, no stream.
 */
function undiciClient(url: string): Client {
  const { host, origin } = new URL(url);
  const pool = new Pool(origin, { connections: CONCURRENCY, pipelining: 1 });
  const signer = new Sigv4Signer({ host, path: '/', region: 'us-east-1', service: 'dynamodb' });
  const latencies = new LatencyHistogram();
  const send: Send = (done) => {
    const startUs = nowUs();
    const body = jsonBody(putRequest, 'INDEXES');
    const headers = headersOf(signer.headerLines(OPERATION, body, credentials, Date.now()));
    pool.dispatch(
      { path: '/', method: 'POST', headers, body },
      answerHandler((outcome) => {
        checkOk(outcome);
        latencies.record(nowUs() - startUs);
        done();
      }),
    );
  };
  return { name: 'undici', offer: offerBy(send), close: () => void pool.close() };
}

function answerHandler(done: (outcome: Outcome) => void): Dispatcher.DispatchHandler {
  const parts: Buffer[] = [];
  let status = 0;
  let checksum = '';
  return {
    onRequestStart: () => undefined,
    onResponseStart: (_, statusCode, headers) => {
      status = statusCode;
      checksum = String(headers['x-amz-crc32']);
    },
    onResponseData: (_, part) => void parts.push(part),
    onResponseEnd: () => {
      const body = parts.length === 1 ? (parts[0] ?? Buffer.alloc(0)) : Buffer.concat(parts);
      const answer = { status, head: `HTTP/1.1 ${status}\r\nx-amz-crc32: ${checksum}`, body };
      done(damageOf(answer) ?? classifyAnswer(answer, putRequest));
    },
    onResponseError: (_, error) => {
      throw error;
    },
  };
}

function headersOf(lines: string): string[] {
  const headers: string[] = [];
  for (const line of lines.split('\r\n')) {
    const colonAt = line.indexOf(': ');
    if (colonAt > 0) headers.push(line.slice(0, colonAt), line.slice(colonAt + 2));
  }
  return headers;
}

function sdkClient(url: string): Client {
  const client = new DynamoDBClient({ endpoint: url, region: 'us-east-1', credentials, maxAttempts: 1 });
  const input = {
    TableName: 'bench',
    Item: { ...item, data: { S: 'x'.repeat(240) } },
    ReturnConsumedCapacity: 'INDEXES',
  } as const;
  const send: Send = (done) => void client.send(new PutItemCommand(input)).then(done);
  return { name: 'sdk', offer: offerBy(send), close: () => client.destroy() };
}

function autocannonClient(url: string): Client {
  const offer: Offer = async (durationMs) => {
    const result = await autocannon({
      url,
      method: 'POST',
      headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': OPERATION },
      body: jsonBody(putRequest, 'INDEXES'),
      connections: CONCURRENCY,
      duration: durationMs / 1_000,
    });
    if (result.errors > 0 || result.non2xx > 0) throw new Error('autocannon had errors');
    return result.requests.total;
  };
  return { name: 'autocannon', offer, close: () => undefined };
}

function checkOk(outcome: Outcome): void {
  if (outcome.kind !== 'ok') throw new Error(`the sink answered ${JSON.stringify(outcome)}`);
}

quietNodeVersionWarning();
const sink = await startSink();
const clients = [
  leanClient(sink.url),
  undiciClient(sink.url),
  sdkClient(sink.url),
  autocannonClient(sink.url),
];
for (const client of clients) await measure(client, WARM_UP_MS);
const rounds: Record<Client['name'], number>[] = [];
for (let round = 0; round < ROUNDS; round++) {
  const rates = { lean: 0, undici: 0, sdk: 0, autocannon: 0 };
  for (const client of clients) rates[client.name] = await measure(client, MEASURED_MS);
  rounds.push(rates);
}
for (const client of clients) client.close();
sink.stop();

const rate = (name: Client['name']): number => median(rounds.map((rates) => rates[name]));
// Within a round, so that what else the machine does meanwhile weighs on both.
const ratioTo = (name: Client['name']): number => median(rounds.map((rates) => rates.lean / rates[name]));
report(`Signed PutItem per CPU-second of the client, median of ${ROUNDS}, ${CONCURRENCY} under way`, [
  { what: 'lean client', value: rate('lean'), unit: '/CPU-s' },
  { what: 'the same over undici', value: rate('undici'), unit: '/CPU-s' },
  { what: 'AWS SDK', value: rate('sdk'), unit: '/CPU-s' },
  { what: 'autocannon, unsigned', value: rate('autocannon'), unit: '/CPU-s' },
  { what: 'lean client ÷ AWS SDK', value: ratioTo('sdk'), unit: '×', bar: { kind: 'at least', value: 20 } },
  {
    what: 'lean client ÷ autocannon',
    value: ratioTo('autocannon'),
    unit: '×',
    bar: { kind: 'at least', value: 0.75 },
  },
  { what: 'lean client ÷ the same over undici', value: ratioTo('undici'), unit: '×' },
]);
