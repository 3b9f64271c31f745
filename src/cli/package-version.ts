// The version of this package, read from its own package.json, which lies above both src/ and dist/src/.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { assert } from '../errors.ts';

/** The folder that holds this package's package.json. */
export function packageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const content = readIfThere(join(folder, 'package.json'));
    if (content !== undefined && content.includes('"dyno-load"')) return folder;
    const parent = dirname(folder);
    assert(parent !== folder, 'the package.json of dyno-load lies above its sources');
    folder = parent;
  }
}

/** For example `0.1.0`. */
export function packageVersion(): string {
  const version = versionIn(readFileSync(join(packageFolder(), 'package.json'), 'utf8'));
  assert(version !== undefined, 'package.json has a version');
  return version;
}

/** Version of the AWS SDK's DynamoDB client in use; null where it cannot be told. */
export function sdkVersion(): string | null {
  try {
    const path = createRequire(import.meta.url).resolve('@aws-sdk/client-dynamodb/package.json');
    return versionIn(readFileSync(path, 'utf8')) ?? null;
  } catch {
    // Only named in the record's environment; a package layout that hides it is no reason to fail.
    return null;
  }
}

function versionIn(packageJson: string): string | undefined {
  const content: unknown = JSON.parse(packageJson);
  if (typeof content !== 'object' || content === null || !('version' in content)) return undefined;
  return typeof content.version === 'string' ? content.version : undefined;
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Not there, or not readable: the next folder up is tried, and a miss everywhere is an error of its own.
    return undefined;
  }
}
