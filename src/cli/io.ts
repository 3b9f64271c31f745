// What a command touches of its process: streams, environment, signals. Commands get it as a value, so that
// tests can stand in for it.
import process from 'node:process';
import { createInterface } from 'node:readline/promises';

export interface Io {
  /** The report. */
  out(text: string): void;
  /** Everything else. */
  err(text: string): void;
  /** Commands to the CI server, which reads them among the lines of stderr; absent: there is none to take them. */
  readonly command?: (text: string) => void;
  readonly isOutTerminal: boolean;
  readonly isErrTerminal: boolean;
  /** Asks the user and waits for a line; absent where nobody is there to answer. */
  readonly ask?: (question: string) => Promise<string>;
  /** Width of the terminal in columns; undefined where the output is not one. */
  readonly columns: number | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Calls `handler` for each SIGINT and SIGTERM until the returned function is called. */
  onSignal(handler: (signal: 'SIGINT' | 'SIGTERM') => void): () => void;
  /**
   * Calls `handler` for each error that nothing caught, until the returned function is called; the handler
   * that came last is the only one that is called. Absent: they end the process.
   */
  readonly onStray?: (handler: StrayHandler) => () => void;
  /** Ends the process at once. */
  exit(code: number): never;
}

type StrayHandler = (error: unknown) => void;

const strayHandlers: StrayHandler[] = [];
const tellLast = (error: unknown): void => strayHandlers.at(-1)?.(error);

function onStray(handler: StrayHandler): () => void {
  if (strayHandlers.length === 0) process.on('uncaughtException', tellLast);
  strayHandlers.push(handler);
  return () => {
    const at = strayHandlers.lastIndexOf(handler);
    if (at >= 0) strayHandlers.splice(at, 1);
    if (strayHandlers.length === 0) process.off('uncaughtException', tellLast);
  };
}

/** The process itself. */
export const realIo: Io = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  isOutTerminal: process.stdout.isTTY === true,
  isErrTerminal: process.stderr.isTTY === true,
  ...(process.stdin.isTTY === true && process.stderr.isTTY === true ? { ask: askOnTerminal } : {}),
  columns: process.stdout.columns,
  env: process.env,
  cwd: process.cwd(),
  onSignal: (handler) => {
    const onInterrupt = () => handler('SIGINT');
    const onTerminate = () => handler('SIGTERM');
    process.on('SIGINT', onInterrupt);
    process.on('SIGTERM', onTerminate);
    return () => {
      process.off('SIGINT', onInterrupt);
      process.off('SIGTERM', onTerminate);
    };
  },
  onStray,
  exit: (code) => process.exit(code),
};

/** Asks on stderr, since stdout is the report. Ctrl-C and Ctrl-D are no answer, hence no. */
async function askOnTerminal(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  const answer = await Promise.race([terminal.question(question), closed]);
  terminal.close();
  return answer;
}

/**
 * Whether output may be coloured: on a terminal, unless NO_COLOR says no; FORCE_COLOR says yes.
 * @see https://no-color.org, read 2026-11-30
 */
export function wantsColor(io: Io, isTerminal: boolean): boolean {
  if (io.env.NO_COLOR) return false;
  if (io.env.FORCE_COLOR && io.env.FORCE_COLOR !== '0') return true;
  return isTerminal;
}
