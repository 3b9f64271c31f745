// A server in a process of its own whose capacity is known and the same on every machine, for what a
// generator has to say about load that is far above or far below it.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { packageRoot } from './cli.ts';
import type { Pace } from './paced-process.ts';

export interface PacedServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts one; `stop` resolves when its process is gone. */
export async function startPacedServer(pace: Pace): Promise<PacedServer> {
  const file = fileURLToPath(new URL('./paced-process.ts', import.meta.url));
  const child = fork(file, [JSON.stringify(pace)], {
    cwd: packageRoot,
    execArgv: ['--import', 'jiti/register'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    // Its one message is its address.
    child.once('message', (message) => resolve(message as string));
    child.once('exit', (code) => reject(new Error(`the paced server ended with ${code}`)));
  });
  return {
    url,
    stop: async () => {
      child.disconnect();
      await ended;
    },
  };
}
