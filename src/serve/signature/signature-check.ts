// Whether a request is signed with a key that the server knows: Signature Version 4, in the header or in the
// query string, refused in the words and the order of DynamoDB's front end. Where keys come from is the command
// line's business; they are never told.
// @see "Troubleshooting Signature Version 4 requests",
//   https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-troubleshooting.html, read 2026-11-30, and
//   `architect/dynalite index.js` (texts and their order as captured from the service), read 2026-11-30
import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { signingKey } from '../../http/sigv4.ts';
import { MS_PER_MINUTE, MS_PER_SECOND } from '../../units.ts';
import type { HttpRequest } from '../wire/server-connection.ts';
import { type Authorization, incomplete, readAuthorization } from './authorization.ts';
import { SignatureError } from './signature-error.ts';
import { SignedRequest } from './signed-request.ts';

/** A key that requests may be signed with. */
export interface AccessKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The token that has to come with it; undefined: whatever token comes is taken. */
  readonly sessionToken?: string;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';
const TERMINATOR = 'aws4_request';
/** Minutes that a signature may be older or newer than the server's own time. */
const MAX_SKEW_MINUTES = 5;
/** Keys by day, region and service are kept; regions are the client's to choose, so not all of them. */
const MAX_SIGNING_KEYS = 100;

export class SignatureCheck {
  readonly #keys: ReadonlyMap<string, AccessKey>;
  readonly #wallMs: () => number;
  readonly #signingKeys = new Map<string, Buffer>();

  /** @param wallMs  time of day, ms since 1970 */
  constructor(keys: readonly AccessKey[], wallMs: () => number) {
    this.#keys = new Map(keys.map((key) => [key.accessKeyId, key]));
    this.#wallMs = wallMs;
  }

