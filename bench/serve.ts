// How many PutItem requests, on a table with one global index, one CPU-second of a server pays for: dyno-load
// serve with its capacity enforced, beside dynalite and Dynoxide, which enforce none. The lean client sends
// the same items to each, 50 at a time; each server has a process of its own. Run with: npm run bench -- serve
// (Linux: processor time is read from /proc)
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { CredentialSource } from '../src/aws/credentials.ts';
import { DynamoDbTarget } from '../src/aws/dynamodb-target.ts';
import { quietNodeVersionWarning } from '../src/aws/node-version-warning.ts';
import type { Outcome } from '../src/dynamodb/outcome.ts';
import { startDynalite, startDynoxide } from '../test/support/independent-servers.ts';
import { type BenchRow, median, report } from './rows.ts';
import { siblingFile } from './sibling-file.ts';

const CONCURRENCY = 50;
const WARM_UP_MS = 2_000;
const MEASURED_MS = 3_000;
const ROUNDS = 3;
/** Keys come again, so that most puts replace an item; enough of them that none is hot. */
const KEY_COUNT = 50_000;
const TICKS_PER_SECOND = 100;

const credentials = { accessKeyId: 'dynoload', secretAccessKey: 'dynoload' };
const filler = 'x'.repeat(240);
const hash = (AttributeName: string) => ({ AttributeName, KeyType: 'HASH' });
const range = (AttributeName: string) => ({ AttributeName, KeyType: 'RANGE' });
/**
 * Warm enough that nothing throttles at the rates that one processor reaches; bench/serve-process.ts has the
 * quota.
 */
const warm = { WarmThroughput: { ReadUnitsPerSecond: 120_000, WriteUnitsPerSecond: 100_000 } };

const table = {
  TableName: 'bench',
  AttributeDefinitions: ['pk', 'sk', 'status'].map((AttributeName) => ({
    AttributeName,
    AttributeType: 'S',
  })),
  KeySchema: [hash('pk'), range('sk')],
  BillingMode: 'PAY_PER_REQUEST',
};
const index = {
  IndexName: 'gsi1',
  KeySchema: [hash('status'), range('sk')],
  Projection: { ProjectionType: 'ALL' },
};

interface Candidate {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  readonly createTable: object;
  stop(): Promise<void>;
}

async function dynoLoad(): Promise<Candidate> {
  const child = fork(siblingFile('serve-process'));
  // Its one message is its address.
  const url = await new Promise<string>((resolve) =>
    child.once('message', (message) => resolve(message as string)),
  );
  const createTable = { ...table, ...warm, GlobalSecondaryIndexes: [{ ...index, ...warm }] };
  const stop = async () => void child.kill('SIGTERM');
  return { name: 'dyno-load serve', url, pid: child.pid ?? 0, createTable, stop };
}

async function others(): Promise<readonly Candidate[]> {
  const createTable = { ...table, GlobalSecondaryIndexes: [index] };
  const dynalite = await startDynalite();
  const found: Candidate[] = [{ name: 'dynalite', ...dynalite, createTable, stop: () => dynalite.stop() }];
  const dynoxide = await startDynoxide();
  if ('url' in dynoxide)
    found.push({ name: 'Dynoxide', ...dynoxide, createTable, stop: () => dynoxide.stop() });
  return found;
}

function targetAt(url: string): DynamoDbTarget {
  return new DynamoDbTarget({
    endpoint: {
      url: new URL(url),
      region: 'us-east-1',
      credentials: new CredentialSource(credentials),
      isAws: false,
      notes: [],
    },
    nowUs: () => Math.round(performance.now() * 1_000),
    attemptTimeoutMs: 10_000,
  });
}

async function createTable(target: DynamoDbTarget, body: object): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    target.post('DynamoDB_20120810.CreateTable', JSON.stringify(body), ({ answer }) => {
      if (answer?.status === 200) resolve();
      else reject(new Error(`no table: ${answer?.body.toString() ?? 'no answer'}`));
    });
  });
  // Others take a moment to make it ready.
  await new Promise((resolve) => setTimeout(resolve, 300));
}

/** User and system time of a process so far, seconds. @see proc_pid_stat(5), fields 14 and 15 */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Puts per CPU-second of the server, over `durationMs` with a fixed number under way. */
function measure({ pid }: Candidate, target: DynamoDbTarget, durationMs: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const startSeconds = cpuSeconds(pid);
    const endMs = performance.now() + durationMs;
    let count = 0;
    let underWay = 0;
    const next = (): void => {
      if (performance.now() < endMs) {
        underWay++;
        put(target, answered);
      } else if (underWay === 0) resolve(count / (cpuSeconds(pid) - startSeconds));
    };
    const answered = (outcome: Outcome): void => {
      if (outcome.kind !== 'ok') reject(new Error(`a put ended as ${JSON.stringify(outcome)}`));
      count++;
      underWay--;
      next();
    };
    for (let slot = 0; slot < CONCURRENCY; slot++) next();
  });
}

let sequence = 0;

function put(target: DynamoDbTarget, done: (outcome: Outcome) => void): void {
  const key = sequence++ % KEY_COUNT;
  const Item = {
    pk: { S: `customer#${key}` },
    sk: { S: 'order#2026-01-01T00:00:00Z' },
    status: { S: `PENDING#${key % 1_000}` },
    amount: { N: String(sequence) },
    isGift: { BOOL: false },
    data: { S: filler },
  };
  const request = { api: 'PutItem', input: { TableName: 'bench', Item } } as const;
  target.send({ request, workloadIndex: 0, sequence, part: 0 }, 0, done);
}

quietNodeVersionWarning();
const candidates = [await dynoLoad(), ...(await others())];
const runs = candidates.map((candidate) => ({
  candidate,
  target: targetAt(candidate.url),
  rates: [] as number[],
}));
for (const { candidate, target } of runs) {
  await createTable(target, candidate.createTable);
  await measure(candidate, target, WARM_UP_MS);
}
for (let round = 0; round < ROUNDS; round++)
  for (const { candidate, target, rates } of runs) rates.push(await measure(candidate, target, MEASURED_MS));
for (const { candidate, target } of runs) {
  target.close();
  await candidate.stop();
}

const own = median(runs[0]?.rates ?? []);
const bars: Readonly<Record<string, number>> = { dynalite: 1.5, Dynoxide: 3 };
report(
  `PutItem with one global index per CPU-second of the server, median of ${ROUNDS}, ${CONCURRENCY} under way`,
  runs.flatMap(({ candidate: { name }, rates }): BenchRow[] => {
    const value = median(rates);
    const rate = { what: name, value, unit: '/CPU-s' };
    const bar = bars[name];
    if (bar === undefined) return [rate];
    const ratio = { what: `dyno-load serve ÷ ${name}`, value: own / value, unit: '×' };
    return [rate, { ...ratio, bar: { kind: 'at least', value: bar } }];
  }),
);
