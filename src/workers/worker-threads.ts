// Threads of Node as workers: started with plain data, spoken to by messages, lost when they end unasked.
import { parentPort, Worker } from 'node:worker_threads';
import { assert } from '../errors.ts';
import type { FromWorker, ToWorker } from './messages.ts';
import type { WorkerPort } from './serve-loads.ts';
import type { CrewMember } from './worker-crew.ts';

/**
 * Starts a thread.
 * @param entry  the module that it runs
 * @param data  plain data for it
 */
export function startThread(entry: URL, data: unknown): CrewMember {
  const thread = new Worker(entry, { workerData: data });
  let isEnding = false;
  return {
    post: (message) => thread.postMessage(message),
    listen: (hear, lost) => {
      thread.on('message', (message: FromWorker) => hear(message));
      thread.on('error', (error: unknown) => lost(error instanceof Error ? error.message : String(error)));
      thread.on('exit', (code) => {
        if (!isEnding) lost(`it ended with code ${code}`);
      });
    },
    end: async () => {
      isEnding = true;
      await thread.terminate();
    },
  };
}

/** The way to the main thread, from within a worker. */
export function mainThread(): WorkerPort {
  const port = parentPort;
  assert(port, 'this module runs in a worker thread');
  return {
    post: (message) => port.postMessage(message),
    listen: (hear) => void port.on('message', (message: ToWorker) => hear(message)),
  };
}
