// Trouble with an endpoint before load starts → one of our errors in three parts. Trouble under load is an
// outcome, not an error.
import { DynoLoadError, type ErrorCode } from '../errors.ts';
import { safeMessage } from './safe-message.ts';

/** What went wrong: our own or the system's code, DynamoDB's exception name, or `HTTP_<status>`; and the message. */
export interface TargetTrouble {
  readonly code: string;
  readonly message: string;
}

interface Reading {
  readonly error: ErrorCode;
  readonly why: string;
  readonly fix: string;
}

const unreachable = (why: string, fix: string): Reading => ({ error: 'TARGET_UNREACHABLE', why, fix });

const rightPort = 'check host and port of the target; DynamoDB Local listens on 8000, dynalite on 4567';

const readings: Readonly<Record<string, Reading>> = {
  ECONNREFUSED: unreachable('nothing listens there', `start the server, or ${rightPort}`),
  ENOTFOUND: unreachable('no such host name is known', 'check the spelling of the target, or the network'),
  EAI_AGAIN: unreachable('host names cannot be looked up now', 'check the network and its name server'),
  ATTEMPT_TIMED_OUT: unreachable(
    'nothing answered in time',
    'check the network, proxies and security groups',
  ),
  ETIMEDOUT: unreachable('nothing answered in time', 'check the network, proxies and security groups'),
  EHOSTUNREACH: unreachable('there is no route to that host', 'check the network and the VPN'),
  ENETUNREACH: unreachable('there is no route to that network', 'check the network and the VPN'),
  ECONNRESET: unreachable('the server hung up', `see whether it speaks http or https, and ${rightPort}`),
  CONNECTION_CLOSED: unreachable(
    'the server hung up',
    `see whether it speaks http or https, and ${rightPort}`,
  ),
};

const credentialTypes: ReadonlySet<string> = new Set([
  'UnrecognizedClientException',
  'InvalidSignatureException',
  'IncompleteSignatureException',
  'MissingAuthenticationTokenException',
  'MissingAuthenticationToken',
  'InvalidClientTokenId',
  'ExpiredTokenException',
  'SignatureDoesNotMatch',
]);

/**
 * The error for trouble with an endpoint.
 * @param place  what was done and where, for example `cannot create table "t" at http://localhost:8000`
 * @returns TARGET_UNREACHABLE, TARGET_NOT_DYNAMODB or TARGET_REJECTED
 */
export function targetError(place: string, { code, message }: TargetTrouble): DynoLoadError {
  const reading = readings[code] ?? readCode(code);
  return new DynoLoadError(reading.error, {
    what: `${place}: ${code}${message && message !== code ? `, ${safeMessage(message)}` : ''}`,
    why: reading.why,
    fix: reading.fix,
  });
}

function readCode(code: string): Reading {
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/.test(code))
    return unreachable(
      'its TLS certificate is not trusted here',
      'set NODE_EXTRA_CA_CERTS to the file of its authority',
    );
  if (/^(NOT_HTTP|BAD_JSON|HTTP_\d+|ANSWER_TOO_LARGE|EPROTO|ERR_SSL_.*)$/.test(code))
    return {
      error: 'TARGET_NOT_DYNAMODB',
      why: 'the server there does not speak the protocol of DynamoDB',
      fix: `see whether it speaks http or https, and ${rightPort}`,
    };
  if (credentialTypes.has(code))
    return {
      error: 'TARGET_REJECTED',
      why: 'the server does not accept the credentials in use',
      fix: "set AWS_PROFILE or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to valid ones; renew them with 'aws sso login'",
    };
  if (code === 'AccessDeniedException')
    return {
      error: 'TARGET_REJECTED',
      why: 'the credentials in use may not do that',
      fix: 'grant the action that the message names, or use another profile',
    };
  return {
    error: 'TARGET_REJECTED',
    why: 'the server refused the request',
    fix: 'change what the message names; where the server is an emulator, it may not support it',
  };
}

/**
 * Code and message of an error that the AWS SDK threw.
 * Its own fields only: the SDK hangs the whole exchange, authorization header included, on its errors.
 */
export function troubleOfSdk(error: unknown): TargetTrouble {
  if (!(error instanceof Error)) return { code: 'UNKNOWN', message: String(error) };
  const own = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  if (own.startsWith('HPE_')) return { code: 'NOT_HTTP', message: error.message };
  if (own === 'SyntaxError') return { code: 'BAD_JSON', message: 'the answer is not JSON' };
  if (own === 'TimeoutError') return { code: 'ATTEMPT_TIMED_OUT', message: error.message };
  const status = statusOfSdk(error);
  if (status !== undefined && /^(Error|Unknown|UnknownError|\d{3})$/.test(own))
    return { code: `HTTP_${status}`, message: error.message };
  return { code: own, message: error.message };
}

function statusOfSdk(error: Error): number | undefined {
  if (!('$metadata' in error) || typeof error.$metadata !== 'object' || error.$metadata === null)
    return undefined;
  const { httpStatusCode } = error.$metadata as { readonly httpStatusCode?: unknown }; // Checked on the next line.
  return typeof httpStatusCode === 'number' ? httpStatusCode : undefined;
}
