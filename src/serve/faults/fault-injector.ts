// Decides which faults a request meets, and counts them. A request's faults follow from the seed and from which
// request of the data plane it is, and from nothing else: the same requests in the same order meet the same.
// What a fault does is carried out by the data plane.
import { limitBits, reasonsByMask, throttlingException } from '../../capacity/throttling.ts';
import type { Request } from '../../dynamodb/operation.ts';
import type { Outcome } from '../../dynamodb/outcome.ts';
import { tablesOfRequest } from '../../dynamodb/request-tables.ts';
import { type ArnPlace, tableArn } from '../../dynamodb/table-spec.ts';
import { CounterRandom, streamKey } from '../../prng.ts';
import type { TableRegistry } from '../tables/table-registry.ts';
import type { FaultKind, FaultRule } from './fault-rule.ts';

/** How a request ends that is not served as it should be. */
export type FaultEnding = Exclude<FaultKind, 'latency'>;

/** What one request meets. */
export interface Fault {
  /** How much longer it takes, µs. */
  readonly latencyUs: number;
  /** What becomes of it in the end; undefined: it is served. */
  readonly ending: FaultEnding | undefined;
  /** Whether it takes effect before it fails. */
  readonly takesEffect: boolean;
  /** A draw in [0, 1) for what the ending has to choose. */
  readonly choice: number;
}

/** How often a rule was met. */
export interface FaultCount {
  readonly rule: string;
  readonly count: number;
}

/** Draws for each rule: whether it is met, before or after, and what it chooses. */
const DRAWS_PER_RULE = 3;

export class FaultInjector {
  readonly #rules: readonly FaultRule[];
  readonly #random: CounterRandom;
  readonly #counts: number[];
  #requestCount = 0;

  constructor(rules: readonly FaultRule[], seed: number) {
    this.#rules = rules;
    this.#random = new CounterRandom(streamKey(seed, 'faults'));
    this.#counts = rules.map(() => 0);
  }

  /** Requests of the data plane that were looked at. */
  get requestCount(): number {
    return this.#requestCount;
  }

  /** How often each rule was met, in the order in which they were given. */
  get counts(): readonly FaultCount[] {
    return this.#rules.map(({ text }, index) => ({ rule: text, count: this.#counts[index] as number }));
  }

  /** What the next request meets; undefined where that is nothing. Of several endings the first rule's holds. */
  next(request: Request): Fault | undefined {
    const number = this.#requestCount++;
    let latencyUs = 0;
    let ending: Fault['ending'];
    let takesEffect = false;
    let choice = 0;
    for (const [index, rule] of this.#rules.entries()) {
      const random = this.#random.seek(number, index * DRAWS_PER_RULE);
      if (random.float() >= rule.probability || !isAbout(rule, request)) continue;
      if (rule.kind === 'latency') latencyUs += rule.latencyUs;
      else if (ending !== undefined) continue;
      else {
        ending = rule.kind;
        const isAfter = random.float() < 0.5;
        takesEffect = rule.moment === 'either' ? isAfter : rule.moment === 'after';
        choice = random.float();
      }
      (this.#counts[index] as number)++;
    }
    return latencyUs === 0 && ending === undefined ? undefined : { latencyUs, ending, takesEffect, choice };
  }
}

function isAbout({ kind, operation, tableName }: FaultRule, request: Request): boolean {
  if (operation !== undefined && request.api !== operation) return false;
  if (tableName !== undefined && !tablesOfRequest(request).includes(tableName)) return false;
  return kind !== 'partial' || itemCount(request) > 1;
}

/** Members of a batch; 0 for all else. */
function itemCount(request: Request): number {
  if (request.api === 'BatchWriteItem')
    return Object.values(request.input.RequestItems).reduce((sum, writes) => sum + writes.length, 0);
  if (request.api === 'BatchGetItem')
    return Object.values(request.input.RequestItems).reduce((sum, { Keys }) => sum + Keys.length, 0);
  return 0;
}

/**
 * A failure that is the service's own: DynamoDB knows two.
 * @see "Error handling with DynamoDB",
 *   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html, read 2026-11-30
 */
export function serverFailure(choice: number): Outcome {
  return choice < 0.5
    ? { kind: 'failed', code: 'InternalServerError', message: 'Internal server error', httpStatus: 500 }
    : {
        kind: 'failed',
        code: 'ServiceUnavailableException',
        message: 'The service is temporarily unavailable. Try again later.',
        httpStatus: 503,
      };
}

/** A throttle as a hot partition of the request's first table would answer it. */
export function madeUpThrottle(
  request: Request,
  { tables, place, nowUs }: { readonly tables: TableRegistry; readonly place: ArnPlace; nowUs(): number },
): Outcome {
  const [tableName = ''] = tablesOfRequest(request);
  const operation = isRead(request) ? 'Read' : 'Write';
  const mask = limitBits.KeyRange;
  const reasons = reasonsByMask(operation, 'Table', tableArn(tableName, place))[mask] ?? [];
  const mode = tables.find(tableName, nowUs())?.spec.billing.mode ?? 'on-demand';
  const exception = throttlingException(operation, { resource: 'Table', mode, mask });
  return { kind: 'throttled', reasons, exception };
}

function isRead({ api }: Request): boolean {
  return api.includes('Get') || api === 'Query' || api === 'Scan';
}
