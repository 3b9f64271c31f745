// Workers of a whole run without threads: each plans the scenario by itself and sends its share over sockets of its own, as a thread would, in
// time that jumps. Every message is copied as threads would copy it. Stands in for `startWorkers`.
import { ThreadTarget, type ThreadTargetSettings } from '../../src/aws/thread-target.ts';
import { planScenario } from '../../src/cli/plan-run.ts';
import type { startWorkers } from '../../src/cli/start-workers.ts';
import type { RunPlan } from '../../src/scenario/run-plan.ts';
import type { FromWorker, ToWorker } from '../../src/workers/messages.ts';
import { digestPlan } from '../../src/workers/plan-digest.ts';
import { serveLoads, type WorkerWorld } from '../../src/workers/serve-loads.ts';
import { type CrewMember, WorkerCrew } from '../../src/workers/worker-crew.ts';
import { quietProbe } from './in-process-crew.ts';
import type { SteppedTime } from './stepped-time.ts';

/** How many requests of load each worker has sent, by its number. */
export type SentByWorker = number[];

/** Starts such workers. @param sent  is counted up as they send */
export function steppedWorkers(time: SteppedTime, sent: SentByWorker): typeof startWorkers {
  return async (count, plans, { scenario, options, tableSuffix, sharesTables }) => {
    const facts = { wallClock: true, tableSuffix, foundElsewhere: { sharesTables } };
    const members = await Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const own = await planScenario(scenario, options, facts);
        sent[index] = 0;
        return memberOf(own.plans, { time, share: { index, count }, sent });
      }),
    );
    const digests = plans.map(digestPlan);
    const crewTime = { ...time.scheduler, sharedOffsetMs: 0 };
    return WorkerCrew.start({ members, plans, digests, probe: quietProbe, time: crewTime });
  };
}

interface WorkerParts {
  readonly time: SteppedTime;
  readonly share: WorkerWorld['share'];
  readonly sent: SentByWorker;
}

function memberOf(plans: readonly RunPlan[], { time, share, sent }: WorkerParts): CrewMember {
  let hearMain: (message: FromWorker) => void = () => undefined;
  let hearWorker: (message: ToWorker) => void = () => undefined;
  const post = (message: FromWorker) => {
    const copy = structuredClone(message);
    queueMicrotask(() => hearMain(copy));
  };
  serveLoads(
    { post, listen: (hear) => (hearWorker = hear) },
    {
      share,
      probe: quietProbe,
      scheduler: time.scheduler,
      sharedOffsetMs: 0,
      planOf: ({ planIndex }) => plans[planIndex] as RunPlan, // The plans are as many as in the main thread.
      openTarget: ({ settings }, { clock, refuse }) => {
        // As `threadTargetSettings` made them.
        const thread = new ThreadTarget(settings as ThreadTargetSettings, {
          nowUs: () => clock.nowUs(),
          refuse,
          renew: () => Promise.reject(new Error('keys of a test do not expire')),
        });
        const { load, target } = thread;
        const held = time.holding(target);
        return {
          target: {
            send: (request, startUs, done) => {
              sent[share.index] = (sent[share.index] ?? 0) + 1;
              held.send(request, startUs, done);
            },
          },
          sdk: load.sdk,
          connect: (connections) => load.warmUp(connections),
          connections: () => ({ ...load.parts(), counts: thread.tally }),
          close: () => load.close(),
        };
      },
      renewed: () => undefined,
    },
  );
  return {
    post: (message) => {
      const copy = structuredClone(message);
      queueMicrotask(() => hearWorker(copy));
    },
    listen: (hear) => {
      hearMain = hear;
      post({ kind: 'planned', digests: plans.map(digestPlan) });
    },
    end: async () => undefined,
  };
}
