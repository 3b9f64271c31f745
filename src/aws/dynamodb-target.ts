// The live target: a request of the engine → JSON, signature, HTTP, and the answer → `Outcome`. No SDK on this path.
import type { DataApi, Request, ReturnConsumedCapacity } from '../dynamodb/operation.ts';
import type { Outcome } from '../dynamodb/outcome.ts';
import type { Done, Target, TargetRequest } from '../engine/target.ts';
import { type Attempt, headerValue } from '../http/attempt.ts';
import { ConnectionPool, type PoolCounters } from '../http/connection-pool.ts';
import type { OpenSocket } from '../http/open-socket.ts';
import { Sigv4Signer } from '../http/sigv4.ts';
import type { AttemptTimesRecorder } from './attempt-times.ts';
import { damageOf } from './answer-checksum.ts';
import { classifyAnswer } from './classify-answer.ts';
import type { Endpoint } from './endpoint.ts';
import { jsonBody } from './json-body.ts';
import { safeMessage } from './safe-message.ts';

export interface DynamoDbTargetOptions {
  readonly endpoint: Endpoint;
  /** The engine's clock; attempts carry its times. */
  readonly nowUs: () => number;
  /** Wall-clock time in ms since 1970, for signatures. Default: the system's. */
  readonly wallMs?: () => number;
  /** One attempt ends after this long, as `failed` with ATTEMPT_TIMED_OUT. */
  readonly attemptTimeoutMs: number;
  /** Accounting asked for where a request does not say. Default INDEXES; some servers know TOTAL only. */
  readonly accounting?: ReturnConsumedCapacity;
  readonly maxConnections?: number;
  readonly open?: OpenSocket;
  /** Counts attempts and connections by their times, for the generator's own health. */
  readonly times?: AttemptTimesRecorder;
}

/** The value of `x-amz-target` for each API. */
const operationNames: Readonly<Record<DataApi, string>> = {
  PutItem: 'DynamoDB_20120810.PutItem',
  GetItem: 'DynamoDB_20120810.GetItem',
  UpdateItem: 'DynamoDB_20120810.UpdateItem',
  DeleteItem: 'DynamoDB_20120810.DeleteItem',
  Query: 'DynamoDB_20120810.Query',
  Scan: 'DynamoDB_20120810.Scan',
  BatchGetItem: 'DynamoDB_20120810.BatchGetItem',
  BatchWriteItem: 'DynamoDB_20120810.BatchWriteItem',
  TransactGetItems: 'DynamoDB_20120810.TransactGetItems',
  TransactWriteItems: 'DynamoDB_20120810.TransactWriteItems',
  ExecuteStatement: 'DynamoDB_20120810.ExecuteStatement',
  BatchExecuteStatement: 'DynamoDB_20120810.BatchExecuteStatement',
  ExecuteTransaction: 'DynamoDB_20120810.ExecuteTransaction',
};

/** One endpoint, with connections and signatures of its own. To be closed by whoever made it. */
export class DynamoDbTarget implements Target {
  readonly #options: DynamoDbTargetOptions;
  readonly #pool: ConnectionPool;
  readonly #signer: Sigv4Signer;
  readonly #path: string;
  readonly #accounting: ReturnConsumedCapacity;
  readonly #wallMs: () => number;
  /** Added to our wall clock, so that signatures carry the server's time. */
  #skewMs = 0;

  constructor(options: DynamoDbTargetOptions) {
    const { url, region } = options.endpoint;
    this.#options = options;
    this.#path = url.pathname;
    this.#accounting = options.accounting ?? 'INDEXES';
    this.#wallMs = options.wallMs ?? Date.now;
    this.#signer = new Sigv4Signer({ host: url.host, path: url.pathname, region, service: 'dynamodb' });
    this.#pool = new ConnectionPool({
      origin: url,
      nowUs: options.nowUs,
      timeoutMs: options.attemptTimeoutMs,
      ...(options.maxConnections === undefined ? {} : { maxConnections: options.maxConnections }),
      ...(options.open === undefined ? {} : { open: options.open }),
      proxy: options.endpoint.proxy,
      onOpened: options.times?.onOpened,
    });
  }

  /** Connections opened, requests sent a second time and so on, since the start. */
  get counters(): PoolCounters {
    return this.#pool.counters;
  }

  /**
   * Sends one request; outcomes that never reached DynamoDB are `failed` with a code of the network
   * (`ECONNREFUSED` …), ATTEMPT_TIMED_OUT, NOT_HTTP or REQUEST_NOT_JSON; CHECKSUM_MISMATCH
   * where an answer came to harm on its way.
   */
  send({ request, underWay }: TargetRequest, _startUs: number, done: Done): void {
    if (underWay) {
      underWay(done);
      return;
    }
    let body: string;
    try {
      body = jsonBody(request, this.#accounting);
    } catch (error) {
      done(notJson(error), this.#options.nowUs());
      return;
    }
    this.post(operationNames[request.api], body, (attempt) => this.#finish(attempt, request, done));
  }

  /** Posts a signed body for an operation (`x-amz-target`), for what is no load: probes. */
  post(operation: string, body: string, done: (attempt: Attempt) => void): void {
    const wallMs = this.#wallMs();
    const credentials = this.#options.endpoint.credentials.current(wallMs);
    const headerLines = this.#signer.headerLines(operation, body, credentials, wallMs + this.#skewMs);
    this.#pool.request({ path: this.#path, headerLines, body }, done);
  }

  /** Opens connections ahead of load; see `ConnectionPool.warmUp`. */
  warmUp(count: number): Promise<void> {
    return this.#pool.warmUp(count);
  }

  /** Closes all connections; requests under way end as `failed` with POOL_CLOSED. */
  close(): void {
    this.#pool.close();
  }

  #finish(attempt: Attempt, request: Request, done: Done): void {
    this.#options.times?.onAttempt(attempt);
    const outcome = outcomeOf(attempt, request);
    if (outcome.kind === 'failed' && isSkew(outcome)) this.#correctClock(attempt);
    done(outcome, attempt.endedAtUs);
  }

  #correctClock({ answer }: Attempt): void {
    const serverMs = Date.parse((answer && headerValue(answer.head, 'date')) ?? '');
    if (!Number.isNaN(serverMs)) this.#skewMs = serverMs - this.#wallMs();
  }
}

function outcomeOf({ answer, failure }: Attempt, request: Request): Outcome {
  if (answer) return damageOf(answer) ?? classifyAnswer(answer, request);
  return {
    kind: 'failed',
    code: failure?.code ?? 'NO_ANSWER',
    message: safeMessage(failure?.message ?? ''),
  };
}

/** Whether the server refused because its clock and ours differ. AWS tells it in the message of a wrong signature. */
function isSkew({ code, message }: Extract<Outcome, { kind: 'failed' }>): boolean {
  if (code === 'RequestTimeTooSkewed' || code === 'RequestExpired' || code === 'RequestInTheFuture')
    return true;
  return code === 'InvalidSignatureException' && /signature (expired|not yet current)/i.test(message);
}

function notJson(error: unknown): Outcome {
  const message = error instanceof Error ? error.message : String(error);
  return { kind: 'failed', code: 'REQUEST_NOT_JSON', message: safeMessage(message) };
}
