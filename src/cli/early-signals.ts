// SIGINT and SIGTERM before a command does anything: one line and the exit code of the signal. Later the
// command minds them itself.
import { exitCodeOf } from '../analysis/exit-code.ts';
import type { Io } from './io.ts';

/** Ends the process on a signal, until the returned function is called. */
export function tellEarlySignals(io: Pick<Io, 'err' | 'exit' | 'onSignal'>): () => void {
  return io.onSignal((signal) => {
    io.err(`${signal} before anything was run: nothing was measured.\n`);
    io.exit(exitCodeOf({ signal, errors: [], verdict: null }));
  });
}
