// Which server answers at an endpoint, and what can be measured on it. Two questions that change nothing:
// list tables, and a transaction without actions. A server that is not known by name gets `unknown`, not a
// guess.
import type { ReturnConsumedCapacity } from '../dynamodb/operation.ts';
import type { Capability, TargetCapabilities } from '../engine/target.ts';
import { type Attempt, headerValue, type HttpAnswer } from '../http/attempt.ts';
import { errorType } from './classify-error.ts';
import type { DynamoDbTarget } from './dynamodb-target.ts';
import { type Endpoint, endpointText } from './endpoint.ts';
import { parseJsonObject, textMember } from './json-object.ts';
import { targetError } from './target-error.ts';

/** What a probe found. */
export interface ProbedTarget {
  /** For the first line of a report, for example `dynalite at http://127.0.0.1:4567`. */
  readonly label: string;
  readonly capabilities: TargetCapabilities;
  /** The finest accounting that the server takes. */
  readonly accounting: ReturnConsumedCapacity;
  /** Whether it is our own `serve`: it answers CloudWatch on the same port, and warming tables costs nothing. */
  readonly isServe: boolean;
  readonly notes: readonly string[];
}

const LONGEST_QUOTE = 60;

/**
 * Asks an endpoint who it is. AWS is known by its host name and not asked.
 * @throws DynoLoadError TARGET_UNREACHABLE, TARGET_NOT_DYNAMODB, TARGET_REJECTED (credentials)
 */
export async function probeCapabilities(endpoint: Endpoint, target: DynamoDbTarget): Promise<ProbedTarget> {
  if (endpoint.isAws) return aws(endpoint);
  const place = endpointText(endpoint.url);
  const listing = answerOf(await post(target, 'ListTables', '{"Limit":1}'), place);
  if (!isDynamoDb(listing)) throw notDynamoDb(place, listing);
  const refused = errorType(listing, parseJsonObject(listing.body.toString()));
  if (listing.status !== 200 && /Signature|Token|UnrecognizedClient/.test(refused))
    throw targetError(`cannot list tables at ${place}`, { code: refused, message: '' });
  const transaction = answerOf(await post(target, 'TransactWriteItems', '{"TransactItems":[]}'), place);
  const transactions = knowsOperation(transaction);
  return describe(place, identify(listing, transactions), transactions);
}

interface KnownServer {
  readonly name: string;
  readonly enforcesThroughput: Capability;
  readonly reportsIndexUnits: Capability;
  readonly parallelScan: Capability;
  readonly accounting: ReturnConsumedCapacity;
}

const emulator = { enforcesThroughput: 'no', accounting: 'INDEXES' } as const;

