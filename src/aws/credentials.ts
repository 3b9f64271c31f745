// Who we are: credentials and region, by the AWS SDK's own chain. The chain is asked at the start and again
// before credentials expire; requests never wait for it. Nothing here is ever logged.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynoLoadError } from '../errors.ts';
import type { SigningCredentials } from '../http/sigv4.ts';
import {
  checkRegion,
  type Endpoint,
  endpointText,
  isAwsHost,
  parseEndpointUrl,
  regionOfHost,
} from './endpoint.ts';

/** Credentials as the SDK's chain gives them. */
export interface ChainCredentials extends SigningCredentials {
  readonly expiration?: Date;
  /** Where the source of the credentials knows it: SSO, assumed roles, newer shared files. */
  readonly accountId?: string;
}

/** Looks credentials up anew, in the order of the AWS SDK. */
export type CredentialChain = () => Promise<ChainCredentials>;

const REFRESH_BEFORE_MS = 5 * 60_000;
const REFRESH_AGAIN_MS = 30_000;

/**
 * Credentials that are always at hand. `current` never waits; it starts a renewal in the background when
 * expiry is near.
 */
export class CredentialSource {
  readonly #chain: CredentialChain | undefined;
  #current: ChainCredentials;
  #refreshAtMs: number;

  /** @param chain  asked for newer ones before `first` expire; absent for fixed credentials */
  constructor(first: ChainCredentials, chain?: CredentialChain) {
    this.#current = first;
    this.#chain = chain;
    this.#refreshAtMs = refreshMoment(first);
  }

  /** The account that they belong to; undefined where their source does not say. */
  get accountId(): string | undefined {
    return this.#current.accountId;
  }

  /** Whether they are worth nothing to anybody: made up here, where none are configured. */
  get areMadeUp(): boolean {
    return this.#current === madeUpCredentials;
  }

