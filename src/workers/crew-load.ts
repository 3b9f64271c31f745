// The load of one variant as several workers make it: all start at one moment, their parts become one record, and
// what ends one of them ends the load. What was measured until then is kept. Which worker is where is
// worker-roster.ts.
import type { AbortRecord } from '../analysis/records/abort.ts';
import { AbortWatch } from '../engine/abort-watch.ts';
import type { HealthProbe } from '../engine/generator-health.ts';
import { HeatTrackingTarget } from '../engine/live-heat.ts';
import type { LoadKnowledge, LoadOrder, LoadRun } from '../engine/load-run.ts';
import { progressOf, type RunProgress } from '../engine/run-progress.ts';
import type { VariantMeasurement } from '../engine/run-variant.ts';
import type { ThreadAccess } from '../engine/target.ts';
import { measuredSpan } from '../engine/variant-record.ts';
import { WorkloadRecorder } from '../engine/workload-recorder.ts';
import { DynoLoadError } from '../errors.ts';
import { mergeConnections, mergeReadings } from './merge-health.ts';
import { PartMerger } from './merge-parts.ts';
import { errorOf, type FromWorker, nothingDone, type ToWorker } from './messages.ts';
import { workerLost } from './worker-lost.ts';
import { WorkerRoster } from './worker-roster.ts';

/** Time as all threads of the process share it. */
export interface CrewTime {
  /** This thread's monotonic reading, ms. */
  monotonicMs(): number;
  /** What to add to it for the shared one. */
  readonly sharedOffsetMs: number;
  after(delayMs: number, callback: () => void): () => void;
}

/** What the load of a crew is made of. */
export interface CrewLoadParts {
  readonly order: LoadOrder;
  readonly planIndex: number;
  readonly threads: ThreadAccess;
  readonly workerCount: number;
  readonly probe: HealthProbe;
  readonly time: CrewTime;
  /** Why a worker is gone already, by its number. */
  readonly lost: ReadonlyMap<number, string>;
  readonly post: (worker: number, message: ToWorker) => void;
}

/** From the order to start until load begins: time for every worker to hear of it. */
const START_AFTER_MS = 200;

/** So much later than the workers we look at what they recorded: their word of a second is there then. */
const BEHIND_MS = 250;

/** How long workers may take to say what they have, once they are told to end. */
const PATIENCE_MS = 2_000;

/** One load over all workers, as a run sees it. */
export class CrewLoad implements LoadRun {
  readonly recorders: readonly WorkloadRecorder[];
  readonly #parts: CrewLoadParts;
  readonly #merger: PartMerger;
  readonly #roster: WorkerRoster;
  #error: unknown;
  #abort: AbortRecord | undefined;
  #isInterrupted = false;
  #cancelPatience: (() => void) | undefined;
  #readings: LoadKnowledge['readings'] | undefined;

