// The workers of a run: how many, and none where one thread makes the load.
import { availableParallelism } from 'node:os';
import type { WorkerChoice } from '../analysis/records/worker-health.ts';
import type { LoadCrew } from '../engine/load-run.ts';
import type { TargetProvider } from '../engine/target.ts';
import type { RunPlan } from '../scenario/run-plan.ts';
import { chooseWorkers } from '../workers/choose-workers.ts';
import type { Io } from './io.ts';
import type { LiveWorld } from './live/open-live-target.ts';
import { type CheckedRuns, planningOptions } from './plan-run.ts';
import type { RunOptions } from './run-options.ts';
import type { WorkerStart } from './worker-thread.ts';

/** How many workers make the load, and why. @throws DynoLoadError USAGE where what was asked cannot be done */
export function workersFor(plans: readonly RunPlan[], { workers, shadowCapacity }: RunOptions): WorkerChoice {
  return chooseWorkers(plans, {
    asked: workers,
    coreCount: availableParallelism(),
    hasShadow: shadowCapacity !== undefined,
  });
}

/** What workers are started with, and what is closed where they cannot be. */
export interface CrewRequest extends Pick<WorkerStart, 'scenario' | 'tableSuffix'> {
  readonly workers: WorkerChoice | undefined;
  readonly provider: TargetProvider;
  readonly planned: CheckedRuns;
  readonly options: RunOptions;
  readonly io: Io;
  readonly world: Pick<LiveWorld, 'startWorkers'>;
}

/**
 * Workers, where more than one is to make the load: one makes it in this thread.
 * @throws DynoLoadError what startWorkers throws; the provider is closed then
 */
export async function crewFor(request: CrewRequest): Promise<LoadCrew | undefined> {
  const { workers, provider, planned, scenario, options, tableSuffix, io, world } = request;
  if (workers === undefined || workers.count === 1) return undefined;
  io.err(`Load is made by ${workers.count} worker threads: ${workers.why}.\n`);
  const startWorkers = world.startWorkers ?? (await import('./start-workers.ts')).startWorkers;
  try {
    const sharesTables = planned.plans.every((plan) => plan.sharesTables);
    const start = { scenario, options: planningOptions(options), tableSuffix, sharesTables };
    return await startWorkers(workers.count, planned.plans, start);
  } catch (error) {
    await provider.close();
    throw error;
  }
}
