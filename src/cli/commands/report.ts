// `dyno-load report`: the report of a run, finished or cut off, from its folder alone, in any format.
import { exitCodes } from '../../errors.ts';
import { renderTerminal } from '../../report/terminal.ts';
import type { Io } from '../io.ts';
import { printResult } from '../print-result.ts';
import { writeReport } from '../publish.ts';
import { type ReportFormat, renderRun } from '../report-format.ts';
import { readRunFile } from '../run-folder.ts';

export interface ReportOptions {
  readonly format: ReportFormat;
  /** The same as the format `json`. */
  readonly json?: boolean;
  /** Where to write it instead of printing it. */
  readonly output?: string;
}

/**
 * Prints the report of a run again, or writes it to a file.
 * @throws DynoLoadError RUN_FOLDER_INVALID, REPORT_UNWRITABLE
 */
export async function reportCommand(folder: string, options: ReportOptions, io: Io): Promise<number> {
  const { result, file } = await readRunFile(folder);
  const format = options.json ? 'json' : options.format;
  if (options.output !== undefined) {
    const text =
      format === 'terminal'
        ? renderTerminal(result, { useColor: false, record: file })
        : await renderRun(result, format);
    await writeReport(options.output, text);
  } else if (format === 'terminal') printResult(result, { record: file }, io);
  else io.out(await renderRun(result, format));
  return exitCodes.success;
}
