// A run named by the folder that holds it: `reports/orders` stands for the newest run of `orders`. Reading the run
// is for run-folder.ts.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Io } from './io.ts';

/** As run folders are named: the time at which the run began, and a number where several began in one second. */
const RUN_FOLDER_NAME = /^(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ)(?:-(\d+))?$/;

/**
 * The newest run in a folder that holds runs, told on stderr where it was one of several.
 * @returns the path as given where it is no such folder
 */
export async function newestRun(path: string, io: Pick<Io, 'err'>): Promise<string> {
  const names = await readdir(path).catch(() => []);
  const runs = names.flatMap((name) => {
    const [, startedAt, number = '1'] = RUN_FOLDER_NAME.exec(name) ?? [];
    return startedAt === undefined ? [] : [{ name, startedAt, number: Number(number) }];
  });
  runs.sort((a, b) => (a.startedAt < b.startedAt ? -1 : a.startedAt > b.startedAt ? 1 : a.number - b.number));
  const newest = runs.at(-1);
  if (newest === undefined) return path;
  if (runs.length > 1) io.err(`${path} holds ${runs.length} runs; the newest is taken: ${newest.name}\n`);
  return join(path, newest.name);
}
