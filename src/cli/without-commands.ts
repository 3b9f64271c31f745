// In GitHub Actions each line that a step prints may be a command to the runner. What a run prints names keys
// and parameters of others, so no such line may read as one; only annotations are commands, and go another
// way.
import type { Io } from './io.ts';

/**
 * `::` that begins a line after blanks, or after colours, which a runner may strip; and the older `##[`,
 * which counts anywhere in a line.
 * @see "Workflow commands for GitHub Actions",
 *   https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions, read 2026-11-30
 */
const commandStart = /(?<=^(?:[\s\u0085]|\u001b\[[\d;]*m)*):(?=:)|#(?=#\[)/gm;

/**
 * In GitHub Actions, streams on which nothing is a command: its first character stands as its code, which JSON
 * reads as the same. Elsewhere, the streams as they are.
 */
export function withoutCommands(io: Io): Io {
  if (io.env.GITHUB_ACTIONS !== 'true') return io;
  return {
    ...io,
    out: (text) => io.out(breakCommands(text)),
    err: (text) => io.err(breakCommands(text)),
    command: io.err,
  };
}

/** The text with the first character of each command written as its code. */
export function breakCommands(text: string): string {
  return text.replaceAll(commandStart, (mark) => (mark === ':' ? String.raw`\u003a` : String.raw`\u0023`));
}