  /**
   * Passes where the request is signed as it should be.
   * @param service  the name of the service that is asked, as credentials are scoped: `dynamodb`, `monitoring`
   * @throws SignatureError MissingAuthenticationTokenException, IncompleteSignatureException,
   *   InvalidSignatureException, UnrecognizedClientException
   */
  check(httpRequest: HttpRequest, service: string): void {
    const request = new SignedRequest(httpRequest);
    const authorization = readAuthorization(request);
    checkDate(authorization, this.#wallMs());
    checkSignedNames(request, authorization);
    if (authorization.algorithm !== ALGORITHM)
      throw incomplete(
        `Unsupported AWS 'algorithm': '${authorization.algorithm.slice(0, 50)}' (only ${ALGORITHM} for now). `,
      );
    const scope = readScope(authorization, service);
    const key = this.#keys.get(scope.keyId);
    if (key === undefined || (key.sessionToken ?? authorization.sessionToken) !== authorization.sessionToken)
      throw new SignatureError(
        'UnrecognizedClientException',
        'The security token included in the request is invalid.',
      );
    this.#compare(request, authorization, scope, key);
  }

  #compare(request: SignedRequest, authorization: Authorization, scope: Scope, key: AccessKey): void {
    const { date, signature, signedNames } = authorization;
    const { day, region, service } = scope;
    const canonical = request.canonical(signedNames);
    // Text of a head is as its bytes were: one character a byte.
    const digest = hash('sha256', Buffer.from(canonical, 'latin1'), 'hex');
    const text = `${ALGORITHM}\n${date}\n${day}/${region}/${service}/${TERMINATOR}\n${digest}`;
    const wanted = createHmac('sha256', this.#signingKey(key, scope)).update(text, 'latin1').digest();
    const given = Buffer.from(signature, 'hex');
    if (given.length === wanted.length && timingSafeEqual(given, wanted)) return;
    throw invalid(
      'The request signature we calculated does not match the signature you provided. Check your AWS Secret ' +
        'Access Key and signing method. Consult the service documentation for details.\n\n' +
        `The Canonical String for this request should have been\n'${canonical.slice(0, 4_000)}'\n\n` +
        `The String-to-Sign should have been\n'${text}'\n`,
    );
  }

  #signingKey({ accessKeyId, secretAccessKey }: AccessKey, { day, region, service }: Scope): Buffer {
    const name = `${accessKeyId}/${day}/${region}/${service}`;
    const known = this.#signingKeys.get(name);
    if (known !== undefined) return known;
    if (this.#signingKeys.size >= MAX_SIGNING_KEYS) this.#signingKeys.clear();
    const fresh = signingKey(secretAccessKey, day, { region, service });
    this.#signingKeys.set(name, fresh);
    return fresh;
  }
}

interface Scope {
  readonly keyId: string;
  readonly day: string;
  readonly region: string;
  readonly service: string;
}

/** Any region will do: there is one set of tables for all of them. */
function readScope({ credential, date }: Authorization, wantedService: string): Scope {
  const parts = credential.split('/');
  if (parts.length !== 5)
    throw incomplete(
      `Credential must have exactly 5 slash-delimited elements, e.g. keyid/date/region/service/term, got '${credential.slice(0, 300)}'`,
    );
  const [keyId = '', day = '', region = '', service = '', terminator = ''] = parts;
  const problems: string[] = [];
  if (region === '') problems.push("Credential should be scoped to a valid region, not ''. ");
  if (service !== wantedService)
    problems.push(`Credential should be scoped to correct service: '${wantedService}'. `);
  if (terminator !== TERMINATOR)
    problems.push(
      `Credential should be scoped with a valid terminator: '${TERMINATOR}', not '${terminator.slice(0, 50)}'. `,
    );
  if (day !== date.slice(0, 8))
    problems.push(
      `Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: '${day.slice(0, 50)}' != '${date.slice(0, 8)}', from '${date}'. `,
    );
  if (problems.length > 0) throw invalid(problems.join(''));
  return { keyId, day, region, service };
}

function checkDate({ date, expiresSeconds }: Authorization, nowMs: number): void {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date);
  const atMs =
    parts === null ? Number.NaN : Date.parse(date.replace(/^(.{4})(..)(..T..)(..)(..)Z$/, '$1-$2-$3:$4:$5Z'));
  if (Number.isNaN(atMs))
    throw incomplete(
      `Date must be in ISO-8601 'basic format'. Got '${date.slice(0, 50)}'. See http://en.wikipedia.org/wiki/ISO_8601`,
    );
  const skewMs = MAX_SKEW_MINUTES * MS_PER_MINUTE;
  const longestMs = expiresSeconds === undefined ? skewMs : expiresSeconds * MS_PER_SECOND;
  const now = basic(nowMs);
  if (atMs + longestMs < nowMs) {
    const rule = expiresSeconds === undefined ? `${MAX_SKEW_MINUTES} min.` : `${expiresSeconds} s`;
    throw invalid(
      `Signature expired: ${date} is now earlier than ${basic(nowMs - longestMs)} (${now} - ${rule})`,
    );
  }
  if (atMs - skewMs > nowMs)
    throw invalid(
      `Signature not yet current: ${date} is still later than ${basic(nowMs + skewMs)} (${now} + ${MAX_SKEW_MINUTES} min.)`,
    );
}

/** What decides over a request has to be signed: its host, and each header that is AWS's own. */
function checkSignedNames(request: SignedRequest, { signedNames }: Authorization): void {
  if (!signedNames.includes('host'))
    throw invalid("'Host' must be a 'SignedHeader' in the AWS Authorization.");
  for (const name of request.headerNames())
    if (name.startsWith('x-amz-') && !signedNames.includes(name))
      throw invalid(`'${name}' must be a 'SignedHeader' in the AWS Authorization.`);
}

function basic(ms: number): string {
  return new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '');
}

function invalid(message: string): SignatureError {
  return new SignatureError('InvalidSignatureException', message);
}
