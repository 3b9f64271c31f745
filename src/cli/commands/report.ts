// `dyno-load report`: the report of a finished run, from its folder alone, in any format.
import { exitCodes } from '../../errors.ts';
import type { Io } from '../io.ts';
import { printResult } from '../print-result.ts';
import { type ReportFormat, renderRun } from '../report-format.ts';
import { readRun } from '../run-folder.ts';

export interface ReportOptions {
  readonly format: ReportFormat;
  /** The same as the format `json`. */
  readonly json?: boolean;
}

/** Prints the report of a run again. @throws DynoLoadError RUN_FOLDER_INVALID */
export async function reportCommand(folder: string, options: ReportOptions, io: Io): Promise<number> {
  const result = await readRun(folder);
  const format = options.json ? 'json' : options.format;
  if (format === 'terminal') printResult(result, { folder }, io);
  else io.out(await renderRun(result, format));
  return exitCodes.success;
}
