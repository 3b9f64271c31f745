// Open loop: operations start when the schedule says, whatever became of those before. One pending event per workload.
import { type Clock, type ClockEvent, eventRank } from '../clock.ts';
import type { Arrivals } from '../workload/arrival.ts';
import type { LoadLoop } from './load-loop.ts';
import type { WorkloadRunner } from './workload-runner.ts';

export class OpenLoop implements LoadLoop, ClockEvent {
  readonly #arrivals: Arrivals;
  readonly #runner: WorkloadRunner;
  readonly #clock: Clock;
  readonly #workloadIndex: number;
  readonly #exhausted: () => void;
  isExhausted = false;

  constructor(parts: {
    arrivals: Arrivals;
    runner: WorkloadRunner;
    clock: Clock;
    workloadIndex: number;
    exhausted: () => void;
  }) {
    this.#arrivals = parts.arrivals;
    this.#runner = parts.runner;
    this.#clock = parts.clock;
    this.#workloadIndex = parts.workloadIndex;
    this.#exhausted = parts.exhausted;
  }

  start(): void {
    this.#scheduleNext();
  }

  stop(): void {
    this.isExhausted = true;
  }

  fire(nowUs: number): void {
    if (this.isExhausted) return;
    const { sequence, stageIndex, atUs } = this.#arrivals;
    this.#runner.offer(sequence, stageIndex, atUs, nowUs);
    this.#scheduleNext();
  }

  #scheduleNext(): void {
    if (this.#arrivals.next()) {
      this.#clock.schedule(
        this.#arrivals.atUs,
        eventRank(this.#workloadIndex, this.#arrivals.sequence),
        this,
      );
      return;
    }
    this.isExhausted = true;
    this.#exhausted();
  }
}
