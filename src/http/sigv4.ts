// AWS Signature Version 4 for POST requests with a JSON body. All that stays the same within a second, for
// one operation and one set of credentials, is prepared once; signing then costs four hashes. Where
// credentials come from is the caller's business.
// @see "Create a signed AWS API request", https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html,
// read 2026-11-30
import { createHmac, hash } from 'node:crypto';
import { KeyedHash } from './keyed-hash.ts';

/** What a signature is made with. A new object means new credentials; the same object must not change. */
export interface SigningCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Where signed requests go. */
export interface SigningScope {
  /** Host with its port where that is not the default one of the scheme, as in the `host` header. */
  readonly host: string;
  /** Path of the URL, percent-encoded as it is sent. */
  readonly path: string;
  readonly region: string;
  readonly service: string;
}

const CONTENT_TYPE = 'application/x-amz-json-1.0';
const ALGORITHM = 'AWS4-HMAC-SHA256';

/** What all requests of one operation in one second share. */
interface Prepared {
  readonly canonicalStart: string;
  readonly headerStart: string;
}

/** Signs for one host, region and service. Credentials may change from one request to the next. */
export class Sigv4Signer {
  readonly #scope: SigningScope;
  readonly #canonicalPath: string;
  #credentials: SigningCredentials | undefined;
  #second = -1;
  #amzDate = '';
  #credentialScope = '';
  #signingKey = new KeyedHash(Buffer.alloc(0));
  #stringStart = '';
  #prepared = new Map<string, Prepared>();

  constructor(scope: SigningScope) {
    this.#scope = scope;
    this.#canonicalPath = canonicalPath(scope.path);
  }

  /**
   * The header lines of a signed request: content type, date, security token, target and authorization; each
   * ends with CR LF.
   *
   * @param target  value of `x-amz-target`, for example `DynamoDB_20120810.PutItem`
   * @param wallMs  wall-clock time in ms since 1970; AWS accepts a signature for 5 minutes around its own
   *   time
   */
  headerLines(target: string, body: string, credentials: SigningCredentials, wallMs: number): string {
    const second = Math.floor(wallMs / 1_000);
    if (second !== this.#second || credentials !== this.#credentials) this.#prepare(second, credentials);
    let prepared = this.#prepared.get(target);
    if (prepared === undefined) {
      prepared = this.#prepareTarget(target, credentials);
      this.#prepared.set(target, prepared);
    }
    const canonicalHash = hash('sha256', prepared.canonicalStart + hash('sha256', body, 'hex'), 'hex');
    const signature = this.#signingKey.hex(this.#stringStart + canonicalHash);
    return `${prepared.headerStart}${signature}\r\n`;
  }

  #prepare(second: number, credentials: SigningCredentials): void {
    const amzDate = new Date(second * 1_000).toISOString().replace(/[-:]|\.000/g, '');
    const day = amzDate.slice(0, 8);
    if (credentials !== this.#credentials || !this.#amzDate.startsWith(day))
      this.#signingKey = new KeyedHash(signingKey(credentials.secretAccessKey, day, this.#scope));
    this.#second = second;
    this.#credentials = credentials;
    this.#amzDate = amzDate;
    this.#credentialScope = `${day}/${this.#scope.region}/${this.#scope.service}/aws4_request`;
    this.#stringStart = `${ALGORITHM}\n${amzDate}\n${this.#credentialScope}\n`;
    this.#prepared.clear();
  }

  #prepareTarget(target: string, credentials: SigningCredentials): Prepared {
    const token = credentials.sessionToken?.trim();
    const signed: [string, string][] = [
      ['content-type', CONTENT_TYPE],
      ['host', this.#scope.host],
      ['x-amz-date', this.#amzDate],
      ...(token ? [['x-amz-security-token', token] satisfies [string, string]] : []),
      ['x-amz-target', target],
    ];
    const names = signed.map(([name]) => name).join(';');
    const canonicalHeaders = signed
      .map(([name, value]) => `${name}:${value.replace(/\s+/g, ' ')}\n`)
      .join('');
    const sent = signed.filter(([name]) => name !== 'host').map(([name, value]) => `${name}: ${value}\r\n`);
    const credential = `${credentials.accessKeyId}/${this.#credentialScope}`;
    return {
      canonicalStart: `POST\n${this.#canonicalPath}\n\n${canonicalHeaders}\n${names}\n`,
      headerStart:
        `${sent.join('')}authorization: ${ALGORITHM} Credential=${credential}, ` +
        `SignedHeaders=${names}, Signature=`,
    };
  }
}

/** The key that signs for a day (`20261130`), a region and a service. */
export function signingKey(
  secretAccessKey: string,
  day: string,
  scope: Pick<SigningScope, 'region' | 'service'>,
): Buffer {
  let key: Buffer | string = `AWS4${secretAccessKey}`;
  for (const part of [day, scope.region, scope.service, 'aws4_request'])
    key = createHmac('sha256', key).update(part).digest();
  return key as Buffer; // The loop always runs, so the key is a digest by now.
}

/** The path as the signature sees it: without empty and dot segments, and percent-encoded once more. */
export function canonicalPath(path: string): string {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(encode(segment));
  }
  const tail = segments.length > 0 && path.endsWith('/') ? '/' : '';
  return `/${segments.join('/')}${tail}`;
}

function encode(segment: string): string {
  return encodeURIComponent(segment).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