// What each does is in the notes of its project: `architect/dynalite` (no index units on writes),
// `nubo-db/dynoxide`, "DynamoDB local usage notes",
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/DynamoDBLocal.UsageNotes.html (no parallel
// scan), `scylladb/scylladb docs/alternator/compatibility.md` (TOTAL only), `getmoto/moto
// moto/dynamodb/responses.py`; all read 2026-11-30.
const servers = {
  dynalite: { ...emulator, name: 'dynalite', reportsIndexUnits: 'no', parallelScan: 'yes' },
  dynoxide: { ...emulator, name: 'Dynoxide', reportsIndexUnits: 'yes', parallelScan: 'yes' },
  dynamoDbLocal: { ...emulator, name: 'DynamoDB Local', reportsIndexUnits: 'yes', parallelScan: 'no' },
  localStack: { ...emulator, name: 'LocalStack', reportsIndexUnits: 'yes', parallelScan: 'no' },
  moto: { ...emulator, name: 'moto', reportsIndexUnits: 'no', parallelScan: 'unknown' },
  alternator: {
    ...emulator,
    name: 'ScyllaDB Alternator',
    reportsIndexUnits: 'no',
    parallelScan: 'yes',
    accounting: 'TOTAL',
  },
  dynoLoad: {
    name: 'dyno-load serve',
    enforcesThroughput: 'yes',
    reportsIndexUnits: 'yes',
    parallelScan: 'yes',
    accounting: 'INDEXES',
  },
} as const satisfies Readonly<Record<string, KnownServer>>;

/** The server by its headers; Dynalite has no name of its own there, but a set of habits that no other has. */
function identify({ head }: HttpAnswer, transactions: Capability): KnownServer | undefined {
  const server = headerValue(head, 'server');
  if (headerValue(head, 'x-localstack') !== undefined) return servers.localStack;
  if (server === undefined) return hasHabitsOfDynalite(head, transactions) ? servers.dynalite : undefined;
  if (/^dyno-load/i.test(server)) return servers.dynoLoad;
  if (/^dynoxide/i.test(server)) return servers.dynoxide;
  // `Server: Jetty(8.1.12…)`: scylladb/scylladb issue 7775.
  if (/^jetty/i.test(server)) return servers.dynamoDbLocal;
  if (/werkzeug/i.test(server)) return servers.moto;
  if (/scylla|seastar/i.test(server)) return servers.alternator;
  return undefined;
}

/** Node's own HTTP server, request ids of 52 characters, checksums, and no transactions. */
function hasHabitsOfDynalite(head: string, transactions: Capability): boolean {
  const requestId = headerValue(head, 'x-amzn-requestid') ?? '';
  const isNode = /^timeout=\d+$/.test(headerValue(head, 'keep-alive') ?? '');
  const hasChecksum = headerValue(head, 'x-amz-crc32') !== undefined;
  return isNode && hasChecksum && /^[0-9A-Z]{52}$/.test(requestId) && transactions === 'no';
}

function describe(place: string, known: KnownServer | undefined, transactions: Capability): ProbedTarget {
  const { enforcesThroughput, reportsIndexUnits, parallelScan } = known ?? unknownServer;
  return {
    label: `${(known ?? unknownServer).name} at ${place}`,
    capabilities: { enforcesThroughput, reportsIndexUnits, transactions, parallelScan },
    accounting: (known ?? unknownServer).accounting,
    isServe: known === servers.dynoLoad,
    notes: notesOn(known),
  };
}

const unknownServer: KnownServer = {
  name: 'an unknown DynamoDB endpoint',
  enforcesThroughput: 'unknown',
  reportsIndexUnits: 'unknown',
  parallelScan: 'unknown',
  accounting: 'INDEXES',
};

function notesOn(known: KnownServer | undefined): readonly string[] {
  if (known === undefined)
    return ['It is not known whether this server throttles; throttles that it shows are counted.'];
  if (known.enforcesThroughput === 'yes') return [];
  return [`${known.name} does not throttle, and its latencies are its own, not those of DynamoDB.`];
}

function aws({ url, region }: Endpoint): ProbedTarget {
  return {
    label: `DynamoDB in ${region} at ${endpointText(url)}`,
    capabilities: {
      enforcesThroughput: 'yes',
      reportsIndexUnits: 'yes',
      transactions: 'yes',
      parallelScan: 'yes',
    },
    accounting: 'INDEXES',
    isServe: false,
    notes: [],
  };
}

function post(target: DynamoDbTarget, operation: string, body: string): Promise<Attempt> {
  return new Promise((resolve) => target.post(`DynamoDB_20120810.${operation}`, body, resolve));
}

function answerOf({ answer, failure }: Attempt, place: string): HttpAnswer {
  if (answer) return answer;
  throw targetError(`cannot speak to ${place}`, failure ?? { code: 'NO_ANSWER', message: '' });
}

function isDynamoDb(answer: HttpAnswer): boolean {
  const body = parseJsonObject(answer.body.toString());
  return Array.isArray(body?.['TableNames']) || textMember(body, '__type') !== undefined;
}

function notDynamoDb(place: string, answer: HttpAnswer) {
  const code = answer.status === 200 ? 'BAD_JSON' : `HTTP_${answer.status}`;
  const message = `the list of tables was answered by ${startOf(answer.body)}`;
  return targetError(`cannot speak to ${place}`, { code, message });
}

/** The beginning of a body as text, for a sentence. */
function startOf(body: Buffer): string {
  const text = body.toString().trim();
  if (text === '') return 'an empty body';
  return text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text;
}

/** An operation that is not there is answered by UnknownOperationException before its input is looked at. */
function knowsOperation(answer: HttpAnswer): Capability {
  const type = errorType(answer, parseJsonObject(answer.body.toString()));
  if (/UnknownOperation|NotImplemented/i.test(type)) return 'no';
  return answer.status < 500 ? 'yes' : 'unknown';
}
