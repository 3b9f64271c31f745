// Closed loop: a fixed count of operations at once, each slot beginning the next when the one before is over.
// The target sets the pace, so response times are not comparable with those of open loops.
import type { Clock } from '../clock.ts';
import { eventRank } from '../event-heap.ts';
import type { PlannedStage } from '../scenario/run-plan.ts';
import type { LoadLoop } from './load-loop.ts';
import type { WorkShare } from './work-share.ts';
import type { WorkloadRunner } from './workload-runner.ts';

/** Shortest time between two operations of a slot in virtual time, so that skipped operations cannot stop time. */
const SHORTEST_STEP_US = 100;

/** The load of one workload with a fixed concurrency. */
export class ClosedLoop implements LoadLoop {
  readonly #stages: readonly PlannedStage[];
  readonly #concurrency: number;
  readonly #pauseUs: number;
  readonly #runner: WorkloadRunner;
  readonly #clock: Clock;
  readonly #workloadIndex: number;
  readonly #share: WorkShare;
  readonly #exhausted: () => void;
  #sequence: number;
  #stageIndex = 0;
  isExhausted = false;

  constructor(parts: {
    stages: readonly PlannedStage[];
    concurrency: number;
    pauseUs: number;
    runner: WorkloadRunner;
    clock: Clock;
    workloadIndex: number;
    share: WorkShare;
    exhausted: () => void;
  }) {
    this.#stages = parts.stages;
    this.#concurrency = parts.concurrency;
    this.#pauseUs = parts.pauseUs;
    this.#runner = parts.runner;
    this.#clock = parts.clock;
    this.#workloadIndex = parts.workloadIndex;
    this.#share = parts.share;
    this.#sequence = parts.share.index;
    this.#exhausted = parts.exhausted;
  }

  start(): void {
    for (let slot = 0; slot < this.#concurrency; slot++) this.#schedule(0, slot);
    // A thread may have no slot at all.
    if (this.#concurrency > 0) return;
    this.isExhausted = true;
    this.#exhausted();
  }

  stop(): void {
    this.isExhausted = true;
  }

  #schedule(atUs: number, slot: number): void {
    this.#clock.schedule(atUs, eventRank(this.#workloadIndex, slot), {
      fire: (nowUs) => this.#next(nowUs, slot),
    });
  }

  #next(nowUs: number, slot: number): void {
    if (this.isExhausted) return;
    while (nowUs >= (this.#stages[this.#stageIndex] as PlannedStage).endUs) {
      this.#stageIndex++;
      if (this.#stageIndex < this.#stages.length) continue;
      this.isExhausted = true;
      this.#exhausted();
      return;
    }
    const sequence = this.#sequence;
    this.#sequence += this.#share.count;
    this.#runner.offer(sequence, this.#stageIndex, nowUs, nowUs, () => {
      const endUs = this.#clock.nowUs();
      this.#schedule(Math.max(endUs + this.#pauseUs, nowUs + SHORTEST_STEP_US), slot);
    });
  }
}
