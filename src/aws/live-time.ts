// Time as live targets need it besides the engine's clock: the time of day and waiting. A value, so that a test
// can give minutes that pass at once.
import { setMaxListeners } from 'node:events';
import { processScheduler, type Scheduler } from '../clock.ts';

/** Time as live targets need it; tests give another. */
export interface LiveTime {
  /** Drives the clock of each variant. */
  readonly scheduler: Scheduler;
  /** Time of day, ms since 1970. */
  wallMs(): number;
}

/** The time of the running process. */
export const processTime: LiveTime = { scheduler: processScheduler, wallMs: Date.now };

/** Waits; ends early, without an error, when the signal is given. */
export function waitMs({ scheduler }: LiveTime, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) {
      resolve();
      return;
    }
    const end = (): void => {
      cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const cancel = scheduler.after(delayMs, end);
    if (signal === undefined) return;
    // Whatever waits at once under one signal listens to it; Node warns at the eleventh, which is no leak here.
    setMaxListeners(Number.POSITIVE_INFINITY, signal);
    signal.addEventListener('abort', end, { once: true });
  });
}
