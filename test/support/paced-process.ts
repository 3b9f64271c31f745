// The process of paced-server.ts: a DynamoDB endpoint that works on one PutItem after another, each for the
// same time, and that stands still for a while when it is told to. Its capacity is thus its own and not that
// of the machine. Tells its URL through the IPC channel.
import { startSlowServer } from './slow-server.ts';

/** What it is started with, as JSON in its only argument. */
export interface Pace {
  /** PutItem a second that it answers at most; absent: each at once. */
  readonly perSecond?: number;
  /** How long each takes at least; the default is as short as can be. */
  readonly latencyMs?: number;
  /** Counted from its first PutItem. */
  readonly freeze?: { readonly afterMs: number; readonly forMs: number };
}

// Our own test support is what starts it.
const { perSecond, latencyMs = 0, freeze } = JSON.parse(process.argv[2] ?? '{}') as Pace;
let isFreezePending = freeze !== undefined;
let freeMs = 0;

/** When a request that comes in now is answered: first come, first served. */
function delayOf(): number {
  if (isFreezePending && freeze) {
    isFreezePending = false;
    setTimeout(() => standStill(freeze.forMs), freeze.afterMs);
  }
  if (perSecond === undefined) return latencyMs;
  const nowMs = performance.now();
  freeMs = Math.max(freeMs, nowMs) + 1_000 / perSecond;
  return Math.max(latencyMs, freeMs - nowMs);
}

/**
 * As garbage collection or a paused virtual machine would: the kernel still takes connections and bytes, and
 * nobody answers.
 */
function standStill(forMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, forMs);
}

const { url } = await startSlowServer(0, delayOf);
process.send?.(url);
process.on('disconnect', () => process.exit(0));
