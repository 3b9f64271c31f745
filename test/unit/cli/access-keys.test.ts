// Aim: keys come from options, environment and files as their users expect, and half a key is an error that has no
// secret in it. Method: rows; files in a folder of their own.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { accessKeysOf } from '../../../src/cli/serve/access-keys.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dyno-load-keys-'));
});
afterEach(() => rm(folder, { recursive: true }));

const key = { accessKeyId: 'id', secretAccessKey: 'sesame' };

test.each([
  ['nothing is given', {}, {}, undefined],
  ['the shell has keys of AWS', {}, { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' }, undefined],
  ['both are options', key, {}, [key]],
  [
    'both are in the environment',
    {},
    { DYNO_LOAD_ACCESS_KEY_ID: 'id', DYNO_LOAD_SECRET_ACCESS_KEY: 'sesame' },
    [key],
  ],
  [
    'the secret is in the environment',
    { accessKeyId: 'id' },
    { DYNO_LOAD_SECRET_ACCESS_KEY: 'sesame' },
    [key],
  ],
  ['variables are empty', {}, { DYNO_LOAD_ACCESS_KEY_ID: '', DYNO_LOAD_SECRET_ACCESS_KEY: '' }, undefined],
])('where %s', (_, options, env, keys) => {
  expect(accessKeysOf(options, env)).toEqual(keys);
});

test.each([
  ['no id', { secretAccessKey: 'sesame' }, /the access key id is missing/],
  ['no secret', { accessKeyId: 'id' }, /the secret access key is missing/],
  ['an empty secret', { accessKeyId: 'id', secretAccessKey: '' }, /is missing/],
])('%s is an error, and tells no secret', (_, options, expected) => {
  expect(() => accessKeysOf(options, {})).toThrow(expected);
  expect(() => accessKeysOf(options, {})).not.toThrow(/sesame/);
});

test('a file gives the keys of all its profiles', async () => {
  const credentialsFile = join(folder, 'credentials');
  await writeFile(
    credentialsFile,
    '# comment\n[default]\naws_access_key_id = one\naws_secret_access_key=s=1/+\n[half]\naws_access_key_id=x\n' +
      '[ci] ; builds\r\nAWS_ACCESS_KEY_ID=two\r\naws_secret_access_key = s2\r\naws_session_token = t\r\n',
  );
  expect(accessKeysOf({ credentialsFile }, {})).toEqual([
    { accessKeyId: 'one', secretAccessKey: 's=1/+' },
    { accessKeyId: 'two', secretAccessKey: 's2', sessionToken: 't' },
  ]);
  await writeFile(credentialsFile, '[default]\naws_access_key_id = one\n');
  expect(() => accessKeysOf({ credentialsFile }, {})).toThrow(/gives no keys: no profile in it has/);
  expect(() => accessKeysOf({ credentialsFile: join(folder, 'nowhere') }, {})).toThrow(/ENOENT/);
});
