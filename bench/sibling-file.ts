// Where another program of this folder is: beside this one, as source under jiti, as JavaScript where the
// benchmarks are compiled.
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @param name  without its ending */
export function siblingFile(name: string): string {
  return fileURLToPath(new URL(`./${name}${extname(import.meta.url)}`, import.meta.url));
}
