// SDK clients for the user's own data layer: at the target, with the credentials of this run, without retries
// of their own, and counted.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { ReturnConsumedCapacity } from '../dynamodb/operation.ts';
import type { TableSpec } from '../dynamodb/table-spec.ts';
import type { RequestScope, SdkAccess } from '../engine/target.ts';
import { DynoLoadError } from '../errors.ts';
import type { Sdk } from '../scenario/operations/custom.ts';
import type { PlannedPolicy, PlannedWorkload } from '../scenario/run-plan.ts';
import { US_PER_MS } from '../units.ts';
import { type Endpoint, endpointText, isSameServer } from './endpoint.ts';
import { currentScope, type Instrumentation, instrumentClient, runInScope } from './instrument.ts';
import { proxyAgents } from './proxied.ts';
import { safeMessage } from './safe-message.ts';
import type { SdkRequest } from './sdk-request.ts';

export interface CustomSdkOptions {
  readonly endpoint: Endpoint;
  /** Asked for where the user's code asks for none. */
  readonly accounting: ReturnConsumedCapacity;
  readonly tables: readonly TableSpec[];
  /** Told of what is refused for safety; ends the run. */
  readonly refuse?: (error: DynoLoadError) => void;
}

const CONNECTION_TIMEOUT_MS = 5_000;

/** Makes the clients of one variant. To be closed after it. */
export class CustomSdk implements SdkAccess {
  readonly #options: CustomSdkOptions;
  readonly #clients: DynamoDBClient[] = [];

  constructor(options: CustomSdkOptions) {
    this.#options = options;
  }

  open({ policy }: PlannedWorkload, elsewhere: RequestScope): Sdk {
    const { endpoint, accounting } = this.#options;
    const { url, region, isAws } = endpoint;
    const instrumentation: Instrumentation = {
      elsewhere,
      accounting,
      check: (request, to) => this.#check(request, to),
    };
    const client = createClient(endpoint, policy);
    this.#clients.push(client);
    instrumentClient(client, instrumentation);
    return {
      client,
      documentClient: DynamoDBDocumentClient.from(client),
      endpoint: isAws ? { region } : { url: url.href, region },
      tableName: (logical) => this.#tableName(logical),
      instrument: (theirs) => {
        instrumentClient(theirs, instrumentation);
        return theirs;
      },
    };
  }

  readonly run = runInScope;

  readonly describe = (error: unknown): string =>
    safeMessage(error instanceof Error ? `${error.name}: ${error.message}` : String(error));

  /** Ends what is still under way. */
  close(): void {
    for (const client of this.#clients) client.destroy();
  }

  #tableName(logical: string | undefined): string {
    const { tables } = this.#options;
    const found = logical === undefined ? tables[0] : tables.find((table) => table.logicalName === logical);
    if (found) return found.tableName;
    throw new DynoLoadError('OPERATION_INVALID', {
      what: `tableName("${logical}") names no table of the scenario`,
      why: `the scenario has ${tables.map(({ logicalName }) => logicalName).join(', ')}`,
      fix: 'use one of these names, or tableName() for the first',
    });
  }

  /**
   * Data requests are checked where all requests are; nothing else that writes goes out: nobody could tell
   * where to.
   */
  #check(request: SdkRequest | undefined, to: URL | undefined): void {
    const { endpoint, refuse } = this.#options;
    const error =
      to === undefined || !isSameServer(endpoint, to)
        ? sentElsewhere(request, endpoint, to)
        : request === undefined || (request.request === undefined && !request.isRead)
          ? notKnownToBeSafe(request)
          : undefined;
    if (error === undefined) return;
    refuse?.(error);
    throw error;
  }
}

function sentElsewhere(
  request: SdkRequest | undefined,
  { url, region }: Endpoint,
  to: URL | undefined,
): DynoLoadError {
  return new DynoLoadError('REFUSED_WRITE', {
    what: `a custom operation sends ${request?.api ?? 'a request'} to ${to === undefined ? 'an unknown place' : endpointText(to)}`,
    why: `the target of this run is ${endpointText(url)}, region ${region}; what goes elsewhere is not its load, and nobody agreed to it`,
    fix: 'make clients with the endpoint that setup is given, and do not instrument those for other servers',
  });
}

function notKnownToBeSafe(request: SdkRequest | undefined): DynoLoadError {
  return new DynoLoadError('REFUSED_WRITE', {
    what: `a custom operation sends ${request?.api ?? 'a request that is not in the JSON protocol of DynamoDB'}`,
    why: 'writes go only to the tables of this run, and of this request it cannot be told where it writes to',
    fix: 'use PutItem, UpdateItem, DeleteItem, a batch or a transaction; prepare tables outside of dyno-load',
  });
}

function createClient({ url, region, credentials, proxy }: Endpoint, policy: PlannedPolicy): DynamoDBClient {
  // Operations are bounded by `maxInFlight`; none of them shall wait for a socket inside the client, where
  // nobody sees it.
  const agent = { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, maxFreeSockets: policy.maxInFlight };
  const client = new DynamoDBClient({
    endpoint: url.href,
    region,
    credentials: async () => credentials.current(Date.now()),
    // `sdk`: whatever the SDK does by default, or the user's AWS settings say.
    ...(policy.retry === 'sdk' ? {} : { maxAttempts: 1 }),
    requestHandler: {
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      requestTimeout: policy.timeoutUs / US_PER_MS,
      throwOnRequestTimeout: true,
      httpAgent: agent,
      httpsAgent: agent,
      ...proxyAgents(proxy, agent),
    },
  });
  endWithOperation(client);
  return client;
}

/** Ends a request when its operation is given up, since libraries seldom pass a signal on. */
function endWithOperation(client: DynamoDBClient): void {
  const handler = client.config.requestHandler;
  const handle = handler.handle.bind(handler);
  handler.handle = (request, options = {}) => {
    const theirs = 'abortSignal' in options ? options.abortSignal : undefined;
    const abortSignal = theirs ?? currentScope()?.signal;
    return handle(request, abortSignal === undefined ? options : { ...options, abortSignal });
  };
}
