// The worker's side: makes its share of one load after another, as it is told, and says each second what it
// has recorded. What it sends with is made by whoever knows the target.
import { type Clock, type Scheduler, SystemClock } from '../clock.ts';
import type { HealthProbe } from '../engine/generator-health.ts';
import { plannedInFlight } from '../engine/planned-in-flight.ts';
import { SegmentRecorder } from '../engine/segment-recorder.ts';
import type { SdkAccess, Target } from '../engine/target.ts';
import { ThreadLoad } from '../engine/thread-load.ts';
import { sharePlan, type WorkShare } from '../engine/work-share.ts';
import type { DynoLoadError } from '../errors.ts';
import type { RunPlan } from '../scenario/run-plan.ts';
import {
  type FromWorker,
  plainError,
  type ToWorker,
  type WorkerConnections,
  type WorkOrder,
} from './messages.ts';

/** The way to the main thread. */
export interface WorkerPort {
  post(message: FromWorker): void;
  listen(hear: (message: ToWorker) => void): void;
}

/** What one load is sent with. */
export interface WorkerTarget {
  readonly target: Target;
  readonly sdk: SdkAccess | undefined;
  /** Opens connections ahead of load. */
  connect(connections: number): Promise<void>;
  connections(): WorkerConnections;
  close(): void;
}

export interface WorkerWorld {
  readonly share: WorkShare;
  /** Of this thread. */
  readonly probe: HealthProbe;
  readonly scheduler: Scheduler;
  /** What to add to the scheduler's readings for those that all threads share, ms. */
  readonly sharedOffsetMs: number;
  /** The plan of an order, whole. */
  planOf(order: WorkOrder): RunPlan;
  openTarget(order: WorkOrder, parts: TargetParts): WorkerTarget;
  /** Newer settings have come, in place of those that were asked for. */
  renewed(settings: unknown): void;
}

export interface TargetParts {
  readonly plan: RunPlan;
  readonly clock: Clock;
  /** A rule of safety refuses a request. */
  readonly refuse: (error: DynoLoadError) => void;
}

/** Serves until the thread ends. */
export function serveLoads(port: WorkerPort, world: WorkerWorld): void {
  let current: WorkerLoad | undefined;
  port.listen((message) => {
    switch (message.kind) {
      case 'open':
        current = WorkerLoad.open(message.order, port, world);
        break;
      case 'start':
        void current?.run(message.originMs - world.sharedOffsetMs);
        break;
      case 'interrupt':
        current?.interrupt();
        break;
      case 'renewed':
        world.renewed(message.settings);
        break;
    }
  });
}

/** One worker's share of one load. */
class WorkerLoad {
  readonly #port: WorkerPort;
  readonly #load: ThreadLoad;
  readonly #with: WorkerTarget;
  readonly #segments: SegmentRecorder;
  #isRunning = false;

  /** @returns undefined where it cannot be opened, which is told */
  static open(order: WorkOrder, port: WorkerPort, world: WorkerWorld): WorkerLoad | undefined {
    try {
      const load = new WorkerLoad(order, port, world);
      void load.#prepare();
      return load;
    } catch (error) {
      port.post({ kind: 'failed', error: plainError(error) });
      return undefined;
    }
  }

  private constructor(order: WorkOrder, port: WorkerPort, world: WorkerWorld) {
    const { share, probe, scheduler } = world;
    const plan = world.planOf(order);
    const clock = new SystemClock(scheduler);
    const refuse = (error: DynoLoadError) => port.post({ kind: 'refused', error: plainError(error) });
    this.#port = port;
    this.#with = world.openTarget(order, { plan, clock, refuse });
    const { target, sdk, connect } = this.#with;
    const connections = Math.ceil(plannedInFlight(plan) / share.count);
    this.#load = new ThreadLoad({
      plan: sharePlan(plan, share),
      clock,
      target,
      sdk,
      knowsHeat: order.isDiscarded,
      probe,
      connect: () => connect(connections),
      share,
    });
    this.#segments = new SegmentRecorder({
      clock,
      recorders: this.#load.recorders,
      endUs: plan.stages.at(-1)?.endUs ?? 0,
      write: (line) => {
        if (line.kind === 'segment') port.post({ kind: 'part', workloads: line.workloads });
      },
    });
  }

  async run(originMs?: number): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#segments.start();
    const { status, reachedUs, mostInFlight, error } = await this.#load.run(originMs);
    this.#segments.finish({ status, reachedUs });
    this.#port.post({
      kind: 'over',
      end: {
        status,
        reachedUs,
        mostInFlight,
        ...(error === undefined ? {} : { error: plainError(error) }),
        readings: this.#load.readings,
        heat: this.#load.heat,
        connections: this.#with.connections(),
      },
    });
    this.#with.close();
  }

  interrupt(): void {
    this.#load.interrupt();
    // What never began is over at once.
    void this.run();
  }

  async #prepare(): Promise<void> {
    try {
      await this.#load.setUp();
      await this.#load.warmUp();
      this.#port.post({ kind: 'ready' });
    } catch (error) {
      // Interrupted meanwhile: that the target was closed is no error.
      if (this.#isRunning) return;
      this.#with.close();
      this.#port.post({ kind: 'failed', error: plainError(error) });
    }
  }
}
