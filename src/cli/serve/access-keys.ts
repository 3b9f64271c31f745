// The keys that requests to a server have to be signed with: from options, environment, or a file in the form
// of AWS's own. Secrets are read here and printed nowhere.
import { readFileSync } from 'node:fs';
import { DynoLoadError } from '../../errors.ts';
import type { AccessKey } from '../../serve/signature/signature-check.ts';

export interface KeyOptions {
  readonly accessKeyId?: string;
  readonly secretAccessKey?: string;
  readonly credentialsFile?: string;
}

/**
 * Names of their own: keys of AWS that a shell happens to have must not decide who may use a server on this machine.
 */
export const ACCESS_KEY_ID = 'DYNO_LOAD_ACCESS_KEY_ID';
export const SECRET_ACCESS_KEY = 'DYNO_LOAD_SECRET_ACCESS_KEY';

/**
 * All keys that were given; undefined where there is none, so that signatures are not looked at.
 * @throws DynoLoadError USAGE for half a key, or a file that has none
 */
export function accessKeysOf(
  options: KeyOptions,
  env: Readonly<Record<string, string | undefined>>,
): readonly AccessKey[] | undefined {
  const accessKeyId = options.accessKeyId ?? (env[ACCESS_KEY_ID] || undefined);
  const secretAccessKey = options.secretAccessKey ?? (env[SECRET_ACCESS_KEY] || undefined);
  const single =
    accessKeyId !== undefined && secretAccessKey !== undefined ? [{ accessKeyId, secretAccessKey }] : [];
  if (single.length === 0 && (accessKeyId !== undefined || secretAccessKey !== undefined))
    throw halfKey(accessKeyId === undefined);
  if (single.some((key) => key.accessKeyId === '' || key.secretAccessKey === ''))
    throw halfKey(accessKeyId === '');
  const fromFile = options.credentialsFile === undefined ? [] : readKeys(options.credentialsFile);
  const keys = [...single, ...fromFile];
  return keys.length === 0 ? undefined : keys;
}

function halfKey(isIdMissing: boolean): DynoLoadError {
  const missing = isIdMissing ? 'access key id' : 'secret access key';
  return new DynoLoadError('USAGE', {
    what: `the ${missing} is missing beside its other half`,
    why: 'a signature is checked by both: the id says who signed, the secret whether that is true',
    fix: `give --access-key-id, and the secret in ${SECRET_ACCESS_KEY} or by --secret-access-key; or a --credentials-file`,
  });
}

/** Every profile of a file like ~/.aws/credentials that has a key. */
function readKeys(path: string): readonly AccessKey[] {
  const keys: AccessKey[] = [];
  let profile: Map<string, string> = new Map();
  const profiles = [profile];
  for (const line of readText(path).split(/\r?\n/)) {
    if (/^\s*\[.*\]\s*(?:[#;].*)?$/.test(line)) {
      profile = new Map();
      profiles.push(profile);
      continue;
    }
    const [, name, value] = /^\s*([\w-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) profile.set(name.toLowerCase(), value);
  }
  for (const settings of profiles) {
    const accessKeyId = settings.get('aws_access_key_id');
    const secretAccessKey = settings.get('aws_secret_access_key');
    const sessionToken = settings.get('aws_session_token');
    if (accessKeyId && secretAccessKey)
      keys.push({ accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) });
  }
  if (keys.length > 0) return keys;
  throw noKeys(path, 'no profile in it has aws_access_key_id and aws_secret_access_key');
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw noKeys(path, cause instanceof Error ? cause.message : String(cause), cause);
  }
}

function noKeys(path: string, problem: string, cause?: unknown): DynoLoadError {
  return new DynoLoadError('USAGE', {
    what: `--credentials-file ${path} gives no keys: ${problem}`,
    why: 'a server that is to check signatures needs to know who may sign',
    fix: 'give a file in the form of ~/.aws/credentials, each profile with an id and a secret',
    cause,
  });
}
