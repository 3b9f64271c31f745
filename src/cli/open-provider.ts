// The target of a run: the simulated table in this process, or one behind a URL, which may be a server of our own.
import { processScheduler } from '../clock.ts';
import { SimulatedProvider } from '../engine/simulated-provider.ts';
import type { TargetProvider } from '../engine/target.ts';
import { latencyOfRun } from './latency-file.ts';
import { isObserved } from './live/live-options.ts';
import type { LiveRequest } from './live/open-live-target.ts';
import { packageVersion } from './package-version.ts';
import { type CheckedRuns, modelOfRun } from './plan-run.ts';
import { type RunOptions, SERVED } from './run-options.ts';

/** The simulated table, in virtual time. */
export function simulatedProvider(options: RunOptions, planned: CheckedRuns): TargetProvider {
  const { notes } = planned;
  const questions = { cloudWatch: options.cloudwatch === true, insights: options.contributorInsights };
  const model = modelOfRun(options, planned);
  return new SimulatedProvider(
    model,
    processScheduler,
    isObserved(options) ? { questions, notes } : undefined,
    latencyOfRun(options),
  );
}

interface LiveParts extends Pick<LiveRequest, 'io' | 'world' | 'refuse'> {
  readonly options: RunOptions;
  readonly planned: CheckedRuns;
}

/** A target on the wall clock. @throws DynoLoadError what stands in the way of a run against it */
export async function liveProvider({ options, planned, ...parts }: LiveParts): Promise<TargetProvider> {
  const { target = '', seed, region = 'us-east-1' } = options;
  // The AWS SDK takes longer to load than a simulated run takes to start: it is loaded for live targets only.
  const { openLiveTarget } = await import('./live/open-live-target.ts');
  const connect = (url: string) =>
    openLiveTarget({
      ...parts,
      target: url,
      options,
      plans: planned.plans,
      notes: planned.notes,
      repeats: options.repeat ?? 1,
    });
  const latency = latencyOfRun(options);
  if (target !== SERVED) return connect(target);
  const { ServedProvider } = await import('./served-provider.ts');
  const model = modelOfRun(options, planned);
  const server = {
    model,
    region,
    version: packageVersion(),
    ...(seed === undefined ? {} : { seed }),
    ...(latency === undefined ? {} : { times: latency.times }),
  };
  return ServedProvider.start(server, connect);
}
