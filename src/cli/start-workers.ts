// Workers of a run, started with what they need to plan it by themselves.
import { processScheduler, sharedOffsetMs } from '../clock.ts';
import { ProcessHealthProbe } from '../engine/generator-health.ts';
import type { RunPlan } from '../scenario/run-plan.ts';
import { digestPlan } from '../workers/plan-digest.ts';
import { startThread } from '../workers/worker-threads.ts';
import { WorkerCrew } from '../workers/worker-crew.ts';
import type { WorkerStart } from './worker-thread.ts';

/** The module lies beside this one, with the same ending: in a checkout `.ts`, in the package `.js`. */
const ENTRY = new URL(
  import.meta.url.endsWith('.ts') ? './worker-thread.ts' : './worker-thread.js',
  import.meta.url,
);

/**
 * Starts them, and waits until all have planned the same.
 * @throws DynoLoadError PLAN_DIFFERS, WORKER_LOST, and whatever planning throws
 */
export function startWorkers(
  count: number,
  plans: readonly RunPlan[],
  start: Omit<WorkerStart, 'share'>,
): Promise<WorkerCrew> {
  const members = Array.from({ length: count }, (_, index) => {
    const data: WorkerStart = { ...start, share: { index, count } };
    return startThread(ENTRY, data);
  });
  return WorkerCrew.start({
    members,
    plans,
    digests: plans.map(digestPlan),
    probe: new ProcessHealthProbe(),
    time: { ...processScheduler, sharedOffsetMs: sharedOffsetMs() },
  });
}
