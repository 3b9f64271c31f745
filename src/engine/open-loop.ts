// Open loop: operations start when the schedule says, whatever became of those before. One pending event per
// workload. Several threads walk the same schedule, each for its share of the sequences.
import type { Clock } from '../clock.ts';
import { type ClockEvent, eventRank } from '../event-heap.ts';
import type { Arrivals } from '../workload/arrival.ts';
import type { LoadLoop } from './load-loop.ts';
import type { WorkShare } from './work-share.ts';
import type { WorkloadRunner } from './workload-runner.ts';

/** The load of one workload with an arrival rate. */
export class OpenLoop implements LoadLoop, ClockEvent {
  readonly #arrivals: Arrivals;
  readonly #runner: WorkloadRunner;
  readonly #clock: Clock;
  readonly #workloadIndex: number;
  readonly #share: WorkShare;
  readonly #exhausted: () => void;
  isExhausted = false;

  constructor(parts: {
    arrivals: Arrivals;
    runner: WorkloadRunner;
    clock: Clock;
    workloadIndex: number;
    share: WorkShare;
    exhausted: () => void;
  }) {
    this.#arrivals = parts.arrivals;
    this.#runner = parts.runner;
    this.#clock = parts.clock;
    this.#workloadIndex = parts.workloadIndex;
    this.#share = parts.share;
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
    if (this.#nextOfShare()) {
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

  #nextOfShare(): boolean {
    const { index, count } = this.#share;
    while (this.#arrivals.next()) if (this.#arrivals.sequence % count === index) return true;
    return false;
  }
}
