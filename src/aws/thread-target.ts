// A session's target made once more in another thread: what the main thread found out travels as plain data,
// credentials with it. Nothing of it is logged or written.
import type { ReturnConsumedCapacity } from '../dynamodb/operation.ts';
import type { TableSpec } from '../dynamodb/table-spec.ts';
import { RequestTally, type TallyRecord } from '../engine/service-counts/request-tally.ts';
import type { Target } from '../engine/target.ts';
import type { DynoLoadError } from '../errors.ts';
import { type ChainCredentials, CredentialSource } from './credentials.ts';
import type { Endpoint } from './endpoint.ts';
import { LoadTarget } from './load-target.ts';

/** What a thread needs to send the load of a session. */
export interface ThreadTargetSettings {
  readonly endpoint: {
    readonly url: string;
    readonly region: string;
    readonly isAws: boolean;
    readonly proxy: string | undefined;
  };
  readonly credentials: ChainCredentials;
  readonly accounting: ReturnConsumedCapacity;
  readonly tables: readonly TableSpec[];
  readonly writable: readonly string[];
  readonly attemptTimeoutMs: number;
  /** Whether requests are counted by operation, to be held against what the service counts. */
  readonly isTallied: boolean;
}

/** The settings of an endpoint's session. */
export function threadTargetSettings(
  { url, region, isAws, proxy, credentials }: Endpoint,
  rest: Omit<ThreadTargetSettings, 'endpoint' | 'credentials'>,
): ThreadTargetSettings {
  return {
    endpoint: { url: url.href, region, isAws, proxy: proxy?.href },
    credentials: credentials.current(Date.now()),
    ...rest,
  };
}

export interface ThreadTargetParts {
  readonly nowUs: () => number;
  readonly refuse: (error: DynoLoadError) => void;
  /** Asks the main thread for credentials that expire later. */
  readonly renew: () => Promise<ChainCredentials>;
}

/** The load target of another thread. To be closed after the load. */
export class ThreadTarget {
  readonly load: LoadTarget;
  readonly target: Target;
  readonly #tally: RequestTally | undefined;

  constructor(settings: ThreadTargetSettings, { nowUs, refuse, renew }: ThreadTargetParts) {
    const { endpoint, credentials, accounting, tables, writable, attemptTimeoutMs, isTallied } = settings;
    const { url, region, isAws, proxy } = endpoint;
    this.load = new LoadTarget({
      endpoint: {
        url: new URL(url),
        region,
        isAws,
        proxy: proxy === undefined ? undefined : new URL(proxy),
        credentials: new CredentialSource(credentials, renew),
        notes: [],
      },
      accounting,
      tables,
      writable: new Set(writable),
      attemptTimeoutMs,
      nowUs,
      refuse,
      around: undefined,
    });
    this.#tally = isTallied ? new RequestTally(this.load.target, tables) : undefined;
    this.target = this.#tally ?? this.load.target;
  }

  /** What was counted by operation; undefined where nobody asked. */
  get tally(): TallyRecord | undefined {
    return this.#tally?.toRecord();
  }
}
