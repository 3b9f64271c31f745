// Files that tests compare with: frozen runs, golden reports, the published schema. UPDATE_GOLDEN=1 writes
// them anew instead.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = new URL('../../', import.meta.url);

/**
 * The text of a committed file; with UPDATE_GOLDEN=1 it is first set to `actual`, so that the comparison
 * holds and git shows the difference.
 */
export function frozenText(path: string, actual: string): string {
  const file = fileURLToPath(new URL(path, root));
  if (process.env.UPDATE_GOLDEN === '1') {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, actual);
  }
  return readFileSync(file, 'utf8').replaceAll('\r\n', '\n');
}
