// Errors that nothing caught: a timer of the scenario's own code that throws, a promise that it leaves to
// itself and that is rejected. Node would end the process at once, with the exit code of a missed goal, no
// report, and tables left behind.
import { fileURLToPath } from 'node:url';
import { DynoLoadError } from '../errors.ts';
import type { Io } from './io.ts';

const sources = fileURLToPath(new URL('..', import.meta.url));

/**
 * What to tell of it: an error of the scenario's code, unless it was thrown in our own or by Node, which is a
 * bug and stays as it is.
 */
export function strayError(error: unknown): unknown {
  if (error instanceof DynoLoadError) return error;
  const frame = firstFrame(error);
  if (error instanceof Error && (frame === undefined || frame.includes(sources))) return error;
  return new DynoLoadError('SCENARIO_FUNCTION_THREW', {
    what: `an error that nothing caught: ${error instanceof Error ? error.message : String(error)}`,
    why:
      `${frame === undefined ? 'it was' : `thrown ${frame}`}, in a timer, or in a promise that nobody waits for: ` +
      'no operation can answer for it',
    fix: 'await all that the scenario’s own code starts, or catch its errors there',
    cause: error,
  });
}

/** Where it was thrown, below what Node itself called. */
function firstFrame(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const lines = error.stack?.split('\n').map((line) => line.trim()) ?? [];
  const line = lines.find((one) => one.startsWith('at ') && !/[( ]node:/.test(one));
  return line?.replace('file://', '');
}

/**
 * Ends the process with a word on such an error, unless somebody minds it later on. Once the command is over an error
 * of the scenario's code is told and changes nothing: what the command has found stands.
 * @returns how to tell that the command is over
 */
export function tellStrayErrors(io: Io, report: (error: unknown) => number): () => void {
  let isOver = false;
  io.onStray?.((error) => {
    const told = strayError(error);
    const code = report(told);
    if (!isOver || !(told instanceof DynoLoadError)) io.exit(code);
  });
  return () => {
    isOver = true;
  };
}