  constructor(parts: CrewLoadParts) {
    const { stages, workloads } = parts.order.plan;
    this.#parts = parts;
    this.recorders = workloads.map(() => new WorkloadRecorder(stages, false));
    this.#merger = new PartMerger(
      this.recorders,
      stages.map(({ isMeasured }) => isMeasured),
    );
    this.#roster = new WorkerRoster(parts.workerCount, parts.lost);
  }

  async setUp(): Promise<void> {
    const { order, planIndex, threads } = this.#parts;
    const { isDiscarded } = order;
    for (const worker of this.#roster.atWork)
      this.#parts.post(worker, {
        kind: 'open',
        order: { planIndex, isDiscarded, settings: threads.settings() },
      });
    if (this.#isInterrupted) this.#tellInterrupt();
    for (const why of this.#roster.losses) this.#fail(workerLost(why));
    await this.#roster.until(() => this.#error !== undefined || this.#isInterrupted || this.#roster.areReady);
    if (this.#error === undefined || this.#isInterrupted) return;
    await this.#allOver();
    this.#cancelPatience?.();
    throw this.#error;
  }

  /** Workers have done so before they were ready. */
  async warmUp(): Promise<void> {}

  async run(): Promise<VariantMeasurement> {
    const { time, order, probe } = this.#parts;
    const { clock } = order.session;
    const originMs = time.monotonicMs() + START_AFTER_MS;
    probe.start();
    if (!this.#isInterrupted)
      for (const worker of this.#roster.atWork)
        this.#parts.post(worker, { kind: 'start', originMs: originMs + time.sharedOffsetMs });
    this.#watch();
    void this.#allOver().then(() => clock.stop());
    await clock.run(originMs + BEHIND_MS);
    this.#cancelPatience?.();
    this.#readings = probe.finish();
    return this.#measurement();
  }

  interrupt(): void {
    this.#isInterrupted = true;
    this.#tellInterrupt();
    this.#roster.changed();
  }

  progress(): RunProgress {
    const { plan, session } = this.#parts.order;
    return progressOf(
      this.recorders.map((recorder) => ({ recorder, inFlight: inFlight(recorder) })),
      plan.stages,
      session.clock.nowUs(),
    );
  }

  known(): LoadKnowledge {
    const { plan, session } = this.#parts.order;
    const ends = this.#roster.ends.filter((end) => end !== undefined);
    // Nothing is sent through it: it adds up what others have counted.
    const heat = new HeatTrackingTarget(session.target, plan.tables, measuredSpan(plan));
    for (const end of ends) heat.addRecord(end.heat);
    return {
      readings: mergeReadings(this.#readings ?? this.#parts.probe.finish(), this.#roster.ends),
      resources: heat.resources(),
      connections: mergeConnections(ends),
    };
  }

  /** A message of one worker. */
  hear(worker: number, message: FromWorker): void {
    const { threads } = this.#parts;
    if (!this.#roster.isAtWork(worker)) return;
    switch (message.kind) {
      case 'ready':
        this.#roster.ready(worker);
        break;
      case 'part':
        this.#merger.add(worker, message.workloads);
        for (const { stages } of message.workloads)
          for (const { units, estimatedUnits } of stages)
            for (const row of [...units, ...estimatedUnits]) threads.consumed(row);
        break;
      case 'over':
        this.#roster.end(worker, message.end);
        threads.counted(message.end.connections.counts);
        if (message.end.error !== undefined) this.#fail(errorOf(message.end.error));
        break;
      case 'failed':
        this.#roster.end(worker, nothingDone);
        this.#fail(errorOf(message.error));
        break;
      case 'refused': {
        const error = errorOf(message.error);
        if (error instanceof DynoLoadError) threads.refused(error);
        break;
      }
      case 'planned':
      case 'renew':
        return;
    }
    this.#roster.changed();
  }

  /** A worker is gone, or does not answer. */
  lose(worker: number, why: string): void {
    if (!this.#roster.isAtWork(worker)) return;
    this.#roster.lose(worker, why);
    this.#fail(workerLost(why));
  }

  /** The first error is the one that counts; the others end as well. */
  #fail(error: unknown): void {
    this.#error ??= error;
    this.#tellInterrupt();
    this.#roster.changed();
  }

  #tellInterrupt(): void {
    for (const worker of this.#roster.atWork) this.#parts.post(worker, { kind: 'interrupt' });
    this.#cancelPatience ??= this.#parts.time.after(PATIENCE_MS, () => {
      for (const worker of this.#roster.atWork)
        this.lose(worker, 'it did not answer when it was told to end');
    });
  }

  #allOver(): Promise<void> {
    return this.#roster.until(() => this.#roster.atWork.length === 0);
  }

  /** Conditions that end a run are held against all workers together. */
  #watch(): void {
    const { plan, session } = this.#parts.order;
    new AbortWatch({
      conditions: plan.abortConditions,
      workloads: plan.workloads,
      recorders: this.recorders,
      clock: session.clock,
      measuredFromUs: measuredSpan(plan).fromUs,
      abort: (record) => {
        this.#abort = record;
        this.interrupt();
      },
    }).start();
  }

  #measurement(): VariantMeasurement {
    const { session } = this.#parts.order;
    const ends = this.#roster.ends.filter((end) => end !== undefined);
    const isWhole =
      ends.length === this.#parts.workerCount && ends.every(({ status }) => status === 'complete');
    return {
      recorders: this.recorders,
      status: isWhole && this.#error === undefined ? 'complete' : 'interrupted',
      // Where all are lost: up to where they were heard of.
      reachedUs: ends.length === 0 ? session.clock.nowUs() : Math.max(...ends.map((end) => end.reachedUs)),
      mostInFlight: ends.reduce((sum, end) => sum + end.mostInFlight, 0),
      ...(this.#error === undefined ? {} : { error: this.#error }),
      ...(this.#abort === undefined ? {} : { abort: this.#abort }),
    };
  }
}

function inFlight({ stages }: WorkloadRecorder): number {
  return stages.reduce((sum, { started, finished }) => sum + started - finished, 0);
}
