// Runs one variant: all its workloads at once over its stages, then drains. Sees time only through the clock
// and the table only through the target.
import type { AbortRecord } from '../analysis/records/abort.ts';
import type { Clock } from '../clock.ts';
import { CounterRandom, streamKey } from '../prng.ts';
import type { PlannedWorkload, RunPlan } from '../scenario/run-plan.ts';
import { createArrivals } from '../workload/arrival.ts';
import { AbortWatch } from './abort-watch.ts';
import { ClosedLoop } from './closed-loop.ts';
import type { LoadLoop } from './load-loop.ts';
import { OpenLoop } from './open-loop.ts';
import { progressOf, type RunProgress } from './run-progress.ts';
import type { SdkAccess, Target } from './target.ts';
import { measuredSpan } from './variant-record.ts';
import { type WorkShare, wholeWork } from './work-share.ts';
import type { WorkloadRecorder } from './workload-recorder.ts';
import { WorkloadRunner } from './workload-runner.ts';

/** What was measured of a variant; whole also after an error, as far as it came. */
export interface VariantMeasurement {
  readonly recorders: readonly WorkloadRecorder[];
  readonly status: 'complete' | 'interrupted';
  /** Time reached, µs since the start of load; after a complete run at least the end of the last stage. */
  readonly reachedUs: number;
  readonly mostInFlight: number;
  /** The scenario's own code threw; what was measured until then is kept. */
  readonly error?: unknown;
  /** The condition of the scenario that ended it. */
  readonly abort?: AbortRecord;
}

/** One variant, run once: `setUp`, `warmUp` and `run` in this order, `interrupt` at any time. */
export class VariantRun {
  readonly #plan: RunPlan;
  readonly #clock: Clock;
  readonly #share: WorkShare;
  readonly #runners: WorkloadRunner[];
  readonly #loops: LoadLoop[];
  #isInterrupted = false;
  #endSetUp: () => void = () => undefined;
  /** Resolves when the run is interrupted: the user's own `setup` may never end. */
  readonly #interrupted = new Promise<void>((resolve) => {
    this.#endSetUp = resolve;
  });
  #error: unknown;
  #abort: AbortRecord | undefined;

  /** @param share  which sequences are made here; absent: all */
  constructor(plan: RunPlan, clock: Clock, target: Target, sdk?: SdkAccess, share: WorkShare = wholeWork) {
    this.#plan = plan;
    this.#clock = clock;
    this.#share = share;
    const endWhenIdle = () => this.#endWhenIdle();
    this.#runners = plan.workloads.map(
      (workload) =>
        new WorkloadRunner({
          workload,
          stages: plan.stages,
          seed: plan.seed,
          clock,
          target,
          sdk,
          operationEnded: endWhenIdle,
          failed: (error) => this.#fail(error),
        }),
    );
    this.#loops = plan.workloads.map((workload, index) =>
      this.#createLoop(workload, this.#runners[index] as WorkloadRunner, endWhenIdle),
    );
  }

  /** Lets `custom` workloads make their layers, one after another. @throws DynoLoadError SCENARIO_FUNCTION_THREW */
  async setUp(): Promise<void> {
    for (const runner of this.#runners) {
      if (this.#isInterrupted) return;
      await Promise.race([runner.setUp(), this.#interrupted]);
    }
  }

  /**
   * Resolves when every operation is over, or soon after `interrupt`.
   * @param originMs  when load begins; see `Clock.run`
   */
  async run(originMs?: number): Promise<VariantMeasurement> {
    for (const loop of this.#loops) loop.start();
    this.#watch();
    await this.#clock.run(originMs);
    return {
      recorders: this.recorders,
      status: this.#isInterrupted || this.#error !== undefined ? 'interrupted' : 'complete',
      reachedUs: this.#reachedUs(),
      mostInFlight: this.#runners.reduce((sum, runner) => sum + runner.mostInFlight, 0),
      ...(this.#error === undefined ? {} : { error: this.#error }),
      ...(this.#abort === undefined ? {} : { abort: this.#abort }),
    };
  }

  #watch(): void {
    const { abortConditions, workloads } = this.#plan;
    const abort = (record: AbortRecord) => {
      this.#abort = record;
      this.interrupt();
    };
    const parts = {
      conditions: abortConditions,
      workloads,
      recorders: this.recorders,
      clock: this.#clock,
      measuredFromUs: measuredSpan(this.#plan).fromUs,
      abort,
    };
    new AbortWatch(parts).start();
  }

  /** Offers nothing more and ends at once; operations in flight stay unfinished in the record. */
  interrupt(): void {
    this.#isInterrupted = true;
    this.#endSetUp();
    for (const runner of this.#runners) runner.interrupt();
    for (const loop of this.#loops) loop.stop();
    this.#clock.stop();
  }

  /** What each workload has recorded so far. */
  get recorders(): readonly WorkloadRecorder[] {
    return this.#runners.map((runner) => runner.recorder);
  }

  progress(): RunProgress {
    return progressOf(this.#runners, this.#plan.stages, this.#clock.nowUs());
  }

  #createLoop(workload: PlannedWorkload, runner: WorkloadRunner, exhausted: () => void): LoadLoop {
    const { load } = workload;
    const parts = {
      runner,
      clock: this.#clock,
      workloadIndex: workload.index,
      share: this.#share,
      exhausted,
    };
    const { stages, seed } = this.#plan;
    if (load.kind === 'closed') {
      return new ClosedLoop({ ...parts, stages, concurrency: load.concurrency, pauseUs: load.pauseUs });
    }
    const random = new CounterRandom(streamKey(seed, `arrivals:${workload.name}`));
    return new OpenLoop({
      ...parts,
      arrivals: createArrivals({ shape: load.shape, spacing: load.spacing, stages, random }),
    });
  }

  /**
   * Nothing is pending after the last operation, so the clock may stop before the last stage is over: the
   * stage lasted all the same.
   */
  #reachedUs(): number {
    const nowUs = this.#clock.nowUs();
    if (this.#isInterrupted || this.#error !== undefined) return nowUs;
    return Math.max(nowUs, this.#plan.stages.at(-1)?.endUs ?? 0);
  }

  #endWhenIdle(): void {
    // Asked after each operation; the first loop that goes on is the answer nearly always.
    for (const loop of this.#loops) if (!loop.isExhausted) return;
    for (const runner of this.#runners) if (runner.inFlight > 0) return;
    this.#clock.stop();
  }

  #fail(error: unknown): void {
    this.#error ??= error;
    for (const runner of this.#runners) runner.interrupt();
    for (const loop of this.#loops) loop.stop();
    this.#clock.stop();
  }
}
