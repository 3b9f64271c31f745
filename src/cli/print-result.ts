// Prints a run's record on stdout: as a report for people, or whole as JSON.
import type { RunResult } from '../analysis/run-result.ts';
import { renderJson } from '../report/json.ts';
import { renderTerminal } from '../report/terminal.ts';
import { type Io, wantsColor } from './io.ts';

/** Columns where the output is not a terminal. */
export const DEFAULT_COLUMNS = 110;

/** @param options.record  where the record lies, as the user would type it, or why it does not */
export function printResult(
  result: RunResult,
  { json, record }: { readonly json?: boolean | undefined; readonly record: string },
  io: Io,
): void {
  if (json) {
    io.out(renderJson(result));
    return;
  }
  const useColor = wantsColor(io, io.isOutTerminal);
  io.out(renderTerminal(result, { width: io.columns ?? DEFAULT_COLUMNS, useColor, record }));
}
