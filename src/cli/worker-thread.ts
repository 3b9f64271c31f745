// The program of a worker thread: plans the scenario as the main thread did, tells it in short, and then
// makes its share of each load.
import { workerData } from 'node:worker_threads';
import type { ChainCredentials } from '../aws/credentials.ts';
import { ThreadTarget, type ThreadTargetSettings } from '../aws/thread-target.ts';
import { processScheduler, sharedOffsetMs } from '../clock.ts';
import { ProcessHealthProbe } from '../engine/generator-health.ts';
import type { WorkShare } from '../engine/work-share.ts';
import { assert } from '../errors.ts';
import { discardedPlan } from '../experiment/repeat-order.ts';
import type { RunPlan } from '../scenario/run-plan.ts';
import { plainError } from '../workers/messages.ts';
import { digestPlan } from '../workers/plan-digest.ts';
import { serveLoads, type WorkerTarget, type WorkerWorld } from '../workers/serve-loads.ts';
import { mainThread } from '../workers/worker-threads.ts';
import { type PlanningOptions, planScenario } from './plan-run.ts';
import type { ScenarioFile } from './resolve-scenario.ts';

/** What a worker is started with; plain data. */
export interface WorkerStart {
  readonly scenario: ScenarioFile;
  readonly options: PlanningOptions;
  readonly tableSuffix: string;
  /** Whether all variants read the same tables. */
  readonly sharesTables: boolean;
  readonly share: WorkShare;
}

await main();

async function main(): Promise<void> {
  const port = mainThread();
  // Given by `startWorkers`, which is the only one that starts this module.
  const start = workerData as WorkerStart;
  try {
    const { tableSuffix, sharesTables } = start;
    const facts = { wallClock: true, tableSuffix, foundElsewhere: { sharesTables } };
    const { plans } = await planScenario(start.scenario, start.options, facts);
    const renewals: ((credentials: ChainCredentials) => void)[] = [];
    const renew = () =>
      new Promise<ChainCredentials>((resolve) => {
        renewals.push(resolve);
        port.post({ kind: 'renew' });
      });
    serveLoads(port, worldOf(start, plans, { renew, renewals }));
    port.post({ kind: 'planned', digests: plans.map(digestPlan) });
  } catch (error) {
    port.post({ kind: 'failed', error: plainError(error) });
  }
}

interface Renewing {
  readonly renew: () => Promise<ChainCredentials>;
  readonly renewals: ((credentials: ChainCredentials) => void)[];
}

function worldOf({ share }: WorkerStart, plans: readonly RunPlan[], renewing: Renewing): WorkerWorld {
  return {
    share,
    probe: new ProcessHealthProbe(),
    scheduler: processScheduler,
    sharedOffsetMs: sharedOffsetMs(),
    planOf: ({ planIndex, isDiscarded }) => {
      const plan = plans[planIndex];
      assert(plan, `plan ${planIndex} was made here too`);
      return isDiscarded ? discardedPlan(plan) : plan;
    },
    openTarget: ({ settings }, { clock, refuse }) =>
      // As `threadTargetSettings` made them.
      openTarget(settings as ThreadTargetSettings, {
        nowUs: () => clock.nowUs(),
        refuse,
        renew: renewing.renew,
      }),
    // As `CredentialSource.current` gave them.
    renewed: (settings) => renewing.renewals.shift()?.(settings as ChainCredentials),
  };
}

function openTarget(
  settings: ThreadTargetSettings,
  parts: ConstructorParameters<typeof ThreadTarget>[1],
): WorkerTarget {
  const thread = new ThreadTarget(settings, parts);
  return {
    target: thread.target,
    sdk: thread.load.sdk,
    connect: (connections) => thread.load.warmUp(connections),
    connections: () => ({ ...thread.load.parts(), counts: thread.tally }),
    close: () => thread.load.close(),
  };
}
