// The command line in this process, so that a test can give it another world: its own time, and an endpoint that
// counts as AWS. Everything else is real: sockets, files, SDK.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { main } from '../../src/cli/main.ts';
import type { Io } from '../../src/cli/io.ts';
import type { LiveWorld } from '../../src/cli/live/open-live-target.ts';

export interface InProcessOptions {
  /** Run folders go under it. */
  readonly cwd: string;
  readonly world: LiveWorld;
  /** Answers questions; absent: nobody is there to ask. */
  readonly answer?: string;
}

/** Thrown where the process would end. */
class EndOfProcess extends Error {}

/** One command while it runs. */
export class InProcessCli {
  readonly ended: Promise<number>;
  stdout = '';
  stderr = '';
  readonly questions: string[] = [];
  #onSignal: ((signal: 'SIGINT' | 'SIGTERM') => void) | undefined;

  constructor(args: readonly string[], { cwd, world, answer }: InProcessOptions) {
    const io: Io = {
      out: (text) => void (this.stdout += text),
      err: (text) => void (this.stderr += text),
      isOutTerminal: false,
      isErrTerminal: false,
      ...(answer === undefined
        ? {}
        : {
            ask: async (question: string) => {
              this.questions.push(question);
              return answer;
            },
          }),
      columns: 200,
      env: {},
      cwd,
      onSignal: (handler) => {
        this.#onSignal = handler;
        return () => {
          this.#onSignal = undefined;
        };
      },
      exit: (code) => {
        throw new EndOfProcess(`with ${code}`);
      },
    };
    this.ended = mkdir(join(cwd, 'reports'), { recursive: true }).then(() =>
      main([...args, '--out', join(cwd, 'reports')], io, world),
    );
  }

  /** As Ctrl-C does. @returns whether the process would have ended at once */
  interrupt(): boolean {
    try {
      this.#onSignal?.('SIGINT');
      return false;
    } catch (error) {
      if (error instanceof EndOfProcess) return true;
      throw error;
    }
  }
}
