// A thread of bench/workers.ts: as that of the command, without a scenario file.
import { workerData } from 'node:worker_threads';
import { ThreadTarget, type ThreadTargetSettings } from '../src/aws/thread-target.ts';
import { processScheduler, sharedOffsetMs } from '../src/clock.ts';
import { ProcessHealthProbe } from '../src/engine/generator-health.ts';
import type { WorkShare } from '../src/engine/work-share.ts';
import { digestPlan } from '../src/workers/plan-digest.ts';
import { serveLoads } from '../src/workers/serve-loads.ts';
import { mainThread } from '../src/workers/worker-threads.ts';
import { closedPlan } from './workers-plan.ts';

const port = mainThread();
serveLoads(port, {
  // Given by bench/workers.ts.
  share: workerData as WorkShare,
  probe: new ProcessHealthProbe(),
  scheduler: processScheduler,
  sharedOffsetMs: sharedOffsetMs(),
  planOf: () => closedPlan,
  openTarget: ({ settings }, { clock, refuse }) => {
    const renew = () => Promise.reject(new Error('these credentials do not expire'));
    // As bench/workers.ts made them.
    const thread = new ThreadTarget(settings as ThreadTargetSettings, {
      nowUs: () => clock.nowUs(),
      refuse,
      renew,
    });
    return {
      target: thread.target,
      sdk: undefined,
      connect: (connections) => thread.load.warmUp(connections),
      connections: () => ({ ...thread.load.parts(), counts: thread.tally }),
      close: () => thread.load.close(),
    };
  },
  renewed: () => undefined,
});
port.post({ kind: 'planned', digests: [digestPlan(closedPlan)] });
