// `dyno-load report`: the report of a finished run, from its folder alone.
import { exitCodes } from '../../errors.ts';
import type { Io } from '../io.ts';
import { printResult } from '../print-result.ts';
import { readRun } from '../run-folder.ts';

/** Prints the report of a run again. @throws DynoLoadError RUN_FOLDER_INVALID */
export async function reportCommand(
  folder: string,
  options: { readonly json?: boolean },
  io: Io,
): Promise<number> {
  const result = await readRun(folder);
  printResult(result, { json: options.json, folder }, io);
  return exitCodes.success;
}
