// Workers without threads: the worker's side of each runs here, in time that jumps, and every message is copied as threads would copy it.
import { SystemClock } from '../../src/clock.ts';
import type { HealthProbe } from '../../src/engine/generator-health.ts';
import type { Target, TargetSession } from '../../src/engine/target.ts';
import type { DynoLoadError } from '../../src/errors.ts';
import type { RunPlan } from '../../src/scenario/run-plan.ts';
import type { FromWorker, ToWorker, WorkerConnections } from '../../src/workers/messages.ts';
import { digestPlan } from '../../src/workers/plan-digest.ts';
import { serveLoads } from '../../src/workers/serve-loads.ts';
import { type CrewMember, WorkerCrew } from '../../src/workers/worker-crew.ts';
import { nothingObserved } from './observation.ts';
import { type Script, ScriptedTarget } from './scripted-target.ts';
import type { SteppedTime } from './stepped-time.ts';

/** A thread that is never busy. */
export const quietProbe: HealthProbe = {
  start: () => undefined,
  measure: () => undefined,
  finish: () => ({
    wallSeconds: 1,
    cpuSeconds: 1,
    eventLoopDelayP99Ms: 1,
    eventLoopDelayMaxMs: 2,
    eventLoopUtilization: 0.5,
  }),
};

/** One worker as a test sees it. */
export interface FakeWorker {
  readonly sent: ScriptedTarget['sent'];
  mostInFlight(): number;
  /** As if the thread had ended. */
  lose(why: string): void;
  /** Hears nothing any more. */
  freeze(): void;
  /** Orders it has heard, by kind. */
  readonly heard: string[];
  /** A rule of safety refuses a request. */
  refuse(error: DynoLoadError): void;
}

export interface CrewWishes {
  readonly time: SteppedTime;
  readonly plan: RunPlan;
  readonly count: number;
  readonly script?: Script;
  /** Plans of the workers, where they differ from ours. */
  readonly planOfWorker?: (worker: number) => RunPlan;
  readonly connections?: Partial<WorkerConnections>;
  /** Opens connections; told of the end. */
  readonly connect?: (closed: Promise<void>) => Promise<void>;
}

/** Starts a crew. Each worker's clock reads another time; what they share is what the main thread reads. */
export async function inProcessCrew(wishes: CrewWishes) {
  const { time, plan, count } = wishes;
  const workers: FakeWorker[] = [];
  const members = Array.from({ length: count }, (_, worker) => memberOf(worker, wishes, workers));
  const crew = await WorkerCrew.start({
    members,
    plans: [plan],
    digests: [digestPlan(plan)],
    probe: quietProbe,
    time: { ...time.scheduler, sharedOffsetMs: 0 },
  });
  return { crew, workers };
}

function memberOf(worker: number, wishes: CrewWishes, workers: FakeWorker[]): CrewMember {
  const { time, count, script, planOfWorker, connections, connect } = wishes;
  const plan = planOfWorker?.(worker) ?? wishes.plan;
  const offsetMs = 1_000 * (worker + 1);
  let hearMain: (message: FromWorker) => void = () => undefined;
  let hearWorker: (message: ToWorker) => void = () => undefined;
  let loseWorker: (why: string) => void = () => undefined;
  let isDeaf = false;
  let target: ScriptedTarget | undefined;
  let refuse: (error: DynoLoadError) => void = () => undefined;
  const heard: string[] = [];
  const post = (message: FromWorker) => {
    const copy = structuredClone(message);
    queueMicrotask(() => isDeaf || hearMain(copy));
  };
  workers.push({
    get sent() {
      return target?.sent ?? [];
    },
    mostInFlight: () => target?.mostInFlight ?? 0,
    lose: (why) => {
      isDeaf = true;
      loseWorker(why);
    },
    freeze: () => {
      isDeaf = true;
    },
    heard,
    refuse: (error) => refuse(error),
  });
  serveLoads(
    { post, listen: (hear) => (hearWorker = hear) },
    {
      share: { index: worker, count },
      probe: quietProbe,
      // This worker began when so much had passed: it reads less.
      scheduler: { ...time.scheduler, monotonicMs: () => time.nowMs - offsetMs },
      sharedOffsetMs: offsetMs,
      planOf: () => plan,
      openTarget: (_order, parts) => {
        target = new ScriptedTarget(parts.clock, script);
        ({ refuse } = parts);
        let close: () => void = () => undefined;
        const closed = new Promise<void>((resolve) => (close = resolve));
        return {
          target,
          sdk: undefined,
          connect: async () => connect?.(closed),
          connections: () => ({ opened: 1, resent: 0, times: {}, counts: worker, ...connections }),
          close,
        };
      },
      renewed: () => undefined,
    },
  );
  return {
    post: (message) => {
      heard.push(message.kind);
      const copy = structuredClone(message);
      if (!isDeaf) queueMicrotask(() => isDeaf || hearWorker(copy));
    },
    listen: (hear, lost) => {
      hearMain = hear;
      loseWorker = lost;
      post({ kind: 'planned', digests: [digestPlan(plan)] });
    },
    end: async () => {
      isDeaf = true;
    },
  };
}

/** What a session hears of its threads. */
export interface Heard {
  readUnits: number;
  writeUnits: number;
  readonly refused: DynoLoadError[];
  readonly counted: unknown[];
}

/** A session whose load others send. */
export function sessionFor(time: SteppedTime): { session: TargetSession; heard: Heard } {
  const heard: Heard = { readUnits: 0, writeUnits: 0, refused: [], counted: [] };
  const target: Target = {
    send: () => {
      throw new Error('the main thread sends nothing');
    },
  };
  const session: TargetSession = {
    target,
    knowsHeat: false,
    clock: new SystemClock(time.scheduler),
    threads: {
      settings: () => ({}),
      renewed: () => ({}),
      consumed: ({ readUnits, writeUnits }) => {
        heard.readUnits += readUnits;
        heard.writeUnits += writeUnits;
      },
      refused: (error) => void heard.refused.push(error),
      counted: (counts) => void heard.counted.push(counts),
    },
    observe: () => nothingObserved,
    close: async () => undefined,
  };
  return { session, heard };
}