  /** The credentials to sign with now; the same object until they change. */
  current(wallMs: number): ChainCredentials {
    if (wallMs >= this.#refreshAtMs && this.#chain) this.#refresh(this.#chain, wallMs);
    return this.#current;
  }

  #refresh(chain: CredentialChain, wallMs: number): void {
    this.#refreshAtMs = wallMs + REFRESH_AGAIN_MS;
    chain().then(
      (renewed) => {
        if (renewed.expiration?.getTime() === this.#current.expiration?.getTime()) return;
        this.#current = renewed;
        this.#refreshAtMs = refreshMoment(renewed);
      },
      // Still valid for minutes, and asked again in half a minute; if it never works, the server says so.
      () => undefined,
    );
  }
}

function refreshMoment({ expiration }: ChainCredentials): number {
  return expiration === undefined ? Number.POSITIVE_INFINITY : expiration.getTime() - REFRESH_BEFORE_MS;
}

/** What the user asked for: AWS itself or the URL of an endpoint, and perhaps a region. */
export interface EndpointRequest {
  readonly target: 'aws' | (string & {});
  readonly region?: string;
  /** A profile of the shared AWS files, instead of AWS_PROFILE. */
  readonly profile?: string;
}

// DynamoDB Local takes letters and digits only in an access key id, and keeps other tables for each.
const madeUpCredentials: SigningCredentials = { accessKeyId: 'dynoload', secretAccessKey: 'dynoload' };
const REGION_SOURCES = 'AWS_REGION or the profile in use';
const DEFAULT_EMULATOR_REGION = 'us-east-1';
const EMULATOR_CHAIN_MS = 1_500;

/**
 * Finds region and credentials for a target.
 * Where nothing is configured and the endpoint is not AWS, made-up credentials and us-east-1 do, and a note says so.
 *
 * @throws DynoLoadError USAGE for a malformed URL or region, REGION_MISSING, CREDENTIALS_MISSING
 */
export async function resolveEndpoint({ target, region, profile }: EndpointRequest): Promise<Endpoint> {
  const asked = region === undefined ? undefined : checkRegion(region, '--region');
  if (target === 'aws') return resolveAws(asked, profile);
  const url = parseEndpointUrl(target);
  const isAws = isAwsHost(url.hostname);
  const found = asked ?? (isAws ? regionOfHost(url.hostname) : undefined) ?? (await regionOfChain(profile));
  if (isAws)
    return {
      url,
      region: found ?? missingRegion(),
      credentials: await sourceOfChain(profile),
      isAws,
      notes: [],
    };
  return resolveEmulator(url, found, profile);
}

async function resolveAws(asked: string | undefined, profile: string | undefined): Promise<Endpoint> {
  const region = asked ?? (await regionOfChain(profile)) ?? missingRegion();
  const client = new DynamoDBClient({ region });
  // The SDK knows the partitions (China, GovCloud) and their host names.
  const { url } = client.config.endpointProvider({ Region: region, UseFIPS: false, UseDualStack: false });
  client.destroy();
  return { url, region, credentials: await sourceOfChain(profile), isAws: true, notes: [] };
}

async function resolveEmulator(
  url: URL,
  found: string | undefined,
  profile: string | undefined,
): Promise<Endpoint> {
  const region = found ?? DEFAULT_EMULATOR_REGION;
  const source = await withinMs(sourceOfChain(profile), EMULATOR_CHAIN_MS).catch(() => undefined);
  if (source) return { url, region, credentials: source, isAws: false, notes: [] };
  const notes = [
    `No AWS credentials are configured; requests to ${endpointText(url)} are signed with made-up ones ` +
      `(access key id "${madeUpCredentials.accessKeyId}", region ${region}).`,
  ];
  return { url, region, credentials: new CredentialSource(madeUpCredentials), isAws: false, notes };
}

/** @throws DynoLoadError USAGE where one is configured that is none */
async function regionOfChain(profile: string | undefined): Promise<string | undefined> {
  const client = new DynamoDBClient(profile === undefined ? {} : { profile });
  try {
    const region = await client.config.region();
    return region === '' ? undefined : checkRegion(region, REGION_SOURCES);
  } catch (error) {
    if (error instanceof DynoLoadError) throw error;
    // The SDK throws where no region is configured, which the caller decides about, and where its form is wrong.
    const refused = /region="(.*)" is not a valid/s.exec(error instanceof Error ? error.message : '')?.[1];
    return refused === undefined ? undefined : checkRegion(refused, REGION_SOURCES);
  } finally {
    client.destroy();
  }
}

async function sourceOfChain(profile: string | undefined): Promise<CredentialSource> {
  // The region plays no part in finding credentials; a fixed one keeps the SDK from asking for it.
  const client = new DynamoDBClient({
    region: DEFAULT_EMULATOR_REGION,
    ...(profile === undefined ? {} : { profile }),
  });
  const chain: CredentialChain = async () => {
    const { accessKeyId, secretAccessKey, sessionToken, expiration, accountId } =
      await client.config.credentials();
    return {
      accessKeyId,
      secretAccessKey,
      ...(sessionToken === undefined ? {} : { sessionToken }),
      ...(expiration === undefined ? {} : { expiration }),
      ...(accountId === undefined ? {} : { accountId }),
    };
  };
  try {
    return new CredentialSource(await chain(), chain);
  } catch (cause) {
    throw new DynoLoadError('CREDENTIALS_MISSING', {
      what: 'no AWS credentials were found',
      why: 'the chain of the AWS SDK (environment, profile, SSO, container, instance) gave none that are usable',
      fix: "set AWS_PROFILE, or run 'aws sso login', or export AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
      cause,
    });
  }
}

function missingRegion(): never {
  throw new DynoLoadError('REGION_MISSING', {
    what: 'no AWS region was given',
    why: 'neither --region nor AWS_REGION nor the profile in use names one',
    fix: 'add for example --region eu-west-1',
  });
}

function withinMs<V>(promise: Promise<V>, limitMs: number): Promise<V> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('took too long')), limitMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
