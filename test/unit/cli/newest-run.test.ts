// Aim: a folder of runs stands for the newest of them, and what is taken is said. Method: empty folders of
// such names.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newestRun } from '../../../src/cli/newest-run.ts';
import { removeFolder, temporaryFolder } from '../../support/cli.ts';

let folder = '';
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => removeFolder(folder));

async function newestOf(...names: string[]): Promise<{ path: string; said: string }> {
  for (const name of names) await mkdir(join(folder, name));
  let said = '';
  const path = await newestRun(folder, {
    err: (text) => {
      said += text;
    },
  });
  return { path, said };
}

test.each([
  [['2026-11-30T12-00-00Z', '2026-11-30T12-00-01Z'], '2026-11-30T12-00-01Z'],
  [['2026-11-30T12-00-00Z', '2026-11-30T12-00-00Z-2', '2026-11-30T12-00-00Z-10'], '2026-11-30T12-00-00Z-10'],
  [['2026-12-01T00-00-00Z', '2026-11-30T12-00-00Z-2', 'notes'], '2026-12-01T00-00-00Z'],
])('of %j it is %s, and that is said', async (names, newest) => {
  const { path, said } = await newestOf(...names);
  expect(path).toBe(join(folder, newest));
  expect(said).toContain(`the newest is taken: ${newest}`);
});

test('the only run is taken without a word', async () => {
  expect(await newestOf('2026-11-30T12-00-00Z', 'notes')).toEqual({
    path: join(folder, '2026-11-30T12-00-00Z'),
    said: '',
  });
});

test.each([[[]], [['notes', '2026-11-30']]])('a folder that holds %j stays as it is', async (names) => {
  expect(await newestOf(...names)).toEqual({ path: folder, said: '' });
});

test('so does a folder that is not there', async () => {
  const missing = join(folder, 'missing');
  expect(await newestRun(missing, { err: () => undefined })).toBe(missing);
});
