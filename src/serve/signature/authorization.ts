// What a request says of its own signature, in the header Authorization or in its query string, and whether
// that is complete. Whether the signature is right is found out in signature-check.ts.
// @see `architect/dynalite index.js` (texts of errors as captured from the service), read 2026-11-30
import { SignatureError } from './signature-error.ts';
import type { SignedRequest } from './signed-request.ts';

export interface Authorization {
  readonly algorithm: string;
  /** Key id, day, region, service and terminator between slashes. */
  readonly credential: string;
  readonly signedNames: readonly string[];
  /** In hexadecimal. */
  readonly signature: string;
  /** When it was signed, as `20261130T120000Z`; not checked here. */
  readonly date: string;
  /** How long it holds; undefined in a header, where that is the service's own rule. */
  readonly expiresSeconds: number | undefined;
  readonly sessionToken: string | undefined;
}

/**
 * @throws SignatureError InvalidSignatureException, MissingAuthenticationTokenException,
 *   IncompleteSignatureException
 */
export function readAuthorization(request: SignedRequest): Authorization {
  const header = request.header('authorization');
  const isPresigned = request.parameter('X-Amz-Algorithm') !== undefined;
  if (header !== undefined && isPresigned)
    throw new SignatureError(
      'InvalidSignatureException',
      "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header.",
    );
  if (isPresigned) return fromQuery(request);
  if (header?.startsWith('AWS4-') !== true)
    throw new SignatureError(
      'MissingAuthenticationTokenException',
      'Request is missing Authentication Token',
    );
  return fromHeader(request, header);
}

function fromHeader(request: SignedRequest, header: string): Authorization {
  const algorithmEnd = header.indexOf(' ');
  const parts = membersOf(algorithmEnd < 0 ? '' : header.slice(algorithmEnd + 1), header);
  const date = request.header('x-amz-date') ?? basicFormat(request.header('date'));
  const missing = ['Credential', 'Signature', 'SignedHeaders']
    .filter((name) => !parts.get(name))
    .map((name) => `Authorization header requires '${name}' parameter. `);
  if (date === undefined)
    missing.push("Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. ");
  if (missing.length > 0 || date === undefined)
    throw incomplete(`${missing.join('')}Authorization=${shown(header)}`);
  return {
    algorithm: algorithmEnd < 0 ? header : header.slice(0, algorithmEnd),
    credential: parts.get('Credential') ?? '',
    signedNames: (parts.get('SignedHeaders') ?? '').toLowerCase().split(';'),
    signature: parts.get('Signature') ?? '',
    date,
    expiresSeconds: undefined,
    sessionToken: request.header('x-amz-security-token'),
  };
}

function membersOf(text: string, header: string): ReadonlyMap<string, string> {
  const members = new Map<string, string>();
  for (const part of text.split(',').map((one) => one.trim())) {
    if (part === '') continue;
    const at = part.indexOf('=');
    if (at < 0)
      throw incomplete(
        `'${shown(part)}' not a valid key=value pair (missing equal-sign) in Authorization header: '${shown(header)}'.`,
      );
    members.set(part.slice(0, at), part.slice(at + 1));
  }
  return members;
}

const queryNames = [
  'X-Amz-Algorithm',
  'X-Amz-Credential',
  'X-Amz-Signature',
  'X-Amz-SignedHeaders',
  'X-Amz-Date',
] as const;

function fromQuery(request: SignedRequest): Authorization {
  const missing = queryNames.filter((name) => !request.parameter(name));
  if (missing.length > 0) {
    const texts = missing.map((name) => `AWS query-string parameters must include '${name}'. `);
    throw incomplete(`${texts.join('')}Re-examine the query-string parameters.`);
  }
  const [algorithm = '', credential = '', signature = '', names = '', date = ''] = queryNames.map((name) =>
    request.parameter(name),
  );
  const expires = request.parameter('X-Amz-Expires');
  if (expires !== undefined && !/^\d{1,6}$/.test(expires))
    throw incomplete(`X-Amz-Expires must be a number of seconds. Got '${shown(expires)}'.`);
  return {
    algorithm,
    credential,
    signedNames: names.toLowerCase().split(';'),
    signature,
    date,
    expiresSeconds: expires === undefined ? undefined : Number(expires),
    sessionToken: request.parameter('X-Amz-Security-Token'),
  };
}

/** The header Date in the form of X-Amz-Date, where it is another date; left as it is where it is none. */
function basicFormat(date: string | undefined): string | undefined {
  if (date === undefined || /^\d{8}T\d{6}Z$/.test(date)) return date;
  const ms = Date.parse(date);
  return Number.isNaN(ms) ? date : new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '');
}

/** Not more of what a client sent than an error needs. */
function shown(text: string): string {
  return text.slice(0, 500);
}

/** What is said of an Authorization header that lacks something. */
export function incomplete(message: string): SignatureError {
  return new SignatureError('IncompleteSignatureException', message);
}
